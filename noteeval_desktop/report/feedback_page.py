"""What a supervisor's review adds to a scorecard's page: one sheet to talk over, then comments, marks and signatures.

It speaks of the note, never of the person who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.evaluation import Scores
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import are, counted, long_day, share_of, shortened, tr
from noteeval_desktop.domain.review import Vouched
from noteeval_desktop.domain.standing import Standing
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.present.risks import named_with_turns
from noteeval_desktop.present.scores import figure
from noteeval_desktop.present.standing import answered, signed_words, whose
from noteeval_desktop.present.vocabulary import SCORES, SECTION_NAMES
from noteeval_desktop.report import charts, page
from noteeval_desktop.report.charts import Bar
from noteeval_desktop.report.feedback import (
    ACCEPTANCE_VALUES,
    NOT_MARKED,
    STILL_OPEN,
    Feedback,
    Marks,
    RiskRow,
    outcome,
    rating_word,
)
from noteeval_desktop.report.page import Run, Text
from noteeval_desktop.report.talking_points import FOUND_BY_THE_CHECK, Point, Talk, short

_MOST_CELL, _REMARK, _FEW_ROWS = 400, 160, 12
_DIFFERENCES, _COMMENTS = tr("Differences, and how they were settled"), tr("Comments on the note")


def summary(label: str, given: Feedback, talk: Talk, vouched: Vouched | None, judge_marks: bool) -> Iterator[page.Part]:
    """For one sheet. ``vouched``: who signed the review, None where that was not looked up."""
    by = whose(short(given.rater, 80), vouched) if given.rater else tr("a supervisor")
    sent = tr("From {by}, submitted on {day}. The scorecard follows.").format(by=by, day=long_day(given.handed_in))
    yield page.Title(tr("Feedback to talk over"), short(label, 200), (("", sent),))
    serious = any(row.answer in (RiskAnswer.LEFT_OUT, RiskAnswer.OPPOSITE) for row in given.risks)
    yield page.Banner(tr("Risk"), risk_line(given.risks), serious)
    if judge_marks:
        yield _both_scores(given.supervisor, given.judge)
    else:
        settled = tr("The scorecard shows the marks as they were settled.")
        others = tr("Where the supervisor was not asked, the judge's marks count.")
        yield page.Paragraph(f"{settled} {others}", "small")
    if judge_marks and given.settled != given.supervisor:
        yield page.Paragraph(tr("The bars show what each marked first. Below, what was settled counts."), "small")
    yield from _points(
        tr("What the note does well"),
        talk.strengths,
        tr("The marks show nothing here: find something together."),
        marker="+",
    )
    yield from _points(tr("To work on"), talk.to_work_on, tr("Nothing in the marks."))
    if talk.not_asked:
        yield from _points(FOUND_BY_THE_CHECK, talk.not_asked, "", marker="?")
    if judge_marks:
        yield page.Heading(tr("Still open between supervisor and judge"))
        both = tr("supervisor: {supervisor} · judge: {judge}")
        items = [(short(row.place), both.format(supervisor=row.supervisor, judge=row.judge), "≠") for row in talk.open]
        yield from _listed(items, tr("Nothing."), talk.open_count, _DIFFERENCES)
    yield page.Heading(tr("Comments"))
    remarks = [(short(one.text, _REMARK), _on(one.quote, one.turns), str(one.number)) for one in talk.remarks]
    yield from _listed(remarks, tr("None."), talk.remark_count, _COMMENTS)
    yield page.Group("paper", (page.Heading(tr("Agreed for next time")), page.Blanks(((("", ""), ("", "")),))))
    if not judge_marks:
        yield from _signatures(given, vouched, 1)


def review(given: Feedback, talk: Talk, vouched: Vouched | None, judge_marks: bool) -> Iterator[page.Part]:
    """After the note, without the comments that the first sheet has in full. ``judge_marks``: with every mark beside
    the judge's, and the signatures, which else stand on the first sheet."""
    yield page.Heading(tr("The supervisor's review"))
    how = _how(given.unblinded, given.carried)
    shown = tr("≠ shows where the two differ; the arrow shows what was agreed afterwards.")
    yield page.Paragraph(f"{how} {shown}" if judge_marks else how, "small")
    if judge_marks or talk.remarks != given.remarks or any(len(one.text) > _REMARK for one in talk.remarks):
        yield page.Heading(_COMMENTS, 2)
        if not given.remarks:
            yield page.Paragraph(tr("None."))
        yield page.Items(
            tuple(
                page.Item(
                    str(one.number),
                    one.text,
                    (page.Quote(" · ".join(filter(None, (one.section, one.item))), short(one.quote, _MOST_CELL)),),
                )
                for one in given.remarks
            )
        )
    if judge_marks:
        yield from _differences(given)
    yield from _ratings(given)
    if judge_marks:
        yield from _items(given)
        yield from _sentences(given)
        yield page.Group("together", tuple(_signatures(given, vouched, 2)))


