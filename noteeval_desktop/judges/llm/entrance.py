"""The entrance test: ninety short questions with known answers, before a model's verdicts are believed.

It is put through the judge itself, so that what is tested is what will be asked: prompts, forms, retrieval and reading.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.text import Span, fingerprint
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.two_witnesses import Records, track_record
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.errors import JudgeError, ModelError
from noteeval_desktop.judges.protocol import AsksModel

# What a coin reaches with a chance of one in twenty (binomial, one half): of all 90 questions, and of the 24 claims,
# which a model that says "supported" to everything has half right.
GUESSED, GUESSED_CLAIMS = 54, 17
ENOUGH = 0.8
CLAIMS = ("supported", "contradicted")
KINDS = {
    "supported": "statements that the session supports",
    "contradicted": "statements that the session contradicts",
    "covered": "items of the checklist",
    "needed": "sentences that are needed or not",
    "left_out": "passages that were left out or not",
    "dangers": "passages that tell of danger or not",
}
# Of which question of a check each kind tells what a model has shown.
_QUESTIONS = {
    "supported": "claims",
    "contradicted": "claims",
    "covered": "checklist",
    "needed": "sentences",
    "left_out": "omissions",
    "dangers": "risks",
}
Progress = Callable[[int, int], None]
"""Called with the questions answered, and all."""


@dataclass(frozen=True, slots=True)
class Result:
    """By kind of question: how many were answered as expected, and how many were asked. ``records``: by question of a
    check, how far its answers move a verdict."""

    kinds: Mapping[str, tuple[int, int]]
    records: Records = field(default_factory=dict)

    @property
    def right(self) -> int:
        return sum(right for right, _ in self.kinds.values())

    @property
    def asked(self) -> int:
        return sum(asked for _, asked in self.kinds.values())

    @property
    def refused(self) -> bool:
        """No better than guessing, over all or about claims."""
        claims = sum(self.kinds[kind][0] for kind in CLAIMS)
        return self.right < GUESSED or claims < GUESSED_CLAIMS

    @property
    def weak(self) -> tuple[str, ...]:
        """The kinds of question of which it had no more than half right."""
        return tuple(kind for kind, (right, asked) in self.kinds.items() if right <= asked / 2)

    @property
    def doubtful(self) -> bool:
        return self.right < ENOUGH * self.asked or bool(self.weak)

    @property
    def said(self) -> str:
        """What a user is told."""
        said = f"This model answered {self.right} of {self.asked} test questions as expected."
        if self.refused:
            return f"{said} That is no better than guessing, so it is not asked about notes. Choose another model."
        if not self.doubtful:
            return said
        weak = f", most of all on {' and '.join(KINDS[kind] for kind in self.weak)}" if self.weak else ""
        return f"{said} It will often be wrong{weak}: check what it says against the session."


@dataclass(frozen=True, slots=True)
class Entrance:
    """The questions as ``resources/entrance.json`` has them; ``version`` changes with them."""

    data: Mapping[str, Any]
    version: str

    @property
    def rubric(self) -> Rubric:
        items = (
            RubricItem(i["id"], Section(i["section"]), Importance.MANDATORY, i["name"], i["description"])
            for i in self.data["items"]
        )
        return Rubric("Entrance test", "1", tuple(items))

    @property
    def transcript(self) -> Transcript:
        return _spoken(self.data["session"])

    @property
    def asked(self) -> int:
        return sum(len(self.data[name]) for name in ("claims", "items", "sentences", "left_out", "dangers"))

    def run(self, judge: AsksModel, cancel: threading.Event, progress: Progress = lambda done, all: None) -> Result:
        """``judge``: over ``rubric``. Raises ModelError where the model cannot be asked at all, and Cancelled.

        Ends as soon as the model can pass no more: one that never closes its quotation marks writes for an hour.
        """
        kinds = {kind: [0, 0] for kind in KINDS}
        answers: dict[str, list[tuple[bool, bool, float | None]]] = {}
        missed = Counter[bool]()
        for done, one in enumerate(self._answers(judge, cancel), 1):
            kinds[one.kind][0] += one.right
            kinds[one.kind][1] += 1
            # What was not answered moves nothing, but tells nothing for the model either.
            said = one.says if one.says is not None else not one.so
            answers.setdefault(_QUESTIONS[one.kind], []).append((one.so, said, one.probability))
            progress(done, self.asked)
            missed[one.kind in CLAIMS] += not one.right
            if missed.total() > self.asked - GUESSED or missed[True] > len(self.data["claims"]) - GUESSED_CLAIMS:
                break
        records = {question: track_record(given) for question, given in answers.items()}
        return Result({kind: (right, asked) for kind, (right, asked) in kinds.items()}, records)

    def _answers(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        """As the answers come; at last what was not answered, which is never as expected."""
        left = Counter((claim["expected"], claim["expected"] == "supported") for claim in self.data["claims"])
        for kind, name, answer in _YES_NO:
            left.update((kind, entry[answer]) for entry in self.data[name])
        for answers in (self._covered, self._needed, self._claimed, self._left_out, self._heard):
            try:
                for one in answers(judge, cancel):
                    left[one.kind, one.so] -= 1
                    yield one
            except ModelError:
                raise
            except JudgeError:  # no answer in the form asked for
                continue
        yield from (_Told(kind, so, None, right=False) for kind, so in left.elements())

    def _covered(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        expected = {item["id"]: item["covered"] for item in self.data["items"]}
        for item in judge.cover(self._case(_by_section(self.data["note"])), cancel):
            yield _told("covered", expected[item.item], item.present, item.probability)

    def _needed(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        case = self._case([(Section.SUBJECTIVE, entry["text"]) for entry in self.data["sentences"]])
        expected = {f"s{n}": entry["needed"] for n, entry in enumerate(self.data["sentences"], 1)}
        for sentence in judge.need(case, cancel):
            yield _told("needed", expected[sentence.sentence], sentence.needed, sentence.probability)

    def _claimed(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        """One at a time: what has no answer in the form asked for is asked again before the next, not after all."""
        for claim in self.data["claims"]:
            so = claim["expected"] == "supported"
            for found in judge.support(self._case([(Section(claim["section"]), claim["text"])]), cancel):
                says = None if found.verdict is None else found.verdict is Verdict.SUPPORTED
                right = found.verdict is not None and found.verdict.value == claim["expected"]
                yield _Told(claim["expected"], so, says, right, found.probability)

    def _left_out(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        case = self._case(_by_section(self.data["short_note"]))
        told = judge.omit(case, self._said(case), cancel)
        found = {citation.turn + 1 for omission in told for citation in omission.citations}
        yield from _named("left_out", self.data["left_out"], "left_out", found)

    def _heard(self, judge: AsksModel, cancel: threading.Event) -> Iterator[_Told]:
        case = Case(_spoken(self.data["danger_session"]), _note([]), "")
        found = {heard.citation.turn + 1 for heard in judge.hear(case, cancel)}
        yield from _named("dangers", self.data["dangers"], "danger", found)

    def _said(self, case: Case) -> tuple[ClaimVerdict, ...]:
        return tuple(ClaimVerdict(sentence.id, None) for sentence in case.note.sentences)

    def _case(self, sentences: Sequence[tuple[Section, str]]) -> Case:
        return Case(self.transcript, _note(sentences), "")


@dataclass(frozen=True, slots=True)
class _Told:
    """``so``: whether it is; ``says``: what the model says, None where it gave no answer; ``right``: as expected."""

    kind: str
    so: bool
    says: bool | None
    right: bool
    probability: float | None = None


_YES_NO = (
    ("covered", "items", "covered"),
    ("needed", "sentences", "needed"),
    ("left_out", "left_out", "left_out"),
    ("dangers", "dangers", "danger"),
)


def _told(kind: str, so: bool, says: bool | None, probability: float | None) -> _Told:
    return _Told(kind, so, says, says is so, probability)


def _named(kind: str, passages: Sequence[Mapping[str, Any]], answer: str, found: Collection[int]) -> Iterator[_Told]:
    """By turn; the question before an answer stands for it."""
    asked = {passage["turn"] for passage in passages}
    for passage in passages:
        turn = passage["turn"]
        yield _told(kind, passage[answer], turn in found or (turn - 1 in found and turn - 1 not in asked), None)


def _spoken(lines: Sequence[str]) -> Transcript:
    spoken = (line.split(": ", 1) for line in lines)
    return Transcript(tuple(Turn(n, who.capitalize(), Role(who), text) for n, (who, text) in enumerate(spoken)))


def load_entrance(file: Path) -> Entrance:
    text = file.read_text("utf-8")
    return Entrance(json.loads(text), fingerprint(text))


def _by_section(note: Mapping[str, Sequence[str]]) -> list[tuple[Section, str]]:
    return [(Section(section), text) for section, texts in note.items() for text in texts]


def _note(sentences: Sequence[tuple[Section, str]]) -> Note:
    """A heading, then a sentence a line."""
    text = ""
    blocks: list[Block] = []
    made: list[Sentence] = []
    for section in dict.fromkeys(section for section, _ in sentences):
        heading = Span(len(text), len(text) + len(section.value))
        text += f"{section.value.capitalize()}\n"
        start = len(text)
        for own, words in sentences:
            if own is section:
                made.append(Sentence(f"s{len(made) + 1}", (section,), Span(len(text), len(text) + len(words)), words))
                text += f"{words}\n"
        blocks.append(Block((section,), heading, Span(start, len(text))))
    return Note(text, tuple(blocks), tuple(made))
