"""Files of the library: readable by their owner alone, written whole or not at all, held by one program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noteeval_desktop.platform import files
from noteeval_desktop.platform.locks import FileLock
from noteeval_desktop.store.errors import LibraryInUse, told


def make_folder(folder: Path) -> None:
    with told(folder.name):
        files.private_folder(folder)


def write_private(path: Path, content: bytes, *also: Path) -> None:
    """Replace ``path``, and ``also``; when this returns the content is on the disk. Raises StoreError, with all as they
    were."""
    with told(path.name):
        files.write_private(path, content, *also)


@contextmanager
def room_for(size: int, folder: Path, name: str) -> Iterator[None]:
    """That much is free in ``folder`` when the block ends. Raises LibraryFull or another StoreError, about ``name``."""
    with told(name), files.room_for(size, folder):
        yield


def remove_parts(folder: Path) -> None:
    """What was being written when the program was killed."""
    with told(folder.name):
        for part in (*folder.glob("*.part*"), *folder.glob(".*.part")):
            part.unlink(missing_ok=True)


class FolderLock(FileLock):
    """Held by one program at a time."""

    def __init__(self, path: Path, name: str) -> None:
        """Raises LibraryInUse where another holds it, LibraryReadOnly or another StoreError where it cannot be made."""
        with told(name):
            try:
                super().__init__(path)
            except BlockingIOError as error:
                raise LibraryInUse(name) from error