def risk_line(rows: Sequence[RiskRow]) -> str:
    """What the supervisor found of the passages on risk."""
    told = [row for row in rows if row.answer is not RiskAnswer.NO_DANGER]
    left, opposed = (
        [row for row in told if row.answer is answer] for answer in (RiskAnswer.LEFT_OUT, RiskAnswer.OPPOSITE)
    )
    if not rows:
        return tr("The supervisor was not asked about any passage on risk.")
    if not told:
        return tr("According to the supervisor, nothing in the session is about risk.")
    if not left and not opposed:
        said = tr("The note addresses what the supervisor marked as risk ({passages}).")
        return said.format(passages=counted(len(told), "passage"))
    open_, parts = len(left) + len(opposed), []
    if len(told) > 1:
        said = tr("{count} of {passages} on risk {are} open.")
        parts.append(said.format(count=open_, passages=counted(len(told), "passage"), are=are(open_)))
    if left:
        parts.append(tr("Not in the note: {dangers}.").format(dangers=_dangers(left)))
    if opposed:
        parts.append(tr("The note says the opposite: {dangers}.").format(dangers=_dangers(opposed)))
    return " ".join(parts)


def _dangers(rows: Sequence[RiskRow]) -> str:
    return "; ".join(named_with_turns(((row.name.lower(), row.turn) for row in rows), " ({turns})"))


def _both_scores(supervisor: Scores, judge: Scores) -> page.Chart:
    rows = []
    for dimension, (name, _) in SCORES.items():
        mine, theirs = (getattr(one, dimension) for one in (supervisor, judge))
        said = tr("supervisor: {score}").format(score=figure(mine)), tr("judge: {score}").format(score=figure(theirs))
        rows.append(Bar(name, (mine.note, theirs.note), said))
    told = "; ".join(f"{row.label}: {', '.join(row.texts)}" for row in rows)
    return page.Chart(partial(charts.bars, rows, ()), told)


def _points(title: str, points: Sequence[Point], otherwise: str, marker: str = "") -> Iterator[page.Part]:
    """Numbered where they have no ``marker``."""
    yield page.Heading(title)
    if not points:
        yield page.Paragraph(otherwise)
    items = []
    for number, point in enumerate(points, start=1):
        more = tr(" and {count} more").format(count=point.more) if point.more else ""
        details = Run("; ".join(point.details) + more, "grey")
        items.append(page.Item(marker or str(number), (Run(point.text, strong=not marker), " ", details)))
    yield page.Items(tuple(items))


def _listed(rows: Sequence[tuple[str, str, str]], otherwise: str, count: int, heading: str) -> Iterator[page.Part]:
    """A text, what it is about, and its marker; then how many more of ``count`` stand under ``heading``."""
    if not rows:
        yield page.Paragraph(otherwise)
    yield page.Items(tuple(page.Item(marker, (text, " ", Run(about, "grey"))) for text, about, marker in rows))
    if count > len(rows):
        more = tr("{count} more under “{heading}”.").format(count=count - len(rows), heading=heading)
        yield page.Paragraph(more, "small")


def _on(quote: str, turns: str) -> str:
    """``turns`` ("turn 8") of the session, where the quote is from there."""
    if not quote:
        return tr("on the whole note")
    said = tr("on {turns}: “{quote}”") if turns else tr("on “{quote}”")
    return said.format(turns=turns, quote=short(quote, 60))


def _how(unblinded: bool, carried: bool) -> str:
    """How far the marks were made without the judge's."""
    match unblinded, carried:
        case True, _:
            said = tr("This review was not blind: the judge's marks had been seen before the supervisor's were in.")
            later = tr("Where the note reads as before, the marks were carried over as they had been settled.")
            return f"{said} {later}" if carried else said
        case _, True:
            return tr(
                "A later round: where the note reads as before, the marks were carried over as they had been settled; "
                "the rest was marked without seeing the judge's marks."
            )
    return tr("The supervisor marked first, without seeing the judge's marks.")


