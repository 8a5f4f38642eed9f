"""`noteeval metrics` and `noteeval facts`: notes against reference notes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import batch, documents, paths
from noteeval_desktop.commands import words
from noteeval_desktop.commands.run import BAD_INPUT, DONE, JUDGE_FAILED, Run, check_outputs, deliver
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError, JudgeError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import NOT_HERE, WINDOW, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.clinical_terms import ClinicalTerms, load_terms
from noteeval_desktop.report.terminal import ProgressBar, table
from noteeval_desktop.research.counted_facts import count_facts
from noteeval_desktop.research.facts import CountedPart, FactCounts, means, pooled, read_annotations

METRICS_SCHEMA, FACTS_SCHEMA = "noteeval.metrics/1", "noteeval.facts/1"


@dataclass
class _Read:
    """What could be read, by id; ``failed``: id → why not."""

    pairs: dict[str, NotePair]
    failed: dict[str, str]


def clinical_terms() -> ClinicalTerms:
    """Of the lexicon that ships with the program."""
    return load_terms(paths.resources() / "lexicons" / "clinical_terms.json")


def metrics(run: Run) -> int:
    """Every reference metric that can be computed here, of a note or of many."""
    read = _read(run)
    judge = run.judge()
    encoder = making.encoder(run.closing, WINDOW)
    scorer = ReferenceScorer(encoder, clinical_terms(), judge)
    bar = ProgressBar(run.err)
    scored = scorer.score(
        tuple(read.pairs.values()), run.cancel, lambda done, total: bar.show(words.NOTES, done, total)
    )
    bar.clear()
    missing = scored.missing | NOT_HERE
    if run.options.json is not None:
        deliver(run, run.options.json, _metrics_json(read, scored, judge, missing) | {"encoder": encoder.fingerprint})
    if str(run.options.json) != "-":
        print(_metrics_table(scored), file=run.out)
    for reason in dict.fromkeys(missing.values()):
        run.say(words.not_computed([name for name in missing if missing[name] == reason], reason))
    return _ended(run, read, {list(read.pairs)[n]: problem for n, problem in scored.problems.items()})


def facts(run: Run) -> int:
    """Facts counted by a judge, or from a table of people's counts: per note, per section, over all."""
    if run.options.annotations is not None:
        return _annotated(run)
    read = _read(run)
    judge, bar = run.judge(), ProgressBar(run.err)
    parts: list[CountedPart] = []
    problems: dict[str, str] = {}
    for n, (name, pair) in enumerate(read.pairs.items()):
        bar.show(words.NOTES, n, len(read.pairs))
        try:
            whole, sections = count_facts(judge, pair.note, pair.reference, pair.session, run.cancel)
        except JudgeError as error:
            problems[name] = str(error)
            continue
        parts += [CountedPart(name, "", whole), *(CountedPart(name, s.value, c) for s, c in sections.items())]
    bar.clear()
    _deliver_facts(run, parts, judge, read.failed | problems)
    return _ended(run, read, problems)


def _annotated(run: Run) -> int:
    options = run.options
    if any(given is not None for given in (options.note, options.reference, options.transcript, options.pairs)):
        raise InputError("--annotations", *words.TABLE_ALONE)
    check_outputs({"--json": options.json}, (options.annotations,))
    _deliver_facts(run, read_annotations(options.annotations), None, {})
    return DONE


def _read(run: Run) -> _Read:
    options = run.options
    if options.pairs is not None:
        if any(given is not None for given in (options.note, options.reference, options.transcript)):
            raise InputError("--pairs", *words.LIST_ALONE)
        return _read_list(run, options.pairs)
    if options.note is None or options.reference is None:
        raise InputError(words.THE_COMPARISON, *words.NO_REFERENCE)
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
                raise InputError(row.id, *words.ROW_WITHOUT_REFERENCE)
            read.pairs[row.id] = _pair(run, row.note, row.reference, row.transcript, row.session)
        except InputError as error:
            read.failed[row.id] = str(error)
    if not read.pairs:
        raise InputError(path.name, *words.no_row(next(iter(read.failed.values()))))
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
        run.say(words.judge_failed_on(name, problem))
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
            words.mean_of_notes(len(scored.values)) if len(scored.values) > 1 else words.METRIC,
            "P",
            "R",
            "F",
            words.SCORE,
        ]
    ]
    means_by_name = scored.mean()
    for name, value in means_by_name.items():
        stem, _, part = name.rpartition("-")
        if part not in ("P", "R", "F"):
            rows.append([name, "", "", "", _figure(value)])
        elif part == "P":
            rows.append([stem, *(_figure(means_by_name[f"{stem}-{own}"]) for own in "PRF")])
    return table(rows)


def _deliver_facts(run: Run, parts: Iterable[CountedPart], judge: Judge | None, failed: Mapping[str, str]) -> None:
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
    if run.options.json is not None:
        result = {
            "schema": FACTS_SCHEMA,
            "judge": None if judge is None else dataclasses.asdict(judge.identity),
            "complete": not failed,
            "notes": [
                {
                    "id": name,
                    "facts": whole[name].as_json(),
                    "sections": {part.section: part.counts.as_json() for part in own if part.section},
                }
                for name, own in by_note.items()
            ],
            "failed": dict(failed),
            "sections": {name: pooled(counts).as_json() for name, counts in sections.items()},
            "pooled": over_all.as_json(),
            "mean": means(list(whole.values())),
        }
        deliver(run, run.options.json, result)
    if str(run.options.json) != "-":
        print(_facts_table(list(whole.values()), over_all, sections), file=run.out)


def _whole(parts: Iterable[CountedPart]) -> FactCounts:
    """A note's own line where there is one; else its sections together."""
    parts = list(parts)
    own = [part.counts for part in parts if not part.section]
    return pooled(own or [part.counts for part in parts])


def _facts_table(notes: list[FactCounts], over_all: FactCounts, sections: Mapping[str, list[FactCounts]]) -> str:
    columns = {words.ALL_FACTS: over_all.as_json()} | {
        name.capitalize(): pooled(counts).as_json() for name, counts in sections.items()
    }
    counted = [
        [words.FACTS, *columns],
        *([name.capitalize(), *(str(c[name]) for c in columns.values())] for name in _COUNTED),
    ]
    rows = [*counted, *([label, *(_figure(c[name]) for c in columns.values())] for name, label in words.RATES.items())]
    if len(notes) < 2:
        return table(rows)
    mean = [
        [words.mean_of_notes(len(notes))],
        *([label, _figure(means(notes)[name])] for name, label in words.RATES.items()),
    ]
    return f"{table(rows)}\n\n{table(mean)}"


_COUNTED = ("system", "correct", "incorrect", "hallucinated", "reference", "omitted")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
