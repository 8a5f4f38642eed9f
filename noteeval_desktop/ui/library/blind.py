"""Before a case whose blind review is pending goes onto the desk with all that the judge said of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from noteeval_desktop.store.records import Pending
from noteeval_desktop.ui.library import words

_SAID = {
    Pending.WAITING: "This note is waiting for your blind review.",
    Pending.UNDER_WAY: "A blind review of this note is under way.",
}
_EXPLAINED = (
    "If you open the case, you see the judge’s marks and whose note it is. Its review is then not blind: "
    "the scorecard says so, and the review is not used to compare raters."
)


class OpenOrReview(QMessageBox):
    """Reviewing first is what Enter does, and Escape does nothing; never waits, so that locking can close it."""

    def __init__(
        self, parent: QWidget, pending: Pending, review: Callable[[], object], open_all: Callable[[], object]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(words.OPEN_THE_CASE)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(_SAID[pending])
        self.setInformativeText(_EXPLAINED)
        self.review = self.addButton(words.REVIEW_IT_BLIND_FIRST, QMessageBox.ButtonRole.AcceptRole)
        self.open_all = self.addButton(words.OPEN_WITH_THE_JUDGES_MARKS, QMessageBox.ButtonRole.ActionRole)
        self.setDefaultButton(self.review)
        self.setEscapeButton(self.addButton(QMessageBox.StandardButton.Cancel))
        self._acts = ((self.review, review), (self.open_all, open_all))
        self.finished.connect(lambda _: self._answer())

    def _answer(self) -> None:
        self.deleteLater()
        for button, act in self._acts:
            if self.clickedButton() is button:
                act()
