"""Two sets side by side: two sources within these notes, or these and another folder of results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.many.figures import Overview
from noteeval_desktop.ui.many.entries import Entry
from noteeval_desktop.ui.many.figures_page import FiguresPage
from noteeval_desktop.ui.many.start_page import OPEN_RESULTS_HINT
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, Theme

_OTHER_RESULTS = tr("Other results…")
_ALL_OF_THIS = tr("This set")


class ComparePage(QWidget):
    """``asked(entries, entries, names)`` when two different sets are chosen."""

    asked = Signal(object, object, object)
    other_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sets: dict[str, tuple[Entry, ...]] = {}
        self._others: dict[str, tuple[Entry, ...]] = {}
        self.first, self.second = QComboBox(), QComboBox()
        self.other = button(_OTHER_RESULTS, self.other_asked.emit, hint=OPEN_RESULTS_HINT, height=HIT)
        for name, box in ((tr("First set"), self.first), (tr("Second set"), self.second)):
            name_choice(box, name)
            box.setMinimumHeight(HIT)
            box.activated.connect(lambda _: self._ask())
        first, second = PlainLabel(tr("First set")), PlainLabel(tr("Second set"))
        self.page = FiguresPage(tr("Compare"), theme)
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
        self.said.setText(
            ""
            if two
            else tr("Choose two different sets above.")
            if several
            else tr(
                "These notes are one set. To compare them with the results of another review, or of another "
                "judge, open the folder of those results."
            )
        )
        self.open.setVisible(not several)
        self.empty.setVisible(not two)
        self.page.setVisible(two)
        if two:
            self.asked.emit(self._sets[names[0]], self._sets[names[1]], names)
        else:
            self.page.show_overview(Overview(tr("Compare"), (), ()))
