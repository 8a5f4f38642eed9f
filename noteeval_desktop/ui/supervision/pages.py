"""What the review window shows of a session: pure functions to a Page, to the marks in the note, to the transcript."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.asked import RISK_AS, RISK_PLACE, RiskAnswer
from noteeval_desktop.domain.carrying import Rewritten
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Review, Settlement
from noteeval_desktop.domain.reviewed import settled_marks
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.standing import CaseStatus, Standing
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.present import standing
from noteeval_desktop.present.vocabulary import IMPORTANCE_NAMES, KINDS, VERDICTS
from noteeval_desktop.store.errors import OwnNote
from noteeval_desktop.ui.editor.highlights import Highlight
from noteeval_desktop.ui.editor.speakers_strip import ROLE_NAMES
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.differing import Differing, settlement_of
from noteeval_desktop.ui.supervision.passes import Choice, Place, Stage
from noteeval_desktop.ui.supervision.review_session import ReviewSession
from noteeval_desktop.ui.widgets.plain import native, shortened
from noteeval_desktop.ui.widgets.words import turn_list

_LONGEST = 90
_DONE, _OPEN = "✓", "·"
_KINDS = {verdict: FindingKind(verdict.value) for verdict in ERRORS}
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
    title: str
    where: str = ""
    detail: str = ""
    choices: tuple[Choice, ...] = ()
    remark: str = ""
    lines: tuple[Line, ...] = ()
    at: int = 0
    keys: str = ""


def page(session: ReviewSession) -> Page:
    match session.stage:
        case Stage.CHANGES:
            return _changes_page(session)
        case Stage.COMMENTS:
            return _comments_page(session)
        case Stage.DIFFERENCES:
            return _difference_page(session)
        case Stage.ANSWER:
            return _answer_page(session)
    return _pass_page(session)


def _keys(said: str) -> str:
    return said.format(
        undo=native("Ctrl+Z"), submit=native("Ctrl+Enter"), search=native("Ctrl+F"), all_keys=native("F1")
    )


def _pass_page(session: ReviewSession) -> Page:
    one, place, review = session.current, session.place, session.review
    assert one is not None
    lines = grouped((p.heading for p in one.places), [_mark_row(p, one.said(p, review)) for p in one.places])
    remark = ""
    keys = tr("↓ next · ↑ back · J next open · C comment · {undo} undo · {submit} submit · {all_keys} all keys")
    if place is None:
        return Page(one.question, tr("There is nothing to mark here."), lines=lines, keys=_keys(keys))
    if one.stage is Stage.FAITHFULNESS:
        picked = turn_list(session.picked).lower()
        remark = tr("Rests on: {turns}").format(turns=picked) if picked else tr("No turn selected yet.")
        keys = tr(
            "F find its words · Space pick the turn · {search} search · J next open · C comment · {all_keys} all keys"
        )
    elif one.stage is Stage.RISK and review.blind:
        remark = tr("A risk that is not listed? Select its turn in the session and press +, or right-click it.")
    elif one.stage is Stage.CONCISENESS:
        keys = tr("0 not needed · Enter next · ↑ back · J next open · C comment · {undo} undo · {all_keys} all keys")
    if not review.blind:
        keys = tr("Your marks are submitted and final.")
    where = [place.heading, tr("{at} of {count}").format(at=session.at + 1, count=len(one.places))]
    if one.stage is Stage.COMPLETENESS:
        importance = session.rubric.item(place.id).importance
        where.append(IMPORTANCE_NAMES[importance] if importance is not Importance.RECOMMENDED else "")
    return Page(
        one.question,
        place.words,
        _joined(where),
        place.explained,
        one.choices(place, review),
        _joined((remark, _commented(place, review)), "\n"),
        lines,
        session.at,
        _keys(keys),
    )


def _difference_page(session: ReviewSession) -> Page:
    asks, found, review = tr("You and the judge differ here. Which is right?"), session.found, session.review
    if session.evaluation is None:
        return Page(asks, words.NOTHING_JUDGED)
    if not found:
        return Page(asks, tr("You and the judge agree on everything."))
    rows = [_difference_row(one, review) for one in found]
    lines = grouped((words.DIMENSION_NAMES[one.difference.dimension] for one in found), rows)
    one = found[session.at]
    difference, settled = one.difference, session.settlement_here
    agreed = settled.agreed if settled else ""
    other = bool(settled) and agreed not in (difference.person, difference.judge)
    before = session.decided.get((difference.dimension, difference.place))
    last_time = tr("Last time you settled on: {agreed}").format(agreed=_decided(before, session)) if before else ""
    grounds = _grounds(one, session.judge_names[session.judge], settled.reason if settled else "")
    keys = tr("K keep mine · T take the judge’s · O something else · J next open · {undo} undo · {all_keys} all keys")
    choices = (
        Choice("K", tr("Keep mine: {mark}").format(mark=_mine(one)), "mine", agreed == difference.person),
        Choice(
            "T",
            tr("Take the judge’s: {mark}").format(mark=words.value(difference.dimension, difference.judge)),
            "judge",
            agreed == difference.judge,
        ),
        Choice(
            "O",
            tr("Something else: {mark}").format(mark=words.value(difference.dimension, agreed))
            if other
            else tr("Something else…"),
            "other",
            other,
        ),
    )
    return Page(
        asks,
        one.place.words,
        tr("{dimension} · {number} of {count} · {done} settled").format(
            dimension=words.DIMENSION_NAMES[difference.dimension],
            number=session.at + 1,
            count=len(found),
            done=session.settled_count,
        ),
        one.place.explained,
        () if review.signature else choices,
        _joined((grounds, last_time), "\n"),
        lines,
        session.at,
        _keys(_SIGNED if review.signature else keys),
    )


_SIGNED = tr("The review is signed and final. · {all_keys} all keys")


def _answer_page(session: ReviewSession) -> Page:
    """What happens with the note, and every comment that goes with it."""
    shown, review, offered = session.shown, session.review, session.answers
    named = {
        CaseStatus.RETURNED: tr("Return it for revision…"),
        CaseStatus.APPROVED: tr("Approve and sign…"),
    }
    choices = (
        *(Choice(key, named[status], status.value, marks=False) for key, status in offered.items()),
        Choice("P", tr("Save the scorecard as PDF…"), "pdf", marks=False),
        Choice("X", tr("Export the encrypted case file…"), "file", marks=False),
    )
    done, count = session.settled_count, len(session.found)
    said = [tr("{done} of {count} differences settled.").format(done=done, count=count) if count else ""]
    if shown.status is CaseStatus.DRAFT:
        said.append(tr("Returning or approving it counts it as submitted."))
    elif shown.status is CaseStatus.RETURNED:
        said.append(tr("It can be approved once its author has submitted it again."))
    if shown.own_note:
        said.append(tr("Return sends it back with your marks and comments.") if offered else "")
        said.append(OwnNote.says)
    elif offered:
        said.append(tr("Return sends it back with your marks and comments; Approve signs it as it is, in your name."))
    heading = tr("{comments} for the note").format(comments=words.comments(len(review.comments)).capitalize())
    asks = tr("Your marks are submitted. What should happen to the note?")
    keys = tr("C comment on the selected words · E edit · Delete remove · {undo} undo · {all_keys} all keys")
    return Page(
        tr("Your review is done.") if shown.stand.standing in (Standing.RETURNED, Standing.APPROVED) else asks,
        standing.said(shown.stand, mine=shown.stand.review == review.id),
        detail=_joined(said, " "),
        choices=choices,
        lines=(Line(Row(heading, heading=True)), *_comment_lines(session)),
        at=session.at,
        keys=_keys(_SIGNED if review.signature else keys),
    )


def _comments_page(session: ReviewSession) -> Page:
    """What was written so far, to be changed before the marks are in."""
    here = session.comment_here
    choices = (
        Choice("E", tr("Edit this comment…"), "edit", marks=False),
        Choice("D", tr("Remove this comment"), "remove", marks=False),
    )
    return Page(
        tr("Your comments so far. They go to the author with your marks."),
        here.text if here else tr("There are no comments. C adds one at any question."),
        choices=choices if here else (),
        lines=_comment_lines(session),
        at=session.at,
        keys=_keys(
            tr("↓ next · ↑ back · E edit · D remove · J next open question · {undo} undo · {all_keys} all keys")
        ),
    )


def _changes_page(session: ReviewSession) -> Page:
    """With what the changes solved or caused by the judge, once the marks are in, and with what was settled last time
    of what still stands."""
    changes, at, judged = session.changes, session.at, session.changes_judged
    by_judge = tr("What the changes fixed and caused, according to the judge")
    rows = [_change_row(change) for change in changes]
    if judged:
        rows.append(Row(by_judge, sign="≈", tone="accent"))
    before = _decided_before(session)
    settled = (Line(Row(tr("Settled last time, and still there"), heading=True)), *map(Line, before)) if before else ()
    carried = tr("Where the note reads as before, your earlier marks are kept.") if session.shown.review.carried else ""
    where, title, detail = carried, by_judge, judged
    if not rows:
        where, title, detail = "", tr("The sentences have not changed."), carried
    elif at < len(changes):
        one = changes[at]
        title = tr("Change {number} of {count}").format(number=at + 1, count=len(changes))
        title = title if one.before or one.after else tr("Unchanged")
        then = "\n".join([*(f"− {old.text}" for old in one.before), *(f"+ {new.text}" for new in one.after)])
        detail = _joined((then, *(words.by_you(comment.text) for comment in one.comments)), "\n\n")
    lines = (*(Line(row, n) for n, row in enumerate(rows)), *settled)
    keys = _keys(tr("↓ next · ↑ back · J first open question · {all_keys} all keys"))
    asks = tr("What was rewritten since the last review.")
    return Page(asks, title, where, detail, lines=lines, at=at, keys=keys)


def transcript(session: ReviewSession) -> Transcript:
    """While the review is blind without the therapist's name: it is the author's."""
    shown = session.shown.transcript
    if session.review.blind:
        for speaker in shown.speakers:
            if shown.role_of(speaker) is Role.THERAPIST:
                shown = shown.with_speaker_renamed(speaker, ROLE_NAMES[Role.THERAPIST])
    return shown


def highlights(session: ReviewSession) -> tuple[Highlight, ...]:
    """One's own marks on sentences, as they were settled; in each pass only its own."""
    review, spans = settled_marks(session.review), {s.id: s.span for s in session.note.sentences}
    marks: list[Highlight] = []
    if session.stage not in (Stage.COMPLETENESS, Stage.FAITHFULNESS):
        marks += [
            Highlight(spans[m.sentence], FindingKind.UNNEEDED, f"need:{m.sentence}", words.NOT_NEEDED)
            for m in review.needs
            if not m.needed and m.sentence in spans
        ]
    if session.stage not in (Stage.COMPLETENESS, Stage.CONCISENESS):
        marks += [
            Highlight(spans[m.sentence], _KINDS[m.verdict], f"claim:{m.sentence}", words.claim(m))
            for m in review.claims
            if m.verdict in _KINDS and m.sentence in spans
        ]
    return tuple(marks)


