"""What is installed, and what a signed file that the user chose says is new."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QPlainTextEdit, QPushButton, QVBoxLayout

from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.ui.shell import words
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import Emit, Lane
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at
from noteeval_desktop.ui.widgets.words import CLOSE
from noteeval_desktop.updates import Installed, Update, installed, is_newer, read_update


class UpdatesWindow(QDialog):
    """``key``: the file with the public key that update files are signed with; without it none can be read."""

    def __init__(self, window: Shell, key: Path) -> None:
        super().__init__(window)
        self._window, self._key = window, key
        self.setWindowTitle(words.COMMANDS["updates"].rstrip("…"))
        parts = QFormLayout()
        parts.setHorizontalSpacing(3 * UNIT)
        self._parts = [PlainLabel("…", wrap=True) for _ in words.PARTS]
        for name, label in zip(words.PARTS, self._parts, strict=True):
            parts.addRow(PlainLabel(name, look="muted"), label)
        self.choose = QPushButton(words.CHOOSE_AN_UPDATE_FILE)
        self.choose.setMinimumHeight(HIT + 4)
        self.choose.clicked.connect(self._choose)
        self.said = PlainLabel("" if key.is_file() else words.NO_UPDATE_KEY, wrap=True)
        self.choose.setEnabled(key.is_file())
        self.changes = QPlainTextEdit(readOnly=True)
        self.changes.setAccessibleName(words.WHAT_IS_NEW)
        self.changes.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 2 * UNIT)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(PlainLabel(words.INSTALLED, look="heading"))
        layout.addLayout(parts)
        layout.addWidget(PlainLabel(words.WHAT_IS_NEW, look="heading"))
        layout.addWidget(PlainLabel(words.UPDATES_ARE_NOT_LOOKED_FOR, look="muted", wrap=True))
        layout.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.said)
        layout.addWidget(self.changes)
        layout.addStretch(1)
        # Without it nothing here takes the focus where no file can be chosen.
        close = QPushButton(CLOSE)
        close.setMinimumHeight(HIT + 4)
        close.clicked.connect(self.reject)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        open_at(self, 75 * UNIT, 60 * UNIT)
        self._look()

    def _look(self) -> None:
        def look(cancel: threading.Event, emit: Emit) -> object:
            return installed()

        def show(found: object) -> None:
            assert isinstance(found, Installed)
            for label, said in zip(self._parts, words.installed_parts(found), strict=True):
                label.setText(said)

        self._window.jobs.submit(Lane.DISK, "what is installed", look, show, self._failed)

    def _choose(self) -> None:
        chosen = open_file(self, words.CHOOSE_AN_UPDATE_FILE.rstrip("…"), words.UPDATE_FILES)
        if chosen:
            self.read(Path(chosen))

    def read(self, path: Path) -> None:
        def read(cancel: threading.Event, emit: Emit) -> object:
            return read_update(path, self._key.read_text("ascii").strip())

        self._window.jobs.submit(Lane.DISK, "read an update file", read, self._show, self._failed)

    def _show(self, found: object) -> None:
        assert isinstance(found, Update)
        self._say(words.newer(found) if is_newer(found) else words.not_newer(found))
        self.changes.setPlainText(words.bullets(found.changes))
        self.changes.setVisible(bool(found.changes))

    def _failed(self, error: Exception) -> None:
        self.changes.hide()
        self._say(f"⚠ {error if isinstance(error, NoteEvalError) else words.failed(type(error).__name__)}")

    def _say(self, text: str) -> None:
        self.said.setText(text)
        announce(self, text)
