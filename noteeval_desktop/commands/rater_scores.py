"""Several raters on the same responses: read from a pasted table, compared, as plain values."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from noteeval_desktop.documents.rows import grid
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.responses import Disagreement, RaterAgreement, agreement, disagreements
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES

COLUMNS = ("rater", "response", *Attribute)
_TABLE = tr("the table of raters")
# Fewer responses than this leave a bootstrap nearly nothing to draw from, and an interval that looks certain.
FEWEST_FOR_INTERVAL = 5
Ratings = dict[str, tuple[ResponseVerdict, ...]]


@dataclass(frozen=True, slots=True)
class Compared:
    """``disagreements``: more than 2 points apart; ``agreement``: one an attribute."""

    disagreements: tuple[Disagreement, ...]
    agreement: tuple[RaterAgreement, ...]


def read_ratings(text: str) -> Ratings:
    """From lines of ``COLUMNS`` with a heading, between tabs, semicolons or commas; an empty score is not given.

    Responses are A, B, ... or 1, 2, ...; one that a rater did not score is left empty. Raises InputError.
    """
    lines = [line for line in normalise(text).split("\n") if line.strip()]
    if not lines:
        raise InputError(_TABLE, tr("is empty"), tr("Paste lines of {names}.").format(names=", ".join(COLUMNS)))
    try:
        rows = list(grid(lines))
    except csv.Error as error:
        raise InputError(
            _TABLE, tr("cannot be read as a table"), tr("Put commas, semicolons or tabs between cells.")
        ) from error
    heading = [cell.strip().lower() for cell in rows[0]]
    missing = [column for column in COLUMNS if column not in heading]
    if missing:
        raise InputError(
            _TABLE,
            tr("has no column named {missing}").format(missing=missing[0]),
            tr("The first line names {names}.").format(names=", ".join(COLUMNS)),
        )
    found: dict[str, dict[int, ResponseVerdict]] = {}
    for number, row in enumerate(rows[1:], start=2):
        cells = dict(zip(heading, (cell.strip() for cell in row), strict=False))
        scores = tuple((attribute, _score(cells.get(attribute, ""), number)) for attribute in Attribute)
        found.setdefault(cells.get("rater", ""), {})[_place(cells.get("response", ""), number)] = ResponseVerdict(
            None, scores
        )
    return _even(found)


def _even(found: Mapping[str, Mapping[int, ResponseVerdict]]) -> Ratings:
    """Every rater with a place for every response."""
    count = max((place for own in found.values() for place in own), default=-1) + 1
    nothing = ResponseVerdict(None, tuple((attribute, None) for attribute in Attribute))
    return {rater: tuple(own.get(place, nothing) for place in range(count)) for rater, own in found.items()}


def _place(cell: str, line: int) -> int:
    if len(cell) == 1 and "A" <= cell.upper() <= "Z":
        return ord(cell.upper()) - ord("A")
    if cell.isascii() and cell.isdigit() and 1 <= int(cell[:4]) <= 999:
        return int(cell[:4]) - 1
    raise InputError(
        _TABLE,
        tr("does not say which response line {line} is about").format(line=line),
        tr("Name it A, B, ... or 1, 2, ...."),
    )


def _score(cell: str, line: int) -> int | None:
    if not cell:
        return None
    if cell in ("1", "2", "3", "4", "5"):
        return int(cell)
    raise InputError(
        _TABLE,
        tr("has a score other than 1 to 5 in line {line}").format(line=line),
        tr("Leave a score empty or give 1 to 5."),
    )


def with_rater(ratings: Ratings, name: str, verdicts: Mapping[int, ResponseVerdict]) -> Ratings:
    """``ratings`` with one more rater, whose verdicts are given by the response's number from 0."""
    return _even({**{rater: dict(enumerate(own)) for rater, own in ratings.items()}, name: verdicts})


def compare(ratings: Ratings) -> Compared:
    return Compared(disagreements(ratings), agreement(ratings) if len(ratings) > 1 else ())


def disagreement_words(found: Disagreement, letters: str) -> str:
    """ "A, safety: Kim 5, Lee 2"."""
    name = letters[found.response] if found.response < len(letters) else str(found.response + 1)
    (one, other), (first, second) = found.raters, found.scores
    return f"{name}, {ATTRIBUTE_NAMES[found.attribute].lower()}: {one} {first}, {other} {second}"


def figure(value: float | None, interval: tuple[float, float] | None) -> str:
    """ "0.71 (0.42 to 0.88)"."""
    if value is None:
        return tr("not defined")
    if interval is None:
        return f"{_rounded(value):.2f}"
    middle, low, high = map(_rounded, (value, *interval))
    return tr("{value:.2f} ({low:.2f} to {high:.2f})").format(value=middle, low=low, high=high)


def _rounded(value: float) -> float:
    """To two places, without a negative zero."""
    return round(value, 2) + 0.0
