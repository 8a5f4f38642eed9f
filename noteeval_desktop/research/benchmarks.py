"""`noteeval benchmark`, `noteeval degrade` and `noteeval agreement`: how far a judge can be trusted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from noteeval_desktop import documents, paths
from noteeval_desktop.commands.run import Run, check_outputs, deliver_csv, finish, load_rubric, writable_folder
from noteeval_desktop.commands.sending import as_remote, ask_to_send, write_preview
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.two_witnesses import UNTESTED
from noteeval_desktop.engines.download import TimeLeft
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever
from noteeval_desktop.judges.protocol import FollowsPlan, Judge
from noteeval_desktop.judges.reference_scores import WINDOW, ReferenceScorer
from noteeval_desktop.measures import rater_tables
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.measures.tn_eval import LabelledNote
from noteeval_desktop.measures.tn_eval_tables import tables
from noteeval_desktop.report.files import csv_text, write_text
from noteeval_desktop.report.terminal import ProgressBar
from noteeval_desktop.research import benchmark_annomi as annomi
from noteeval_desktop.research import benchmark_claims as claims
from noteeval_desktop.research import benchmark_facts as facts
from noteeval_desktop.research import benchmark_notes as notes
from noteeval_desktop.research import benchmark_plans as plans
from noteeval_desktop.research import benchmark_recorded as recorded
from noteeval_desktop.research import benchmark_reference as reference
from noteeval_desktop.research import benchmark_risk as risk
from noteeval_desktop.research import benchmark_tn_eval_tables as tn_tables
from noteeval_desktop.research import mts_dialog, published
from noteeval_desktop.research.benchmark_omissions import omissions_text, run_omissions
from noteeval_desktop.research.benchmark_tn_eval import all_judged, tn_eval_text, training
from noteeval_desktop.research.composed import load_composed
from noteeval_desktop.research.degrade import degrade as degraded
from noteeval_desktop.research.labelled import LabelledSession, read_sessions
from noteeval_desktop.research.published import load_notes, shown
from noteeval_desktop.research.ratings import ratings_report, ratings_text, read_ratings

Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """``read`` gives the data of files and folders, or of one ``folder``, ``run`` asks the judge about them, ``text``
    draws the result; ``over`` is what the progress bar counts. ``trains``, ``draws``, ``asks`` and ``rows``: takes
    --cross-validate, --chart, --preview, --csv."""

    read: Callable[..., Any]
    run: Callable[[Run, Any, Progress], dict[str, Any]]
    text: Callable[[dict[str, Any]], str]
    over: str = tr("Notes")
    folder: bool = False
    trains: bool = False
    draws: bool = False
    asks: bool = False
    rows: bool = False


def benchmark(run: Run) -> int:
    """One of ``BENCHMARKS`` over the data given."""
    options = run.options
    chosen = BENCHMARKS[options.name]
    if chosen.folder and not (len(options.data) == 1 and options.data[0].is_dir()):
        problem = tr("is not one folder")
        raise InputError(shown(options.data), problem, tr("Give the benchmark's folder with --data FOLDER."))
    outputs = {name: getattr(options, name[2:]) for name in ("--json", "--chart", "--preview", "--csv")}
    check_outputs(outputs, options.data)
    for option, given, able in (
        ("chart", options.chart, "draws"),
        ("cross-validate", options.cross_validate, "trains"),
        ("preview", options.preview, "asks"),
        ("csv", options.csv, "rows"),
    ):
        if given and not getattr(chosen, able):
            others = tr(" or ").join(sorted(name for name, one in BENCHMARKS.items() if getattr(one, able)))
            problem = tr("does not go with {name}").format(name=options.name)
            raise InputError(f"--{option}", problem, tr("It goes with {others}.").format(others=others))
    if options.keep is not None:
        if not options.cross_validate:
            raise InputError("--keep", tr("keeps what --cross-validate computes"), tr("Add that, or leave this out."))
        writable_folder(options.keep)
    if options.limit is not None and options.cross_validate:
        problem = tr("leaves too little to learn from with --cross-validate")
        raise InputError("--limit", problem, tr("Leave out one of the two."))
    bar, left = ProgressBar(run.err), TimeLeft()
    counts = tr("Steps") if options.cross_validate else chosen.over

    def progress(done: int, total: int) -> None:
        if run.cancel.is_set():
            raise Cancelled
        bar.show(counts, done, total, left(done, total))

    try:
        data = chosen.read(*options.data)
        if options.limit is not None:
            data = _first(data, options.limit)
        found = chosen.run(run, data, progress)
    except ModuleNotFoundError as error:
        # Training heads and the reference metrics need packages that judging does without.
        name = str(error.name).partition(".")[0]
        raise InputError(
            tr("benchmark {name}").format(name=options.name),
            tr("needs the package {name}").format(name=name),
            tr("`python3 installers/bootstrap.py test` sets it up; elsewhere install the extras train and measure."),
        ) from error
    finally:
        bar.clear()
    if options.csv is not None:
        lines = [list(found["rows"][0]), *(list(row.values()) for row in found["rows"])]
        deliver_csv(run, options.csv, csv_text(lines))
    judge = None if run.asked is None else dataclasses.asdict(run.asked)
    return finish(run, {"benchmark": options.name, "limit": options.limit, "judge": judge, **found}, chosen.text(found))


def _first(data: Any, limit: int) -> Any:
    """So many notes, sessions or exchanges; of TN-Eval so many conversations, each with all of its notes."""
    if isinstance(data, mts_dialog.Summaries):
        manual = {name: scores[:limit] for name, scores in data.manual.items()}
        return mts_dialog.Summaries(data.pairs[:limit], data.dialogues[:limit], manual)
    if isinstance(data[0], LabelledNote):
        kept = list(dict.fromkeys(note.conversation for note in data))[:limit]
        return [note for note in data if note.conversation in kept]
    return data[:limit]


class _Watched(list[T]):
    """Tells how far it is each time that it is gone through."""

    def __init__(self, items: Sequence[T], progress: Progress) -> None:
        super().__init__(items)
        self._progress = progress

    def __iter__(self) -> Iterator[T]:
        for number, one in enumerate(super().__iter__()):
            self._progress(number, len(self))
            yield one


def _judge(run: Run) -> Judge:
    """Raises Cancelled where the user does not want the data sent."""
    judge = run.judge()
    ask_to_send(run, judge, tr("what {name} holds, identifiers replaced,").format(name=shown(run.options.data)))
    return judge


def _asked(counts: Callable[..., dict[str, Any]]) -> Callable[[Run, Any, Progress], dict[str, Any]]:
    """A benchmark of which each part of the data is judged by itself."""
    return lambda run, data, progress: counts(_Watched(data, progress), _judge(run), run.cancel)


def _omissions(run: Run, sessions: Sequence[LabelledSession], progress: Progress) -> dict[str, Any]:
    judge = _judge(run)
    return run_omissions(
        _Watched(sessions, progress), lambda case: judge.omit(case, tuple(judge.support(case, run.cancel)), run.cancel)
    )


def _tn_eval(run: Run, data: Sequence[LabelledNote], progress: Progress) -> dict[str, Any]:
    judge = _judge(run)
    encoder = making.encoder(run.closing) if run.options.cross_validate else None
    judged = all_judged(data, judge, run.cancel, encoder, progress, run.options.keep)
    result, used = tables(data, judged), judge.usage()
    usage = {"calls": used.calls, "input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
    return result | {"usage": usage}


def _tn_eval_tables(run: Run, notes: Sequence[LabelledNote], progress: Progress) -> dict[str, Any]:
    judge, options = _judge(run), run.options
    encoder = making.encoder(run.closing) if options.cross_validate else None
    judged = all_judged(notes, judge, run.cancel, encoder, progress, options.keep)
    scorer = ReferenceScorer(
        making.encoder(run.closing, WINDOW), clinical_terms(), wanted=tn_tables.METRICS, stemmed=options.stem
    )
    compared = scorer.score(tn_tables.pairs_with_therapists(notes), run.cancel)
    return tn_tables.run_tn_eval_tables(notes, judged, compared) | {"stemmed": options.stem}


def _degrade(run: Run, data: Sequence[LabelledNote], progress: Progress) -> dict[str, Any]:
    cases = [
        claims.DegradeCase(one.case, frozenset(s.sentence.id for s in one.sentences if all(s.faithful))) for one in data
    ]
    trained = run.options.cross_validate
    if trained:
        judge_of = training("held_out").judges(data, making.encoder(run.closing), 0, progress, run.options.keep)
    else:
        judge = _judge(run)

        def judge_of(_number: int) -> claims.ClaimJudge:
            return judge

    return {"cross_validated": trained, **claims.run_degrade(_Watched(cases, progress), judge_of, run.cancel)}


def _recorded(run: Run, cases: Sequence[recorded.RecordedCase], progress: Progress) -> dict[str, Any]:
    """Whatever judge is named: the recorded model beside the built-in one; also over MTS-Dialog's summaries, where the
    folder holds some."""
    rubric, prompts = load_rubric(), load_prompts(paths.resources() / "prompts")
    retriever, folder = EmbeddingRetriever(making.encoder(run.closing)), run.options.data[0]
    quick = making.builtin_judge(rubric, run.closing)

    def model(chat: recorded.RecordedChat) -> LlmJudge:
        return recorded.model_alone(chat, rubric, prompts, retriever)

    shown = recorded.record_shown(folder, making.entrance(), prompts) or {"claims": UNTESTED}
    found = recorded.run_recorded(_Watched(cases, progress), quick, model, shown)
    if (summaries := folder / recorded.SUMMARIES).is_dir():
        data, answers = mts_dialog.load(summaries), recorded.answers_in(folder, recorded.SUMMARIES)
        judges = (quick, model(recorded.RecordedChat(answers)))
        found["facts"] = {
            way: facts.run_facts(data.pairs, data, judge, run.cancel)
            for way, judge in zip(recorded.WAYS, judges, strict=False)
        }
    return found


def _recorded_text(result: dict[str, Any]) -> str:
    of_facts = (f"{name}: {facts.facts_text(own)}" for name, own in result.get("facts", {}).items())
    return "\n\n".join((recorded.recorded_text(result), *of_facts))


def _plans(run: Run, data: Sequence[plans.PlannedNote], progress: Progress) -> dict[str, Any]:
    """With --preview what the judge would be asked, which is not sent."""
    if run.options.preview is not None:
        remote, cases = as_remote(run.judge()), [note.case for note in data]
        bodies = [body for case in cases for body in remote.preview(case)["goals"]]
        write_preview(run, remote, cases, bodies, run.options.preview)
        return {"requests": len(bodies)}
    judge = _judge(run)
    if not isinstance(judge, FollowsPlan):
        raise InputError("--judge", tr("does not look at treatment plans"), tr("Name another judge."))
    return plans.run_plans(_Watched(data, progress), judge, run.cancel)


def _by_people(what: str, read: Callable[[Path], Iterable[T]], folder: Path) -> list[T]:
    """What ``read`` finds in a folder; it raises ValueError for what is not in their form. Raises InputError."""
    remedy = tr("Give a folder of {what} with --data FOLDER.").format(what=what)
    try:
        found = list(read(folder))
    except ValueError as error:
        problem = tr("is not in the form of {what}: {error}").format(what=what, error=error)
        raise InputError(folder.name, problem, remedy) from error
    if not found:
        raise InputError(folder.name, tr("holds no {what}").format(what=what), remedy)
    return found


def _visits(*paths: Path) -> list[Case]:
    """Clinicians' notes: every statement in them is taken to be true."""
    cases = [Case(one.transcript, one.note, one.name) for one in published.primock57(paths)]
    for path in published.files(paths, published.TABLES):
        if published.has_columns(path, ("dialogue",)):
            notes = training("datasets").clinicians_notes(path)
            cases += [Case(one.transcript, one.note, one.name) for one in notes if one.claims and one.transcript.turns]
    if not cases:
        problem = tr("holds no visits and their notes (columns dialogue and note, or dialogue and section_text)")
        remedy = tr("Give MTS-Dialog's or ACI-Bench's tables, or PriMock57's folder.")
        raise InputError(shown(paths), problem, remedy)
    return cases


