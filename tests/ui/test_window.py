"""The main job in the window: open, see the marks, look at a finding, edit, watch the marks follow."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QLabel, QToolButton

from noteeval_desktop import __version__
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.store import drafts
from noteeval_desktop.ui.editor.highlights import Highlight
from noteeval_desktop.ui.shell.commands import COMMANDS
from tests.ui_steps import choose_part, type_at_end, wait_idle


def marked(window) -> dict[str, str]:
    """The marked passages by kind, read back from the editor's own cursors."""
    text = window.workspace.editor.note_text()
    return {key.split(":")[0]: span.of(text) for key, span in window.workspace.editor.marked_spans().items()}


def test_opening_a_case_marks_exactly_the_sentences_after_an_emoji(opened) -> None:
    assert marked(opened) == {
        "contradicted": "Client drinks four times a week.",
        "unneeded": "The weather was fine.",
        "observed": "Calm and oriented x3.",
    }


def test_the_sample_case_opens_from_the_first_screen(window, qtbot) -> None:
    assert window.pages.currentWidget() is window.empty
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=30_000):
        window.empty.sample_button.click()
    assert window.pages.currentWidget() is window.workspace
    assert window.workspace.transcript.model.rowCount() > 20


def test_the_glance_row_says_the_scores(opened) -> None:
    words = [button.accessibleName() for button in opened.glance_row.buttons]
    assert words == ["22 of 23 covered", "80 % of sentences needed", "3 of 4 statements supported", "1 risk missing"]


def test_stepping_shows_the_left_out_risk_first_and_then_the_contradiction_with_its_turn(opened, qtbot) -> None:
    opened.commands["next_finding"].trigger()
    assert opened.workspace._at.startswith("omission:risk:")
    opened.commands["next_finding"].trigger()
    assert opened.workspace.findings.chosen_key().startswith("contradicted:")
    assert opened.workspace.transcript.model.cited_turns() == (1,)
    cursor = opened.workspace.editor.textCursor()
    assert not cursor.hasSelection()
    text = opened.workspace.editor.toPlainText()
    assert text[: cursor.position() - 1].endswith("four times a week.")
    said = [label.text() for label in opened.workspace.findings.card.findChildren(QLabel)]
    assert "The session says twice; the note says four times." in said
    assert opened.status._place.text() == "2 of 3"


def test_stepping_goes_round_through_every_finding(opened) -> None:
    opened.workspace.findings.more_button.click()
    seen = []
    for _ in range(5):
        opened.commands["next_finding"].trigger()
        seen.append(opened.workspace._at)
    assert len(set(seen)) == 5
    opened.commands["next_finding"].trigger()
    assert opened.workspace._at == seen[0]
    opened.commands["previous_finding"].trigger()
    assert opened.workspace._at == seen[-1]


def test_the_note_shows_the_marks_of_the_first_view_and_all_of_them_where_asked(opened, qtbot) -> None:
    editor, switch = opened.workspace.editor, opened.workspace.all_marks

    def seen() -> set[str]:
        return {mark.key.split(":")[0] for mark, _ in editor.seen_marks}

    assert seen() == {"contradicted"}
    assert set(marked(opened)) == {"contradicted", "unneeded", "observed"}
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert seen() == {"contradicted", "unneeded", "observed"}
    assert opened.workspace.findings.more_button.text() == "Show only what matters before you sign"
    opened.workspace.findings.more_button.click()
    assert seen() == {"contradicted"}
    assert not switch.isChecked()


def test_clicking_a_marked_sentence_opens_its_finding(opened, qtbot) -> None:
    opened.workspace.all_marks.click()
    editor = opened.workspace.editor
    start = editor._positions_now().to_document(editor.note_text().index("oriented"))
    cursor = QTextCursor(editor.document())
    cursor.setPosition(start)
    where = editor.cursorRect(cursor).center()
    qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert opened.workspace.findings.chosen_key().startswith("observed:")
    assert editor.textCursor().position() in (start, start + 1)


