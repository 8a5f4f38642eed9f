"""Supervision's small dialogs: the rater's name, something else that was agreed, the signature."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.theme import HIT


class AskRater(Asking):
    """Under which name the marks are kept."""

    def __init__(self, parent: QWidget, known: Rater) -> None:
        super().__init__(
            parent,
            tr("Who reviews?"),
            tr(
                "Your marks are saved under this name, in the encrypted library only. “Review under another name…” "
                "changes it."
            ),
            tr("Start the review"),
        )
        self.name = self.field(tr("Your name"), shown=known.name)
        self.name.selectAll()

    def problem(self) -> str:
        return "" if self.name.text().strip() else tr("Enter your name, so that your marks can be told apart.")


class SettleOther(Asking):
    """What else was agreed on, and why."""

    def __init__(self, parent: QWidget, dimension: Dimension, values: Sequence[str], chosen: str, reason: str) -> None:
        super().__init__(
            parent, tr("Something else"), tr("What was agreed, and why? Both are saved with the review."), tr("Settle")
        )
        self.agreed = QComboBox()
        self.agreed.setEditable(True)
        self.agreed.setMinimumHeight(HIT)
        agreed = tr("Agreed")
        self.agreed.setAccessibleName(agreed)
        for value in values:
            self.agreed.addItem(words.value(dimension, value), value)
        self.agreed.setCurrentIndex(max(self.agreed.findData(chosen), 0))
        self.form.addRow(agreed, self.agreed)
        self.reason = self.field(tr("Reason"), shown=reason)
        self.reason.setFocus()

    @property
    def value(self) -> str:
        """One of the values, or words of one's own."""
        text = self.agreed.currentText().strip()
        known = self.agreed.findText(text)
        return str(self.agreed.itemData(known)) if known >= 0 else text

    def problem(self) -> str:
        if not self.value:
            return tr("Enter what was agreed.")
        return "" if self.reason.text().strip() else tr("Give the reason, for those who read it later.")


class Sign(Asking):
    """The co-signature: name, credentials; the time is now."""

    def __init__(self, parent: QWidget, known: Rater, left: str, doubts: str) -> None:
        """``left`` says what is still open, ``doubts`` what speaks against signing; empty: nothing."""
        why = tr(
            "By signing you approve the note, and confirm that you checked what you were asked about against its "
            "session. Your name, credentials and the time are saved with the case and shown on its scorecard. The "
            "passphrase of your library shows that it is you."
        )
        explained = "\n\n".join(filter(None, (doubts, f"{why} {left}".strip())))
        title = tr("Approve and sign")
        super().__init__(
            parent,
            title,
            explained,
            tr("Approve and sign anyway") if doubts else title,
        )
        self.name = self.field(tr("Name"), shown=known.name)
        self.credentials = self.field(tr("Credentials"), shown=known.credentials)
        self.credentials.setPlaceholderText(tr("LMFT, licence 12345"))
        self.passphrase = self.field(tr("Passphrase of your library"), secret=True)

    def showEvent(self, event: QShowEvent) -> None:
        """What is known as a rule is not asked again; the passphrase always is."""
        super().showEvent(event)
        next((one for one in (self.name, self.credentials) if not one.text()), self.passphrase).setFocus()

    def problem(self) -> str:
        if not self.name.text().strip():
            return tr("Enter the name to sign with.")
        if not self.credentials.text().strip():
            return tr("Enter your credentials, such as LCSW, LMFT or PsyD.")
        return (
            "" if self.passphrase.text() else tr("Enter the passphrase of your library: nobody else can sign with it.")
        )
