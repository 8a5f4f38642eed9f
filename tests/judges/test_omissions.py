from __future__ import annotations

import threading

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.omission_topics import MOST
from noteeval_desktop.judges.builtin.omissions import find_omissions
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import load_lexicon
from tests.factories import make_note, make_transcript

TALK = (
    ("therapist", "Do you think about ending your life?"),
    ("client", "Sometimes."),
    ("therapist", "How is the new medication going, any side effects?"),
    ("client", "The sertraline was raised to 50 mg two weeks ago and my headaches are worse."),
    ("therapist", "Shall we meet again next Tuesday at ten and go over your diary?"),
    ("client", "Yes."),
)


def omissions(turns: tuple[tuple[str, str], ...], *sentences: str) -> tuple[Case, list[Omission]]:
    case = Case(make_transcript(turns), make_note({Section.SUBJECTIVE: list(sentences)}))
    lexicon, embedder = load_lexicon(paths.resources() / "lexicons" / "claims.json"), FakeEmbedder()
    session = index_session(case.transcript, embedder, lexicon)
    return case, list(find_omissions(case, embedder, session, lexicon))


def test_a_danger_that_no_sentence_answers_comes_first_and_is_grave() -> None:
    case, found = omissions(TALK, "Client talked about the garden.")
    assert (found[0].kind, found[0].severity, found[0].item) == (OmissionKind.RISK, Severity.HIGH, "general-safety")
    assert found[0].citation.quote == "Sometimes."
    assert all(omission.citation.stands_in(case.transcript) for omission in found)


def test_what_the_note_says_is_not_reported() -> None:
    said = "The sertraline was raised to 50 mg two weeks ago and my headaches are worse."
    _, without = omissions(TALK, "Client talked about the garden.")
    _, with_it = omissions(TALK, said)
    assert any(omission.citation.turn == 3 for omission in without)
    assert all(omission.citation.turn != 3 for omission in with_it)


def test_medication_is_named_with_its_item_and_a_reason() -> None:
    _, found = omissions(TALK, "Client talked about the garden.")
    medication = next(omission for omission in found if omission.citation.turn == 3)
    assert medication.kind is OmissionKind.MEDICATION
    assert medication.item == "subjective-history"
    assert "medication" in medication.rationale


def test_repeated_topics_are_one_finding_and_the_list_is_short() -> None:
    turns = tuple(("client", f"I drink wine every night and I want to stop drinking wine, day {n}.") for n in range(60))
    _, found = omissions(turns, "Client talked about the garden.")
    assert 1 <= len(found) <= MOST
    assert len(found) < 5


def test_back_channels_alone_leave_nothing_out() -> None:
    assert omissions((("client", "Mm-hmm."), ("therapist", "Okay."), ("client", "🙂")), "Client was quiet.")[1] == []


@pytest.mark.parametrize("turns", [(), (("client", ""),)])
def test_an_empty_session_or_note_is_no_error(turns: tuple[tuple[str, str], ...]) -> None:
    assert omissions(turns)[1] == []


def test_cancelling_stops() -> None:
    cancel = threading.Event()
    cancel.set()
    case = Case(make_transcript(TALK), make_note())
    lexicon, embedder = load_lexicon(paths.resources() / "lexicons" / "claims.json"), FakeEmbedder()
    session = index_session(case.transcript, embedder, lexicon)
    with pytest.raises(Cancelled):
        list(find_omissions(case, embedder, session, lexicon, cancel))
