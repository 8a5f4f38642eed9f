"""`noteeval self-test`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from noteeval_desktop import __version__
from noteeval_desktop.commands import self_test_words as words
from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run, check_outputs, deliver
from noteeval_desktop.commands.self_checks import Checks, Doubt
from noteeval_desktop.errors import Cancelled, InputError, NoteEvalError, unexpected

_WORDS = {"ok": "ok", "warning": "warning", "failed": "FAILED"}


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
            results[name] = Result(name, "failed", words.not_tried(needed.check), 0.0)
        else:
            results[name] = _tried(name, checks.all[name])
        print(f"{_WORDS[results[name].state]:8} {name:10} {results[name].said}", file=out, flush=True)
    failed = [name for name, result in results.items() if result.state == "failed"]
    seconds = time.monotonic() - began
    if run.options.json is not None:
        told = {
            "schema": "noteeval.self-test/1",
            "version": __version__,
            "passed": not failed,
            "seconds": round(seconds, 1),
            "checks": [asdict(result) for result in results.values()],
        }
        deliver(run, run.options.json, told)
    last = words.failed(failed) if failed else words.WORKS
    print(f"{last} ({seconds:.0f} s)", file=out)
    return JUDGE_FAILED if failed else DONE


def _wanted(checks: Checks, names: Sequence[str]) -> list[str]:
    """The checks asked for and what they need, in order; all when none is named. Raises InputError."""
    for name in names:
        if name not in checks.all:
            raise InputError(name, *words.no_check(checks.all))
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
        state, said = (
            "failed",
            words.disk_error(error),
        )
    # A check that breaks has failed; the others are still tried.
    except Exception as error:
        state, said = "failed", unexpected(error)
    return Result(name, state, said, round(time.monotonic() - began, 2))
