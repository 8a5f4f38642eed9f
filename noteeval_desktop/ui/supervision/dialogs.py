"""Supervision's small dialogs: the rater's name, something else that was agreed, the signature."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.theme import HIT


class AskRater(Asking):
    """Under which name the marks are kept."""

    def __init__(self, parent: QWidget, known: Rater) -> None:
        super().__init__(parent, "Who reviews?", words.WHY_A_NAME, "Start the review")
        self.name = self.field(words.YOUR_NAME, shown=known.name)
        self.name.selectAll()

    def problem(self) -> str:
        return "" if self.name.text().strip() else "Enter your name, so that your marks can be told apart."


class SettleOther(Asking):
    """What else was agreed on, and why."""

    def __init__(self, parent: QWidget, dimension: Dimension, values: Sequence[str], chosen: str, reason: str) -> None:
        super().__init__(
            parent, "Something else", "What was agreed, and why? Both are saved with the review.", "Settle"
        )
        self.agreed = QComboBox()
        self.agreed.setEditable(True)
        self.agreed.setMinimumHeight(HIT)
        self.agreed.setAccessibleName("Agreed")
        for value in values:
            self.agreed.addItem(words.value(dimension, value), value)
        self.agreed.setCurrentIndex(max(self.agreed.findData(chosen), 0))
        self.form.addRow("Agreed", self.agreed)
        self.reason = self.field("Reason", shown=reason)
        self.reason.setFocus()

    @property
    def value(self) -> str:
        """One of the values, or words of one's own."""
        text = self.agreed.currentText().strip()
        known = self.agreed.findText(text)
        return str(self.agreed.itemData(known)) if known >= 0 else text

    def problem(self) -> str:
        if not self.value:
            return "Enter what was agreed."
        return "" if self.reason.text().strip() else "Give the reason, for those who read it later."


class Sign(Asking):
    """The co-signature: name, credentials; the time is now."""

    def __init__(self, parent: QWidget, known: Rater, left: str, doubts: str) -> None:
        """``left`` says what is still open, ``doubts`` what speaks against signing; empty: nothing."""
        explained = "\n\n".join(part for part in (doubts, f"{words.WHY_SIGN} {left}".strip()) if part)
        super().__init__(
            parent, "Approve and sign", explained, "Approve and sign anyway" if doubts else "Approve and sign"
        )
        self.name = self.field("Name", shown=known.name)
        self.credentials = self.field("Credentials", shown=known.credentials)
        self.credentials.setPlaceholderText(words.CREDENTIALS_EXAMPLE)

    def showEvent(self, event: QShowEvent) -> None:
        """The name is known as a rule."""
        super().showEvent(event)
        (self.credentials if self.name.text() else self.name).setFocus()

    def problem(self) -> str:
        if not self.name.text().strip():
            return "Enter the name to sign with."
        return "" if self.credentials.text().strip() else "Enter your credentials, such as LCSW, LMFT or PsyD."
