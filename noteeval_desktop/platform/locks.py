"""A file that one program at a time holds."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


class FileLock:
    """Held until it is released; the system releases it when the program ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """Raises BlockingIOError where another holds it, another OSError where the file cannot be made."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _take(self._handle)
        except OSError as error:
            os.close(self._handle)
            raise BlockingIOError(error.errno, error.strerror, str(path)) from error

    def release(self) -> None:
        try:
            _let_go(self._handle)
        finally:
            os.close(self._handle)


class PassingLock(FileLock):
    """Its file goes with it."""

    def __init__(self, path: Path) -> None:
        """As FileLock."""
        self._path = path
        while True:
            super().__init__(path)
            if self._is_there():
                return
            # Another removed the file between our opening and our holding it: who comes next would make a second one.
            super().release()

    def release(self) -> None:
        if sys.platform == "win32":
            super().release()
            with suppress(OSError):  # another has it open by now, and it goes with that one
                self._path.unlink()
            return
        self._path.unlink(missing_ok=True)
        super().release()

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._handle), self._path.stat())
        except FileNotFoundError:
            return False


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _let_go(handle: int) -> None:
        # Closing releases it as well, but "at some time": who opens the library again at once would be refused.
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _let_go(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
