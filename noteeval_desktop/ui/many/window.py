"""Many notes: the pages of their review, and the line that says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QFontMetricsF, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QMenu,
    QMessageBox,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.phrases import are, counted, day, tr
from noteeval_desktop.report.charts import SIZE, Drawing
from noteeval_desktop.report.many.figures import Figure, Overview, shown_as
from noteeval_desktop.store.beside import KeptSet
from noteeval_desktop.ui.case.empty_state import dropped_files
from noteeval_desktop.ui.many.notes_page import NotesPage
from noteeval_desktop.ui.many.run_store import Entry
from noteeval_desktop.ui.many.work import Matched, numbered
from noteeval_desktop.ui.widgets.dialogs import Column, Listing, Rows, line
from noteeval_desktop.ui.widgets.line_chart import paint
from noteeval_desktop.ui.widgets.parts import (
    MenuButton,
    PushButton,
    button,
    choice,
    column,
    progress_bar,
    row,
    tick,
    tool,
)
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, UI_SIZE, UNIT, open_at, zoomed
from noteeval_desktop.ui.widgets.words import NOTE, SESSION

_MATCHED = tr("Which session belongs to which note?")
_LEAVE_OUT = tr("Leave out")
_ITS_SESSION = tr("Session of the chosen note")


class MatchPage(QWidget):
    """``settled(tuple of Pair)`` when the notes that are to be reviewed are known."""

    settled = Signal(object)
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sessions: list[Path] = []
        self._rows: list[tuple[Path, Path | None]] = []
        heading = PlainLabel(_MATCHED)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        self.said = PlainLabel("", wrap=True)
        self.notes = Listing(_MATCHED, ((NOTE, 420), (SESSION, 420)))
        self.notes.currentItemChanged.connect(lambda *_: self._show_choice())
        self.session = choice(_ITS_SESSION)
        self.session.activated.connect(self._choose)
        self.go = button(tr("Review these notes"), lambda: self.settled.emit(self.pairs()), "primary")
        column(
            heading,
            self.said,
            (self.notes, 1),
            row(PlainLabel(_ITS_SESSION), (self.session, 1)),
            row(None, button(tr("Back"), self.given_up.emit), self.go),
            on=self,
            margins=(3, 3, 3, 2),
        )

    def show_found(self, found: Matched) -> None:
        """Notes without a session come first."""
        matched = [(pair.note, pair.transcript) for pair in found.pairs if pair.note and pair.transcript]
        self._rows = [*((note, None) for note in found.lone), *matched]
        self._sessions = sorted({*found.unused, *(session for _, session in matched)})
        pairs, lone, unused = len(found.pairs), len(found.lone), len(found.unused)
        said = tr("{notes} with {are} session.").format(notes=counted(pairs, "note"), are=are(pairs, "its", "their"))
        if lone:
            said += tr(" {notes} without one.").format(notes=counted(lone, "note"))
        if unused:
            sessions = counted(unused, "session")
            said += tr(" {sessions} without a note {are} left out.").format(sessions=sessions, are=are(unused))
        choose = tr("Choose a session for each that has none, or leave it out.")
        check = tr("They were matched by the names of their files. Choose another session where that is wrong.")
        self.said.setText(f"{said} {choose if found.lone else check}")
        self.session.clear()
        self.session.addItem(_LEAVE_OUT)
        for path in self._sessions:
            self.session.addItem(menu_text(path.name))
        self.notes.clear()
        self.notes.addTopLevelItems([line((note.name, _named(session))) for note, session in self._rows])
        self.notes.setCurrentIndex(self.notes.model().index(0, 0))
        self.go.setEnabled(bool(found.pairs))
        self.go.setFocus()

    def _show_choice(self) -> None:
        row = self._row()
        session = self._rows[row][1] if row >= 0 else None
        self.session.setCurrentIndex(0 if session is None else self._sessions.index(session) + 1)

    def _choose(self, at: int) -> None:
        row, item = self._row(), self.notes.currentItem()
        if item is None:
            return
        session = self._sessions[at - 1] if at else None
        self._rows[row] = self._rows[row][0], session
        item.setText(1, _named(session))
        self.go.setEnabled(bool(self.pairs()))

    def _row(self) -> int:
        item = self.notes.currentItem()
        return -1 if item is None else self.notes.indexOfTopLevelItem(item)

    def pairs(self) -> tuple[Pair, ...]:
        """In the order of the notes' names; behind them the sessions without a note, which are told as not checked."""
        chosen = [(session, note) for note, session in sorted(self._rows) if session is not None]
        made, taken = numbered(chosen), {session for session, _ in chosen}
        left = [session for session in self._sessions if session not in taken] if made else []
        # Numbered together, so that no two have the same id.
        alone = numbered([*chosen, *((one, one) for one in left)])[len(made) :]
        return (*made, *(replace(pair, problem=tr("There is no note for this session.")) for pair in alone))


