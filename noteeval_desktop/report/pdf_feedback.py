"""The supervisor's pages of the scorecard: one to talk over, then the marks side by side, comments and signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reportlab.platypus import (
    CondPageBreak,
    HRFlowable,
    KeepInFrame,
    KeepTogether,
    PageBreak,
    Spacer,
    Table,
    TableStyle,
)

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import long_day
from noteeval_desktop.domain.review import Vouched
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.present.vocabulary import GENERAL
from noteeval_desktop.report import feedback_words as words
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report.feedback import (
    NOT_MARKED,
    DifferenceRow,
    Feedback,
    ItemRow,
    Marks,
    Remark,
    SentenceRow,
    outcome,
    rating_word,
)
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_chart import PairedScore, paired_scores
from noteeval_desktop.report.pdf_fonts import chunks, markup
from noteeval_desktop.report.talking import Point, Talk, short
from noteeval_desktop.report.words import RISK

_MOST_CELL, _REMARK = 400, 160
_WITH_SOME_ROWS = 110
_RED = style.KIND_COLOURS[FindingKind.CONTRADICTED]
_RULES = [
    ("LINEBELOW", (0, 0), (-1, -1), 0.4, style.LINE),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("TOPPADDING", (0, 0), (-1, -1), 2),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
]


def summary(
    title: str,
    feedback: Feedback,
    talk: Talk,
    height: float,
    vouched: Vouched | None,
    judge_marks: bool,
) -> Iterator[Any]:
    """One page, whatever it holds: ``height`` is the frame's, in points. ``vouched``: who signed the review, None where
    that was not looked up."""
    parts = list(_summary(title, feedback, talk, judge_marks, vouched))
    if not judge_marks:
        parts += [Spacer(0, 12), *_signatures(feedback, vouched)]
    yield KeepInFrame(style.WIDTH, height, parts, mode="shrink")
    yield PageBreak()


def _summary(title: str, feedback: Feedback, talk: Talk, judge_marks: bool, vouched: Vouched | None) -> Iterator[Any]:
    yield Paragraph(words.TITLE, style.TITLE)
    if title:
        yield Paragraph(markup(short(title, 200)), style.SUBHEADING)
    yield Paragraph(markup(words.from_whom(short(feedback.rater, 80), feedback.handed_in, vouched)), style.SMALL)
    yield HRFlowable(width="100%", color=style.LINE, spaceBefore=6, spaceAfter=6)
    serious = any(row.answer in (RiskAnswer.LEFT_OUT, RiskAnswer.OPPOSITE) for row in feedback.risks)
    sign = f'<font color="{_RED}"><b>⚠ {RISK}.</b></font>' if serious else f"<b>{RISK}.</b>"
    yield Paragraph(f"{sign} {markup(words.risk_line(feedback.risks))}", style.BODY)
    yield Spacer(0, 6)
    if judge_marks:
        yield paired_scores(_pairs(feedback), style.WIDTH)
    else:
        yield Paragraph(words.SETTLED, style.SMALL)
    if judge_marks and feedback.settled != feedback.supervisor:
        yield Paragraph(words.FIRST_MARKS, style.SMALL)
    yield from _points(words.STRENGTHS, talk.strengths, words.NO_STRENGTHS)
    yield from _points(words.TO_WORK_ON, talk.to_work_on, words.NOTHING_TO_WORK_ON, sign="")
    if talk.not_asked:
        yield from _points(words.FOUND_BY_THE_CHECK, talk.not_asked, "", sign="?")
    if judge_marks:
        yield from _open_differences(talk)
    yield from _short_remarks(talk)
    yield Paragraph(words.NEXT_TIME, style.SUBHEADING)
    for _ in range(2):
        yield HRFlowable(width="100%", color=style.MUTED, thickness=0.5, spaceBefore=16, spaceAfter=0)


def _pairs(feedback: Feedback) -> tuple[PairedScore, ...]:
    return tuple(
        PairedScore(name, mine, theirs)
        for name, mine, theirs in (
            (words.COMPLETENESS, feedback.supervisor.completeness, feedback.judge.completeness),
            (words.CONCISENESS, feedback.supervisor.conciseness, feedback.judge.conciseness),
            (words.FAITHFULNESS, feedback.supervisor.faithfulness, feedback.judge.faithfulness),
        )
    )


def _points(title: str, points: Sequence[Point], otherwise: str, sign: str = "+") -> Iterator[Any]:
    """Numbered where they have no ``sign``."""
    yield Paragraph(title, style.SUBHEADING)
    if not points:
        yield Paragraph(otherwise, style.BODY)
    for number, point in enumerate(points, start=1):
        text = f"<b>{markup(point.text)}</b>" if not sign else markup(point.text)
        if point.details:
            more = words.and_more(point.more) if point.more else ""
            text += f' <font color="#59636e">{markup("; ".join(point.details) + more)}</font>'
        yield Paragraph(text, style.FINDING, bulletText=sign or str(number))


def _open_differences(talk: Talk) -> Iterator[Any]:
    yield Paragraph(words.STILL_OPEN_DIFFERENCES, style.SUBHEADING)
    if not talk.open:
        yield Paragraph(words.NOTHING, style.BODY)
    for row in talk.open:
        yield Paragraph(
            f"{markup(short(row.place))} "
            f'<font color="#59636e">{words.both(markup(row.supervisor), markup(row.judge))}</font>',
            style.FINDING,
            bulletText="≠",
        )
    yield from _more(talk.open_count - len(talk.open), words.DIFFERENCES)


def _short_remarks(talk: Talk) -> Iterator[Any]:
    yield Paragraph(words.COMMENTS, style.SUBHEADING)
    if not talk.remarks:
        yield Paragraph(words.NONE, style.BODY)
    for remark in talk.remarks:
        on = words.on_quote(markup(short(remark.quote, 60)), remark.turns) if remark.quote else words.ON_THE_WHOLE_NOTE
        yield Paragraph(
            f'{markup(short(remark.text, _REMARK))} <font color="#59636e">{on}</font>',
            style.FINDING,
            bulletText=str(remark.number),
        )
    yield from _more(talk.remark_count - len(talk.remarks), words.COMMENTS_ON_NOTE)


def _more(count: int, where: str) -> Iterator[Any]:
    if count:
        yield Paragraph(words.more_under(count, where), style.SMALL)


def review(feedback: Feedback, talk: Talk, vouched: Vouched | None, judge_marks: bool) -> Iterator[Any]:
    """The review, after the note, without the comments that the first page has in full. ``judge_marks``: with every
    mark beside the judge's, and the signatures, which else stand on the first page."""
    how = words.how(feedback.unblinded, feedback.carried)
    yield Paragraph(words.REVIEW, style.HEADING)
    yield Paragraph(
        words.with_differences(how) if judge_marks else how,
        style.SMALL,
    )
    if judge_marks or talk.remarks != feedback.remarks or any(len(one.text) > _REMARK for one in talk.remarks):
        yield from _remarks(feedback.remarks)
    if judge_marks:
        yield from _differences(feedback.differences)
    yield from _ratings(feedback)
    if judge_marks:
        yield from _items(feedback)
        yield from _sentences(feedback.sentences)
        yield KeepTogether(list(_signatures(feedback, vouched)))


