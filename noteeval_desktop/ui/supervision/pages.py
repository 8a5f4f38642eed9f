"""What the panel of the review window shows: pure functions from the state of a review to a Page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from gettext import gettext as tr

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.carrying import Rewritten
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.review import Comment, Review
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.standing import Stand, Standing
from noteeval_desktop.present import standing
from noteeval_desktop.present.vocabulary import IMPORTANCE_NAMES, KINDS, VERDICTS
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.supervision import risk_words, words
from noteeval_desktop.ui.supervision.marking import Differing, Marking, settlement_of
from noteeval_desktop.ui.supervision.passes import (
    Choice,
    CompletenessPass,
    ConcisenessPass,
    FaithfulnessPass,
    Place,
    RiskPass,
)
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_list

_LONGEST = 90
_DONE, _OPEN = "✓", "·"
_LOOKS = {
    words.MISSING: KINDS[FindingKind.MISSING],
    words.RISK_ANSWERS[RiskAnswer.LEFT_OUT]: KINDS[FindingKind.OMISSION],
    words.RISK_ANSWERS[RiskAnswer.OPPOSITE]: KINDS[FindingKind.CONTRADICTED],
    words.NOT_NEEDED: KINDS[FindingKind.UNNEEDED],
    words.JUDGED: KINDS[FindingKind.CONTRADICTED],
    **{VERDICTS[verdict].mark: KINDS[kind] for verdict, kind in KIND_OF_CLAIM.items()},
}


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the list; ``at`` is the place that it stands for, None for a heading."""

    row: Row
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """``where`` stands small over ``title``; ``remark`` below the choices; ``keys`` in the bottom line."""

    question: str
    where: str
    title: str
    detail: str
    choices: tuple[Choice, ...]
    remark: str
    lines: tuple[Line, ...]
    at: int
    keys: str


def pass_page(marking: Marking, picked: Sequence[int]) -> Page:
    one, place, review = marking.current, marking.place, marking.review
    lines = _grouped_by_name((p.heading for p in one.places), [_mark_row(p, one.said(p, review)) for p in one.places])
    if place is None:
        return Page(one.question, "", words.THERE_IS_NOTHING_TO_MARK_HERE, "", (), "", lines, 0, words.KEYS_MARKING)
    remark, keys = "", words.KEYS_MARKING
    if isinstance(one, FaithfulnessPass):
        remark, keys = words.sources(picked), words.KEYS_CLAIMS
    elif isinstance(one, RiskPass) and review.blind:
        remark = risk_words.A_RISK_NOT_LISTED
    elif isinstance(one, ConcisenessPass):
        keys = words.KEYS_NEEDS
    if not review.blind:
        keys = words.HANDED_IN
    commented = _commented(place, review)
    return Page(
        one.question,
        _where(marking, place),
        place.words,
        place.explained,
        one.choices(place, review),
        "\n".join(part for part in (remark, commented) if part),
        lines,
        marking.at,
        keys,
    )


def difference_page(found: Sequence[Differing], at: int, review: Review, judge: str) -> Page:
    rows = [_difference_row(one, review) for one in found]
    lines = _grouped_by_name((words.DIMENSION_NAMES[one.difference.dimension] for one in found), rows)
    if not found:
        return Page(words.ASK_DIFFERENCE, "", words.NO_DIFFERENCE, "", (), "", (), 0, "")
    one = found[at]
    difference, settled = one.difference, settlement_of(one.difference, review)
    dimension = difference.dimension
    mine, theirs = one.mine, words.value(dimension, difference.judge)
    agreed = settled.agreed if settled else ""
    other = bool(settled) and agreed not in (difference.person, difference.judge)
    other_words = words.something_else(words.value(dimension, agreed)) if other else words.SOMETHING_ELSE_ASKS
    done = sum(settlement_of(each.difference, review) is not None for each in found)
    where = words.where_settling(dimension, at + 1, len(found), done)
    return Page(
        words.ASK_DIFFERENCE,
        where,
        one.place.words,
        one.place.explained,
        ()
        if review.signature
        else (
            Choice("K", words.keep_mine(mine), "mine", agreed == difference.person),
            Choice("T", words.take_theirs(theirs), "judge", agreed == difference.judge),
            Choice("O", other_words, "other", other),
        ),
        _grounds(one, judge, settled.reason if settled else ""),
        lines,
        at,
        words.SIGNED if review.signature else words.KEYS_SETTLING,
    )


