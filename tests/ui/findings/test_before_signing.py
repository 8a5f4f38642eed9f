"""The first tab: what to look at before signing; mending in one click; what is flagged no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from noteeval_desktop.domain.decisions import sentence_subject
from noteeval_desktop.domain.findings import FindingKind, ItemState
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, NeedVerdict, Severity, Verdict
from noteeval_desktop.present.finding import Finding, Passage, findings_of
from noteeval_desktop.present.vocabulary import ITEM_STATES, VERDICT_NAMES
from noteeval_desktop.ui.findings.mending import mends, removal
from noteeval_desktop.ui.findings.pane import first_rows
from noteeval_desktop.ui.findings.rows import claim_rows, sentence_rows
from noteeval_desktop.ui.widgets.parts import MenuButton
from noteeval_desktop.ui.widgets.words import TABS
from tests.domain.test_findings import evaluation_of, item, wrong
from tests.sample_evaluation import sample_evaluation
from tests.ui_steps import wait_idle
from tests.ui_texts import NOTE

CONTRADICTED = sentence_subject("contradicted", "Client drinks four times a week.")


def rows(window) -> list[str]:
    return [row.key for row in window.workspace.findings.lists[0].rows.rows if row.key]


def test_a_case_opens_on_what_to_look_at_before_signing_and_the_rest_is_one_click_away(opened) -> None:
    pane = opened.workspace.findings
    assert TABS[pane.tabs.currentIndex()] == "Before you sign"
    headings = [row.title for row in pane.lists[0].rows.rows if row.heading]
    assert headings == ["Risk", "The rest of the note"]
    assert rows(opened)[0].startswith("omission:risk")
    assert len(rows(opened)) == 3
    assert pane.more_button.text() == "Show 2 more suggestions"
    pane.more_button.click()
    assert len(rows(opened)) == 5
    assert [row.title for row in pane.lists[0].rows.rows if row.heading][-1] == "Could be shorter"
    pane.more_button.click()
    assert len(rows(opened)) == 3


def test_what_may_be_about_risk_is_nowhere_called_minor(rubric) -> None:
    case = sample_evaluation().case
    maybe = RiskFinding((0,), cite(case.transcript.turns[0]), RiskKind.SUICIDE, Stance.HYPOTHETICAL, by_meaning=True)
    evaluation = replace(sample_evaluation(), risks=(maybe,))
    shown = first_rows(findings_of(evaluation, rubric), (), evaluation, True)
    risks = [row for row in shown if row.finding and row.finding.is_risk]
    (row,) = (row for row in risks if not row.finding.pressing)
    assert row.finding.ranked.severity is Severity.LOW
    assert row.aside == "Please check"


def test_f8_and_a_decision_go_on_in_the_order_of_the_list(opened, monkeypatch) -> None:
    session, workspace = opened.session, opened.workspace
    as_ranked = session.findings
    monkeypatch.setattr(session, "findings", lambda: tuple(reversed(as_ranked())))
    opened.workspace.findings.more_button.click()
    workspace._show_findings()
    listed = rows(opened)
    assert listed[0].startswith("omission:risk")
    workspace.show_finding(listed[0])
    workspace.step(1)
    assert workspace.findings.chosen_key() == listed[1]
    workspace.findings.card.dismissed.emit(listed[1], "Not relevant here")
    assert workspace.findings.chosen_key() == listed[2]


def test_the_window_lists_what_the_exported_file_lists_in_its_order(opened) -> None:
    from noteeval_desktop.report.json_layout import evaluation_to_json

    session = opened.session
    session.silence("observed", everywhere=True)
    written = evaluation_to_json(session.evaluation, decisions=session.decisions_for_export)["findings"]
    assert [one["key"] for one in written if one["open"]] == [finding.key for finding in session.findings()]
    assert [one["key"] for one in written if one["before_you_sign"]] == rows(opened)


def test_what_is_decided_makes_room(opened) -> None:
    first = rows(opened)[0]
    opened.workspace.findings.choose(first)
    opened.workspace.findings.card.dismissed.emit(first, "Not relevant here")
    assert first not in rows(opened)


def test_a_sentence_is_removed_and_comes_back_with_undo(opened, qtbot) -> None:
    editor, session = opened.workspace.editor, opened.session
    before = editor.note_text()
    finding = next(f for f in session.findings() if f.key == CONTRADICTED)
    remove = next(mend for mend in mends(finding) if not mend.text)
    opened.workspace.findings.card.mend_asked.emit(finding, remove)
    assert "four times" not in editor.note_text()
    wait_idle(opened, qtbot)
    assert CONTRADICTED not in {f.key for f in session.findings()}
    editor.undo()
    assert editor.note_text() == before


def _press(window, button, kind: QEvent.Type) -> None:
    """Of the left button, in the middle of what lies at ``button``'s place."""
    place, left = button.rect().center(), Qt.MouseButton.LeftButton
    for one in (kind, QEvent.Type.MouseButtonRelease):
        where = QPointF(place), QPointF(button.mapToGlobal(place))
        QApplication.sendEvent(button, QMouseEvent(one, *where, left, left, Qt.KeyboardModifier.NoModifier))


