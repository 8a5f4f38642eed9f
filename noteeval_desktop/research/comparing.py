"""`noteeval metrics` and `noteeval facts`: notes against reference notes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import batch, documents, paths
from noteeval_desktop.commands.run import BAD_INPUT, DONE, JUDGE_FAILED, Run, check_outputs, finish
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError, JudgeError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import NOT_HERE, WINDOW, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.clinical_terms import ClinicalTerms, load_terms
from noteeval_desktop.report.terminal import ProgressBar, figure, table
from noteeval_desktop.research.atomic_facts import words_compared
from noteeval_desktop.research.facts import (
    CountedPart,
    FactCounts,
    FactState,
    ToldFact,
    counted_facts,
    means,
    pooled,
    read_annotations,
    told_facts,
)

WEAK_ON_NOTES = tr(
    "the quick check is weak beside another note: its counts follow people's only loosely (the Figures page of the "
    "help says how far). For counts that matter ask a language model: --judge local or --judge remote."
)
METRICS_SCHEMA, FACTS_SCHEMA = "noteeval.metrics/1", "noteeval.facts/1"


@dataclass
class _Read:
    """What could be read, by id; ``failed``: id → why not."""

    pairs: dict[str, NotePair]
    failed: dict[str, str]


def clinical_terms() -> ClinicalTerms:
    """Of the lexicon that ships with the program."""
    return load_terms(paths.resources() / "lexicons" / "clinical_terms.json")


def not_computed(missing: Mapping[str, str]) -> list[str]:
    """A sentence for each reason why metrics are missing."""
    told, reasons = tr("not computed: {names}: {reason}."), dict.fromkeys(missing.values())
    return [
        told.format(names=", ".join(name for name, own in missing.items() if own == reason), reason=reason)
        for reason in reasons
    ]


def metrics(run: Run) -> int:
    """Every reference metric that can be computed here, of a note or of many."""
    read = _read(run)
    judge = run.judge()
    encoder = making.encoder(run.closing, WINDOW)
    scorer = ReferenceScorer(encoder, clinical_terms(), judge, stemmed=run.options.stem)
    bar = ProgressBar(run.err)
    scored = scorer.score(
        tuple(read.pairs.values()), run.cancel, lambda done, total: bar.show(tr("Notes"), done, total)
    )
    bar.clear()
    missing = scored.missing | NOT_HERE
    result = _metrics_json(read, scored, judge, missing) | {
        "encoder": encoder.fingerprint,
        "stemmed": run.options.stem,
    }
    finish(run, result, _metrics_table(scored))
    for told in not_computed(missing):
        run.say(told)
    return _ended(run, read, {list(read.pairs)[n]: problem for n, problem in scored.problems.items()})


def facts(run: Run) -> int:
    """Facts counted by a judge, or from a table of people's counts: per note, per section, over all."""
    if run.options.annotations is not None:
        return _annotated(run)
    read = _read(run)
    judge, bar = run.judge(), ProgressBar(run.err)
    parts: list[CountedPart] = []
    told: dict[str, tuple[ToldFact, ...]] = {}
    compared, problems = words_compared(), dict[str, str]()
    for n, (name, pair) in enumerate(read.pairs.items()):
        bar.show(tr("Notes"), n, len(read.pairs))
        try:
            told[name] = told_facts(judge, pair.note, pair.reference, pair.session, compared, run.cancel)
        except JudgeError as error:
            problems[name] = str(error)
            continue
        whole, sections = counted_facts(told[name])
        parts += [CountedPart(name, "", whole), *(CountedPart(name, s.value, c) for s, c in sections.items())]
    bar.clear()
    _deliver_facts(run, parts, judge, read.failed | problems, told)
    if judge.identity.kind == "builtin":
        run.say(WEAK_ON_NOTES)
    return _ended(run, read, problems)


