"""The TN-Eval data as frozen cases, with each therapist's labels kept apart.

Data: Shah et al., TN-Eval (ACL 2025, industry track). One case a conversation: its transcript, three notes, and for
each note two therapists' annotations and two LLM judges' answers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pysbd

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Block, Note, Section, Sentence
from noteeval_desktop.domain.text import Span, normalise
from noteeval_desktop.domain.transcript import Role, Transcript, Turn

SOURCES = ("human", "llm_llama31_70B", "llm_mistral_large_v2")
RATED = ("completeness", "conciseness", "faithfulness")
Likert = Mapping[Section, Mapping[str, tuple[int, ...]]]
LLM_JUDGES = {"llama31_70B": "Llama 3.1 70B", "mistral_large_v2": "Mistral Large V2"}
ANNOTATORS = 2
_END_OF_SENTENCE = re.compile(r"""[.!?]+["'”’)\]]*\s+|\n+|[.!?]\s*["”]\s+""")


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with one label a therapist; ``llm_needed`` is each LLM judge's 0/1, by judge id."""

    sentence: Sentence
    items: tuple[frozenset[str], ...]
    faithful: tuple[int, ...]
    llm_needed: Mapping[str, int]

    @property
    def needed(self) -> tuple[int, ...]:
        """1 where the therapist gave the sentence at least one rubric item."""
        return tuple(int(bool(items)) for items in self.items)


@dataclass(frozen=True, slots=True)
class LabelledNote:
    """``present[item]`` has one 0/1 a therapist, ``llm_present[judge][item]`` a judge's; ``align_score`` is 0..1.
    ``likert[section][dimension]`` has one 1..5 a therapist, ``llm_likert[judge]`` the same of one judge; ``acceptance``
    is 1..5, of the whole note; all three are empty where nobody was asked."""

    conversation: str
    source: str
    case: Case
    sentences: tuple[LabelledSentence, ...]
    present: Mapping[str, tuple[int, ...]]
    llm_present: Mapping[str, Mapping[str, int]]
    align_score: Mapping[Section, float]
    likert: Likert = field(default_factory=dict)
    llm_likert: Mapping[str, Likert] = field(default_factory=dict)
    acceptance: tuple[int, ...] = ()

    @property
    def completeness(self) -> float:
        """Share of items present, averaged over the therapists (0..1)."""
        return _mean([_mean(labels) for labels in self.present.values()])

    @property
    def conciseness(self) -> float:
        return _mean([_mean(labelled.needed) for labelled in self.sentences])

    @property
    def faithfulness(self) -> float:
        return _mean([_mean(labelled.faithful) for labelled in self.sentences])


@dataclass(frozen=True, slots=True)
class Answer:
    """A judge's yes or no, and how probable yes is (0 or 1 from a judge that only says yes or no)."""

    probability: float
    yes: bool


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """A judge's answers about a note, in the order of its sentences; None for a question it does not answer.

    ``faithfulness`` is a judge's score of the note as a whole (0..1), in place of the mean probability.
    """

    items: Mapping[str, Answer] | None = None
    needed: tuple[Answer, ...] | None = None
    faithful: tuple[Answer, ...] | None = None
    faithfulness: float | None = None


def labelled_notes(cases: Sequence[Mapping[str, Any]]) -> tuple[LabelledNote, ...]:
    """Three notes a conversation, in the order of ``cases``, which are as published, each with its ``transcript``.

    Raises KeyError, TypeError, AttributeError, ValueError for another layout.
    """
    return tuple(_labelled_note(entry, source) for entry in cases for source in SOURCES)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _transcript(entry: Mapping[str, Any]) -> Transcript:
    turns = tuple(
        Turn(index, turn["speaker"].capitalize(), Role(turn["speaker"]), normalise(turn["text"]), _seconds(turn))
        for index, turn in enumerate(entry["transcript"])
    )
    return Transcript(turns)


