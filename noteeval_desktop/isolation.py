"""Runs a function in a child process with limits on time and memory, killable, without secrets.

For parsers of hostile files: what they do to the child, the window, the unsaved note and the keys survive.
"""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from noteeval_desktop.child import CHILD_ARGUMENT
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.platform import limits
from noteeval_desktop.platform.processes import apart, environment

_POLL_SECONDS = 0.05
_SAVE_AGAIN = tr("Open it in the program that made it, save it again and retry.")
# multiprocessing would import the program's main module (Qt and all) in the child and hand down the
# whole environment; a plain interpreter starts in a tenth of the time and knows nothing.
_BOOT = (
    "import sys; sys.path[:] = sys.argv[2:]; from importlib import import_module; import_module(sys.argv[1]).serve()"
)


def run_isolated(
    function: Callable[..., Any],
    *args: object,
    seconds: float,
    memory_mb: int,
    cancel: threading.Event | None = None,
    what: str = tr("The file"),
) -> Any:
    """``function(*args)``, computed in a child process.

    ``function`` must be importable by name and return plain values (str, bytes, numbers, None, lists,
    tuples, dicts, sets): the child's answer is read without importing anything, so that a child taken over by
    its input cannot reach further. ``what`` names the input in errors.
    Raises InputError (the child's own, or for time, memory and crashes), and Cancelled.
    """
    limit = None if limits.WATCHED else memory_mb
    request = pickle.dumps((limit, seconds, function.__module__, function.__qualname__, args))
    with subprocess.Popen(
        child_command(__name__),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment() | {"OMP_NUM_THREADS": "1"},
        **apart(),
    ) as process:
        watch = (lambda: limits.takes_more(process.pid, memory_mb)) if limits.WATCHED else lambda: False
        answer = _answer(process, request, seconds, cancel, what, watch)
    return _result(answer, process.returncode, what)


def serve() -> None:
    """The child's side: one request on standard input, one answer on standard output."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # A parser that prints must not garble the answer.
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    os.dup2(sys.stdout.fileno(), 1)
    with answers:
        answers.write(_served(requests))


def _served(requests: BinaryIO) -> bytes:
    memory_mb, seconds, module, name, args = pickle.load(requests)
    limits.limit_this_process(memory_mb, seconds)
    try:
        function: Any = __import__(module, fromlist=["_"])
        for part in name.split("."):
            function = getattr(function, part)
        return pickle.dumps(("done", function(*args)))
    except InputError as error:
        return pickle.dumps(("input", error.what, error.problem, error.remedy))
    except MemoryError:
        return pickle.dumps(("memory",))
    except Exception as error:  # a parser may raise anything; the parent turns its name into an InputError
        return pickle.dumps(("failed", type(error).__name__))


def child_command(module: str) -> list[str]:
    """The command line of a child that runs ``serve()`` of ``module``: Python alone, or a frozen program again."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_ARGUMENT, module]
    return [sys.executable, "-I", "-S", "-c", _BOOT, module, *search_path()]


def search_path() -> list[str]:
    """Where a child looks for modules: as this process does, but not in the current folder, which may be that of the
    file that is read."""
    try:
        here = os.getcwd()  # noqa: PTH109
    except FileNotFoundError:  # it was removed meanwhile
        here = ""
    ours = str(Path(__file__).parent.parent)
    return [path for path in map(os.path.abspath, filter(None, sys.path)) if path != here or path == ours]


def _answer(
    process: subprocess.Popen[bytes],
    request: bytes,
    seconds: float,
    cancel: threading.Event | None,
    what: str,
    takes_too_much: Callable[[], bool],
) -> bytes:
    answers: list[bytes] = []
    # In a thread of its own: communicate() with a time limit forgets the rest of a long input (Python 3.11).
    talk = threading.Thread(target=lambda: answers.append(process.communicate(request)[0]), daemon=True)
    talk.start()
    deadline = time.monotonic() + seconds
    try:
        while talk.is_alive():
            if cancel is not None and cancel.is_set():
                raise Cancelled
            if time.monotonic() > deadline:
                raise _too_slow(what, seconds)
            if takes_too_much():
                raise _too_large(what)
            talk.join(_POLL_SECONDS)
    finally:
        process.kill()
        talk.join()
    return answers[0] if answers else b""


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def _result(answer: bytes, returncode: int | None, what: str) -> Any:
    try:
        kind, *values = _PlainUnpickler(io.BytesIO(answer)).load()
    except (EOFError, pickle.UnpicklingError, ValueError, TypeError, IndexError):
        if returncode is not None and returncode == -24:  # SIGXCPU
            raise _too_slow(what) from None
        raise InputError(what, tr("reading it crashed the reader"), _SAVE_AGAIN) from None
    if kind == "done":
        return values[0]
    if kind == "input":
        raise InputError(*values)
    if kind == "memory":
        raise _too_large(what)
    raise InputError(what, tr("it is damaged ({kind})").format(kind=values[0]), _SAVE_AGAIN)


def _too_large(what: str) -> InputError:
    return InputError(what, tr("reading it takes too much memory"), tr("Split it, or save it again without pictures."))


def _too_slow(what: str, seconds: float | None = None) -> InputError:
    spent = tr(" (stopped after {time})").format(time=counted(round(seconds), "second")) if seconds else ""
    problem = tr("reading it takes too long{spent}").format(spent=spent)
    return InputError(what, problem, tr("Split it, or save its text as TXT."))