def test_the_second_press_of_a_double_click_does_nothing_on_the_card_that_came(opened) -> None:
    workspace, session = opened.workspace, opened.session
    before = workspace.editor.note_text()
    keys = [finding.key for finding in session.findings()]
    for key in keys:
        workspace.show_finding(key)
        for button in workspace.findings.card._foot.findChildren(QPushButton):
            _press(opened, button, QEvent.Type.MouseButtonDblClick)
    assert workspace.editor.note_text() == before
    assert session.decisions == {}
    observed = next(finding for finding in session.findings() if finding.can_attest)
    workspace.show_finding(observed.key)
    attest = next(b for b in workspace.findings.card._foot.findChildren(QPushButton) if b.text() == "I observed this")
    _press(opened, attest, QEvent.Type.MouseButtonPress)
    assert set(session.decisions) == {observed.key}


def test_no_button_that_removes_lies_where_moving_on_may_bring_it(opened, qtbot) -> None:
    """It opens a menu, which names the sentence."""
    workspace, card = opened.workspace, opened.workspace.findings.card
    workspace.show_finding(CONTRADICTED)
    remove = next(b for b in card._foot.findChildren(MenuButton) if b.text() == "Remove ▾")
    (action,) = remove.menu().actions()
    assert action.text() == "Remove “Client drinks four times a week.”"
    action.trigger()
    assert "four times" not in workspace.editor.note_text()
    wait_idle(opened, qtbot)
    assert opened.status.text.startswith("Removed “Client drinks four times a week.”")
    opened.status.undo.click()
    assert "four times" in workspace.editor.note_text()
    assert opened.status.undo.isHidden()


@pytest.mark.parametrize("agreed", [False, True])
def test_a_sentence_on_risk_is_removed_when_that_was_meant(opened, qtbot, agreed: bool, monkeypatch) -> None:
    workspace, session = opened.workspace, opened.session
    opened.files.open_note(NOTE.replace("a week.", "a week, no suicidal thoughts."))
    wait_idle(opened, qtbot)
    before = workspace.editor.note_text()
    finding = next(
        one
        for one in session.findings()
        if any(not mend.text for mend in mends(one)) and "no suicidal" in one.ranked.sentence.text
    )

    def answer(box: QMessageBox) -> None:
        assert workspace.editor.note_text() == before
        assert "no suicidal thoughts" in box.informativeText()
        assert box.defaultButton().text() == "Keep it"
        next(one for one in box.buttons() if (one.text() == "Remove") is agreed).click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    workspace.mend(finding, next(mend for mend in mends(finding) if not mend.text))
    assert ("no suicidal" in workspace.editor.note_text()) is not agreed
    wait_idle(opened, qtbot)
    # The sentence is nowhere left once the case is closed.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert workspace.findChildren(QMessageBox) == []


def test_after_a_mend_the_session_shows_what_the_card_shows(opened, qtbot) -> None:
    workspace = opened.workspace
    finding = next(f for f in opened.session.findings() if f.key == CONTRADICTED)
    workspace.show_finding(CONTRADICTED)
    assert workspace.transcript.model.cited_turns() == (1,)
    remove = next(mend for mend in mends(finding) if not mend.text)
    workspace.findings.card.mend_asked.emit(finding, remove)
    wait_idle(opened, qtbot)
    shown = workspace.findings.current_row()
    assert shown.key != CONTRADICTED
    assert workspace.transcript.model.cited_turns() == tuple(citation.turn for citation in shown.citations) != (1,)


