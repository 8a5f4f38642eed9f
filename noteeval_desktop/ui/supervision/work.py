"""What supervision's jobs do on the disk: values in, values out, no widget.

Imported when a review is first opened: the store loads what the first screen does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from noteeval_desktop import paths
from noteeval_desktop.domain.asked import asked_dangers, rest_on_risk
from noteeval_desktop.domain.carrying import carried, rewritten
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import AnswerKind, Review, ReviewKind, SignerKnown, Vouched
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.standing import CaseStatus, Stand, came_back
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.store import signing
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, CaseSummary, OpenedCase, Origin, Provenance, new_id
from noteeval_desktop.store.supervision import BankComment, Rater
from noteeval_desktop.ui.library import brought
from noteeval_desktop.ui.library.work import decisions_of
from noteeval_desktop.ui.supervision.review_session import Earlier, OpenReview

MOST_CASES = 1_000_000
_KNOWN = {
    Origin.OWN: SignerKnown.OWN,
    Origin.KNOWN: SignerKnown.COMPARED,
    Origin.UNKNOWN: SignerKnown.NOT_COMPARED,
    Origin.UNSIGNED: SignerKnown.NOT_SIGNED,
    Origin.MISMATCH: SignerKnown.ANOTHER,
}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the author of a note gets to see: the latest handed-in review, the note that it is about, what the judge
    that checked it last said of that note, who vouches for the review, and what the author set aside, as in OpenReview.
    ``mine``: somebody else wrote the note, and it was reviewed in this library. ``forged``: what is to be said of
    reviews under a name that is not their signer's.
    """

    case_id: str
    stand: Stand
    review: Review | None
    note: Note | None
    judged: Evaluation | None = None
    provenance: Provenance | None = None
    dismissed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    mine: bool = False
    vouched: Vouched | None = None
    forged: tuple[str, ...] = ()


def begin(library: Library, case_id: str, name: str, rubric: Rubric, now: Callable[[], datetime]) -> OpenReview:
    """The review of the latest revision by ``name``: the one that was begun, or a new one, which is kept at once."""
    opened = library.cases.open(case_id)
    note = opened.revisions[-1].note
    rubric = next((one.evaluation.rubric for one in reversed(opened.evaluations) if one.evaluation.rubric), rubric)
    own = [one for one in opened.own_reviews if one.kind is ReviewKind.SUPERVISION and one.rater == name]
    earlier = _earlier(own, opened)
    review = next((one for one in own if one.note_sha256 == note.sha256), None)
    if review is not None and review.blind:
        review = _with_seen(review, opened)
    if review is None:
        review = Review(new_id(), ReviewKind.SUPERVISION, name, note.sha256, now())
        if earlier is not None:
            review = carried(earlier.review, earlier.note, note, rubric, review.id, review.started)
        review = _with_seen(review, opened)
        library.cases.save_review(case_id, review)
    known = (one.evaluation.risks for one in reversed(opened.evaluations) if one.evaluation.risks is not None)
    # Of the session alone: what the note says to them is a judge's mark, and stays hidden.
    dangers = tuple(replace(risk, addressed_by=None, doubted=()) for risk in asked_dangers(next(known, ())))
    changes = rewritten(earlier.review, earlier.note, note) if earlier is not None else ()
    new = (one.id for change in changes for one in change.after)
    also = frozenset(new).union(*map(rest_on_risk, _judged(opened, note.sha256)))
    summary = opened.summary
    shown = OpenReview(
        case_id,
        summary.status,
        opened.transcript,
        note,
        review,
        earlier,
        dangers,
        also,
        bank(library),
        stand=summary.stand,
        own_note=not summary.imported,
        rubric=rubric,
    )
    return shown if review.blind else _uncovered(shown, opened)


def _with_seen(review: Review, opened: OpenedCase) -> Review:
    """With whether the judge's marks of this note were shown in this library before these were in."""
    return replace(review, unblinded=review.unblinded or review.note_sha256 in opened.seen)


def _earlier(own: list[Review], opened: OpenedCase) -> Earlier | None:
    """The last one that was handed in of another revision than the present one."""
    notes = {one.note.sha256: one.note for one in opened.revisions}
    present = opened.revisions[-1].note.sha256
    before = [one for one in own if one.submitted and one.note_sha256 != present and one.note_sha256 in notes]
    last = max(before, key=lambda one: one.submitted or one.started, default=None)
    return None if last is None else Earlier(last, notes[last.note_sha256])


def _uncovered(shown: OpenReview, opened: OpenedCase) -> OpenReview:
    """With the judges' marks of this revision: the latest complete one of each judge, the newest last."""
    before = _judged(opened, shown.earlier.note.sha256) if shown.earlier else ()
    judged = _judged(opened, shown.review.note_sha256)
    labels = opened.summary.labels
    return replace(shown, labels=labels, dismissed=_dismissed(opened), judged=judged, judged_before=before)


def _dismissed(opened: OpenedCase) -> dict[str, str]:
    own = [one for one in opened.reviews if one.kind is ReviewKind.SELF]
    return {a.finding: a.reason for one in own for a in one.answers if a.kind is AnswerKind.DISMISSED}


def _judged(opened: OpenedCase, note_sha256: str) -> tuple[Evaluation, ...]:
    """Called as the case is in the library: what was judged before it was kept had no label."""
    label = opened.summary.labels.label
    judged = {
        one.evaluation.judge: one.evaluation
        for one in opened.evaluations
        if one.evaluation.complete and one.evaluation.case.note.sha256 == note_sha256
    }
    return tuple(replace(one, case=replace(one.case, label=label or one.case.label)) for one in judged.values())


