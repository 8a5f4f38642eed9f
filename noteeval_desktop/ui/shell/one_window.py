"""One window a user and data folder: a second start hands its files to the one that runs, and ends."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.one_program import ACTIVATION, let_others_come_to_front, meeting_point

ANSWER_MS = 3000  # longer than the window is ever busy, shorter than anybody waits
_MOST_BYTES = 1_000_000
_TAKEN = b"taken\n"


class OneWindow(QObject):
    """``asked``: the window is wanted, with these files (a list of paths, perhaps empty).

    What passes between the two is the files' paths and what lets a window come to the front, as one line of JSON.
    """

    asked = Signal(object)

    def __init__(self, data_folder: Path, activation: str) -> None:
        """``activation``: the desktop's word for this start, "" for none; ``data_folder`` is there."""
        super().__init__()
        self._folder, self._activation = data_folder, activation
        self._name = meeting_point(data_folder)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._meet)

    def is_first(self, files: Sequence[Path]) -> bool:
        """False where a window that runs has taken ``files``; otherwise this process listens from now on, where the
        system lets it. One that does not answer in time is passed over."""
        # Of two that start at once the second waits until the first listens. Without a lock both would be first.
        lock = QLockFile(str(self._folder / "starting.lock"))
        lock.tryLock(ANSWER_MS)
        if self._hand_over(files):
            return False
        self._server.listen(self._name)
        return True

    def stop(self) -> None:
        self._server.close()

    def _hand_over(self, files: Sequence[Path]) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_MS):
            return False
        let_others_come_to_front()
        told = {"files": [str(path.absolute()) for path in files], "activation": self._activation}
        socket.write(json.dumps(told).encode() + b"\n")
        return socket.waitForReadyRead(ANSWER_MS) and bytes(socket.readAll().data()) == _TAKEN

    def _meet(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.readyRead.connect(partial(self._read, socket))
        socket.disconnected.connect(socket.deleteLater)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _MOST_BYTES:
                socket.abort()
            return
        try:
            told = from_json(bytes(socket.readLine().data()))
            files, activation = [Path(name) for name in told["files"]], str(told["activation"])
        except (ValueError, TypeError, KeyError):
            socket.abort()  # not one of ours: it opens its files itself
            return
        socket.write(_TAKEN)
        socket.disconnectFromServer()
        if activation:
            os.environ[ACTIVATION] = activation
        self.asked.emit(files)
