"""Comments on the note under review: on the selected words or the place at hand, changed, removed, banked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QListWidgetItem, QPlainTextEdit, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.supervision import BankComment
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.supervision.review_session import ReviewSession
from noteeval_desktop.ui.widgets.jobs import while_alive
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, row, tick, wrapped_list
from noteeval_desktop.ui.widgets.plain import PlainLabel, native, shortened
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import CANCEL


class NoteView(NoteEditor):
    """``clicked_at(int)``: an offset of the note, where nothing was selected."""

    clicked_at = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keys)
        self.setAccessibleName(tr("Note under review"))

    def chosen_span(self) -> Span | None:
        """The words that are selected, without the blanks around them; None: nothing is."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        positions = Positions(self.document().toRawText())
        start = positions.to_text(cursor.selectionStart())
        words = positions.text[start : positions.to_text(cursor.selectionEnd())]
        if not words.strip():
            return None
        start += len(words) - len(words.lstrip())
        return Span(start, start + len(words.strip()))

    def caret(self) -> int:
        """An offset of the note."""
        return Positions(self.document().toRawText()).to_text(self.textCursor().position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            positions = Positions(self.document().toRawText())
            at = self.cursorForPosition(event.position().toPoint()).position()
            self.clicked_at.emit(positions.to_text(at))


_COMMENT = Qt.ItemDataRole.UserRole


class _Field(QPlainTextEdit):
    """Down goes from the text into the bank; Tab leaves it."""

    down = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at_end = self.textCursor().blockNumber() == self.blockCount() - 1
        if event.key() == Qt.Key.Key_Down and at_end:
            self.down.emit()
            return
        super().keyPressEvent(event)


class CommentDialog(Window):
    """``written(Comment)`` when it is done; ``changed(BankComment)`` and ``removed(BankComment)`` for the bank.

    What is typed filters the bank; Enter on one of its comments takes it over.
    """

    written = Signal(object)
    changed = Signal(object)
    removed = Signal(object)

    def __init__(
        self, parent: QWidget, rubric: Rubric, bank: Sequence[BankComment], on: Comment, said: str = ""
    ) -> None:
        """``on``: where the comment goes, and what it says so far; ``said`` in the turns that it is about."""
        super().__init__(parent, tr("Comment"), (66 * UNIT, 66 * UNIT))
        self.setModal(True)
        self._bank, self._on, self._said = tuple(bank), on, said
        self._editing: BankComment | None = None
        items = ((tr("Any item"), None), *((each.name, each.id) for each in rubric.items))
        self.item = choice(tr("Checklist item"), items, on.item)
        self.item.currentIndexChanged.connect(lambda _: self._show_bank())
        self.text = _Field()
        self.text.setAccessibleName(tr("Comment"))
        self.text.setPlaceholderText(tr("What should the author know or do?"))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(11 * UNIT)
        self.list = wrapped_list(tr("Comment bank"))
        self.list.itemActivated.connect(self._take)
        self.text.textChanged.connect(self._show_bank)
        self.text.down.connect(self.list.setFocus)
        self.text.down.connect(lambda: self.list.setCurrentRow(0))
        said, turns = shortened(self._said, 160), self._on.turns
        if turns:
            about = tr("On {turns}: “{said}”").format(turns=turn_list(turns), said=said)
        else:
            about = tr("On “{said}”").format(said=said) if said else tr("On the note as a whole")
        self.keep = tick(tr("Save to the bank"), hint=native("Ctrl+K"))
        self.edit, self.remove = button(tr("Edit"), self._edit), button(tr("Remove"), self._remove)
        self.go = button(tr("Comment"), self._done, "primary", native("Ctrl+Enter"))
        column(
            PlainLabel(about, look="muted", wrap=True),
            row(PlainLabel(tr("About")), (self.item, 1)),
            self.text,
            PlainLabel(tr("Comment bank: ↓ then Enter uses one"), look="muted"),
            (self.list, 1),
            row(self.keep, None, self.edit, self.remove),
            row(None, button(CANCEL, self.reject), self.go),
            on=self,
            margins=(2,),
            spacing=1,
        )
        self.list.currentItemChanged.connect(lambda *_: self._enable())
        for key in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(key), self, self._done)
        QShortcut(QKeySequence("Ctrl+K"), self, self.keep.toggle)
        QShortcut(QKeySequence.StandardKey.Delete, self.list, self._remove, context=Qt.ShortcutContext.WidgetShortcut)
        self._enable()
        self.text.setPlainText(on.text)
        self._show_bank()
        self.text.setFocus()

    # The bank

    def show_bank(self, bank: Sequence[BankComment]) -> None:
        self._bank = tuple(bank)
        self._show_bank()

    def _show_bank(self) -> None:
        """Those about the item first, then those about any; only with the words that were typed, if some have them."""
        about, typed = self.item.currentData(), self.text.toPlainText().casefold().split()
        fitting = [one for one in self._bank if one.item in (about, None)] if about else list(self._bank)
        fitting.sort(key=lambda one: (one.item != about, one.id == 0))
        having = [one for one in fitting if all(word in one.text.casefold() for word in typed)]
        self.list.clear()
        for one in having or fitting:
            item = QListWidgetItem(tr("{comment}  (own)").format(comment=one.text) if one.id else one.text)
            item.setData(_COMMENT, one)
            self.list.addItem(item)
        self._enable()

    def _chosen(self) -> BankComment | None:
        here = self.list.currentItem()
        chosen: BankComment | None = here.data(_COMMENT) if here is not None else None
        return chosen

    def _enable(self) -> None:
        one = self._chosen()
        for act in (self.edit, self.remove):
            act.setEnabled(one is not None and bool(one.id))

    def _take(self, item: QListWidgetItem) -> None:
        one: BankComment = item.data(_COMMENT)
        self._write(one.text)
        if one.item and self.item.currentData() is None:
            self.item.setCurrentIndex(self.item.findData(one.item))

    def _write(self, text: str) -> None:
        self.text.setPlainText(text)
        self.text.setFocus()
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    def _edit(self) -> None:
        """An own comment comes into the field; with "Save to the bank" it is changed there."""
        one = self._chosen()
        if one is not None and one.id:
            self._editing = one
            self.keep.setChecked(True)
            self._write(one.text)

    def _remove(self) -> None:
        one = self._chosen()
        if one is not None and one.id:
            self.removed.emit(one)

    # Done

    def keep_typed(self) -> None:
        text = self.text.toPlainText().strip()
        if text:
            self.written.emit(replace(self._on, text=text, item=self.item.currentData()))
        self.reject()

    def _done(self) -> None:
        text = self.text.toPlainText().strip()
        if not text:
            self.text.setFocus()
            return
        item = self.item.currentData()
        if self.keep.isChecked():
            self.changed.emit(BankComment(text, item, self._editing.id if self._editing else 0))
        self.written.emit(replace(self._on, text=text, item=item))
        self.accept()


