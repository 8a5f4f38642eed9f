"""What can go wrong with the library. Each message says what happened and what to do; none loses anything."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlcipher3

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import NoteEvalError


class StoreError(NoteEvalError):
    """Base class of everything that the library raises. ``says``: the message, around the file's or signer's name."""

    says = ""

    def __init__(self, name: str = "") -> None:
        super().__init__(self.says.format(name=name))


class LibraryMissing(StoreError):
    says = tr("{name} is missing. Put it back, or restore a backup.")


class LibraryExists(StoreError):
    says = tr("{name} is already there. Unlock it, or choose another folder for a new library.")


class LibraryDamaged(StoreError):
    says = tr(
        "{name} is damaged, or the key file beside it is an older one. It was left as it is; restore the latest backup."
    )


class LibraryNotEncrypted(StoreError):
    says = tr("{name} is not encrypted and was not opened. Move it to a safe place and restore a backup.")


class LibraryNewer(StoreError):
    says = tr("{name} was written by a newer version of this program. Update the program to open it.")


class LibraryInUse(StoreError):
    says = tr("{name} is open in another window or program. Close it there and try again.")


class LibraryReadOnly(StoreError):
    says = tr("{name} cannot be written. Nothing was lost; allow writing to its folder and try again.")


class LibraryFull(StoreError):
    says = tr("There is no room to write {name}. What was saved before is safe; free some space and retry.")


class LibraryUnreachable(StoreError):
    says = tr("{name} could not be read or written. Check its disk or connection and try again.")


class LibraryLocked(StoreError):
    says = tr("The library is locked. Unlock it and try again.")


class WrongPassphrase(StoreError):
    says = tr("The passphrase is wrong. Try again, or use the recovery key.")


class NotConfirmed(WrongPassphrase):
    """Of a library that is open."""

    says = tr("The passphrase is wrong. If you forgot it, lock the library and choose “Forgot the passphrase…”.")


class WrongFilePassphrase(WrongPassphrase):
    """Of a case file, which no recovery key opens."""

    says = tr("The passphrase does not open {name}. Ask whoever exported it for the right one.")


class KeysChanged(StoreError):
    """What was typed is from before the library was encrypted anew, which was cut short after that."""

    says = tr("The library was re-encrypted. Use the new passphrase, or the recovery key printed last.")


class KeysNotChanged(StoreError):
    """What was typed is of a change of keys that was cut short."""

    says = tr(
        "Re-encrypting the library was interrupted before anything changed. Use the earlier passphrase, or the "
        "recovery key printed before; the new ones do not work."
    )


class WrongRecoveryKey(StoreError):
    says = tr("The recovery key belongs to another library. Compare it with the printed one.")


class MistypedRecoveryKey(WrongRecoveryKey):
    says = tr("The recovery key is mistyped. Compare it with the printed one.")


class KeyMissing(StoreError):
    says = tr("The keychain does not hold this library's key. Enter the passphrase or the recovery key.")


class KeysMissing(StoreError):
    says = tr("{name} is missing, and without it no passphrase opens the library. Put it back there.")


class KeysDamaged(StoreError):
    says = tr("{name} is damaged. It was left as it is; replace it with a copy.")


class CaseNotFound(StoreError):
    says = tr("This case is no longer in the library. Refresh the list.")


class NameTaken(StoreError):
    """A name that is known with another key than this library's."""

    says = tr(
        "“{name}” already belongs to another key: reviews under this name came from another library. Each name belongs "
        "to one key, so that nobody can sign for somebody else. Please use your own name, or add an initial to it. If "
        "somebody has a new computer, first remove their earlier code under “Passphrase and keys…”."
    )


class OwnNameTaken(NameTaken):
    says = tr(
        "“{name}” is the name of this library's own key, so the sender's key cannot have it. If the file comes from "
        "somebody with the same name, add an initial. If nobody with that name sent it, close this and ask who did."
    )


class OwnNote(StoreError):
    says = tr(
        "This note was written in this library, so it cannot be approved here: an approval counts because a second "
        "person gives it. Export the case for your supervisor, who approves and signs it in a library of their own."
    )


class CaseFileDamaged(StoreError):
    says = tr("{name} is damaged or is not a case file. Ask for it to be sent again.")


class CaseFileNewer(StoreError):
    says = LibraryNewer.says


class CaseFileForged(StoreError):
    says = tr("{name} was changed after it was signed. It was not imported; ask the sender for it again.")


class CaseFileOutOfTime(StoreError):
    """It holds a time that has not come yet ("future"), one from before anybody could have written it ("past"), or one
    without its zone ("naive")."""

    def __init__(self, name: str, problem: str) -> None:
        held, remedy = {
            "future": (tr("holds a time in the future"), tr("Check the clocks of both computers.")),
            "naive": (tr("holds a time without its time zone"), tr("Ask for a file from the current version.")),
            "past": (tr("holds a time before 1900"), tr("Ask the sender to correct it.")),
        }[problem]
        self.says = f"{{name}} {held}. {tr('It was not imported.')} {remedy}"
        super().__init__(name)


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
