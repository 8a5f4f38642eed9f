"""Encrypting a library and its backups anew, so that an earlier copy of the key file opens neither.

The key file and the encrypted files cannot be changed at one moment. In between the key file holds the other key as
well, sealed under the one that it opens; whatever a crash leaves behind is finished when the library is next opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.store import keys
from noteeval_desktop.store.backup import Backups
from noteeval_desktop.store.database import Database, open_existing
from noteeval_desktop.store.errors import LibraryDamaged
from noteeval_desktop.store.key_file import BACKUPS, keep_keys
from noteeval_desktop.store.keys import WrappedKeys


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """``recovery`` is shown once; ``left`` are names of backups that could not be encrypted anew."""

    recovery: str
    left: tuple[str, ...]


def open_either(path: Path, key: bytes, wrapped: WrappedKeys) -> Database:
    """Under ``key``, or brought there from the other one that the key file holds. Raises as ``open_existing`` does."""
    other = keys.other_key(wrapped, key)
    try:
        return open_existing(path, key)
    except LibraryDamaged:
        if other is None:
            raise
        database = open_existing(path, other)
        database.rekey(key)
        return database


def begin(folder: Path, database: Database, old: tuple[WrappedKeys, bytes], new: tuple[WrappedKeys, bytes]) -> None:
    """Both are key files with the keys that they open. Raises StoreError; then the old one opens the library."""
    keep_keys(folder, keys.with_other_key(*new, old[1]))
    try:
        database.rekey(new[1])
    except BaseException:
        # Which of the two keys the file is under is found out on opening.
        keep_keys(folder, keys.with_other_key(*old, new[1]))
        raise


def finish(folder: Path, wrapped: WrappedKeys, key: bytes) -> tuple[WrappedKeys, tuple[str, ...]]:
    """The backups too; the other key is kept only while it may still be of use. Raises StoreError."""
    other = keys.other_key(wrapped, key)
    if other is None:
        return wrapped, ()
    damaged, later = Backups(folder / BACKUPS, key).rekey(other)
    if not later:
        wrapped = keys.without_other_key(wrapped)
        keep_keys(folder, wrapped)
    return wrapped, (*damaged, *later)
