"""Shows what a case file brought; and asks whether its sender's signature is one that the reader has compared."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from noteeval_desktop.store.records import Origin
from noteeval_desktop.store.signing import fingerprint
from noteeval_desktop.store.supervision import KnownSigner
from noteeval_desktop.store.taking_in import Imported
from noteeval_desktop.ui.library import arrived_words, words
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import CLOSE


class Arrived(Asking):
    """``asked`` once the reader has compared the code of a sender who was not known."""

    def __init__(self, parent: QWidget, imported: Imported) -> None:
        self.lines = arrived_words.lines(imported)
        super().__init__(parent, words.WHAT_THE_FILE_ADDED, "\n".join(self.lines), words.SAME_CODE, CLOSE)
        self._key = imported.sender.key
        unknown = imported.sender.origin is Origin.UNKNOWN
        self.go.setVisible(unknown)
        if not unknown:
            self.skip.setDefault(True)
            return
        self.form.addRow(PlainLabel(arrived_words.how_to_compare(imported), look="muted", wrap=True))
        shown = self.field(words.CODE_OF_THE_SENDER, shown=fingerprint(self._key))
        shown.setReadOnly(True)
        self.name = self.field(words.NAME)

    def problem(self) -> str:
        return "" if self.name.text().strip() else words.NAME_MISSING

    @property
    def signer(self) -> KnownSigner:
        return KnownSigner(self._key, self.name.text().strip())
