"""Settings of the local judge: which GGUF file, and whether it fits this computer."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop import paths
from noteeval_desktop.engines.download import how_to_get
from noteeval_desktop.engines.local_llm.memory import free_memory
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.engines.own_models import OwnModel, describe, scan
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.judging.alive import while_alive
from noteeval_desktop.ui.plain import PlainLabel
from noteeval_desktop.ui.theme import HIT, UNIT

_COLUMNS = ("Model", "Size", "Quantisation", "Context", "Needs", "")


class LocalPage(QWidget):
    def __init__(self, settings: Settings, jobs: JobRunner) -> None:
        super().__init__()
        self._jobs = jobs
        self._folder = Path(settings.model_folder) if settings.model_folder else paths.model_folder()
        self._shown: dict[Path, OwnModel] = {}
        self.path = QLineEdit(settings.local_model)
        self.path.setAccessibleName("Model file")
        self.path.setPlaceholderText("A chat model in GGUF format, for example one of 3 to 8 GB")
        self.path.setMinimumHeight(HIT)
        self._said = PlainLabel("", look="muted", wrap=True)
        self.list = self._table()
        self._build()
        self.path.editingFinished.connect(self._on_path)
        self._find(self._folder)
        self._on_path()

    def _table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setColumnCount(len(_COLUMNS))
        table.setHeaderLabels(list(_COLUMNS))
        table.setAccessibleName("Models in the folder")
        table.setRootIsDecorated(False)
        table.header().setStretchLastSection(False)
        table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.currentItemChanged.connect(lambda now, _: self._on_row(now))
        return table

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        layout.setSpacing(UNIT)
        layout.addWidget(
            PlainLabel(
                "A language model on this computer reads the note and gives reasons. Nothing is sent. The model runs "
                "in a process of its own, so a damaged file cannot harm your note.",
                wrap=True,
            )
        )
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        for text, act in (("Choose file…", self._choose_file), ("Choose folder…", self._choose_folder)):
            button = QPushButton(text)
            button.setMinimumHeight(HIT)
            button.setAutoDefault(False)
            button.clicked.connect(act)
            row.addWidget(button)
        layout.addLayout(row)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._said)

    def applied(self, settings: Settings) -> Settings:
        return replace(settings, local_model=self.path.text().strip(), model_folder=str(self._folder))

    def _choose_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Choose a model", str(self._folder), "GGUF models (*.gguf)")
        if name:
            self.path.setText(name)
            self._find(Path(name).parent)
            self._on_path()

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Choose a folder with models", str(self._folder))
        if name:
            self._find(Path(name))

    def _find(self, folder: Path) -> None:
        self._folder = folder

        def work(cancel: threading.Event, emit: Emit) -> object:
            return scan(folder)

        self._jobs.submit(Lane.DISK, "find_models", work, while_alive(self, self._show), while_alive(self, self._fail))

    def _fail(self, error: Exception) -> None:
        if isinstance(error, ModelError):
            self._said.setText(str(error))
        elif not isinstance(error, Cancelled):
            self._said.setText("The folder cannot be read. Choose another.")

    def _show(self, found: object) -> None:
        assert isinstance(found, tuple)
        free = free_memory()
        self._shown |= {model.path: model for model in found}
        self.list.blockSignals(True)
        self.list.clear()
        for model in found:
            row = QTreeWidgetItem(self.list, _cells(model, free))
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

            def work(cancel: threading.Event, emit: Emit) -> object:
                return describe(path, free_memory())

            self._jobs.submit(
                Lane.DISK, "read_model", work, while_alive(self, self._take), while_alive(self, self._fail)
            )
        self._tell()

    def _take(self, model: object) -> None:
        assert isinstance(model, OwnModel)
        self._shown[model.path] = model
        self._tell()

    def _tell(self) -> None:
        model = self._shown.get(Path(self.path.text().strip()))
        if model is not None:
            self._said.setText(model.problem or fit(model, free_memory()))


def fit(model: OwnModel, free: int | None) -> str:
    assert model.header is not None
    template = "its own chat template" if model.template == "own" else "no chat template of its own, so a plain one"
    said = f"{model.header.name}: needs about {gigabytes(model.memory)} of memory"
    return f"{said}; {gigabytes(free)} are free. It fits. It has {template}." if free is not None else f"{said}."


def advice(free: int | None, some: bool) -> str:
    """What to do while no model is chosen: the largest of the suggested ones that this computer can hold."""
    if some:
        return "Choose a model."
    suggested = sorted(read_manifest().chat, key=lambda entry: entry.memory_gb)
    fitting = [entry for entry in suggested if free is None or entry.memory_gb * 1e9 <= free] or suggested[:1]
    entry = fitting[-1]
    memory = f"{gigabytes(free)} of memory are free now. " if free is not None else ""
    return f"No model in this folder yet. {memory}One that suits: {entry.name} ({entry.licence}). {how_to_get(entry)}"


def gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def _cells(model: OwnModel, free: int | None) -> list[str]:
    header = model.header
    if header is None:
        return [model.path.name, "", "", "", "", "cannot be used"]
    large = free is not None and model.memory > free
    state = "too large now" if large else "not for questions" if model.problem else "fits"
    context = f"{header.context:,}"
    return [header.name, gigabytes(header.bytes), header.quantisation, context, gigabytes(model.memory), state]
