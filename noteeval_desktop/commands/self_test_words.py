"""What `noteeval self-test` says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from noteeval_desktop.domain.phrases import counted, size

# English, as the built-in judge reads it.
SESSION = "Therapist: How did you sleep?\nClient: About four hours a night. I have two beers to fall asleep.\n"
NOTE = "Subjective\nClient sleeps about four hours a night.\nClient drinks wine every morning.\n"
# How Qt begins the last line of what it says where it finds no display.
QT_LISTS_ITS_KINDS = "Available platform plugins"
_AGAIN = "Install NoteEval again."
CASE = "Self-test"
WORKS = "NoteEval works on this computer."
GPU = "and the graphics processor, where a language model is told to"
NO_GPU = "no graphics processor"
PDF_UNREADABLE = f"The scorecard's PDF cannot be read back. {_AGAIN}"
LIBRARY_WORKS = "an encrypted library was made, written, opened again and deleted"
KEYCHAIN_WORKS = "the system's keychain answers"
KEYCHAIN_SILENT = "The system's keychain does not answer. Unlock it, or protect your keys with a passphrase."
MEMORY_UNKNOWN = "This system does not say how much memory is free."
CLOCK = "This computer's clock"
# A problem and its remedy, for an InputError.
UNENCRYPTED = ("was written unencrypted", f"Do not keep cases. {_AGAIN}")
ANOTHER_CASE = ("gave back another case than it was given", _AGAIN)


def unwritable(error: OSError) -> tuple[str, str]:
    how = "Make room there or have it made writable, or set NOTEEVAL_HOME to another folder."
    return f"cannot be written ({error.strerror})", how


def little_disk(free: int) -> tuple[str, str]:
    return f"only {size(free)} are free on its disk", "Delete what you no longer need, at least 100 MB."


def folder_free(folder: Path, free: int) -> str:
    return f"cases are kept in {folder}, {size(free)} free"


def little_memory(free: int) -> str:
    return f"Only {size(free)} of memory are free. Close other programs if NoteEval is slow."


def free(memory: int) -> str:
    return f"{size(memory)} free"


def processor(features: Iterable[str], gpu: str) -> str:
    return f"llama.cpp uses {', '.join(features) or 'the basic instructions'}; {gpu}"


def encoder_wrong(off: float) -> str:
    return f"The sentence encoder gives wrong numbers (off by {off:.3f}). {_AGAIN}"


def encoder_right(off: float) -> str:
    return f"its SHA-256 is right, and so are its vectors (off by {off:.4f})"


def not_judged(problems: Sequence[str]) -> str:
    return f"A small note could not be judged. {' '.join(problems)} {_AGAIN}"


def judged(sentences: int) -> str:
    return f"its heads load, and a note of {counted(sentences, 'sentence')} was judged"


def pdf_made(size: int) -> str:
    return f"a scorecard of {size // 1000} kB was made and read back"


def exit_code(code: int) -> str:
    return f"exit code {code}"


def not_drawn_without_display(seconds: float) -> str:
    return (
        "There is no display here to show the window on, and without one it was not drawn within "
        f"{seconds:.0f} seconds. Run the check where the window is to be used."
    )


def window_slow(seconds: float) -> str:
    return f"The window was not drawn within {seconds:.0f} seconds. Close other programs and try again."


def window_failed(reason: str) -> str:
    return f"The window cannot be drawn: {reason}"


def window_drawn(size: int) -> str:
    return f"the window was drawn with the sample case ({size // 1000} kB)"


def without_display(drawn: str) -> str:
    return f"There is no display here to show the window on. Without one, {drawn}."


def past(today: date) -> tuple[str, str]:
    return f"says that it is {today:%Y-%m-%d}, which would stand on every case and signature", "Set date and time."


def not_tried(needed: str) -> str:
    return f"Not tried, because “{needed}” failed."


def failed(checks: Sequence[str]) -> str:
    return f"Failed: {', '.join(checks)}."


def no_check(checks: Iterable[str]) -> tuple[str, str]:
    return "is not a check", f"The checks are {', '.join(checks)}."


def disk_error(error: OSError) -> str:
    return f"{error.strerror or type(error).__name__}. Make room, or check the folder's permissions."
