"""`noteeval metrics` and `noteeval facts`: notes against reference notes."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from noteeval_desktop import batch
from noteeval_desktop.commands.run import Run, check_outputs, deliver, deliver_csv, finish
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import (
    CLAIMS,
    LEXICAL,
    METRICS,
    NOT_HERE,
    PACKAGES,
    WINDOW,
    ReferenceScorer,
    Scored,
)
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.report.files import csv_text, write_json
from noteeval_desktop.report.terminal import figure, table
from noteeval_desktop.research.atomic_facts import WordsCompared, words_compared
from noteeval_desktop.research.bleurt import bleurt
from noteeval_desktop.research.degrade_study import CHEAP
from noteeval_desktop.research.facts import (
    COUNTS,
    RATE_NAMES,
    CountedPart,
    FactCounts,
    FactState,
    means,
    pooled,
    rater_agreement,
    read_annotations,
)
from noteeval_desktop.research.key_phrases import by_section, mean_rates, read_marked
from noteeval_desktop.research.reference_pairs import (
    compare_all,
    counter_here,
    counts_from,
    exit_code,
    facts_of,
    metrics_of,
    note_pair,
    read_list,
    references,
    scorer_here,
)

WEAK_ON_NOTES = tr(
    "the quick check is weak at comparing two notes: its counts agree only loosely with people's (the Figures page of "
    "the help says how far). A language model (--judge local or remote) was little better; for counts that matter, "
    "have people look at the facts that are listed."
)
METRICS_SCHEMA, FACTS_SCHEMA = "noteeval.metrics/1", "noteeval.facts/1"


_SETS: dict[str, tuple[str, ...]] = {"cheap": CHEAP, "claims": CLAIMS, "none": ()}
# What is not computed without a judge.
_JUDGED = frozenset((*CLAIMS, "AutoAIS", *(metric for metric in METRICS if "-like-" in metric)))


def metrics_asked(asked: str, known: Sequence[str]) -> list[str]:
    """Of ``--metrics``: sets and names, between commas. Raises InputError for one that is not ``known``, and for one
    that takes a package that is not here."""
    names, sets = [name.strip() for name in asked.split(",") if name.strip()], {**_SETS, "all": tuple(known)}
    unknown = [name for name in names if name not in sets and name not in known]
    if unknown:
        problem = tr("does not know {name}").format(name=unknown[0])
        remedy = tr("Name {sets}, or: {metrics}.").format(sets=", ".join(sets), metrics=", ".join(known))
        raise InputError("--metrics", problem, remedy)
    wanted = {metric for name in names for metric in sets.get(name, (name,))}
    lacking = [name for module, name in PACKAGES.items() if importlib.util.find_spec(module) is None]
    if lacking and "all" not in names and not wanted.isdisjoint(LEXICAL):
        problem = tr("needs the package {name}").format(name=lacking[0])
        raise InputError("--metrics", problem, tr("Install the extra measure."))
    return [metric for metric in known if metric in wanted]


def not_computed(missing: Mapping[str, str]) -> list[str]:
    """A sentence for each reason why metrics are missing."""
    told, reasons = tr("not computed: {names}: {reason}."), dict.fromkeys(missing.values())
    return [
        told.format(names=", ".join(name for name, own in missing.items() if own == reason), reason=reason)
        for reason in reasons
    ]


def metrics(run: Run) -> int:
    """The reference metrics that are asked for and can be computed here, of a note or of many."""
    options = run.options
    wanted = metrics_asked(options.metrics, METRICS)
    if not wanted:
        raise InputError("--metrics", tr("names no metric"), tr("Name one, or leave it out."))
    pairs, judged = read_list(run), not _JUDGED.isdisjoint(wanted)
    options.threads = options.jobs and 1

    def make() -> ReferenceScorer:
        encoder = making.encoder(run.closing, WINDOW, options.threads)
        return ReferenceScorer(
            encoder, clinical_terms(), run.judge() if judged else None, wanted=wanted, stemmed=options.stem
        )

    first = make()
    spare = [first]
    frequencies = first.frequencies(references(pairs, run.cancel), run.cancel)
    about = {
        "judge": dataclasses.asdict(first.judge.identity) if first.judge is not None else None,
        "encoder": first.encoder,
        "stemmed": options.stem,
    }
    usable = [pair for pair in pairs if not pair.problem]
    missing = first.missing(len(usable), any(pair.transcript or "transcript" in pair.texts for pair in usable)) | {
        name: why for name, why in NOT_HERE.items() if options.metrics == "all"
    }

    by_checkpoint: list[float] = []

    def table_of(outcomes: Sequence[batch.Outcome]) -> Scored:
        done = [outcome for outcome in outcomes if outcome.found is not None]
        values = first.in_set([outcome.found["metrics"] for outcome in done if outcome.found is not None], missing)
        for row, value in zip(values, by_checkpoint, strict=False):
            row["BLEURT"] = value
        return Scored(values, missing, {n: outcome.problem for n, outcome in enumerate(done) if outcome.problem})

    def write(outcomes: list[batch.Outcome], last: bool = False) -> Any:
        scored = table_of(outcomes)
        values = iter(scored.values)
        notes = [
            _about(outcome) | {"metrics": next(values) if outcome.found else None, "problem": outcome.problem or None}
            for outcome in outcomes
            if outcome.status != "cancelled"
        ]
        result = {"schema": METRICS_SCHEMA, **about, "complete": _complete(pairs, outcomes), "notes": notes}
        result |= {"mean": scored.mean(), "missing": missing}
        _save(run, result, [{**one, **(one["metrics"] or {})} for one in notes], [*scored.mean(), "problem"], last)
        return result

    setting = json.dumps([about, wanted, fingerprint(json.dumps(frequencies, sort_keys=True))])
    recipe = partial(scorer_here, rubric=run.rubric, wanted=wanted, stemmed=options.stem, judged=judged)
    ask = partial(metrics_of, frequencies=frequencies)
    outcomes = compare_all(run, pairs, lambda: spare.pop() if spare else make(), recipe, ask, setting, write)
    if options.bleurt is not None:
        write(outcomes)  # where there is no such package, --resume goes on from here
        done = [note_pair(outcome.pair, run.cancel) for outcome in outcomes if outcome.found is not None]
        by_checkpoint += bleurt(options.bleurt, done)
        missing.pop("BLEURT", None)
    _deliver(run, write(outcomes, last=True), _metrics_table(table_of(outcomes)))
    for told in not_computed(missing):
        run.note(told)
    return exit_code(run, outcomes)


def facts(run: Run) -> int:
    """Facts counted by a judge, or from a table of people's counts: per note, per section, over all."""
    options = run.options
    if options.annotations is not None:
        return _annotated(run)
    if options.phrases is not None:
        return _phrases(run)
    pairs = read_list(run)
    options.threads = options.jobs and 1
    judge = run.judge()
    spare, builtin = [judge], judge.identity.kind == "builtin"

    def write(outcomes: list[batch.Outcome], last: bool = False) -> Any:
        result = _facts_json(run, judge, outcomes) | {"complete": _complete(pairs, outcomes)}
        rows = [
            {**one, "section": section, **counts}
            for one in result["notes"]
            for section, counts in (("", one["facts"]), *one["sections"].items())
        ]
        _save(run, result, rows, ["section", *_FIGURES], last)
        return result

    setting = json.dumps([dataclasses.asdict(judge.identity), FACTS_SCHEMA, options.no_text])

    def counter() -> tuple[Judge, WordsCompared]:
        return spare.pop() if spare else run.judge(), words_compared()

    recipe = partial(counter_here, rubric=run.rubric)
    outcomes = compare_all(run, pairs, counter, recipe, facts_of, setting, write)
    result = write(outcomes, last=True)
    _deliver(run, result, _facts_text(run, result))
    if builtin:
        run.note(WEAK_ON_NOTES)
    return exit_code(run, outcomes)