def answer_page(
    review: Review, at: int, stand: Stand, choices: tuple[Choice, ...], said: str, item_name: Callable[[str], str]
) -> Page:
    """What happens with the note, and every comment that goes with it."""
    rows = [_comment_row(comment, item_name) for comment in review.comments]
    heading = Row(words.for_the_note(words.comments(len(rows)).capitalize()), heading=True)
    lines = (Line(heading), *(Line(row, n) for n, row in enumerate(rows)))
    keys = words.SIGNED if review.signature else words.KEYS_ANSWER
    asks = words.ANSWERED if stand.standing in (Standing.RETURNED, Standing.APPROVED) else words.ASK_ANSWER
    return Page(asks, "", standing.said(stand, mine=stand.review == review.id), said, choices, "", lines, at, keys)


def comments_page(review: Review, at: int, item_name: Callable[[str], str]) -> Page:
    """What was written so far, to be changed before the marks are in."""
    lines = tuple(Line(_comment_row(comment, item_name), n) for n, comment in enumerate(review.comments))
    if not lines:
        return Page(words.ASK_COMMENTS, "", words.NO_COMMENT_YET, "", (), "", (), 0, words.KEYS_COMMENTS)
    choices = (
        Choice("E", words.EDIT_COMMENT, "edit", marks=False),
        Choice("D", words.REMOVE_COMMENT, "remove", marks=False),
    )
    title = review.comments[at].text
    return Page(words.ASK_COMMENTS, "", title, "", choices, "", lines, at, words.KEYS_COMMENTS)


def changes_page(
    changes: Sequence[Rewritten], at: int, carried: str, judged: str, decided: Sequence[tuple[str, str]] = ()
) -> Page:
    """``judged``: what each change solved or caused by the judge; empty until the marks are in. ``decided``: what was
    settled last time of what still stands, each with what it is about."""
    rows = [_change_row(change) for change in changes]
    if judged:
        rows.append(Row(words.BY_THE_JUDGE, sign="≈", tone="accent"))
    before = [_decided_row(about, said) for about, said in decided]
    kept = (Line(Row(words.DECIDED_BEFORE, heading=True)), *map(Line, before)) if before else ()
    lines = (*(Line(row, n) for n, row in enumerate(rows)), *kept)
    if not rows:
        return Page(words.ASK_CHANGES, "", words.NOTHING_CHANGED, carried, (), "", lines, 0, words.KEYS_CHANGES)
    title, detail = words.BY_THE_JUDGE, judged
    if at < len(changes):
        one = changes[at]
        title = words.UNCHANGED if not (one.before or one.after) else words.change_number(at + 1, len(changes))
        detail = "\n\n".join(part for part in (_then_and_now(one), *(words.you(c.text) for c in one.comments)) if part)
    return Page(words.ASK_CHANGES, carried, title, detail, (), "", lines, at, words.KEYS_CHANGES)


# Rows


def _decided_row(about: str, said: str) -> Row:
    """What was settled as wrong and still stands is no tick."""
    sign, tone = _sign(said.split(":")[0])
    return Row(shortened(about, _LONGEST), said, sign, tone)


def _sign(said: str) -> tuple[str, str]:
    """And its tone."""
    look = _LOOKS.get(said)
    return (look.sign, look.tone) if look else (_DONE, "green")


def _mark_row(place: Place, said: str) -> Row:
    sign, tone = _sign(said.split(" · ")[0]) if said else (_OPEN, "muted")
    aside = "" if said in (words.PRESENT, "") else shortened(said, 34)
    return Row(
        shortened(place.words, _LONGEST),
        sign=sign,
        tone=tone,
        aside="" if len(aside) > 24 else aside,
        detail=aside if len(aside) > 24 else "",
        hint=said,
    )


