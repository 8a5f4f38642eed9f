from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.reference_scores import verdicts_given
from noteeval_desktop.judges.scripted import ScriptedJudge
from noteeval_desktop.research.facts import count_facts
from tests.factories import make_note, make_transcript

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


def test_facts_are_right_wrong_made_up_and_left_out() -> None:
    whole, _ = count_facts(Told(), NOTE, REFERENCE, None, NEVER)
    assert (whole.correct, whole.incorrect, whole.hallucinated) == (2, 1, 1)
    assert (whole.reference, whole.omitted, whole.found) == (4, 2, 2)


def test_sections_count_their_own_facts() -> None:
    _, sections = count_facts(Told(), NOTE, REFERENCE, None, NEVER)
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
    whole, _ = count_facts(Hears(), NOTE, REFERENCE, make_transcript(), NEVER)
    assert (whole.correct, whole.hallucinated, whole.omitted) == (3, 0, 2)


def test_a_sentence_that_stands_in_the_other_note_is_entailed_unasked() -> None:
    judge = Told()
    assert set(verdicts_given(judge, NOTE, NOTE, NEVER).values()) == {Verdict.SUPPORTED}
    assert not hasattr(judge, "asked")


def test_the_other_note_is_nobody_s_talk() -> None:
    judge = Told()
    verdicts_given(judge, NOTE, REFERENCE, NEVER)
    assert {turn.role for turn in judge.asked[0].transcript.turns} == {Role.OTHER}


def test_a_claim_that_was_not_judged_is_a_failure_and_not_a_share() -> None:
    silent = ScriptedJudge(claims=[ClaimVerdict("s1", None, rationale="The model did not answer.")])
    with pytest.raises(JudgeError, match="did not answer"):
        verdicts_given(silent, NOTE, REFERENCE, NEVER)


def test_what_makes_no_claim_is_no_fact() -> None:
    judge = ScriptedJudge(claims=[ClaimVerdict(f"s{n}", None, set_aside=True) for n in range(1, 5)])
    assert set(verdicts_given(judge, NOTE, REFERENCE, NEVER)) == {"s3"}
