"""The supervisor's pages of the scorecard: one to talk over, then the marks side by side, comments and signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.platypus import HRFlowable, KeepInFrame, KeepTogether, PageBreak, Spacer, Table, TableStyle

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.review import HIGHEST, Vouched
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report.content import Scorecard
from noteeval_desktop.report.feedback import (
    NOT_MARKED,
    DifferenceRow,
    Feedback,
    ItemRow,
    Remark,
    SentenceRow,
    rating_word,
    signed_words,
    who_signed,
)
from noteeval_desktop.report.names import GENERAL
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_chart import PairedScore, paired_scores
from noteeval_desktop.report.pdf_fonts import chunks, markup
from noteeval_desktop.report.talking import Point, Talk, short

_MOST_CELL, _REMARK = 400, 160
_BLIND = "The supervisor marked first, without seeing the judge's marks."
_LATER_ROUND = (
    "A later round: where the note reads as before, the marks were carried over as they had been settled; the rest was "
    "marked without seeing the judge's marks."
)
_NOT_BLIND = "This review was not blind: the judge's marks had been opened before the supervisor's were in."
_NOT_BLIND_AND_LATER = (
    f"{_NOT_BLIND} Where the note reads as before, the marks were carried over as they had been settled."
)
_SETTLED = (
    "The scorecard shows the marks as they were settled. Where the supervisor was not asked, the judge's marks count."
)
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
    card: Scorecard,
    height: float,
    vouched: Vouched | None,
    judge_marks: bool,
) -> Iterator[Any]:
    """One page, whatever it holds: ``height`` is the frame's, in points. ``vouched``: who signed the review, None where
    that was not looked up."""
    parts = list(_summary(title, feedback, talk, card, judge_marks))
    if not judge_marks:
        parts += [Spacer(0, 12), *_signatures(feedback, vouched)]
    yield KeepInFrame(style.WIDTH, height, parts, mode="shrink")
    yield PageBreak()


def _summary(title: str, feedback: Feedback, talk: Talk, card: Scorecard, judge_marks: bool) -> Iterator[Any]:
    yield Paragraph("Feedback to talk over", style.TITLE)
    if title:
        yield Paragraph(markup(short(title, 200)), style.SUBHEADING)
    by = f"From {markup(short(feedback.rater, 80))}, " if feedback.rater else "From a supervisor, "
    yield Paragraph(f"{by}handed in {feedback.handed_in:%d %B %Y}. The scorecard follows.", style.SMALL)
    yield HRFlowable(width="100%", color=style.LINE, spaceBefore=6, spaceAfter=6)
    serious = any(danger.open for danger in card.dangers)
    sign = f'<font color="{_RED}"><b>⚠ Risk.</b></font>' if serious else "<b>Risk.</b>"
    yield Paragraph(f"{sign} {markup(card.risk)}", style.BODY)
    yield Spacer(0, 6)
    if judge_marks:
        yield paired_scores(_pairs(feedback), style.WIDTH)
    else:
        yield Paragraph(_SETTLED, style.SMALL)
    if judge_marks and feedback.settled != feedback.supervisor:
        yield Paragraph("The bars show what each marked first. Below, what was settled counts.", style.SMALL)
    yield from _points(
        "What the note does well", talk.strengths, "The marks alone show nothing here: name it together."
    )
    yield from _points("To work on", talk.to_work_on, "Nothing from the marks.", numbered=True)
    if judge_marks:
        yield from _open_differences(talk)
    yield from _short_remarks(talk)
    yield Paragraph("Agreed for next time", style.SUBHEADING)
    for _ in range(2):
        yield HRFlowable(width="100%", color=style.MUTED, thickness=0.5, spaceBefore=16, spaceAfter=0)


def _pairs(feedback: Feedback) -> tuple[PairedScore, ...]:
    return tuple(
        PairedScore(name, (mine.done, mine.total), (theirs.done, theirs.total))
        for name, mine, theirs in (
            ("Completeness", feedback.supervisor.completeness, feedback.judge.completeness),
            ("Conciseness", feedback.supervisor.conciseness, feedback.judge.conciseness),
            ("Faithfulness", feedback.supervisor.faithfulness, feedback.judge.faithfulness),
        )
    )


def _points(title: str, points: Sequence[Point], otherwise: str, numbered: bool = False) -> Iterator[Any]:
    yield Paragraph(title, style.SUBHEADING)
    if not points:
        yield Paragraph(otherwise, style.BODY)
    for number, point in enumerate(points, start=1):
        text = f"<b>{markup(point.text)}</b>" if numbered else markup(point.text)
        if point.details:
            more = f" and {point.more} more" if point.more else ""
            text += f' <font color="#59636e">{markup("; ".join(point.details) + more)}</font>'
        yield Paragraph(text, style.FINDING, bulletText=str(number) if numbered else "+")


def _open_differences(talk: Talk) -> Iterator[Any]:
    yield Paragraph("Still open between supervisor and judge", style.SUBHEADING)
    if not talk.open:
        yield Paragraph("Nothing.", style.BODY)
    for row in talk.open:
        yield Paragraph(
            f"{markup(short(row.place))} "
            f'<font color="#59636e">supervisor: {markup(row.supervisor)} · judge: {markup(row.judge)}</font>',
            style.FINDING,
            bulletText="≠",
        )
    yield from _more(talk.open_count - len(talk.open), "under “Differences”")


def _short_remarks(talk: Talk) -> Iterator[Any]:
    yield Paragraph("Comments", style.SUBHEADING)
    if not talk.remarks:
        yield Paragraph("None.", style.BODY)
    for remark in talk.remarks:
        yield Paragraph(
            f"{markup(short(remark.text, _REMARK))} "
            f'<font color="#59636e">on “{markup(short(remark.quote, 60))}”</font>',
            style.FINDING,
            bulletText=str(remark.number),
        )
    yield from _more(talk.remark_count - len(talk.remarks), "under “Comments on the note”")


def _more(count: int, where: str) -> Iterator[Any]:
    if count:
        yield Paragraph(f"{count} more {where}.", style.SMALL)


def _how(feedback: Feedback) -> str:
    """How far the marks were made without the judge's."""
    if feedback.unblinded:
        return _NOT_BLIND_AND_LATER if feedback.carried else _NOT_BLIND
    return _LATER_ROUND if feedback.carried else _BLIND


