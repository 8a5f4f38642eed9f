"""Which cases the list shows: the words looked for, and one box for each thing that cases differ in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from noteeval_desktop.domain.judge_names import model_name
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import CaseStatus, Dimension
from noteeval_desktop.domain.standing import Standing
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.store.records import CaseQuery, ScoreRange
from noteeval_desktop.ui.library.dialogs import date_field, day_of, number_field
from noteeval_desktop.ui.library.work import Choices
from noteeval_desktop.ui.widgets.parts import column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import CLIENT, CLINICIAN, JUDGE

_SHORT_NAMES = {Dimension.COMPLETENESS: "covered", Dimension.CONCISENESS: "needed", Dimension.FAITHFULNESS: "supported"}
_PAUSE_MS = 150
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
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.changed)
        column(self._first_row(), self._second_row(), self._details(), on=self, margins=(0,), spacing=1)
        self._show_details()

    def _first_row(self) -> QHBoxLayout:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search labels, sessions, notes and suggestions"))
        self.search.setAccessibleName(tr("Search the library"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _: self._timer.start())
        QShortcut(QKeySequence.StandardKey.Find, self.window(), self.search.setFocus)
        self.archived = QCheckBox(tr("Archived"))
        self.archived.toggled.connect(lambda _: self.changed.emit())
        self.clear = QPushButton(tr("Show all"))
        self.clear.setAutoDefault(False)
        self.clear.clicked.connect(self.show_all)
        return _row(self.search, self.archived, self.clear)

    def _second_row(self) -> QHBoxLayout:
        self.clinician, self.client = self._box(CLINICIAN), self._box(CLIENT)
        self.status, self.judge = self._box(tr("Status")), self._box(JUDGE)
        self.tag, self.score, self.dates = self._box(tr("Tag")), self._box(tr("Score")), self._box(tr("Session date"))
        fill(
            self.status,
            tr("Any status"),
            ((STANDING_NAMES[Standing(status.value)], status.value) for status in CaseStatus),
        )
        fill(self.score, tr("Any score"), ((name.capitalize(), d.value) for d, name in _SHORT_NAMES.items()))
        self.dates.clear()
        for name, days in _DAYS:
            self.dates.addItem(name, days)
        self.show_choices(Choices())
        self._boxes = (self.clinician, self.client, self.status, self.judge, self.tag, self.score, self.dates)
        chosen = _row(*self._boxes)
        for number in range(len(self._boxes)):
            chosen.setStretch(number, 1)
        return chosen

    def _box(self, name: str) -> QComboBox:
        box = QComboBox()
        name_choice(box, name)
        box.setMinimumContentsLength(6)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.activated.connect(lambda _: self._on_chosen())
        return box

    def _details(self) -> QWidget:
        """Bounds, which are asked for only where they are wanted."""
        self.low, self.high = _share(tr("At least"), 0), _share(tr("At most"), 100)
        today = date.today()
        self.since, self.until = date_field(tr("From"), today.replace(month=1, day=1)), date_field(tr("Until"), today)
        for spin in (self.low, self.high):
            spin.valueChanged.connect(lambda _: self._timer.start())
        for field in (self.since, self.until):
            field.dateChanged.connect(lambda _: self._timer.start())
        self._scores = QWidget()
        self._scores.setLayout(_row(PlainLabel(tr("Score from")), self.low, PlainLabel(tr("to")), self.high))
        self._between = QWidget()
        self._between.setLayout(_row(PlainLabel(tr("Session from")), self.since, PlainLabel(tr("to")), self.until))
        details = QWidget()
        both = _row(self._scores, self._between)
        both.addStretch(1)
        details.setLayout(both)
        self._both = details
        return details

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
        since, until = self._dates()
        return CaseQuery(
            text=self.search.text(),
            clinician=self.clinician.currentData() or "",
            client=self.client.currentData() or "",
            tag=self.tag.currentData() or "",
            judge=self.judge.currentData() or "",
            statuses=(CaseStatus(status),) if status else (),
            since=since,
            until=until,
            score=ScoreRange(Dimension(dimension), self.low.value() / 100, self.high.value() / 100)
            if dimension
            else None,
            archived=self.archived.isChecked(),
            sort=sort,
            descending=descending,
        )

    def _dates(self) -> tuple[date | None, date | None]:
        days = self.dates.currentData()
        if days is None:
            return None, None
        if days == _BETWEEN:
            return day_of(self.since), day_of(self.until)
        return date.today() - timedelta(days=days), None

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


def _row(*parts: QWidget) -> QHBoxLayout:
    for part in parts:
        if not isinstance(part, PlainLabel):
            part.setMinimumHeight(HIT)
    return row(*parts, margins=(0,), spacing=1)
