"""Choosing the sentence of the note that addresses a risk: a list to scroll and to search, however long the note."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.theme import UNIT

CHOOSE_A_SENTENCE = tr("Choose the sentence of the note that addresses this")


class ChooseSentence(Asking):
    """``asked`` when a sentence was chosen, which ``chosen`` then is."""

    def __init__(self, parent: QWidget, sentences: Sequence[str]) -> None:
        super().__init__(parent, tr("Link to a sentence"), CHOOSE_A_SENTENCE, tr("Link"))
        self.search = QLineEdit()
        find = tr("Find a sentence of the note")
        self.search.setPlaceholderText(find)
        self.search.setAccessibleName(find)
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(CHOOSE_A_SENTENCE)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumSize(70 * UNIT, 40 * UNIT)
        self.list.addItems(list(sentences))
        self.form.addRow(self.search)
        self.form.addRow(self.list)
        self.search.textChanged.connect(self._show)
        self.list.itemDoubleClicked.connect(lambda _: self.go.click())
        self.list.currentItemChanged.connect(lambda *_: self.go.setEnabled(bool(self.chosen)))
        self.go.setEnabled(False)
        self.asked.connect(self.accept)

    @property
    def chosen(self) -> str:
        item = self.list.currentItem()
        return item.text() if item is not None and not item.isHidden() else ""

    def _show(self, sought: str) -> None:
        """What is left alone is chosen."""
        left: list[QListWidgetItem] = []
        for item in (self.list.item(n) for n in range(self.list.count())):
            item.setHidden(sought.strip().casefold() not in item.text().casefold())
            left += [] if item.isHidden() else [item]
        if len(left) == 1:
            self.list.setCurrentItem(left[0])
        self.go.setEnabled(bool(self.chosen))
