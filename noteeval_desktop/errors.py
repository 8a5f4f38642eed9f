"""Errors that a user meets. Each message says what happened, to what, and what to do next."""

from __future__ import annotations


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


class Cancelled(NoteEvalError):
    """The user stopped the work (exit code 130)."""

    def __init__(self) -> None:
        super().__init__("Cancelled.")
