"""What can be done with a case in the list: by button, by context menu and by key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.case_file import SUFFIX
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary, Origin
from noteeval_desktop.store.signing import fingerprint
from noteeval_desktop.store.supervision import KnownSigner
from noteeval_desktop.store.taking_in import Imported
from noteeval_desktop.ui.case.files import case_file
from noteeval_desktop.ui.library import brought
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.dialogs import LabelCase
from noteeval_desktop.ui.library.key_dialogs import NewPassphrase
from noteeval_desktop.ui.library.old_cases_window import still_in_backups
from noteeval_desktop.ui.widgets.choosing import open_file, save_file
from noteeval_desktop.ui.widgets.dialogs import Asking, OnePassphrase
from noteeval_desktop.ui.widgets.parts import sure
from noteeval_desktop.ui.widgets.plain import PlainLabel, native
from noteeval_desktop.ui.widgets.words import CLOSE, EXPORT, IMPORT, RESTORE, exported

_EXPORT_THE_CASE = tr("Export the case")
CASE_FILES = tr("Encrypted cases (*{SUFFIX})").format(SUFFIX=SUFFIX)


class CaseFile:
    """The case as one encrypted file: how it is handed to somebody else."""

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
            tr("The file gets its own passphrase. Give it to the recipient some other way, for instance by phone."),
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


_IMPORT_A_CASE = tr("Import a case")


class CaseActs(QObject):
    """``changed`` when the list has to be read anew, ``gone(id)`` once a case was deleted, ``said(str)`` to the reader.

    ``arrived(id)``: a case that was not in the list before.

    ``chosen`` gives the case that they are about; ``importing`` needs none.
    """

    open_asked = Signal(str)
    review_asked = Signal(str)
    changed = Signal()
    gone = Signal(str)
    arrived = Signal(str)
    said = Signal(str)

    def __init__(self, access: Access, chosen: Callable[[], CaseSummary | None], window: QWidget) -> None:
        super().__init__(window)
        self._access, self._chosen, self._window = access, chosen, window
        self.file = CaseFile(window, access, self.said.emit)
        self.asking: Asking | None = None
        # Return opens by itself: as a shortcut it would also be taken from the search field.
        self.open = self._with_case(tr("Open"), "", lambda case: self.open_asked.emit(case.id))
        self.review = self._with_case(tr("Review…"), "Ctrl+R", lambda case: self.review_asked.emit(case.id))
        self.labels = self._with_case(tr("Labels…"), "F2", self._change_labels)
        self.duplicate = self._with_case(tr("Duplicate"), "Ctrl+D", self._duplicate)
        self.archive = self._with_case(tr("Archive"), "Ctrl+Shift+A", self._archive)
        self.export = self._with_case(tr("Export…"), "Ctrl+E", lambda case: self.file.choose(case.id))
        self.delete = self._with_case(tr("Delete…"), QKeySequence(Qt.Key.Key_Delete).toString(), self._delete)
        self.importing = self._act(tr("Import…"), "Ctrl+I", self._import)
        self.of_case = (self.open, self.review, self.labels, self.duplicate, self.archive, self.export, self.delete)

    def _act(self, text: str, key: str, does: Callable[[], object]) -> QAction:
        action = QAction(text, self._window)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setToolTip(f"{text.rstrip('…')} ({native(key)})" if key else f"{text} (Enter)")
        action.triggered.connect(lambda: does())
        self._window.addAction(action)
        return action

    def _with_case(self, text: str, key: str, does: Callable[[CaseSummary], object]) -> QAction:
        def act() -> None:
            if (case := self._chosen()) is not None:
                does(case)

        return self._act(text, key, act)

    def enable(self, archived: bool) -> None:
        """After another case was chosen; ``archived``: those in the list are."""
        chosen = self._chosen()
        for action in self.of_case:
            action.setEnabled(chosen is not None)
        # The copy would be a draft, which hides nothing.
        self.duplicate.setEnabled(chosen is not None and chosen.pending is None)
        self.archive.setText(RESTORE if archived else tr("Archive"))

    def _duplicate(self, case: CaseSummary) -> None:
        self._run(lambda library: library.cases.duplicate(case.id), self._on_arrived)

    def _on_arrived(self, case_id: str) -> None:
        self.arrived.emit(case_id)
        self.changed.emit()

    def _archive(self, case: CaseSummary) -> None:
        archived = not case.archived
        self._run(lambda library: library.cases.set_archived(case.id, archived), lambda _: self.changed.emit())

    def _delete(self, case: CaseSummary) -> None:
        if not sure(
            self._window,
            tr("Delete “{label}” for good?").format(label=case.labels.label),
            tr("The session, every revision and the scores are deleted, from the backups too."),
            tr("Delete"),
            stay=tr("Keep it"),
            title=tr("Delete the case"),
        ):
            return

        def deleted(unchanged: tuple[str, ...]) -> None:
            self.gone.emit(case.id)
            self.changed.emit()
            if unchanged:
                self.said.emit(still_in_backups(unchanged))

        self.said.emit(tr("Deleting…"))
        self._run(lambda library: library.delete(case.id), deleted)

    def _change_labels(self, case: CaseSummary) -> None:
        asks = LabelCase(self._window, tr("Change"), case.labels)

        def change() -> None:
            labels = asks.labels
            self._access.answer(
                asks, lambda library: library.cases.set_labels(case.id, labels), lambda _: self.changed.emit()
            )

        self.asking = asks.ask(change)

    def _import(self) -> None:
        if name := open_file(self._window, _IMPORT_A_CASE, CASE_FILES):
            self.import_from(Path(name))

    def import_from(self, path: Path) -> None:
        asks = OnePassphrase(
            self._window, _IMPORT_A_CASE, tr("Enter the passphrase that the file was exported with."), IMPORT
        )

        def imported(result: Imported) -> None:
            self._on_arrived(result.id)
            self._access.back_up()
            new = result.status_before is None
            self.said.emit(tr("The case was imported.") if new else tr("This case was already here."))
            self._show_arrived(result)

        def take_in() -> None:
            passphrase = asks.passphrase.text()
            self._access.answer(asks, lambda library: library.import_case(path, passphrase), imported)

        self.asking = asks.ask(take_in)

    def _show_arrived(self, imported: Imported) -> None:
        shows = Arrived(self._window, imported)

        def remember() -> None:
            signer = shows.signer
            self._access.answer(
                shows,
                lambda library: library.supervision.remember_signer(signer),
                lambda _: self.said.emit(
                    tr("From now on, what this key signs is shown as signed by {name}.").format(name=signer.name)
                ),
            )

        self.asking = shows.ask(remember)

    def _run(self, act: Callable[[Library], object], done: Callable[..., object]) -> None:
        self._access.run_for(self, act, done, self.said.emit)
