"""What can go wrong with the library. Each message says what happened and what to do; none loses anything."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlcipher3

from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store import words


class StoreError(NoteEvalError):
    """Base class of everything that the library raises."""


class LibraryMissing(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.missing(name))


class LibraryExists(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.exists(name))


class LibraryDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.damaged(name))


class LibraryNotEncrypted(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.not_encrypted(name))


class LibraryNewer(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.newer(name))


class LibraryInUse(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.in_use(name))


class LibraryReadOnly(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.read_only(name))


class LibraryFull(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.full(name))


class LibraryUnreachable(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.unreachable(name))


class LibraryLocked(StoreError):
    def __init__(self) -> None:
        super().__init__(words.LOCKED)


class WrongPassphrase(StoreError):
    def __init__(self) -> None:
        super().__init__(words.WRONG_PASSPHRASE)


class WrongFilePassphrase(WrongPassphrase):
    """Of a case file, which no recovery key opens."""

    def __init__(self, name: str) -> None:
        StoreError.__init__(self, words.wrong_file_passphrase(name))


class KeysChanged(StoreError):
    """What was typed is from before the library was encrypted anew, which was cut short after that."""

    def __init__(self) -> None:
        super().__init__(words.KEYS_CHANGED)


class KeysNotChanged(StoreError):
    """What was typed is of a change of keys that was cut short."""

    def __init__(self) -> None:
        super().__init__(words.KEYS_NOT_CHANGED)


class WrongRecoveryKey(StoreError):
    def __init__(self, mistyped: bool) -> None:
        super().__init__(words.wrong_recovery_key(mistyped))


class KeyMissing(StoreError):
    def __init__(self) -> None:
        super().__init__(words.KEY_MISSING)


class KeysMissing(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.keys_missing(name))


class KeysDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.keys_damaged(name))


class CaseNotFound(StoreError):
    def __init__(self) -> None:
        super().__init__(words.NO_CASE)


class NameTaken(StoreError):
    """A name that is known with another key than this library's."""

    def __init__(self, name: str, own: bool = False) -> None:
        super().__init__(words.own_name(name) if own else words.name_taken(name))


class OwnNote(StoreError):
    def __init__(self) -> None:
        super().__init__(words.OWN_NOTE)


class CaseFileDamaged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.not_a_case_file(name))


class CaseFileNewer(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.newer(name))


class CaseFileForged(StoreError):
    def __init__(self, name: str) -> None:
        super().__init__(words.forged(name))


class CaseFileOutOfTime(StoreError):
    """It holds a time that has not come yet, one from before anybody could have written it, or one without its zone."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(words.out_of_time(name, problem))


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
