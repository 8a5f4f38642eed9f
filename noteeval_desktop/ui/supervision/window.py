"""The window in which a note is reviewed: session, note and the panel of marks, by keyboard from end to end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present import standing
from noteeval_desktop.ui.case.autosave import now
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane
from noteeval_desktop.ui.library import words as library_words
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.scorecard.pdf_dialog import SavePdf
from noteeval_desktop.ui.supervision import keys, words
from noteeval_desktop.ui.supervision.adding import AddRisk
from noteeval_desktop.ui.supervision.comments import Comments
from noteeval_desktop.ui.supervision.endings import Endings
from noteeval_desktop.ui.supervision.note_view import NoteView
from noteeval_desktop.ui.supervision.panel import Panel
from noteeval_desktop.ui.supervision.passes import KIND_KEY
from noteeval_desktop.ui.supervision.round import Round, Stage
from noteeval_desktop.ui.supervision.saving import Saver
from noteeval_desktop.ui.supervision.seeking import Seeker
from noteeval_desktop.ui.supervision.work import OpenReview
from noteeval_desktop.ui.widgets.banner import Banner
from noteeval_desktop.ui.widgets.help_window import help_window
from noteeval_desktop.ui.widgets.plain import (
    ElidedLabel,
    PlainLabel,
    explain,
    menu_text,
    name_choice,
    native,
    read_in_order,
)
from noteeval_desktop.ui.widgets.shell import KeyedWindow
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Theme, open_at


@dataclass(frozen=True, slots=True)
class Around:
    """What the window takes from the rest; ``save_pdf`` writes the scorecard with the review."""

    access: Access
    rubric: Rubric
    theme: Theme
    reading_size: int
    help_text: Path
    save_pdf: SavePdf


class ReviewWindow(KeyedWindow):
    """``status_changed`` once the case was returned, approved or taken in; ``closed`` when the window goes.

    A main window: on Linux a screen reader takes only that, or a dialog, for a window.
    """

    status_changed = Signal()
    closed = Signal()

    def __init__(self, shown: OpenReview, around: Around, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(words.REVIEW)
        self.around = around
        self.round = Round(shown, around.rubric)
        library = around.access.library
        assert library is not None
        self.saver = Saver(around.access, library, shown.case_id, self)
        self.banner = Banner()
        self.transcript = TranscriptPane(around.theme)
        self.note = NoteView(around.theme)
        self.panel = Panel(around.theme)
        self.waiting = False
        self._seeker = Seeker(shown.transcript)
        self._sought: tuple[int, ...] = ()
        self._sought_at = -1
        self._build()
        self.endings = Endings(self)
        self.comments = Comments(self, shown.bank)
        self.adding = AddRisk(self)
        self._connect()
        self.show_text()
        self.refresh()
        open_at(self, 1280, 800)
        self.panel.list.setFocus()

    # Its parts

    def _build(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        for part in (self.transcript, self.note, self.panel):
            split.addWidget(part)
        split.setSizes([330, 500, 450])
        self.transcript.strip.hide()
        self.transcript.set_reading_size(self.around.reading_size)
        self.note.set_reading_size(self.around.reading_size)
        read_in_order(split)
        body = QWidget()
        self.setCentralWidget(body)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head())
        layout.addWidget(self.banner)
        layout.addWidget(split, 1)
        layout.addWidget(self._foot())

    def _head(self) -> QWidget:
        head = QWidget()
        head.setObjectName("header")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.chips = {stage: self._chip(stage) for stage in Stage}
        self.hand_in = QPushButton(words.SUBMIT)
        self.hand_in.setProperty("look", "primary")
        explain(self.hand_in, native("Ctrl+Enter"))
        self.hand_in.setMinimumHeight(HIT)
        self.hand_in.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all = _switch(words.ASK_ALL, words.ASK_ALL_EXPLAINED)
        self.judges = QComboBox()
        name_choice(self.judges, words.COMPARED_WITH_THIS_JUDGE)
        self.judges.setMinimumHeight(HIT)
        self.judges.setMaximumWidth(26 * UNIT)
        row = QHBoxLayout(head)
        row.setContentsMargins(2 * UNIT, UNIT // 2, UNIT, UNIT // 2)
        row.setSpacing(UNIT // 2)
        for chip in self.chips.values():
            row.addWidget(chip)
        row.addStretch(1)
        row.addWidget(self.all)
        row.addWidget(self.judges)
        row.addWidget(self.hand_in)
        return head

    def _chip(self, stage: Stage) -> QToolButton:
        chip = QToolButton()
        chip.setProperty("look", "chip")
        chip.setCheckable(True)
        chip.setMinimumHeight(HIT)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.clicked.connect(lambda: self.go_to(stage))
        return chip

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setObjectName("status_line")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        foot.setMinimumHeight(HIT + 4)
        self.letters = _switch(words.LETTER_KEYS, words.LETTER_KEYS_EXPLAINED)
        self.letters.setChecked(True)
        self.keys = ElidedLabel("", look="muted")
        self.whose = ElidedLabel("", look="muted")
        self.saved = PlainLabel("", look="muted")
        row = QHBoxLayout(foot)
        row.setContentsMargins(2 * UNIT, 2, 2 * UNIT, 2)
        row.setSpacing(2 * UNIT)
        row.addWidget(self.letters)
        row.addWidget(self.keys, 1)
        row.addWidget(self.whose)
        row.addWidget(self.saved)
        return foot

    def _connect(self) -> None:
        self.panel.chosen.connect(self.press)
        self.panel.went.connect(self.go)
        self.transcript.view.clicked.connect(lambda index: self.toggle_turn(index.row()))
        self.transcript.search.closed.connect(self.panel.list.setFocus)
        self.note.clicked_at.connect(self._go_to_sentence)
        self.hand_in.clicked.connect(self.endings.hand_in)
        self.all.clicked.connect(self.ask_all)
        self.judges.activated.connect(self._use_judge)
        self.saver.kept.connect(lambda _: self.saved.setText(words.saved(now())))
        self.saver.failed.connect(self._on_unsaved)
        for watched in (self.panel.list, self.note, self.transcript.view, self):
            watched.installEventFilter(self)
        for number in map(str, range(len(Stage))):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda number=number: keys.go_to_number(self, number))
        for key, act in (
            ("Ctrl+Z", self.undo),
            ("Ctrl+Shift+Z", self.redo),
            ("Ctrl+Y", self.redo),
            ("Ctrl+F", self.transcript.open_search),
            ("Ctrl+Return", self.endings.hand_in),
            ("Ctrl+Enter", self.endings.hand_in),
            ("F6", self.next_pane),
            ("F1", self.show_keys),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(key), self, act)

    # Showing

    def show_text(self) -> None:
        shown = self.round.shown
        self.transcript.show_transcript(self.round.transcript)
        self.note.set_note_text(shown.note.text)
        self.note.show_headings(shown.note)

    def refresh(self) -> None:
        """Everything as the review stands now."""
        one, review = self.round, self.round.marking.review
        page = one.page
        self.panel.show_page(page)
        self.keys.setText(page.keys)
        # What goes goes first: for a moment the window would take the width of both, and keep it.
        for part in (self.hand_in, self.all):
            part.setVisible(review.blind)
        progress, keyed = one.progress(), keys.stage_keys(one.stages)
        for stage, chip in self.chips.items():
            counted = progress.get(stage, (0, 0))
            chip.setText(menu_text(words.stage_chip(stage.value, *counted)))
            chip.setAccessibleName(words.stage(stage.value, *counted))
            chip.setVisible(stage in one.stages)
            explain(chip, native(f"Ctrl+{keyed[stage]}") if stage in one.stages else "")
            chip.setChecked(stage is one.stage)
        self.all.setChecked(not one.marking.asked_only)
        self._show_judges()
        self._show_whose()
        self.note.show_marks(one.highlights)
        self.note.show_comments([(comment.span, comment.text) for comment in review.comments])
        if one.span is not None:
            self.note.reveal(one.span)
        else:
            self.note.forget_passage()
        self.transcript.show_citations(one.citations, scroll=one.stage in (Stage.RISK, Stage.DIFFERENCES))

    def _show_judges(self) -> None:
        names = self.round.judge_names
        self.judges.setVisible(len(names) > 1)
        if self.judges.count() != len(names):
            self.judges.clear()
            self.judges.addItems([words.compared_with(name) for name in names])
        self.judges.setCurrentIndex(self.round.judge)

    def _show_whose(self) -> None:
        shown, review = self.round.shown, self.round.marking.review
        blind = words.NOT_BLIND if review.unblinded else words.BLIND
        if review.blind or shown.labels is None:
            said = f"{review.rater} · {words.WORD_NOT_BLIND if review.unblinded else 'blind'}"
        else:
            whose = " · ".join(part for part in (shown.labels.label, shown.labels.clinician) if part)
            said = words.reviewed_by(whose, standing.NAMES[shown.stand.standing], review.rater)
        self.whose.setText(said)
        explain(self.whose, blind if review.blind else "")

    def _on_unsaved(self, error: Exception) -> None:
        self.saved.setText(words.NOT_SAVED)
        self.banner.say(library_words.problem(error))

    def set_theme(self, theme: Theme) -> None:
        for part in (self.transcript, self.note, self.panel):
            part.set_theme(theme)
        self.refresh()

    # What the keys do

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return keys.handle(self, watched, event)
        return super().eventFilter(watched, event)

    def press(self, key: str) -> None:
        """An answer's key or button."""
        if self.waiting:
            return
        if self.round.stage is Stage.ANSWER:
            self.endings.answer(key)
            self.refresh()
        elif self.round.stage is Stage.COMMENTS:
            {"E": self.comments.edit, "D": self.comments.remove}.get(key, self.refresh)()
        elif self.round.stage is Stage.RISK and key == KIND_KEY:
            self.adding.ask_kind()
        elif self.round.stage is Stage.DIFFERENCES and key == "O":
            self.endings.settle_other()
            self.refresh()
        elif self.round.press(key):
            self.changed()
            self._tell_all_marked()
        else:
            self.refresh()

    def _tell_all_marked(self) -> None:
        """That nothing is left to mark, and what comes next: the last mark alone leads nowhere."""
        marking = self.round.marking
        if marking.review.blind and all(done == total for done, total in marking.progress()):
            self.banner.say(words.NOTHING_OPEN)

    def go(self, at: int) -> None:
        self._sought = ()
        self.round.go(at)
        self.refresh()

    def _go_to_sentence(self, offset: int) -> None:
        if self.round.go_to_sentence(offset):
            self._sought = ()
            self.refresh()

    def step(self, by: int) -> None:
        self.go(self.round.at + by)

    def go_to(self, stage: Stage) -> None:
        self._sought = ()
        self.round.show(stage)
        self.refresh()
        self.panel.list.setFocus()

    def go_on(self) -> None:
        self.round.go_on()
        self._sought = ()
        self.refresh()

    def next_open(self) -> None:
        self._sought = ()
        if not self.round.next_open():
            blind = self.round.marking.review.blind
            answer = keys.stage_keys(self.round.stages).get(Stage.ANSWER, "")
            self.banner.say(words.NOTHING_OPEN if blind else words.all_settled(answer))
        self.refresh()

    def toggle_turn(self, turn: int) -> None:
        self.round.toggle_turn(turn)
        self.saver.save(self.round.marking.review)
        self.refresh()

    def find_words(self) -> None:
        """The turn that shares most with the sentence; again: the next one."""
        place = self.round.marking.place
        if self.round.stage is not Stage.FAITHFULNESS or place is None:
            return
        if not self._sought:
            self._sought, self._sought_at = self._seeker.turns_with_words_of(place.words), -1
        if self._sought:
            self._sought_at = (self._sought_at + 1) % len(self._sought)
            self.transcript.scroll_to(self._sought[self._sought_at])
        else:
            self.banner.say(words.NOTHING_ALIKE)

    def undo(self) -> None:
        if not self.waiting and self.round.undo():
            self.changed()

    def redo(self) -> None:
        if not self.waiting and self.round.redo():
            self.changed()

    def changed(self) -> None:
        """Something of the review is new: keep it and show it."""
        self._sought = ()
        self.banner.hide()
        self.saver.save(self.round.marking.review)
        self.refresh()

    def ask_all(self, everything: bool) -> None:
        """Or only what a person must judge."""
        self._sought = ()
        self.round.ask_only(not everything)
        self.refresh()
        self.panel.list.setFocus()

    def show_keys(self) -> None:
        help_window(self, words.KEYS_OF_THE_REVIEW, self.around.help_text).show()

    def next_pane(self) -> None:
        panes = (self.panel.list, self.transcript.view, self.note)
        at = next((n for n, pane in enumerate(panes) if pane.hasFocus()), -1)
        panes[(at + 1) % len(panes)].setFocus()

    def _use_judge(self, number: int) -> None:
        self.round.use_judge(number)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Only now the panes have their widths: what is at hand is brought into view again."""
        super().showEvent(event)
        QTimer.singleShot(0, self.refresh)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.saver.hand_over()
        self.closed.emit()
        event.accept()


def _switch(text: str, explained: str) -> QToolButton:
    switch = QToolButton()
    switch.setText(menu_text(text))
    switch.setProperty("look", "chip")
    switch.setCheckable(True)
    switch.setMinimumHeight(HIT)
    switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    explain(switch, explained)
    return switch
