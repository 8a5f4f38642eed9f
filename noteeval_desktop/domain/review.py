"""What people say about a note: a clinician's answers to findings, and a supervisor's marks.

The passes follow the human protocol of Shah et al., TN-Eval (ACL 2025): rubric items per section, items per
sentence, faithfulness per sentence with the kind of error and the turns, then ratings from 1 to 5.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, ItemVerdict, NeedVerdict, Severity, Verdict

LOWEST, HIGHEST = 1, 5


class ReviewKind(StrEnum):
    SELF = "self"
    SUPERVISION = "supervision"


class Dimension(StrEnum):
    """What two may differ in; ``SCORED`` are those that a note has a score in."""

    RISK = "risk"
    COMPLETENESS = "completeness"
    CONCISENESS = "conciseness"
    FAITHFULNESS = "faithfulness"


SCORED = (Dimension.COMPLETENESS, Dimension.CONCISENESS, Dimension.FAITHFULNESS)


@dataclass(frozen=True, slots=True)
class ItemMark:
    """A person's yes or no to "does the note cover this item?". ``item`` is a rubric item's id, or what ``asked`` calls
    a passage on risk."""

    item: str
    present: bool

    @property
    def place(self) -> str:
        return self.item


@dataclass(frozen=True, slots=True)
class NeedMark:
    """The items that a sentence serves; none: not needed."""

    sentence: str
    items: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return bool(self.items)

    @property
    def place(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """``contradicted`` is the protocol's "misinterpreted", ``unsupported`` its "out of nowhere"; turns are cited.
    ``judged``: contradicted by what whoever marks it thinks, and not by what the session says."""

    sentence: str
    verdict: Verdict
    turns: tuple[int, ...] = ()
    judged: bool = False

    @property
    def place(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Rating:
    """1 (worst) to 5 for one dimension of one section; ``section`` None: of the whole note. Raises ValueError."""

    dimension: Dimension
    value: int
    section: Section | None = None

    def __post_init__(self) -> None:
        _rated(self.value)

    @property
    def place(self) -> str:
        return f"{self.dimension}:{self.section or 'note'}"


class AnswerKind(StrEnum):
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the clinician did about a finding, and when; a dismissal gives its reason. Raises ValueError without one."""

    finding: str
    kind: AnswerKind
    reason: str = ""
    when: datetime | None = None

    def __post_init__(self) -> None:
        if self.kind is AnswerKind.DISMISSED and not self.reason.strip():
            raise ValueError("a finding is dismissed with a reason")

    @property
    def place(self) -> str:
        return self.finding


Mark = ItemMark | NeedMark | ClaimMark | Rating | Answer
_MARKS: dict[type[Mark], str] = {
    ItemMark: "items",
    NeedMark: "needs",
    ClaimMark: "claims",
    Rating: "ratings",
    Answer: "answers",
}


@dataclass(frozen=True, slots=True)
class Comment:
    """On a passage of the note, ``note.text[span] == quote``; ``item`` where it is about a rubric item; ``turns`` of
    the session where it is about what was said there, and on no passage."""

    span: Span
    quote: str
    text: str
    item: str | None = None
    turns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a difference between the supervisor and the judge at ``place`` was settled."""

    dimension: Dimension
    place: str
    agreed: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    credentials: str
    signed: datetime


class SignerKnown(StrEnum):
    """OWN: the key of the library that says so; COMPARED: its fingerprint was compared with its owner's; ANOTHER: the
    name over the review is not that of the key's owner."""

    OWN = "own"
    COMPARED = "compared"
    NOT_COMPARED = "not compared"
    NOT_SIGNED = "not signed"
    ANOTHER = "another key"