def test_a_mend_goes_to_the_sentence_that_has_moved_and_nowhere_when_it_was_edited(opened) -> None:
    editor, session = opened.workspace.editor, opened.session
    finding = next(f for f in session.findings() if f.key == CONTRADICTED)
    remove = next(mend for mend in mends(finding) if not mend.text)
    editor.insert_after(0, "🙂 Before. ")
    moved = editor.note_text()
    opened.workspace.mend(finding, remove)
    assert "four times" not in editor.note_text()
    assert editor.note_text().startswith("🙂 Before. ")
    editor.undo()
    at = moved.index("four times")
    editor.replace_passage(Span(at, at + 4), "five")
    edited = editor.note_text()
    opened.workspace.mend(finding, remove)
    assert editor.note_text() == edited


def claim(text: str, why: str, kind=FindingKind.UNSUPPORTED, citations=()) -> Finding:
    evaluation = evaluation_of([text], {0: wrong()})
    from noteeval_desktop.domain.findings import ranked_findings

    ranked = replace(
        ranked_findings(evaluation)[0],
        kind=kind,
        sentence=Sentence("s1", (Section.SUBJECTIVE,), Span(10, 10 + len(text)), text),
    )
    passages = tuple(Passage(one, "Client", None) for one in citations)
    return Finding(ranked, "Subjective", text, "", why, Severity.HIGH, passages, Span(10, 10 + len(text)))


def told(text: str, noted: str, said: str, quote: str) -> Finding:
    """The session's number, with the passage in which it was said."""
    cited = Citation(21, Span(0, len(quote)), quote)
    return claim(text, f"The note says “{noted}”; turn 22 says “{said}”.", citations=(cited,))


@pytest.mark.parametrize(
    ("text", "noted", "said", "quote", "mended"),
    [
        ("He drinks four times a week.", "four", "twice", "Maybe twice, at the weekend.", "He drinks twice a week."),
        ("Slept six hours.", "six", "4", "About 4 on Friday 🙂.", "Slept 4 hours."),
        ("Slept six hours.", "six", "4", "Only 4 hrs.", "Slept 4 hours."),
        ("Score was 16.", "16", "eleven", "It came to eleven out of 27.", "Score was eleven."),
        ("He came twice.", "twice", "three", "I came three times.", "He came three times."),
        ("🙂 Drank 12 beers.", "12", "20", "It was 20 small beers and a schnapps.", "🙂 Drank 20 beers."),
        ("Attends 5 d/wk.", "5", "three", "Three days a week I get there.", "Attends three d/wk."),
        ("Takes 100 mg.", "100", "50", "I take 50 milligrams.", "Takes 50 mg."),
        ("She sleeps seven hours.", "seven", "Five", "Five hours if I'm lucky.", "She sleeps five hours."),
        ("Seven hours of sleep.", "seven", "five", "Maybe five hours.", "Five hours of sleep."),
    ],
)
def test_the_sessions_number_goes_in_where_it_stays_a_sentence(text, noted, said, quote, mended) -> None:
    mend = mends(told(text, noted, said, quote))[0]
    note = " " * 10 + text
    assert (note[: mend.span.start] + mend.text + note[mend.span.end :]).strip() == mended
    assert mend.label == f"Use “{mend.text}”"


@pytest.mark.parametrize(
    ("text", "noted", "said"),
    [
        ("Two of two sessions.", "two", "3"),
        ("Four drinks.", "four", "twice"),
        ("Four drinks.", "four", "a couple"),
        ("Weekly.", "weekly", "3"),
    ],
)
def test_no_number_goes_in_where_it_would_not(text, noted, said) -> None:
    offered = mends(told(text, noted, said, f"{said}.".capitalize()))
    assert [mend.text for mend in offered if not mend.text.startswith(" (")] == [""]


