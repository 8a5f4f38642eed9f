"""`noteeval benchmark` and `noteeval degrade`: how far a judge can be trusted."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from noteeval_desktop import documents
from noteeval_desktop.commands.run import DONE, Run, check_outputs, deliver
from noteeval_desktop.commands.sending import as_remote, ask_to_send, write_preview
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import interval
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.terminal import ProgressBar, table
from noteeval_desktop.research import benchmark_notes, tn_eval_text
from noteeval_desktop.research import benchmark_words as words
from noteeval_desktop.research import degrade as degrading
from noteeval_desktop.research.labelled import CorpusError, LabelledSession, read_sessions


def benchmark(run: Run) -> int:
    """One of ``BENCHMARKS`` over the data given."""
    options = run.options
    if not (options.data.is_dir() if options.name in _OF_A_FOLDER else options.data.is_file()):
        raise InputError(options.data.name, *words.NO_FILE)
    outputs = {"--json": options.json, "--chart": options.chart, "--preview": options.preview}
    check_outputs(outputs, (options.data,))
    if options.chart is not None and options.name not in _DRAWN:
        raise InputError("--chart", *words.goes_with(options.name, _DRAWN))
    if options.preview is not None and options.name not in _PREVIEWED:
        raise InputError("--preview", *words.goes_with(options.name, _PREVIEWED))
    if options.cross_validate and options.name not in _CROSS_VALIDATED:
        raise InputError("--cross-validate", *words.goes_with(options.name, _CROSS_VALIDATED))
    try:
        result, text = BENCHMARKS[options.name](run)
    except ModuleNotFoundError as error:
        # Training heads and the reference metrics need packages that judging does without.
        missing = str(error.name).partition(".")[0]
        raise InputError(words.benchmark(options.name), *words.needs_package(missing)) from error
    if options.json is not None:
        deliver(run, options.json, result)
    if str(options.json) != "-" and text:
        print(text, file=run.out)
    return DONE


def _judge(run: Run) -> Judge:
    """Raises Cancelled where the user does not want the data sent."""
    judge = run.judge()
    ask_to_send(run, judge, words.what_is_in(run.options.data.name))
    return judge


def _mts_dialog(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research import correlating

    return correlating.mts_dialog(run)


def _tn_eval_metrics(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research import correlating

    return correlating.tn_eval_metrics(run)


def _tn_eval(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges import making
    from noteeval_desktop.research.benchmark import run_tn_eval

    judge, bar = _judge(run), ProgressBar(run.err)
    encoder = making.encoder(run.closing) if run.options.cross_validate else None
    result = run_tn_eval(
        run.options.data, judge, encoder, lambda done, total: bar.show(words.NOTES, done, total), cancel=run.cancel
    )
    bar.clear()
    used = judge.usage()
    result["usage"] = {"calls": used.calls, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
    return result, tn_eval_text.as_text(result)


def _annomi(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark_annomi import run_annomi

    bar = ProgressBar(run.err)
    result = run_annomi(
        run.options.data, _judge(run), run.cancel, lambda done, total: bar.show(words.SESSIONS, done, total)
    )
    bar.clear()
    rows = [[words.AUC_BY_QUALITY, words.INTERVAL, words.MEAN_OF_HIGH, words.MEAN_OF_LOW]]
    for name, measured in result["measures"].items():
        rows.append([f"{name.replace('_', ' ')}: {_figure(measured['auc'])}", _interval(measured["interval"])])
        rows[-1] += [_figure(measured.get("mean_high")), _figure(measured.get("mean_low"))]
    said = words.crisis(result["sessions"], result["responses_in_crisis"])
    low = [[words.LOW, words.MEAN_OF_SIX, "ARS", words.ANY]]
    for one in result["scored_low"]:
        name = words.quality(one["number"], one["unit"], one["quality"])
        low.append([name, _figure(one["mean"]), _figure(one["ars"]), _figure(one["any_attribute"])])
    return {"benchmark": "annomi", **result}, f"{table(rows)}\n{table(low)}\n{said}"


def _omissions(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark_omissions import run_omissions

    sessions, judge, bar = _labelled(run.options.data), _judge(run), ProgressBar(run.err)
    result = run_omissions(
        sessions,
        lambda case: judge.omit(case, tuple(judge.support(case, run.cancel)), run.cancel),
        lambda done, total: bar.show(words.SESSIONS, done, total),
    )
    bar.clear()
    return {"benchmark": "omissions", **result}, table(omission_rows(result))


def _labelled(folder: Path) -> list[LabelledSession]:
    try:
        sessions = list(read_sessions(folder)) if folder.is_dir() else []
    except CorpusError as error:
        raise InputError(folder.name, *words.not_labelled(error)) from error
    if not sessions:
        raise InputError(folder.name, *words.NO_LABELLED)
    return sessions


def omission_rows(result: dict[str, Any]) -> list[list[str]]:
    """The result of ``run_omissions`` as a table."""
    return [
        [words.FACTS_LEFT_OUT, str(result["facts_left_out"])],
        [words.AMONG_FIRST, f"{_figure(result['found'])}  {_interval(result['interval'])}"],
        [words.AT_RANDOM, _figure(result["chance"])],
        *([f"  {kind} ({n})", _figure(share)] for kind, (share, n) in result["by_kind"].items()),
        [words.PER_NOTE, _figure(result["findings_per_note"])],
        [words.CITING, _figure(result["findings_right"])],
    ]


def _degrade(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.measures.tn_eval import load_notes
    from noteeval_desktop.research.benchmark_degrade import ClaimJudge, DegradeCase, run_degrade

    notes, bar = load_notes(run.options.data), ProgressBar(run.err)
    cases = [
        DegradeCase(note.case, frozenset(s.sentence.id for s in note.sentences if all(s.faithful))) for note in notes
    ]
    judge_of: Callable[[int], ClaimJudge]
    if run.options.cross_validate:
        from noteeval_desktop.judges import making
        from noteeval_desktop.research.benchmark import training

        judge_of = training("held_out").judges(notes, making.encoder(run.closing))
    else:
        judge = _judge(run)

        def judge_of(_number: int) -> ClaimJudge:
            return judge

    result = run_degrade(
        cases, judge_of, cancel=run.cancel, progress=lambda done, total: bar.show(words.NOTES, done, total)
    )
    bar.clear()
    return {"benchmark": "degrade", "cross_validated": run.options.cross_validate, **result}, _degrade_table(result)


def _degrade_table(result: dict[str, Any]) -> str:
    rows = [[words.CHANGE, words.MADE, words.FOUND, words.OF_DECIDABLE]]
    for kind, found in result["detection"].items():
        rows.append([kind, str(found["changes"]), _figure(found["found"]), _figure(found["found_of_checkable"])])
    alarms = result["false_alarms"]
    rows.append(["false alarms", str(alarms["sentences"]), _figure(alarms["share"])])
    for name, measured in result["monotonicity"].items():
        rows.append([words.score_rises(name), str(measured["pairs"]), _figure(measured["violations"])])
    return table(rows)


def _composed(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark_composed import run_composed
    from noteeval_desktop.research.composed import load_composed

    sessions, bar = load_composed(run.options.data), ProgressBar(run.err)
    result: dict[str, Any] = run_composed(
        sessions, _judge(run), run.cancel, lambda done, total: bar.show(words.SESSIONS, done, total)
    )
    bar.clear()
    rows = [[words.CLAIMS, words.WRITTEN, words.CALLED_ERROR, words.CALLED_CONTRADICTED]]
    for name, shares in {**result["errors"], "true": result["true"]}.items():
        rows.append([name, str(shares["claims"]), _figure(shares["found"]), _figure(shares["contradicted"])])
    apart = result["observed"]
    said = words.called_observed(apart["claims"], _figure(apart["observed"]))
    return {"benchmark": "composed", **result}, f"{table(rows)}\n{said}"


def _need(run: Run) -> tuple[dict[str, Any], str]:
    result = _over_notes(run, benchmark_notes.run_need)
    rows = [[words.SENTENCES, words.WRITTEN, words.SHARE, words.INTERVAL]]
    rows.append([words.FILLERS, *_counted(result["fillers_found"])])
    rows.append([words.UNNEEDED, *_counted(result["clinical_called_unneeded"])])
    rows += [[f"  {name}", *_counted(shares)] for name, shares in result["clinical_by_kind"].items()]
    return {"benchmark": "need", **result}, table(rows)


def _checklist(run: Run) -> tuple[dict[str, Any], str]:
    result = _over_notes(run, benchmark_notes.run_checklist)
    rows = [[words.ITEMS, words.IN_NOTES, words.SHARE, words.INTERVAL]]
    rows += [[said, *_counted(result[name])] for name, said in words.CHECKLIST_ROWS.items()]
    return {"benchmark": "checklist", **result}, table(rows)


def _risk(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark_risk import run_risk

    sessions, bar = _labelled(run.options.data), ProgressBar(run.err)
    result = run_risk(sessions, _judge(run), run.cancel, lambda done, total: bar.show(words.SESSIONS, done, total))
    bar.clear()
    rows = [[words.LEDGER, words.OF, words.SHARE_OR_MEAN, words.INTERVAL]]
    rows += [[name.replace("_", " "), *_counted(own)] for name, own in result.items() if name != "sessions"]
    return {"benchmark": "risk", **result}, table(rows)


def _risk_exchanges(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark import training
    from noteeval_desktop.research.benchmark_risk_exchanges import run_risk_exchanges

    reading = training("exchanges.reading")
    try:
        exchanges = reading.read_all(run.options.data)
    except reading.FormError as error:
        raise InputError(run.options.data.name, *words.not_exchanges(error)) from error
    if not exchanges:
        raise InputError(run.options.data.name, *words.NO_EXCHANGES)
    bar = ProgressBar(run.err)
    result = run_risk_exchanges(
        exchanges, _judge(run), run.cancel, lambda done, total: bar.show(words.EXCHANGES, done, total)
    )
    bar.clear()
    rows = [[words.LEDGER, words.OF, words.SHARE_OR_MEAN, words.INTERVAL]]
    rows += [[name, *_counted(own)] for name, own in result.items() if name != "exchanges"]
    return {"benchmark": "risk-exchanges", **result}, table(rows)


def _plans(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.judges.protocol import FollowsPlan
    from noteeval_desktop.research.benchmark_plans import read_planned_notes, run_plans

    notes, bar = read_planned_notes(run.options.data), ProgressBar(run.err)
    if run.options.preview is not None:
        remote, cases = as_remote(run.judge()), [note.case for note in notes]
        bodies = [body for case in cases for body in remote.preview(case)["goals"]]
        write_preview(run, remote, cases, bodies, run.options.preview)
        return {"benchmark": "plans", "requests": len(bodies)}, ""
    judge = _judge(run)
    if not isinstance(judge, FollowsPlan):
        raise InputError("--judge", *words.NO_PLANS)
    result = run_plans(notes, judge, run.cancel, lambda done, total: bar.show(words.NOTES, done, total))
    bar.clear()
    rows = [[words.LINKS, words.OF, words.SHARE, words.INTERVAL]]
    rows += [[name, *_counted(own)] for name, own in result.items() if isinstance(own, dict)]
    return {"benchmark": "plans", **result}, table(rows)


def _true_notes(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.research.benchmark import training
    from noteeval_desktop.research.benchmark_true_notes import run_true_notes

    refused = InputError(
        run.options.data.name,
        *words.NO_VISITS,
    )
    try:
        visits = list(training("datasets").clinicians_notes(run.options.data))
    except (KeyError, UnicodeDecodeError, csv.Error) as error:
        raise refused from error
    cases = [Case(one.transcript, one.note, one.name) for one in visits if one.claims and one.transcript.turns]
    if not cases:
        raise refused
    bar = ProgressBar(run.err)
    result = run_true_notes(cases, _judge(run), run.cancel, lambda done, total: bar.show(words.NOTES, done, total))
    bar.clear()
    rows = [[words.SENTENCES, words.JUDGED, words.SHARE, words.INTERVAL], ["doubted", *_counted(result["doubted"])]]
    rows += [[f"  {kind}", *_counted(own)] for kind, own in result["doubted_by_kind"].items()]
    rows.append([words.CONTRADICTED, *_counted(result["contradicted"])])
    return {"benchmark": "true-notes", **result}, table(rows)


def _over_notes(run: Run, count: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    from noteeval_desktop.research.benchmark import training

    notes, bar = training("clinicians").labelled_sets(run.options.data), ProgressBar(run.err)
    if not notes:
        raise InputError(run.options.data.name, *words.NO_SESSIONS_IN)
    result = count(notes, _judge(run), run.cancel, lambda done, total: bar.show(words.NOTES, done, total))
    bar.clear()
    return result


def _counted(shares: dict[str, Any]) -> list[str]:
    return [str(shares["of"]), _figure(shares["share"]), _interval(shares["interval"])]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(ends: Sequence[float] | None) -> str:
    return "–" if ends is None else interval(f"{ends[0]:.3f}", f"{ends[1]:.3f}")


def _recorded(run: Run) -> tuple[dict[str, Any], str]:
    """Whatever judge is named: the recorded model beside the built-in one."""
    from noteeval_desktop import paths
    from noteeval_desktop.commands.run import load_rubric
    from noteeval_desktop.domain.two_witnesses import UNTESTED
    from noteeval_desktop.judges import making
    from noteeval_desktop.judges.llm.prompts import load_prompts
    from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
    from noteeval_desktop.research.benchmark_recorded import model_alone, read_recorded, record_shown, run_recorded

    rubric, bar = load_rubric(), ProgressBar(run.err)
    prompts = load_prompts(paths.resources() / "prompts")
    retriever = EmbeddingRetriever(making.encoder(run.closing))
    result = run_recorded(
        read_recorded(run.options.data),
        making.builtin_judge(rubric, run.closing),
        lambda chat: model_alone(chat, rubric, prompts, retriever),
        record_shown(run.options.data, making.entrance(), prompts) or {"claims": UNTESTED},
        lambda done, total: bar.show(words.NOTES, done, total),
    )
    bar.clear()
    ways = [way for way in result if isinstance(result[way], dict)]
    rows = [["", *ways]] + [[said, *(_figure(result[way][name]) for way in ways)] for name, said in words.RECORDED]
    weak = [list(words.WEAKENED)]
    for one in result["weakened"]:
        weak.append([words.found_and_doubted(one["found"], one["doubted"])])
        weak[-1] += [words.found_and_doubted(one["both_found"], one["both_doubted"])]
        weak[-1] += [_figure(one[name]) for name in ("auc_model", "auc_built_in", "auc_both")]
    told = words.without_answer(result["requests_without_an_answer"])
    return {"benchmark": "recorded", **result}, "\n".join([table(rows), "", table(weak), told])


BENCHMARKS: dict[str, Callable[[Run], tuple[dict[str, Any], str]]] = {
    "annomi": _annomi,
    "checklist": _checklist,
    "composed": _composed,
    "degrade": _degrade,
    "mts-dialog": _mts_dialog,
    "need": _need,
    "omissions": _omissions,
    "plans": _plans,
    "recorded": _recorded,
    "risk": _risk,
    "risk-exchanges": _risk_exchanges,
    "tn-eval": _tn_eval,
    "tn-eval-metrics": _tn_eval_metrics,
    "true-notes": _true_notes,
}
_OF_A_FOLDER = frozenset({"checklist", "need", "omissions", "plans", "recorded", "risk", "risk-exchanges"})
_CROSS_VALIDATED = frozenset({"degrade", "tn-eval"})
_PREVIEWED = frozenset({"plans"})
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
        print(words.changes_made(len(changes)), file=run.out)
    return DONE
