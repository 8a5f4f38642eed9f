"""The recovery key, shown once: on paper, in a PDF, or by the clipboard into a place of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QGuiApplication, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.ui.library.key_dialogs import RecoveryKey
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.jobs import problem, while_alive
from noteeval_desktop.ui.widgets.words import SENT_TO_THE_PRINTER

Submit = Callable[[Callable[[], object], Callable[[object], object], Callable[[Exception], object]], object]


def show_recovery_key(
    window: QWidget, key: str, submit: Submit, then: Callable[[], object], to_come: bool = False
) -> RecoveryKey:
    """``submit(act, done, failed)`` runs ``act`` off the GUI thread; ``then`` once the reader has the key, which holds
    from then on where it is ``to_come``."""
    shows = RecoveryKey(window, key, to_come)
    shows.print_asked.connect(lambda: _print(shows, key))
    shows.save_asked.connect(lambda: _choose_file(shows, key, submit))
    shows.copy_asked.connect(lambda: _copy(shows, key))
    shows.finished.connect(lambda _: _take_back(key))
    (shows.asked if to_come else shows.accepted).connect(lambda: then())
    return shows


def _print(shows: RecoveryKey, key: str) -> None:
    # Here, not above: printing loads a library that the first screen does not need.
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter()
    if QPrintDialog(printer, shows).exec():
        _document(key).print_(printer)
        shows.say_kept(SENT_TO_THE_PRINTER)


def _choose_file(shows: RecoveryKey, key: str, submit: Submit) -> None:
    chosen = save_file(shows, tr("Save the recovery key"), "recovery-key.pdf", "PDF (*.pdf)")
    if chosen:
        save_recovery_key(shows, key, Path(chosen), submit)


def save_recovery_key(shows: RecoveryKey, key: str, path: Path, submit: Submit) -> None:
    content = _pdf(key)

    def write() -> None:
        try:
            write_private(path, content)
        except OSError as error:
            problem = tr("could not be written ({strerror})").format(strerror=error.strerror)
            raise InputError(path.name, problem, tr("Choose another folder.")) from error

    submit(
        write,
        while_alive(
            shows, lambda _: shows.say_kept(tr("Saved {name}. Move it away from this computer.").format(name=path.name))
        ),
        while_alive(shows, lambda error: shows.say(problem(error))),
    )


def _copy(shows: RecoveryKey, key: str) -> None:
    QGuiApplication.clipboard().setText(key)
    shows.say_kept(tr("Copied. Paste it into a safe place now; “I have it” clears the clipboard."))


def _take_back(key: str) -> None:
    clipboard = QGuiApplication.clipboard()
    if clipboard.text() == key:
        clipboard.clear()


def _document(key: str) -> QTextDocument:
    document = QTextDocument()
    document.setPlainText(
        tr(
            "NoteEval: recovery key of the library\n\n{key}\n\nIt opens the library if the passphrase is "
            "forgotten: choose “Forgot the passphrase…” where the passphrase is asked. Keep it away from "
            "the computer, as safe as the notes themselves.\n"
        ).format(key=key)
    )
    return document


def _pdf(key: str) -> bytes:
    """In memory: nothing of it may be left on the disk but the file that was asked for."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(tr("NoteEval: recovery key"))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    _document(key).print_(writer)
    # The file is only whole once its writer is gone.
    del writer
    return bytes(buffer.data().data())
