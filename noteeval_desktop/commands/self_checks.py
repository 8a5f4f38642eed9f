"""What `noteeval self-test` tries, each on the real thing: files, models, keychain and window of this computer.

A check returns what it found in one line, or raises: Doubt where NoteEval works without it, else the error itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.commands import self_test_words as words
from noteeval_desktop.commands.run import Run, load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.errors import InputError, JudgeError, ModelError, NoteEvalError
from noteeval_desktop.isolation import run_isolated, search_path
from noteeval_desktop.platform.files import write_private

# A computer whose battery died thinks that it is 1970, 1980, 1990 or 2001.
_SURELY_PAST = date(2025, 1, 1)
_LEAST_DISK, _LITTLE_MEMORY = 100_000_000, 1_000_000_000
_TOLERANCE = 0.004
_KEYCHAIN_SECONDS, _WINDOW_SECONDS, _UNSEEN_SECONDS = 10.0, 150.0, 60.0


class Doubt(NoteEvalError):
    """Something is missing that NoteEval can do without."""


class Checks:
    """In the order in which they are run: ``needs`` names what a check builds upon."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._judge: Any = None
        self._evaluation: Evaluation | None = None
        self.all: dict[str, Callable[[], str]] = {
            "clock": lambda: clock(date.today()),
            "folder": self.folder,
            "memory": self.memory,
            "processor": self.processor,
            "encoder": self.encoder,
            "judge": self.judge,
            "pdf": self.pdf,
            "library": self.library,
            "keychain": self.keychain,
            "window": self.window,
        }
        self.needs = {"encoder": "processor", "judge": "encoder", "pdf": "judge", "library": "folder"}

    def folder(self) -> str:
        folder = paths.data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".self-test"
            write_private(probe, os.urandom(1_000_000))
            probe.unlink()
        except OSError as error:
            raise InputError(str(folder), *words.unwritable(error)) from None
        free = shutil.disk_usage(folder).free
        if free < _LEAST_DISK:
            raise InputError(str(folder), *words.little_disk(free))
        return words.folder_free(folder, free)

    def memory(self) -> str:
        from noteeval_desktop.platform.memory import free_memory

        free = free_memory()
        if free is None:
            raise Doubt(words.MEMORY_UNKNOWN)
        if free < _LITTLE_MEMORY:
            raise Doubt(words.little_memory(free))
        return words.free(free)

    def processor(self) -> str:
        from noteeval_desktop.engines.local_llm.build import installed_build, processor_flags

        build = installed_build(self._run.cancel)
        build.check(processor_flags())
        gpu = words.GPU if build.gpu else words.NO_GPU
        return words.processor(sorted(build.features), gpu)

    def encoder(self) -> str:
        from noteeval_desktop.judges import making

        expected = json.loads((paths.resources() / "self_test.json").read_text("utf-8"))
        embedder = making.encoder(self._run.closing)  # which compares its SHA-256
        found = embedder.embed(list(expected))
        off = max(
            abs(float(value) - wanted)
            for row, wanted_row in zip(found, expected.values(), strict=True)
            for value, wanted in zip(row, wanted_row, strict=False)
        )
        if not off < _TOLERANCE:  # nor where it is not a number
            raise ModelError(words.encoder_wrong(off))
        return words.encoder_right(off)

    def judge(self) -> str:
        from noteeval_desktop import documents, evaluate
        from noteeval_desktop.judges import making

        judge = making.builtin_judge(load_rubric(), self._run.closing)
        case = Case(documents.parse_transcript(words.SESSION), documents.parse_note(words.NOTE), words.CASE)
        evaluation = evaluate.final(evaluate.evaluate(case, judge, cancel=self._run.cancel)).evaluation
        verdicts = [sentence.claim for sentence in evaluation.sentences]
        if not evaluation.complete or not verdicts or any(verdict is None for verdict in verdicts):
            raise JudgeError(words.not_judged(evaluation.problems))
        self._evaluation = evaluation
        return words.judged(len(verdicts))

    def pdf(self) -> str:
        from noteeval_desktop.documents.pdf_text import pdf_lines
        from noteeval_desktop.report.draw_pdf import pdf_bytes
        from noteeval_desktop.report.scorecard_page import scorecard_page

        assert self._evaluation is not None
        made = pdf_bytes(scorecard_page(self._evaluation, rubric=load_rubric()))
        lines, _ = run_isolated(pdf_lines, made, "scorecard.pdf", seconds=20, memory_mb=1_000, what="scorecard.pdf")
        if words.CASE not in "\n".join(lines):
            raise JudgeError(words.PDF_UNREADABLE)
        return words.pdf_made(len(made))

    def library(self) -> str:
        from noteeval_desktop import documents
        from noteeval_desktop.store.library import DATABASE, Library, by_passphrase

        case = Case(documents.parse_transcript(words.SESSION), documents.parse_note(words.NOTE), words.CASE)
        passphrase = os.urandom(16).hex()
        with tempfile.TemporaryDirectory(prefix=".self-test-", dir=paths.data_folder()) as name:
            folder = Path(name) / "library"
            made, _recovery = Library.create(folder, passphrase)
            number = made.cases.add(case)
            made.lock()
            if (folder / DATABASE).read_bytes()[:15] == b"SQLite format 3":
                raise InputError(DATABASE, *words.UNENCRYPTED)
            opened = Library.open(folder, by_passphrase(passphrase))
            kept = opened.cases.read(number)
            opened.lock()
            if (kept.transcript, kept.revisions[-1].note) != (case.transcript, case.note):
                raise InputError(DATABASE, *words.ANOTHER_CASE)
        return words.LIBRARY_WORKS

    def keychain(self) -> str:
        assert self._run.keychain is not None
        find, problems = self._run.keychain, list[Exception]()

        def ask() -> None:
            try:
                find().read("self-test")
            # A keychain's own; judged in the thread that waits for this one.
            except Exception as error:
                problems.append(error)

        # In a thread: it may wait for somebody to unlock it.
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(_KEYCHAIN_SECONDS)
        if asking.is_alive():
            raise Doubt(words.KEYCHAIN_SILENT)
        if problems:
            raise Doubt(str(problems[0])) if isinstance(problems[0], NoteEvalError) else problems[0]
        return words.KEYCHAIN_WORKS

    def window(self) -> str:
        with tempfile.TemporaryDirectory(prefix="noteeval-") as folder:
            picture = Path(folder) / "window.png"
            display = shown_on(sys.platform)
            seconds = _WINDOW_SECONDS if display else _UNSEEN_SECONDS
            command = [*window_command(), "--sample", "--size", "1280x800", "--screenshot", str(picture)]
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(search_path())}
            if not display:
                environment["QT_QPA_PLATFORM"] = "offscreen"
            try:
                done = subprocess.run(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                if not display:
                    raise Doubt(words.not_drawn_without_display(seconds)) from None
                raise JudgeError(words.window_slow(seconds)) from None
            said = [line for line in done.stderr.splitlines() if line.strip()]
            if done.returncode or not picture.is_file():
                # Where Qt finds no display its first line says why, and its last only which kinds it knows.
                lists = bool(said) and said[-1].startswith(words.QT_LISTS_ITS_KINDS)
                reason = said[0 if lists else -1] if said else words.exit_code(done.returncode)
                raise JudgeError(words.window_failed(reason))
            drawn = words.window_drawn(picture.stat().st_size)
        if not display:
            raise Doubt(words.without_display(drawn))
        return drawn


def clock(today: date) -> str:
    """Raises InputError for a day long before this program."""
    if today < _SURELY_PAST:
        raise InputError(words.CLOCK, *words.past(today))
    return f"{today:%Y-%m-%d}"


def shown_on(system: str) -> bool:
    """Whether this session has a screen that a window can be shown on (``sys.platform``'s names)."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return os.environ["QT_QPA_PLATFORM"] != "offscreen"
    return system in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def window_command() -> list[str]:
    """The command line that opens the window: of this Python, or the program beside this one where it is packaged."""
    if getattr(sys, "frozen", False):
        own = Path(sys.executable)
        return [str(own.with_name(f"noteeval-desktop{own.suffix}"))]
    return [sys.executable, "-P", "-m", "noteeval_desktop"]