# Rows


def _decided_before(session: ReviewSession) -> list[Row]:
    """What was settled in the round before; what was settled as wrong and still stands is no tick."""
    about = {sentence.id: sentence.text for sentence in session.note.sentences}
    for turn in session.shown.transcript.turns:
        about |= dict.fromkeys((f"{RISK_PLACE}{turn.index}", f"{RISK_AS}{turn.index}"), f"“{turn.text}”")
    rows = []
    for (_, place), one in session.decided.items():
        said = _decided(one, session)
        sign, tone = _sign(said.split(":")[0])
        rows.append(Row(shortened(about.get(place, session.item_name(place)), _LONGEST), said, sign, tone))
    return rows


def _decided(one: Settlement, session: ReviewSession) -> str:
    """Of the round before, whose mark was carried over."""
    return words.decided(one, any(mark.judged for mark in session.shown.review.claims if mark.sentence == one.place))


def _sign(said: str) -> tuple[str, str]:
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


def _mine(one: Differing) -> str:
    return words.JUDGED if one.judged else words.value(one.difference.dimension, one.difference.person)


def _difference_row(one: Differing, review: Review) -> Row:
    settled = settlement_of(one.difference, review)
    dimension = one.difference.dimension
    if settled:
        own = settled.agreed == one.difference.person
        agreed = _mine(one) if own else words.value(dimension, settled.agreed)
        said, sign, tone = tr("Settled: {mark}").format(mark=agreed), _DONE, "green"
    else:
        theirs = tr("Judge: {mark}").format(mark=words.value(dimension, one.difference.judge))
        said, sign, tone = f"{words.by_you(_mine(one))} · {theirs}", _OPEN, "text"
    return Row(shortened(one.place.words, _LONGEST), said, sign, tone)