def _named(session: Path | None) -> str:
    return _LEAVE_OUT if session is None else session.name


_MOST_LINES = 12


class Chart(QWidget):
    """As the report draws it, in the reader's letters."""

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self.figure = figure
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(zoomed(self.font(), SMALL_SIZE))
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(tr("{said} “Show as table” gives its figures.").format(said=figure.said))

    @property
    def _scale(self) -> float:
        return self.font().pixelSize() / SIZE

    def _drawn(self, width: float) -> Drawing:
        metrics, scale = QFontMetricsF(self.font()), self._scale
        return self.figure.drawn(width / scale, lambda text: metrics.horizontalAdvance(text) / scale)

    def sizeHint(self) -> QSize:
        return QSize(40 * UNIT, round(self._drawn(40 * UNIT).height * self._scale))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter, self._drawn(self.width()), self._scale)


class FigureView(QWidget):
    """Heading, sentence, chart or table."""

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self.figure = figure
        heading = PlainLabel(figure.title, look="heading", wrap=True)
        self.switch = tool(tr("Show as table"), lambda: self.show_table(self.table.isHidden()))
        self.switch.setAccessibleName(tr("{title}: show as table").format(title=figure.title))
        # Counts stand in a comparison's table alone.
        self._both = figure.kind == "intervals"
        if self._both or not figure.bars:
            self.switch.hide()
        self.chart, self.table = Chart(figure), QTableWidget(0, 0)
        said = PlainLabel(figure.said.replace(" %", "\u00a0%"), look="muted", wrap=True)
        top = row((heading, 1), self.switch)
        column(top, said, self.chart, self.table, on=self, margins=(0, 0, 0, 2), spacing=0.5)
        self.show_table(self._both or not figure.bars)

    def show_table(self, shown: bool) -> None:
        if shown and not self.table.rowCount():
            _fill(self.table, self.figure)
        self.chart.setVisible(bool(self.figure.bars) and (self._both or not shown))
        self.table.setVisible(shown)
        self.switch.setText(tr("Show as chart") if shown else tr("Show as table"))


def _fill(table: QTableWidget, figure: Figure) -> None:
    table.setAccessibleName(figure.title)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setRowCount(len(figure.rows))
    table.setColumnCount(len(figure.headings))
    table.setHorizontalHeaderLabels(list(figure.headings))
    table.verticalHeader().hide()
    for number, cells in enumerate(figure.rows):
        for place, cell in enumerate(cells):
            table.setItem(number, place, QTableWidgetItem(shown_as(cell)))
    table.resizeColumnsToContents()
    lines = min(len(figure.rows), _MOST_LINES) + 1
    table.setFixedHeight(lines * max(HIT, table.rowHeight(0)) + 3 * UNIT)


