"""What a command works with."""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric, rubric_from_json
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.files import dump_json, write_json

DONE, JUDGE_FAILED, BAD_INPUT, CANCELLED = 0, 1, 2, 130

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
        return self.make_judge(self.options, load_rubric(), self.closing)

    def say(self, message: str) -> None:
        print(f"noteeval: {message}", file=self.err)


def load_rubric() -> Rubric:
    """The rubric that ships with the program."""
    return rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))


def deliver(run: Run, target: Path, data: Any) -> None:
    """To a file, whole or not at all; ``-`` is standard output."""
    if str(target) == "-":
        run.out.write(dump_json(data))
    else:
        write_json(target, data)