def _annotated(run: Run) -> int:
    options = run.options
    if any(given is not None for given in (options.note, options.reference, options.transcript, options.pairs)):
        raise InputError("--annotations", tr("is used on its own"), tr("Leave out the notes, or the table."))
    check_outputs({"--json": options.json}, (options.annotations,))
    _deliver_facts(run, read_annotations(options.annotations), None, {}, {})
    return DONE


def _read(run: Run) -> _Read:
    options = run.options
    if options.pairs is not None:
        if any(given is not None for given in (options.note, options.reference, options.transcript)):
            raise InputError(
                "--pairs", tr("is used on its own"), tr("Leave out --note, --reference and --transcript, or the list.")
            )
        return _read_list(run, options.pairs)
    if options.note is None or options.reference is None:
        raise InputError(
            tr("The comparison"), tr("needs a note and a reference"), tr("Give --note and --reference, or --pairs.")
        )
    check_outputs({"--json": options.json}, (options.note, options.reference, options.transcript))
    return _Read({options.note.stem: _pair(run, options.note, options.reference, options.transcript)}, {})


def _read_list(run: Run, path: Path) -> _Read:
    rows = batch.read_pairs(path)
    check_outputs({"--json": run.options.json}, (path, *(file for row in rows for file in row.inputs)))
    read = _Read({}, {row.id: row.problem for row in rows if row.problem})
    for row in rows:
        if row.problem:
            continue
        try:
            if row.reference is None:
                raise InputError(row.id, tr("has no reference"), tr("Fill in the column reference."))
            read.pairs[row.id] = _pair(run, row.note, row.reference, row.transcript, row.session)
        except InputError as error:
            read.failed[row.id] = str(error)
    if not read.pairs:
        raise InputError(
            path.name,
            tr("has no row that can be used ({problem})").format(problem=next(iter(read.failed.values()))),
            tr("Correct the list."),
        )
    return read


def _pair(run: Run, note: Path, reference: Path, transcript: Path | None, session: str | None = None) -> NotePair:
    heard: Transcript | None = None
    if transcript is not None:
        heard = documents.read_transcript(transcript, session or run.options.session, run.cancel)
    return NotePair(documents.read_note(note, run.cancel), documents.read_note(reference, run.cancel), heard)


def _ended(run: Run, read: _Read, problems: Mapping[str, str]) -> int:
    for name, problem in read.failed.items():
        run.say(f"{name}: {problem}")
    for name, problem in problems.items():
        run.say(tr("{note}: the judge failed: {problem}").format(note=name, problem=problem))
    return JUDGE_FAILED if problems else BAD_INPUT if read.failed else DONE


def _metrics_json(read: _Read, scored: Scored, judge: Judge, missing: Mapping[str, str]) -> dict[str, Any]:
    return {
        "schema": METRICS_SCHEMA,
        "judge": dataclasses.asdict(judge.identity),
        "complete": not (scored.problems or read.failed),
        "notes": [
            {"id": name, "metrics": values, "problem": scored.problems.get(n)}
            for n, (name, values) in enumerate(zip(read.pairs, scored.values, strict=True))
        ]
        + [{"id": name, "metrics": None, "problem": problem} for name, problem in read.failed.items()],
        "mean": scored.mean(),
        "missing": missing,
    }


def _metrics_table(scored: Scored) -> str:
    """One row for what has a precision, a recall and an F."""
    rows = [
        [
            tr("Mean of {notes}").format(notes=counted(len(scored.values), "note"))
            if len(scored.values) > 1
            else tr("Metric"),
            "P",
            "R",
            "F",
            tr("Score"),
        ]
    ]
    means_by_name = scored.mean()
    for name, value in means_by_name.items():
        stem, _, part = name.rpartition("-")
        if part not in ("P", "R", "F"):
            rows.append([name, "", "", "", figure(value)])
        elif part == "P":
            rows.append([stem, *(figure(means_by_name[f"{stem}-{own}"]) for own in "PRF")])
    return table(rows)


