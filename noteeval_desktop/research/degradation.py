"""The degradation study as tables and charts; each chart has its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research import degradation_words as words
from noteeval_desktop.research.dot_chart import Axis, Dot, dot_chart

Figures = Mapping[str, Any]
_FACTS, _ROW = "facts", "row "


def study_text(result: Figures, seconds: Mapping[str, float]) -> str:
    """Tables, each with a line on what it says."""
    parts = [words.over(result["notes"], result["of"], result["seeds"], result["degrader"])]
    facts = result["series"].get(_FACTS, {})
    if facts:
        parts += [
            _levels(words.VIOLATIONS_AT, facts, lambda f: _figure(f["violations"])),
            _levels(words.DROPS_AT, facts, _drop),
            _levels(words.QUARTILES_AT, facts, _quartiles),
            _levels(words.AUC, facts, lambda f: _figure(f["auc"])),
        ]
    parts += [
        _by_kind(result, words.NOTICED, _noticed),
        _by_kind(result, words.AUC, lambda figures: _figure(figures["auc"])),
        words.DEEPEST,
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
        panels = [words.level(level) for level in levels]
        share = Axis((0.0, 0.25, 0.5, 0.75, 1.0), words.VIOLATIONS_LEGEND)
        most = max([0.05, *(abs(end) for own in facts.values() for f in own.values() for end in f["interval"] or ())])
        far = max([0.05, *(abs(end) for own in facts.values() for f in own.values() for end in f["quartiles"])])
        drop = Axis(_ticks(most), words.DROP_LEGEND)
        spread = Axis(_ticks(far), words.SPREAD_LEGEND)
        drawn = {
            "violations": _chart(words.VIOLATIONS_CHART, panels, levels, facts, share),
            "drops": _chart(words.DROPS_CHART, panels, levels, facts, drop),
            "distribution": _chart(words.SPREAD_CHART, panels, levels, facts, spread),
        }
    kinds = _kinds(result)
    if kinds:
        axis = Axis((0.0, 0.25, 0.5, 0.75, 1.0), words.AUC_LEGEND, 0.5)
        rows = []
        for name in _names(result):
            found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
            rows.append((name, [Dot(figures["auc"] if figures else None) for figures in found]))
        panels = [f"{words.KINDS[kind]} ({counted(_notes(result, kind), 'note')})" for kind in kinds]
        drawn["kinds"] = dot_chart(words.KINDS_CHART, panels, rows, axis)
    return drawn


def _chart(title: str, panels: Sequence[str], levels: Sequence[str], facts: Figures, axis: Axis) -> str:
    def dot(figures: Figures | None) -> Dot:
        if not figures or not figures["degraded"]:
            return Dot(None)
        if title == words.VIOLATIONS_CHART:
            return Dot(figures["violations"])
        if title == words.DROPS_CHART:
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
    return [kind for kind in words.KINDS if kind in result["series"]]


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
    rows = [[title, *(words.KINDS[kind] for kind in kinds)], ["notes", *(str(_notes(result, kind)) for kind in kinds)]]
    for name in _names(result):
        found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
        rows.append([name, *("–" if figures is None else cell(figures) for figures in found)])
    return table(rows)


def _found(result: Figures, judge: str) -> str:
    found = result["found"][judge]
    rows = [[words.found_title(judge), words.CHANGED, words.FOUND]]
    for kind, own in found.items():
        if kind in words.KINDS or kind == _FACTS:
            rows.append([words.KINDS.get(kind, words.ANY_FACT), str(own["changes"]), _figure(own["found"])])
    alarms = found["false alarms"]
    rows.append([words.FALSE_ALARMS, str(alarms["sentences"]), _figure(alarms["share"])])
    return table(rows)


def _rows(judge: str, rows: Figures) -> str:
    head = [
        words.NOTES,
        words.DROP_WITHOUT,
        "AUC",
        words.MISSING_BEFORE,
        words.MISSING_WITHOUT,
        words.ERRORS,
        words.FOUND,
    ]
    lines = [[words.row_title(judge), *head]]
    for item, own in rows.items():
        shares = (own["called_missing"], own["called_missing_without"])
        cells = [str(own["notes"]), _drop(own), _figure(own["auc"]), *map(_figure, shares)]
        lines.append([item, *cells, str(own["errors"]), _figure(own["errors_found"])])
    return table(lines)


def _cost(result: Figures, seconds: Mapping[str, float]) -> str:
    rows = [[words.COST, words.SECONDS, words.CALLS, words.INPUT, words.OUTPUT]]
    for name, took in seconds.items():
        used = result["usage"].get(name, {})
        rows.append([name, f"{took:.1f}", *(str(n) for n in used.values())])
    return table(rows)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
