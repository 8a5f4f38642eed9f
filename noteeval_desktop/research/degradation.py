"""The degradation study as tables and charts; each chart has its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.report.terminal import figure, table
from noteeval_desktop.research.dot_chart import Axis, Dot, dot_chart

Figures = Mapping[str, Any]
_FACTS = "facts"
# What the kinds of change are called, in the tables' order.
_KINDS = {
    "number": tr("numbers"),
    "negation": tr("negation"),
    "person": tr("person"),
    "drug": tr("drug"),
    "risk": tr("risk"),
    "plan": tr("plan"),
    "fact": tr("made up"),
    "drop": tr("omission"),
    "padding": tr("padding"),
    "order": tr("order"),
}


def study_text(result: Figures, seconds: Mapping[str, float]) -> str:
    """Tables, each with a line on what it says."""
    parts = [
        tr("{done} of {notes}, {seeds}, degraded by {degrader}.").format(
            done=result["notes"],
            notes=counted(result["of"], "note"),
            seeds=counted(result["seeds"], "seed"),
            degrader=result["degrader"],
        )
    ]
    facts = result["series"].get(_FACTS, {})
    if facts:
        parts += [
            _levels(tr("Scored higher than the intact note (violations)"), facts, lambda f: figure(f["violations"])),
            _levels(tr("Mean drop [95 % interval]"), facts, _drop),
            _levels(tr("Quartiles of the drop: least, 25 %, median, 75 %, most"), facts, _quartiles),
            _levels(tr("AUC, intact against degraded"), facts, lambda f: figure(f["auc"])),
        ]
    parts += [
        _by_kind(result, tr("Scored lower than the intact note (noticed)"), _noticed),
        _by_kind(result, tr("AUC, intact against degraded"), lambda figures: figure(figures["auc"])),
        tr("By kind: at the highest level that at least half of the notes with room for such a change reach."),
        *(_found(result, judge) for judge in result["found"]),
    ]
    parts += [_rows(judge, rows) for judge, rows in result["rows"].items() if rows]
    return "\n\n".join([*parts, _cost(result, seconds)])


def charts(result: Figures) -> dict[str, str]:
    """File name → SVG: violations, drops and their distribution at each level, and AUC by kind of change."""
    facts = result["series"].get(_FACTS, {})
    levels = list(dict.fromkeys(level for own in facts.values() for level in own))
    drawn: dict[str, str] = {}
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)

    def draw(file: str, title: str, ticks: tuple[float, ...], legend: str, dot: Callable[[Figures], Dot]) -> None:
        def shown(figures: Figures | None) -> Dot:
            return dot(figures) if figures and figures["degraded"] else Dot(None)

        panels = [tr("Level {number}").format(number=level) for level in levels]
        rows = [(name, [shown(own.get(level)) for level in levels]) for name, own in facts.items()]
        told = tr("At each level 5 % more of a note's facts are wrong, at least one more.")
        drawn[file] = dot_chart(title, panels, rows, Axis(ticks, f"{legend} {told}"))

    def drop(figures: Figures) -> Dot:
        return Dot(figures["drop"], figures["interval"] and tuple(figures["interval"]))

    def spread(figures: Figures) -> Dot:
        least, low, median, high, most = figures["quartiles"]
        return Dot(median, (low, high), range=(least, most))

    if facts:
        legend = tr(
            "Dot: share of degraded notes. A score that cannot tell notes apart shows no violation: see the drops."
        )
        title = tr("Degraded notes that score higher than the intact one")
        draw("violations", title, shares, legend, lambda figures: Dot(figures["violations"]))
        legend = tr("Dot and line: mean of intact minus degraded, with its 95 % interval.")
        draw("drops", tr("Mean drop of the score"), _ticks(facts, "interval"), legend, drop)
        legend = tr("Dot: median drop. Thick line: middle half. Thin line: least to most.")
        draw("distribution", tr("Distribution of the drop"), _ticks(facts, "quartiles"), legend, spread)
    kinds = _kinds(result)
    if kinds:
        axis = Axis(shares, tr("Dot: AUC of intact against degraded notes; 0.5 is chance."), 0.5)
        rows = []
        for name in _names(result):
            found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
            rows.append((name, [Dot(figures["auc"] if figures else None) for figures in found]))
        panels = [f"{_KINDS[kind]} ({counted(_notes(result, kind), 'note')})" for kind in kinds]
        drawn["kinds"] = dot_chart(tr("Told apart, by kind of change"), panels, rows, axis)
    return drawn


def _ticks(facts: Figures, name: str) -> tuple[float, ...]:
    """Symmetric about 0, to the next round number."""
    most = max([0.05, *(abs(end) for own in facts.values() for figures in own.values() for end in figures[name] or ())])
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
    return figure(figures["drop"]) + ("" if ends is None else f" [{ends[0]:.3f}, {ends[1]:.3f}]")


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
    return figure(max(0.0, 1 - figures["violations"] - figures["unnoticed"]))


def _by_kind(result: Figures, title: str, cell: Callable[[Figures], str]) -> str:
    kinds = _kinds(result)
    rows = [[title, *(_KINDS[kind] for kind in kinds)], ["notes", *(str(_notes(result, kind)) for kind in kinds)]]
    for name in _names(result):
        found = [_deepest(result["series"][kind].get(name, {})) for kind in kinds]
        rows.append([name, *("–" if figures is None else cell(figures) for figures in found)])
    return table(rows)


def _found(result: Figures, judge: str) -> str:
    found = result["found"][judge]
    rows = [[tr("{judge}: changed sentences called an error").format(judge=judge), tr("Changed"), tr("Found")]]
    for kind, own in found.items():
        if kind in _KINDS or kind == _FACTS:
            rows.append([_KINDS.get(kind, tr("any fact")), str(own["changes"]), figure(own["found"])])
    alarms = found["false alarms"]
    rows.append([tr("true sentences called an error"), str(alarms["sentences"]), figure(alarms["share"])])
    return table(rows)


def _rows(judge: str, rows: Figures) -> str:
    head = [
        tr("Notes"),
        tr("Drop without it"),
        "AUC",
        tr("Missing before"),
        tr("Missing without"),
        tr("Errors in it"),
        tr("Found"),
    ]
    lines = [[tr("{judge}: checklist item").format(judge=judge), *head]]
    for item, own in rows.items():
        shares = (own["called_missing"], own["called_missing_without"])
        cells = [str(own["notes"]), _drop(own), figure(own["auc"]), *map(figure, shares)]
        lines.append([item, *cells, str(own["errors"]), figure(own["errors_found"])])
    return table(lines)


def _cost(result: Figures, seconds: Mapping[str, float]) -> str:
    rows = [
        [tr("Cost"), tr("Seconds per note, all its versions"), tr("Calls"), tr("Input tokens"), tr("Output tokens")]
    ]
    for name, took in seconds.items():
        used = result["usage"].get(name, {})
        rows.append([name, f"{took:.1f}", *(str(n) for n in used.values())])
    return table(rows)