def review(feedback: Feedback, talk: Talk, vouched: Vouched | None, judge_marks: bool) -> Iterator[Any]:
    """The review, after the note, without the comments that the first page has in full. ``judge_marks``: with every
    mark beside the judge's, and the signatures, which else stand on the first page."""
    yield Paragraph("The supervisor's review", style.HEADING)
    yield Paragraph(
        f"{_how(feedback)} ≠ shows where the two differ, and the arrow what was agreed afterwards."
        if judge_marks
        else _how(feedback),
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
    yield Paragraph("Comments on the note", style.SUBHEADING)
    if not remarks:
        yield Paragraph("None.", style.BODY)
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
    yield Paragraph("Differences, and how they were settled", style.SUBHEADING)
    if not rows:
        yield Paragraph("Supervisor and judge agree on everything that both marked.", style.BODY)
        return
    body = [
        (row.dimension.value, short(row.place, _MOST_CELL), row.supervisor, row.judge, _agreement(row)) for row in rows
    ]
    yield _table(("", "Item or sentence", "Supervisor", "Judge", "Agreed"), body, (66, None, 62, 62, 110))


def _agreement(row: DifferenceRow) -> str:
    return "still open" if row.open else row.agreed + (f": {row.reason}" if row.reason else "")


def _ratings(feedback: Feedback) -> Iterator[Any]:
    heading = Paragraph("Ratings", style.SUBHEADING)
    titles = [title for title, _ in feedback.items if title != GENERAL]
    if feedback.ratings:
        body = [
            (row.dimension.value.capitalize(), *map(rating_word, row.sections), rating_word(row.note))
            for row in feedback.ratings
        ]
        yield KeepTogether([heading, _table(("", *titles, "Whole note"), body, (None, 74, 74, 74, 74, 74))])
    else:
        yield KeepTogether([heading, Paragraph("No dimension was rated.", style.BODY)])
    if feedback.acceptance is not None:
        yield Spacer(0, 4)
        yield Paragraph(f"Acceptance of the note: <b>{feedback.acceptance} of {HIGHEST}</b>", style.BODY)


def _items(feedback: Feedback) -> Iterator[Any]:
    yield Paragraph("Checklist items, marked by both", style.SUBHEADING)
    widths = (None, 80, 80, 110)
    head = ("Item", "Supervisor", "Judge", "")
    body: list[tuple[str, ...]] = []
    for title, rows in feedback.items:
        marked = [row for row in rows if row.supervisor != NOT_MARKED]
        if marked:
            covered = sum(row.supervisor == "present" for row in marked)
            body.append((f"{title}: {covered} of {len(marked)}", "", "", ""))
            body += [_item(row) for row in marked]
    if body:
        yield _table(head, body, widths, strong=tuple(n for n, row in enumerate(body, 1) if not row[1]))
    else:
        yield Paragraph("No item was marked.", style.BODY)


def _item(row: ItemRow) -> tuple[str, ...]:
    name = row.name + (" · mandatory" if row.mandatory else "")
    return name, row.supervisor, row.judge, _outcome((row.supervisor, row.judge, row.agreed))


def _outcome(marks: tuple[str, str, str]) -> str:
    mine, theirs, agreed = marks
    differs = NOT_MARKED not in (mine, theirs) and mine != theirs
    if agreed:
        return f"≠ → {agreed}" if differs else f"→ {agreed}"
    return "≠ still open" if differs else ""


def _sentences(rows: Sequence[SentenceRow]) -> Iterator[Any]:
    yield Paragraph("Sentences, marked by both", style.SUBHEADING)
    if not rows:
        yield Paragraph("No sentence was marked.", style.BODY)
        return
    body = [
        (
            short(row.text, _MOST_CELL),
            _mine(row.needed[0], ", ".join(row.items)),
            _theirs(row.needed),
            _mine(row.claim[0], turn_list(row.turns) if row.turns else ""),
            _theirs(row.claim),
        )
        for row in rows
    ]
    head = ("Sentence", "Need: supervisor", "Judge", "Statement: supervisor", "Judge")
    yield _table(head, body, (None, 88, 72, 82, 82))


def _mine(mark: str, why: str) -> str:
    return f"{mark} ({why})" if why else mark


def _theirs(marks: tuple[str, str, str]) -> str:
    outcome = _outcome(marks)
    return f"{marks[1]} {outcome}".strip()


def _signatures(feedback: Feedback, vouched: Vouched | None) -> Iterator[Any]:
    signed = feedback.signature
    rows = [
        ("Supervisor", signed.name if signed else ""),
        ("Credentials", signed.credentials if signed else ""),
        ("Date", f"{signed.signed:%d %B %Y}" if signed else ""),
        ("Signature", ""),
    ]
    theirs = [("Clinician", ""), ("Credentials", ""), ("Date", ""), ("Signature", "")]
    half = (style.WIDTH - 20) / 2
    pairs = zip(rows, theirs, strict=True)
    table = Table(
        [[_signature_line(*mine, half), "", _signature_line(*other, half)] for mine, other in pairs],
        colWidths=[half, 20, half],
        style=[("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0)],
    )
    heading = Paragraph("Signatures", style.SUBHEADING)
    who = who_signed(short(feedback.rater, 80) or "A supervisor", feedback.handed_in, signed)
    said = [Spacer(1, 6), Paragraph(markup(who), style.SMALL)]
    said += [] if vouched is None else [Paragraph(markup(signed_words(vouched)), style.SMALL)]
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
