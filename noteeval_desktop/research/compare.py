"""`noteeval compare A B`: how far two sets of results differ, case by case, and whether that may be chance."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noteeval_desktop.batch.results import entries
from noteeval_desktop.commands.run import Run, check_outputs, finish
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.measures.agreement import Difference, difference, holm
from noteeval_desktop.present.vocabulary import NOT_CHECKED
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.terminal import between, figure, table
from noteeval_desktop.research.dot_chart import Axis, Dot, dot_chart

SCHEMA = "noteeval.comparison/1"
_SCALES = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0)
Figures = Mapping[str, float | None]


@dataclass
class Results:
    """Of one file or folder: the ``figures`` of each case by its id, and the ``session`` that it is of, where known.
    ``kind``: what can be compared with it. ``of``: the note and the session that all cases are parts of, if
    they are, and the ``scores`` of that note."""

    name: str
    kind: str
    judge: Any = None
    of: frozenset[str] = frozenset()
    scores: Figures | None = None
    figures: dict[str, Figures] = field(default_factory=dict)
    session: dict[str, str] = field(default_factory=dict)


def compare(run: Run) -> int:
    """B against A, over the cases that both have."""
    options = run.options
    check_outputs({"--json": options.json, "--chart": options.chart}, (options.a, options.b))
    a, b = read_results(options.a), read_results(options.b)
    if a.kind != b.kind:
        problem = tr("holds {kind}, and {other} holds {its}").format(kind=b.kind, other=a.name, its=a.kind)
        raise InputError(b.name, problem, tr("Compare results of one kind."))
    both = [case for case in a.figures if case in b.figures]
    if a.of and a.of.isdisjoint(b.of):
        problem = tr("is of another note of another session than {other}").format(other=a.name)
        raise InputError(b.name, problem, tr("Compare two judges or two versions of one note, or batches of many."))
    if len(both) < 2:
        problem = tr("has {cases} in common with {other}").format(cases=counted(len(both), "case"), other=a.name)
        raise InputError(b.name, problem, tr("Compare results of the same list, with the same ids."))
    known = a.session.keys() & b.session.keys()
    other = next((case for case in both if case in known and a.session[case] != b.session[case]), None)
    if other is not None:
        problem = tr("is of one session in {a} and of another in {b}").format(a=a.name, b=b.name)
        raise InputError(other, problem, tr("Give the cases of both lists the same ids."))
    found = differences(a, b, both)
    adjusted = holm([one.p for one in found.values()])
    result = {
        "schema": SCHEMA,
        **{
            side: {"name": own.name, "judge": own.judge, "cases": len(own.figures), "scores": own.scores}
            for side, own in (("a", a), ("b", b))
        },
        "kind": a.kind,
        "cases": len(both),
        "sessions": 1 if a.of else len({a.session.get(case, case) for case in both}),
        "only_in_a": [case for case in a.figures if case not in b.figures],
        "only_in_b": [case for case in b.figures if case not in a.figures],
        "figures": {
            name: dataclasses.asdict(one) | {"p_holm": p}
            for (name, one), p in zip(found.items(), adjusted, strict=True)
        },
        "changed": [
            {"case": case, "figure": name, "a": a.figures[case][name], "b": b.figures[case][name]}
            for case in (both if a.of else ())
            for name in a.figures[case]
            if a.figures[case][name] != b.figures[case][name]
        ],
    }
    if options.chart is not None:
        write_text(options.chart, _chart(f"{b.name} − {a.name}", found))
    return finish(run, result, compare_text(result))


def differences(a: Results, b: Results, cases: Sequence[str]) -> dict[str, Difference]:
    """Of each figure that both have of two cases or more; the notes of one session count as one draw."""
    sessions = [a.session.get(case, case) for case in cases]
    names = dict.fromkeys(name for case in cases for name in a.figures[case])
    found = {
        name: difference([a.figures[c].get(name) for c in cases], [b.figures[c].get(name) for c in cases], sessions)
        for name in names
    }
    return {name: one for name, one in found.items() if one.n > 1}


def compare_text(result: Mapping[str, Any]) -> str:
    rows = [["", "A", "B", "B − A", tr("95 % interval"), "d", "p", "p (Holm)", "n"]]
    for name, one in result["figures"].items():
        shown = map(figure, (one["a"], one["b"], one["mean"]))
        limits = None if one["low"] is None else (one["low"], one["high"])
        tested = (figure(one["effect"], 2), figure(one["p"], 4), figure(one["p_holm"], 4), str(one["n"]))
        rows.append([name, *shown, between(limits), *tested])
    told = tr("{cases} in both, {a} only in A, {b} only in B; {sessions}.").format(
        cases=counted(result["cases"], "case"),
        a=len(result["only_in_a"]),
        b=len(result["only_in_b"]),
        sessions=counted(result["sessions"], "session"),
    )
    legend = tr(
        "d   the mean difference in standard deviations of the differences.\n"
        "p   how often a difference as large would come about if A and B were alike: signs of whole sessions flipped,\n"
        "    of one note those of its items and sentences. Holm's holds for all rows together."
    )
    one, other = ((result[side]["judge"] or {}).get("rubric") for side in ("a", "b"))
    if one and other and one != other:  # metrics may be had without a judge
        told += " " + tr("They were judged by two checklists, so their completeness cannot be compared.")
    names = [f"A: {result['a']['name']}", f"B: {result['b']['name']}", ""]
    return "\n".join([*names, *_of_one_note(result), table(rows), "", told, legend])


def _of_one_note(result: Mapping[str, Any]) -> Iterator[str]:
    """The scores of the note, and what differs: item by item, then sentence by sentence. Nothing for many notes."""
    if result["a"]["scores"] is None:
        return
    scores = [(side, result[side]["scores"]) for side in ("a", "b")]
    yield table([["", "A", "B"], *([n.capitalize(), *(figure(own[n]) for _, own in scores)] for n in scores[0][1])])
    said = {None: NOT_CHECKED, 0.0: tr("no"), 1.0: tr("yes")}
    for one in result["changed"]:
        yield f"{one['case']}: {one['figure']}: {said[one['a']]} → {said[one['b']]}"
    for side, label in (("a", tr("Only in A: {sentence}")), ("b", tr("Only in B: {sentence}"))):
        yield from (label.format(sentence=sentence) for sentence in result[f"only_in_{side}"])
    yield ""


def _chart(title: str, found: Mapping[str, Difference]) -> str:
    ends = [abs(end) for one in found.values() for end in (one.low, one.high) if end is not None]
    scale = next((one for one in _SCALES if one >= max(ends, default=1.0)), max(ends, default=1.0))
    axis = Axis(
        (-scale, -scale / 2, 0.0, scale / 2, scale), tr("Dot and line: mean difference with its 95 % interval.")
    )
    rows = [
        (name, [Dot(one.mean, None if one.low is None or one.high is None else (one.low, one.high))])
        for name, one in found.items()
    ]
    return dot_chart(title, ["B − A"], rows, axis)


def read_results(path: Path) -> Results:
    """A folder that `noteeval batch` wrote, or the JSON of a command. Raises InputError."""
    if path.is_dir():
        read = Results(path.name or str(path), _BATCH)
        for entry in entries([path]):
            if entry.evaluation is not None and entry.evaluation["complete"]:
                read.judge = read.judge or entry.evaluation["judge"]
                read.figures[entry.id] = _scores(entry.evaluation["scores"]) | dict(entry.reference or {})
                read.session[entry.id] = entry.evaluation["case"]["transcript_sha256"]
    else:
        read = _read_json(path)
    if not read.figures:
        raise InputError(
            read.name, tr("holds no finished result"), tr("Give a folder of `noteeval batch`, or its JSON.")
        )
    return read


def _read_json(path: Path) -> Results:
    try:
        data = from_json(path.read_bytes())
        kind, rows = _KINDS[data["schema"]]
        read = Results(path.name, kind, data.get("judge"))
        if kind == _NOTE:
            read.of = frozenset((data["case"]["note_sha256"], data["case"]["transcript_sha256"]))
            read.scores = _scores(data["scores"])
        read.figures = {str(name): figures for name, figures in rows(data)}
    except OSError as error:
        problem = tr("cannot be read ({reason})").format(reason=error.strerror)
        raise InputError(path.name, problem, tr("Check the path.")) from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        remedy = tr("Give the JSON of evaluate, batch --aggregate, metrics, facts or score-response --set.")
        raise InputError(path.name, tr("is no result that can be compared"), remedy) from error
    return read


def _scores(scores: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: share["note"] for name, share in scores.items()}


Row = tuple[str, Figures]


def _note(data: Mapping[str, Any]) -> Iterable[Row]:
    """Each item that counts in the score, and each sentence, of one note as a case: what a judge says of it. Sentences
    go by their words, so that those of another version are found again; without words only the same note has them."""
    for item in data["checklist"]:
        if item["section"] != "general":
            yield item["item"], {"item present": _number(item["present"])}
    seen = Counter[str]()
    for one in data["sentences"]:
        verdict = one["verdict"]
        supported = None if verdict in (None, "observed") else float(verdict == "supported")
        text = one.get("text") or f"{one['id']} ({data['case']['note_sha256'][:8]})"
        seen[text] += 1
        name = text if seen[text] == 1 else f"{text} ({seen[text]})"
        yield name, {"sentence needed": _number(one["needed"]), "statement supported": supported}


def _aggregate(data: Mapping[str, Any]) -> Iterable[Row]:
    for case in data["cases"]:
        if case["status"] in ("done", "resumed"):
            yield case["id"], _scores(case["scores"] or {}) | (case["reference"] or {})


def _member(of: str, figures: str) -> Callable[[Mapping[str, Any]], Iterable[Row]]:
    """Rows that stand as objects under ``of``, their numbers under ``figures``."""
    return lambda data: (
        (
            row["id"],
            {name: _number(value) for name, value in row[figures].items() if not isinstance(value, dict | list)},
        )
        for row in data[of]
        if row[figures] is not None
    )


def _number(value: float | bool | None) -> float | None:
    return None if value is None else float(value)


_BATCH, _NOTE = tr("results of a batch"), tr("the evaluation of one note")
_KINDS: dict[str, tuple[str, Callable[[Mapping[str, Any]], Iterable[Row]]]] = {
    "noteeval.evaluation/1": (_NOTE, _note),
    "noteeval.aggregate/1": (_BATCH, _aggregate),
    "noteeval.metrics/1": (tr("reference metrics"), _member("notes", "metrics")),
    "noteeval.facts/1": (tr("counts of facts"), _member("notes", "facts")),
    "noteeval.response-set/1": (tr("scores of responses"), _member("responses", "scores")),
}
