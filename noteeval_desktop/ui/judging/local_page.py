"""Settings of the local model: which file, its test, and how fast it works here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeWidgetItem, QWidget

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.local_llm.build import REMEDY, Build, installed_build, processor_flags
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.engines.manifest import sha256_of
from noteeval_desktop.engines.models import is_builtin
from noteeval_desktop.engines.own_models import OwnModel, describe, scan
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.judges.llm import estimate
from noteeval_desktop.judges.llm.known_models import KnownModels
from noteeval_desktop.platform.memory import free_memory
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging.download_dialog import DownloadDialog
from noteeval_desktop.ui.judging.model_fit import advice, cells, fit
from noteeval_desktop.ui.widgets.dialogs import Listing
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, told
from noteeval_desktop.ui.widgets.parts import button, column, field, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import CHOOSE_FILE, STOP, STOPPED

_TEST_THE_MODEL = tr("Test the model")
_TEST_MODEL = "test_model"
_COLUMNS = (tr("Model"), tr("Size"), tr("Quantization"), tr("Context"), tr("Needs"), "")


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
            self._build_said.setText(told(error, tr("llama.cpp does not answer ({reason}).")))
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

        self._time_said[path] = tr("Measuring how fast it works on this computer…")
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
        self._said.setText(tr("Loading {name} for the test. This takes a few minutes.").format(name=path.name))
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
