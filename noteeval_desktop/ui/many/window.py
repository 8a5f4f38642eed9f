"""Many notes: the pages of their review, and the line that says how far it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox, QStackedWidget, QTabWidget, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.many.compare_page import ComparePage
from noteeval_desktop.ui.many.figures_page import FiguresPage
from noteeval_desktop.ui.many.match_page import MatchPage
from noteeval_desktop.ui.many.notes_page import NotesPage
from noteeval_desktop.ui.many.start_page import StartPage
from noteeval_desktop.ui.widgets.parts import MenuButton, PushButton, column, progress_bar, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

_START = tr("Start")
_OVERVIEW = tr("Overview")
_STEPS = 1000


class ManyWindow(QDialog):
    """Draws and asks; ``desk.ManyDesk`` answers. ``export_asked(str)``: an ending, or "json" for the results."""

    export_asked = Signal(str)

    def __init__(self, parent: QWidget, running: Callable[[], bool]) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._running = running
        self.setWindowTitle(tr("Review many notes"))
        self.start, self.match, self.notes = StartPage(), MatchPage(), NotesPage(self)
        self.overview, self.compare = FiguresPage(_OVERVIEW), ComparePage()
        self.tabs = QTabWidget()
        self.tabs.addTab(self.notes, tr("Notes"))
        self.tabs.addTab(self.overview, _OVERVIEW)
        self.tabs.addTab(self.compare, tr("Compare"))
        self.review = QWidget()
        self.privacy = PlainLabel("", look="muted", wrap=True)
        self.privacy.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.pages = QStackedWidget()
        for page in (self.start, self.match, self.review):
            self.pages.addWidget(page)
        self._build_review()
        column((self.pages, 1), self.privacy, on=self, margins=(0,))
        open_at(self, 1180, 740)

    def _build_review(self) -> None:
        self.go, self.another = PushButton(_START), PushButton(tr("Another set…"))
        self.export = MenuButton(tr("Export ▾"))
        self.names = tick(tr("Show names"), hint=tr("Names of notes and clinicians, here and in exports"))
        self.said, self.news = PlainLabel(""), PlainLabel("", look="accent", wrap=True)
        self.news.hide()
        self.progress = progress_bar(tr("Review many notes"), _STEPS, thin=True)
        menu = QMenu(self.export)
        for text, kind in (
            ("PDF…", "pdf"),
            (tr("Web page…"), "html"),
            (tr("Excel workbook…"), "xlsx"),
            ("CSV…", "csv"),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, kind=kind: self.export_asked.emit(kind))
        menu.addSeparator()
        self.save_results = menu.addAction(tr("Save results as JSON files…"))
        self.save_results.setToolTip(tr("They hold what was said, unencrypted."))
        self.save_results.triggered.connect(lambda: self.export_asked.emit("json"))
        self.export.setMenu(menu)
        self.go.setProperty("look", "primary")
        for part in (self.names, self.another, self.export, self.go):
            part.setMinimumHeight(HIT + 4)
        acts = ((self.said, 1), self.names, self.another, self.export, self.go)
        column(
            row(*acts, margins=(2, 1, 2, 1), spacing=1),
            self.progress,
            row(self.news, margins=(2, 0, 2, 1)),
            (self.tabs, 1),
            on=self.review,
            margins=(0,),
            spacing=0,
        )

    def show_progress(self, said: str, share: float, running: bool, left: bool) -> None:
        self.said.setText(said)
        self.progress.setValue(round(share * _STEPS))
        self.go.setVisible(running or left)
        self.go.setText(tr("Pause") if running else tr("Go on") if share else _START)

    def say(self, said: str) -> None:
        self.news.say(said)
        self.news.setVisible(bool(said))

    def showEvent(self, event: QShowEvent) -> None:
        """A window of its own: one that belongs to the main window would lie before each case that it opens."""
        self.windowHandle().setTransientParent(None)  # type: ignore[arg-type]
        super().showEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The library that locks itself waits for no answer."""
        if event.spontaneous():
            super().closeEvent(event)
        else:
            self.done(0)

    def reject(self) -> None:
        """Esc and the cross."""
        asked = tr("The check is not finished. Close the window and go on later?")
        sure, title = QMessageBox.StandardButton.Yes, tr("Review many notes")
        if not self._running() or QMessageBox.question(self, title, asked) == sure:
            super().reject()
