"""The cases in the library: found by search and filters, sorted, and what can be done with them and with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QMenu, QPushButton, QSpinBox, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.evaluation import model_name
from noteeval_desktop.domain.phrases import counted, day, percent, tr
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.standing import CaseStatus, Standing
from noteeval_desktop.present import standing
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.store.records import CaseQuery, CaseSummary, Pending, ScoreRange, SortBy
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.case_acts import CaseActs
from noteeval_desktop.ui.library.dialogs import date_field, day_of, number_field
from noteeval_desktop.ui.library.work import Choices
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.parts import MenuButton, Window, button, choice, column, row, search_field, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel, tooltip
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN, JUDGE, SESSION

_SHORT_NAMES = {Dimension.COMPLETENESS: "covered", Dimension.CONCISENESS: "needed", Dimension.FAITHFULNESS: "supported"}
_BETWEEN = -1
_DAYS = (
    (tr("Any date"), None),
    (tr("Last 30 days"), 30),
    (tr("Last 12 months"), 365),
    (tr("Between…"), _BETWEEN),
)


class Filters(QWidget):
    """``changed`` shortly after the last change of what is looked for."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True, interval=150)
        self._timer.timeout.connect(self.changed)
        self.search = search_field(tr("Search the library"))
        self.search.setPlaceholderText(tr("Search labels, sessions, notes and suggestions"))
        self.search.textChanged.connect(lambda _: self._timer.start())
        QShortcut(QKeySequence.StandardKey.Find, self.window(), self.search.setFocus)
        self.archived = tick(tr("Archived"))
        self.archived.toggled.connect(lambda _: self.changed.emit())
        self.clear = button(tr("Show all"), self.show_all, height=HIT)
        self.clinician, self.client = self._box(CLINICIAN), self._box(CLIENT)
        self.status, self.judge = self._box(tr("Status")), self._box(JUDGE)
        self.tag, self.score, self.dates = self._box(tr("Tag")), self._box(tr("Score")), self._box(tr("Session date"))
        called = ((STANDING_NAMES[Standing(status.value)], status.value) for status in CaseStatus)
        fill(self.status, tr("Any status"), called)
        fill(self.score, tr("Any score"), ((name.capitalize(), d.value) for d, name in _SHORT_NAMES.items()))
        for name, days in _DAYS:
            self.dates.addItem(name, days)
        self.show_choices(Choices())
        self._boxes = (self.clinician, self.client, self.status, self.judge, self.tag, self.score, self.dates)
        # Bounds, which are asked for only where they are wanted.
        self.low, self.high = _share(tr("At least"), 0), _share(tr("At most"), 100)
        today = date.today()
        self.since, self.until = date_field(tr("From"), today.replace(month=1, day=1)), date_field(tr("Until"), today)
        for bound in (self.low.valueChanged, self.high.valueChanged, self.since.dateChanged, self.until.dateChanged):
            bound.connect(lambda _: self._timer.start())
        self._scores, self._between, self._both = QWidget(), QWidget(), QWidget()
        scores = PlainLabel(tr("Score from")), self.low, PlainLabel(tr("to")), self.high
        between = PlainLabel(tr("Session from")), self.since, PlainLabel(tr("to")), self.until
        both = self._scores, self._between, None
        for parts, on in ((scores, self._scores), (between, self._between), (both, self._both)):
            row(*parts, on=on, margins=(0,), spacing=1)
        first = row(self.search, self.archived, self.clear, spacing=1)
        second = row(*((box, 1) for box in self._boxes), spacing=1)
        column(first, second, self._both, on=self, margins=(0,), spacing=1)
        self._show_details()

    def _box(self, name: str) -> QComboBox:
        box = choice(name, does=self._on_chosen)
        box.setMinimumContentsLength(6)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _on_chosen(self) -> None:
        self._show_details()
        self.changed.emit()

    def _show_details(self) -> None:
        score, between = bool(self.score.currentData()), self.dates.currentData() == _BETWEEN
        self._scores.setVisible(score)
        self._between.setVisible(between)
        self._both.setVisible(score or between)

    def show_choices(self, choices: Choices) -> None:
        """What the library holds to choose from; what was chosen stays chosen."""
        for box, nothing, values in (
            (self.clinician, tr("Any clinician"), choices.clinicians),
            (self.client, tr("Any client"), choices.clients),
            (self.tag, tr("Any tag"), choices.tags),
        ):
            fill(box, nothing, ((value, value) for value in values))
        fill(self.judge, tr("Any judge"), ((model_name(value), value) for value in choices.judges))

    def query(self, sort: str, descending: bool) -> CaseQuery:
        status, dimension = self.status.currentData(), self.score.currentData()
        days, since, until = self.dates.currentData(), None, None
        if days == _BETWEEN:
            since, until = day_of(self.since), day_of(self.until)
        elif days is not None:
            since = date.today() - timedelta(days=days)
        low, high = self.low.value() / 100, self.high.value() / 100
        return CaseQuery(
            text=self.search.text(),
            clinician=self.clinician.currentData() or "",
            client=self.client.currentData() or "",
            tag=self.tag.currentData() or "",
            judge=self.judge.currentData() or "",
            statuses=(CaseStatus(status),) if status else (),
            since=since,
            until=until,
            score=ScoreRange(Dimension(dimension), low, high) if dimension else None,
            archived=self.archived.isChecked(),
            sort=sort,
            descending=descending,
        )

    @property
    def restricting(self) -> bool:
        """Whether anything but the archive is left out."""
        return bool(self.search.text().strip()) or any(box.currentIndex() > 0 for box in self._boxes)

    def show_all(self) -> None:
        self.search.clear()
        for box in self._boxes:
            box.setCurrentIndex(0)
        self._timer.stop()
        self._on_chosen()


