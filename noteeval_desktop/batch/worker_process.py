"""A child process that judges: pickled pairs in on standard input, what became of each out as a line of JSON.

Its input ends when the parent wants it to stop, and also when the parent dies; either way it stops soon.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, BinaryIO

from noteeval_desktop.batch.judging import Outcome, Plan, judge_pair
from noteeval_desktop.batch.pairs import Group, Pair
from noteeval_desktop.errors import JudgeError, NoteEvalError, unexpected
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.isolation import child_command
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.platform.heap import keep_heap_compact
from noteeval_desktop.platform.processes import HOME, apart, environment

Recipe = Callable[[ExitStack], Judge]
"""Makes a judge in another process: importable by name and picklable."""
NOT_STARTED = "A worker process ended before it was ready. Perhaps memory is short: try again with fewer --jobs."
DIED = "The process that judged it ended unexpectedly, twice. Perhaps memory ran out: try again with fewer --jobs."
_TOLD = ("status", "problem", "reference", "warnings", "written", "found")


class WorkerProcess:
    """Started with the first group; ended, killed if need be, when the block ends. One caller at a time.

    ``cancel``: the pairs that are left are cancelled. ``stop``: end at once, whatever is left.
    """

    def __init__(self, recipe: Recipe, plan: Plan, cancel: threading.Event, stop: threading.Event) -> None:
        self._recipe, self._plan, self._cancel, self._stop = recipe, plan, cancel, stop
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._end_when_told, daemon=True)

    def __enter__(self) -> WorkerProcess:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watch.join()
        if self._process is not None:
            self._end(self._process)

    def judge(self, group: Group) -> Iterator[Outcome]:
        """Raises JudgeError where the child can make no judge."""
        left, tried = deque(group), ""
        while left:
            if self._cancel.is_set() or self._stop.is_set():
                yield Outcome(left.popleft(), "cancelled")
                continue
            for outcome in self._asked(tuple(left)):
                left.popleft()
                yield outcome
            if left and not self._cancel.is_set() and not self._stop.is_set():  # it died at the first that is left
                if tried == left[0].id:
                    yield Outcome(left.popleft(), "incomplete", DIED)
                else:
                    tried = left[0].id

    def _asked(self, group: Group) -> Iterator[Outcome]:
        """What the child tells of until it is through, or dies."""
        process = self._process or self._started()
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError):  # the second: its input was closed meanwhile
            pickle.dump(group, process.stdin)
            process.stdin.flush()
        for pair in group:
            line = process.stdout.readline()
            if not line.endswith(b"\n"):
                self._process = None
                self._end(process)
                return
            yield from_told(pair, from_json(line))

    def _started(self) -> subprocess.Popen[bytes] | None:
        """None where it was told to stop before it was ready: another worker knows why. Raises JudgeError."""
        self._process = process = subprocess.Popen(
            child_command(__name__),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(*HOME, "NOTEEVAL_HOME", "LC_ALL")
            | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "GGML_NO_BACKTRACE": "1"},
            **apart(),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError):
            pickle.dump((self._recipe, self._plan), process.stdin)
            process.stdin.flush()
        line = process.stdout.readline()
        if not line and self._stop.is_set():
            return None
        problem = from_json(line or json.dumps(NOT_STARTED))
        if problem:
            raise JudgeError(problem)
        return process

    def _end_when_told(self) -> None:
        """From a thread of its own: the caller waits for the child's next line meanwhile."""
        while not self._ended.wait(0.05):
            process = self._process
            if process is None:
                continue
            if self._stop.is_set():
                process.kill()
            elif self._cancel.is_set():
                self._close_input(process)

    @staticmethod
    def _close_input(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        self._close_input(process)
        process.stdout.close()
        process.wait()


def as_told(outcome: Outcome) -> dict[str, Any]:
    """Plain values, without the evaluation, which is in its file."""
    return {name: getattr(outcome, name) for name in _TOLD}


def from_told(pair: Pair, told: Mapping[str, Any]) -> Outcome:
    return Outcome(pair, **{**told, "warnings": tuple(told["warnings"])})


def serve() -> None:
    """The child's side."""
    keep_heap_compact()
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not garble the answers
    recipe, plan = pickle.load(requests)
    groups: queue.SimpleQueue[Group | None] = queue.SimpleQueue()
    cancel = threading.Event()
    threading.Thread(target=_listen, args=(requests, groups, cancel), daemon=True).start()
    with ExitStack() as closing, answers:
        try:
            judge: Judge = recipe(closing)
        # The parent is told in words: it cannot catch what is raised here.
        except Exception as error:
            _tell(answers, str(error) if isinstance(error, NoteEvalError) else unexpected(error))
            return
        _tell(answers, "")
        while (group := groups.get()) is not None:
            for pair in group:
                _tell(answers, as_told(judge_pair(pair, lambda: judge, plan, cancel)))


def _listen(requests: BinaryIO, groups: queue.SimpleQueue[Group | None], cancel: threading.Event) -> None:
    with suppress(EOFError, pickle.UnpicklingError):  # the parent is gone, in mid-sentence perhaps
        while True:
            groups.put(pickle.load(requests))
    cancel.set()
    groups.put(None)


def _tell(answers: BinaryIO, told: object) -> None:
    answers.write(json.dumps(told).encode() + b"\n")
    answers.flush()