class FiguresPage(QScrollArea):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.overview: Overview | None = None
        self.views: list[FigureView] = []
        self.setWidgetResizable(True)
        self.setAccessibleName(name)

    def show_overview(self, overview: Overview) -> None:
        """What was switched to a table stays one; the place in the page stays, too."""
        at = self.verticalScrollBar().value()
        tables = {view.figure.key for view in self.views if not view.table.isHidden()}
        self.overview = overview
        self.views = [FigureView(figure) for figure in overview.figures]
        for view in self.views:
            if view.figure.key in tables:
                view.show_table(True)
        body = QWidget()
        body.setObjectName("pane")
        labels = [PlainLabel(said, wrap=True) for said in overview.said]
        for first in labels[:1]:
            first.setFont(zoomed(self.font(), UI_SIZE + 4, first.font().Weight.DemiBold))
        heights = [0] * min(2, len(self.views))
        sides = [QVBoxLayout() for _ in heights]
        for view in self.views:
            side = heights.index(min(heights))
            sides[side].addWidget(view)
            heights[side] += view.chart.sizeHint().height() + 10 * UNIT if view.figure.bars else 20 * UNIT
        for each in sides:
            each.addStretch(1)
        column(
            *labels, row(*((each, 1) for each in sides), margins=(0, 1, 0, 0), spacing=4), None, on=body, margins=(2,)
        )
        self.setWidget(body)
        self.verticalScrollBar().setValue(at)


OPEN_RESULTS_HINT = tr("A folder of JSON results that “noteeval batch” wrote, here or on another computer")
_EARLIER = tr("Earlier sets")
_OPEN_SET = tr("Open")


class StartPage(QWidget):
    """``dropped(list of Path)``; ``earlier_asked(KeptSet)`` and ``delete_asked(KeptSet)``; what the buttons ask for."""

    dropped = Signal(object)
    folder_asked = Signal()
    table_asked = Signal()
    results_asked = Signal()
    earlier_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.earlier = Rows(_EARLIER, (Column[KeptSet](_EARLIER, 480, _earlier),))
        self.earlier.itemActivated.connect(lambda *_: self._emit(self.earlier_asked))
        self.earlier.currentItemChanged.connect(lambda *_: self._enable())
        self.open_it = button(_OPEN_SET, lambda: self._emit(self.earlier_asked))
        self.delete_it = button(tr("Delete this set…"), lambda: self._emit(self.delete_asked))
        self._below = QWidget()
        column(self.earlier, row(None, self.delete_it, self.open_it), on=self._below, margins=(0,))
        self.earlier.setMaximumHeight(20 * UNIT)
        column((None, 1), self._target(), self.said, self._below, (None, 2), on=self, margins=(8, 3, 8, 3), spacing=2)
        self.show_earlier(())

    def _target(self) -> QFrame:
        target = QFrame()
        target.setObjectName("drop_target")
        heading = PlainLabel(tr("Drop a folder of sessions and notes here, or a table that names them"), wrap=True)
        heading.setFont(zoomed(self.font(), UI_SIZE + 5, heading.font().Weight.DemiBold))
        takes = PlainLabel(
            tr(
                "Files are matched by name: “07 transcript.vtt” with “07 note.docx”. A table is a CSV file with "
                "the columns transcript and note, and if you like id, clinician, source and date."
            ),
            look="muted",
            wrap=True,
        )
        for label in (heading, takes):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.folder = button(tr("Choose a folder…"), self.folder_asked.emit, "primary")
        self.csv = button(tr("Choose a table…"), self.table_asked.emit)
        self.results = button(tr("Open results…"), self.results_asked.emit, hint=OPEN_RESULTS_HINT)
        buttons = row(None, self.folder, self.csv, self.results, None)
        column(heading, takes, buttons, on=target, margins=(4,), spacing=2)
        return target

    def show_earlier(self, kept: Sequence[KeptSet]) -> None:
        self.earlier.show_rows(kept)
        self._below.setVisible(bool(kept))
        self._enable()

    def _enable(self) -> None:
        chosen = self.earlier.chosen()
        for each in (self.open_it, self.delete_it):
            each.setEnabled(chosen is not None)
        if chosen is not None:
            self.open_it.setText(tr("Continue") if chosen.left else _OPEN_SET)

    def _emit(self, signal: SignalInstance) -> None:
        if (chosen := self.earlier.chosen()) is not None:
            signal.emit(chosen)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = dropped_files(event)
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files)


