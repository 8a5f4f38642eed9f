"""The window in which a note is reviewed: session, note and the panel of marks, by keyboard from end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present.vocabulary import RISK_NAMES, STANDING_NAMES
from noteeval_desktop.ui.case.autosave import now
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.scorecard.pdf_dialog import SavePdf
from noteeval_desktop.ui.supervision.comments import Comments, NoteView
from noteeval_desktop.ui.supervision.endings import Endings, Saver
from noteeval_desktop.ui.supervision.pages import highlights, page, transcript
from noteeval_desktop.ui.supervision.panel import ARROWS, Panel
from noteeval_desktop.ui.supervision.passes import KIND_KEY, STAGE_NAMES, Stage
from noteeval_desktop.ui.supervision.review_session import OpenReview, ReviewSession
from noteeval_desktop.ui.widgets.help_window import help_window
from noteeval_desktop.ui.widgets.jobs import problem
from noteeval_desktop.ui.widgets.parts import ToolButton, button, choice, column, grounded, row
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel, explain, menu_text, native, read_in_order
from noteeval_desktop.ui.widgets.shell import Banner, KeyedWindow
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at
from noteeval_desktop.ui.widgets.words import turn_list

_COMMANDS = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier)
_ALL_MARKED = tr("Everything is marked. {key} submits your marks.")


class ReviewWindow(KeyedWindow):
    """``closed`` when the window goes.

    A main window: on Linux a screen reader takes only that, or a dialog, for a window. Keys of single letters reach it
    from every pane but the fields that are typed in.
    """

    closed = Signal()

    def __init__(
        self,
        shown: OpenReview,
        access: Access,
        rubric: Rubric,
        reading_size: int,
        help_text: Path,
        save_pdf: SavePdf,
        parent: QWidget,
    ) -> None:
        """``save_pdf`` writes the scorecard with the review."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Review"))
        self._help_text = help_text
        self.session = ReviewSession(shown, shown.rubric or rubric)
        self.page = page(self.session)
        assert access.library is not None
        self.saver = Saver(access, access.library, shown.case_id, self)
        self.banner = Banner()
        self.transcript = TranscriptPane()
        self.note = NoteView()
        self.panel = Panel()
        self.risk_menu = QMenu(self)
        self._build()
        for text in (self.transcript, self.note):
            text.set_reading_size(reading_size)
        self.endings = Endings(self, self.session, access, self.saver, self.banner, save_pdf)
        self.comments = Comments(self, self.session, self.note, access)
        self._connect()
        self.transcript.show_transcript(transcript(self.session))
        self.note.set_note_text(self.session.note.text)
        self.note.show_headings(self.session.note)
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
        read_in_order(split)
        body = QWidget()
        self.setCentralWidget(body)
        column(self._head(), self.banner, (split, 1), self._foot(), on=body, margins=(0,), spacing=0)

    def _head(self) -> QWidget:
        head = grounded(QWidget(), "header")
        self.chips = {stage: _switch() for stage in Stage}
        for stage, chip in self.chips.items():
            chip.clicked.connect(lambda _=False, stage=stage: self.go_to(stage))
        submit = tr("Submit marks")
        self.hand_in = button(submit, lambda: self.endings.hand_in(), "primary", native("Ctrl+Enter"), height=HIT)
        self.hand_in.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all = _switch(
            tr("Ask all"),
            tr(
                "You are asked what only a person should judge: mentions of risk, the mandatory items, what the note "
                "says about risk, medication, diagnosis and plan, and whether you would accept it. The rest keeps the "
                "check’s marks, labeled as the check’s. Switch this on to mark all of it yourself."
            ),
        )
        self.judges = choice(tr("Compared with this judge"))
        self.judges.setMaximumWidth(26 * UNIT)
        last = self.all, self.judges, self.hand_in
        row(*self.chips.values(), None, *last, on=head, margins=(2, 0.5, 1, 0.5), spacing=0.5)
        return head

    def _foot(self) -> QWidget:
        foot = grounded(QWidget(), "status_line")
        foot.setMinimumHeight(HIT + 4)
        self.letters = _switch(
            tr("Letter keys"),
            tr(
                "Single letters and digits answer the question at hand. Switch them off if you dictate or often hit a "
                "key by accident; the buttons do the same."
            ),
        )
        self.letters.setChecked(True)
        self.keys = ElidedLabel("", look="muted")
        self.whose = ElidedLabel("", look="muted")
        self.saved = PlainLabel("", look="muted")
        row(self.letters, (self.keys, 1), self.whose, self.saved, on=foot, margins=(2, 0.25, 2, 0.25), spacing=2)
        return foot

    def _connect(self) -> None:
        self.panel.chosen.connect(self.press)
        self.panel.went.connect(self.go)
        view = self.transcript.view
        view.clicked.connect(lambda index: self.toggle_turn(index.row()))
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(lambda _: self.add_risk())
        self.transcript.search.closed.connect(self.panel.list.setFocus)
        self.note.clicked_at.connect(self._go_to_sentence)
        self.all.clicked.connect(self.ask_all)
        self.judges.activated.connect(self._use_judge)
        self.saver.kept.connect(lambda _: self.saved.setText(tr("Saved {when}").format(when=f"{now():%H:%M:%S}")))
        self.saver.failed.connect(self._on_unsaved)
        self.comments.changed.connect(self.changed)
        self.comments.failed.connect(lambda error: self.banner.say(problem(error)))
        self.endings.settled.connect(self.changed)
        self.endings.uncovered.connect(self._on_uncovered)
        self.endings.finished.connect(self.refresh)
        for watched in (self.panel.list, self.note, view, self):
            watched.installEventFilter(self)
        for number in map(str, range(len(Stage))):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda number=number: self._go_to_number(number))
        for key, act in (
            ("Ctrl+Z", lambda: self._change(self.session.undo)),
            ("Ctrl+Shift+Z", lambda: self._change(self.session.redo)),
            ("Ctrl+Y", lambda: self._change(self.session.redo)),
            ("Ctrl+F", self.transcript.search.open_search),
            ("Ctrl+Return", self.endings.hand_in),
            ("Ctrl+Enter", self.endings.hand_in),
            ("F6", self.next_pane),
            ("F1", self.show_keys),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(key), self, act)

    # Showing

    def refresh(self) -> None:
        """Everything as the review stands now."""
        one, review = self.session, self.session.review
        self.page = page(one)
        self.panel.show_page(self.page)
        self.keys.setText(self.page.keys)
        # What goes goes first: for a moment the window would take the width of both, and keep it.
        for part in (self.hand_in, self.all):
            part.setVisible(review.blind)
        progress, stages, keyed = one.progress(), one.stages, one.stage_keys
        for stage, chip in self.chips.items():
            done, total = progress.get(stage, (0, 0))
            name = STAGE_NAMES[stage]
            counted = tr("{stage} {done} of {total}").format(stage=name, done=done, total=total) if total else name
            # In little room: what is done needs no numbers.
            chip.setText(menu_text(f"✓ {name}" if total and done == total else counted))
            chip.setAccessibleName(counted)
            chip.setVisible(stage in stages)
            explain(chip, native(f"Ctrl+{keyed[stage]}") if stage in stages else "")
            chip.setChecked(stage is one.stage)
        self.all.setChecked(not one.asked_only)
        names = one.judge_names
        self.judges.setVisible(len(names) > 1)
        if self.judges.count() != len(names):
            self.judges.clear()
            self.judges.addItems([tr("Compared with: {judge}").format(judge=name) for name in names])
        self.judges.setCurrentIndex(one.judge)
        self._show_whose()
        self.note.show_marks(highlights(one))
        self.note.show_comments([(comment.span, comment.text) for comment in review.comments])
        if one.span is not None:
            self.note.reveal(one.span)
        else:
            self.note.forget_passage()
        self.transcript.show_citations(one.citations, scroll=one.stage in (Stage.RISK, Stage.DIFFERENCES))

    def _show_whose(self) -> None:
        shown, review = self.session.shown, self.session.review
        if review.unblinded:
            said = tr("{rater} · not blind").format(rater=review.rater)
            why = tr(
                "Not blind: the judge’s marks on this note were seen in this library before. They stay hidden here "
                "until you submit yours. The scorecard says so, and the review is not used to compare raters."
            )
        else:
            said = tr("{rater} · blind").format(rater=review.rater)
            why = tr("Blind: the judge’s marks and whose note it is stay hidden until you submit yours.")
        if not review.blind and shown.labels is not None:
            said = tr("{whose} · {status} · reviewed by {rater}").format(
                whose=" · ".join(part for part in (shown.labels.label, shown.labels.clinician) if part),
                status=STANDING_NAMES[shown.stand.standing],
                rater=review.rater,
            )
        self.whose.setText(said)
        explain(self.whose, why if review.blind else "")

    def _on_uncovered(self) -> None:
        self.transcript.show_transcript(transcript(self.session))
        self.refresh()
        self.panel.list.setFocus()

    def _on_unsaved(self, error: Exception) -> None:
        self.saved.setText(tr("Not saved"))
        self.banner.say(problem(error))

    # What the keys do

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._handle(watched, event)
        return super().eventFilter(watched, event)

    def _handle(self, watched: QObject, event: QKeyEvent) -> bool:
        """True where the key was for the review and not for ``watched``."""
        if any(event.modifiers() & modifier for modifier in _COMMANDS):
            return False
        key = Qt.Key(event.key())
        at_home = watched in (self.panel.list, self) and self.panel.focused() is None
        if key in ARROWS and at_home:
            self.go(self.session.at + ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (answer := self.panel.focused()) is not None:
                self.panel.buttons[answer].click()
            else:
                self.session.go_on()
                self.refresh()
        elif key == Qt.Key.Key_Backspace:
            self.go(self.session.at - 1)
        elif key == Qt.Key.Key_Escape:
            self.panel.list.setFocus()
        elif key == Qt.Key.Key_Delete and self.session.stage in (Stage.COMMENTS, Stage.ANSWER):
            self.comments.remove()
        elif key == Qt.Key.Key_Space and self.panel.focused() is None:
            index = self.transcript.view.currentIndex()
            if index.isValid():
                self.toggle_turn(index.row())
        else:
            return self._letter(event.text().upper())
        return True

    def _letter(self, letter: str) -> bool:
        if not self.letters.isChecked():
            return False
        commands: dict[str, Callable[[], object]] = {
            "J": self.next_open,
            "C": self.comments.write,
            "F": self._find_words,
            "+": self.add_risk,
            "/": self.transcript.search.open_search,
        }
        if self.session.stage is Stage.ANSWER:
            commands["E"] = self.comments.edit
        if letter in commands:
            commands[letter]()
        elif len(letter) == 1 and letter.isalnum():
            self.press(letter)
        else:
            return False
        return True

    def press(self, key: str) -> None:
        session = self.session
        if session.writing:
            return
        if session.stage is Stage.ANSWER:
            self.endings.answer(key)
        elif session.stage is Stage.COMMENTS and key in ("E", "D"):
            (self.comments.edit if key == "E" else self.comments.remove)()
        elif session.stage is Stage.RISK and key == KIND_KEY:
            self._ask_kind()
        elif session.stage is Stage.DIFFERENCES and key == "O":
            self.endings.settle_other()
        elif session.press(key):
            self.changed()
            # The last mark alone leads nowhere: what comes next is said.
            if session.review.blind and session.all_marked:
                self.banner.say(_ALL_MARKED.format(key=native("Ctrl+Enter")))
            return
        self.refresh()

    def _change(self, act: Callable[[], bool]) -> None:
        if not self.session.writing and act():
            self.changed()

    def changed(self) -> None:
        """Something of the review is new: keep it and show it."""
        self.banner.hide()
        self.saver.save(self.session.review)
        self.refresh()

    def go(self, at: int) -> None:
        self.session.go(at)
        self.refresh()

    def _go_to_sentence(self, offset: int) -> None:
        if self.session.go_to_sentence(offset):
            self.refresh()

    def go_to(self, stage: Stage) -> None:
        self.session.show(stage)
        self.refresh()
        self.panel.list.setFocus()

    def _go_to_number(self, number: str) -> None:
        for stage, key in self.session.stage_keys.items():
            if key == number and stage in self.session.stages:
                self.go_to(stage)

    def next_open(self) -> None:
        if not self.session.next_open():
            answer = self.session.stage_keys.get(Stage.ANSWER, "")
            said, key = tr("Every difference is settled. {key} goes on to the answer."), f"Ctrl+{answer}"
            if self.session.review.blind:
                said, key = _ALL_MARKED, "Ctrl+Enter"
            self.banner.say(said.format(key=native(key)))
        self.refresh()

    def toggle_turn(self, turn: int) -> None:
        self.session.toggle_turn(turn)
        self.saver.save(self.session.review)
        self.refresh()

    def _find_words(self) -> None:
        """The turn that shares most with the sentence; again: the next one."""
        if self.session.stage is not Stage.FAITHFULNESS or self.session.place is None:
            return
        turn = self.session.next_alike()
        if turn is not None:
            self.transcript.scroll_to(turn)
        else:
            said = tr("No turn shares a word with this sentence. Search the session with {key}.")
            self.banner.say(said.format(key=native("Ctrl+F")))

    # Dangers that no judge listed, or called otherwise

    def add_risk(self) -> None:
        """At the turn that the session stands at."""
        view, index = self.transcript.view, self.transcript.view.currentIndex()
        if not self.session.review.blind:
            return
        if not index.isValid():
            self.banner.say(tr("Select the turn in the session first, then press +."))
            return
        turn = index.row()

        def add(kind: RiskKind) -> None:
            self.session.add_risk(kind, turn)
            self.panel.list.setFocus()
            said = tr("Added: {danger}, {turn}, marked as not in the note. {key} takes it back.")
            self._say_danger(said, kind, turn)

        asked = tr("Add {turn} as a risk:").format(turn=turn_list((turn,)).lower())
        self._ask_danger(asked, add, view.viewport().mapToGlobal(view.visualRect(index).center()))

    def _ask_kind(self) -> None:
        """Which danger the passage at hand is, where the list has it as another."""
        turn = self.session.risk_at_hand
        if turn is None:
            return

        def name(kind: RiskKind) -> None:
            self.session.name_risk(kind)
            self._say_danger(tr("Marked as {danger}, {turn}. {key} takes it back."), kind, turn)

        asked = tr("{turn} is:").format(turn=turn_list((turn,)))
        self._ask_danger(asked, name, self.panel.mapToGlobal(self.panel.rect().center()))

    def _ask_danger(self, asked: str, act: Callable[[RiskKind], object], at: QPoint) -> None:
        self.risk_menu.clear()
        self.risk_menu.addAction(asked).setEnabled(False)
        self.risk_menu.addSeparator()
        for kind in RiskKind:
            action = QAction(RISK_NAMES[kind], self.risk_menu)
            action.triggered.connect(lambda _=False, kind=kind: act(kind))
            self.risk_menu.addAction(action)
        self.risk_menu.popup(at)

    def _say_danger(self, said: str, kind: RiskKind, turn: int) -> None:
        self.changed()
        danger, where = RISK_NAMES[kind].lower(), turn_list((turn,)).lower()
        self.banner.say(said.format(danger=danger, turn=where, key=native("Ctrl+Z")))

    # The window

    def ask_all(self, everything: bool) -> None:
        """Or only what a person must judge."""
        self.session.ask(not everything)
        self.refresh()
        self.panel.list.setFocus()

    def show_keys(self) -> None:
        help_window(self, tr("Keys of the review"), self._help_text).show()

    def next_pane(self) -> None:
        panes = (self.panel.list, self.transcript.view, self.note)
        at = next((n for n, pane in enumerate(panes) if pane.hasFocus()), -1)
        panes[(at + 1) % len(panes)].setFocus()

    def _use_judge(self, number: int) -> None:
        self.session.use_judge(number)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Only now the panes have their widths: what is at hand is brought into view again."""
        super().showEvent(event)
        QTimer.singleShot(0, self.refresh)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.saver.hand_over()
        self.closed.emit()
        event.accept()


def _switch(text: str = "", explained: str = "") -> QToolButton:
    switch = ToolButton()
    switch.setText(menu_text(text))
    switch.setProperty("look", "chip")
    switch.setCheckable(True)
    switch.setMinimumHeight(HIT)
    switch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    explain(switch, explained)
    return switch
