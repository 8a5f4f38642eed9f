"""A field for a day, and the day in it."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QDateEdit

from noteeval_desktop.ui.theme import HIT


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
