"""Comments on the note under review: on the selected words or the place at hand, changed, removed, banked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from noteeval_desktop.domain.review import Comment
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.supervision import BankComment
from noteeval_desktop.ui.library import words as library_words
from noteeval_desktop.ui.supervision import work
from noteeval_desktop.ui.supervision.commenting import CommentDialog
from noteeval_desktop.ui.supervision.round import Stage
from noteeval_desktop.ui.widgets.jobs import while_alive

if TYPE_CHECKING:
    from noteeval_desktop.ui.supervision.window import ReviewWindow

Bank = tuple[BankComment, ...]


class Comments:
    def __init__(self, window: ReviewWindow, bank: Bank) -> None:
        self._window, self.bank = window, bank
        self.dialog: CommentDialog | None = None

    def write(self) -> None:
        """On the words selected in the note, else where somebody is in the note on the sentence at the caret, else on
        the place or the turn at hand, else on the note as a whole."""
        window, one = self._window, self._window.round
        chosen = window.note.chosen_span() or (self._at_caret() if window.note.hasFocus() else None)
        span = chosen or one.span or Span(0, 0)
        place = one.marking.place.id if one.marking.place is not None else ""
        item = place if one.stage is Stage.COMPLETENESS and place else None
        turns = (int(place),) if one.stage is Stage.RISK and place and chosen is None else ()
        self._open(Comment(span, span.of(one.marking.note.text), "", item, turns), None)

    def _at_caret(self) -> Span | None:
        """The sentence there, also with the caret behind its last letter."""
        at, sentences = self._window.note.caret(), self._window.round.marking.note.sentences
        return next((one.span for one in sentences if one.span.start <= at <= one.span.end), None)

    def edit(self) -> None:
        comment = self._window.round.comment_here
        if comment is not None:
            self._open(comment, comment)

    def remove(self) -> None:
        comment = self._window.round.comment_here
        if comment is not None and self._window.round.marking.review.signature is None:
            self._window.round.marking.remove_comment(comment)
            self._window.changed()

    def _open(self, on: Comment, before: Comment | None) -> None:
        window = self._window
        marking = window.round.marking
        if window.waiting or marking.review.signature is not None:
            return
        turns = window.round.shown.transcript.turns
        said = on.quote or " ".join(turns[turn].text for turn in on.turns)
        dialog = CommentDialog(window, window.around.rubric, self.bank, on, said)

        def written(comment: Comment) -> None:
            marking.comment(comment, before)
            window.changed()

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
        window, dialog = self._window, self.dialog

        def done(bank: Bank) -> None:
            self.bank = bank

        def failed(error: Exception) -> None:
            window.banner.say(library_words.problem(error))

        access = window.around.access
        access.run(act, while_alive(window, done), while_alive(window, failed))
        if dialog is not None:
            access.run(work.bank, while_alive(dialog, dialog.show_bank), while_alive(window, failed))
