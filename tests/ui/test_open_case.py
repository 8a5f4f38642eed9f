"""The case on the desk, without its window."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.decisions import Decision, DecisionKind, link_reason, sentence_subject
from noteeval_desktop.ui.case.open_case import OpenCase
from tests.factories import make_transcript
from tests.sample_evaluation import sample_evaluation, sample_rubric

WHEN = datetime(2026, 1, 2, 3, 4)
NOTE = parse_note("Plan:\nRest 🙂.\n")


def opened() -> OpenCase:
    case = OpenCase(sample_rubric())
    case.put_transcript(make_transcript(), Path("session.vtt"))
    case.put_note(NOTE, Path("note.md"))
    return case


def test_save_writes_to_the_file_that_the_note_comes_from_or_the_drafts() -> None:
    case = opened()
    assert (case.note_path, case.note_on_file) == (Path("note.md"), (Path("note.md"), NOTE.text))
    case.put_note(NOTE, NOTE.text)
    assert (case.note_path, case.note_on_file) == (None, None)
    case.put_note(NOTE, NOTE.text, (Path("older.md"), "Plan:\nSleep."))
    assert (case.note_path, case.note_on_file) == (Path("older.md"), (Path("older.md"), "Plan:\nSleep."))


def test_a_session_is_changed_where_no_file_says_the_same() -> None:
    case = opened()
    assert (case.session_changed, case.session_file) == (False, Path("session.vtt"))
    case.transcript = make_transcript().with_speaker_renamed("Client", "Ms K.")
    assert (case.session_changed, case.session_file) == (True, None)
    case.put_transcript(make_transcript(), "Client: pasted")
    assert (case.session_changed, case.session_file) == (True, None)


def test_what_was_decided_of_one_note_is_nothing_of_the_next_but_a_draft_brings_its_own() -> None:
    case, decision = opened(), Decision(DecisionKind.DISMISS, "missing:plan-goals", "Not now.", WHEN)
    case.put_decisions({decision.subject: decision})
    case.put_note(NOTE, NOTE.text)
    assert case.decisions == {}
    case.put_note(NOTE, NOTE.text, decisions=(decision,))
    assert case.set_aside == {"missing:plan-goals": "Not now."}


def test_a_link_waits_for_its_sentence_unless_it_was_taken_back() -> None:
    judged = sample_evaluation()
    sentence = judged.case.note.sentences[0].text
    link = Decision(DecisionKind.DISMISS, "risk:x", link_reason(sentence), WHEN)
    without = replace(judged, case=replace(judged.case, note=NOTE), sentences=())
    case = opened()
    for taken_back in (False, True):
        case.put_decisions({"risk:x": link})
        case.put_judged(without)
        assert case.decisions == {}
        if taken_back:
            case.put_decisions({}, gone=("risk:x",))
        case.put_judged(judged)
        assert case.decisions == ({} if taken_back else {"risk:x": link})


def test_no_doubt_is_raised_about_words_that_the_program_put_in() -> None:
    judged, case = sample_evaluation(), opened()
    (wrong,) = [one.sentence.text for one in judged.sentences if "drinking four times" in one.sentence.text]
    case.took(f"And so: {wrong}")
    case.put_judged(judged)
    assert [(one.subject, one.reason) for one in case.decisions.values()] == [
        (sentence_subject("contradicted", wrong), "Put in from the session")
    ]


def test_nothing_is_left_of_a_case_that_was_closed() -> None:
    case = opened()
    case.label, case.everywhere = "K. M.", {"unneeded": "2026-01-02"}
    case.put_judged(sample_evaluation())
    assert case.findings()
    case.clear()
    assert (case.ready, case.label, case.note_path, case.evaluation, case.findings()) == (False, "", None, None, ())
    assert case.everywhere, "it is of no case"