def _comment_lines(session: ReviewSession) -> tuple[Line, ...]:
    lines = []
    for at, one in enumerate(session.review.comments):
        about = session.item_name(one.item) if one.item else ""
        quote = f"“{shortened(one.quote, 70)}”" if one.quote else ""
        turns = turn_list(one.turns) if one.turns else ""
        lines.append(Line(Row(one.text, _joined((turns, about, quote)), "✎", "accent"), at))
    return tuple(lines)


def _change_row(change: Rewritten) -> Row:
    comments = words.comments(len(change.comments))
    if not (change.before or change.after):
        return Row(tr("Comments on unchanged text"), comments, "✎", "accent")
    text = " ".join(one.text for one in change.after or change.before)
    if change.before and change.after:
        sign, said = "±", tr("rewritten")
    elif change.after:
        sign, said = "+", tr("added")
    else:
        sign, said = "−", tr("removed")
    return Row(shortened(text, _LONGEST), f"{said}, {comments}" if change.comments else said, sign, "accent")


def grouped(names: Iterable[str], rows: Sequence[Row]) -> tuple[Line, ...]:
    """``rows`` under their names, each of which stands once over those that have it."""
    lines: list[Line] = []
    last = ""
    for at, (name, row) in enumerate(zip(names, rows, strict=True)):
        if name and name != last:
            lines.append(Line(Row(name, heading=True)))
            last = name
        lines.append(Line(row, at))
    return tuple(lines)


# Words around a place


def _joined(parts: Iterable[str], between: str = " · ") -> str:
    return between.join(filter(None, parts))


def _commented(place: Place, review: Review) -> str:
    items, span = {mark.item for mark in review.items}, place.span
    own = [
        comment.text
        for comment in review.comments
        if comment.item == place.id
        or (place.id.isdecimal() and int(place.id) in comment.turns)
        or (
            span is not None
            and place.id not in items
            and comment.span.start < span.end
            and span.start < comment.span.end
        )
    ]
    return "\n".join(f"✎ {shortened(text, 120)}" for text in own)


def _grounds(one: Differing, judge: str, reason: str) -> str:
    cited = turn_list(sorted({citation.turn for citation in one.citations})).lower() if one.citations else ""
    picked = turn_list(one.own_turns).lower() if one.own_turns else ""
    return _joined(
        (
            f"{judge}: {one.reason}" if one.reason else "",
            tr("{judge} points to {turns}.").format(judge=judge, turns=cited) if cited else "",
            tr("You picked {turns}.").format(turns=picked) if picked else "",
            tr("Why: {reason}").format(reason=reason) if reason else "",
        ),
        "\n",
    )
