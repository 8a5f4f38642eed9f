"""What a command works with."""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric, rubric_from_json
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.files import dump_json, writable, write_json

DONE, JUDGE_FAILED, BAD_INPUT, CANCELLED = 0, 1, 2, 130

# The options whose result may be printed instead, with ``-``.
_PRINTED = ("--json", "--aggregate")

JudgeMaker = Callable[[argparse.Namespace, Rubric, ExitStack], Judge]


@dataclass
class Run:
    """The options, how to make the judge, where to print; ``closing`` ends what the judge has opened."""

    options: argparse.Namespace
    make_judge: JudgeMaker
    out: TextIO
    err: TextIO
    closing: ExitStack
    cancel: threading.Event = field(default_factory=threading.Event)

    def judge(self) -> Judge:
        """Raises Cancelled where the user has had enough before there was anything to judge."""
        if self.cancel.is_set():
            raise Cancelled
        return self.make_judge(self.options, load_rubric(), self.closing)

    def say(self, message: str) -> None:
        with suppress(OSError):  # nobody can be told that nothing can be told; the exit code still says it
            print(f"noteeval: {message}", file=self.err)


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """While a person or a pipe is waited for, Ctrl+C ends the command: there is nothing yet that could be kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def load_rubric() -> Rubric:
    """The rubric that ships with the program."""
    return rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))


def check_outputs(
    outputs: Mapping[str, Path | None], inputs: Iterable[Path | None], results: Iterable[Path] = ()
) -> None:
    """To be called before anything is judged: each output, by its option, can be written and is a file of its own.

    ``results`` are what the command writes besides. Raises InputError where an output is an input, another output,
    or cannot be written.
    """
    taken = {Path(os.path.realpath(path)): "a result" for path in results}
    taken |= {Path(os.path.realpath(path)): "an input" for path in inputs if path is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        if str(path) == "-":
            if option not in _PRINTED:
                raise InputError(option, "cannot go to standard output", "Name a file.")
            continue
        target = writable(path)
        if target in taken:
            raise InputError(path.name, f"is already {taken[target]}", f"Give {option} a file of its own.")
        taken[target] = f"the file for {option}"


def deliver(run: Run, target: Path, data: Any) -> None:
    """To a file, whole or not at all; ``-`` is standard output, escaped where that is not in UTF-8."""
    if str(target) == "-":
        encoding = (run.out.encoding or "utf-8").lower().replace("-", "").replace("_", "")
        run.out.write(dump_json(data, escaped=encoding != "utf8"))
    else:
        write_json(target, data)
