"""Two sets of notes side by side: which, and their figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.many.figures import Overview
from noteeval_desktop.ui.many.figures_page import FiguresPage
from noteeval_desktop.ui.many.run_store import Entry
from noteeval_desktop.ui.many.start_page import OPEN_RESULTS_HINT
from noteeval_desktop.ui.widgets.parts import button, choice, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT

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
