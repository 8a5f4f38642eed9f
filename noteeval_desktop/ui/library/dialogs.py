"""What the library asks: a new passphrase, and what a case is called."""

from __future__ import annotations

from datetime import date

from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QWidget,
)

from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.library.fields import date_field, day_of
from noteeval_desktop.ui.widgets.dialogs import Asking

_SHORTEST = 8


def wrong_pair(first: QLineEdit, second: QLineEdit) -> str:
    if len(first.text().strip()) < _SHORTEST:
        return f"The passphrase needs at least {_SHORTEST} characters. Several words are easiest to remember."
    return "" if first.text() == second.text() else "The two passphrases differ. Type the second one again."


class NewPassphrase(Asking):
    """A passphrase chosen, twice: for a new library, or for a case that travels."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        explained: str,
        button: str,
        skip: str = "Cancel",
        named: str = "Passphrase",
    ) -> None:
        super().__init__(parent, title, explained, button, skip)
        self.first = self.field(named, secret=True)
        self.second = self.field(words.REPEAT_PASSPHRASE, secret=True)

    def problem(self) -> str:
        return wrong_pair(self.first, self.second)


class LabelCase(Asking):
    """What a case is called in the list: the user's own words."""

    def __init__(self, parent: QWidget, button: str, shown: Labels) -> None:
        explained = "The list of cases shows these labels. You need not use real names."
        super().__init__(parent, "Labels of the case", explained, button)
        self.label = self.field("Label", shown=shown.label)
        self.clinician = self.field("Clinician", shown=shown.clinician)
        self.client = self.field("Client", shown=shown.client)
        self.tags = self.field("Tags", shown=", ".join(shown.tags))
        self.tags.setPlaceholderText(words.INTAKE_TO_DISCUSS)
        self.dated = QCheckBox(words.SESSION_DATE)
        self.dated.setChecked(shown.session_date is not None)
        self.date = date_field("Date of the session", shown.session_date or date.today())
        self.date.setEnabled(self.dated.isChecked())
        self.dated.toggled.connect(self.date.setEnabled)
        self.form.addRow(self.dated, self.date)
        self.label.selectAll()

    def problem(self) -> str:
        return "" if self.label.text().strip() else "Give the case a label, so that you can find it."

    @property
    def labels(self) -> Labels:
        label, clinician, client = (field.text().strip() for field in (self.label, self.clinician, self.client))
        tags = dict.fromkeys(tag.strip() for tag in self.tags.text().split(",") if tag.strip())
        return Labels(label, clinician, client, day_of(self.date) if self.dated.isChecked() else None, tuple(tags))
