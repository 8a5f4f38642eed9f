"""What is said about settings, kept secrets, and files that are read apart."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import counted

NO_KEYCHAIN = "This system has no keychain. Protect your keys with a passphrase instead."
KEYCHAIN_UNREADABLE = "The keychain could not be read. Unlock it and try again."
KEYCHAIN_REFUSES = "The keychain did not accept the key. Unlock it and try again."
KEYCHAIN_FORGETS = "The keychain did not keep the key. Protect it with a passphrase instead."
KEYCHAIN_KEEPS = "The keychain did not remove the key. Remove it there by hand."
WRONG_PASSPHRASE = "The passphrase is wrong, or the file is damaged. Try again."

THE_FILE = "The file"
SAVE_IT_AGAIN = "Open it in the program that made it, save it again and retry."
CRASHED = ("reading it crashed the reader", SAVE_IT_AGAIN)
TOO_LARGE = ("reading it takes too much memory", "Split it, or save it again without pictures.")


def damaged(kind: object) -> tuple[str, str]:
    return f"it is damaged ({kind})", SAVE_IT_AGAIN


def too_slow(seconds: float | None) -> tuple[str, str]:
    spent = f" (stopped after {counted(round(seconds), 'second')})" if seconds else ""
    return f"reading it takes too long{spent}", "Split it, or save its text as TXT."


def secrets_damaged(file: str) -> str:
    return f"{file} is damaged. Remove it and enter the keys again."


def secrets_not_written(file: str, reason: str | None) -> str:
    return f"{file} could not be written ({reason})."


def no_backend(kind: str) -> str:
    return (
        f"This system's keychain cannot be set up ({kind}). Check PYTHON_KEYRING_BACKEND and keyringrc.cfg, or protect "
        "your keys with a passphrase instead."
    )


def settings_unreadable(file: str) -> str:
    return f"{file} cannot be read; the default settings are used."


def settings_set_aside(file: str, aside: str) -> str:
    return f"{file} was damaged and is kept as {aside}; the default settings are used."


def settings_reset(names: Sequence[str]) -> str:
    return f"Settings that did not fit were reset: {', '.join(names)}."
