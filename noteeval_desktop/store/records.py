"""What the library gives out. Summaries hold no clinical text: only the user's own labels, and figures."""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import Dimension, Review
from noteeval_desktop.domain.standing import NOT_SUBMITTED, CaseStatus, Stand
from noteeval_desktop.domain.transcript import Transcript

T = TypeVar("T")
Shares = tuple[tuple[Dimension, float | None], ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """The user's own words for a case; all may be empty."""

    label: str = ""
    clinician: str = ""
    client: str = ""
    session_date: date | None = None
    tags: tuple[str, ...] = ()


class Pending(StrEnum):
    """A supervisor's blind review of the latest revision: to be begun here, or begun and not handed in."""

    WAITING = "waiting"
    UNDER_WAY = "under_way"


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """A line of the list. ``judge`` is "kind model" of the latest evaluation; ``figures`` by their names in
    ``figures.FIGURES``, all None while a blind review is ``pending``.

    ``unsaved``: what was typed last is a draft only.
    ``stand``: by the reviews that count. ``imported``: somebody else keeps it as its author.
    """

    id: str
    labels: Labels
    status: CaseStatus
    archived: bool
    created: datetime
    changed: datetime
    judge: str | None
    figures: Mapping[str, float | None]
    pending: Pending | None = None
    unsaved: bool = False
    stand: Stand = NOT_SUBMITTED
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Revision:
    """A kept state of the note; ``number`` counts from 1 within the case."""

    id: str
    number: int
    saved: datetime
    note: Note


@dataclass(frozen=True, slots=True)
class KeptEvaluation:
    """``revision`` is the id of the revision that was judged."""

    id: str
    revision: str
    made: datetime
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """The note's text as it was last typed, newer than any revision."""

    saved: datetime
    text: str


@dataclass(frozen=True, slots=True)
class NoteFile:
    """The file that the note was read from or written to last, and what it said then. It never leaves the library."""

    path: str
    text: str


class Origin(StrEnum):
    """OWN: made in this library; KNOWN: signed by a key that the user has compared; UNKNOWN: by another key.

    MISMATCH: under a name that is known here with another key, or by a key that is known under another name.
    """

    OWN = "own"
    KNOWN = "known"
    UNKNOWN = "unknown"
    UNSIGNED = "unsigned"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who vouches for a review or a case file; ``name`` is what the user calls the owner of ``key``.

    ``with_session``: the seal covers the session as well; those of earlier programs do not.
    """

    origin: Origin
    key: str = ""
    name: str = ""
    with_session: bool = True

    @property
    def counts(self) -> bool:
        """What comes under somebody else's name counts nowhere."""
        return self.origin is not Origin.MISMATCH

    @property
    def sure(self) -> bool:
        """Whose it is: made here, or signed by a key that the user has compared. Figures are made of such alone."""
        return self.origin in (Origin.OWN, Origin.KNOWN)


@dataclass(frozen=True, slots=True)
class OpenedCase:
    """A case with everything it holds; revisions and evaluations from the oldest to the newest.

    ``seen``: hashes of its notes whose judge's marks were shown in this library.
    ``provenance``: of each review, in their order.
    """

    summary: CaseSummary
    transcript: Transcript
    revisions: tuple[Revision, ...]
    evaluations: tuple[KeptEvaluation, ...]
    reviews: tuple[Review, ...]
    draft: KeptDraft | None
    seen: frozenset[str] = frozenset()
    provenance: tuple[Provenance, ...] = ()
    note_file: NoteFile | None = None

    @property
    def own_reviews(self) -> tuple[Review, ...]:
        """Those made in this library: a name alone is anybody's to write into a file."""
        return self._reviews(lambda one: one.origin is Origin.OWN)

    @property
    def counted_reviews(self) -> tuple[Review, ...]:
        return self._reviews(lambda one: one.counts)

    @property
    def sure_reviews(self) -> tuple[Review, ...]:
        return self._reviews(lambda one: one.sure)

    def _reviews(self, vouched: Callable[[Provenance], bool]) -> tuple[Review, ...]:
        return tuple(one for one, whose in zip(self.reviews, self.provenance, strict=True) if vouched(whose))


class SortBy(StrEnum):
    CHANGED = "changed"
    CREATED = "created"
    SESSION = "session_date"
    LABEL = "label"
    CLINICIAN = "clinician"
    CLIENT = "client"
    STATUS = "status"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """Of the latest evaluation, both ends included, 0..1."""

    dimension: Dimension
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """Which cases to list; what is empty or None does not restrict.

    ``text``: all of its words, the last one perhaps unfinished, anywhere in labels, session, notes, findings or
    reviews. ``since`` and ``until`` are dates of the session, both included. ``unchanged_since`` serves retention.
    ``sort``: a SortBy or the name of a figure.
    """

    text: str = ""
    clinician: str = ""
    client: str = ""
    tag: str = ""
    judge: str = ""
    statuses: tuple[CaseStatus, ...] = ()
    since: date | None = None
    until: date | None = None
    unchanged_since: datetime | None = None
    score: ScoreRange | None = None
    archived: bool = False
    sort: str = SortBy.CHANGED
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Bundle:
    """One case as it travels or is copied: rows by their ids; evaluations without the texts that stand beside them."""

    id: str
    labels: Labels
    status: CaseStatus
    created: datetime
    changed: datetime
    transcripts: tuple[BundledTranscript, ...]
    revisions: tuple[Revision, ...]
    evaluations: tuple[BundledEvaluation, ...]
    reviews: tuple[BundledReview, ...]

    def renamed(self) -> Bundle:
        """A second case with the same content: ids of its own, and no reviews, which belong to the first."""
        transcripts = {one.id: new_id() for one in self.transcripts}
        revisions = {one.id: new_id() for one in self.revisions}
        evaluations = tuple(
            BundledEvaluation(
                transcripts[one.transcript], replace(one.kept, id=new_id(), revision=revisions[one.kept.revision])
            )
            for one in self.evaluations
        )
        return replace(
            self,
            id=new_id(),
            labels=replace(self.labels, label=f"{self.labels.label} (copy)"),
            status=CaseStatus.DRAFT,
            transcripts=tuple(replace(one, id=transcripts[one.id]) for one in self.transcripts),
            revisions=tuple(replace(one, id=revisions[one.id]) for one in self.revisions),
            evaluations=evaluations,
            reviews=(),
        )


@dataclass(frozen=True, slots=True)
class BundledTranscript:
    id: str
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class BundledEvaluation:
    transcript: str
    kept: KeptEvaluation


@dataclass(frozen=True, slots=True)
class BundledReview:
    """``seal`` is by the owner of ``signer`` (a public key in hex), over the review, its session and its rubric: see
    ``signing.ReviewSeal``. Both may be empty.
    """

    changed: datetime
    review: Review
    signer: str = ""
    seal: str = ""


def new_id() -> str:
    return uuid.uuid4().hex


def pack(value: object) -> bytes:
    """A value as compressed JSON: transcripts take a quarter of the room, in the library and in every backup."""
    text = json.dumps(to_plain(value), ensure_ascii=False, separators=(",", ":"))
    # Half of a surrogate pair, which earlier versions took in, has no UTF-8: surrogatepass keeps it.
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def unpack(kind: type[T], content: bytes) -> T:
    """Raises ValueError where the content is not a ``kind``."""
    try:
        text = zlib.decompress(content).decode("utf-8", "surrogatepass")
    except zlib.error as error:
        raise ValueError(f"not a {kind.__name__}") from error
    return from_plain(kind, json.loads(text))


def without_texts(evaluation: Evaluation) -> Evaluation:
    """As it is kept: the session and the note that it judged are kept once, beside it."""
    return replace(evaluation, case=Case(Transcript(()), Note("", (), ()), evaluation.case.label))


def with_texts(evaluation: Evaluation, transcript: Transcript, note: Note) -> Evaluation:
    return replace(evaluation, case=Case(transcript, note, evaluation.case.label))
