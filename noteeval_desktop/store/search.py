"""Finding cases: the words of everything, and the filters of a list, as SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store.reading import FIGURES, PENDING
from noteeval_desktop.store.records import CaseQuery, Labels, SortBy
from noteeval_desktop.store.tables import Tables

_WORD = re.compile(r"\w+")


def index(
    db: Tables,
    number: int,
    labels: Labels,
    transcript: Transcript,
    notes: Iterable[Note],
    evaluations: Iterable[Evaluation],
    reviews: Iterable[Review],
) -> None:
    """Replace the words of case ``number``."""
    forget(db, number)
    session = "\n".join(f"{turn.speaker} {turn.text}" for turn in transcript.turns)
    findings = [*(_reasons(one) for one in evaluations), *(remarks(one) for one in reviews)]
    parts = [_named(labels), session, "\n".join(dict.fromkeys(note.text for note in notes)), "\n".join(findings)]
    db.execute(
        "INSERT INTO case_words(rowid, labels, transcript, notes, findings) VALUES (?, ?, ?, ?, ?)",
        [number, *(part.encode("utf-8", "replace").decode("utf-8") for part in parts)],
    )


def forget(db: Tables, number: int) -> None:
    db.execute("DELETE FROM case_words WHERE rowid = ?", [number])


def where(query: CaseQuery) -> tuple[str, dict[str, Any]]:
    """The condition on table "case", and its values."""
    conditions, values = ["archived = :archived"], {"archived": int(query.archived)}  # type: tuple[list[str], dict[str, Any]]

    def add(condition: str, **named: Any) -> None:
        conditions.append(condition)
        values.update(named)

    if query.text.strip():
        words = _match(query.text)
        add("number IN (SELECT rowid FROM case_words WHERE case_words MATCH :words)" if words else "0", words=words)
    for column, wanted in (("clinician", query.clinician), ("client", query.client), ("judge", query.judge)):
        if wanted:
            add(f"{column} = :{column}", **{column: wanted})
    if query.tag:
        add("number IN (SELECT of_case FROM tag WHERE name = :tag)", tag=query.tag)
    if query.statuses:
        named = {f"status{i}": status.value for i, status in enumerate(query.statuses)}
        add(f"status IN ({', '.join(f':{name}' for name in named)})", **named)
    if query.since:
        add("session_date >= :since", since=query.since.isoformat())
    if query.until:
        add("session_date <= :until", until=query.until.isoformat())
    if query.unchanged_since:
        add("changed < :unchanged", unchanged=query.unchanged_since.isoformat())
    if query.score:
        score, span = query.score.dimension.value, {"low": query.score.low, "high": query.score.high}
        add(f"{score} BETWEEN :low AND :high AND ({PENDING}) IS NULL", **span)
    return " AND ".join(conditions), values


def sorted_by(sort: str) -> str:
    """The expression to sort by: figures that the list does not show do not show by a line's place either. Raises
    ValueError for what is neither a SortBy nor a figure."""
    return f"CASE WHEN ({PENDING}) IS NULL THEN {sort} END" if sort in FIGURES else SortBy(sort).value


def _match(text: str) -> str:
    """Every word quoted, so that nothing is taken for FTS5's syntax; the last may be the beginning of one."""
    words = _WORD.findall(text.encode("utf-8", "replace").decode("utf-8"))
    return " ".join(f'"{word}"' for word in words) + "*" if words else ""


def _named(labels: Labels) -> str:
    return "\n".join([labels.label, labels.clinician, labels.client, *labels.tags])


def _reasons(evaluation: Evaluation) -> str:
    claims = [judged.claim.rationale for judged in evaluation.sentences if judged.claim]
    needs = [judged.need.rationale for judged in evaluation.sentences if judged.need]
    items = [item.rationale for item in evaluation.checklist]
    omissions = [omission.rationale for omission in evaluation.omissions or ()]
    return "\n".join(filter(None, [*claims, *needs, *items, *omissions]))


def remarks(review: Review) -> str:
    """What the search finds of a review: its words, not its marks."""
    answers = [answer.reason for answer in review.answers]
    settled = [settlement.reason for settlement in review.settled]
    return "\n".join(filter(None, [review.rater, *(c.text for c in review.comments), *answers, *settled]))
