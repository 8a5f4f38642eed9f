"""Settings of the local model: which file, whether it fits this computer, and the download of one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeWidgetItem, QWidget

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import duration, tr
from noteeval_desktop.engines.download import TimeLeft, download, listed, part_of, source
from noteeval_desktop.engines.local_llm.build import REMEDY, Build, installed_build, processor_flags
from noteeval_desktop.engines.local_llm.speed import Speed, guessed
from noteeval_desktop.engines.manifest import ChatEntry, read_manifest, sha256_of
from noteeval_desktop.engines.models import is_builtin
from noteeval_desktop.engines.own_models import OwnModel, describe, scan
from noteeval_desktop.engines.route import said_of
from noteeval_desktop.errors import Cancelled, ModelError, NoteEvalError
from noteeval_desktop.judges.llm import estimate
from noteeval_desktop.judges.llm.known_models import KnownModels
from noteeval_desktop.platform.memory import free_memory
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.widgets.dialogs import Listing
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, problem, told
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, field, form, progress_bar, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import CHOOSE_FILE, CLOSE, STOP, STOPPED

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
                tr("{here} of {whole} are here already.").format(here=gigabytes(here), whole=gigabytes(whole))
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


# A session's closest turns, a section and the question: with less than this, questions are left out as too long.
_ENOUGH_CONTEXT = 4096
_PATIENCE_SECONDS = 11 * 60


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def fit(model: OwnModel, free: int | None) -> str:
    """Whether a model that can be read fits this computer's memory, and what its context allows."""
    assert model.header is not None
    name, trained = model.header.name, model.header.context
    said = [tr("{name}: needs about {memory} of memory").format(name=name, memory=gigabytes(model.memory))]
    if free is not None:
        said[0] += tr("; {free} are free. It fits").format(free=gigabytes(free))
    own = model.template == "own"
    said.append(tr("It has its own chat template") if own else tr("It has no chat template, so a plain one is used"))
    if trained < _ENOUGH_CONTEXT:
        short = tr(
            "It was trained for {trained:,} tokens at a time: longer questions, as on a whole session, will not be "
            "judged"
        )
        said.append(short.format(trained=trained))
    else:
        reads = tr("It reads up to {context:,} tokens at a time (trained for {trained:,})")
        said.append(reads.format(context=model.context, trained=trained))
    return ". ".join(said) + "."


def cells(model: OwnModel, free: int | None) -> list[str]:
    """A row of the list: name, size, quantisation, trained context, memory, state."""
    header = model.header
    if header is None:
        return [model.path.name, "", "", "", "", tr("cannot be used")]
    if free is not None and model.memory > free:
        state = tr("too large for the free memory")
    elif model.problem:
        state = tr("cannot answer questions")
    else:
        state = tr("short context") if header.context < _ENOUGH_CONTEXT else tr("fits")
    context = f"{header.context:,}"
    return [header.name, gigabytes(header.bytes), header.quantisation, context, gigabytes(model.memory), state]


def suited(free: int | None, gpu: bool = False, cores: int | None = None) -> ChatEntry:
    """The best of the suggested models that this computer can hold and that, without a graphics processor, takes no
    more than five minutes for the full check of a 50-minute session; otherwise the smallest."""

    def patient(entry: ChatEntry) -> bool:
        return estimate.seconds(estimate.FIFTY_MINUTES, guessed(entry.bytes, cores)) <= _PATIENCE_SECONDS

    suggested = read_manifest().chat
    fitting = [entry for entry in suggested if free is None or entry.memory_gb * 1e9 <= free]
    quick = [entry for entry in fitting if gpu or patient(entry)]
    return (quick or fitting[:1] or suggested[:1])[-1]


def advice(free: int | None, some: bool) -> str:
    """What to do while no model is chosen."""
    if some:
        return tr("Choose a model.")
    entry = suited(free)
    memory = tr("{free} of memory is free now. ").format(free=gigabytes(free)) if free is not None else ""
    return tr(
        "No model in this folder yet. {memory}One that suits: {name} ({size}, {licence}). “Get a model…” fetches it."
    ).format(memory=memory, name=entry.name, size=gigabytes(entry.bytes), licence=entry.licence)


def details(entry: ChatEntry, free: int | None) -> str:
    """What is expected of a suggested model, its size and needs."""
    fits = ""
    if free is not None and entry.memory_gb * 1e9 <= free:
        fits = tr(", which fits")
    elif free is not None:
        fits = tr(", more than the {free} that are free").format(free=gigabytes(free))
    return tr(
        "By its size, it {expected}. {time} One download of {size}; it needs about {memory:g} GB of memory{fits}. "
        "Licence {licence}. Not validated on clinical notes."
    ).format(
        expected=entry.expected,
        time=estimate.said(guessed(entry.bytes), measured=False),
        size=gigabytes(entry.bytes),
        memory=entry.memory_gb,
        fits=fits,
        licence=entry.licence,
    )


