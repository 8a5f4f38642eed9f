"""Comments on the note under review: on the selected words or the place at hand, changed, removed, banked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.supervision import BankComment
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.commenting import CommentDialog
from noteeval_desktop.ui.supervision.note_view import NoteView
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.supervision.review_session import ReviewSession
from noteeval_desktop.ui.widgets.jobs import while_alive

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
        one = self._session
        chosen = self._note.chosen_span() or (self._at_caret() if self._note.hasFocus() else None)
        span, place = chosen or one.span or Span(0, 0), one.place
        item = place.id if place and one.stage is Stage.COMPLETENESS else None
        turns = (int(place.id),) if place and one.stage is Stage.RISK and chosen is None else ()
        self._open(Comment(span, span.of(one.note.text), "", item, turns), None)

    def _at_caret(self) -> Span | None:
        """The sentence there, also with the caret behind its last letter."""
        at, sentences = self._note.caret(), self._session.note.sentences
        return next((one.span for one in sentences if one.span.start <= at <= one.span.end), None)

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
        if not session.may_comment:
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