@pytest.mark.parametrize(
    ("text", "noted", "said", "quote"),
    [
        ("Attend school 5 d/wk.", "5", "two", "I forgot two tablets this week."),
        ("Attend school 5 d/wk.", "5", "two", "I forgot two of my sleeping tablets 🙂."),
        ("Takes it for 3 weeks.", "3", "two", "For two months now."),
        ("Slept six hours.", "six", "four", "Four nights I was up."),
        ("Takes 5 mg.", "5", "two", "Two glasses of wine."),
        ("Attend 5 days.", "5", "two", "Someone else's words."),
    ],
)
def test_a_number_of_something_else_is_not_offered(text, noted, said, quote) -> None:
    assert not any(mend.label == f"Use “{said}”" for mend in mends(told(text, noted, said, quote)))


def test_the_number_of_a_finding_of_low_confidence_is_put_in_with_one_click_too() -> None:
    """The sample's "four times in the past week" is one; the README says so of it."""
    known = told("Attend 5 days.", "5", "two", "Two.").ranked
    assert isinstance(known.source, ClaimVerdict)
    source = replace(known.source, confidence=Confidence.UNSURE)
    unsure = replace(told("Attend 5 days.", "5", "two", "Two."), ranked=replace(known, source=source))
    assert "Use “two”" in [mend.label for mend in mends(unsure)]


def test_the_nearest_passage_is_added_before_the_full_stop() -> None:
    text, quote = "He sleeps badly.", "I sleep badly at night."
    mend = mends(claim(text, "", citations=(Citation(4, Span(0, len(quote)), quote),)))[0]
    note = " " * 10 + text
    assert (note[: mend.span.start] + mend.text + note[mend.span.end :]).strip() == (
        "He sleeps badly (“I sleep badly at night.”, turn 5)."
    )


def test_a_checklist_item_that_was_not_recognised_is_not_called_missing(rubric) -> None:
    from noteeval_desktop.domain.verdicts import Confidence

    evaluation = evaluation_of(checklist=(item(confidence=Confidence.LIKELY, probability=0.3, suggested_turns=(1,)),))
    finding = findings_of(evaluation, rubric)[0]
    assert finding.said == "not recognized in the note"
    assert "No history yet" not in finding.what


@pytest.mark.parametrize(
    ("text", "sentence", "left"),
    [
        ("One. Two. Three.", "Two.", "One. Three."),
        ("S:\n- One.\n- Two.\n", "One.", "S:\n- Two.\n"),
        ("Only.", "Only.", ""),
    ],
)
def test_a_removed_sentence_leaves_no_gap(text, sentence, left) -> None:
    start = text.index(sentence)
    cut = removal(text, Span(start, start + len(sentence)))
    assert text[: cut.start] + text[cut.end :] == left


def test_a_kind_is_silenced_in_this_case_and_comes_back(opened) -> None:
    session, pane = opened.session, opened.workspace.findings
    assert any(f.kind is FindingKind.UNNEEDED for f in session.findings())
    pane.card.silence_asked.emit("unneeded", False)
    assert not any(f.kind is FindingKind.UNNEEDED for f in session.findings())
    assert pane.silenced_button.isVisibleTo(pane)
    assert opened.settings.silenced == {}
    pane.silenced_button.menu().actions()[0].trigger()
    assert any(f.kind is FindingKind.UNNEEDED for f in session.findings())
    assert not pane.silenced_button.isVisibleTo(pane)


def test_a_kind_that_is_silenced_everywhere_is_kept_in_the_settings_without_clinical_text(opened) -> None:
    opened.workspace.findings.card.silence_asked.emit("missing:subjective-history", True)
    assert "missing:subjective-history" not in {f.key for f in opened.session.findings()}
    assert list(opened.settings.silenced) == ["missing:subjective-history"]
    opened.session.flag_again("missing:subjective-history")
    assert opened.settings.silenced == {}


def test_a_kind_can_be_silenced_from_the_checklist_too_and_a_risk_from_nowhere(opened) -> None:
    pane = opened.workspace.findings

    def offered(tab: str, key: str) -> list[str]:
        pane.tabs.setCurrentIndex(TABS.index(tab))
        assert pane.choose(key)
        dismiss = next(b for b in pane.card.findChildren(MenuButton) if b.text().startswith("Dismiss"))
        return [action.text() for action in dismiss.menu().actions() if "flagging" in action.text()]

    assert len(offered("Checklist", "missing:subjective-history")) == 2
    risk = next(f.key for f in opened.session.findings() if f.is_risk)
    assert offered("Left out", risk) == []
    assert offered("Before you sign", risk) == []


