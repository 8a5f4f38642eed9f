"""The parent's side of the child process: start, talk, notice its end, kill."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from pydantic_core import from_json

from noteeval_desktop.engines.local_llm import worker
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.isolation import child_command
from noteeval_desktop.platform.processes import GRAPHICS, HOME, apart, environment

Message = dict[str, Any]
POLL_SECONDS = 0.02
_LONGEST_LINE = 16_000_000


class Gone(Exception):
    """The child ended by itself; ``code`` is its exit code (negative for a signal)."""

    def __init__(self, code: int | None) -> None:
        super().__init__()
        self.code = code


class Child:
    """One child process. Messages are read by a thread, so that waiting for one can time out."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            child_command(worker.__name__),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(*HOME, *GRAPHICS, "OMP_NUM_THREADS") | {"GGML_NO_BACKTRACE": "1"},
            **apart(low=True),
        )
        self._answers: queue.Queue[Message | None] = queue.Queue()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: Message) -> None:
        try:
            self._stdin.write(json.dumps(message).encode() + b"\n")
            self._stdin.flush()
        except (OSError, ValueError):  # the second: it was killed, and its input closed
            raise Gone(self._process.poll()) from None

    def receive(self, seconds: float) -> Message | None:
        """The next message; None when none came in time. Raises Gone."""
        try:
            message = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        if message is None:
            self._answers.put(None)
            raise Gone(self._process.wait())
        return message

    def messages(self, seconds: float, cancel: threading.Event) -> Iterator[Message]:
        """What comes within ``seconds``. Raises Gone, and Cancelled soon after ``cancel`` is set."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            message = self.receive(POLL_SECONDS)
            if cancel.is_set():
                raise Cancelled
            if message is not None:
                yield message

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        with contextlib.suppress(BrokenPipeError):  # what was not sent need not arrive any more
            self._stdin.close()

    def _read(self, stream: BinaryIO) -> None:
        with stream:
            while line := stream.readline(_LONGEST_LINE):
                try:
                    message = from_json(line)
                except ValueError:
                    break  # no answer of ours: the child is not to be trusted further
                if not isinstance(message, dict):
                    break
                self._answers.put(message)
        self._process.kill()
        self._answers.put(None)
