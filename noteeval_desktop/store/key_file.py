"""The file with the wrapped keys, and its copy beside the backups."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from noteeval_desktop.store import keys
from noteeval_desktop.store.errors import KeysDamaged, KeysMissing, StoreError, told
from noteeval_desktop.store.files import make_folder, write_private
from noteeval_desktop.store.keys import WrappedKeys

KEYS, BACKUPS = "library.keys", "backups"


def keep_keys(folder: Path, wrapped: WrappedKeys) -> None:
    """Here and beside the backups, so that neither is lost with the other."""
    make_folder(folder / BACKUPS)
    write_private(folder / KEYS, wrapped.to_bytes(), folder / BACKUPS / KEYS)


def read_keys(folder: Path) -> WrappedKeys:
    """From the key file, or its copy where that is missing or damaged. Raises KeysMissing or KeysDamaged."""
    problem: StoreError = KeysMissing(KEYS)
    for place in (folder / KEYS, folder / BACKUPS / KEYS):
        if not place.exists():
            continue
        with told(KEYS):
            content = place.read_bytes()
        try:
            wrapped = keys.read_wrapped(content, KEYS)
        except KeysDamaged as error:
            problem = error
            continue
        if place.parent != folder:
            write_private(folder / KEYS, content)
        return wrapped
    raise problem


def set_aside(file: Path, now: datetime) -> None:
    """The keys of a library that was moved elsewhere are not overwritten."""
    if file.exists():
        with told(file.name):
            file.replace(file.with_name(f"{file.name}.{now:%Y-%m-%dT%H%M%S%f}"))