def _differences(given: Feedback) -> Iterator[page.Part]:
    heading = page.Heading(_DIFFERENCES, 2)
    if not given.differences:
        yield heading
        yield page.Paragraph(tr("Supervisor and judge agree on everything that both marked."))
        return
    body: list[tuple[Text, ...]] = []
    for row in given.differences:
        agreed = STILL_OPEN if row.open else ": ".join(filter(None, (row.agreed, row.reason)))
        body.append((short(row.place, _MOST_CELL), row.dimension.value, row.supervisor, row.judge, agreed))
    head = (tr("Item or sentence"), tr("Dimension"), tr("Supervisor"), tr("Judge"), tr("Agreed"))
    yield from _under(heading, page.Table(head, tuple(body)))


def _ratings(given: Feedback) -> Iterator[page.Part]:
    heading = page.Heading(tr("Ratings"), 2)
    if given.ratings:
        # By the sections of the protocol, whatever the note and its checklist call theirs.
        rated = [n for n, _ in enumerate(SOAP) if any(row.sections[n] is not None for row in given.ratings)]
        rows = [
            (row.dimension.value.capitalize(), *map(rating_word, (*(row.sections[n] for n in rated), row.note)))
            for row in given.ratings
        ]
        titles = [SECTION_NAMES[SOAP[n]] for n in rated]
        yield from _under(heading, page.Table((tr("Dimension"), *titles, tr("Whole note")), tuple(rows)))
    else:
        yield heading
    if given.acceptance is not None:
        yield page.Paragraph(
            (tr("Accept this note into the record?"), " ", Run(ACCEPTANCE_VALUES[given.acceptance - 1], strong=True))
        )
    elif not given.ratings:
        yield page.Paragraph(tr("None were given."))


def _items(given: Feedback) -> Iterator[page.Part]:
    body: list[tuple[Text, ...]] = []
    for title, rows in given.items:
        marked = [row for row in rows if row.marks.supervisor != NOT_MARKED]
        if marked:
            covered = sum(row.marks.supervisor == "present" for row in marked)
            body.append((f"{title}: {share_of(covered, len(marked))}",))
        for row in marked:
            name = tr("{name} · mandatory").format(name=row.name) if row.mandatory else row.name
            body.append((name, row.marks.supervisor, row.marks.judge, _outcome(row.marks)))
    yield page.Heading(tr("Checklist items, marked by both"), 2)
    if body:
        yield page.Table((tr("Item"), tr("Supervisor"), tr("Judge"), tr("Agreed")), tuple(body))
    else:
        yield page.Paragraph(tr("No item was marked."))


def _sentences(given: Feedback) -> Iterator[page.Part]:
    yield page.Heading(tr("Sentences, marked by both"), 2)
    if not given.sentences:
        yield page.Paragraph(tr("No sentence was marked."))
        return
    head = (tr("Sentence"), tr("Need: supervisor"), tr("Judge"), tr("Statement: supervisor"), tr("Judge"))
    body = []
    for row in given.sentences:
        need, claim = (
            (f"{marks.supervisor} ({why})" if why else marks.supervisor, (f"{marks.judge} ", *_outcome(marks)))
            for marks, why in (
                (row.needed, ", ".join(row.items)),
                (row.claim, turn_list(row.turns) if row.turns else ""),
            )
        )
        body.append((short(row.text, _MOST_CELL), *need, *claim))
    yield page.Table(head, tuple(body))


def _outcome(marks: Marks) -> tuple[str | Run, ...]:
    said = outcome(marks)
    if not said:
        return ("",)
    differs = (Run("≠ ", "red", strong=True),) if marks.supervisor != marks.judge else ()
    return (*differs, said if marks.open else f"→ {said}")


def _under(heading: page.Heading, table: page.Table) -> Iterator[page.Part]:
    yield from (page.Group("together", (heading, table)),) if len(table.rows) <= _FEW_ROWS else (heading, table)


def _signatures(given: Feedback, vouched: Vouched | None, level: int) -> Iterator[page.Part]:
    """Nobody signs a note that was returned for revision."""
    if given.stand.standing is not Standing.RETURNED:
        yield page.Heading(tr("Signatures"), level)
        signed = given.signature
        mine = (signed.name, signed.credentials, long_day(signed.signed), "") if signed else ("",) * 4
        labels = (tr("Credentials"), tr("Date"), tr("Signature"))
        columns = ((tr("Supervisor"), mine), (tr("Clinician"), ("",) * 4))
        yield page.Blanks(tuple(tuple(zip((who, *labels), filled, strict=True)) for who, filled in columns))
    yield page.Paragraph(answered(replace(given.stand, by=shortened(given.stand.by, 160)), vouched), "small")
    if vouched is not None:
        yield page.Paragraph(signed_words(vouched), "small")
