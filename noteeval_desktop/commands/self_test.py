"""`noteeval self-test`: what it tries, each on the real thing: files, models, keychain and window of this computer.

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
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from noteeval_desktop import __version__, paths
from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run, check_outputs, deliver, load_rubric
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import counted, did_you_mean, size, tr
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, ModelError, NoteEvalError, unexpected
from noteeval_desktop.isolation import run_isolated, search_path
from noteeval_desktop.platform.files import write_private

# A computer whose battery died thinks that it is 1970, 1980, 1990 or 2001.
_SURELY_PAST = date(2025, 1, 1)
_LEAST_DISK, _LITTLE_MEMORY = 100_000_000, 1_000_000_000
_TOLERANCE = 0.004
_KEYCHAIN_SECONDS, _WINDOW_SECONDS, _UNSEEN_SECONDS = 10.0, 150.0, 60.0


# English, as the built-in judge reads it.
_NAME = "Self-test"
_SAID = "Therapist: How did you sleep?\nClient: About four hours a night. I have two beers to fall asleep.\n"
_NOTED = "Subjective\nClient sleeps about four hours a night.\nClient drinks wine every morning.\n"
_WORDS = {"ok": "ok", "warning": "warning", "failed": "FAILED"}


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
            raise InputError(
                str(folder),
                tr("cannot be written ({reason})").format(reason=error.strerror),
                tr("Make room there, have it made writable, or set NOTEEVAL_HOME to another folder."),
            ) from None
        free = shutil.disk_usage(folder).free
        if free < _LEAST_DISK:
            raise InputError(
                str(folder),
                tr("only {free} are free on its disk").format(free=size(free)),
                tr("Delete what you no longer need, at least 100 MB."),
            )
        return tr("cases are kept in {folder}, {free} free").format(folder=folder, free=size(free))

    def memory(self) -> str:
        from noteeval_desktop.platform.memory import free_memory

        free = free_memory()
        if free is None:
            raise Doubt(tr("This system does not say how much memory is free."))
        if free < _LITTLE_MEMORY:
            raise Doubt(
                tr("Only {free} of memory are free. Close other programs if NoteEval is slow.").format(free=size(free))
            )
        return tr("{memory} free").format(memory=size(free))

    def processor(self) -> str:
        from noteeval_desktop.engines.local_llm.build import installed_build, processor_flags

        build = installed_build(self._run.cancel)
        build.check(processor_flags())
        gpu = tr("and the graphics processor, if a language model is set to use it")
        features = ", ".join(sorted(build.features)) or tr("the basic instructions")
        told = tr("llama.cpp uses {features}; {gpu}")
        return told.format(features=features, gpu=gpu if build.gpu else tr("no graphics processor"))

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
            told = tr("The sentence encoder gives wrong numbers (off by {off:.3f}). Install NoteEval again.")
            raise ModelError(told.format(off=off))
        return tr("its SHA-256 is correct, and so are its vectors (off by {off:.4f})").format(off=off)

    def judge(self) -> str:
        from noteeval_desktop.evaluate import evaluate, final
        from noteeval_desktop.judges import making

        judge = making.builtin_judge(load_rubric(), self._run.closing)
        case = _case()
        evaluation = final(evaluate(case, judge, cancel=self._run.cancel)).evaluation
        verdicts = [sentence.claim for sentence in evaluation.sentences]
        if not evaluation.complete or not verdicts or any(verdict is None for verdict in verdicts):
            raise JudgeError(
                tr("A small note could not be judged. {problems} Install NoteEval again.").format(
                    problems=" ".join(evaluation.problems)
                )
            )
        self._evaluation = evaluation
        return tr("its heads load, and a note of {sentences} was judged").format(
            sentences=counted(len(verdicts), "sentence")
        )

    def pdf(self) -> str:
        from noteeval_desktop.documents.pdf_text import pdf_lines
        from noteeval_desktop.report.draw_pdf import pdf_bytes
        from noteeval_desktop.report.scorecard_page import scorecard_page

        assert self._evaluation is not None
        made = pdf_bytes(scorecard_page(self._evaluation, rubric=load_rubric()))
        lines, _ = run_isolated(pdf_lines, made, "scorecard.pdf", seconds=20, memory_mb=1_000, what="scorecard.pdf")
        if _NAME not in "\n".join(lines):
            raise JudgeError(tr("The scorecard's PDF cannot be read back. Install NoteEval again."))
        return tr("a scorecard of {size} kB was made and read back").format(size=len(made) // 1000)

    def library(self) -> str:
        from noteeval_desktop.store.library import DATABASE, Library, by_passphrase

        case = _case()
        passphrase = os.urandom(16).hex()
        with tempfile.TemporaryDirectory(prefix=".self-test-", dir=paths.data_folder()) as name:
            folder = Path(name) / "library"
            made, _recovery = Library.create(folder, passphrase)
            number = made.cases.add(case)
            made.lock()
            if (folder / DATABASE).read_bytes()[:15] == b"SQLite format 3":
                raise InputError(
                    DATABASE, tr("was written unencrypted"), tr("Do not keep cases. Install NoteEval again.")
                )
            opened = Library.open(folder, by_passphrase(passphrase))
            kept = opened.cases.read(number)
            opened.lock()
            if (kept.transcript, kept.revisions[-1].note) != (case.transcript, case.note):
                raise InputError(
                    DATABASE, tr("returned a different case than it was given"), tr("Install NoteEval again.")
                )
        return tr("an encrypted library was made, written, opened again and deleted")

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
            raise Doubt(tr("The system's keychain does not answer. Unlock it, or protect your keys with a passphrase."))
        if problems:
            raise Doubt(str(problems[0])) if isinstance(problems[0], NoteEvalError) else problems[0]
        return tr("the system's keychain answers")

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
                read: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
                done = subprocess.run(command, env=environment, timeout=seconds, errors="replace", check=False, **read)
            except subprocess.TimeoutExpired:
                if not display:
                    told = tr(
                        "There is no display here to show the window on, and without one it was not drawn within "
                        "{seconds:.0f} seconds. Run the check where you will use the window."
                    )
                    raise Doubt(told.format(seconds=seconds)) from None
                told = tr("The window was not drawn within {seconds:.0f} seconds. Close other programs and try again.")
                raise JudgeError(told.format(seconds=seconds)) from None
            said = [line for line in done.stderr.splitlines() if line.strip()]
            if done.returncode or not picture.is_file():
                # Where Qt finds no display its first line says why, and its last only which kinds it knows.
                lists = bool(said) and said[-1].startswith("Available platform plugins")
                reason = said[0 if lists else -1] if said else tr("exit code {code}").format(code=done.returncode)
                raise JudgeError(tr("The window cannot be drawn: {reason}").format(reason=reason))
            drawn = tr("the window was drawn with the sample case ({size} kB)")
            drawn = drawn.format(size=picture.stat().st_size // 1000)
        if not display:
            raise Doubt(tr("There is no display here to show the window on. Without one, {drawn}.").format(drawn=drawn))
        return drawn


def _case() -> Case:
    from noteeval_desktop import documents

    return Case(documents.parse_transcript(_SAID), documents.parse_note(_NOTED), _NAME)


def clock(today: date) -> str:
    """Raises InputError for a day long before this program."""
    if today < _SURELY_PAST:
        raise InputError(
            tr("This computer's clock"),
            tr("says that it is {today:%Y-%m-%d}, which every case and signature would carry").format(today=today),
            tr("Set date and time."),
        )
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


@dataclass(frozen=True, slots=True)
class Result:
    """``state``: ok, warning (NoteEval works without it) or failed."""

    check: str
    state: str
    said: str
    seconds: float


def self_test(run: Run) -> int:
    """One line a check; exit code 1 where one failed."""
    check_outputs({"--json": run.options.json}, ())
    checks, began = Checks(run), time.monotonic()
    results: dict[str, Result] = {}
    out = run.err if str(run.options.json) == "-" else run.out
    for name in _wanted(checks, run.options.checks):
        if run.cancel.is_set():
            raise Cancelled
        needed = results.get(checks.needs.get(name, ""))
        if needed is not None and needed.state == "failed":
            results[name] = Result(
                name, "failed", tr("Not tried, because “{needed}” failed.").format(needed=needed.check), 0.0
            )
        else:
            results[name] = _tried(name, checks.all[name])
        if results[name].state == "failed" or not run.options.quiet:
            print(f"{_WORDS[results[name].state]:8} {name:10} {results[name].said}", file=out, flush=True)
    failed = [name for name, result in results.items() if result.state == "failed"]
    seconds = time.monotonic() - began
    if run.options.json is not None:
        told: dict[str, Any] = {"schema": "noteeval.self-test/1", "version": __version__, "passed": not failed}
        told |= {"seconds": round(seconds, 1), "checks": [asdict(result) for result in results.values()]}
        deliver(run, run.options.json, told)
    last = (
        tr("Failed: {checks}.").format(checks=", ".join(failed)) if failed else tr("NoteEval works on this computer.")
    )
    if failed or not run.options.quiet:
        print(f"{last} ({seconds:.0f} s)", file=out)
    return JUDGE_FAILED if failed else DONE


def _wanted(checks: Checks, names: Sequence[str]) -> list[str]:
    """The checks asked for and what they need, in order; all when none is named. Raises InputError."""
    for name in names:
        if name not in checks.all:
            problem = tr("is not a check{near}").format(near=did_you_mean(name, checks.all))
            raise InputError(name, problem, tr("The checks are {checks}.").format(checks=", ".join(checks.all)))
    wanted = set(names or checks.all)
    while more := {checks.needs[name] for name in wanted if name in checks.needs} - wanted:
        wanted |= more
    return [name for name in checks.all if name in wanted]


def _tried(name: str, check: Callable[[], str]) -> Result:
    began = time.monotonic()
    try:
        state, said = "ok", check()
    except Cancelled:
        raise
    except Doubt as doubt:
        state, said = "warning", str(doubt)
    except NoteEvalError as error:
        state, said = "failed", str(error)
    except OSError as error:
        told = tr("{error}. Make room, or check the folder's permissions.")
        state, said = "failed", told.format(error=error.strerror or type(error).__name__)
    # A check that breaks has failed; the others are still tried.
    except Exception as error:
        state, said = "failed", unexpected(error)
    return Result(name, state, said, round(time.monotonic() - began, 2))
