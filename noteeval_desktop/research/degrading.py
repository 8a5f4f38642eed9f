"""`noteeval degrade-study`: which judge and which metric notices that a note gets worse."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noteeval_desktop import paths
from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run, check_outputs, finish, writable_folder
from noteeval_desktop.commands.sending import ask_to_send
from noteeval_desktop.domain.phrases import counted, share_of, tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.download import TimeLeft
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import InputError, JudgeError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import NOT_HERE, WINDOW, ReferenceScorer, ScoresText
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.report.files import write_json, write_text
from noteeval_desktop.report.terminal import ProgressBar, between, table
from noteeval_desktop.research.against_reference import metrics_asked
from noteeval_desktop.research.degradation import charts, study_text
from noteeval_desktop.research.degrade_study import FAMILIES, STUDIED, Study, study_figures
from noteeval_desktop.research.degraded_sheet import QUESTIONS, read_sheet, with_candidates, write_sheet
from noteeval_desktop.research.published import shown
from noteeval_desktop.research.study_notes import LEVELS, STEP, StudyNote, Version, by_rules, load_study

if TYPE_CHECKING:
    from noteeval_desktop.research.fact_degrader import FactDegrader

SCHEMA, _NOTE_SCHEMA = "noteeval.degradation_study/1", "noteeval.degradation_note/1"
_FINE = 1_000  # steps a note: the time left is told within one
Degrader = Callable[..., tuple[StudyNote, tuple[Version, ...]]]


def degrade_study(run: Run) -> int:
    """Every judge and metric asked for, over the data given."""
    options = run.options
    if options.read_sheet is not None:
        return _read_sheet(run)
    if not options.data:
        raise InputError("degrade-study", tr("needs notes"), tr("Give them with --data FILE."))
    notes = load_study(*options.data)
    check_outputs({"--json": options.json}, options.data)
    metrics, total = metrics_asked(options.metrics, STUDIED), len(notes)
    if options.candidates is not None:
        notes = with_candidates(notes, options.candidates)
    notes = notes[: options.limit] if options.limit else notes
    if options.sheet is not None:
        degrader, _ = _degrader(run, {})
        pairs = write_sheet(options.sheet, notes, lambda note: degrader(note, 1, run.cancel))
        run.show(tr("{pairs} to be answered.").format(pairs=counted(pairs, "pair")))
        return DONE
    if options.out is not None:
        writable_folder(options.out / "notes")
    judges = _judges(run)
    if not judges and not metrics:
        raise InputError("degrade-study", tr("has nothing to measure"), tr("Name a judge or metrics."))
    degrader, how = _degrader(run, judges)
    encoder = making.encoder(run.closing, WINDOW) if metrics else None
    scorers = _scorers(encoder, metrics, judges) if encoder else {}
    setting = {
        "judges": {name: dataclasses.asdict(judge.identity) for name, judge in judges.items()},
        "metrics": metrics,
        "encoder": encoder.fingerprint if encoder else None,
        "degrader": how,
        "seeds": options.seeds,
        "levels": LEVELS,
        "step": STEP,
    }
    records, failed = _recorded(run, Study(judges, scorers), degrader, notes, setting)
    if not records:
        raise JudgeError(next(iter(failed.values()), tr("No note could be used. Check the data.")))
    seconds = sum((Counter(record["seconds"]) for record in records), Counter())
    result = {
        "schema": SCHEMA,
        "data": shown(options.data),
        "notes": len(records),
        "of": total,
        **setting,
        **study_figures(records, {note.name: note for note in notes}),
        "not_computed": NOT_HERE,
        "failed": failed,
    }
    _write(run, result, {name: round(value / len(records), 3) for name, value in seconds.items()})
    for name, problem in failed.items():
        run.say(tr("{note}: the judge failed: {problem}").format(note=name, problem=problem))
    return JUDGE_FAILED if failed else DONE


def _read_sheet(run: Run) -> int:
    """What people answered of degraded notes."""
    found = read_sheet(run.options.read_sheet)
    rows = [["", tr("Yes"), tr("95 % interval")]]
    rows += [[QUESTIONS[q], share_of(one["yes"], one["of"]), between(one["interval"], 2)] for q, one in found.items()]
    return finish(run, {"schema": "noteeval.degraded_pairs/1", "answers": found}, table(rows))


def _recorded(
    run: Run, study: Study, degrader: Degrader, notes: Sequence[StudyNote], setting: dict[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """What was found on each note, now or by an earlier run with the same setting; and which notes failed, and why."""
    folder: Path | None = run.options.out
    records: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    bar, left = ProgressBar(run.err), TimeLeft()
    for number, note in enumerate(notes):
        key = fingerprint(json.dumps(setting, sort_keys=True), note.case.note.sha256, note.reference.sha256, note.name)
        target = None if folder is None else folder / "notes" / f"{fingerprint(note.name)[:16]}.json"
        known = _known(target, key)
        if known is None:

            def show(done: int, versions: int, number: int = number, left: TimeLeft = left) -> None:
                steps = _FINE * number + _FINE * done // max(1, versions)
                bar.show(tr("Notes"), number, len(notes), left(steps, _FINE * len(notes)))

            try:
                known = study.record(*degrader(note, run.options.seeds, run.cancel), run.cancel, show)
            except JudgeError as error:
                failed[note.name] = str(error)
                continue
            if target is not None:
                write_json(target, {"schema": _NOTE_SCHEMA, "key": key, **known})
        else:
            left = TimeLeft()  # what is found took no time
        records.append(known)
    bar.clear()
    return records, failed


def _write(run: Run, result: dict[str, Any], seconds: Mapping[str, float]) -> None:
    """Seconds stand in the table and in a file of their own: the figures are the same each time, they are not."""
    text = study_text(result, seconds)
    if run.options.out is not None:
        write_json(run.options.out / "study.json", result)
        write_json(run.options.out / "seconds.json", dict(seconds))
        write_text(run.options.out / "tables.txt", text + "\n")
        for name, drawn in charts(result).items():
            write_text(run.options.out / f"{name}.svg", drawn)
    finish(run, result, text)


def _scorers(encoder: Embedder, metrics: list[str], judges: Mapping[str, Judge]) -> dict[str, ReferenceScorer]:
    """One a family, so that each has its own cost. The first judge tells claims, the first that can how likely a text
    is; a metric that lacks its judge is refused."""
    reads = next((judge for judge in judges.values() if isinstance(judge, ScoresText) and judge.scores_text), None)
    scorers = {}
    for family, names in FAMILIES.items():
        judge = reads if family == "likelihood" else next(iter(judges.values()), None)
        wanted = [metric for metric in names if metric in metrics]
        if wanted:
            if judge is None and family in ("likelihood", "claims"):
                which = tr("a local model") if family == "likelihood" else tr("a judge")
                raise InputError(
                    "--metrics",
                    tr("{metric} needs {what}").format(metric=wanted[0], what=which),
                    tr("Add --judge, or leave that metric out."),
                )
            scorers[family] = ReferenceScorer(encoder, clinical_terms(), judge, wanted=wanted)
    return scorers


def _judges(run: Run) -> dict[str, Judge]:
    kinds = list(dict.fromkeys(run.options.judge or ["builtin"]))
    if {"local", "remote"} <= set(kinds):
        raise InputError("--judge", tr("takes one language model at a time"), tr("Run it once for each."))
    return {} if kinds == ["none"] else {kind: _judge(run, kind) for kind in kinds if kind != "none"}


def _judge(run: Run, kind: str) -> Judge:
    given = run.options
    asked = {*(given.judge or ("builtin",)), given.degrader}
    options = argparse.Namespace(**{**vars(given), "judge": kind, "asked": asked})
    judge = dataclasses.replace(run, options=options).judge()
    ask_to_send(run, judge, tr("what {name} holds, identifiers replaced,").format(name=shown(run.options.data)))
    return judge


def _degrader(run: Run, judges: Mapping[str, Judge]) -> tuple[Degrader, str]:
    """With what its versions depend on, for the record."""
    kind = run.options.degrader
    if kind == "rules":
        return by_rules, "rules"
    made = fact_degrader(judges.get(kind) or _judge(run, kind))
    return made, f"{kind} {made.fingerprint}"


def fact_degrader(judge: Judge) -> FactDegrader:
    """The judge's model as one that makes notes worse; a remote one sees them without identifiers."""
    # Here, not above: rules need no client.
    from noteeval_desktop.judges.llm.remote import RemoteJudge
    from noteeval_desktop.research.fact_degrader import FactDegrader

    prompts = load_prompts(paths.resources() / "prompts" / "degrade")
    if isinstance(judge, RemoteJudge):
        remote = judge
        return FactDegrader(
            judge.chat, prompts, lambda case: (remote.prepared(case).case.note, remote.prepared(case).restore)
        )
    assert isinstance(judge, LlmJudge)
    return FactDegrader(judge.chat, prompts)


def _known(path: Path | None, key: str) -> dict[str, Any] | None:
    """What was found before for the same note, judges, metrics and seeds."""
    try:
        found = {} if path is None else from_json(path.read_bytes())
        return {k: v for k, v in found.items() if k not in ("schema", "key")} if found.get("key") == key else None
    except (OSError, ValueError, AttributeError):
        return None
