"""What a supervisor and a clinician talk over, from a review's marks: on one sheet, most pressing first.

It speaks of the note, never of the person who wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from noteeval_desktop.domain import phrases
from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.evaluation import DimensionScore
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import HIGHEST, Dimension
from noteeval_desktop.domain.reviewed import JUDGED_OTHERWISE
from noteeval_desktop.domain.verdicts import ERRORS, SAYS, Verdict
from noteeval_desktop.present.card import Scorecard
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.risks import named_with_turns
from noteeval_desktop.present.scores import figure
from noteeval_desktop.present.vocabulary import GENERAL, NOT_NEEDED, SECTION_NAMES
from noteeval_desktop.report.feedback import NOT_MARKED, DifferenceRow, Feedback, ItemRow, Remark, SentenceRow

MOST_STRENGTHS, MOST_TO_WORK_ON, MOST_OPEN, MOST_REMARKS = 4, 3, 5, 6
_MOST_NAMED = 3
_WHERE = " ({turns})"
FOUND_BY_THE_CHECK = tr("Found by the check; the supervisor was not asked")
_SUPPORTED = Verdict.SUPPORTED.value
_WRONG = {verdict: f"{phrases.sentence(SAYS[verdict])}." for verdict in ERRORS}
_GOOD_SHARE, _GOOD_RATING, _LOW_RATING = 0.9, 4, 2
_MOST_QUOTED = 110
_PRESSING = (Dimension.RISK, Dimension.FAITHFULNESS, Dimension.COMPLETENESS, Dimension.CONCISENESS)


@dataclass(frozen=True, slots=True)
class Point:
    """``details`` name what it is about: items, sentences, passages; ``more`` counts those not named."""

    text: str
    details: tuple[str, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Talk:
    """At most four strengths and three things to work on, most pressing first; ``not_asked``: statements that the check
    called wrong, and about which nobody asked the supervisor. ``open`` and ``remarks`` are cut to what one page holds,
    ``open_count`` and ``remark_count`` say how many there are."""

    strengths: tuple[Point, ...]
    to_work_on: tuple[Point, ...]
    not_asked: tuple[Point, ...]
    open: tuple[DifferenceRow, ...]
    open_count: int
    remarks: tuple[Remark, ...]
    remark_count: int


def talk(feedback: Feedback, card: Scorecard) -> Talk:
    """``card`` is the same evaluation's: of it comes only what nobody asked the supervisor about."""
    return Talk(
        strengths=tuple(_strengths(feedback))[:MOST_STRENGTHS],
        to_work_on=tuple(_to_work_on(feedback))[:MOST_TO_WORK_ON],
        not_asked=tuple(_not_asked(feedback, card)),
        open=tuple(sorted(feedback.open, key=lambda row: _PRESSING.index(row.dimension)))[:MOST_OPEN],
        open_count=len(feedback.open),
        remarks=feedback.remarks[:MOST_REMARKS],
        remark_count=len(feedback.remarks),
    )


def short(text: str, most: int = _MOST_QUOTED) -> str:
    return phrases.shortened(text, most)


def _strengths(feedback: Feedback) -> Iterator[Point]:
    scores = feedback.settled
    supported = [_quoted(row) for row in feedback.sentences if not _to_mend(row) and row.claim.decided == _SUPPORTED]
    if _full(scores.faithfulness):
        every = tr("The session supports every statement ({count}).")
        asked = tr("The session supports every statement that the supervisor was asked about ({count}).")
        said = (asked if feedback.partly else every).format(count=scores.faithfulness.total)
        yield _point(said, supported if feedback.partly else [])
    full = [title for title, rows in feedback.items if title != GENERAL and _all_present(rows)]
    if full:
        yield Point(tr("Every checklist item is covered in {sections}.").format(sections=phrases.listed(full)))
    disputed = any(row.mandatory and row.marks.open for _, rows in feedback.items for row in rows)
    if not disputed and not _missing(feedback, mandatory=True) and scores.completeness.total:
        yield Point(tr("No mandatory item is missing."))
    elif written := [row.name for _, rows in feedback.items for row in rows if row.mandatory and _covered(row)]:
        yield Point(tr("Mandatory items that the note covers."), tuple(written))
    if _full(scores.conciseness):
        yield Point(tr("Every sentence is needed ({count}).").format(count=scores.conciseness.total))
    for score, counted in (
        (scores.faithfulness, tr("statements are supported by the session")),
        (scores.conciseness, tr("sentences are needed")),
        (scores.completeness, tr("checklist items are covered")),
    ):
        if score.note is not None and _GOOD_SHARE <= score.note < 1:
            asked = tr(", of those that the supervisor was asked about") if feedback.partly else ""
            yield Point(f"{figure(score)} {counted}{asked}.")
    if supported and not _full(scores.faithfulness):
        yield _point(tr("Statements that the session supports."), supported)
    rated = _rated(feedback, lambda value: value >= _GOOD_RATING)
    if rated:
        said = tr("Rated {least} or {most} of {most}: {what}.")
        yield Point(said.format(least=_GOOD_RATING, most=HIGHEST, what=", ".join(rated)))


