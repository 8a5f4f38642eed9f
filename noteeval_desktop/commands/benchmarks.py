"""`noteeval benchmark` and `noteeval degrade`: how far a judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.commands.run import DONE, Run, deliver
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures import degrade as degrading
from noteeval_desktop.report.files import writable, write_text


def benchmark(run: Run) -> int:
    """One of ``BENCHMARKS`` over the data given."""
    options = run.options
    if not options.data.is_file():
        raise InputError(options.data.name, "there is no such file", "Give the benchmark's data with --data FILE.")
    result, text = BENCHMARKS[options.name](run)
    if options.json is not None:
        deliver(run, options.json, result)
    if str(options.json) != "-":
        print(text, file=run.out)
    return DONE


def _mts_dialog(run: Run) -> tuple[dict[str, Any], str]:
    try:
        from noteeval_desktop.measures import mts_dialog
    except ModuleNotFoundError as error:
        raise InputError(
            "benchmark mts-dialog", f"needs the package {error.name}", "Install it with `pip install rouge-score`."
        ) from error
    result = mts_dialog.run(run.options.data)
    return result, mts_dialog.as_table(result)


BENCHMARKS: dict[str, Callable[[Run], tuple[dict[str, Any], str]]] = {"mts-dialog": _mts_dialog}


def degrade(run: Run) -> int:
    """A note with known errors put in: its text, and as JSON what was changed where."""
    options = run.options
    target = writable(options.out)
    if target == options.note.expanduser().resolve():
        raise InputError(options.out.name, "is the note itself", "Give --out a file of its own.")
    changed = degrading.degrade(documents.read_note(options.note), options.seed, options.changes)
    write_text(target, changed.note.text)
    changes = [
        {
            "kind": change.kind.value,
            "original_sentence": change.original,
            "sentence": change.sentence,
            "start": change.span.start,
            "end": change.span.end,
            "before": change.before,
            "after": change.after,
        }
        for change in changed.changes
    ]
    if options.json is not None:
        deliver(run, options.json, {"schema": "noteeval.degradation/1", "seed": options.seed, "changes": changes})
    if str(options.json) != "-":
        print(f"{len(changes)} changes made.", file=run.out)
    return DONE