def fill(box: QComboBox, nothing: str, values: Iterable[tuple[str, str]]) -> None:
    """``values``: names and what they stand for; ``nothing`` does not restrict. The choice stays where it can."""
    chosen = box.currentData()
    box.clear()
    box.addItem(nothing, "")
    for name, value in values:
        box.addItem(name, value)
    box.setCurrentIndex(max(box.findData(chosen), 0))


def _share(name: str, value: int) -> QSpinBox:
    spin = number_field(name)
    spin.setRange(0, 100)
    spin.setValue(value)
    spin.setSuffix(" %")
    return spin


_HIDDEN = tr("hidden")


@dataclass(frozen=True)
class CaseColumn(Column[CaseSummary]):
    """``sort``: as in CaseQuery, "" for none; ``falling``: with the most first. ``hint`` is a cell's tooltip, and so is
    ``why``, which is read out as well."""

    sort: str = ""
    falling: bool = False
    hint: Callable[[CaseSummary], str] = lambda case: ""
    why: Callable[[CaseSummary], str] = lambda case: ""


def _status(case: CaseSummary) -> str:
    return f"{STANDING_NAMES[case.stand.standing]}{tr(', unsaved changes') if case.unsaved else ''}"


def _where_it_stands(case: CaseSummary) -> str:
    unsaved = tr(" The latest text is not saved as a revision yet. Open the case to continue.")
    return standing.said(case.stand) + (unsaved if case.unsaved else "")


def _figure(name: str, said: Callable[[float], str], case: CaseSummary) -> str:
    """Empty where nothing was judged. The library does not give it out either while a blind review is pending."""
    known = case.figures[name]
    return _HIDDEN if case.pending and case.judge else "" if known is None else said(known)


def _column_of(name: str, figure: str, width: int, said: Callable[[float], str], falling: bool = False) -> CaseColumn:
    return CaseColumn(name, width, partial(_figure, figure, said), figure, falling)


def _clinician(case: CaseSummary) -> str:
    clinician = case.labels.clinician
    return _HIDDEN if case.pending is Pending.UNDER_WAY and clinician else clinician


def _session(case: CaseSummary) -> str:
    return day(case.labels.session_date) if case.labels.session_date else ""


COLUMNS = (
    CaseColumn(tr("Label"), 160, lambda case: case.labels.label, SortBy.LABEL, hint=lambda case: case.labels.label),
    CaseColumn(CLINICIAN, 100, _clinician, SortBy.CLINICIAN),
    CaseColumn(CLIENT, 90, lambda case: case.labels.client, SortBy.CLIENT),
    CaseColumn(SESSION, 104, _session, SortBy.SESSION, falling=True),
    CaseColumn(tr("Status"), 130, _status, SortBy.STATUS, why=_where_it_stands),
    _column_of(tr("Covered"), "completeness", 72, percent),
    _column_of(tr("Needed"), "conciseness", 72, percent),
    _column_of(tr("Supported"), "faithfulness", 84, percent),
    _column_of(tr("Open risks"), "open_risks", 90, str, falling=True),
    CaseColumn(JUDGE, 84, lambda case: model_name(case.judge or ""), SortBy.JUDGE, hint=lambda case: case.judge or ""),
    CaseColumn(tr("Tags"), 90, lambda case: ", ".join(case.labels.tags)),
    CaseColumn(tr("Changed"), 104, lambda case: day(case.changed.astimezone()), SortBy.CHANGED, falling=True),
)