@dataclass(frozen=True, slots=True)
class Vouched:
    """Who signed a review, as far as a library knows; ``signer`` is the fingerprint of the key, empty for none, and
    ``name`` what the library's user calls its owner."""

    known: SignerKnown
    signer: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """One person's review of one revision of a note (``note_sha256``).

    Blind first: until ``submitted`` is set the judge's marks and the author stay hidden, and marks may change;
    afterwards the marks stand, and only settlements, comments and the signature are added.
    ``carried``: it began with marks of an earlier round as they had been settled, so not all of them were made blind.
    ``unblinded``: the judge's marks had been seen before these were in. ``returned``: when the note was sent back to
    its author with it.
    """

    id: str
    kind: ReviewKind
    rater: str
    note_sha256: str
    started: datetime
    items: tuple[ItemMark, ...] = ()
    needs: tuple[NeedMark, ...] = ()
    claims: tuple[ClaimMark, ...] = ()
    ratings: tuple[Rating, ...] = ()
    acceptance: int | None = None
    answers: tuple[Answer, ...] = ()
    comments: tuple[Comment, ...] = ()
    settled: tuple[Settlement, ...] = ()
    submitted: datetime | None = None
    signature: Signature | None = None
    carried: bool = False
    unblinded: bool = False
    returned: datetime | None = None

    def __post_init__(self) -> None:
        if self.acceptance is not None:
            _rated(self.acceptance)

    @property
    def blind(self) -> bool:
        return self.kind is ReviewKind.SUPERVISION and self.submitted is None

    @property
    def independent(self) -> bool:
        """Whether a supervisor made every mark without seeing the judge's, so that the two can be compared."""
        handed_in = self.kind is ReviewKind.SUPERVISION and self.submitted is not None
        return handed_in and not self.carried and not self.unblinded

    def marked(self, mark: Mark) -> Review:
        """With ``mark`` in the place of an earlier one. Raises ValueError once the marks have been submitted."""
        if self.submitted is not None and not isinstance(mark, Answer):
            raise ValueError("submitted marks stand; settle the difference instead")
        kind = _MARKS[type(mark)]
        others: tuple[Mark, ...] = getattr(self, kind)
        changed: dict[str, Any] = {kind: (*(one for one in others if one.place != mark.place), mark)}
        return replace(self, **changed)

    def settled_with(self, settlement: Settlement) -> Review:
        """With ``settlement`` in the place of an earlier one. Raises ValueError while the review is blind, and once it
        is signed."""
        if self.blind:
            raise ValueError("the judge's marks stay hidden until the supervisor's are in")
        if self.signature is not None:
            raise ValueError("what was signed stands")
        others = (s for s in self.settled if (s.dimension, s.place) != (settlement.dimension, settlement.place))
        return replace(self, settled=(*others, settlement))

    def open_places(self, note: Note, rubric: Rubric) -> tuple[tuple[Dimension, tuple[str, ...]], ...]:
        """Per pass, the items or sentences of the SOAP sections that have no mark yet."""
        sentences = [s.id for s in note.sentences if set(s.sections) & set(SOAP)]
        passes = (
            (Dimension.COMPLETENESS, [item.id for item in rubric.scored_items], self.items),
            (Dimension.CONCISENESS, sentences, self.needs),
            (Dimension.FAITHFULNESS, sentences, self.claims),
        )
        return tuple(
            (dimension, tuple(place for place in places if place not in {mark.place for mark in marks}))
            for dimension, places, marks in passes
        )

    def submit(self, note: Note, rubric: Rubric, when: datetime, asked: Collection[str] | None = None) -> Review:
        """``asked`` are the items and sentences that a person had to mark, all of them where None; the rest is accepted
        as the judge marks it. Raises ValueError where the note is another one or a pass is unfinished."""
        if note.sha256 != self.note_sha256:
            raise ValueError("the note has changed since this review began")
        left = {(dimension, place) for dimension, places in self.open_places(note, rubric) for place in places}
        if asked is not None:
            left = {one for one in left if one[1] in asked and one[0] is not Dimension.CONCISENESS}
        if left or self.acceptance is None:
            raise ValueError("some marks are still open")
        return replace(self, submitted=when)


def verdicts_of(
    review: Review, rubric: Rubric
) -> tuple[tuple[ItemVerdict, ...], tuple[NeedVerdict, ...], tuple[ClaimVerdict, ...]]:
    """The marks as verdicts, so that a person's review scores by the same rules as a judge's."""
    known = {item.id: item for item in rubric.items}
    items = tuple(
        ItemVerdict(m.item, known[m.item].section, known[m.item].importance, m.present)
        for m in review.items
        if m.item in known
    )
    needs = tuple(NeedVerdict(m.sentence, m.needed, items=m.items) for m in review.needs)
    claims = tuple(
        ClaimVerdict(m.sentence, m.verdict, severity=Severity.MEDIUM if m.verdict in ERRORS else Severity.NONE)
        for m in review.claims
    )
    return items, needs, claims


def _rated(value: int) -> None:
    if not LOWEST <= value <= HIGHEST:
        raise ValueError(f"a rating is {LOWEST} to {HIGHEST}, not {value}")