def _earlier(kept: KeptSet) -> str:
    to_check = tr(", {left:,} left to check").format(left=kept.left) if kept.left else ""
    return f"{kept.begun:%a} {day(kept.begun)}, {kept.begun:%H:%M}: {counted(kept.notes, 'note')}{to_check}"


_OTHER_RESULTS = tr("Other results…")
_ALL_OF_THIS = tr("This set")


class ComparePage(QWidget):
    """``asked(entries, entries, names)`` when two different sets are chosen."""

    asked = Signal(object, object, object)
    other_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sets: dict[str, tuple[Entry, ...]] = {}
        self._others: dict[str, tuple[Entry, ...]] = {}
        self.other = button(_OTHER_RESULTS, self.other_asked.emit, hint=OPEN_RESULTS_HINT, height=HIT)
        names = tr("First set"), tr("Second set")
        self.first, self.second = (choice(name, does=self._ask) for name in names)
        first, second = map(PlainLabel, names)
        self.page = FiguresPage(tr("Compare"))
        self.empty, self.said = QWidget(), PlainLabel("", look="muted", wrap=True)
        self.said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open = button(_OTHER_RESULTS, self.other_asked.emit, "primary")
        column((None, 1), self.said, row(None, self.open, None), (None, 2), on=self.empty)
        top = row(first, (self.first, 1), second, (self.second, 1), self.other)
        column(top, (self.page, 1), (self.empty, 1), on=self, margins=(1,))

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """What is chosen stays chosen where it still is there."""
        known = [entry for entry in entries if entry.row is not None]
        sources = sorted({entry.row.source for entry in known if entry.row is not None and entry.row.source})
        sets = {_ALL_OF_THIS: tuple(known)} if known else {}
        if len(sources) > 1:
            sets = {s: tuple(e for e in known if e.row is not None and e.row.source == s) for s in sources} | sets
        self._sets = sets | self._others
        chosen = self.first.currentText(), self.second.currentText()
        for number, box in enumerate((self.first, self.second)):
            box.clear()
            box.addItems(list(self._sets))
            at = box.findText(chosen[number])
            box.setCurrentIndex(at if at >= 0 else min(number, box.count() - 1))
        self._ask()

    def add_other(self, name: str, entries: Sequence[Entry]) -> None:
        self._others[name] = tuple(entries)
        self.show_entries(self._sets.get(_ALL_OF_THIS, ()))
        self.second.setCurrentIndex(self.second.findText(name))
        if self.first.currentText() == name:
            self.first.setCurrentIndex(self.first.findText(_ALL_OF_THIS))
        self._ask()

    def forget(self) -> None:
        self._sets, self._others = {}, {}
        self.show_entries(())

    def _ask(self) -> None:
        names = self.first.currentText(), self.second.currentText()
        several = len(self._sets) > 1
        two = several and names[0] != names[1]
        one = tr(
            "These notes are one set. To compare them with the results of another review, or of another "
            "judge, open the folder of those results."
        )
        self.said.setText("" if two else tr("Choose two different sets above.") if several else one)
        self.open.setVisible(not several)
        self.empty.setVisible(not two)
        self.page.setVisible(two)
        if two:
            self.asked.emit(self._sets[names[0]], self._sets[names[1]], names)
        else:
            self.page.show_overview(Overview(tr("Compare"), (), ()))


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
        self.start, self.match, self.notes = StartPage(), MatchPage(), NotesPage()
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
