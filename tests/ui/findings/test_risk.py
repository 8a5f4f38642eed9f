"""The risk ledger in the window: what is open is loud, what is answered or decided steps back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.decisions import DecisionKind, decision_stands, link_reason
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, JudgeIdentity
from noteeval_desktop.domain.findings import FindingKind, OpenRisk, open_risk, ranked_findings
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.finding import findings_of
from noteeval_desktop.present.risks import ledger
from noteeval_desktop.ui.editor.drafting import place_for_draft
from noteeval_desktop.ui.findings.card import ChooseSentence
from noteeval_desktop.ui.findings.omission_draft import draft
from noteeval_desktop.ui.findings.risk import (
    risk_rows,
)
from noteeval_desktop.ui.widgets.parts import MenuButton
from noteeval_desktop.ui.widgets.words import TABS
from tests.factories import make_case

CHECKLIST, SENTENCES, LEFT_OUT = (TABS.index(name) for name in ("Checklist", "Sentences", "Left out"))


def risk(case, turns=(2, 3), stance=Stance.DENIED, kind=RiskKind.SUICIDE, **changes) -> RiskFinding:
    return RiskFinding(turns, cite(case.transcript.turns[turns[-1]]), kind, stance, **changes)


def counted_of(evaluation: Evaluation) -> OpenRisk:
    return open_risk(evaluation, ranked_findings(evaluation))


def evaluation_of(*risks: RiskFinding, omissions=()) -> Evaluation:
    case = make_case()
    sentences = tuple(JudgedSentence(sentence) for sentence in case.note.sentences)
    return Evaluation(
        case, JudgeIdentity("scripted", "", "1"), (), sentences, score((), sentences), omissions=omissions, risks=risks
    )


@pytest.mark.parametrize(
    ("stance", "turns", "words"),
    [
        (Stance.CURRENT, (1,), "Suicide (now)"),
        (Stance.PAST, (1,), "Suicide (in the past)"),
        (Stance.OTHER_PERSON, (1,), "Suicide (about someone else)"),
        (Stance.DENIED, (2, 3), "Suicide (denied)"),
        (Stance.DENIED, (3,), "Suicide (denied)"),
        (Stance.ASKED, (2,), "Suicide (asked, not clearly answered)"),
    ],
)
def test_a_row_says_the_kind_and_the_stance_in_words(rubric, stance, turns, words) -> None:
    evaluation = evaluation_of(risk(make_case(), turns, stance))
    heading, row = risk_rows(ledger(evaluation, rubric, {}), {})
    assert (heading.title, heading.aside) == ("Risk", "1 mention not addressed")
    assert row.title == words
    assert row.sign == "⚠"


def test_the_heading_counts_what_is_warned_of_apart_from_what_may_only_be_close(rubric) -> None:
    case = make_case()
    near = [risk(case, (turn,), Stance.CURRENT, by_meaning=True) for turn in (1, 3)]
    evaluation = evaluation_of(risk(case), *near)
    heading, *rows = risk_rows(ledger(evaluation, rubric, {}), {})
    assert counted_of(evaluation).missing == 1
    assert heading.aside == "1 mention not addressed · 2 possible"
    assert [(row.sign, row.aside) for row in rows] == [("⚠", "not addressed"), ("?", "please check")]
    assert rows[1].finding.what.startswith("Possible mention of suicide (now): turns 2 and 4 are")


def test_a_question_and_its_answer_are_quoted_in_the_order_in_which_they_were_said(rubric) -> None:
    evaluation = evaluation_of(risk(make_case()))
    row = risk_rows(ledger(evaluation, rubric, {}), {})[1]
    assert [citation.turn for citation in row.citations] == [2, 3]
    assert "ending your life" in row.detail
    assert "Not since the spring" in row.detail


def test_an_addressed_risk_points_at_its_sentence_and_is_no_finding(rubric) -> None:
    evaluation = evaluation_of(risk(make_case(), addressed_by=("s2",)))
    row = risk_rows(ledger(evaluation, rubric, {}), {})[1]
    assert row.sign == "✓"
    assert row.spans == (evaluation.sentences[1].sentence.span,)
    assert findings_of(evaluation, rubric) == ()
    assert counted_of(evaluation).count == 0


def test_what_is_said_to_be_present_stands_first(rubric) -> None:
    case = make_case()
    evaluation = evaluation_of(
        risk(case, (3,), Stance.DENIED),
        risk(case, (1,), Stance.CURRENT, RiskKind.ABUSE),
        risk(case, (5,), Stance.PAST, RiskKind.SELF_HARM),
    )
    titles = [row.title for row in risk_rows(ledger(evaluation, rubric, {}), {})[1:]]
    assert titles == ["Abuse (now)", "Self-harm (in the past)", "Suicide (denied)"]


def test_what_is_warned_of_in_red_stands_before_what_may_only_be_close(rubric) -> None:
    case = make_case()
    close = risk(case, (1,), Stance.CURRENT, RiskKind.ABUSE, by_meaning=True)
    found = ledger(evaluation_of(close, risk(case, (3,), Stance.DENIED)), rubric, {})
    assert [row.sign for row in risk_rows(found, {})[1:]] == ["⚠", "?"]


def test_what_only_comes_close_in_meaning_is_listed_without_alarm(rubric) -> None:
    evaluation = evaluation_of(risk(make_case(), (1,), Stance.OTHER_PERSON, by_meaning=True))
    found = ledger(evaluation, rubric, {})
    assert [row.sign for row in risk_rows(found, {})[1:]] == ["?"]
    assert (counted_of(evaluation).count, counted_of(evaluation).possible) == (0, 1)


def test_the_card_does_not_say_its_title_twice(rubric) -> None:
    case = make_case()
    plain = ledger(evaluation_of(risk(case, (1,), Stance.CURRENT)), rubric, {}).open[0]
    assert (plain.what, plain.why) == ("Suicide (now): turn 2 is not found in the note.", "")
    close = ledger(evaluation_of(risk(case, (1,), Stance.CURRENT, by_meaning=True)), rubric, {}).open[0]
    assert close.why == "Flagged by similarity only; read the quote."


def test_what_is_likely_by_its_meaning_is_warned_of_in_red(rubric) -> None:
    case = make_case()
    close = replace(risk(case, (1,), Stance.CURRENT), by_meaning=True, likely=True)
    found = ledger(evaluation_of(close), rubric, {})
    assert (found.alarming, found.unclear) == (1, 0)
    assert found.open[0].what.startswith("Likely mention of suicide (now)")
    assert close.wording == "likely mention of suicide"


def test_a_judges_omission_that_the_ledger_holds_is_not_counted_twice(rubric) -> None:
    turns = make_case().transcript.turns
    omissions = (
        Omission(cite(turns[3]), OmissionKind.RISK, Severity.HIGH, "general-safety"),
        Omission(cite(turns[5]), OmissionKind.RISK, Severity.HIGH, "general-safety"),
    )
    evaluation = evaluation_of(risk(make_case()), omissions=omissions)
    findings = findings_of(evaluation, rubric)
    assert sorted(finding.citations[-1].turn for finding in findings) == [3, 5]
    assert counted_of(evaluation).missing == 2


def test_a_link_holds_while_its_sentence_stands_in_the_note() -> None:
    note = make_case().note
    assert decision_stands(link_reason(note.sentences[0].text), note)
    assert not decision_stands(link_reason("“Safe.” 🙂 He said so."), note)
    assert decision_stands("Dismissed: not relevant here.", note)


@pytest.fixture
def dangerous(make_window, judge, qtbot):
    """A window whose session holds one danger that the note does not address."""
    from tests.ui_texts import NOTE, SESSION

    def risks(case, cancel):
        addressed = tuple(s.id for s in case.note.sentences if "ideation" in s.text)
        turns = case.transcript.turns
        yield RiskFinding((2, 3), cite(turns[3]), RiskKind.SUICIDE, Stance.CURRENT, addressed_by=addressed)

    judge.risks = risks
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    return window


def test_the_banner_says_it_in_words_and_with_a_sign(dangerous) -> None:
    banner = dangerous.risk_banner
    assert banner.isVisible()
    assert "1 mention of risk in the session is not found in the note." in banner.text
    assert "⚠" in [label.text() for label in banner.findChildren(QLabel)]
    assert dangerous.glance_row.buttons[3].accessibleName() == "1 risk missing"


def test_the_banner_leads_to_the_card_and_the_turns(dangerous) -> None:
    dangerous.risk_banner.button.click()
    assert dangerous.workspace.findings.tabs.currentIndex() == 0
    assert dangerous.workspace.transcript.model.cited_turns() == (2, 3)
    said = [label.text() for label in dangerous.workspace.findings.card.findChildren(QLabel)]
    assert "Suicide (now): turns 3 and 4 are not found in the note." in said


def test_the_checklist_says_that_safety_is_open(dangerous) -> None:
    rows = dangerous.workspace.findings.lists[CHECKLIST].rows.rows
    assert next(row.aside for row in rows if row.title == "Safety assessed and addressed") == "1 risk not addressed"


def test_dismissing_with_a_reason_takes_the_banner_away_and_bringing_back_restores_it(dangerous) -> None:
    dangerous.risk_banner.button.click()
    card = dangerous.workspace.findings.card
    dismiss = next(b for b in card.findChildren(MenuButton) if b.text().startswith("Dismiss"))
    dismiss.menu().actions()[1].trigger()
    assert dangerous.risk_banner.text == ""
    assert dangerous.glance_row.buttons[3].accessibleName() == "Risk: 1 dismissed by you"
    dangerous.workspace.findings.more_button.click()
    answered = dangerous.workspace.findings.lists[0].rows.rows[-1]
    assert answered.aside == "Dismissed by you"
    # Nothing in the note speaks of safety: that is still to be looked at.
    assert "missing:general-safety" in [row.key for row in dangerous.workspace.findings.lists[0].rows.rows]
    card.restored.emit(answered.key)
    assert dangerous.risk_banner.isVisible()


def test_a_link_to_a_sentence_answers_a_risk_until_the_sentence_goes(dangerous, qtbot) -> None:
    dangerous.risk_banner.button.click()
    card = dangerous.workspace.findings.card
    next(b for b in card.findChildren(QPushButton) if b.text().startswith("Link")).click()
    asks = card.findChild(ChooseSentence)
    assert not asks.go.isEnabled()
    asks.search.setText("ORIENTED")
    assert [n for n in range(asks.list.count()) if not asks.list.item(n).isHidden()] == [asks.list.currentRow()]
    asks.go.click()
    assert dangerous.risk_banner.text == ""
    rows = dangerous.workspace.findings.lists[LEFT_OUT].rows.rows
    assert "Linked by you" in [row.aside for row in rows]
    checklist = dangerous.workspace.findings.lists[CHECKLIST].rows.rows
    assert next(row.aside for row in checklist if row.title == "Safety assessed and addressed") == "Linked by you"
    assert dangerous.glance_row.buttons[3].accessibleName() == "Risk: 1 linked by you"
    editor = dangerous.workspace.editor
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        editor.setPlainText(editor.note_text().replace("Calm and oriented x3.", "Calm."))
    assert dangerous.risk_banner.isVisible()


def test_a_drafted_sentence_goes_under_assessment_with_the_clients_words(dangerous) -> None:
    dangerous.risk_banner.button.click()
    card = dangerous.workspace.findings.card
    next(b for b in card.findChildren(QPushButton) if b.text() == "Insert draft").click()
    text = dangerous.workspace.editor.note_text()
    assert "Assessment:\nRisk (suicide, now): “Sometimes. I would never act on it.” (turn 4)" in text
    assert dangerous.workspace.editor.textCursor().selectedText() == "[finish this sentence]"


def test_a_draft_on_risk_is_a_sentence_of_its_own_and_takes_in_no_other(dangerous) -> None:
    case = dangerous.session.evaluation.case
    said = next(draft(one, case) for one in dangerous.session.findings() if one.can_link)
    note = parse_note(f"Assessment: Stable. {said} Denies suicidal ideation.")
    assert [sentence.text for sentence in note.sentences] == ["Stable.", said, "Denies suicidal ideation."]


def _judged(window) -> int:
    """How much is found against the session; that a draft is to be finished is remarked on besides."""
    return sum(one.kind is not FindingKind.REMARK for one in window.session.findings())


def test_inserting_a_draft_raises_no_new_suggestion_on_risk(dangerous, qtbot) -> None:
    before = _judged(dangerous)
    dangerous.risk_banner.button.click()
    card = dangerous.workspace.findings.card
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        next(b for b in card.findChildren(QPushButton) if b.text() == "Insert draft").click()
    assert _judged(dangerous) <= before


def test_a_draft_on_risk_does_not_follow_its_own_denial() -> None:
    text = "Subjective: Sleeps 🙂.\nAssessment: Panic disorder. Denied suicidal ideation."
    offset, said = place_for_draft(text, parse_note(text), Section.ASSESSMENT, "Risk: x.", SAFETY_ITEM)
    assert text[:offset] + said + text[offset:] == text.replace("Denied", "Risk: x. Denied")


def test_mentions_of_one_danger_are_one_entry_decided_at_once(dangerous, judge, qtbot) -> None:
    def risks(case, cancel):
        turns = case.transcript.turns
        # The talk around it is long; the two turns that say it are named.
        yield RiskFinding(tuple(range(4)), cite(turns[1]), RiskKind.SUICIDE, Stance.CURRENT)
        yield RiskFinding((3,), cite(turns[3]), RiskKind.SUICIDE, Stance.CURRENT)
        yield RiskFinding((2,), cite(turns[2]), RiskKind.SUICIDE, Stance.ASKED)

    judge.risks = risks
    rewrite(dangerous, qtbot, "Calm and oriented x3.", "Calm.")
    rows = [row for row in dangerous.workspace.findings.lists[0].rows.rows if row.finding and row.finding.is_risk]
    assert [row.title.split(":")[0] for row in rows] == ["Suicide (now)", "Suicide (asked, not clearly answered)"]
    assert rows[0].title == "Suicide (now): turns 2 and 4 are not found in the note."
    assert [citation.turn for citation in rows[0].citations] == [1, 3]
    drafted = draft(rows[0].finding, dangerous.session.evaluation.case)
    assert all(f"“{one.quote}” (turn {one.turn + 1})" in drafted for one in rows[0].citations)
    assert "3 mentions of risk" in dangerous.risk_banner.text
    card = dangerous.workspace.findings.card
    card.dismissed.emit(rows[0].key, "Not relevant here")
    assert "1 mention of risk" in dangerous.risk_banner.text
    assert len(dangerous.session.decisions) == 2
    left_out = [row.title for row in dangerous.workspace.findings.lists[LEFT_OUT].rows.rows]
    assert left_out.count("Suicide (now)") == 1
    card.restored.emit(rows[0].key)
    assert not dangerous.session.decisions


def test_the_note_that_addresses_it_silences_the_banner(dangerous, qtbot) -> None:
    editor = dangerous.workspace.editor
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        editor.setPlainText(editor.note_text() + "\nAssessment:\nPassive ideation, no plan.")
    assert dangerous.risk_banner.text == ""
    dangerous.workspace.findings.show_tab(LEFT_OUT)
    rows = dangerous.workspace.findings.lists[LEFT_OUT].rows.rows
    assert [(row.title, row.aside) for row in rows[:2]] == [
        ("Risk", "all addressed or dismissed"),
        ("Suicide (now)", "in the note"),
    ]


def test_no_filter_hides_a_risk(dangerous) -> None:
    dangerous.workspace.findings._show_from(Severity.HIGH)
    for action in dangerous.workspace.findings.filter_menu.actions():
        if action.isCheckable():
            action.setChecked(False)
    assert [row.title for row in dangerous.workspace.findings.lists[LEFT_OUT].rows.rows] == ["Risk", "Suicide (now)"]


def rewrite(window, qtbot, old: str, new: str) -> None:
    editor = window.workspace.editor
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        editor.setPlainText(editor.note_text().replace(old, new))


def test_a_statement_that_the_session_contradicts_answers_no_risk_and_is_named_while_it_stands(dangerous, qtbot):
    wrong = "Denied suicidal ideation four times."
    rewrite(dangerous, qtbot, "Calm and oriented x3.", wrong)
    assert "1 mention of risk in the session is not found in the note" in dangerous.risk_banner.text
    assert wrong in dangerous.risk_banner.text
    assert dangerous.glance_row.buttons[3].accessibleName() == "1 risk missing · 1 to verify"
    # Another sentence answers the risk: the wrong one still stands in the note.
    rewrite(dangerous, qtbot, wrong, f"{wrong} Passive ideation, safety plan made.")
    assert "not found in the note" not in dangerous.risk_banner.text
    assert wrong in dangerous.risk_banner.text
    assert dangerous.glance_row.buttons[3].accessibleName() == "1 risk to verify"
    dangerous.risk_banner.button.click()
    assert dangerous.workspace.findings.card._row.finding.kind is FindingKind.CONTRADICTED
    rewrite(dangerous, qtbot, f"{wrong} ", "")
    assert dangerous.risk_banner.text == ""


@pytest.mark.parametrize("stance", [Stance.CURRENT, Stance.DENIED])
def test_what_the_clinician_stands_by_answers_the_risk(dangerous, judge, qtbot, stance):
    told = judge.risks
    judge.risks = lambda case, cancel: (replace(one, stance=stance) for one in told(case, cancel))
    rewrite(dangerous, qtbot, "Calm and oriented x3.", "Denied suicidal ideation four times.")
    note = dangerous.session.evaluation.case.note.text
    contradicted = [f for f in dangerous.session.findings() if f.kind is FindingKind.CONTRADICTED]
    wrong = next(f for f in contradicted if "ideation" in f.span.of(note))
    safety, pane = "Safety assessed and addressed", dangerous.workspace.findings

    def shown() -> tuple[str, str, str]:
        """Of the item on safety, of the sentence, and of the risk."""
        checklist, sentences, risks = (pane.lists[tab].rows.rows for tab in (CHECKLIST, SENTENCES, LEFT_OUT))
        sentence = next(row for row in sentences if row.title.startswith("Denied suicidal"))
        return next(row.sign for row in checklist if row.title == safety), sentence.detail, risks[1].aside

    assert shown() == ("⚠", "Matches no checklist item", "not addressed")
    dangerous.session.decide(DecisionKind.DISMISS, wrong.key, "Correct as written")
    assert dangerous.risk_banner.text == ""
    assert not [f for f in dangerous.session.findings() if f.is_risk and f.key.startswith("risk:")]
    assert shown() == ("✓", safety, "in the note")
    assert dangerous.glance_row.buttons[3].accessibleName() == "Risk: 1 in the note"
    card = scorecard(dangerous.session.judged, pane._rubric, dangerous.session.decisions_for_export)
    rows = {row.name: row.state for _, rows in card.checklist for row in rows}
    assert (rows[safety], card.risk) == ("covered", "1 mention of risk in the session; none left to address.")
    assert "outside" not in card.statements[0].detail
    dangerous.session.bring_back(wrong.key)
    assert shown() == ("⚠", "Matches no checklist item", "not addressed")


def test_an_inserted_draft_answers_nothing_until_it_is_finished(dangerous, judge, qtbot):
    turn = 3

    def risks(case, cancel):
        told = tuple(s.id for s in case.note.sentences if "suicide" in s.text.lower())
        yield RiskFinding(
            (turn,), cite(case.transcript.turns[turn]), RiskKind.SUICIDE, Stance.CURRENT, addressed_by=told
        )

    judge.risks = risks
    dangerous.risk_banner.button.click()
    card = dangerous.workspace.findings.card
    with qtbot.waitSignal(dangerous.session.evaluation_finished, timeout=10_000):
        next(b for b in card.findChildren(QPushButton) if b.text() == "Insert draft").click()
    assert "not found in the note" in dangerous.risk_banner.text
    rewrite(dangerous, qtbot, "[finish this sentence]", "No intent; safety plan made.")
    assert dangerous.risk_banner.text == ""


def test_what_may_address_a_risk_is_confirmed_with_one_click_and_stays_open_until_then(
    make_window, judge, qtbot
) -> None:
    from tests.ui_texts import NOTE, SESSION

    def risks(case, cancel):
        near = tuple(s.id for s in case.note.sentences if "oriented" in s.text)
        yield RiskFinding((2, 3), cite(case.transcript.turns[3]), RiskKind.SUICIDE, Stance.CURRENT, near=near)

    judge.risks = risks
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert "is not found in the note" in window.risk_banner.text
    assert scorecard(window.session.evaluation, window.workspace.findings._rubric).dangers[0].open
    window.risk_banner.button.click()
    card = window.workspace.findings.card
    said = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "May be addressed by: “Calm and oriented x3.” Please check." in said
    next(b for b in card.findChildren(QPushButton) if b.text() == "Yes, it does").click()
    assert window.risk_banner.text == ""
    assert window.glance_row.buttons[3].accessibleName() == "Risk: 1 linked by you"