def test_a_phrase_is_silenced_in_this_case_alone_and_never_a_risk(opened) -> None:
    session = opened.session
    session.silence_phrase("  FOUR times ")
    assert CONTRADICTED not in {f.key for f in session.findings()}
    assert opened.settings.silenced == {}
    assert "FOUR times" in session.set_aside.values()  # with the draft, encrypted
    session.silence_phrase("sometimes")
    assert any(f.is_risk for f in session.findings())


def test_a_claim_that_passes_shows_its_nearest_passage_and_says_nothing_is_sure(opened, rubric) -> None:
    claims = opened.workspace.findings.lists[TABS.index("Statements")].rows.rows
    passed = [row for row in claims if row.sign == "✓"]
    assert passed
    assert {row.sure for row in passed} == {""}
    # Nothing is cited here; that no passage says it would deny the tick.
    assert {row.detail for row in passed} == {""}
    assert findings_of(opened.session.evaluation, rubric)


def test_a_claim_that_passes_narrowly_has_no_tick_and_is_to_be_checked() -> None:
    evaluation = sample_evaluation()
    passing = [j for j in evaluation.sentences if j.claim and j.claim.verdict is Verdict.SUPPORTED]
    narrow = replace(passing[0], claim=replace(passing[0].claim, confidence=Confidence.UNSURE))
    told = claim_rows(
        replace(evaluation, sentences=tuple(narrow if j is passing[0] else j for j in evaluation.sentences)), {}
    )
    headings = [row.title for row in told if row.heading]
    assert (
        headings.index("The session may say so: please check") == headings.index(VERDICT_NAMES[Verdict.SUPPORTED]) - 1
    )
    (row,) = (row for row in told if row.spans == (narrow.sentence.span,))
    assert (row.sign, row.state) == ("?", "The session may say so: please check")
    assert len([row for row in told if row.sign == "✓"]) == len(passing) - 1


def test_a_sentence_that_matches_no_item_says_whether_to_keep_it(rubric) -> None:
    needs = {number: NeedVerdict("", False, 0.1) for number in range(2)}
    made = evaluation_of(["Therapist validated her anger 🙂.", "The radio was loud."], needs=needs)
    rows_of_sentences = [
        row for row in sentence_rows(made, rubric, {f.key: f for f in findings_of(made, rubric, {})}) if not row.heading
    ]
    assert [row.detail for row in rows_of_sentences] == [
        "Matches no checklist item. Keep it: it is about risk, treatment or the plan.",
        "Matches no checklist item",
    ]
    assert [row.finding is None for row in rows_of_sentences] == [True, False]


def test_no_sentence_is_credited_with_what_the_checklist_does_not_recognise(rubric) -> None:
    unsure = item(confidence=Confidence.LIKELY, probability=0.3)
    evaluation = evaluation_of(checklist=(unsure,))
    first = evaluation.sentences[0]
    need = NeedVerdict(first.sentence.id, True, 0.97, Confidence.SURE, (unsure.item,))
    evaluation = replace(evaluation, sentences=(replace(first, need=need), *evaluation.sentences[1:]))
    name = rubric.item(unsure.item).name
    (row,) = (row for row in sentence_rows(evaluation, rubric, {}) if row.spans == (first.sentence.span,))
    unrecognized = f"{ITEM_STATES[ItemState.NOT_RECOGNISED].name.capitalize()}: {name}"
    assert (row.detail, row.sign, row.sure, row.number) == (unrecognized, "?", "", "")
    sure = replace(evaluation, checklist=(replace(unsure, present=True),))
    (row,) = (row for row in sentence_rows(sure, rubric, {}) if row.spans == (first.sentence.span,))
    assert (row.detail, row.sign, row.sure) == (name, "✓", "Confidence: high")
    other = next(one for one in rubric.items if one.id != unsure.item)
    of_two = replace(first, need=replace(need, items=(other.id, unsure.item)))
    covered = replace(unsure, item=other.id, present=True)
    two = replace(evaluation, checklist=(unsure, covered), sentences=(of_two, *evaluation.sentences[1:]))
    (row,) = (row for row in sentence_rows(two, rubric, {}) if row.spans == (first.sentence.span,))
    assert (row.detail, row.sign, row.sure) == (f"{other.name}. {unrecognized}", "✓", "Confidence: high")