def _remarks(remarks: Sequence[Remark]) -> Iterator[Any]:
    yield Paragraph(words.COMMENTS_ON_NOTE, style.SUBHEADING)
    if not remarks:
        yield Paragraph(words.NONE, style.BODY)
    for remark in remarks:
        about = " · ".join(part for part in (remark.section, remark.item) if part)
        quote = Paragraph(
            f'<font color="#59636e" size="8">{markup(about)}</font><br/>“{markup(short(remark.quote, _MOST_CELL))}”',
            style.QUOTE,
        )
        parts = list(chunks(remark.text)) or [""]
        first = Paragraph(markup(parts[0]), style.FINDING, bulletText=str(remark.number))
        rest = [Paragraph(markup(part), style.FINDING) for part in parts[1:]]
        if rest:
            yield from (first, *rest, quote)
        else:
            yield KeepTogether([first, quote])


def _differences(rows: Sequence[DifferenceRow]) -> Iterator[Any]:
    yield from _over_a_table(words.DIFFERENCES)
    if not rows:
        yield Paragraph(words.ALL_AGREED, style.BODY)
        return
    body = [
        (row.dimension.value, short(row.place, _MOST_CELL), row.supervisor, row.judge, _agreement(row)) for row in rows
    ]
    yield _table(
        ("", words.ITEM_OR_SENTENCE, words.SUPERVISOR, words.JUDGE, words.AGREED), body, (66, None, 62, 62, 110)
    )


def _agreement(row: DifferenceRow) -> str:
    return words.STILL_OPEN if row.open else row.agreed + (f": {row.reason}" if row.reason else "")


def _ratings(feedback: Feedback) -> Iterator[Any]:
    heading = Paragraph(words.RATINGS, style.SUBHEADING)
    titles = [title for title, _ in feedback.items if title != GENERAL]
    if feedback.ratings:
        body = [
            (row.dimension.value.capitalize(), *map(rating_word, row.sections), rating_word(row.note))
            for row in feedback.ratings
        ]
        yield KeepTogether([heading, _table(("", *titles, words.WHOLE_NOTE), body, (None, 74, 74, 74, 74, 74))])
    elif feedback.acceptance is None:
        yield KeepTogether([heading, Paragraph(words.NOT_RATED, style.BODY)])
    else:
        yield heading
    if feedback.acceptance is not None:
        yield Spacer(0, 4)
        yield Paragraph(words.acceptance(feedback.acceptance), style.BODY)


