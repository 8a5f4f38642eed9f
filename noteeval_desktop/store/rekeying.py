"""Encrypting a library and its backups anew, so that an earlier copy of the key file opens neither.

Key file and library cannot be changed at one moment. So the library is written anew beside itself, then the key file
holds the keys of before and of after, and then one rename puts the copy in the library's place. The key under which the
library stands says which of the two are valid; what a crash leaves behind is finished when it is next opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from noteeval_desktop.store import keys
from noteeval_desktop.store.backup import Backups
from noteeval_desktop.store.database import Database, open_existing, opens
from noteeval_desktop.store.errors import (
    KeysChanged,
    KeysNotChanged,
    LibraryDamaged,
    LibraryMissing,
    LibraryNotEncrypted,
)
from noteeval_desktop.store.files import room_for
from noteeval_desktop.store.keys import BACKUPS, WrappedKeys, keep_keys

# For the key file, the log entry and what SQLite keeps beside an open library.
ROOM = 1 << 20


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """``left`` are names of backups that could not be encrypted anew; ``keychain``: whether it opens the library as it
    did before."""

    left: tuple[str, ...]
    keychain: bool = True


def valid(path: Path, wrapped: WrappedKeys, key: bytes, coming: bool) -> WrappedKeys:
    """The one of the two in a key file under which the library stands; ``key`` is of the ``coming`` one or not.

    Raises KeysChanged or KeysNotChanged where that is the other one.
    """
    assert wrapped.coming is not None
    own = wrapped.coming if coming else wrapped
    their_key = keys.other_key(own, key)
    if not _under(path, key) and their_key is not None and _under(path, their_key):
        raise KeysNotChanged if coming else KeysChanged
    # What is neither under the one nor under the other is damaged, and backups are under either.
    return replace(own, coming=None)


def _under(path: Path, key: bytes) -> bool:
    try:
        return opens(path, key)
    except (LibraryDamaged, LibraryMissing, LibraryNotEncrypted):
        return False


def open_either(path: Path, key: bytes, wrapped: WrappedKeys) -> Database:
    """Under ``key``, or brought there from the other one that the key file holds, as earlier programs left it.

    Raises as ``open_existing`` does.
    """
    other = keys.other_key(wrapped, key)
    if other is None or _under(path, key) or not _under(path, other):
        return open_existing(path, key)
    database = open_existing(path, other)
    try:
        _switch(path, database, other, key)
    except BaseException:
        database.close()
        raise
    return database


def begin(
    folder: Path, path: Path, database: Database, old: tuple[WrappedKeys, bytes], new: tuple[WrappedKeys, bytes]
) -> None:
    """Both are key files with the keys that they open. Raises StoreError; then the old one opens the library."""
    _switch(path, database, old[1], new[1], lambda: keep_keys(folder, keys.both(old, new)))


def finish(folder: Path, wrapped: WrappedKeys, key: bytes) -> tuple[WrappedKeys, tuple[str, ...]]:
    """The backups too; the other key is kept only while it may still be of use. Raises StoreError."""
    other = keys.other_key(wrapped, key)
    if other is None:
        return wrapped, ()
    damaged, later = Backups(folder / BACKUPS, key).rekey(other)
    if not later:
        wrapped = keys.authenticated(replace(wrapped, other=None, epoch=wrapped.epoch + 1), key)
        keep_keys(folder, wrapped)
    return wrapped, (*damaged, *later)


def _switch(
    path: Path, database: Database, old: bytes, new: bytes, before: Callable[[], object] = lambda: None
) -> None:
    """``before``: what has to be on the disk when the copy takes the library's place."""
    part = path.with_suffix(".rekeyed.part")
    try:
        with room_for(ROOM, path.parent, path.name):
            database.copy_under(part, new)
            before()
        database.switch(part, old, new)
    finally:
        part.unlink(missing_ok=True)