def _about(outcome: batch.Outcome) -> dict[str, Any]:
    """What each note's entry begins with: ``key`` is what a later run knows it by."""
    key = {"key": outcome.found["key"]} if outcome.found is not None else {}
    return {"id": outcome.pair.id, **key, **({"columns": dict(outcome.pair.columns)} if outcome.pair.columns else {})}


def _complete(pairs: Sequence[batch.Pair], outcomes: Sequence[batch.Outcome]) -> bool:
    return len(outcomes) == len(pairs) and all(outcome.status in ("done", "resumed") for outcome in outcomes)


def _save(
    run: Run, result: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], names: Sequence[str], last: bool
) -> None:
    """To the files that are asked for; ``rows`` of the CSV, in which the list's own columns follow the id. Standard
    output takes the ``last`` only."""
    options = run.options
    if options.json is not None and str(options.json) != "-":
        write_json(options.json, result)
    if options.csv is not None and (last or str(options.csv) != "-"):
        own = list(dict.fromkeys(name for row in rows for name in row.get("columns", {})))
        lines = [[row["id"], *(row.get("columns", {}).get(n) for n in own), *map(row.get, names)] for row in rows]
        deliver_csv(run, options.csv, csv_text([["id", *own, *names], *lines]))


def _deliver(run: Run, result: Mapping[str, Any], text: str) -> None:
    """To the screen: the file is written already."""
    if str(run.options.json) == "-":
        deliver(run, run.options.json, result)
    else:
        run.show(text)


