"""`noteeval agreement` over a table of ratings: long (a row a rating) or wide (a row a case, a column a rater)."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.documents.rows import records, shown_name
from noteeval_desktop.domain.phrases import counted, listed, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.agreement import ROUNDS, Thing, rating_figures
from noteeval_desktop.report.terminal import between, figure, table

SCHEMA = "noteeval.ratings/1"
# What the columns are called, unless the options say otherwise.
NAMES: Mapping[str, tuple[str, ...]] = {
    "case": ("case", "case_id", "id", "note", "note_id", "conversation", "transcript_id", "unit", "subject"),
    "item": ("item", "item_id", "question", "dimension", "attribute", "criterion", "section"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "coder", "judge"),
    "value": ("value", "rating", "score", "label", "answer", "code"),
}
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "."})
_SHOWN = {
    "raw": tr("Raw agreement"),
    "cohen": tr("Cohen's κ"),
    "cohen_linear": tr("Cohen's κ, linear weights"),
    "cohen_quadratic": tr("Cohen's κ, quadratic weights"),
    "fleiss": tr("Fleiss' κ"),
    "alpha_nominal": tr("Krippendorff's α, nominal"),
    "alpha_ordinal": tr("Krippendorff's α, ordinal"),
    "alpha_interval": tr("Krippendorff's α, interval"),
    "icc_absolute": tr("ICC(A,1)"),
    "icc_consistency": tr("ICC(C,1)"),
    "mse": tr("Mean squared error"),
    "f1": tr("F1 within {tolerance:g}"),
}


@dataclass(frozen=True, slots=True)
class Ratings:
    """``values``: (case, item) → rater → value as written; item "" where the table has none."""

    raters: tuple[str, ...]
    values: Mapping[tuple[str, str], Mapping[str, str]]


def read_ratings(path: Path, options: argparse.Namespace) -> Ratings:
    """Long where there are columns for the rater and the value, else wide: every other column is a rater, or those that
    ``options.raters`` names. Empty cells, NA and the like are not rated. Raises InputError."""
    rows, what = list(records(path, ())), shown_name(path)
    if not rows:
        raise InputError(what, tr("holds no ratings"), tr("Write a row for each rating, or for each case."))
    column = {use: _column(rows[0], use, getattr(options, use), what) for use in NAMES}
    long = column["rater"] is not None and column["value"] is not None and options.raters is None
    # A column "judge" may be one rater beside others.
    if options.raters is None and not long and (column["rater"] or "judge").casefold() != "judge":
        problem = tr("has a column {name}, and none for the ratings").format(name=column["rater"])
        raise InputError(what, problem, tr("Name theirs with --value, or the columns of the raters with --raters."))
    found: dict[tuple[str, str], dict[str, str]] = {}
    raters: dict[str, None] = {}
    for number, row in enumerate(rows, 1):
        place = (_cell(row, column["case"]) or ("" if long else str(number)), _cell(row, column["item"]))
        for rater, value in _given(row, column, options.raters, long, what):
            if long and not (place[0] and rater):
                problem = tr("row {row} does not say which case, or which rater").format(row=number)
                raise InputError(what, problem, tr("Fill it in."))
            if rater in found.setdefault(place, {}):
                problem = tr("row {row} rates a case that this rater has rated before").format(row=number)
                raise InputError(what, problem, tr("Keep one of the two, or name a column for the item with --item."))
            raters[rater] = None
            if value.casefold() not in _MISSING:
                found[place][rater] = value
    if len(raters) < 2:
        problem = tr("holds ratings of {raters} only").format(raters=counted(len(raters), "rater"))
        looked_for = tr("Looked for the columns case, item, rater and value, or a column for each rater: {names}.")
        raise InputError(what, problem, looked_for.format(names=", ".join(rows[0])))
    return Ratings(tuple(raters), found)


def _column(row: Mapping[str, str], use: str, asked: str | None, what: str) -> str | None:
    by_name = {name.casefold(): name for name in row}
    if asked is not None and asked.casefold() not in by_name:
        problem = tr("has no column {name}").format(name=asked)
        raise InputError(what, problem, tr("Its columns are: {names}.").format(names=", ".join(row)))
    names = NAMES[use] if asked is None else (asked.casefold(),)
    return next((by_name[name] for name in names if name in by_name), None)


def _given(
    row: Mapping[str, str], column: Mapping[str, str | None], raters: str | None, long: bool, what: str
) -> Iterator[tuple[str, str]]:
    if long:
        yield _cell(row, column["rater"]), _cell(row, column["value"])
        return
    names = [one for one in row if one not in (column["case"], column["item"])]
    if raters is not None:
        names = [name for rater in raters.split(",") for name in [_column(row, "rater", rater.strip(), what)] if name]
    yield from ((name, row[name].strip()) for name in names)


def _cell(row: Mapping[str, str], name: str | None) -> str:
    return row.get(name, "").strip() if name is not None else ""


def ratings_report(ratings: Ratings, tolerance: float, rounds: int = ROUNDS) -> dict[str, Any]:
    """``{"all": FIGURES, "items": {item: FIGURES}, …}``, with 95 % intervals from resampling cases."""
    written = {value for own in ratings.values.values() for value in own.values()}
    numbers = {value: _number(value) for value in written}
    as_numbers = None not in numbers.values()
    coded: Mapping[str, Hashable] = numbers if as_numbers else {value: value for value in written}

    def figures(item: str | None) -> dict[str, Any]:
        things = [
            Thing(case, tuple(coded.get(own.get(rater, "")) for rater in ratings.raters))
            for (case, its), own in ratings.values.items()
            if item in (None, its)
        ]
        found = rating_figures(things, tolerance, rounds=rounds)
        return {name: dataclasses.asdict(figure) for name, figure in found.items()}

    items = dict.fromkeys(item for _, item in ratings.values if item)
    return {
        "schema": SCHEMA,
        "cases": len({case for case, _ in ratings.values}),
        "raters": list(ratings.raters),
        "ratings": sum(len(own) for own in ratings.values.values()),
        "values": "numbers" if as_numbers else "categories",
        "tolerance": tolerance,
        "resamples": rounds,
        "all": figures(None),
        "items": {item: figures(item) for item in items},
    }


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return number if abs(number) < 1e12 else None


def ratings_text(report: Mapping[str, Any]) -> str:
    rows = [["", tr("All"), tr("95 % interval"), *report["items"]]]
    for name, said in _SHOWN.items():
        whole, items = report["all"][name], [figure(own[name]["value"]) for own in report["items"].values()]
        interval = between(None if whole["low"] is None else (whole["low"], whole["high"]))
        rows.append([said.format(tolerance=report["tolerance"]), figure(whole["value"]), interval, *items])
    told = tr("{ratings} of {cases} by {raters}.").format(
        ratings=counted(report["ratings"], "rating"),
        cases=counted(report["cases"], "case"),
        raters=listed(report["raters"]),
    )
    return f"{table(rows)}\n{told}"
