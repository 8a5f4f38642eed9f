"""Gets a chat model: one of the list, or a file at an address with its SHA-256; continued where it was paused."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QLineEdit,
    QProgressBar,
    QWidget,
)

from noteeval_desktop.domain.phrases import duration, tr
from noteeval_desktop.engines.download import Source, TimeLeft, download, listed, part_of, source
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest
from noteeval_desktop.engines.route import said_of
from noteeval_desktop.errors import Cancelled, NoteEvalError
from noteeval_desktop.ui.judging import model_fit
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, problem, while_alive
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at
from noteeval_desktop.ui.widgets.words import CLOSE

_DOWNLOAD_IT = tr("Download")
_RESUME = tr("Resume")
_JOB = "download_model"
_STEPS = 1000
_SENT = tr(
    "Only the file's address is sent, nothing from your cases. Only for this download "
    "does NoteEval use the proxy and certificates of this computer."
)


@dataclass(frozen=True, slots=True)
class _Progress:
    done: int
    total: int
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class _Way:
    said: str


class DownloadDialog(QDialog):
    """``arrived(Path)``: the file is in ``folder`` and its SHA-256 is right."""

    arrived = Signal(object)

    def __init__(
        self, folder: Path, free: int | None, jobs: JobRunner, parent: QWidget | None = None, gpu: bool = False
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Get a model"))
        self._folder, self._free, self._jobs = folder, free, jobs
        self._running = False
        self.which = QComboBox()
        name_choice(self.which, tr("Model"))
        self.which.setMinimumHeight(HIT)
        suited = model_fit.suited(free, gpu)
        entries = tuple(reversed(read_manifest().chat))
        for entry in entries:
            name = f"{entry.name} ({model_fit.gigabytes(entry.bytes)})"
            self.which.addItem(tr("{name}, suits this computer").format(name=name) if entry == suited else name, entry)
        self.which.addItem(tr("Another file"), None)
        self._details, self._way = PlainLabel("", wrap=True), PlainLabel("", look="muted", wrap=True)
        self._way.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._own = QWidget()
        self.url = _field(tr("Address of the file"), "https://")
        self.sha256 = _field("SHA-256", tr("64 digits, from the publisher's page"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _STEPS)
        self.bar.setAccessibleName(_DOWNLOAD_IT)
        self.said = PlainLabel("", wrap=True)
        self.go, self.stop = button(_DOWNLOAD_IT, self._on_go, "primary"), button(CLOSE, self._on_stop)
        self._build()
        self.which.currentIndexChanged.connect(lambda _: self._show_entry())
        self.which.setCurrentIndex(entries.index(suited))
        self._show_entry()
        self._show_running(False)
        open_at(self, 640, 360)

    def _build(self) -> None:
        form = QFormLayout(self._own)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(UNIT)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("Address"), self.url)
        form.addRow("SHA-256", self.sha256)
        buttons = row(None, self.stop, self.go)
        above = self.which, self._details, self._way, self._own
        column(*above, None, self.bar, self.said, buttons, on=self, margins=(3, 3, 3, 2), spacing=1)

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
        self._details.setText(model_fit.details(entry, self._free))
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
                tr("{here} of {whole} are here already.").format(
                    here=model_fit.gigabytes(here), whole=model_fit.gigabytes(whole)
                )
            )

    # Downloading

    def _on_go(self) -> None:
        entry = self.entry
        try:
            wanted = listed(entry) if entry is not None else source(self.url.text(), self.sha256.text())
        except NoteEvalError as error:
            self._say(str(error))
            return
        self._start(wanted)

    def _start(self, wanted: Source) -> None:
        folder, left = self._folder, TimeLeft()

        def work(cancel: threading.Event, emit: Emit) -> Path:
            told = -1.0
            emit(_Way(said_of(wanted.url)))  # here: the system may look the server's name up for it

            def progress(done: int, total: int) -> None:
                nonlocal told
                now = left.clock()
                seconds = left(done, total) if total else None
                if now - told > 0.2 or done == total:
                    told = now
                    emit(_Progress(done, total, seconds))

            return download(wanted, folder, progress, cancel)

        self._show_running(True)
        self._say(tr("Asking…"))
        # Not the disk's lane: a file of gigabytes would hold up saving.
        done, failed = while_alive(self, self._done), while_alive(self, self._failed)
        self._jobs.submit(Lane.REMOTE, _JOB, work, done, failed, while_alive(self, self._progress))

    def _progress(self, event: object) -> None:
        if isinstance(event, _Way):
            self._way.setText(
                tr("Only the file's address is sent, nothing from your cases. {said}").format(said=event.said)
            )
            return
        assert isinstance(event, _Progress)
        self.bar.setRange(0, _STEPS if event.total else 0)
        if event.total:
            self.bar.setValue(_STEPS * event.done // event.total)
        of = tr(" of {size}").format(size=model_fit.gigabytes(event.total)) if event.total else ""
        left = tr(", about {duration} left").format(duration=duration(event.seconds_left)) if event.seconds_left else ""
        whole = event.total and event.done == event.total
        self.said.setText(tr("Checking the SHA-256…") if whole else f"{model_fit.gigabytes(event.done)}{of}{left}")

    def _done(self, path: Path) -> None:
        self._show_running(False)
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(_STEPS)
        self._say(tr("{name} is here, and its SHA-256 is right.").format(name=path.name))
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


def _field(name: str, hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    field.setMinimumHeight(HIT)
    return field
