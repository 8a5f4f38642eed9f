"""The degradation study as tables and charts; each chart has its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.report.dot_chart import Axis, Dot, dot_chart
from noteeval_desktop.report.terminal import table

Figures = Mapping[str, Any]
_FACTS, _ROW = "facts", "row "
_KINDS = {
    "number": "numbers",
    "negation": "negation",
    "person": "doer",
    "drug": "drug",
    "risk": "risk",
    "plan": "plan",
    "fact": "made up",
    "drop": "omission",
    "padding": "padding",
    "order": "order",
}
_DEEPEST = "By kind: at the highest level that at least half of the notes with a place for such a change reach."
_LEVELS = "At each level 5 % more of a note's facts are wrong, at least one more."
_VIOLATIONS = "Dot: share of degraded notes. A score that cannot tell them apart violates nothing: see the drops. "


def study_text(result: Figures, seconds: Mapping[str, float]) -> str:
    """Tables, each with a line on what it says."""
    over = f"{result['notes']} of {result['of']} notes, {counted(result['seeds'], 'seed')}"
    parts = [f"{over}, degraded by {result['degrader']}."]
    facts = result["series"].get(_FACTS, {})
    if facts:
        parts += [
            _levels("Scored higher than the intact note (violations)", facts, lambda f: _figure(f["violations"])),
            _levels("Mean drop [95 % interval]", facts, _drop),
            _levels("Quartiles of the drop: least, 25 %, median, 75 %, most", facts, _quartiles),
            _levels("AUC, intact against degraded", facts, lambda f: _figure(f["auc"])),
        ]
    parts += [
        _by_kind(result, "Scores lower than the intact note (noticed)", _noticed),
        _by_kind(result, "AUC, intact against degraded", lambda figures: _figure(figures["auc"])),
        _DEEPEST,
        *(_found(result, judge) for judge in result["found"]),
    ]
    parts += [_rows(judge, rows) for judge, rows in result["rows"].items() if rows]
    return "\n\n".join([*parts, _cost(result, seconds)])


def charts(result: Figures) -> dict[str, str]:
    """File name → SVG: violations, drops and their distribution at each level, and AUC by kind of change."""
    facts = result["series"].get(_FACTS, {})
    levels = list(dict.fromkeys(level for own in facts.values() for level in own))
    drawn: dict[str, str] = {}
    if facts:
        panels = [f"Level {level}" for level in levels]
        share = Axis((0.0, 0.25, 0.5, 0.75, 1.0), _VIOLATIONS + _LEVELS)
        most = max([0.05, *(abs(end) for own in facts.values() for f in own.values() for end in f["interval"] or ())])
        far = max([0.05, *(abs(end) for own in facts.values() for f in own.values() for end in f["quartiles"])])
        drop = Axis(_ticks(most), f"Dot and line: mean of intact less degraded, with its 95 % interval. {_LEVELS}")
        spread = Axis(_ticks(far), f"Dot: median drop. Thick line: middle half. Thin line: least to most. {_LEVELS}")
        drawn = {
            "violations": _chart("Degraded notes that score higher than the intact one", panels, levels, facts, share),
            "drops": _chart("Mean drop of the score", panels, levels, facts, drop),
            "distribution": _chart("Distribution of the drop", panels, levels, facts, spread),
        }
    kinds = _kinds(result)
    if kinds:
        axis = Axis((0.0, 0.25, 0.5, 0.75, 1.0), "Dot: AUC of intact against degraded notes; 0.5 is chance.", 0.5)
        rows = []
        for name in _names(result):
            found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
            rows.append((name, [Dot(figures["auc"] if figures else None) for figures in found]))
        panels = [f"{_KINDS[kind]} ({counted(_notes(result, kind), 'note')})" for kind in kinds]
        drawn["kinds"] = dot_chart("Told apart, by kind of change", panels, rows, axis)
    return drawn


def _chart(title: str, panels: Sequence[str], levels: Sequence[str], facts: Figures, axis: Axis) -> str:
    def dot(figures: Figures | None) -> Dot:
        if not figures or not figures["degraded"]:
            return Dot(None)
        if title.startswith("Degraded"):
            return Dot(figures["violations"])
        if title.startswith("Mean"):
            return Dot(figures["drop"], figures["interval"] and tuple(figures["interval"]))
        least, low, median, high, most = figures["quartiles"]
        return Dot(median, (low, high), range=(least, most))

    return dot_chart(
        title, panels, [(name, [dot(own.get(level)) for level in levels]) for name, own in facts.items()], axis
    )


def _ticks(most: float) -> tuple[float, ...]:
    """Symmetric about 0, to the next round number."""
    end = next((round_ for round_ in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if most <= round_), 2.0)
    return (-end, -end / 2, 0.0, end / 2, end)


def _levels(title: str, facts: Figures, cell: Callable[[Figures], str]) -> str:
    levels = list(dict.fromkeys(level for own in facts.values() for level in own))
    rows = [[title, "notes", *(f"level {level}" for level in levels)]]
    for name, own in facts.items():
        rows.append([name, str(own[levels[0]]["notes"]), *(cell(own[n]) if n in own else "–" for n in levels)])
    return table(rows)


def _drop(figures: Figures) -> str:
    ends = figures["interval"]
    return _figure(figures["drop"]) + ("" if ends is None else f" [{ends[0]:.3f}, {ends[1]:.3f}]")


def _quartiles(figures: Figures) -> str:
    return " ".join(f"{value:.3f}" for value in figures["quartiles"])


def _kinds(result: Figures) -> list[str]:
    return [kind for kind in _KINDS if kind in result["series"]]


def _names(result: Figures) -> list[str]:
    return list(dict.fromkeys(name for kind in _kinds(result) for name in result["series"][kind]))


def _deepest(levels: Figures) -> Figures | None:
    """At the highest level that at least half of the notes with such a place reach."""
    known = {level: figures for level, figures in levels.items() if figures["degraded"]}
    if not known:
        return None
    most = max(figures["notes"] for figures in known.values())
    found: Figures = known[max(level for level, figures in known.items() if figures["notes"] * 2 >= most)]
    return found


def _notes(result: Figures, kind: str) -> int:
    figures = _deepest(next(iter(result["series"][kind].values()), {}))
    return figures["notes"] if figures else 0


def _noticed(figures: Figures) -> str:
    return _figure(max(0.0, 1 - figures["violations"] - figures["unnoticed"]))


def _by_kind(result: Figures, title: str, cell: Callable[[Figures], str]) -> str:
    kinds = _kinds(result)
    rows = [[title, *(_KINDS[kind] for kind in kinds)], ["notes", *(str(_notes(result, kind)) for kind in kinds)]]
    for name in _names(result):
        found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
        rows.append([name, *("–" if figures is None else cell(figures) for figures in found)])
    return table(rows)


def _found(result: Figures, judge: str) -> str:
    found = result["found"][judge]
    rows = [[f"{judge}: changed sentences called an error", "Changed", "Found"]]
    for kind, own in found.items():
        if kind in _KINDS or kind == _FACTS:
            rows.append([_KINDS.get(kind, "any fact"), str(own["changes"]), _figure(own["found"])])
    alarms = found["false alarms"]
    rows.append(["true sentences called an error", str(alarms["sentences"]), _figure(alarms["share"])])
    return table(rows)


def _rows(judge: str, rows: Figures) -> str:
    head = ["Notes", "Drop without it", "AUC", "Missing before", "Missing without", "Errors in it", "Found"]
    lines = [[f"{judge}: rubric row", *head]]
    for item, own in rows.items():
        shares = (own["called_missing"], own["called_missing_without"])
        cells = [str(own["notes"]), _drop(own), _figure(own["auc"]), *map(_figure, shares)]
        lines.append([item, *cells, str(own["errors"]), _figure(own["errors_found"])])
    return table(lines)


def _cost(result: Figures, seconds: Mapping[str, float]) -> str:
    rows = [["Cost", "Seconds a note, all its versions", "Calls", "Input tokens", "Output tokens"]]
    for name, took in seconds.items():
        used = result["usage"].get(name, {})
        rows.append([name, f"{took:.1f}", *(str(n) for n in used.values())])
    return table(rows)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
