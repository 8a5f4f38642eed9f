"""Errors that a user meets. Each message says what happened, to what, and what to do next."""

from __future__ import annotations

import traceback
from pathlib import Path

_OURS = Path(__file__).parent


class NoteEvalError(Exception):
    """Base class; ``str()`` is one line, fit to be shown, free of clinical text."""


class InputError(NoteEvalError):
    """A file or an argument that cannot be used (exit code 2)."""

    def __init__(self, what: str, problem: str, remedy: str) -> None:
        self.what, self.problem, self.remedy = what, problem, remedy
        # A file's name may hold line breaks, and what a terminal takes for commands.
        shown = "".join(character if character.isprintable() else "\ufffd" for character in what)
        super().__init__(f"{shown}: {problem}. {remedy}")


class JudgeError(NoteEvalError):
    """A judge that could not answer (exit code 1)."""


class ModelError(JudgeError):
    """A model file that is missing, damaged or does not fit this machine."""


class EncoderMissing(ModelError):
    """The sentence encoder is not there or not as it should be: it can be fetched and built (again)."""


class Cancelled(NoteEvalError):
    """The user stopped the work (exit code 130)."""

    def __init__(self) -> None:
        super().__init__("Cancelled.")


def unexpected(error: BaseException) -> str:
    """One line on an error of no type above: its kind and where in the program it came up, never its own text, which
    may be clinical."""
    place = "?"
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(_OURS):
            place = f"{file.relative_to(_OURS).as_posix()}:{line}"
    return f"The program failed here ({type(error).__name__} at {place}). Please report this line."