_TEST_THE_MODEL = tr("Test the model")
_TEST_MODEL = "test_model"
_COLUMNS = (tr("Model"), tr("Size"), tr("Quantisation"), tr("Context"), tr("Needs"), "")


class LocalPage(QWidget):
    """``find_build`` asks what the installed llama.cpp can do; it runs off the GUI thread."""

    def __init__(
        self, settings: Settings, jobs: JobRunner, find_build: Callable[[threading.Event], Build] = installed_build
    ) -> None:
        super().__init__()
        self._jobs = jobs
        self._folder = Path(settings.model_folder) if settings.model_folder else paths.model_folder()
        self._shown: dict[Path, OwnModel] = {}
        usual = tr("A chat model in GGUF format, usually 3 to 8 GB")
        self.path = field(tr("Model file"), settings.local_model, usual)
        self._said = PlainLabel(tr("Looking for models in the folder…"), look="muted", wrap=True)
        self.list = shown = Listing(tr("Models in this folder"), [(name, 100) for name in _COLUMNS])
        shown.header().setStretchLastSection(False)
        shown.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        shown.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        shown.currentItemChanged.connect(lambda now, _: self._on_row(now))
        self.get = button(tr("Get a model…"), self._on_get, height=HIT)
        self.test = button(_TEST_THE_MODEL, self._on_test, height=HIT)
        self.checksum = button(tr("Show SHA-256"), self._on_checksum, height=HIT)
        self._digests: dict[Path, str] = {}
        self._time_said: dict[Path, str] = {}
        self.gpu = tick(tr("Use the graphics processor"), settings.local_gpu)
        self.gpu.setVisible(False)
        self._build_said = PlainLabel("", look="muted", wrap=True)
        self._build_said.setVisible(False)
        about = tr(
            "A language model on this computer reads the note and gives reasons. Nothing is "
            "sent, and a damaged model file cannot harm your note."
        )
        choose = button(CHOOSE_FILE, self._choose_file, height=HIT)
        folder = button(tr("Choose folder…"), self._choose_folder, height=HIT)
        first = row((self.path, 1), choose, folder)
        self._said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        last = row(self.get, self.test, self.checksum, self.gpu, (self._build_said, 100), None)
        column(PlainLabel(about, wrap=True), first, (self.list, 1), self._said, last, on=self, margins=(2,), spacing=1)
        self.path.editingFinished.connect(self._on_path)
        self._find(self._folder)
        self._on_path()
        tell, failed = self._show_build, self._build_failed
        jobs.submit(Lane.REMOTE, "find_build", lambda cancel, _: find_build(cancel), tell, failed, owner=self)

    def applied(self, settings: Settings) -> Settings:
        return replace(
            settings,
            local_model=self.path.text().strip(),
            model_folder=str(self._folder),
            local_gpu=self.gpu.isChecked(),
        )

    # What llama.cpp here can do

    def _show_build(self, build: Build) -> None:
        line = "" if build.gpu else tr("This installation cannot use the graphics processor.")
        if missing := build.missing(processor_flags()):
            line = tr("Models cannot run: llama.cpp here needs a processor with {missing}. {remedy}")
            line = line.format(missing=", ".join(missing), remedy=REMEDY)
        self._build_said.setText(line)
        self._build_said.setVisible(bool(line))
        self.gpu.setVisible(build.gpu)
        if not build.gpu:
            self.gpu.setChecked(False)

    def _build_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._build_said.setText(told(error, tr("llama.cpp cannot be asked ({reason}).")))
            self._build_said.setVisible(True)

    # Getting and checking files

    def _on_get(self) -> None:
        dialog = DownloadDialog(self._folder, free_memory(), self._jobs, self, gpu=self.gpu.isChecked())
        dialog.arrived.connect(self._on_arrived)
        dialog.open()

    def _take_file(self, path: Path) -> None:
        self.path.setText(str(path))
        self._find(path.parent)
        self._on_path()

    def _on_arrived(self, path: Path) -> None:
        """What comes next to know is how long it will take here."""
        gpu = self.gpu.isChecked()

        def work(cancel: threading.Event, emit: Emit) -> Speed:
            # Here, not above: off the GUI thread, should it not be loaded yet.
            from noteeval_desktop.judges import making

            return making.measure(path, gpu_layers=making.ALL_LAYERS if gpu else 0, cancel=cancel)

        def done(speed: Speed) -> None:
            self._time_said[path] = estimate.said(speed, measured=True)
            self._tell()

        def failed(error: Exception) -> None:
            del self._time_said[path]
            self._tell()
            self._fail(error)

        self._time_said[path] = tr("How fast it works on this computer is measured…")
        self._take_file(path)
        self._jobs.submit(Lane.LOCAL, "measure_model", work, done, failed, owner=self)

    def _on_test(self) -> None:
        """The entrance test, and on the way the speed; the button stops it while it runs."""
        from noteeval_desktop.judges import making

        if self._jobs.running(_TEST_MODEL):
            self._jobs.cancel(_TEST_MODEL)
            return
        path, layers = Path(self.path.text().strip()), making.ALL_LAYERS if self.gpu.isChecked() else 0

        def work(cancel: threading.Event, emit: Emit) -> str:
            found = making.admit(
                path, gpu_layers=layers, cancel=cancel, anew=True, progress=lambda done, all: emit((done, all))
            )
            speed = KnownModels.of_this_user().speed(path)
            if speed is None or found.refused:
                return found.said
            return f"{found.said} {estimate.said(speed, measured=True)}"

        def progress(told: object) -> None:
            assert isinstance(told, tuple)
            self._said.setText(
                tr("{name}: answering test question {number} of {total}…").format(
                    name=path.name, number=told[0], total=told[1]
                )
            )

        def done(said: str) -> None:
            self.test.setText(_TEST_THE_MODEL)
            self._said.setText(said)

        def failed(error: Exception) -> None:
            done(STOPPED if isinstance(error, Cancelled) else "")
            self._fail(error)

        self.test.setText(STOP)
        self._said.setText(tr("{name} is loaded for the test. It takes some minutes.").format(name=path.name))
        self._jobs.submit(Lane.LOCAL, _TEST_MODEL, work, done, failed, progress, owner=self)

    def _on_checksum(self) -> None:
        path = Path(self.path.text().strip())
        if not path.name:
            return

        def work(cancel: threading.Event, emit: Emit) -> str:
            def progress(done: int, total: int) -> None:
                if done == total or done % (64 << 20) == 0:
                    emit(100 * done // max(1, total))

            return sha256_of(path, progress, cancel)

        def reading(percent: object) -> None:
            self._said.setText(tr("{name}: reading, {percent} %…").format(name=path.name, percent=percent))

        def show(digest: str) -> None:
            self._digests[path] = digest
            self._tell()

        # Not the disk's lane: reading gigabytes would hold up saving.
        self._jobs.submit(Lane.REMOTE, "checksum", work, show, self._fail, reading, owner=self)

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Choose a model"), str(self._folder), tr("GGUF models (*.gguf)"))
        if name:
            self._take_file(Path(name))

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Choose a folder with models"), str(self._folder))
        if name:
            self._find(Path(name))

    def _find(self, folder: Path) -> None:
        self._folder = folder

        def work() -> tuple[OwnModel, ...]:
            # Before the first download there is no folder of ours, which is nothing to report.
            found = scan(folder) if folder.is_dir() or folder != paths.model_folder() else ()
            return tuple(model for model in found if not is_builtin(model.path))

        self._jobs.call(Lane.DISK, "find_models", work, self._show, self._fail, owner=self)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, ModelError):
            self._said.setText(str(error))
        elif not isinstance(error, Cancelled):
            self._said.setText(tr("The folder cannot be read. Choose another."))

    def _show(self, found: tuple[OwnModel, ...]) -> None:
        free = free_memory()
        self._shown |= {model.path: model for model in found}
        self.list.blockSignals(True)
        self.list.clear()
        for model in found:
            row = QTreeWidgetItem(self.list, cells(model, free))
            row.setSizeHint(0, QSize(0, HIT))
            row.setData(0, Qt.ItemDataRole.UserRole, str(model.path))
            row.setSelected(str(model.path) == self.path.text())
        self.list.blockSignals(False)
        if not self.path.text():
            self._said.setText(advice(free, any(not model.problem for model in found)))
        else:
            self._tell()

    def _on_row(self, row: QTreeWidgetItem | None) -> None:
        if row is not None:
            self.path.setText(str(row.data(0, Qt.ItemDataRole.UserRole)))
            self._tell()

    def _on_path(self) -> None:
        path = Path(self.path.text().strip())
        if path.name and path not in self._shown:

            def take(model: OwnModel) -> None:
                self._shown[model.path] = model
                self._tell()

            read = partial(describe, path, free_memory())
            self._jobs.call(Lane.DISK, "read_model", read, take, self._fail, owner=self)
        self._tell()

    def _tell(self) -> None:
        path = Path(self.path.text().strip())
        model, digest = self._shown.get(path), self._digests.get(path)
        self.checksum.setEnabled(bool(path.name))
        self.test.setEnabled(bool(path.name))
        if model is not None:
            said = model.problem or " ".join((fit(model, free_memory()), self._time_said.get(path, ""))).strip()
            self._said.setText(tr("{said}\nSHA-256 {digest}").format(said=said, digest=digest) if digest else said)
