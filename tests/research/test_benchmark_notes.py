from __future__ import annotations

import threading

import pytest

from tests.scripted_judge import ScriptedJudge

pytest.importorskip("sklearn")

from models.training.clinicians import labelled_sets
from noteeval_desktop import cli
from noteeval_desktop.domain.verdicts import Confidence, ItemVerdict, NeedVerdict
from noteeval_desktop.research.benchmark_notes import run_checklist, run_need

SESSION = """@session a90-01
@setting office visit
@speakers C client Ana | T therapist
# transcript
1 C: I slept badly. I'm not thinking of dying.
# note A SOAP prose
== Subjective
t 1 | s-symptoms | Slept badly.
t 1 | g-safety | Denies suicidal thoughts.
t 1 | - | It rained on the way in.
== Plan
t 1 | p-homework | Will keep a sleep diary.
arguable s-goals
"""


class Scripted(ScriptedJudge):
    """Calls the sentences in ``struck`` unneeded, only the items in ``found`` present, and is ``confident`` or not."""

    def __init__(self, struck: set[str], found: set[str], confident: bool = True) -> None:
        super().__init__()
        self.struck, self.found = struck, found
        self.confidence = Confidence.SURE if confident else Confidence.UNSURE

    def need(self, case, _cancel):
        return (NeedVerdict(one.id, one.text not in self.struck) for one in case.note.sentences)

    def cover(self, case, _cancel):
        asked = {"subjective-symptoms": "s", "subjective-goals": "s", "plan-homework": "p", "plan-follow-up": "p"}
        sections = {one.section.value[0]: one.section for one in case.note.sentences}
        for item, section in asked.items():
            yield ItemVerdict(item, sections[section], None, item in self.found, confidence=self.confidence)
        yield ItemVerdict("general-safety", None, None, "general-safety" in self.found)


@pytest.fixture
def notes(tmp_path):
    (tmp_path / "01.txt").write_text(SESSION, encoding="utf-8")
    return labelled_sets(tmp_path)


def test_need_counts_clinical_sentences_apart_from_what_could_be_struck_out(notes):
    result = run_need(
        notes, Scripted({"It rained on the way in.", "Will keep a sleep diary."}, set()), threading.Event()
    )
    assert (result["fillers_found"]["share"], result["fillers_found"]["of"]) == (1.0, 1)
    assert (result["clinical_called_unneeded"]["share"], result["clinical_called_unneeded"]["of"]) == (1 / 3, 3)
    assert result["clinical_by_kind"]["risk"]["share"] == 0.0
    assert result["fillers_found"]["interval"] is None  # of one author


def test_a_checklist_is_counted_without_what_is_arguable(notes):
    result = run_checklist(
        notes, Scripted(set(), {"subjective-symptoms", "plan-follow-up", "general-safety"}), threading.Event()
    )
    assert (result["present_called_missing"]["share"], result["present_called_missing"]["of"]) == (0.5, 2)
    assert (result["absent_called_present"]["share"], result["absent_called_present"]["of"]) == (1.0, 1)
    assert result["safety_called_missing"]["share"] == 0.0


@pytest.mark.parametrize(("confident", "missing", "not_recognised"), [(True, 0.5, 0.0), (False, 0.0, 0.5)])
def test_a_checklist_counts_what_the_window_shows(notes, confident, missing, not_recognised):
    result = run_checklist(
        notes, Scripted(set(), {"subjective-symptoms", "general-safety"}, confident), threading.Event()
    )
    assert result["present_shown_missing"]["share"] == missing
    assert result["present_shown_not_recognised"]["share"] == not_recognised
    assert result["absent_shown_missing"]["share"] == float(confident)


def test_a_folder_without_labelled_sessions_is_said_so(tmp_path, capsys):
    assert cli.main(["benchmark", "need", "--data", str(tmp_path)]) == 2
    assert "holds no labelled sessions" in capsys.readouterr().err
