"""What the library says about itself, its keys and its case files."""

from __future__ import annotations

LOCKED = "The library is locked. Unlock it and try again."
WRONG_PASSPHRASE = "The passphrase is wrong. Try again, or use the recovery key."
KEYS_CHANGED = "The library was re-encrypted. Use the new passphrase, or the recovery key printed last."
KEYS_NOT_CHANGED = (
    "Re-encrypting the library was cut off before anything changed. Use the earlier passphrase, or the recovery key "
    "printed before; the new ones are void."
)
KEY_MISSING = "The keychain does not hold this library's key. Enter the passphrase or the recovery key."
WHAT_A_MEMORY_FILE_IS = (
    "Says in which state the library was left, so that an earlier copy put in its place is noticed. It holds no "
    "secret. It cannot promise more: whoever can put back the library may put back or remove this file as well."
)
UNSHOWABLE = "this case cannot be shown; a backup may hold it whole"
NO_CASE = "This case is no longer in the library. Refresh the list."
OWN_NOTE = (
    "This note was written in this library, and an approval is worth something because a second person gives it. "
    "Export the case for your supervisor, who approves and signs it in a library of their own."
)
PASSPHRASE = "Passphrase"
LARGE_TO_SEND = ("would be too large for a case file", "Duplicate the case, and send the copy.")
LARGE_TO_READ = ("is too large for a case file", "Ask for the right file.")


def too_short(least: int) -> tuple[str, str]:
    return f"is shorter than {least} characters", "Choose several words, for instance."


def missing(library: str) -> str:
    return f"{library} is missing. Put it back, or restore a backup."


def exists(library: str) -> str:
    return f"{library} is already there. Unlock it, or choose another folder for a new library."


def damaged(library: str) -> str:
    return (
        f"{library} is damaged, or the key file beside it is an older one. It was left as it is; restore the latest "
        "backup."
    )


def not_encrypted(library: str) -> str:
    return f"{library} is not encrypted and was not opened. Move it to a safe place and restore a backup."


def newer(file: str) -> str:
    return f"{file} was written by a newer version of this program. Update the program to open it."


def in_use(library: str) -> str:
    return f"{library} is open in another window or program. Close it there and try again."


def read_only(library: str) -> str:
    return f"{library} cannot be written. Nothing was lost; allow writing to its folder and try again."


def full(library: str) -> str:
    return f"There is no room to write {library}. What was saved before is safe; free some space and retry."


def unreachable(library: str) -> str:
    return f"{library} could not be read or written. Check its disk or connection and try again."


def wrong_file_passphrase(file: str) -> str:
    return f"The passphrase does not open {file}. Ask whoever exported it for the right one."


def wrong_recovery_key(mistyped: bool) -> str:
    problem = "is mistyped" if mistyped else "belongs to another library"
    return f"The recovery key {problem}. Compare it with the printed one."


def keys_missing(file: str) -> str:
    return f"{file} is missing, and without it no passphrase opens the library. Put it back there."


def keys_damaged(file: str) -> str:
    return f"{file} is damaged. It was left as it is; replace it with a copy."


def name_taken(name: str) -> str:
    return (
        f"“{name}” signs with another key: reviews under this name came from another library. Each name belongs to "
        "one key, so that nobody signs for somebody else. Please use your own name, or add an initial to it. If "
        "somebody has a new computer, remove their earlier code under “Passphrase and keys…” first."
    )


def own_name(name: str) -> str:
    return (
        f"“{name}” is the name of this library's own key, so the sender's key cannot have it. If the file comes from "
        "somebody of the same name, add an initial. If nobody of that name sent it, close this and ask who did."
    )


def not_a_case_file(file: str) -> str:
    return f"{file} is damaged or is not a case file. Ask for it to be sent again."


def forged(file: str) -> str:
    return f"{file} was changed after it was signed. It was not imported; ask the sender for it again."


def out_of_time(file: str, problem: str) -> str:
    """``problem``: "future", "naive" or "past"."""
    problem, remedy = {
        "future": ("holds a time in the future", "Check the clocks of both computers"),
        "naive": ("holds a time without its time zone", "Ask for a file from the current version"),
        "past": ("holds a time before 1900", "Ask the sender to correct it"),
    }[problem]
    return f"{file} {problem}. It was not imported. {remedy}."