def _seconds(turn: Mapping[str, Any]) -> float:
    seconds = 0.0
    for part in turn["time"].split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def _labelled_note(entry: Mapping[str, Any], source: str) -> LabelledNote:
    data = entry[source]
    annotations = data["metrics_human"]
    counts = {s: len(annotations[0][s.value]["rubric_conciseness_raw"]) for s in SOAP}
    note = _note({s: normalise(data["note"][s.value]) for s in SOAP}, counts)
    labelled = []
    for section in SOAP:
        for number, sentence in enumerate(note.sentences_in(section), start=1):
            labelled.append(_labelled_sentence(data, annotations, sentence, f"sentence_{number}"))
    items = {item: s.value for s in SOAP for item in sorted(annotations[0][s.value]["rubric_completeness_raw"])}
    return LabelledNote(
        conversation=str(entry["id"]),
        source=source,
        case=Case(_transcript(entry), note, f"{entry['id']} {source}"),
        sentences=tuple(labelled),
        present={
            item: tuple(a[section]["rubric_completeness_raw"][item] for a in annotations)
            for item, section in items.items()
        },
        llm_present={
            judge: {i: data[f"metrics_{judge}"][s]["rubric_completeness_raw"][i] for i, s in items.items()}
            for judge in LLM_JUDGES
        },
        align_score={s: float(data["align_score"][s.value]) for s in SOAP},
        likert=_likert(annotations),
        llm_likert={judge: _likert([data[f"metrics_{judge}"]]) for judge in LLM_JUDGES},
        acceptance=tuple(a["likert_overall_acceptance"] for a in annotations if "likert_overall_acceptance" in a),
    )


def _likert(given: Sequence[Any]) -> Likert:
    asked = {s: [name for name in RATED if all(f"likert_{name}" in one[s.value] for one in given)] for s in SOAP}
    return {s: {name: tuple(one[s.value][f"likert_{name}"] for one in given) for name in asked[s]} for s in SOAP}


def _labelled_sentence(
    data: Mapping[str, Any], annotations: Sequence[Any], sentence: Sentence, key: str
) -> LabelledSentence:
    section = sentence.section.value
    return LabelledSentence(
        sentence=sentence,
        items=tuple(frozenset(a[section]["rubric_conciseness_raw"][key]) for a in annotations),
        faithful=tuple(a[section]["rubric_faithfulness_raw"][key] for a in annotations),
        llm_needed={judge: data[f"metrics_{judge}"][section]["rubric_conciseness_raw"][key] for judge in LLM_JUDGES},
    )


def _note(bodies: Mapping[Section, str], counts: Mapping[Section, int]) -> Note:
    """One text with a heading line a section, split into exactly as many sentences as were annotated."""
    text = ""
    blocks: list[Block] = []
    sentences: list[Sentence] = []
    for section in SOAP:
        heading = Span(len(text), len(text) + len(section.value))
        text += section.value.capitalize() + "\n"
        body = bodies[section]
        for span in _sentence_spans(body, counts[section]):
            placed = span.shifted(len(text))
            sentences.append(Sentence(f"s{len(sentences) + 1}", (section,), placed, span.of(body)))
        blocks.append(Block((section,), heading, Span(len(text), len(text) + len(body))))
        text += body + "\n\n"
    return Note(text, tuple(blocks), tuple(sentences))


def _sentence_spans(body: str, count: int) -> list[Span]:
    """Split ``body`` into ``count`` sentences: by pySBD, else by punctuation, else with pieces joined."""
    segmenter = pysbd.Segmenter(language="en", clean=False)
    spans = _located(body, segmenter.segment(body)) if body.strip() else []
    if len(spans) == count:
        return spans
    cuts = [0, *(match.end() for match in _END_OF_SENTENCE.finditer(body)), len(body)]
    plain = _located(body, [body[a:b] for a, b in itertools.pairwise(cuts)])
    best = min((spans, plain), key=lambda found: abs(len(found) - count))
    return _merged(best, count)


def _located(body: str, pieces: Sequence[str]) -> list[Span]:
    spans, position = [], 0
    for piece in pieces:
        words = piece.strip()
        if not words:
            continue
        start = body.index(words, position)
        position = start + len(words)
        spans.append(Span(start, position))
    return spans


def _merged(spans: list[Span], count: int) -> list[Span]:
    """Join the shortest neighbours until ``count`` are left; where there are too few, the annotation's rest is lost."""
    spans = list(spans)
    while len(spans) > max(count, 1):
        at = min(range(len(spans) - 1), key=lambda i: spans[i + 1].end - spans[i].start)
        spans[at : at + 2] = [Span(spans[at].start, spans[at + 1].end)]
    return spans
