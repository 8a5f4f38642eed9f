"""Judges that a worker process makes for itself; which of its cases goes wrong stands in the note."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.errors import ModelError
from tests.sample_evaluation import sample_case, sample_judge
from tests.scripted_judge import ScriptedJudge


def scripted(closing: ExitStack | None = None) -> ScriptedJudge:
    return sample_judge(sample_case())


def none_to_be_had(closing: ExitStack) -> ScriptedJudge:
    raise ModelError("There is no model. Get one.")


def dead_at_once(closing: ExitStack) -> ScriptedJudge:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class _Killed(ScriptedJudge):
    """Killed at the first question about a note that says so: each time, or ("once") while its file is there."""

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        text = case.note.text
        if "KILL ALWAYS" in text:
            os.kill(os.getpid(), signal.SIGKILL)
        for line in text.splitlines():
            marker = Path(line.removeprefix("KILL ONCE ").strip())
            if line.startswith("KILL ONCE ") and marker.exists():
                marker.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().risks(case, cancel)


def mortal(closing: ExitStack) -> ScriptedJudge:
    judge = sample_judge(sample_case())
    judge.__class__ = _Killed
    return judge


def telling_its_environment(where: Path, closing: ExitStack) -> ScriptedJudge:
    where.write_text(json.dumps(dict(os.environ)), "utf-8")
    return scripted(closing)


class _Counted(ScriptedJudge):
    """Slow enough to be killed at work; writes down what it begins."""

    begun: Path

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        with self.begun.open("a", encoding="utf-8") as file:
            file.write(f"{case.label}\n")
        time.sleep(0.05)
        return super().risks(case, cancel)


def counted(begun: Path, closing: ExitStack | None = None) -> ScriptedJudge:
    judge = scripted()
    judge.__class__ = _Counted
    judge.begun = begun  # type: ignore[attr-defined]
    return judge


WAITED = 0.5


class _Waiting(ScriptedJudge):
    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        time.sleep(WAITED)
        return super().risks(case, cancel)


def waiting(closing: ExitStack) -> ScriptedJudge:
    judge = scripted()
    judge.__class__ = _Waiting
    return judge


def for_a_rubric(judged: Path, rubric: object, closing: ExitStack, threads: int | None = None) -> ScriptedJudge:
    """As ``making.builtin_judge`` is called; writes down what it begins, and who."""
    judge = counted(judged, closing)
    with judged.with_name("workers").open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    return judge
