"""What was not checked is said so, plainly, and never looks as if all were well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.evaluation import DimensionScore, FaithfulnessScore
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.present.finding import how_sure, probability
from noteeval_desktop.present.problems import incomplete
from noteeval_desktop.present.scores import covered, needed, supported
from noteeval_desktop.ui.findings.glance_row import explain_completeness, explain_conciseness
from noteeval_desktop.ui.widgets.words import TABS
from tests.sample_evaluation import sample_evaluation
from tests.ui_texts import NOTE, SESSION

FOREIGN = (
    "risks: The session does not read as English; dangers in it were not looked for.",
    "checklist: 26 of 26 could not be judged: The note is not in English; the built-in judge reads English only.",
    "sentences: 6 of 7 could not be judged: The note is not in English; the built-in judge reads English only.",
    "claims: 6 of 6 could not be judged: The note does not read as English; it cannot be judged.",
)


@pytest.mark.parametrize(
    ("problems", "said"),
    [
        (
            FOREIGN,
            "Not checked: risk, the checklist, 6 of 7 sentences, statements. The built-in judge reads English only.",
        ),
        (
            ("claims: The model stopped.", "sentences: 2 of 9 could not be judged: The model stopped."),
            "The check did not finish. Not checked: statements, 2 of 9 sentences. The model stopped.",
        ),
        (
            ("checklist: 8 of 26 could not be judged: Not found in English.",),
            "Not checked: 8 of 26 checklist items. The built-in judge reads English only.",
        ),
        (("The disk is full.",), "The check did not finish. The disk is full."),
    ],
)
def test_each_part_and_each_reason_is_said_once(problems: tuple[str, ...], said: str) -> None:
    evaluation = sample_evaluation()
    judge = replace(evaluation.judge, kind="builtin")
    assert incomplete(replace(evaluation, judge=judge, problems=problems)) == said


def test_a_note_of_observations_only_has_no_claim_to_compare() -> None:
    assert supported(FaithfulnessScore(0, 0, (), observed=2)) == "No statements to compare"
    assert supported(FaithfulnessScore(0, 0, ())) == "Statements: not checked"
    assert supported(FaithfulnessScore(6, 11, (), barely=4)) == "2 to 6 of 11 statements supported"


@pytest.mark.parametrize(
    ("say", "score", "said"),
    [
        (covered, DimensionScore(3, 23, (), unjudged=8), "3 of 23 covered · 8 not checked"),
        (covered, DimensionScore(3, 23, ()), "3 of 23 covered"),
        (needed, DimensionScore(1, 4, (), unjudged=1), "25 % of sentences needed · 1 not checked"),
        (
            supported,
            FaithfulnessScore(2, 3, (), unjudged=2),
            "2 of 3 statements supported · 2 not checked",
        ),
    ],
)
def test_each_statement_says_how_many_were_not_checked(say, score, said) -> None:
    assert say(score) == said


def test_the_explanation_says_what_unchecked_items_count_as() -> None:
    assert "8 could not be checked and count as not covered." in explain_completeness(
        DimensionScore(3, 23, (), unjudged=8)
    )
    said = explain_conciseness(DimensionScore(1, 4, (), unjudged=1), 1)
    assert "1 could not be checked and counts as not needed." in said
    assert "Of the other 2, 1 may be cut." in said
    assert "may be cut" not in explain_conciseness(DimensionScore(4, 4, ()), 0)


def test_a_check_that_could_not_find_anything_does_not_say_that_nothing_is_to_mend(window, judge, qtbot) -> None:
    def fail(*_):
        raise JudgeError("The model stopped.")

    judge.cover = judge.need = judge.support = judge.omit = judge.risk = fail
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    assert "The model stopped." in window.banner.text
    assert window.status._place.text() == ""
    assert (
        "Nothing was found that the note leaves out"
        not in window.workspace.findings._empty[TABS.index("Left out")].text()
    )


def test_it_is_said_once_while_typing_and_goes_when_all_is_judged(opened, judge, qtbot) -> None:
    def fail(*_):
        raise JudgeError("The model stopped.")

    working, judge.need = judge.need, fail

    def type_on(text: str) -> None:
        with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
            opened.workspace.editor.insertPlainText(text)

    type_on("One. ")
    assert "The model stopped." in opened.banner.text
    opened.banner.hide()
    type_on("Two. ")
    assert opened.banner.text == ""
    opened.banner.show()
    judge.need = working
    type_on("Three. ")
    assert opened.banner.text == ""


def test_what_was_found_goes_with_the_last_word_of_the_note_and_comes_back_with_it(opened, qtbot) -> None:
    editor = opened.workspace.editor
    editor.selectAll()
    editor.insertPlainText("")
    qtbot.waitUntil(lambda: opened.session.evaluation is None, timeout=5_000)
    assert not opened.glance_row.isVisible()
    assert not opened.commands["export_pdf"].isEnabled()
    with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
        editor.undo()
    assert opened.session.all_findings


def test_a_check_of_an_empty_note_says_why_there_is_none(window, qtbot) -> None:
    window.files.open_note("")
    window.files.open_transcript(SESSION)
    qtbot.waitUntil(lambda: window.session.ready)
    window.commands["recheck"].trigger()
    assert window.banner.text.startswith("There is no note yet.")


def test_the_next_case_does_not_show_when_the_last_was_checked(opened, qtbot) -> None:
    assert "Checked in" in opened.status.text
    opened.status.show_draft("draft saved 14:02")
    opened.opening.close_case()
    assert opened.status.text == ""


def test_a_model_that_tells_no_probability_is_not_given_one():
    claim = ClaimVerdict("s1", Verdict.UNSUPPORTED)
    assert how_sure(claim.confidence, True) == "Confidence: not known"
    assert probability(claim) == "The model gave no probability for this."
    told = replace(claim, probability=0.2, confidence=Confidence.LIKELY)
    assert how_sure(told.confidence, True) == "Confidence: medium"
    assert probability(told).endswith("20 %")
    assert how_sure(None) == ""
