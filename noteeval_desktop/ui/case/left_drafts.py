"""Drafts of windows that ended without closing: each stays until its owner brings it back or deletes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.phrases import counted, day, tr
from noteeval_desktop.store.beside import Draft, Orphan
from noteeval_desktop.ui.case.opening import CaseDesk
from noteeval_desktop.ui.widgets import parts
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.jobs import while_alive
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import UNIT, open_at
from noteeval_desktop.ui.widgets.words import CLOSE, RESTORE, SHOW_THEM


class LeftDrafts(QObject):
    def __init__(self, window: Shell, case: CaseDesk, open_kept: Callable[[str, Callable[[], object]], object]) -> None:
        """``open_kept`` opens a case of the library by its id, and calls what it gets once that is unlocked."""
        super().__init__(window)
        self._window, self._case, self._open_kept = window, case, open_kept
        self.dialog: DraftList | None = None
        case.autosave.find_orphans(self._offer)

    def show(self) -> None:
        """All of them, in a list."""
        self._case.autosave.find_orphans(self._show)

    def _offer(self, found: Sequence[Orphan]) -> None:
        banner, show = self._window.banner, (SHOW_THEM, self.show)
        before = [banner.text] if banner.text else []
        kept = next((one for one in found if one.case_id), None)
        if kept is not None and len(found) == 1:
            said = tr("A case in the library has unsaved changes of {when}, when NoteEval last closed.")
            said = said.format(when=_when(kept))
            banner.say(" ".join([*before, said]), [(tr("Open it…"), partial(self.bring_back, kept))])
        elif len(found) == 1:
            said = tr("A case was not saved when NoteEval last closed. A draft of {when} is still there.")
            said = said.format(when=_when(found[0]))
            bring, delete = partial(self.bring_back, found[0]), partial(self.ask, found[0])
            banner.say(" ".join([*before, said]), [(RESTORE, bring), (tr("Delete it…"), delete)])
        elif found:
            said = tr("Some cases were not saved when NoteEval last closed. {drafts} are still there.")
            said = said.format(drafts=counted(len(found), "draft"))
            banner.say(" ".join([*before, said]), [show])

    def _show(self, found: Sequence[Orphan]) -> None:
        shown = DraftList(found, self._window)
        shown.restore_asked.connect(lambda: self._bring_chosen(shown))
        shown.delete_asked.connect(lambda: self._delete_chosen(shown))
        shown.finished.connect(shown.deleteLater)
        self.dialog = shown
        shown.open()

    def _bring_chosen(self, shown: DraftList) -> None:
        chosen = shown.chosen
        if chosen is not None:
            shown.accept()
            self.bring_back(chosen)

    def _delete_chosen(self, shown: DraftList) -> None:
        if shown.chosen is not None:
            self.ask(shown.chosen)

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
        if sure(shown or self._window, orphan):
            gone = while_alive(shown, lambda _: shown.remove(orphan)) if shown is not None else lambda _: None
            self._case.autosave.throw_away(orphan.id, gone)


class DraftList(QDialog):
    restore_asked, delete_asked = Signal(), Signal()

    def __init__(self, found: Sequence[Orphan], parent: QWidget) -> None:
        super().__init__(parent)
        title = tr("Unsaved drafts")
        self.setWindowTitle(title)
        self._found = list(found)
        self._said = PlainLabel("", wrap=True)
        self.list = table(title, ((tr("Kept"), 180), (tr("Note"), 140), (tr("Session"), 140)))
        self.bring = button(RESTORE, self.restore_asked.emit, "primary")
        self.delete = button(tr("Delete it…"), self.delete_asked.emit)
        self.list.currentItemChanged.connect(lambda *_: self._enable())
        buttons = row(self.delete, None, button(CLOSE, self.reject), self.bring, spacing=1)
        column(self._said, (self.list, 1), buttons, on=self, margins=(2,), spacing=1)
        open_at(self, 64 * UNIT, 40 * UNIT)
        self._fill()

    def _enable(self) -> None:
        """What the library holds is deleted there."""
        self.bring.setEnabled(self.chosen is not None)
        self.delete.setEnabled(self.chosen is not None and not self.chosen.case_id)

    @property
    def chosen(self) -> Orphan | None:
        item = self.list.currentItem()
        return item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None

    def remove(self, orphan: Orphan) -> None:
        self._found.remove(orphan)
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        lines = [line((_when(one), *_held(one)), one) for one in self._found]
        self.list.addTopLevelItems(lines)
        if lines:
            self.list.setCurrentItem(lines[0])
        self._enable()
        self._said.setText(
            tr("These cases were not saved when NoteEval last closed. Each draft stays until you restore or delete it.")
            if self._found
            else tr("There are no unsaved drafts.")
        )


def sure(parent: QWidget, orphan: Orphan) -> bool:
    asked = tr("Delete the draft of {when} for good?").format(when=_when(orphan))
    explained = tr("It was never saved. You cannot get it back afterwards.")
    return parts.sure(parent, asked, explained, tr("Delete"), tr("Keep it"))


def _held(orphan: Orphan) -> tuple[str, ...]:
    if orphan.case_id:
        return (tr("a case in the library"),)
    return counted(orphan.words, "word"), counted(orphan.turns, "turn")


def _when(orphan: Orphan) -> str:
    return f"{day(orphan.saved)}, {orphan.saved:%H:%M}"
