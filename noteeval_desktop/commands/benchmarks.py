"""`noteeval benchmark` and `noteeval degrade`: how far a judge can be trusted."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.commands import tn_eval_text
from noteeval_desktop.commands.run import DONE, Run, check_outputs, deliver
from noteeval_desktop.commands.sending import ask_to_send
from noteeval_desktop.domain.case import Case
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges import benchmark_notes
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures import degrade as degrading
from noteeval_desktop.measures.labelled import CorpusError, LabelledSession, read_sessions
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.terminal import ProgressBar, table


def benchmark(run: Run) -> int:
    """One of ``BENCHMARKS`` over the data given."""
    options = run.options
    if not (options.data.is_dir() if options.name in _OF_A_FOLDER else options.data.is_file()):
        raise InputError(options.data.name, "there is no such file", "Give the benchmark's data with --data FILE.")
    check_outputs({"--json": options.json, "--chart": options.chart}, (options.data,))
    if options.chart is not None and options.name not in _DRAWN:
        raise InputError("--chart", f"does not go with {options.name}", f"It goes with {' or '.join(sorted(_DRAWN))}.")
    if options.cross_validate and options.name not in _CROSS_VALIDATED:
        named = " or ".join(sorted(_CROSS_VALIDATED))
        raise InputError("--cross-validate", f"does not go with {options.name}", f"It goes with {named}.")
    try:
        result, text = BENCHMARKS[options.name](run)
    except ModuleNotFoundError as error:
        # Training heads and the reference metrics need packages that judging does without.
        missing = str(error.name).partition(".")[0]
        remedy = "`python3 installers/bootstrap.py test` sets it up; elsewhere install the extras train and measure."
        raise InputError(f"benchmark {options.name}", f"needs the package {missing}", remedy) from error
    if options.json is not None:
        deliver(run, options.json, result)
    if str(options.json) != "-":
        print(text, file=run.out)
    return DONE


def _judge(run: Run) -> Judge:
    """Raises Cancelled where the user does not want the data sent."""
    judge = run.judge()
    ask_to_send(run, judge, f"what {run.options.data.name} holds, identifiers replaced,")
    return judge


def _mts_dialog(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.commands import correlating

    return correlating.mts_dialog(run)


def _tn_eval_metrics(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.commands import correlating

    return correlating.tn_eval_metrics(run)


def _tn_eval(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges import making
    from noteeval_desktop.judges.benchmark import run_tn_eval

    judge, bar = _judge(run), ProgressBar(run.err)
    encoder = making.encoder(run.closing) if run.options.cross_validate else None
    result = run_tn_eval(
        run.options.data, judge, encoder, lambda done, total: bar.show("Notes", done, total), cancel=run.cancel
    )
    bar.clear()
    used = judge.usage()
    result["usage"] = {"calls": used.calls, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
    return result, tn_eval_text.as_text(result)


def _annomi(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark_annomi import run_annomi

    bar = ProgressBar(run.err)
    result = run_annomi(
        run.options.data, _judge(run), run.cancel, lambda done, total: bar.show("Sessions", done, total)
    )
    bar.clear()
    rows = [["AUC, high against low quality", "95 % interval", "Mean of high", "Mean of low"]]
    for name, measured in result["measures"].items():
        rows.append([f"{name.replace('_', ' ')}: {_figure(measured['auc'])}", _interval(measured["interval"])])
        rows[-1] += [_figure(measured.get("mean_high")), _figure(measured.get("mean_low"))]
    said = f"{result['sessions']} sessions; {result['responses_in_crisis']} responses to a crisis."
    low = [["Scored 3 or less", "Mean of six", "ARS", "Any attribute"]]
    for one in result["scored_low"]:
        name = f"{one['number']} {one['unit']}, {one['quality']} quality"
        low.append([name, _figure(one["mean"]), _figure(one["ars"]), _figure(one["any_attribute"])])
    return {"benchmark": "annomi", **result}, f"{table(rows)}\n{table(low)}\n{said}"


def _omissions(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark_omissions import run_omissions

    sessions, judge, bar = _labelled(run.options.data), _judge(run), ProgressBar(run.err)
    result = run_omissions(
        sessions,
        lambda case: judge.omit(case, tuple(judge.support(case, run.cancel)), run.cancel),
        lambda done, total: bar.show("Sessions", done, total),
    )
    bar.clear()
    return {"benchmark": "omissions", **result}, table(omission_rows(result))


def _labelled(folder: Path) -> list[LabelledSession]:
    remedy = "Give a folder of labelled sessions with --data FOLDER."
    try:
        sessions = list(read_sessions(folder)) if folder.is_dir() else []
    except CorpusError as error:
        raise InputError(folder.name, f"is not in the form of labelled sessions: {error}", remedy) from error
    if not sessions:
        raise InputError(folder.name, "holds no labelled sessions", remedy)
    return sessions


def omission_rows(result: dict[str, Any]) -> list[list[str]]:
    """The result of ``run_omissions`` as a table."""
    return [
        ["Facts that a note leaves out", str(result["facts_left_out"])],
        ["Among the first five findings", f"{_figure(result['found'])}  {_interval(result['interval'])}"],
        ["  as many turns at random", _figure(result["chance"])],
        *([f"  {kind} ({n})", _figure(share)] for kind, (share, n) in result["by_kind"].items()),
        ["Findings per note", _figure(result["findings_per_note"])],
        ["  that cite such a fact", _figure(result["findings_right"])],
    ]


def _degrade(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark_degrade import ClaimJudge, DegradeCase, run_degrade
    from noteeval_desktop.measures.tn_eval import load_notes

    notes, bar = load_notes(run.options.data), ProgressBar(run.err)
    cases = [
        DegradeCase(note.case, frozenset(s.sentence.id for s in note.sentences if all(s.faithful))) for note in notes
    ]
    judge_of: Callable[[int], ClaimJudge]
    if run.options.cross_validate:
        from noteeval_desktop.judges import making
        from noteeval_desktop.judges.benchmark import training

        judge_of = training("held_out").judges(notes, making.encoder(run.closing))
    else:
        judge = _judge(run)

        def judge_of(_number: int) -> ClaimJudge:
            return judge

    result = run_degrade(
        cases, judge_of, cancel=run.cancel, progress=lambda done, total: bar.show("Notes", done, total)
    )
    bar.clear()
    return {"benchmark": "degrade", "cross_validated": run.options.cross_validate, **result}, _degrade_table(result)


def _degrade_table(result: dict[str, Any]) -> str:
    rows = [["Change", "Made", "Found", "Of those that a transcript can decide"]]
    for kind, found in result["detection"].items():
        rows.append([kind, str(found["changes"]), _figure(found["found"]), _figure(found["found_of_checkable"])])
    alarms = result["false_alarms"]
    rows.append(["false alarms", str(alarms["sentences"]), _figure(alarms["share"])])
    for name, measured in result["monotonicity"].items():
        rows.append([f"score rises, {name}", str(measured["pairs"]), _figure(measured["violations"])])
    return table(rows)


def _composed(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark_composed import run_composed
    from noteeval_desktop.measures.composed import load_composed

    sessions, bar = load_composed(run.options.data), ProgressBar(run.err)
    result: dict[str, Any] = run_composed(
        sessions, _judge(run), run.cancel, lambda done, total: bar.show("Sessions", done, total)
    )
    bar.clear()
    rows = [["Claims", "Written", "Called an error", "Called contradicted"]]
    for name, shares in {**result["errors"], "true": result["true"]}.items():
        rows.append([name, str(shares["claims"]), _figure(shares["found"]), _figure(shares["contradicted"])])
    apart = result["observed"]
    said = f"Called observed, of {apart['claims']} that no transcript shows: {_figure(apart['observed'])}"
    return {"benchmark": "composed", **result}, f"{table(rows)}\n{said}"


def _need(run: Run) -> tuple[dict[str, Any], str]:
    result = _over_notes(run, benchmark_notes.run_need)
    rows = [["Sentences", "Written", "Share", "95 % interval"]]
    rows.append(["fillers found", *_counted(result["fillers_found"])])
    rows.append(["clinical ones called unneeded", *_counted(result["clinical_called_unneeded"])])
    rows += [[f"  {name}", *_counted(shares)] for name, shares in result["clinical_by_kind"].items()]
    return {"benchmark": "need", **result}, table(rows)


def _checklist(run: Run) -> tuple[dict[str, Any], str]:
    result = _over_notes(run, benchmark_notes.run_checklist)
    names = {"present_called_missing": "present, called missing", "absent_called_present": "absent, called present"}
    names |= {"present_shown_missing": "  shown as missing", "present_shown_not_recognised": "  not recognised"}
    names |= {"absent_shown_missing": "absent, shown as missing"}
    names |= {"safety_called_missing": "safety: called missing", "safety_called_present": "safety: called present"}
    rows = [["Items", "In notes", "Share", "95 % interval"]]
    rows += [[said, *_counted(result[name])] for name, said in names.items()]
    return {"benchmark": "checklist", **result}, table(rows)


def _risk(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark_risk import run_risk

    sessions, bar = _labelled(run.options.data), ProgressBar(run.err)
    result = run_risk(sessions, _judge(run), run.cancel, lambda done, total: bar.show("Sessions", done, total))
    bar.clear()
    rows = [["Risk ledger", "Of", "Share or mean", "95 % interval"]]
    rows += [[name.replace("_", " "), *_counted(own)] for name, own in result.items() if name != "sessions"]
    return {"benchmark": "risk", **result}, table(rows)


def _true_notes(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.benchmark import training
    from noteeval_desktop.judges.benchmark_true_notes import run_true_notes

    refused = InputError(
        run.options.data.name,
        "is no table of visits and their notes",
        "Give mts_dialog_valid.csv or aci_bench_valid.csv with --data FILE.",
    )
    try:
        visits = list(training("datasets").clinicians_notes(run.options.data))
    except (KeyError, UnicodeDecodeError, csv.Error) as error:
        raise refused from error
    cases = [Case(one.transcript, one.note, one.name) for one in visits if one.claims and one.transcript.turns]
    if not cases:
        raise refused
    bar = ProgressBar(run.err)
    result = run_true_notes(cases, _judge(run), run.cancel, lambda done, total: bar.show("Notes", done, total))
    bar.clear()
    rows = [["Sentences", "Judged", "Share", "95 % interval"], ["doubted", *_counted(result["doubted"])]]
    rows += [[f"  {kind}", *_counted(own)] for kind, own in result["doubted_by_kind"].items()]
    rows.append(["called contradicted", *_counted(result["contradicted"])])
    return {"benchmark": "true-notes", **result}, table(rows)


def _over_notes(run: Run, count: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    from noteeval_desktop.judges.benchmark import training

    notes, bar = training("clinicians").labelled_sets(run.options.data), ProgressBar(run.err)
    if not notes:
        raise InputError(run.options.data.name, "holds no labelled sessions", "Give the folder that holds them.")
    result = count(notes, _judge(run), run.cancel, lambda done, total: bar.show("Notes", done, total))
    bar.clear()
    return result


def _counted(shares: dict[str, Any]) -> list[str]:
    return [str(shares["of"]), _figure(shares["share"]), _interval(shares["interval"])]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: Sequence[float] | None) -> str:
    return "–" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


BENCHMARKS: dict[str, Callable[[Run], tuple[dict[str, Any], str]]] = {
    "annomi": _annomi,
    "checklist": _checklist,
    "composed": _composed,
    "degrade": _degrade,
    "mts-dialog": _mts_dialog,
    "need": _need,
    "omissions": _omissions,
    "risk": _risk,
    "tn-eval": _tn_eval,
    "tn-eval-metrics": _tn_eval_metrics,
    "true-notes": _true_notes,
}
_OF_A_FOLDER = frozenset({"checklist", "need", "omissions", "risk"})
_CROSS_VALIDATED = frozenset({"degrade", "tn-eval"})
_DRAWN = frozenset({"mts-dialog", "tn-eval-metrics"})


def degrade(run: Run) -> int:
    """A note with known errors put in: its text, and as JSON what was changed where."""
    options = run.options
    check_outputs({"--out": options.out, "--json": options.json}, (options.note,))
    changed = degrading.degrade(documents.read_note(options.note), options.seed, options.changes)
    write_text(options.out, changed.note.text)
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
