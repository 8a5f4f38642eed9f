"""Files of the library: readable by their owner alone, written whole or not at all, held by one program."""

from __future__ import annotations

from pathlib import Path

from noteeval_desktop.platform import files
from noteeval_desktop.platform.locks import FileLock
from noteeval_desktop.store.errors import LibraryInUse, told


def make_folder(folder: Path) -> None:
    with told(folder.name):
        files.private_folder(folder)


def write_private(path: Path, content: bytes) -> None:
    """Replace ``path``; when this returns the content is on the disk. Raises StoreError."""
    with told(path.name):
        files.write_private(path, content)


class FolderLock(FileLock):
    """Held by one program at a time."""

    def __init__(self, path: Path, name: str) -> None:
        """Raises LibraryInUse where another holds it, LibraryReadOnly or another StoreError where it cannot be made."""
        with told(name):
            try:
                super().__init__(path)
            except BlockingIOError as error:
                raise LibraryInUse(name) from error
