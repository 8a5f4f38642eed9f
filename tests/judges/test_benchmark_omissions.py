from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, Omission, OmissionKind, Severity
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.benchmark_omissions import run_omissions
from noteeval_desktop.judges.scripted import ScriptedJudge
from noteeval_desktop.measures.tn_eval import LabelledNote, LabelledSentence
from tests.factories import make_note, make_transcript

SUBJECTS = (
    "sertraline was raised to fifty milligrams",
    "the wedding is planned for October",
    "my brother lost his job at the harbour",
    "I sleep three hours since the move",
    "the knee operation went badly in spring",
    "I drink four beers on Friday evenings",
    "our dog bit the neighbour's boy",
    "the choir sings again every Tuesday",
)


def labelled(name: str, subjects: Sequence[str], told: Sequence[str], good: bool = True) -> LabelledNote:
    turns = tuple(turn for words in subjects for turn in (("therapist", "Tell me."), ("client", words)))
    note = make_note({Section.SUBJECTIVE: [f"Client says {words}." for words in told]})
    sentences = tuple(
        LabelledSentence(s, (frozenset({"subjective-symptoms"}) if good else frozenset(),) * 2, (1, 1), {})
        for s in note.sentences
    )
    return LabelledNote(name, "human", Case(make_transcript(turns), note), sentences, {}, {}, {})


class Heedful(ScriptedJudge):
    """Reports, with one quote each, the client's turns that no sentence of the note holds, or all of them."""

    def __init__(self, heeds: bool) -> None:
        super().__init__()
        self._heeds = heeds

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        for turn in case.transcript.turns[1::2]:
            if not (self._heeds and any(turn.text in sentence.text for sentence in case.note.sentences)):
                yield Omission(cite(turn), OmissionKind.SYMPTOM, Severity.LOW)


def test_a_judge_that_heeds_the_note_finds_what_was_taken_out_and_only_then() -> None:
    note = labelled("a", SUBJECTS[:5], SUBJECTS[:5])
    result = run_omissions([note], lambda _: Heedful(True), FakeEmbedder())
    assert (result["sentences_removed"], result["recall_at_5"]) == (5, 1.0)
    assert result["recall_at_5_closest_turn"] == 1.0
    assert result["while_still_in_the_note"] == result["closest_turn_while_still_in_the_note"] == 0.0
    assert (result["findings_per_complete_note"], result["quotes_per_finding"]) == (0.0, None)
    assert 0 < result["chance_closest_turn"] <= result["chance"] < 1
    assert result["recall_at_5_said_once"] == 1.0


def test_a_judge_that_lists_everything_has_the_same_recall_and_is_found_out() -> None:
    note = labelled("a", SUBJECTS[:5], SUBJECTS[:5])
    result = run_omissions([note], lambda _: Heedful(False), FakeEmbedder())
    assert result["recall_at_5"] == result["while_still_in_the_note"] == 1.0
    assert result["findings_per_complete_note"] == 5
    assert result["kinds_per_complete_note"] == {"symptom": 5.0}


def test_only_sentences_that_both_therapists_want_are_taken_out() -> None:
    result = run_omissions([labelled("a", SUBJECTS, SUBJECTS, good=False)], lambda _: Heedful(True), FakeEmbedder())
    assert (result["sentences_removed"], result["recall_at_5"], result["interval"]) == (0, None, None)


def test_what_the_rest_of_the_note_still_says_is_counted_apart() -> None:
    told = (
        "brother lost harbour money",
        "my brother sings long songs in two choirs every other Tuesday with tall friends",
        "all the money went to ships, ropes, lamps and paint near the harbour, and nothing was lost on the way home",
    )
    result = run_omissions([labelled("a", SUBJECTS, told)], lambda _: Heedful(True), FakeEmbedder())
    counted = ("still_said", "unclear", "clear")
    assert sum(result[f"sentences_{part}"] for part in counted) == result["sentences_removed"] == len(told)
    assert result["sentences_still_said"] == 1
