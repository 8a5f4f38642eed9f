"""Shows what a case file brought; and asks whether its sender's signature is one that the reader has compared."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.records import Origin
from noteeval_desktop.store.signing import fingerprint
from noteeval_desktop.store.supervision import KnownSigner
from noteeval_desktop.store.taking_in import Imported
from noteeval_desktop.ui.library import brought
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import CLOSE


class Arrived(Asking):
    """``asked`` once the reader has compared the code of a sender who was not known."""

    def __init__(self, parent: QWidget, imported: Imported) -> None:
        self.lines = brought.lines(imported)
        super().__init__(parent, tr("What the file added"), "\n".join(self.lines), tr("The code is the same"), CLOSE)
        self._key = imported.sender.key
        unknown = imported.sender.origin is Origin.UNKNOWN
        self.go.setVisible(unknown)
        if not unknown:
            self.skip.setDefault(True)
            return
        self.form.addRow(PlainLabel(brought.how_to_compare(imported), look="muted", wrap=True))
        shown = self.field(tr("Code of the sender"), shown=fingerprint(self._key))
        shown.setReadOnly(True)
        self.name = self.field(tr("Name"))

    def problem(self) -> str:
        return "" if self.name.text().strip() else tr("Type the name of the sender.")

    @property
    def signer(self) -> KnownSigner:
        return KnownSigner(self._key, self.name.text().strip())