def _items(feedback: Feedback) -> Iterator[Any]:
    yield from _over_a_table(words.ITEMS)
    widths = (None, 80, 80, 110)
    head = (words.ITEM, words.SUPERVISOR, words.JUDGE, "")
    body: list[tuple[str, ...]] = []
    for title, rows in feedback.items:
        marked = [row for row in rows if row.marks.supervisor != NOT_MARKED]
        if marked:
            covered = sum(row.marks.supervisor == "present" for row in marked)
            body.append((words.covered(title, covered, len(marked)), "", "", ""))
            body += [_item(row) for row in marked]
    if body:
        yield _table(head, body, widths, strong=tuple(n for n, row in enumerate(body, 1) if not row[1]))
    else:
        yield Paragraph(words.NO_ITEM, style.BODY)


def _item(row: ItemRow) -> tuple[str, ...]:
    name = words.mandatory(row.name) if row.mandatory else row.name
    return name, row.marks.supervisor, row.marks.judge, _outcome(row.marks)


def _outcome(marks: Marks) -> str:
    differs = "≠ " if marks.supervisor != marks.judge else ""
    return f"{differs}{'' if marks.open else '→ '}{said}" if (said := outcome(marks)) else ""


def _sentences(rows: Sequence[SentenceRow]) -> Iterator[Any]:
    yield from _over_a_table(words.SENTENCES)
    if not rows:
        yield Paragraph(words.NO_SENTENCE, style.BODY)
        return
    body = [
        (
            short(row.text, _MOST_CELL),
            _mine(row.needed.supervisor, ", ".join(row.items)),
            _theirs(row.needed),
            _mine(row.claim.supervisor, turn_list(row.turns) if row.turns else ""),
            _theirs(row.claim),
        )
        for row in rows
    ]
    head = (words.SENTENCE, words.NEED, words.JUDGE, words.CLAIM, words.JUDGE)
    yield _table(head, body, (None, 88, 72, 82, 82))


def _mine(mark: str, why: str) -> str:
    return f"{mark} ({why})" if why else mark


def _theirs(marks: Marks) -> str:
    return f"{marks.judge} {_outcome(marks)}".strip()


def _signatures(feedback: Feedback, vouched: Vouched | None) -> Iterator[Any]:
    signed = feedback.signature
    rows = [
        (words.SUPERVISOR, signed.name if signed else ""),
        (words.CREDENTIALS, signed.credentials if signed else ""),
        (words.DATE, long_day(signed.signed) if signed else ""),
        (words.SIGNATURE, ""),
    ]
    theirs = [(words.CLINICIAN, ""), (words.CREDENTIALS, ""), (words.DATE, ""), (words.SIGNATURE, "")]
    half = (style.WIDTH - 20) / 2
    pairs = zip(rows, theirs, strict=True)
    table = Table(
        [[_signature_line(*mine, half), "", _signature_line(*other, half)] for mine, other in pairs],
        colWidths=[half, 20, half],
        style=[("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0)],
    )
    heading = Paragraph(words.SIGNATURES, style.SUBHEADING)
    stand = replace(feedback.stand, by=short(feedback.stand.by, 160))
    who = words.answered(stand, vouched)
    said = [Spacer(1, 6), Paragraph(markup(who), style.SMALL)]
    said += [] if vouched is None else [Paragraph(markup(words.signed_words(vouched)), style.SMALL)]
    yield from (heading, table, *said)


def _signature_line(name: str, value: str, width: float) -> Table:
    cells = [[Paragraph(name, style.SMALL), Paragraph(markup(short(value, 200)), style.BODY)]]
    line = Table(cells, colWidths=[62, width - 62])
    line.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (1, 0), (1, 0), 0.6, style.MUTED),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
                ("TOPPADDING", (0, 0), (-1, -1), 8),
                ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
            ]
        )
    )
    return line


def _over_a_table(title: str) -> Iterator[Any]:
    """A heading never stands alone at the foot of a page."""
    yield CondPageBreak(_WITH_SOME_ROWS)
    yield Paragraph(title, style.SUBHEADING)


def _table(
    head: Sequence[str], body: Sequence[Sequence[str]], widths: Sequence[float | None], strong: tuple[int, ...] = ()
) -> Table:
    """``widths`` in points, None for what is left; ``strong`` are rows (head: 0) that stand out."""
    taken = sum(width or 0 for width in widths)
    cells = [
        [_cell(text, bold=number == 0 or number in strong) for text in row] for number, row in enumerate([head, *body])
    ]
    table = Table(cells, colWidths=[style.WIDTH - taken if width is None else width for width in widths], repeatRows=1)
    table.setStyle(TableStyle(_RULES))
    return table


def _cell(text: str, *, bold: bool) -> Paragraph:
    said = markup(short(text, 2 * _MOST_CELL))
    said = said.replace("≠", f'<font color="{_RED}"><b>≠</b></font>')
    return Paragraph(f"<b>{said}</b>" if bold else said, style.CELL)
