"""The download of a model, of those that are listed or by its address."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import duration, tr
from noteeval_desktop.engines.download import TimeLeft, download, listed, part_of, source
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest
from noteeval_desktop.engines.route import said_of
from noteeval_desktop.errors import Cancelled, NoteEvalError
from noteeval_desktop.ui.judging.model_fit import details, gigabytes, suited
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, problem
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, field, form, progress_bar, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.words import CLOSE

_DOWNLOAD_IT = tr("Download")
_RESUME = tr("Resume")
_JOB = "download_model"
_STEPS = 1000
_SENT = tr(
    "Only the file's address is sent, nothing from your cases. Only for this download "
    "does NoteEval use the proxy and certificates of this computer."
)


class DownloadDialog(Window):
    """``arrived(Path)``: the file is in ``folder`` and its SHA-256 is right."""

    arrived = Signal(object)

    def __init__(
        self, folder: Path, free: int | None, jobs: JobRunner, parent: QWidget | None = None, gpu: bool = False
    ) -> None:
        super().__init__(parent, tr("Get a model"), (640, 360), once=True)
        self._folder, self._free, self._jobs = folder, free, jobs
        self._running = False
        self.which = choice(tr("Model"))
        best = suited(free, gpu)
        entries = tuple(reversed(read_manifest().chat))
        for entry in entries:
            name = f"{entry.name} ({gigabytes(entry.bytes)})"
            self.which.addItem(tr("{name}, suits this computer").format(name=name) if entry == best else name, entry)
        self.which.addItem(tr("Another file"), None)
        self._details, self._way = PlainLabel("", wrap=True), PlainLabel("", look="muted", wrap=True)
        self._way.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._own = QWidget()
        self.url = field(tr("Address of the file"), hint="https://")
        self.sha256 = field("SHA-256", hint=tr("64 digits, from the publisher's page"))
        self.bar = progress_bar(_DOWNLOAD_IT, _STEPS)
        self.said = PlainLabel("", wrap=True)
        self.go, self.stop = button(_DOWNLOAD_IT, self._on_go, "primary"), button(CLOSE, self._on_stop)
        own = form(self._own)
        own.addRow(tr("Address"), self.url)
        own.addRow("SHA-256", self.sha256)
        buttons = row(None, self.stop, self.go)
        above = self.which, self._details, self._way, self._own
        column(*above, None, self.bar, self.said, buttons, on=self, margins=(3, 3, 3, 2), spacing=1)
        self.which.currentIndexChanged.connect(lambda _: self._show_entry())
        self.which.setCurrentIndex(entries.index(best))
        self._show_entry()
        self._show_running(False)

    @property
    def entry(self) -> ChatEntry | None:
        chosen = self.which.currentData()
        return chosen if isinstance(chosen, ChatEntry) else None

    def _show_entry(self) -> None:
        entry = self.entry
        self.said.setText("")
        self._own.setVisible(entry is None)
        self.go.setText(_DOWNLOAD_IT)
        if entry is None:
            self._details.setText(
                tr("Any chat model in GGUF format. The publisher's page gives its address and SHA-256.")
            )
            self._way.setText(_SENT)
            return
        self._details.setText(details(entry, self._free))
        self._way.setText(
            tr("From {home}. {sent} A file whose SHA-256 differs from the list's is deleted.").format(
                home=entry.home, sent=_SENT
            )
        )
        part = part_of(listed(entry), self._folder)
        if part.is_file():
            self.go.setText(_RESUME)
            here, whole = part.stat().st_size, entry.bytes
            self.said.setText(
                tr("{here} of {whole} are already downloaded.").format(here=gigabytes(here), whole=gigabytes(whole))
            )

    # Downloading

    def _on_go(self) -> None:
        entry = self.entry
        try:
            wanted = listed(entry) if entry is not None else source(self.url.text(), self.sha256.text())
        except NoteEvalError as error:
            self._say(str(error))
            return
        folder, left = self._folder, TimeLeft()

        def work(cancel: threading.Event, emit: Emit) -> Path:
            told = -1.0
            emit(said_of(wanted.url))  # here: the system may look the server's name up for it

            def progress(done: int, total: int) -> None:
                nonlocal told
                now = left.clock()
                seconds = left(done, total) if total else None
                if now - told > 0.2 or done == total:
                    told = now
                    emit((done, total, seconds))

            return download(wanted, folder, progress, cancel)

        self._show_running(True)
        self._say(tr("Asking…"))
        # Not the disk's lane: a file of gigabytes would hold up saving.
        self._jobs.submit(Lane.REMOTE, _JOB, work, self._done, self._failed, self._progress, owner=self)

    def _progress(self, event: object) -> None:
        """Which way it is sent, then how much is here, of how much (0: not known), and the seconds that are left."""
        if not isinstance(event, tuple):
            self._way.setText(tr("Only the file's address is sent, nothing from your cases. {said}").format(said=event))
            return
        done, total, seconds = event
        self.bar.setRange(0, _STEPS if total else 0)
        if total:
            self.bar.setValue(_STEPS * done // total)
        of = tr(" of {size}").format(size=gigabytes(total)) if total else ""
        left = tr(", about {duration} left").format(duration=duration(seconds)) if seconds else ""
        whole = total and done == total
        self.said.setText(tr("Checking the SHA-256…") if whole else f"{gigabytes(done)}{of}{left}")

    def _done(self, path: Path) -> None:
        self._show_running(False)
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(_STEPS)
        self._say(tr("{name} is downloaded, and its SHA-256 is correct.").format(name=path.name))
        self.arrived.emit(path)

    def _failed(self, error: Exception) -> None:
        self._show_running(False)
        self.bar.setRange(0, _STEPS)
        if isinstance(error, Cancelled):
            self.go.setText(_RESUME)
            self._say(tr("Paused. The part downloaded so far is kept, even if you close this window."))
        else:
            self._say(problem(error, tr("Try again.")))

    def _say(self, text: str) -> None:
        self.said.setText(text)
        announce(self.said, text)

    def _show_running(self, running: bool) -> None:
        self._running = running
        self.bar.setVisible(running or self.bar.value() > 0)
        for part in (self.go, self.which, self.url, self.sha256):
            part.setEnabled(not running)
        self.stop.setText(tr("Pause") if running else CLOSE)

    def _on_stop(self) -> None:
        if self._running:
            self._jobs.cancel(_JOB)
        else:
            self.reject()

    def reject(self) -> None:
        """Also Esc and the window's own button: what is here stays for another time."""
        self._jobs.cancel(_JOB)
        super().reject()