def _deliver_facts(
    run: Run,
    parts: Iterable[CountedPart],
    judge: Judge | None,
    failed: Mapping[str, str],
    told: Mapping[str, Sequence[ToldFact]],
) -> None:
    by_note: dict[str, list[CountedPart]] = {}
    for part in parts:
        by_note.setdefault(part.note, []).append(part)
    whole = {name: _whole(own) for name, own in by_note.items()}
    sections: dict[str, list[FactCounts]] = {}
    for own in by_note.values():
        for part in own:
            if part.section:
                sections.setdefault(part.section, []).append(part.counts)
    over_all = pooled(whole.values())
    result = {
        "schema": FACTS_SCHEMA,
        "judge": None if judge is None else dataclasses.asdict(judge.identity),
        "complete": not failed,
        "warnings": [WEAK_ON_NOTES] if judge is not None and judge.identity.kind == "builtin" else [],
        "notes": [
            {
                "id": name,
                "facts": whole[name].as_json(),
                "sections": {part.section: part.counts.as_json() for part in own if part.section},
                **(
                    {"told": [fact.as_json() for fact in told[name]]}
                    if name in told and not run.options.no_text
                    else {}
                ),
            }
            for name, own in by_note.items()
        ],
        "failed": dict(failed),
        "sections": {name: pooled(counts).as_json() for name, counts in sections.items()},
        "pooled": over_all.as_json(),
        "mean": means(list(whole.values())),
    }
    text = _facts_table(list(whole.values()), over_all, sections)
    if len(told) == 1 and not run.options.no_text:
        text += f"\n\n{_list_of_facts(next(iter(told.values())))}"
    finish(run, result, text)


def _list_of_facts(facts: Iterable[ToldFact]) -> str:
    """What is wrong first; under each fact the words of the other text that it rests on."""
    names = {
        FactState.INCORRECT: tr("Incorrect"),
        FactState.HALLUCINATED: tr("Made up"),
        FactState.OMITTED: tr("Left out"),
        FactState.CORRECT: tr("Correct"),
        FactState.FOUND: tr("In the note"),
    }
    order = list(names)
    lines = []
    for fact in sorted(facts, key=lambda own: order.index(own.state)):
        lines.append(f"{names[fact.state]}: {fact.text}")
        lines += [f"    {fact.evidence}"] if fact.evidence else []
    return "\n".join(lines)


def _whole(parts: Iterable[CountedPart]) -> FactCounts:
    """A note's own line where there is one; else its sections together."""
    parts = list(parts)
    own = [part.counts for part in parts if not part.section]
    return pooled(own or [part.counts for part in parts])


def _facts_table(notes: list[FactCounts], over_all: FactCounts, sections: Mapping[str, list[FactCounts]]) -> str:
    columns = {tr("All facts"): over_all.as_json()} | {
        name.capitalize(): pooled(counts).as_json() for name, counts in sections.items()
    }
    rows = [[tr("Facts"), *columns]]
    rows += [[name.capitalize(), *(str(c[name]) for c in columns.values())] for name in _COUNTED]
    rows += [[label, *(figure(c[name]) for c in columns.values())] for name, label in _RATES.items()]
    if len(notes) < 2:
        return table(rows)
    mean = [[tr("Mean of {notes}").format(notes=counted(len(notes), "note"))]]
    mean += [[label, figure(means(notes)[name])] for name, label in _RATES.items()]
    return f"{table(rows)}\n\n{table(mean)}"


_RATES = {
    "factual_precision": tr("Factual precision"),
    "factual_recall": tr("Factual recall"),
    "factual_f1": tr("Factual F1"),
    "hallucination_rate": tr("Hallucination rate"),
    "omission_rate": tr("Omission rate"),
    "aggregate": tr("Aggregate"),
}
_COUNTED = ("system", "correct", "incorrect", "hallucinated", "reference", "omitted")
