"""Files of the library: readable by their owner alone, written whole or not at all, held by one program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from noteeval_desktop import private_files
from noteeval_desktop.store.errors import LibraryInUse, told


def make_folder(folder: Path) -> None:
    with told(folder.name):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_private(path: Path, content: bytes) -> None:
    """Replace ``path``; when this returns the content is on the disk. Raises StoreError."""
    with told(path.name):
        private_files.write_private(path, content)


class FolderLock:
    """Held by one program at a time; the system releases it when the program ends, however it ends."""

    def __init__(self, path: Path, name: str) -> None:
        """Raises LibraryInUse where another holds it, LibraryReadOnly where it cannot be made."""
        with told(name):
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _take(self._handle)
        except OSError as error:
            os.close(self._handle)
            raise LibraryInUse(name) from error

    def release(self) -> None:
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