Bank = tuple[BankComment, ...]


class Comments(QObject):
    """``changed`` once the session has one more, another or one less; ``failed(Exception)`` where the bank has not."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, window: QWidget, session: ReviewSession, note: NoteView, access: Access) -> None:
        super().__init__(window)
        self._window, self._session, self._note, self._access = window, session, note, access
        self.bank = session.shown.bank
        self.dialog: CommentDialog | None = None

    def write(self) -> None:
        """On the words selected in the note, else where somebody is in the note on the sentence at the caret, else on
        the place or the turn at hand, else on the note as a whole."""
        one, chosen = self._session, self._note.chosen_span()
        if chosen is None and self._note.hasFocus():
            # Also with the caret behind its last letter.
            at, sentences = self._note.caret(), one.note.sentences
            chosen = next((each.span for each in sentences if each.span.start <= at <= each.span.end), None)
        span, place = chosen or one.span or Span(0, 0), one.place
        item = place.id if place and one.stage is Stage.COMPLETENESS else None
        turns = (int(place.id),) if place and one.stage is Stage.RISK and chosen is None else ()
        self._open(Comment(span, span.of(one.note.text), "", item, turns), None)

    def edit(self) -> None:
        comment = self._session.comment_here
        if comment is not None:
            self._open(comment, comment)

    def remove(self) -> None:
        comment = self._session.comment_here
        if comment is not None and self._session.review.signature is None:
            self._session.remove_comment(comment)
            self.changed.emit()

    def _open(self, on: Comment, before: Comment | None) -> None:
        session = self._session
        if session.writing or session.review.signature is not None:
            return
        turns = session.shown.transcript.turns
        said = on.quote or " ".join(turns[turn].text for turn in on.turns)
        dialog = CommentDialog(self._window, session.rubric, self.bank, on, said)

        def written(comment: Comment) -> None:
            session.comment(comment, before)
            self.changed.emit()

        dialog.written.connect(written)
        dialog.changed.connect(lambda one: self._run(lambda library: work.keep_comment(library, one)))
        dialog.removed.connect(lambda one: self._run(lambda library: work.remove_comment(library, one)))
        dialog.finished.connect(lambda _: self._forget(dialog))
        self.dialog = dialog
        dialog.open()

    def keep_typed(self) -> None:
        """Before the library locks: a comment that is being typed becomes one, for nothing typed is lost."""
        if self.dialog is not None:
            self.dialog.keep_typed()

    def _forget(self, dialog: CommentDialog) -> None:
        self.dialog = None
        dialog.deleteLater()

    def _run(self, act: Callable[[Library], Bank]) -> None:
        dialog, failed = self.dialog, while_alive(self, self.failed.emit)

        def done(bank: Bank) -> None:
            self.bank = bank

        self._access.run(act, while_alive(self, done), failed)
        if dialog is not None:
            self._access.run(work.bank, while_alive(dialog, dialog.show_bank), failed)
