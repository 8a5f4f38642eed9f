"""The case as one encrypted file: how it is handed to somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.case_file import SUFFIX
from noteeval_desktop.ui.case.files import case_file
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.dialogs import NewPassphrase
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.words import EXPORT, exported

_EXPORT_THE_CASE = tr("Export the case")
CASE_FILES = tr("Encrypted cases (*{SUFFIX})").format(SUFFIX=SUFFIX)


class CaseFile:
    def __init__(self, window: QWidget, access: Access, say: Callable[[str], object]) -> None:
        self._window, self._access, self._say = window, access, say
        self.asking: NewPassphrase | None = None

    def choose(self, case_id: str) -> None:
        """The file is called what the case is called."""

        def ask(label: str) -> None:
            name = save_file(self._window, _EXPORT_THE_CASE, case_file(label, SUFFIX), CASE_FILES)
            if name:
                self.export_to(case_id, Path(name if name.endswith(SUFFIX) else name + SUFFIX))

        self._access.run_for(self._window, lambda library: library.cases.summary(case_id).labels.label, ask, self._say)

    def export_to(self, case_id: str, path: Path) -> None:
        asks = NewPassphrase(
            self._window,
            _EXPORT_THE_CASE,
            tr("The file gets its own passphrase. Tell it to the reader in some other way, for instance by phone."),
            EXPORT,
        )

        def export() -> None:
            passphrase = asks.first.text()
            self._access.answer(
                asks,
                lambda library: library.export_case(case_id, path, passphrase, self._access.cost),
                lambda _: self._say(exported(path.name)),
            )

        self.asking = asks.ask(export)
