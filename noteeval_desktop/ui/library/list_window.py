"""The cases in the library: found by search and filters, sorted, and what can be done with them and with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QMenu, QPushButton, QWidget

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.store.records import CaseQuery
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.case_acts import CaseActs
from noteeval_desktop.ui.library.case_list import CaseList
from noteeval_desktop.ui.library.filters import Filters
from noteeval_desktop.ui.widgets.jobs import problem, while_alive
from noteeval_desktop.ui.widgets.parts import MenuButton, button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, open_at

_LOCK_AFTER = (5, 15, 30, 60)


class LibraryWindow(QDialog):
    """``listed`` after each reading of the list; ``minutes_chosen(int)`` before locking.

    ``about`` are the window's commands about the library itself (its keys, backups and so on).
    """

    lock_asked = Signal()
    minutes_chosen = Signal(int)
    listed = Signal()

    def __init__(self, access: Access, lock_minutes: int, about: tuple[QAction, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Library"))
        self._access = access
        self._query = CaseQuery()
        self._total, self._reading = 0, False
        self._news, self._arrived = "", ""
        self.filters = Filters(self)
        self.list = CaseList(self)
        self.acts = CaseActs(access, self.list.chosen, self)
        self.said = PlainLabel("", look="muted", wrap=True)
        column(
            self.filters,
            (self.list, 1),
            self._about_the_library(lock_minutes, about),
            self._about_the_case(),
            on=self,
            margins=(2,),
        )
        open_at(self, 1180, 600)
        self._connect()
        self._enable()
        self.list.setFocus()
        self.refresh()

    def _about_the_case(self) -> QHBoxLayout:
        acts = self.acts
        buttons = [_button(action) for action in (*acts.of_case, acts.importing)]
        buttons[0].setProperty("look", "primary")
        return row(*buttons, None, spacing=1)

    def _about_the_library(self, lock_minutes: int, about: tuple[QAction, ...]) -> QHBoxLayout:
        more = MenuButton(tr("The library ▾"))
        menu = QMenu(more)
        menu.addActions(about)
        more.setMenu(menu)
        self.minutes = QComboBox()
        name_choice(self.minutes, tr("Lock the library when you are away"))
        for minutes in sorted({*_LOCK_AFTER, lock_minutes}):
            self.minutes.addItem(tr("Lock after {minutes} min").format(minutes=minutes), minutes)
        self.minutes.setCurrentIndex(self.minutes.findData(lock_minutes))
        self.minutes.activated.connect(lambda _: self.minutes_chosen.emit(self.minutes.currentData()))
        self.minutes.setMinimumHeight(HIT + 4)
        self.lock = button(tr("Lock now"), self.lock_asked.emit)
        return row((self.said, 1), more, self.minutes, self.lock, spacing=1)

    def _connect(self) -> None:
        acts = self.acts
        self.list.addActions((*acts.of_case, acts.importing))
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda *_: acts.open.trigger())
        self.list.sorted.connect(self._look_anew)
        self.list.more_asked.connect(self._read_on)
        self.filters.changed.connect(self._look_anew)
        acts.changed.connect(self._look_anew)
        acts.arrived.connect(self._on_arrived)
        acts.said.connect(self._tell)

    def _enable(self) -> None:
        self.acts.enable(self.filters.archived.isChecked())

    def _look_anew(self) -> None:
        self._news = ""
        self.refresh()

    def _tell(self, said: str) -> None:
        """It stays until something else is done, though the list is read meanwhile."""
        self._news = said
        self.said.say(said)

    def _on_arrived(self, case_id: str) -> None:
        """It is the chosen one as soon as it is in the list."""
        self._arrived = case_id

    def refresh(self) -> None:
        query = self.filters.query(self.list.sort, self.list.descending)

        def show(found: work.Found) -> None:
            if self._query is query:
                self._show(found)

        self._query = query
        self._run(lambda library: work.find(library, query), show)

    def _show(self, found: work.Found) -> None:
        self._total = found.total
        self.list.show_rows(found.cases)
        if self._arrived:
            self.list.choose(self._arrived)
            self._arrived = ""
        self.filters.show_choices(found.choices)
        self.said.say(self._news or (counted(found.total, "case") if found.total else self._nothing()))
        self._enable()
        self.listed.emit()

    def _read_on(self) -> None:
        """The next lines, once the last of those shown came into view."""
        if self._reading or self.list.shown >= self._total:
            return
        query, start = self._query, self.list.shown
        self._reading = True

        def show(found: work.Found) -> None:
            self._reading = False
            if self._query is query:
                self.list.add_cases(found.cases)

        self._run(lambda library: work.find(library, query, start), show)

    def _nothing(self) -> str:
        if self.filters.restricting:
            return tr("No case matches. Choose “Show all” to see every case.")
        if self.filters.archived.isChecked():
            return tr("Nothing is archived.")
        return tr("No cases yet. Open one and choose “Keep this case…” in the Library menu, or import a case file.")

    def _run(self, act: Callable[..., work.Found], done: Callable[[work.Found], object]) -> None:
        def failed(error: Exception) -> None:
            self._reading = False
            self.said.say(problem(error))

        self._access.run(act, while_alive(self, done), while_alive(self, failed))


def _button(action: QAction) -> QPushButton:
    """A button that does, and says, what ``action`` does."""
    made = button("", action.trigger)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def follow() -> None:
        made.setText(action.text())
        made.setToolTip(action.toolTip())
        made.setEnabled(action.isEnabled())

    action.changed.connect(follow)
    follow()
    return made