def test_a_mended_sentence_loses_its_mark_and_the_score_moves(opened, qtbot) -> None:
    editor = opened.workspace.editor
    at = editor._positions_now().to_document(editor.note_text().index("four times"))
    cursor = QTextCursor(editor.document())
    cursor.setPosition(at)
    cursor.setPosition(at + len("four times"), QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText("twice")
    wait_idle(opened, qtbot)
    assert "contradicted" not in marked(opened)
    assert opened.glance_row.buttons[2].accessibleName() == "4 of 4 statements supported ▲1"
    editor.undo()
    wait_idle(opened, qtbot)
    assert marked(opened)["contradicted"] == "Client drinks four times a week."
    assert "four times" in editor.note_text()
    editor.redo()
    assert "twice" in editor.note_text()


def test_marks_move_with_the_text_before_the_next_check(opened) -> None:
    editor = opened.workspace.editor
    cursor = QTextCursor(editor.document())
    cursor.insertText("🙂 New first words. ")
    assert marked(opened)["contradicted"] == "Client drinks four times a week."


def test_letters_under_two_marks_are_drawn_once_and_the_weaker_mark_keeps_its_sign(opened) -> None:
    editor, text = opened.workspace.editor, opened.workspace.editor.note_text()
    span = Span(text.index("The weather"), text.index("fine.") + 5)
    other = Span(text.index("Calm"), text.index("x3.") + 3)
    editor.show_marks(
        (
            Highlight(span, FindingKind.UNNEEDED, "weak", "This sentence may not be needed."),
            Highlight(other, FindingKind.UNNEEDED, "alone", "This sentence may not be needed."),
            Highlight(span, FindingKind.UNSUPPORTED, "strong", "The session does not say this."),
        )
    )
    styles = [own.format.underlineStyle() for own in editor.extraSelections()]
    assert styles == [QTextCharFormat.UnderlineStyle.DotLine, QTextCharFormat.UnderlineStyle.DashUnderline]
    assert set(editor.marked_spans()) == {"weak", "alone", "strong"}


def test_checking_leaves_cursor_scroll_and_undo_alone(opened, qtbot) -> None:
    editor = opened.workspace.editor
    type_at_end(opened, "\nMore. " * 60)
    editor.verticalScrollBar().setValue(120)
    cursor = editor.textCursor()
    cursor.setPosition(5)
    cursor.setPosition(12, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    editor.verticalScrollBar().setValue(120)
    wait_idle(opened, qtbot)
    after = editor.textCursor()
    assert (after.anchor(), after.position()) == (5, 12)
    assert editor.verticalScrollBar().value() == 120
    assert editor.document().isUndoAvailable()
    editor.undo()
    assert "More." not in editor.note_text()


def test_inserting_a_draft_is_one_step_to_undo(opened, qtbot) -> None:
    finding = next(f for f in opened.session.findings() if f.key == "missing:subjective-history")
    before = opened.workspace.editor.note_text()
    opened.workspace.insert_draft(finding)
    after = opened.workspace.editor.note_text()
    assert "History: “I drink maybe twice a week now. 🙂 It used to be every night.” (turn 2)" in after
    assert after.index("History:") < after.index("Objective:")
    opened.workspace.editor.undo()
    assert opened.workspace.editor.note_text() == before


def test_what_is_attested_or_dismissed_is_no_longer_a_finding_and_comes_back(opened) -> None:
    session = opened.session
    observed = next(f for f in session.findings() if f.kind is FindingKind.OBSERVED)
    opened.workspace.findings.card.attested.emit(observed.key)
    assert "observed" not in marked(opened)
    assert observed not in session.findings()
    opened.workspace.findings.card.restored.emit(observed.key)
    assert "observed" in marked(opened)


def test_a_filter_hides_a_kind_everywhere(opened) -> None:
    action = next(a for a in opened.workspace.findings.filter_menu.actions() if "May not be needed" in a.text())
    action.setChecked(False)
    assert "unneeded" not in marked(opened)
    assert all(f.kind is not FindingKind.UNNEEDED for f in opened.workspace.open_findings())


def test_another_tab_says_at_once_how_many_suggestions_it_goes_through(opened) -> None:
    shown = opened.workspace
    said = []
    shown.place_changed.connect(lambda place, _: said.append(place))
    for tab in (1, 0):
        opened.workspace.findings.show_tab(tab)
        assert said[-1].endswith(f"{len(shown._steps())} shown") or said[-1].endswith(f"of {len(shown._steps())}")


def test_the_filter_shows_how_much_it_shows(opened) -> None:
    least = [a for a in opened.workspace.findings.filter_menu.actions() if a.actionGroup() is not None]
    assert [action.isChecked() for action in least] == [True, False, False]
    least[2].trigger()
    assert [action.isChecked() for action in least] == [False, False, True]


def test_a_role_is_changed_and_the_note_is_checked_again(opened, qtbot) -> None:
    with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
        choose_part(opened, 1, "Other")
    assert opened.session.transcript.role_of("Client") is Role.OTHER


@pytest.mark.parametrize(
    ("name", "content"), [("empty.txt", b""), ("scan.vtt", b"\x89PNG\r\n\x1a\n"), ("gone.txt", None)]
)
def test_a_file_that_cannot_be_read_is_named_in_the_banner(window, qtbot, tmp_path: Path, name, content) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    window.files.open_transcript(path)
    qtbot.waitUntil(lambda: bool(window.banner.text), timeout=20_000)
    assert name in window.banner.text
    assert "Traceback" not in window.banner.text
    assert window.pages.currentWidget() is window.empty


def test_a_judge_that_cannot_start_says_so(make_window, qtbot) -> None:
    from noteeval_desktop.errors import ModelError

    def load():
        raise ModelError("The encoder is missing. Run `noteeval models build`.")

    window = make_window(load=load)
    window.session.paste_transcript("Therapist: Hi\nClient: Hello")
    window.session.open_note("Plan: Rest.")
    qtbot.waitUntil(lambda: "models build" in window.banner.text, timeout=10_000)
    assert window.session.evaluation is None


def test_an_unexpected_error_shows_its_kind_and_none_of_its_text(make_window, qtbot) -> None:
    def load():
        raise ValueError("Client said: secret words")

    window = make_window(load=load)
    window.session.paste_transcript("Therapist: Hi\nClient: Hello")
    window.session.open_note("Plan: Rest.")
    qtbot.waitUntil(lambda: "ValueError" in window.banner.text, timeout=10_000)
    assert "secret" not in window.banner.text


def test_markup_in_a_session_or_note_stays_text(window, qtbot) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript("<b>Therapist</b>: Hi <img src='file:///x'>\nClient: Sometimes <i>no</i>")
        window.session.open_note("Subjective:\n<b>Client</b> drinks four times <a href='x'>a week</a>.")
    assert "<b>Client</b> drinks four times" in window.workspace.editor.note_text()
    window.commands["next_finding"].trigger()
    labels = window.findChildren(QLabel)
    assert {label.textFormat() for label in labels if label.text()} <= {Qt.TextFormat.PlainText}


def test_unassigned_text_is_asked_about_and_gets_a_heading(window, qtbot) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript("Therapist: Hi\nClient: Hello")
        window.session.open_note("Client came on time. Slept well.")
    assert "no heading" in window.banner.text
    next(b for b in window.banner.buttons if b.text() == "Plan").click()
    assert window.workspace.editor.note_text().startswith("Plan:\nClient came on time.")


def test_a_dap_note_is_asked_about_in_its_own_words(window, qtbot) -> None:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript("Therapist: Hi\nClient: Hello")
        window.session.open_note("Came on time.\n\nData: Slept well.\nAssessment: Stable.\nPlan: Meet.")
    assert [button.text() for button in window.banner.buttons] == ["Data", "Assessment", "Plan"]
    window.banner.buttons[0].click()
    assert window.workspace.editor.note_text().startswith("Data:\nCame on time.")


def test_the_key_map_is_the_one_that_was_promised(window) -> None:
    keys = {command.keys[0]: command.name for command in COMMANDS if command.keys}
    promised = {
        "Ctrl+O": "open_transcript",
        "Ctrl+Shift+O": "open_note",
        "F5": "recheck",
        "F8": "next_finding",
        "Shift+F8": "previous_finding",
        "Ctrl+F": "search",
        "Ctrl+E": "export_pdf",
        "F6": "next_pane",
        "Alt+Return": "finding_actions",
        "F1": "help",
        "Ctrl+/": "keys",
        **{f"Ctrl+{n}": f"tab_{n}" for n in range(1, 7)},
    }
    assert promised.items() <= keys.items()
    every = [key for command in COMMANDS for key in command.keys]
    assert len(every) == len(set(every))


def test_keys_reach_the_window(opened, qtbot) -> None:
    opened.activateWindow()
    qtbot.keyClick(opened, Qt.Key.Key_F8)
    assert opened.workspace._at
    qtbot.keyClick(opened, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert opened.workspace.findings.tabs.currentIndex() == 3


def test_every_button_has_a_name_and_room_for_a_finger(opened) -> None:
    opened.commands["next_finding"].trigger()
    for button in opened.findChildren(QToolButton):
        if button.isVisible() and button.objectName() != "qt_menubar_ext_button":
            assert button.accessibleName() or button.text()
            assert button.height() >= 28, button.text()


def test_search_finds_in_both_panes(opened) -> None:
    pane = opened.workspace.transcript
    pane.search.open_search()
    pane.search.field.setText("tuesday")
    assert [turn for turn, _ in pane._found] == [4, 5]
    opened.workspace.note_search.open_search()
    opened.workspace.note_search.field.setText("client")
    assert opened.workspace.note_search._count.text() == "1 of 2"


@pytest.mark.parametrize("kind", ["pdf", "json", "csv"])
def test_the_scorecard_is_exported(opened, qtbot, tmp_path: Path, kind: str) -> None:
    target = tmp_path / f"card.{kind}"
    opened.files.export_to(opened.session.evaluation, target, kind)
    qtbot.waitUntil(lambda: opened.banner.text == f"Exported {target.name}.", timeout=30_000)
    assert target.stat().st_size > 200


def test_an_attested_claim_survives_a_crash(opened, make_window, qtbot) -> None:
    observed = next(f for f in opened.session.findings() if f.kind is FindingKind.OBSERVED)
    opened.workspace.findings.card.attested.emit(observed.key)
    draft = opened.autosave.draft()
    again = make_window()
    with qtbot.waitSignal(again.session.evaluation_finished, timeout=10_000):
        again.session.restore(drafts._from_json(drafts._to_json(draft)))
    assert again.session.set_aside == {observed.key: "Confirmed: seen in the session."}
    assert observed.key not in {finding.key for finding in again.session.findings()}


def test_attesting_is_undone(opened) -> None:
    observed = next(f for f in opened.session.findings() if f.kind is FindingKind.OBSERVED)
    opened.workspace.findings.card.attested.emit(observed.key)
    explained = opened.glance_row.buttons[2]._glance.explanation
    opened.workspace.findings.card.restored.emit(observed.key)
    assert opened.session.decisions == {}
    assert opened.glance_row.buttons[2]._glance.explanation != explained


def test_the_theme_can_change_while_a_case_is_open(opened) -> None:
    before = marked(opened)
    opened.commands["dark"].trigger()
    opened.commands["dark"].trigger()
    assert [name for name in ("light", "dark", "system") if opened.commands[name].isChecked()] == ["dark"]
    assert marked(opened) == before


def test_the_reading_size_has_limits(opened) -> None:
    for _ in range(40):
        opened.commands["larger"].trigger()
    assert opened.settings.font_size == 28
    opened.commands["usual_size"].trigger()
    assert opened.workspace.editor.document().defaultFont().pixelSize() == 15


def test_revealing_a_passage_selects_nothing(opened) -> None:
    opened.workspace.editor.reveal(Span(3, 9))
    assert not opened.workspace.editor.textCursor().hasSelection()


def test_opening_a_note_is_not_an_edit(opened, qtbot) -> None:
    finished = []
    opened.session.evaluation_finished.connect(finished.append)
    qtbot.wait(600)
    assert not opened.session._timer.isActive()
    assert finished == []


def test_the_menu_says_which_version_is_installed(window) -> None:
    window.commands["version"].trigger()
    assert f"NoteEval {__version__} is installed." in window.banner.text