def _difference_row(one: Differing, review: Review) -> Row:
    settled = settlement_of(one.difference, review)
    dimension = one.difference.dimension
    said = f"{words.you(one.mine)} · {words.judged(words.value(dimension, one.difference.judge))}"
    if settled:
        own = settled.agreed == one.difference.person
        said = words.settled(one.mine if own else words.value(dimension, settled.agreed))
    sign, tone = (_DONE, "green") if settled else (_OPEN, "text")
    return Row(shortened(one.place.words, _LONGEST), said, sign, tone)


def _comment_row(comment: Comment, item_name: Callable[[str], str]) -> Row:
    about = item_name(comment.item) if comment.item else ""
    quote = f"“{shortened(comment.quote, 70)}”" if comment.quote else ""
    turns = turn_list(comment.turns) if comment.turns else ""
    return Row(comment.text, " · ".join(part for part in (turns, about, quote) if part), "✎", "accent")


def _change_row(change: Rewritten) -> Row:
    if not (change.before or change.after):
        return Row(words.COMMENTS_ON_UNCHANGED_TEXT, words.comments(len(change.comments)), "✎", "accent")
    text = " ".join(one.text for one in change.after or change.before)
    kind = "rewritten" if change.before and change.after else "added" if change.after else "removed"
    sign = {"rewritten": "±", "added": "+", "removed": "−"}[kind]
    said = f"{kind}, {words.comments(len(change.comments))}" if change.comments else kind
    return Row(shortened(text, _LONGEST), said, sign, "accent")


def _grouped_by_name(names: Iterable[str], rows: Sequence[Row]) -> tuple[Line, ...]:
    lines: list[Line] = []
    last = ""
    for at, (name, row) in enumerate(zip(names, rows, strict=True)):
        if name and name != last:
            lines.append(Line(Row(name, heading=True)))
            last = name
        lines.append(Line(row, at))
    return tuple(lines)


# Words around a place


def _where(marking: Marking, place: Place) -> str:
    parts = [tr("{at} of {count}").format(at=marking.at + 1, count=len(marking.current.places))]
    if place.heading:
        parts.insert(0, place.heading)
    if isinstance(marking.current, CompletenessPass):
        importance = marking.rubric.item(place.id).importance
        parts.append(IMPORTANCE_NAMES[importance] if importance is not Importance.RECOMMENDED else "")
    return " · ".join(part for part in parts if part)


def _commented(place: Place, review: Review) -> str:
    own = [
        comment.text
        for comment in review.comments
        if comment.item == place.id
        or (place.id.isdecimal() and int(place.id) in comment.turns)
        or (place.span is not None and place.id not in _items(review) and _overlap(comment, place))
    ]
    return "\n".join(f"✎ {shortened(text, 120)}" for text in own)


def _items(review: Review) -> set[str]:
    return {mark.item for mark in review.items}


def _overlap(comment: Comment, place: Place) -> bool:
    span = place.span
    return span is not None and comment.span.start < span.end and span.start < comment.span.end


def _grounds(one: Differing, judge: str, reason: str) -> str:
    parts = []
    if one.reason:
        parts.append(f"{judge}: {one.reason}")
    if one.citations:
        turns = sorted({citation.turn for citation in one.citations})
        parts.append(words.judge_points(judge, turn_list(turns).lower()))
    if one.own_turns:
        parts.append(words.you_picked(turn_list(one.own_turns).lower()))
    if reason:
        parts.append(words.why(reason))
    return "\n".join(parts)


def _then_and_now(change: Rewritten) -> str:
    return "\n".join([*(f"− {one.text}" for one in change.before), *(f"+ {one.text}" for one in change.after)])


def item_names(rubric: Rubric) -> Callable[[str], str]:
    names = {item.id: item.name for item in rubric.items}
    return lambda item: names.get(item, item)