def _alone(run: Run, option: str, table: Path) -> None:
    """Raises InputError where the table of people's counts is not all that was given."""
    options = run.options
    given = (options.note, options.reference, options.transcript, options.pairs, options.annotations, options.phrases)
    if sum(one is not None for one in given) > 1:
        raise InputError(option, tr("is used on its own"), tr("Leave out the notes, or the table."))
    check_outputs({"--json": options.json}, (table,))


def _annotated(run: Run) -> int:
    _alone(run, "--annotations", run.options.annotations)
    parts = read_annotations(run.options.annotations)
    by_note, sections = dict[str, list[CountedPart]](), dict[str, list[FactCounts]]()
    for part in parts:
        by_note.setdefault(part.note, []).append(part)
        if part.section:
            sections.setdefault(part.section, []).append(part.counts)
    whole = {name: _whole(own) for name, own in by_note.items()}
    notes = [
        {
            "id": name,
            "facts": whole[name].as_json(),
            "sections": {part.section: part.counts.as_json() for part in own if part.section},
        }
        for name, own in by_note.items()
    ]
    result, raters = _summed(None, notes, {}, list(whole.values()), sections), rater_agreement(parts)
    text = _facts_table(result)
    if raters:
        rows = [[tr("Raters, pair by pair"), "κ", "F1", tr("F1, one off"), tr("F1, two off"), "r"]]
        rows += [[name.capitalize(), *(figure(value, 2) for value in own.values())] for name, own in raters.items()]
        result, text = result | {"raters": raters}, f"{text}\n\n{table(rows)}"
    return finish(run, result, text)


def _phrases(run: Run) -> int:
    """What people marked phrase by phrase."""
    _alone(run, "--phrases", run.options.phrases)
    notes = read_marked(run.options.phrases)
    means_of = {"": mean_rates(notes), **dict(by_section(notes))}
    result = {
        "schema": "noteeval.key-phrases/1",
        "notes": [{"id": n.note, "section": n.section or None, **n.counts, **n.rates()} for n in notes],
        "mean": means_of[""],
        "sections": {section: own for section, own in means_of.items() if section},
    }
    names = {
        "hallucination_count": tr("Hallucinated phrases a word"),
        "omission_count": tr("Omitted phrases a word of the reference"),
        "quality": tr("Quality"),
    }
    heading = tr("Mean of {notes}").format(notes=counted(len(notes), "note"))
    rows = [[heading, *(section.capitalize() for section in means_of if section)]]
    rows[0][1:1] = [tr("All")]
    rows += [[said, *(figure(own[name]) for own in means_of.values())] for name, said in names.items()]
    return finish(run, result, table(rows))


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
    values = scored.mean()
    for name, value in values.items():
        stem, _, part = name.rpartition("-")
        own = [f"{stem}-{one}" for one in "PRF"]
        if part not in ("P", "R", "F"):
            rows.append([name, "", "", "", figure(value)])
        elif name == next(one for one in own if one in values):
            rows.append([stem, *(figure(values[one]) if one in values else "" for one in own)])
    return table(rows)


