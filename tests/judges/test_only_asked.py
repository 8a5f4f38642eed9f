"""A clinician's question alone bears nothing out: its answer is read with it."""

from __future__ import annotations

import threading

import pytest

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges.protocol import Judge
from tests.factories import make_transcript

ASKED = "Any change in your bowel movements?"
DENIED = "Denies any recent changes in his bowel movements."


def _verdict(judge: Judge, answer: str, sentence: str) -> Verdict | None:
    turns = (("therapist", "How was the week?"), ("client", "Long."), ("therapist", ASKED), ("client", answer))
    note = documents.parse_note(f"Subjective\n{sentence}\n")
    (claim,) = judge.support(Case(make_transcript((*turns, ("therapist", "Thank you."))), note), threading.Event())
    return claim.verdict


@pytest.mark.parametrize(
    "answer",
    [
        "I have had diarrhea for three weeks, it wakes me at night.",
        "Yes, diarrhea, ever since Easter 🙁.",
        "Sometimes I have to run.",
    ],
)
def test_a_question_that_was_answered_otherwise_bears_no_denial_out(judge: Judge, answer: str) -> None:
    assert _verdict(judge, answer, DENIED) is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    "answer", ["No.", "No, nothing like that.", "I haven't had any.", "Uh, I have not.", "All normal."]
)
def test_a_question_that_was_answered_with_no_bears_a_denial_out(judge: Judge, answer: str) -> None:
    assert _verdict(judge, answer, DENIED) is Verdict.SUPPORTED


def test_a_no_bears_nothing_out_that_was_only_asked_for(judge: Judge) -> None:
    assert _verdict(judge, "No.", "He has had changes in his bowel movements.") is not Verdict.SUPPORTED


def test_a_finding_with_okay_behind_it_is_no_question(judge: Judge) -> None:
    turns = (("therapist", "I'd like to see you take the lisinopril as directed, okay ?"), ("therapist", "Good."))
    note = documents.parse_note("Plan\nEncouraged to take the lisinopril as directed.\n")
    (claim,) = judge.support(Case(make_transcript(turns), note), threading.Event())
    assert claim.verdict is Verdict.SUPPORTED