def hand_in(library: Library, shown: OpenReview, review: Review) -> OpenReview:
    """Keep the marks first; only then is there anything of the judge to see. The review comes back as it was kept."""
    opened = library.cases.read(shown.case_id)
    review = _with_seen(review, opened)
    library.cases.save_review(shown.case_id, review)
    library.cases.show_marks(review.note_sha256)
    stood = library.cases.summary(shown.case_id).stand
    return _uncovered(replace(shown, review=review, stand=stood), opened)


def finish(library: Library, case_id: str, review: Review, status: CaseStatus, passphrase: str = "") -> CaseSummary:
    """The review's last state with the status that it leads to; ``passphrase``: to approve it. The signature's
    credentials are remembered for the next time. Raises NotConfirmed, NameTaken or OwnNote."""
    signature = review.signature if status is CaseStatus.APPROVED else None
    if signature is not None:
        library.supervision.check_name(signature.name)
        library.confirm(passphrase)
    if status not in library.cases.summary(case_id).status.next:
        library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    library.cases.finish_review(case_id, review, status)
    if signature is not None:
        library.supervision.set_rater(Rater(review.rater, signature.credentials))
    return library.cases.summary(case_id)


def feedback(library: Library, case_id: str) -> Feedback:
    """What came back to the author: nothing of a review that is not handed in, or that has not come back yet."""
    opened = library.cases.read(case_id)
    status, present = opened.summary.status, opened.revisions[-1].note.sha256
    forged = tuple(
        brought.under_another_name(review, one)
        for review, one in zip(opened.reviews, opened.provenance, strict=True)
        if not one.counts
    )
    back = came_back(opened.counted_reviews, status, present).values()
    last = max(back, key=lambda one: one.submitted or one.started, default=None)
    if last is None:
        return Feedback(case_id, opened.summary.stand, None, None, forged=forged)
    notes = {one.note.sha256: one.note for one in opened.revisions}
    judged = _judged(opened, last.note_sha256)
    provenance = opened.provenance[opened.reviews.index(last)]
    note, newest = notes.get(last.note_sha256), judged[-1] if judged else None
    mine = opened.summary.imported and provenance.origin is Origin.OWN
    stood, vouched = opened.summary.stand, _vouched(opened, last)
    return Feedback(case_id, stood, last, note, newest, provenance, _dismissed(opened), mine, vouched, forged)


def papers(library: Library, case_id: str, review: Review) -> tuple[Vouched, tuple[Decision, ...]]:
    """What a scorecard with a review tells beside the marks: who signed the review, as this library knows them, and
    what the note's author decided."""
    opened = library.cases.read(case_id)
    own = [one for one in opened.reviews if one.kind is ReviewKind.SELF]
    return _vouched(opened, review), decisions_of(own)


def _vouched(opened: OpenedCase, review: Review) -> Vouched:
    known = {one.id: provenance for one, provenance in zip(opened.reviews, opened.provenance, strict=True)}
    one = known.get(review.id, Provenance(Origin.UNSIGNED))
    return Vouched(_KNOWN[one.origin], signing.fingerprint(one.key) if one.key else "", one.name)


# The comment bank


def bank(library: Library) -> tuple[BankComment, ...]:
    """The user's own comments, then those that ship."""
    ship = from_json((paths.resources() / "comments.json").read_text("utf-8"))["comments"]
    return (*library.supervision.comments(), *(BankComment(entry["text"], entry["item"]) for entry in ship))


def keep_comment(library: Library, comment: BankComment) -> tuple[BankComment, ...]:
    library.supervision.keep_comment(comment)
    return bank(library)


def remove_comment(library: Library, comment: BankComment) -> tuple[BankComment, ...]:
    library.supervision.remove_comment(comment)
    return bank(library)


# Raters and judges over the whole library


@dataclass(frozen=True, slots=True)
class Rated:
    """One revision with its handed-in reviews and what each judge said of it."""

    case_id: str
    note: Note
    reviews: tuple[Review, ...]
    judged: tuple[Evaluation, ...]


def rated(library: Library, tag: str, cancelled: Callable[[], bool]) -> tuple[Rated, ...]:
    """Every revision that somebody's marks are in for, over the cases with a tag (empty: all that are not archived).

    Reviews that were not wholly blind are left out: they began with carried marks, many of which are the judge's own,
    taken in settling, or somebody had opened the judge's marks before. So are those of which nobody has said whose
    they are: what anybody could write into a file moves no figure.
    """
    found: list[Rated] = []
    for summary in library.cases.find(CaseQuery(tag=tag), MOST_CASES):
        if cancelled():
            break
        found += _rated(library, summary.id)
    return tuple(found)


def _rated(library: Library, case_id: str) -> list[Rated]:
    reviews = library.cases.reviews(case_id)
    if not any(one.kind is ReviewKind.SUPERVISION and one.submitted for one in reviews):
        return []
    opened = library.cases.read(case_id)
    done = [one for one in opened.sure_reviews if one.independent]
    result = []
    for revision in {one.note.sha256: one for one in opened.revisions}.values():
        own = tuple(one for one in done if one.note_sha256 == revision.note.sha256)
        if own:
            result.append(Rated(case_id, revision.note, own, _judged(opened, revision.note.sha256)))
    return result
