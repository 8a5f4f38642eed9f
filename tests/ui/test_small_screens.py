"""On a small screen, or at 200 %, everything is still there; at the start a text can be pasted at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QWidget,
)

from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.evaluate import Progress, Question
from noteeval_desktop.ui.findings.glance_row import Glance
from noteeval_desktop.ui.judging.settings_dialog import JudgeSettings
from noteeval_desktop.ui.scorecard.pdf_dialog import ChoosePdf
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UNIT, zoomed
from tests.ui_texts import NOTE

# 1920 x 1080 at 200 %, less a task bar.
SMALL = QSize(960, 500)


@pytest.fixture
def small(opened):
    opened.commands["next_finding"].trigger()
    opened.resize(SMALL)
    return opened


def test_a_case_with_an_open_finding_fits_a_small_screen(small) -> None:
    assert small.size() == SMALL
    assert small.workspace.findings.card.isVisible()


def test_the_two_places_for_files_are_of_one_width_at_the_start(window, qtbot) -> None:
    window.resize(SMALL)
    window.show()
    qtbot.waitUntil(lambda: window.empty.note.width() > 0 and window.width() == SMALL.width())
    QApplication.processEvents()
    assert abs(window.empty.note.width() - window.empty.transcript.width()) <= 1


def test_an_elided_line_of_a_letter_or_two_is_left_out(qtbot) -> None:
    line = ElidedLabel("SOAP")
    qtbot.addWidget(line)

    def drawn(width: int) -> bool:
        line.resize(width, 20)
        picture = line.grab().toImage()
        return any(picture.pixel(x, y) != picture.pixel(0, 0) for x in range(width) for y in range(20))

    assert drawn(line.sizeHint().width())
    assert not drawn(line.fontMetrics().horizontalAdvance("S…") + 1)


def test_every_tab_stays_in_sight(small) -> None:
    tabs = small.workspace.findings.tabs
    assert tabs.width() >= tabs.sizeHint().width()
    assert small.workspace.editor.width() > 300


def test_the_session_is_folded_where_there_is_no_room_and_comes_when_it_is_asked_for(small, qtbot) -> None:
    workspace = small.workspace
    assert workspace.transcript.isHidden()
    workspace.session_button.click()
    assert workspace.transcript.isVisible()
    assert not workspace.session_button.isVisible()
    small.commands["session_pane"].trigger()
    assert workspace.transcript.isHidden()
    workspace.findings.card.citation_asked.emit(cite(small.session.transcript.turns[1]))
    assert workspace.transcript.isVisible()


def test_larger_text_leaves_the_note_the_room_that_the_session_had(opened, qtbot) -> None:
    opened.resize(1280, 800)
    before = opened.workspace.editor.width()
    for _ in range(4):
        opened.commands["larger"].trigger()
    assert opened.workspace.transcript.isHidden()
    assert opened.workspace.editor.width() > before
    fonts = {button.font_for(button.width() - 4 * UNIT).pixelSize() for button in opened.glance_row.buttons}
    assert min(fonts) > SMALL_SIZE
    for _ in range(4):
        opened.commands["smaller"].trigger()
    assert opened.workspace.transcript.isVisible()


def test_a_wide_window_folds_nothing_and_a_narrow_one_gives_the_panes_back(opened, qtbot) -> None:
    opened.resize(1280, 800)
    assert all(opened.workspace.sizes())
    before = opened.workspace.sizes()
    opened.resize(SMALL)
    opened.resize(1280, 800)
    assert opened.workspace.sizes() == before


def test_whoever_writes_can_put_both_other_panes_away(small) -> None:
    small.commands["findings_pane"].trigger()
    assert small.workspace.sizes()[::2] == [0, 0]
    small.commands["findings_pane"].trigger()
    assert small.workspace.findings.isVisible()


def _height(widget: QWidget) -> int:
    return widget.fontMetrics().height()


def test_what_is_said_after_the_text_was_enlarged_has_its_size_too(small, qtbot) -> None:
    for _ in range(8):
        small.commands["larger"].trigger()
    small.banner.say("Not saved.", [("Save", lambda: None)])
    small.workspace.want(0, True)
    small.workspace.transcript.strip.show_speakers(small.session.transcript)
    late = [*small.banner.buttons, *small.workspace.transcript.strip.findChildren(QToolButton)]
    assert len(late) > 1
    assert min(map(_height, late)) > 1.3 * QFontMetrics(QApplication.font()).height()
    small.commands["usual_size"].trigger()
    assert {_height(one) for one in late if one.isVisible()} == {QFontMetrics(QApplication.font()).height()}


@pytest.mark.parametrize("steps", [0, 6])
def test_beside_the_session_no_tab_is_scrolled_away_and_no_search_is_cut(small, qtbot, steps: int) -> None:
    for _ in range(steps):
        small.commands["larger"].trigger()
    small.workspace.want(0, True)
    small.workspace.transcript.search.open_search()
    qtbot.wait(50)
    findings, field = small.workspace.findings, small.workspace.transcript.search.field
    assert small.width() == SMALL.width()
    assert not findings.tabs.isVisible()
    assert field.width() >= field.fontMetrics().horizontalAdvance(field.placeholderText()) + 4 * UNIT
    box = findings.narrow_tabs
    assert box.width() >= box.minimumSizeHint().width()
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert findings.tabs.currentIndex() == 1
    small.commands["tab_4"].trigger()
    assert box.currentIndex() == 3
    small.workspace.want(0, False)
    small.commands["usual_size"].trigger()
    qtbot.wait(50)
    assert findings.tabs.isVisible()
    assert not box.isVisible()


def test_larger_text_enlarges_the_findings_too(opened, qtbot) -> None:
    opened.commands["next_finding"].trigger()
    rows = opened.workspace.findings.lists[opened.workspace.findings.tabs.currentIndex()]

    def heights() -> tuple[int, ...]:
        card = opened.workspace.findings.card
        written = [*card.findChildren(PlainLabel), *(one for one in card.findChildren(QAbstractButton) if one.text())]
        glance, (label, *_) = opened.glance_row.buttons[0], opened.risk_banner.findChildren(PlainLabel)
        read: list[QWidget] = [opened.workspace.findings.tabs, label, opened.header.judge_button]
        read += (opened.workspace.copy_button, opened.workspace.note_search.field, opened.menuBar())
        shown = (QFontMetrics(glance.font_for(900)), *(widget.fontMetrics() for widget in read))
        return rows.sizeHintForRow(1), min(_height(one) for one in written), *(metrics.height() for metrics in shown)

    usual = heights()
    for _ in range(8):
        opened.commands["larger"].trigger()
    assert all(now > 1.3 * before for now, before in zip(heights(), usual, strict=True))
    opened.commands["usual_size"].trigger()
    assert heights() == usual


def test_large_text_cuts_no_button_above_the_note_beside_the_session(opened, qtbot) -> None:
    for _ in range(6):
        opened.commands["larger"].trigger()
    opened.workspace.want(0, True)
    qtbot.wait(50)
    for button in (opened.workspace.all_marks, opened.workspace.copy_button):
        assert button.isVisible()
        assert button.width() >= button.sizeHint().width(), button.text()


def test_the_largest_text_makes_no_window_wider_than_its_screen(small, qtbot) -> None:
    for _ in range(20):
        small.commands["larger"].trigger()
    qtbot.wait(50)
    assert small.width() == SMALL.width()


def test_the_statements_are_set_in_one_size(small, qtbot, monkeypatch) -> None:
    used = []
    draw = QPainter.drawText
    monkeypatch.setattr(QPainter, "drawText", lambda self, *a: used.append(self.font().pixelSize()) or draw(self, *a))
    for _ in range(4):
        small.commands["larger"].trigger()
    used.clear()
    for button in small.glance_row.buttons:
        button.grab()
    assert len(set(used)) == 1


def test_nothing_moves_by_itself_while_a_check_runs(opened, qtbot) -> None:
    opened.session.check_started.emit()
    opened.session.progress_made.emit(Progress(Question.COVER, 0, None))
    assert opened.progress.maximum() > opened.progress.minimum()  # else it runs to and fro


def test_the_statements_are_not_cut(small) -> None:
    for button in small.glance_row.buttons:
        room = button.width() - 32
        metrics = QFontMetrics(button.font_for(room))
        assert metrics.elidedText(button.words, Qt.TextElideMode.ElideRight, room) == button.words


def test_the_change_beside_a_statement_is_not_cut_either(opened, qtbot) -> None:
    button = opened.glance_row.buttons[1]
    button.show_glance(Glance("83 % of sentences needed · 1 not checked", 0.83, "▼17"))
    qtbot.wait(50)
    room = button.width() - 4 * UNIT
    used = QFontMetrics(button.font_for(room)).horizontalAdvance(f"{button.words}  ")
    assert used + QFontMetrics(zoomed(button.font(), SMALL_SIZE)).horizontalAdvance("▼17") <= room


@pytest.mark.parametrize("width", [960, 1024, 1100, 1280])
def test_who_is_who_is_not_cut(small, qtbot, width: int) -> None:
    small.resize(width, 700)
    small.workspace.want(0, True)
    qtbot.wait(50)
    chips = small.workspace.transcript.strip._chips
    assert len(chips) == 2
    for chip in chips:
        assert chip.width() >= chip.sizeHint().width(), chip.text()


def test_many_speakers_share_a_button_where_there_is_no_room_for_each(window, qtbot) -> None:
    said = "".join(f"Person {n % 3}: Turn {n} is about sleep 🙂.\n" for n in range(18))
    window.files.open_note(NOTE)
    window.files.open_transcript(said)
    qtbot.waitUntil(lambda: window.session.ready)
    strip = window.workspace.transcript.strip
    window.workspace.want(0, True)
    for width, shown in ((960, 0), (1900, 3)):
        window.resize(width, 700)
        qtbot.wait(50)
        assert len(strip._chips) == shown
        for chip in strip._chips:
            assert chip.width() >= chip.sizeHint().width(), (width, chip.text())
        assert window.workspace.transcript._title.isVisible()
        if not shown:
            (button,) = (b for b in strip.findChildren(QToolButton) if b.isVisible())
            assert button.text() == "3 speakers ▾"
            assert [one.text()[:11] for one in button.menu().actions()] == [f"Person {n} · " for n in range(3)]


def test_a_narrow_session_can_be_searched(small, qtbot) -> None:
    small.workspace.want(0, True)
    small.workspace.transcript.search.open_search()
    qtbot.wait(50)
    search = small.workspace.transcript.search
    assert search.field.width() > 70
    for button in search.findChildren(QToolButton):
        assert button.isHidden() or button.width() >= 28


def test_a_box_with_the_focus_takes_no_more_room_than_without(opened, qtbot) -> None:
    box = QCheckBox("Exact request")
    qtbot.addWidget(box)
    box.show()
    box.activateWindow()
    option = QStyleOptionButton()
    widths = []
    for state in (QStyle.StateFlag.State_None, QStyle.StateFlag.State_HasFocus):
        box.initStyleOption(option)
        option.state = (option.state & ~QStyle.StateFlag.State_HasFocus) | state
        widths.append(box.style().subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, box).left())
    assert widths[0] == widths[1]


def test_a_card_grows_and_shrinks_with_the_window(small, qtbot) -> None:
    card = small.workspace.findings.card
    small.resize(960, 380)
    qtbot.waitUntil(lambda: small.height() == 380 and card.height() < 130)
    small.resize(1280, 1000)
    qtbot.waitUntil(lambda: card.height() > 160)


def test_the_buttons_of_the_first_screen_are_not_cut(window) -> None:
    window.resize(SMALL)
    for button in window.empty.findChildren(QPushButton):
        assert button.isHidden() or button.width() >= button.sizeHint().width(), button.text()


def test_a_text_can_be_pasted_at_once(window, qtbot) -> None:
    window.activateWindow()
    QGuiApplication.clipboard().setText(NOTE)
    with qtbot.waitSignal(window.session.note_opened, timeout=10_000):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_no_window_opens_larger_than_its_screen(opened) -> None:
    for command in ("compare_responses", "preview", "judge_settings", "help", "keys", "review_many"):
        before = set(QApplication.topLevelWidgets())
        opened.commands[command].trigger()
        (shown,) = (w for w in QApplication.topLevelWidgets() if w not in before and w.isVisible() and w.windowTitle())
        room = shown.screen().availableSize()
        assert (shown.width() <= room.width(), shown.height() <= room.height()) == (True, True), command
        shown.close()


@pytest.mark.parametrize("reviewed", [False, True])
def test_the_choices_of_an_export_fit_a_small_screen_and_are_not_cut(opened, reviewed) -> None:
    asks = ChoosePdf(opened, "Add the judge's marks beside the supervisor's", reviewed)
    asks.show()
    for box in asks.findChildren(QCheckBox):
        assert box.isHidden() or box.width() >= box.sizeHint().width(), box.text()
    assert max(asks.minimumSizeHint().height(), asks.minimumHeight()) <= 516
    asks.close()


def test_the_four_figures_grow_with_the_text_in_two_lines_where_they_must(opened, qtbot) -> None:
    opened.resize(960, 640)
    opened.set_size(22)
    QApplication.processEvents()
    for button in opened.glance_row.buttons:
        font = button.font_for(button.width() - 4 * UNIT)
        assert font.pixelSize() >= 18
        assert button.height() >= 2 * QFontMetrics(font).lineSpacing()


@pytest.mark.parametrize("size", [15, 24])
def test_what_a_figure_means_is_shown_on_the_screen_whole_as_large_as_the_rest(opened, size: int) -> None:
    opened.set_size(size)
    screen = opened.screen().availableGeometry()
    opened.move(screen.right() - 300, screen.bottom() - 150)
    for button in opened.glance_row.buttons:
        button.click()
        (popup,) = (one for one in button.findChildren(QWidget, "explanation") if one.isVisible())
        assert screen.contains(popup.frameGeometry())
        assert {label.font().pixelSize() for label in popup.findChildren(QLabel)} == {button.font().pixelSize()}
        popup.close()


def test_the_tabs_come_back_when_the_text_is_small_again(opened) -> None:
    QApplication.processEvents()
    assert opened.workspace.findings.tabs.isVisible()
    opened.set_size(24)
    QApplication.processEvents()
    assert not opened.workspace.findings.tabs.isVisible()
    opened.set_size(15)
    QApplication.processEvents()
    assert opened.workspace.findings.tabs.isVisible()


def test_beside_an_open_card_the_list_shows_more_than_a_row(small) -> None:
    QApplication.processEvents()
    listed = small.workspace.findings.lists[0]
    rows = [listed.sizeHintForRow(n) for n, row in enumerate(listed.rows.rows) if row.finding is not None]
    assert listed.height() >= 2 * min(rows)


def test_a_word_that_is_longer_than_a_line_neither_widens_the_window_nor_is_cut_off(opened, qtbot, tmp_path) -> None:
    opened.resize(1280, 800)
    note = tmp_path / f"{'A' * 180}.md"
    note.write_text(NOTE.replace("The weather", "Wuff" * 60), "utf-8")
    with qtbot.waitSignal(opened.session.evaluation_finished, timeout=10_000):
        opened.files.open_note(note)
    opened.commands["save_note"].trigger()
    qtbot.waitUntil(lambda: opened.banner.text.startswith("Saved AAAA"))
    QApplication.processEvents()
    assert opened.width() == 1280
    assert opened.minimumSizeHint().width() <= SMALL.width()
    opened.commands["tab_3"].trigger()
    rows = opened.workspace.findings.lists[2]
    long = next(n for n, row in enumerate(rows.rows.rows) if "WuffWuff" in row.title)
    usual = next(n for n, row in enumerate(rows.rows.rows) if "drinks less" in row.title)
    height, line = (rows.visualRect(rows.rows.index(n)).height() for n in (long, usual))
    assert height > line + rows.fontMetrics().height()


def test_the_judges_settings_can_be_saved_on_a_low_screen(opened, qtbot) -> None:
    opened.commands["judge_settings"].trigger()
    shown = opened.findChild(JudgeSettings)
    shown.resize(SMALL)
    QApplication.processEvents()
    assert shown.height() == SMALL.height()
    assert shown.rect().contains(shown.save.mapTo(shown, shown.save.rect().bottomRight()))
    shown.close()
