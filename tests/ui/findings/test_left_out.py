"""What the note leaves out: by kind, the gravest first, with where it would belong."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.ui.findings.left_out import left_out_rows
from tests.factories import make_case, make_transcript


def rows_of(rubric, *omissions: Omission):
    case = make_case()
    made = Evaluation(case, JudgeIdentity("scripted", "", "1"), (), (), score((), ()), omissions=omissions)
    return left_out_rows(made, rubric)


def omission(turn: int, kind: OmissionKind, severity: Severity, item: str | None) -> Omission:
    return Omission(cite(make_case().transcript.turns[turn]), kind, severity, item, "No sentence says this.")


def test_kinds_are_ordered_by_their_gravest_passage_and_passages_by_severity(rubric) -> None:
    rows = rows_of(
        rubric,
        omission(5, OmissionKind.GOAL, Severity.LOW, "subjective-goals"),
        omission(1, OmissionKind.SUBSTANCE, Severity.LOW, "subjective-symptoms"),
        omission(3, OmissionKind.SUBSTANCE, Severity.HIGH, "subjective-symptoms"),
    )
    assert [row.title.split()[0] for row in rows] == ["Substance", "4", "2", "Goal", "6"]
    assert [row.aside for row in rows] == ["2", "Important", "Minor", "1", "Minor"]


def test_a_row_says_where_it_would_belong(rubric) -> None:
    row = rows_of(rubric, omission(4, OmissionKind.HOMEWORK, Severity.LOW, "plan-homework"))[1]
    assert row.detail.startswith("Plan · ")
    assert row.finding.why.endswith(f"Would belong under {row.detail}.")


def test_an_omission_without_an_item_still_has_its_row(rubric) -> None:
    row = rows_of(rubric, omission(4, OmissionKind.PLAN, Severity.LOW, None))[1]
    assert row.detail == ""
    assert row.citations[0].turn == 4


def test_a_short_answer_is_read_with_its_question_and_the_other_turns_are_named(rubric) -> None:
    turns = (
        ("therapist", "Do you think about ending your life?"),
        ("client", "Sometimes."),
        ("client", "It comes at night, mostly."),
    )
    case = Case(make_transcript(turns), make_case().note)
    cited = [cite(turn) for turn in case.transcript.turns]
    pair = Omission(cited[1], OmissionKind.SYMPTOM, Severity.MEDIUM, "subjective-symptoms", "", (cited[0], cited[2]))
    made = Evaluation(case, JudgeIdentity("scripted", "", "1"), (), (), score((), ()), omissions=(pair,))
    row = left_out_rows(made, rubric)[1]
    assert row.title == "2  “Do you think about ending your life?” – “Sometimes.”"
    assert row.detail.endswith("also turn 3")
    assert [citation.turn for citation in row.citations] == [1, 0, 2]
    assert "turns 1 to 3" in row.finding.what


def test_a_draft_goes_to_the_end_of_its_section_and_undo_takes_it_away(opened, judge, qtbot) -> None:
    def omit(case, claims, cancel):
        yield Omission(cite(case.transcript.turns[1]), OmissionKind.SUBSTANCE, Severity.LOW, "subjective-symptoms")

    judge.omit = omit
    editor = opened.workspace.editor
    with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
        editor.insertPlainText(" ")
    before = editor.note_text()
    opened.workspace.show_finding("omission:substance:1:0")
    card = opened.workspace.findings.card
    next(b for b in card.findChildren(QPushButton) if b.text() == "Insert draft").click()
    after = editor.note_text()
    assert after.index("(turn 2).") < after.index("Objective:")
    editor.undo()
    assert editor.note_text() == before
