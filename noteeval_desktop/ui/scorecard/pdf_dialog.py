"""Asks how a scorecard's PDF is to be: on which paper, and with a password or open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Review, Vouched
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.pdf_password import Strength, checked, strength
from noteeval_desktop.report.scorecard_page import APPENDIX_NAMES, Appendix
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.parts import choice, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import EXPORT

_NO_PASSWORD = tr("Anyone who gets the file can read it.")
_HINTS = {
    Strength.WEAK: tr("Weak: it could be guessed. Four unrelated words are strong and easy to remember."),
    Strength.FAIR: tr("Fair. Four unrelated words or sixteen characters would be strong."),
    Strength.STRONG: tr("Strong, if it is used nowhere else."),
}


@dataclass(frozen=True, slots=True)
class PdfChoice:
    """``paper`` is a4 or letter; an empty password leaves the file open; ``more``: with what was offered
    to go with it; ``masked``: without names; ``page``: a web page for screen readers stands beside the file."""

    password: str = field(default="", repr=False)
    paper: str = "a4"
    more: bool = False
    appendix: tuple[Appendix, ...] = ()
    masked: bool = False
    page: bool = False


SavePdf = Callable[[Evaluation, Path, Review, Vouched, tuple[Decision, ...], PdfChoice], object]


def usual_paper() -> str:
    """Letter where people measure in inches, A4 elsewhere."""
    metric = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
    return "a4" if metric else "letter"


class ChoosePdf(Asking):
    """``choice`` once it was ``asked``. ``more`` names what may go with it, and does only where it is ticked."""

    def __init__(self, parent: QWidget, more: str = "", reviewed: bool = False) -> None:
        explained = tr(
            "With a password, the whole file is encrypted (AES-256). Leave it empty to export the file unencrypted. "
            "The password is not stored and cannot be recovered: without it, nobody can open the file."
        )
        super().__init__(parent, tr("Export the scorecard"), explained, EXPORT)
        self.first = self.field(tr("Password (optional)"), secret=True)
        self.second = self.field(tr("Repeat password"), secret=True)
        self.hint = PlainLabel(_NO_PASSWORD, look="muted", wrap=True)
        self.first.setAccessibleDescription(_NO_PASSWORD)
        self.form.addRow("", self.hint)
        self.paper = choice(tr("Paper"), (("A4", "a4"), (tr("Letter"), "letter")), usual_paper())
        self.form.addRow(tr("Paper"), self.paper)
        self.masked = self._box(tr("Mask names, places and dates"))
        self.page = self._box(tr("Also save a web page for screen readers"))
        self.form.addRow(_in_columns((self.masked, self.page)))
        alone = tr("Two pages: what to look at before signing, and the note with its marks. Add:")
        talked = tr("A page to talk over, and the note with its marks and comments. Add:")
        self.form.addRow(PlainLabel(talked if reviewed else alone, wrap=True))
        self.parts = {part: self._box(name) for part, name in APPENDIX_NAMES.items()}
        self.more = self._box(more)
        shown = tuple(box for part, box in self.parts.items() if reviewed or part is not Appendix.SCORES)
        shown += (self.more,) if more else ()
        self.form.addRow(_in_columns(shown))
        self.first.textChanged.connect(self._show_hint)
        self.second.setEnabled(False)

    def _box(self, name: str) -> QCheckBox:
        box = tick(name)
        box.setParent(self)
        box.hide()
        return box

    def _show_hint(self, password: str) -> None:
        # The page cannot be encrypted: it would tell what the password protects.
        self.page.setEnabled(not password)
        self.second.setEnabled(bool(password))
        self.hint.setText(_HINTS[strength(password)] if password else _NO_PASSWORD)
        self.first.setAccessibleDescription(self.hint.text())

    def problem(self) -> str:
        password = self.first.text()
        if not password:
            return ""
        try:
            checked(password)
        except InputError as error:
            return str(error)
        return "" if self.second.text() == password else tr("The two passwords differ. Type the second one again.")

    @property
    def choice(self) -> PdfChoice:
        return PdfChoice(
            self.first.text(),
            self.paper.currentData(),
            self.more.isChecked(),
            tuple(part for part, box in self.parts.items() if box.isChecked()),
            self.masked.isChecked(),
            self.page.isChecked() and self.page.isEnabled(),
        )


def _in_columns(boxes: Sequence[QCheckBox]) -> QGridLayout:
    """Two: one is higher than a small screen."""
    made = QGridLayout()
    made.setHorizontalSpacing(2 * UNIT)
    for number, box in enumerate(boxes):
        made.addWidget(box, number // 2, number % 2)
        box.show()
    return made


def ask_pdf(parent: QWidget, then: Callable[[PdfChoice], object], more: str = "", reviewed: bool = False) -> ChoosePdf:
    """Opens the dialog; ``then`` when it was filled in. ``reviewed``: the scorecard goes with a supervisor's review."""
    asks = ChoosePdf(parent, more, reviewed)

    def asked() -> None:
        asks.accept()
        then(asks.choice)

    return asks.ask(asked)
