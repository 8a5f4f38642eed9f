"""What can go wrong with the library. Each message says what happened and what to do; none loses anything."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlcipher3

from noteeval_desktop.errors import NoteEvalError


class StoreError(NoteEvalError):
    """Base class of everything that the library raises."""


class LibraryMissing(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is missing. Put it back, or restore a backup.")


class LibraryExists(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is already there. Unlock it, or choose another folder for a new library.")


class LibraryDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is damaged, or the key file beside it is an older one. It was left as it is; "
            "restore the latest backup."
        )


class LibraryNotEncrypted(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not encrypted and was not opened. Move it to a safe place and restore a backup.")


class LibraryNewer(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was written by a newer version of this program. Update the program to open it.")


class LibraryInUse(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is open in another window or program. Close it there and try again.")


class LibraryReadOnly(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} cannot be written. Nothing was lost; allow writing to its folder and try again.")


class LibraryFull(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"There is no room to write {name}. What was saved before is safe; free some space and retry.")


class LibraryUnreachable(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} could not be read or written. Check its disk or connection and try again.")


class LibraryLocked(StoreError):
    def __init__(self) -> None:
        super().__init__("The library is locked. Unlock it and try again.")


class WrongPassphrase(StoreError):
    def __init__(self) -> None:
        super().__init__("The passphrase is wrong. Try again, or use the recovery key.")


class WrongFilePassphrase(WrongPassphrase):
    """Of a case file, which no recovery key opens."""

    def __init__(self, name: str) -> None:
        StoreError.__init__(self, f"The passphrase does not open {name}. Ask whoever exported it for the right one.")


class WrongRecoveryKey(StoreError):
    def __init__(self, mistyped: bool) -> None:
        problem = "is mistyped" if mistyped else "belongs to another library"
        super().__init__(f"The recovery key {problem}. Compare it with the printed one.")


class KeyMissing(StoreError):
    def __init__(self) -> None:
        super().__init__("The keychain does not hold this library's key. Enter the passphrase or the recovery key.")


class KeysMissing(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is missing, and without it no passphrase opens the library. Put it back there.")


class KeysDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is damaged. It was left as it is; put a copy of it back.")


class CaseNotFound(StoreError):
    def __init__(self) -> None:
        super().__init__("This case is no longer in the library. Refresh the list.")


class CaseFileDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is damaged or is not a case file. Ask for it to be sent again.")


class CaseFileNewer(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was written by a newer version of this program. Update the program to open it.")


class CaseFileForged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was changed after it was signed. It was not imported; ask the sender for it again.")


class CaseFileOutOfTime(StoreError):
    """It holds a time that has not come yet, or one without its zone."""

    def __init__(self, name: str, future: bool) -> None:
        problem = "holds a time in the future" if future else "holds a time without its time zone"
        remedy = "Check the clocks of both computers" if future else "Ask for a file from the current version"
        super().__init__(f"{name} {problem}. It was not imported. {remedy}.")


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn what the database and the system say about ``name`` into the errors above."""
    try:
        yield
    except OSError as error:
        raise _of_system(name, error) from error
    except (sqlcipher3.IntegrityError, sqlcipher3.ProgrammingError):
        raise
    except (sqlcipher3.DatabaseError, sqlite3.DatabaseError) as error:
        raise _of_database(name, str(error)) from error


def _of_system(name: str, error: OSError) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return LibraryFull(name)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return LibraryReadOnly(name)
    return LibraryUnreachable(name)


def _of_database(name: str, message: str) -> StoreError:
    if "locked" in message:
        return LibraryInUse(name)
    if "readonly" in message:
        return LibraryReadOnly(name)
    if "full" in message:
        return LibraryFull(name)
    if "I/O" in message or "unable to open" in message:
        return LibraryUnreachable(name)
    return LibraryDamaged(name)