class CaseList(Rows[CaseSummary]):
    """``sorted`` when another order was chosen; ``more_asked`` when the end of what is shown came into view."""

    sorted = Signal()
    more_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Cases"), COLUMNS)
        self.setParent(parent)
        self.sort, self.descending = str(SortBy.CHANGED), True
        self._cases: dict[str, CaseSummary] = {}
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        status = [column.sort for column in COLUMNS].index(SortBy.STATUS)
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in STANDING_NAMES.values())
        unsaved = self.fontMetrics().horizontalAdvance(tr(", unsaved changes"))
        self.setColumnWidth(status, widest + unsaved + 2 * UNIT)
        header = self.header()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(len(COLUMNS) - 1, Qt.SortOrder.DescendingOrder)
        header.sectionClicked.connect(self.sort_by)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(lambda value: self.more_asked.emit() if value == bar.maximum() else None)

    def sort_by(self, column: int) -> None:
        """A second time turns it round."""
        chosen = COLUMNS[column]
        if not chosen.sort:
            return
        self.descending = not self.descending if chosen.sort == self.sort else chosen.falling
        self.sort = chosen.sort
        order = Qt.SortOrder.DescendingOrder if self.descending else Qt.SortOrder.AscendingOrder
        self.header().setSortIndicator(column, order)
        self.sorted.emit()

    def show_rows(self, values: Iterable[CaseSummary]) -> None:
        """In place of those shown before; the chosen one stays chosen where it is still there."""
        chosen = self.chosen()
        self._cases = {}
        self.clear()
        self.add_cases(values)
        first = self.topLevelItem(0)
        if chosen is not None and chosen.id in self._cases:
            self.choose(chosen.id)
        elif first is not None:
            self.setCurrentItem(first)

    def add_cases(self, cases: Iterable[CaseSummary]) -> None:
        new = {case.id: case for case in cases if case.id not in self._cases}
        self._cases |= new
        self.addTopLevelItems([self.line(case) for case in new.values()])

    def line(self, value: CaseSummary) -> QTreeWidgetItem:
        item = super().line(value)
        for number, each in enumerate(COLUMNS):
            why = each.why(value)
            if item.text(number) == _HIDDEN:
                why = tr("Shown after you submit your marks: this review is blind.")
            item.setToolTip(number, tooltip(why or each.hint(value)))
            if why:  # a cell's tooltip is read out by nothing
                item.setData(number, Qt.ItemDataRole.AccessibleDescriptionRole, why)
        return item

    def choose(self, case_id: str) -> None:
        for number in range(self.topLevelItemCount()):
            item = self.topLevelItem(number)
            if item is not None and item.data(0, Qt.ItemDataRole.UserRole).id == case_id:
                self.setCurrentItem(item)

    @property
    def shown(self) -> int:
        return len(self._cases)


_LOCK_AFTER = (5, 15, 30, 60)


class LibraryWindow(Window):
    """``listed`` after each reading of the list; ``minutes_chosen(int)`` before locking.

    ``about`` are the window's commands about the library itself (its keys, backups and so on).
    """

    lock_asked = Signal()
    minutes_chosen = Signal(int)
    listed = Signal()

    def __init__(self, access: Access, lock_minutes: int, about: tuple[QAction, ...], parent: QWidget) -> None:
        super().__init__(parent, tr("Library"), (1180, 600))
        self._access = access
        self._query = CaseQuery()
        self._total, self._reading = 0, False
        self._news, self._arrived = "", ""
        self.filters = Filters(self)
        self.list = CaseList(self)
        self.acts = CaseActs(access, self.list.chosen, self)
        self.said = PlainLabel("", look="muted", wrap=True)
        more = MenuButton(tr("The library ▾"))
        menu = QMenu(more)
        menu.addActions(about)
        more.setMenu(menu)
        named = tr("Lock after {minutes} min")
        times = [(named.format(minutes=minutes), minutes) for minutes in sorted({*_LOCK_AFTER, lock_minutes})]
        self.minutes = choice(tr("Lock the library when you are away"), times, lock_minutes)
        self.minutes.activated.connect(lambda _: self.minutes_chosen.emit(self.minutes.currentData()))
        self.minutes.setMinimumHeight(HIT + 4)
        self.lock = button(tr("Lock now"), self.lock_asked.emit)
        above = row((self.said, 1), more, self.minutes, self.lock, spacing=1)
        buttons = [_button(action) for action in (*self.acts.of_case, self.acts.importing)]
        buttons[0].setProperty("look", "primary")
        below = row(*buttons, None, spacing=1)
        column(self.filters, (self.list, 1), above, below, on=self, margins=(2,))
        acts = self.acts
        self.list.addActions((*acts.of_case, acts.importing))
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda *_: acts.open.trigger())
        self.list.more_asked.connect(self._read_on)
        for otherwise in (self.list.sorted, self.filters.changed, acts.changed):
            otherwise.connect(self._look_anew)
        acts.arrived.connect(self._on_arrived)
        acts.said.connect(self._tell)
        self._enable()
        self.list.setFocus()
        self.refresh()

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
        nothing = tr("No cases yet. Open one and choose “Keep this case…” in the Library menu, or import a case file.")
        if self.filters.restricting:
            nothing = tr("No case matches. Choose “Show all” to see every case.")
        elif self.filters.archived.isChecked():
            nothing = tr("Nothing is archived.")
        self.said.say(self._news or (counted(found.total, "case") if found.total else nothing))
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

    def _run(self, act: Callable[..., work.Found], done: Callable[[work.Found], object]) -> None:
        def say(said: str) -> None:
            self._reading = False
            self.said.say(said)

        self._access.run_for(self, act, done, say)


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
