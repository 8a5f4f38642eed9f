"""Asks how a scorecard's PDF is to be: on which paper, and with a password or open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Review, Vouched
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.pdf_password import CANNOT_BE_RECOVERED, HINTS, checked, strength
from noteeval_desktop.ui.scorecard import words
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT

EXPLAINED = (
    "With a password the file is encrypted (AES-256): text, title and fingerprints. Leave it empty to export the file "
    f"open. {CANNOT_BE_RECOVERED}"
)
NO_PASSWORD = "Anyone who gets the file can read it."
DIFFERENT = "The two passwords differ. Type the second one again."


@dataclass(frozen=True, slots=True)
class PdfChoice:
    """``paper`` is a4 or letter; an empty password leaves the file open; ``more``: with what was offered
    to go with it."""

    password: str = field(default="", repr=False)
    paper: str = "a4"
    more: bool = False


SavePdf = Callable[[Evaluation, Path, Review, Vouched, PdfChoice], object]


def usual_paper() -> str:
    """Letter where people measure in inches, A4 elsewhere."""
    metric = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
    return "a4" if metric else "letter"


class ChoosePdf(Asking):
    """``choice`` once it was ``asked``. ``more`` names what may go with it, and does only where it is ticked."""

    def __init__(self, parent: QWidget, more: str = "") -> None:
        super().__init__(parent, "Export the scorecard", EXPLAINED, "Export")
        self.first = self.field(words.PASSWORD_OPTIONAL, secret=True)
        self.second = self.field(words.REPEAT_PASSPHRASE, secret=True)
        self.hint = PlainLabel(NO_PASSWORD, look="muted", wrap=True)
        self.hint.setAccessibleName(words.HOW_STRONG_THE_PASSWORD)
        self.form.addRow("", self.hint)
        self.paper = QComboBox()
        self.paper.setAccessibleName("Paper")
        self.paper.setMinimumHeight(HIT)
        for name, value in (("A4", "a4"), ("Letter", "letter")):
            self.paper.addItem(name, value)
        self.paper.setCurrentIndex(self.paper.findData(usual_paper()))
        self.form.addRow("Paper", self.paper)
        self.more = QCheckBox(more)
        self.more.setMinimumHeight(HIT)
        if more:
            self.form.addRow("", self.more)
        self.first.textChanged.connect(self._show_hint)
        self.second.setEnabled(False)

    def _show_hint(self, password: str) -> None:
        self.second.setEnabled(bool(password))
        self.hint.setText(HINTS[strength(password)] if password else NO_PASSWORD)
        self.hint.setAccessibleDescription(self.hint.text())

    def problem(self) -> str:
        password = self.first.text()
        if not password:
            return ""
        try:
            checked(password)
        except InputError as error:
            return str(error)
        return "" if self.second.text() == password else DIFFERENT

    @property
    def choice(self) -> PdfChoice:
        return PdfChoice(self.first.text(), self.paper.currentData(), self.more.isChecked())


def ask_pdf(parent: QWidget, then: Callable[[PdfChoice], object], more: str = "") -> ChoosePdf:
    """Opens the dialog; ``then`` when it was filled in."""
    asks = ChoosePdf(parent, more)

    def asked() -> None:
        asks.accept()
        then(asks.choice)

    asks.asked.connect(asked)
    asks.finished.connect(asks.deleteLater)
    asks.open()
    return asks
