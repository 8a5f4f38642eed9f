"""Fields for a day and for a number."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QDateEdit, QSpinBox

from noteeval_desktop.ui.theme import HIT, UNIT


def date_field(name: str, shown: date) -> QDateEdit:
    field = QDateEdit(QDate(shown.year, shown.month, shown.day))
    field.setCalendarPopup(True)
    field.setDisplayFormat("d MMM yyyy")
    field.setAccessibleName(name)
    field.setMinimumHeight(HIT)
    return field


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
