"""Fields for a day and for a number."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QIcon, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QDateEdit, QSpinBox, QToolButton

from noteeval_desktop.ui.widgets.theme import HIT, UNIT


def date_field(name: str, shown: date) -> QDateEdit:
    field = QDateEdit(QDate(shown.year, shown.month, shown.day))
    field.setCalendarPopup(True)
    field.setDisplayFormat("d MMM yyyy")
    field.setAccessibleName(name)
    field.setMinimumHeight(HIT)
    _make_legible(field.calendarWidget())
    return field


def _make_legible(calendar: QCalendarWidget) -> None:
    """Qt draws black arrows and red weekends, whatever is behind them."""
    for name, drawn, said in (("prevmonth", "‹", "Month before"), ("nextmonth", "›", "Next month")):
        button = calendar.findChild(QToolButton, f"qt_calendar_{name}")
        if isinstance(button, QToolButton):
            button.setIcon(QIcon())
            button.setText(drawn)
            button.setAccessibleName(said)
    plain = QTextCharFormat()
    plain.setForeground(calendar.palette().text())
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, plain)


def day_of(field: QDateEdit) -> date:
    chosen = field.date()
    return date(chosen.year(), chosen.month(), chosen.day())


def number_field(name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setAccessibleName(name)
    spin.setMinimumHeight(HIT)
    # A style sheet that draws the buttons leaves no room before the text.
    spin.lineEdit().setTextMargins(UNIT - 2, 0, 0, 0)
    return spin
