from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import claims_given
from noteeval_desktop.research.atomic_facts import words_compared
from noteeval_desktop.research.facts import FactState, counted_facts, told_facts
from tests.factories import make_note, make_transcript
from tests.scripted_judge import ScriptedJudge

NEVER = threading.Event()
NOTE = make_note(
    {
        Section.SUBJECTIVE: ["He drank four times.", "He sleeps badly."],
        Section.PLAN: ["Next session on Tuesday.", "He will go to Spain."],
    }
)
REFERENCE = make_note(
    {
        Section.SUBJECTIVE: ["He drank twice.", "Sleep is poor.", "His brother worries him."],
        Section.PLAN: ["next session on  Tuesday"],
    }
)
SAYS = {
    "He drank four times.": Verdict.CONTRADICTED,
    "He sleeps badly.": Verdict.SUPPORTED,
    "He will go to Spain.": Verdict.UNSUPPORTED,
    "He drank twice.": Verdict.CONTRADICTED,
    "Sleep is poor.": Verdict.SUPPORTED,
    "His brother worries him.": Verdict.UNSUPPORTED,
}


class Told(ScriptedJudge):
    """Says what it was told of each sentence, supported where the session is a real one; keeps what it was asked."""

    asked: list[Case]

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        self.asked = [*getattr(self, "asked", []), case]
        heard = case.transcript.turns[0].role is not Role.OTHER
        for sentence in case.note.sentences:
            spain = heard and "Spain" in sentence.text
            yield ClaimVerdict(sentence.id, Verdict.SUPPORTED if spain else SAYS.get(sentence.text))


def _counted(judge: Judge, note: Note, reference: Note, session: Transcript | None) -> Any:
    return counted_facts(told_facts(judge, note, reference, session, words_compared(), NEVER))


def test_facts_are_right_wrong_made_up_and_left_out() -> None:
    whole, _ = _counted(Told(), NOTE, REFERENCE, None)
    assert (whole.correct, whole.incorrect, whole.hallucinated) == (2, 1, 1)
    assert (whole.reference, whole.omitted, whole.found) == (4, 2, 2)


def test_sections_count_their_own_facts() -> None:
    _, sections = _counted(Told(), NOTE, REFERENCE, None)
    assert set(sections) == {Section.SUBJECTIVE, Section.PLAN}
    assert (sections[Section.PLAN].system, sections[Section.PLAN].precision) == (2, 0.5)
    assert sections[Section.SUBJECTIVE].omission_rate == pytest.approx(2 / 3)


class Hears(Told):
    """The session says what the note says of Spain, and of nothing else anything."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for claim in super().support(case, cancel):
            yield claim if claim.verdict else ClaimVerdict(claim.sentence, Verdict.UNSUPPORTED)


def test_what_the_session_says_is_no_hallucination() -> None:
    """Though the reference does not mention it."""
    whole, _ = _counted(Hears(), NOTE, REFERENCE, make_transcript())
    assert (whole.correct, whole.hallucinated, whole.omitted) == (3, 0, 2)


def test_a_sentence_that_stands_in_the_other_note_is_entailed_unasked() -> None:
    judge = Told()
    assert {claim.verdict for claim in claims_given(judge, NOTE, NOTE, NEVER).values()} == {Verdict.SUPPORTED}
    assert not hasattr(judge, "asked")


def test_the_other_note_is_nobody_s_talk() -> None:
    judge = Told()
    claims_given(judge, NOTE, REFERENCE, NEVER)
    assert {turn.role for turn in judge.asked[0].transcript.turns} == {Role.OTHER}


def test_a_claim_that_was_not_judged_is_a_failure_and_not_a_share() -> None:
    silent = ScriptedJudge(claims=[ClaimVerdict("s1", None, rationale="The model did not answer.")])
    with pytest.raises(JudgeError, match="did not answer"):
        claims_given(silent, NOTE, REFERENCE, NEVER)


def test_what_makes_no_claim_is_no_fact() -> None:
    judge = ScriptedJudge(claims=[ClaimVerdict(f"s{n}", None, set_aside=True) for n in range(1, 5)])
    assert set(claims_given(judge, NOTE, REFERENCE, NEVER)) == {"s3"}


class Passing(ScriptedJudge):
    """As the quick check at its worst: passes whatever shares a word with the other text, and what it has no passage
    for."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        for sentence in case.note.sentences:
            words = set(sentence.text.lower().strip(".").split())
            cited = tuple(
                Citation(turn.index, Span(0, len(turn.text)), turn.text)
                for turn in case.transcript.turns
                if words & set(turn.text.lower().strip(".").split())
            )
            yield ClaimVerdict(sentence.id, Verdict.SUPPORTED, 0.8, citations=cited[:1])


QUICK = Passing(identity=JudgeIdentity("builtin", "script", "1"))


@pytest.mark.parametrize(
    ("note", "reference", "states"),
    [
        ("Noncontributory.", "Confusion and hallucinations.", "hallucinated omitted omitted"),
        ("He denies chest pain.", "He reports chest pain.", "incorrect omitted"),
        ("He reports chest pain.", "Denies fever, chest pain.", "incorrect omitted omitted"),
        ("He takes metformin 500 mg.", "He takes metformin 1000 mg daily.", "incorrect omitted"),
        ("He sleeps 5 hours.", "He sleeps well. He sleeps 4 hours.", "incorrect found omitted"),
        ("Cough for three days.", "Cough for 3 days.", "correct found"),
        ("Denies fever.", "Denies fever, chills.", "correct found found"),
    ],
)
def test_what_the_quick_check_passes_is_compared_word_by_word(note: str, reference: str, states: str) -> None:
    told = told_facts(QUICK, parse_note(note), parse_note(reference), None, words_compared(), NEVER)
    assert [fact.state.value for fact in told] == states.split()


def test_a_fact_stands_with_the_words_that_it_differs_from() -> None:
    told = told_facts(
        QUICK, parse_note("He drinks 4 beers."), parse_note("He drinks 2 beers."), None, words_compared(), NEVER
    )
    assert (told[0].state, told[0].evidence) == (FactState.INCORRECT, "He drinks 2 beers.")
    assert told[0].as_json() == {
        "fact": "He drinks 4 beers.",
        "state": "incorrect",
        "evidence": "He drinks 2 beers.",
    }