def _facts_json(run: Run, judge: Judge, outcomes: Sequence[batch.Outcome]) -> dict[str, Any]:
    notes, sections = list[dict[str, Any]](), dict[str, list[FactCounts]]()
    for outcome in outcomes:
        if (found := outcome.found) is None:
            continue
        parts = {name: counts_from(counts) for name, counts in found["sections"].items()}
        for name, counts in parts.items():
            sections.setdefault(name, []).append(counts)
        told = {"told": found["told"]} if "told" in found and not run.options.no_text else {}
        whole = {"facts": counts_from(found["facts"]).as_json()}
        notes.append(_about(outcome) | whole | {"sections": {n: c.as_json() for n, c in parts.items()}} | told)
    failed = {one.pair.id: one.problem for one in outcomes if one.found is None and one.status != "cancelled"}
    whole_notes = [counts_from(one["facts"]) for one in notes]
    return _summed(judge, notes, failed, whole_notes, sections)


def _summed(
    judge: Judge | None,
    notes: Sequence[Mapping[str, Any]],
    failed: Mapping[str, str],
    whole: Sequence[FactCounts],
    sections: Mapping[str, Sequence[FactCounts]],
) -> dict[str, Any]:
    return {
        "schema": FACTS_SCHEMA,
        "judge": None if judge is None else dataclasses.asdict(judge.identity),
        "complete": not failed,
        "warnings": [WEAK_ON_NOTES] if judge is not None and judge.identity.kind == "builtin" else [],
        "notes": notes,
        "failed": failed,
        "sections": {name: pooled(counts).as_json() for name, counts in sections.items()},
        "pooled": pooled(whole).as_json(),
        "mean": means(whole),
    }


def _facts_text(run: Run, result: Mapping[str, Any]) -> str:
    text = _facts_table(result)
    if len(result["notes"]) == 1 and "told" in result["notes"][0]:
        text += f"\n\n{_list_of_facts(result['notes'][0]['told'])}"
    return text


def _list_of_facts(facts: Iterable[Mapping[str, Any]]) -> str:
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
    for fact in sorted(facts, key=lambda own: order.index(own["state"])):
        lines.append(f"{names[fact['state']]}: {fact['fact']}")
        lines += [f"    {fact['evidence']}"] if fact["evidence"] else []
    return "\n".join(lines)


def _whole(parts: Iterable[CountedPart]) -> FactCounts:
    """A note's own line where there is one; else its sections together."""
    parts = list(parts)
    own = [part.counts for part in parts if not part.section]
    return pooled(own or [part.counts for part in parts])


def _facts_table(result: Mapping[str, Any]) -> str:
    columns = {tr("All facts"): result["pooled"]} | {n.capitalize(): own for n, own in result["sections"].items()}
    rows = [[tr("Facts"), *columns]]
    rows += [[name.capitalize(), *(str(c[name]) for c in columns.values())] for name in _COUNTED]
    rows += [[label, *(figure(c[name]) for c in columns.values())] for name, label in RATE_NAMES.items()]
    if len(result["notes"]) < 2:
        return table(rows)
    mean = [[tr("Mean of {notes}").format(notes=counted(len(result["notes"]), "note"))]]
    mean += [[label, figure(result["mean"][name])] for name, label in RATE_NAMES.items()]
    return f"{table(rows)}\n\n{table(mean)}"


_COUNTED = ("system", "correct", "incorrect", "hallucinated", "reference", "omitted")
_FIGURES = (*COUNTS, *RATE_NAMES)