def _study(load: Callable[..., Any], counts: Callable[..., dict[str, Any]], title: str) -> Benchmark:
    read, run = partial(reference.read, load), partial(reference.study, counts, title)
    return Benchmark(read, run, reference.study_text, draws=True)


_MTS = tr("Correlation with the facts that people counted, 400 summaries of MTS-Dialog")
_TN = tr("Correlation with therapists' scores of language models' notes, TN-Eval")
_SESSIONS = tr("Sessions")
_labelled = partial(_by_people, tr("labelled sessions"), read_sessions)
_sets = partial(_by_people, tr("labelled sessions"), lambda folder: training("clinicians").labelled_sets(folder))
_exchanges = partial(_by_people, tr("exchanges"), lambda folder: training("exchanges.reading").read_all(folder))

BENCHMARKS = {
    "annomi": Benchmark(annomi.read_sessions, _asked(annomi.run_annomi), annomi.annomi_text, _SESSIONS),
    "checklist": Benchmark(_sets, _asked(notes.run_checklist), notes.checklist_text, folder=True),
    "composed": Benchmark(load_composed, _asked(claims.run_composed), claims.composed_text, _SESSIONS),
    "degrade": Benchmark(load_notes, _degrade, claims.degrade_text, trains=True),
    "mts-dialog-facts": Benchmark(
        mts_dialog.load,
        lambda run, data, progress: facts.run_facts(_Watched(data.pairs, progress), data, _judge(run), run.cancel),
        facts.facts_text,
    ),
    "mts-dialog": _study(mts_dialog.load, reference.run_mts_dialog, _MTS),
    "need": Benchmark(_sets, _asked(notes.run_need), notes.need_text, folder=True),
    "omissions": Benchmark(_labelled, _omissions, omissions_text, _SESSIONS, folder=True),
    "plans": Benchmark(plans.read_planned_notes, _plans, plans.plans_text, folder=True, asks=True),
    "recorded": Benchmark(recorded.read_recorded, _recorded, _recorded_text, folder=True),
    "risk": Benchmark(_labelled, _asked(risk.run_risk), risk.risk_text, _SESSIONS, folder=True),
    "risk-exchanges": Benchmark(
        _exchanges, _asked(risk.run_risk_exchanges), risk.risk_text, tr("Exchanges"), folder=True
    ),
    "tn-eval": Benchmark(load_notes, _tn_eval, tn_eval_text, trains=True),
    "tn-eval-tables": Benchmark(load_notes, _tn_eval_tables, tn_tables.tn_eval_tables_text, trains=True, rows=True),
    "tn-eval-metrics": _study(load_notes, reference.run_tn_eval_metrics, _TN),
    "true-notes": Benchmark(_visits, _asked(claims.run_true_notes), claims.true_notes_text),
}


def degrade(run: Run) -> int:
    """A note with known errors put in: its text, and as JSON what was changed where."""
    options = run.options
    check_outputs({"--out": options.out, "--json": options.json}, (options.note,))
    made = degraded(documents.read_note(options.note), options.seed, options.changes)
    write_text(options.out, made.note.text)
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
        for change in made.changes
    ]
    result = {"schema": "noteeval.degradation/1", "seed": options.seed, "changes": changes}
    return finish(run, result, tr("{changes} made.").format(changes=counted(len(changes), "change")))


def agreement(run: Run) -> int:
    """Of a table of ratings, or the tables of the TN-Eval data: therapists, their ratings, and the LLM judges."""
    options = run.options
    check_outputs({"--json": options.json}, options.data)
    if len(options.data) == 1 and not options.data[0].is_dir() and options.data[0].suffix.lower() != ".json":
        own = ratings_report(read_ratings(options.data[0], options), options.tolerance)
        return finish(run, own, ratings_text(own))
    report = rater_tables.tn_eval_agreement(load_notes(*options.data))
    return finish(run, report, rater_tables.as_text(report))