def _to_work_on(feedback: Feedback) -> Iterator[Point]:
    for said, answer in (
        (tr("Risk came up that is not in the note."), RiskAnswer.LEFT_OUT),
        (tr("Risk came up, and the note says the opposite."), RiskAnswer.OPPOSITE),
    ):
        if named := named_with_turns(((row.name, row.turn) for row in feedback.risks if row.answer is answer), _WHERE):
            yield _point(said, named)
    for verdict, said in _WRONG.items():
        marked = [row for row in feedback.sentences if row.claim.decided == verdict.value]
        for why, judged in ((said, False), (f"{phrases.sentence(JUDGED_OTHERWISE)}.", True)):
            wrong = [_quoted(row) for row in marked if row.judged is judged]
            if wrong:
                yield _point(why, wrong)
    mandatory = _missing(feedback, mandatory=True)
    if mandatory:
        yield _point(tr("Mandatory items that the note does not cover."), mandatory)
    unneeded = [_quoted(row) for row in feedback.sentences if _unneeded(row)]
    if unneeded:
        yield _point(tr("Sentences that may not be needed."), unneeded)
    others = _missing(feedback, mandatory=False)
    if others:
        yield _point(tr("Other items that the note does not cover."), others)
    low = _rated(feedback, lambda value: value <= _LOW_RATING)
    if low:
        yield _point(tr("Rated {most} of {of} or less.").format(most=_LOW_RATING, of=HIGHEST), low)


def _not_asked(feedback: Feedback, card: Scorecard) -> Iterator[Point]:
    turns = {row.turn for row in feedback.risks}
    open_ = [danger for danger in card.dangers if danger.open]
    left = [(one.name, one.finding.citation.turn) for one in open_ if one.finding.citation.turn not in turns]
    dangers = named_with_turns(left, _WHERE)
    # What the check found left out on risk beside its list of dangers.
    omitted = [one for one in card.findings if one.pressing and one.kind is FindingKind.OMISSION]
    dangers += [f"“{short(one.text)}”" for one in omitted if not open_]
    if named := list(dict.fromkeys(dangers)):
        yield _point(tr("Risk came up that the check did not find in the note."), named)
    asked = {row.text for row in feedback.sentences if row.claim.supervisor != NOT_MARKED}
    for verdict, said in _WRONG.items():
        wrong = [_quoted(one) for one in card.of(KIND_OF_CLAIM[verdict]) if one.text not in asked]
        if wrong:
            yield _point(said, wrong)


def _point(text: str, details: list[str]) -> Point:
    return Point(text, tuple(details[:_MOST_NAMED]), max(len(details) - _MOST_NAMED, 0))


def _full(score: DimensionScore) -> bool:
    return score.total > 0 and score.done == score.total


def _unneeded(row: SentenceRow) -> bool:
    return row.needed.decided == NOT_NEEDED


def _to_mend(row: SentenceRow) -> bool:
    """What is to be worked on, or still open, is never praised on the same page."""
    return _unneeded(row) or row.claim.decided in _WRONG or row.needed.open or row.claim.open


def _covered(row: ItemRow) -> bool:
    return row.marks.decided == "present" and not row.marks.open


def _all_present(rows: tuple[ItemRow, ...]) -> bool:
    return bool(rows) and all(row.marks.supervisor != NOT_MARKED and _covered(row) for row in rows)


def _missing(feedback: Feedback, *, mandatory: bool) -> list[str]:
    return [
        f"{row.name} ({title})"
        for title, rows in feedback.items
        for row in rows
        if row.mandatory is mandatory and row.marks.decided == "missing"
    ]


def _quoted(row: SentenceRow | Finding) -> str:
    return f"“{short(row.text)}” ({row.section})"


def _rated(feedback: Feedback, fits: Callable[[int], bool]) -> list[str]:
    # By the sections of the protocol, whatever the note and its checklist call theirs.
    titles = [SECTION_NAMES[section] for section in SOAP]
    found = []
    for row in feedback.ratings:
        if row.note is not None and fits(row.note):
            found.append(tr("{dimension} of the note").format(dimension=row.dimension.value))
        found += [
            tr("{dimension} of {section}").format(dimension=row.dimension.value, section=title)
            for title, value in zip(titles, row.sections, strict=True)
            if value is not None and fits(value)
        ]
    return found
