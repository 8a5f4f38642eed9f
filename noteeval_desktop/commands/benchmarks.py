"""`noteeval benchmark` and `noteeval degrade`: how far a judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.commands.run import DONE, Run, deliver
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures import degrade as degrading
from noteeval_desktop.report.files import writable, write_text
from noteeval_desktop.report.terminal import ProgressBar, table


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


def _tn_eval(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark import run_tn_eval

    judge, bar = run.judge(), ProgressBar(run.err)
    result = run_tn_eval(
        run.options.data, judge, None, lambda done, total: bar.show("Notes", done, total), cancel=run.cancel
    )
    bar.clear()
    used = judge.usage()
    result["usage"] = {"calls": used.calls, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
    return result, _tn_eval_table(result)


def _tn_eval_table(result: dict[str, Any]) -> str:
    """The correlation of each judge's note scores with the therapists' mean, a column a dimension."""
    dimensions = [name for name in ("completeness", "conciseness", "faithfulness") if name in result]
    judges = dict.fromkeys(judge for name in dimensions for judge in result[name]["judges"])
    rows = [["Pearson r with the therapists", *(name.capitalize() for name in dimensions)]]
    for judge in judges:
        figures = [result[name]["judges"].get(judge, {}).get("r") for name in dimensions]
        rows.append([judge, *("–" if figure is None else f"{figure:.2f}" for figure in figures)])
    return table(rows)


BENCHMARKS: dict[str, Callable[[Run], tuple[dict[str, Any], str]]] = {"mts-dialog": _mts_dialog, "tn-eval": _tn_eval}


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
