"""Supervision's small dialogs: the rater's name, something else that was agreed, the signature."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.supervision import dialog_words, words
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.theme import HIT


class AskRater(Asking):
    """Under which name the marks are kept."""

    def __init__(self, parent: QWidget, known: Rater) -> None:
        super().__init__(parent, dialog_words.WHO_REVIEWS, dialog_words.WHY_A_NAME, dialog_words.START_THE_REVIEW)
        self.name = self.field(dialog_words.YOUR_NAME, shown=known.name)
        self.name.selectAll()

    def problem(self) -> str:
        return "" if self.name.text().strip() else dialog_words.NAME_MISSING


class SettleOther(Asking):
    """What else was agreed on, and why."""

    def __init__(self, parent: QWidget, dimension: Dimension, values: Sequence[str], chosen: str, reason: str) -> None:
        super().__init__(parent, dialog_words.SOMETHING_ELSE, dialog_words.WHAT_WAS_AGREED, dialog_words.SETTLE)
        self.agreed = QComboBox()
        self.agreed.setEditable(True)
        self.agreed.setMinimumHeight(HIT)
        self.agreed.setAccessibleName(dialog_words.AGREED)
        for value in values:
            self.agreed.addItem(words.value(dimension, value), value)
        self.agreed.setCurrentIndex(max(self.agreed.findData(chosen), 0))
        self.form.addRow(dialog_words.AGREED, self.agreed)
        self.reason = self.field(dialog_words.REASON, shown=reason)
        self.reason.setFocus()

    @property
    def value(self) -> str:
        """One of the values, or words of one's own."""
        text = self.agreed.currentText().strip()
        known = self.agreed.findText(text)
        return str(self.agreed.itemData(known)) if known >= 0 else text

    def problem(self) -> str:
        if not self.value:
            return dialog_words.AGREED_MISSING
        return "" if self.reason.text().strip() else dialog_words.REASON_MISSING


class Sign(Asking):
    """The co-signature: name, credentials; the time is now."""

    def __init__(self, parent: QWidget, known: Rater, left: str, doubts: str) -> None:
        """``left`` says what is still open, ``doubts`` what speaks against signing; empty: nothing."""
        explained = "\n\n".join(part for part in (doubts, f"{dialog_words.WHY_SIGN} {left}".strip()) if part)
        super().__init__(
            parent,
            dialog_words.APPROVE_AND_SIGN,
            explained,
            dialog_words.SIGN_ANYWAY if doubts else dialog_words.APPROVE_AND_SIGN,
        )
        self.name = self.field(words.NAME, shown=known.name)
        self.credentials = self.field(dialog_words.CREDENTIALS, shown=known.credentials)
        self.credentials.setPlaceholderText(dialog_words.CREDENTIALS_EXAMPLE)
        self.passphrase = self.field(dialog_words.LIBRARY_PASSPHRASE, secret=True)

    def showEvent(self, event: QShowEvent) -> None:
        """What is known as a rule is not asked again; the passphrase always is."""
        super().showEvent(event)
        next((one for one in (self.name, self.credentials) if not one.text()), self.passphrase).setFocus()

    def problem(self) -> str:
        if not self.name.text().strip():
            return dialog_words.SIGNER_MISSING
        if not self.credentials.text().strip():
            return dialog_words.CREDENTIALS_MISSING
        return "" if self.passphrase.text() else dialog_words.PASSPHRASE_MISSING
