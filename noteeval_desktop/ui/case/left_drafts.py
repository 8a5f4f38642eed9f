"""Drafts of windows that ended without closing: each stays until its owner brings it back or deletes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import counted, day, tr
from noteeval_desktop.store.drafts import Draft, Orphan
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.jobs import while_alive
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, show_once, sure
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import CLOSE, RESTORE, SHOW_THEM


def _when(orphan: Orphan) -> str:
    return f"{day(orphan.saved)}, {orphan.saved:%H:%M}"


_COLUMNS = (
    Column[Orphan](tr("Kept"), 180, _when),
    Column[Orphan](
        tr("Note"), 140, lambda one: tr("a case in the library") if one.case_id else counted(one.words, "word")
    ),
    Column[Orphan](tr("Session"), 140, lambda one: "" if one.case_id else counted(one.turns, "turn")),
)


class LeftDrafts(QObject):
    def __init__(self, window: Shell, case: CaseDesk, open_kept: Callable[[str, Callable[[], object]], object]) -> None:
        """``open_kept`` opens a case of the library by its id, and calls what it gets once that is unlocked."""
        super().__init__(window)
        self._window, self._case, self._open_kept = window, case, open_kept
        self.dialog: DraftList | None = None
        case.autosave.find_orphans(self._offer)

    def show(self) -> None:
        self._case.autosave.find_orphans(self._show)

    def _offer(self, found: Sequence[Orphan]) -> None:
        if not found:
            return
        if len(found) > 1:
            said = tr("Some cases were not saved when NoteEval last closed. {drafts} are still there.")
            ways = [(SHOW_THEM, self.show)]
        elif found[0].case_id:
            said = tr("A case in the library has unsaved changes from {when}, when NoteEval last closed.")
            ways = [(tr("Open it…"), partial(self.bring_back, found[0]))]
        else:
            said = tr("A case was not saved when NoteEval last closed. A draft from {when} is still there.")
            ways = [(RESTORE, partial(self.bring_back, found[0])), (tr("Delete it…"), partial(self.ask, found[0]))]
        said = said.format(when=_when(found[0]), drafts=counted(len(found), "draft"))
        self._window.banner.say(f"{self._window.banner.text} {said}".lstrip(), ways)

    def _show(self, found: Sequence[Orphan]) -> None:
        self.dialog = show_once(DraftList(found, self, self._window))

    def bring_back(self, orphan: Orphan) -> None:
        window, case = self._window, self._case
        if orphan.case_id:
            self._open_kept(orphan.case_id, lambda: case.autosave.throw_away(orphan.id, lambda _: None))
            return

        def taken(draft: Draft | None) -> None:
            if draft is None:
                window.banner.say(tr("This draft is open in another window or was deleted there."))
                return
            case.opening.close_unasked(keep_draft=True)
            case.session.restore(draft)

        if case.unsaved.settled():
            case.autosave.take(orphan.id, taken)

    def ask(self, orphan: Orphan) -> None:
        """Delete it for good, once that was meant."""
        shown = self.dialog if self.dialog is not None and self.dialog.isVisible() else None
        asked = tr("Delete the draft from {when} for good?").format(when=_when(orphan))
        explained = tr("It was never saved. You cannot get it back afterwards.")
        if sure(shown or self._window, asked, explained, tr("Delete"), tr("Keep it")):
            gone = while_alive(shown, lambda _: shown.remove(orphan)) if shown is not None else lambda _: None
            self._case.autosave.throw_away(orphan.id, gone)


class DraftList(Window):
    def __init__(self, found: Sequence[Orphan], drafts: LeftDrafts, parent: QWidget) -> None:
        title = tr("Unsaved drafts")
        super().__init__(parent, title, (64 * UNIT, 40 * UNIT))
        self._found, self._drafts = list(found), drafts
        self._said = PlainLabel("", wrap=True)
        self.list = Rows(title, _COLUMNS)
        self.bring = button(RESTORE, self._bring, "primary")
        self.delete = button(tr("Delete it…"), lambda: drafts.ask(self._chosen))
        self.list.currentItemChanged.connect(lambda *_: self._enable())
        buttons = row(self.delete, None, button(CLOSE, self.reject), self.bring, spacing=1)
        column(self._said, (self.list, 1), buttons, on=self, margins=(2,), spacing=1)
        self._fill()

    @property
    def _chosen(self) -> Orphan:
        chosen = self.list.chosen()
        assert chosen is not None
        return chosen

    def _enable(self) -> None:
        """What the library holds is deleted there."""
        chosen = self.list.chosen()
        self.bring.setEnabled(chosen is not None)
        self.delete.setEnabled(chosen is not None and not chosen.case_id)

    def _bring(self) -> None:
        chosen = self._chosen
        self.accept()
        self._drafts.bring_back(chosen)

    def remove(self, orphan: Orphan) -> None:
        self._found.remove(orphan)
        self._fill()

    def _fill(self) -> None:
        self.list.show_rows(self._found)
        self._enable()
        self._said.setText(
            tr("These cases were not saved when NoteEval last closed. Each draft stays until you restore or delete it.")
            if self._found
            else tr("There are no unsaved drafts.")
        )
