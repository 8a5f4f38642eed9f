"""The scorecard's pages after its opening, part by part, as reportlab flowables."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any

from reportlab.platypus import CondPageBreak, KeepTogether, PageBreak, Spacer, Table, TableStyle

from noteeval_desktop.domain import phrases
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.findings import ERROR_KINDS, FindingKind
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.phrases import day
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.domain.verdicts import Attribute, Severity
from noteeval_desktop.present.card import Scorecard
from noteeval_desktop.present.checklist import ChecklistRow
from noteeval_desktop.present.finding import Finding, Passage
from noteeval_desktop.present.vocabulary import KINDS, MARKED, Line
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report import response_words, sealing_words, words
from noteeval_desktop.report.fingerprints import Fingerprints
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_fonts import can_slant, markup

_UNDERLINES: dict[Line | None, str] = {
    "wave": 'kind="double" width="0.9" gap="1.2" offset="-2.2"',
    "dashes": 'width="1.5" offset="-2.6"',
    "dots": 'width="0.5" offset="-2.2"',
}
_MOST_EVIDENCE = 3
_ROOM_UNDER_HEADING = 150
_ROOM_UNDER_SUBHEADING = 60
_MOST_QUOTED = 400


def heading_with_room(text: str) -> Iterator[Any]:
    """Never alone at the foot of a page."""
    yield CondPageBreak(_ROOM_UNDER_HEADING)
    yield Paragraph(text, style.HEADING)


def every_finding(card: Scorecard) -> Iterator[Any]:
    """In a line or two each, in the one order."""
    yield from heading_with_room(words.EVERY_SUGGESTION)
    if not card.findings:
        # Where something was not judged, that nothing was found says little.
        said = words.NOTHING_BUT if card.incomplete else words.NOTHING_FOUND
        yield Paragraph(said, style.BODY)
    for finding in card.findings:
        yield Paragraph(f"{sign_of(finding)} {_line(finding)}", style.FINDING, bulletText=str(finding.number))


def decided(card: Scorecard) -> Iterator[Any]:
    """What the clinician attested or set aside, with the reason and the day."""
    if not card.decided:
        return
    lines = [Paragraph(_decision(finding), style.FINDING, bulletText=str(finding.number)) for finding in card.decided]
    yield KeepTogether([Paragraph(words.DECIDED, style.SUBHEADING), lines[0]])
    yield from lines[1:]


def _decision(finding: Finding) -> str:
    assert finding.decision is not None
    made = f"{finding.decision.reason} {day(finding.decision.when)}."
    return (
        f"{sign(finding.kind)} “{markup(shortened(finding.text))}”"
        f' <font color="#59636e">{markup(finding.section)} · {markup(made)}</font>'
    )


def sign(kind: FindingKind) -> str:
    return f'<font color="{style.KIND_COLOURS[kind]}"><b>{KINDS[kind].sign}</b></font>'


def sign_of(finding: Finding) -> str:
    """As on the first page and in the window: what is warned of has the same sign throughout."""
    if finding.pressing:
        return f'<font color="{style.DANGER}"><b>⚠</b></font>'
    return sign(FindingKind.UNSUPPORTED if finding.unrecognised else finding.kind)


def _line(finding: Finding) -> str:
    quoted = finding.kind not in (FindingKind.MISSING,)
    text = markup(shortened(finding.text))
    text = f"“{text}”" if quoted else f"<b>{text}</b>"
    # Of what may be about risk nothing is called minor.
    weighed = finding.severity is not Severity.NONE and not finding.is_risk
    serious = f" <b>{words.SEVERITY_NAMES[finding.severity].lower()}</b> ·" if weighed else ""
    tail = f' <font color="#59636e">{markup(finding.section)} ·{serious} {markup(shortened(finding.reason))}</font>'
    return text + tail.replace("· </font>", "</font>")


def shortened(text: str, most: int = _MOST_QUOTED) -> str:
    return phrases.shortened(text, most)


def checklist(card: Scorecard) -> Iterator[Any]:
    above = [Paragraph(words.CHECKLIST, style.HEADING)]
    for title, rows in card.checklist:
        covered = sum(row.state == "covered" for row in rows)
        judged = any(row.state != words.NOT_JUDGED for row in rows)
        counted = words.share_of(covered, len(rows)) if judged else words.NOT_JUDGED
        heading = Paragraph(f'{markup(title)} <font color="#59636e" size="8.5">{counted}</font>', style.SUBHEADING)
        yield KeepTogether([*above, heading, _rows(rows)])
        above = []


def _rows(rows: tuple[ChecklistRow, ...]) -> Table:
    cells = [
        [
            Paragraph(f"<b>{row.sign}</b>", style.BODY),
            Paragraph(f"<b>{markup(row.name)}</b>" if row.mandatory else markup(row.name), style.BODY),
            Paragraph(markup(row.description), style.SMALL),
            Paragraph(markup(words.mandatory(row.state) if row.mandatory else row.state), style.SMALL),
        ]
        for row in rows
    ]
    table = Table(cells, colWidths=[16, 124, style.WIDTH - 240, 100])
    table.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, style.LINE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ]
        )
    )
    return table


def marked_note(note: Note, card: Scorecard, numbers: Container[int]) -> Iterator[Any]:
    """The note's whole text; a flagged sentence carries its underline, its sign and its finding's number, where that
    is one of the ``numbers`` under which this file tells more."""
    yield from heading_with_room(words.MARKED_NOTE)
    yield Paragraph(_legend(bool(numbers)), style.SMALL)
    yield Spacer(0, 4)
    for line in _lines(note):
        laid = _line_of_note(note, card, numbers, *line)
        if laid.style is style.SUBHEADING:
            yield CondPageBreak(_ROOM_UNDER_SUBHEADING)
        yield laid


def _legend(numbered: bool) -> str:
    samples = [f"{sign(kind)} {_marked(name, (kind,))}" for kind, name in words.LEGEND.items()]
    return " &nbsp;&nbsp; ".join([*samples, words.LEGEND_NUMBER] if numbered else samples)


def _lines(note: Note) -> Iterator[tuple[int, int]]:
    start = 0
    for line in note.text.split("\n"):
        if line.strip():
            yield start, start + len(line)
        start += len(line) + 1


def _line_of_note(note: Note, card: Scorecard, numbers: Container[int], start: int, end: int) -> Paragraph:
    if any(block.heading and block.heading.start < end and start < block.heading.end for block in note.blocks):
        inside = [s for s in note.sentences if s.span.start < end and start < s.span.end]
        if not inside:
            return Paragraph(markup(note.text[start:end].strip("#* \t")), style.SUBHEADING)
    parts, position = [], start
    for sentence in note.sentences:
        left, right = max(sentence.span.start, start), min(sentence.span.end, end)
        if left >= right:
            continue
        # Beside sentences stand headings and blanks alone.
        parts.append(markup(re.sub(r"[#*_]", "", note.text[position:left])))
        parts.append(_sentence(note.text[left:right], sentence, card, numbers, ends_here=right == sentence.span.end))
        position = right
    parts.append(markup(note.text[position:end]))
    return Paragraph("".join(parts), style.NOTE)


def _sentence(text: str, sentence: Sentence, card: Scorecard, numbers: Container[int], *, ends_here: bool) -> str:
    findings = card.on(sentence.id)
    if not findings:
        return markup(text)
    tags = "".join(
        f'<font size="7.5">&nbsp;{sign(finding.kind)}{_number_of(finding, numbers)}</font>' for finding in findings
    )
    return _marked(text, tuple(finding.kind for finding in findings)) + (tags if ends_here else "")


def _number_of(finding: Finding, numbers: Container[int]) -> str:
    return f"<b>{finding.number}</b>" if finding.number in numbers else ""


def _marked(text: str, kinds: tuple[FindingKind, ...]) -> str:
    marked = markup(text)
    if FindingKind.UNNEEDED in kinds:
        slanted = f"<i>{marked}</i>" if can_slant(text) else marked
        marked = f'<font color="{style.KIND_COLOURS[FindingKind.UNNEEDED]}">{slanted}</font>'
    for kind in kinds:
        if kind in MARKED and kind is not FindingKind.UNNEEDED:
            marked = f'<u color="{style.KIND_COLOURS[kind]}" {_UNDERLINES[KINDS[kind].line]}>{marked}</u>'
    return marked


def evidence(card: Scorecard) -> Iterator[Any]:
    """Each finding with its reason and the quoted turns that it rests on; without those that rest on no turn."""
    shown = [finding for finding in card.findings if finding.passages or finding.kind in ERROR_KINDS]
    if not shown:
        return
    yield from heading_with_room(words.EVIDENCE)
    for finding in shown:
        grade = [finding.said, finding.section] + ([finding.sure] if finding.sure else [])
        head = Paragraph(
            f"{sign_of(finding)} <b>{finding.number}</b> &nbsp;<b>{markup(shortened(finding.text))}</b>", style.BODY
        )
        lines = [head, Paragraph(markup(" · ".join(grade)), style.SMALL)]
        if finding.reason:
            lines.append(Paragraph(markup(shortened(finding.reason)), style.BODY))
        quotes = [quote(passage) for passage in finding.passages[:_MOST_EVIDENCE]]
        yield KeepTogether([*lines, *quotes[:1]])
        yield from quotes[1:]
        yield Spacer(0, 9)


def quote(passage: Passage) -> Paragraph:
    where = words.turn_by(passage.turn, passage.speaker) + (f" · {passage.time}" if passage.time else "")
    return Paragraph(
        f'<font color="#59636e" size="8">{markup(where)}</font><br/>“{markup(shortened(passage.quote))}”', style.QUOTE
    )


def responses(reading: Reading) -> Iterator[Any]:
    """The session beside others, then one row an exchange: the six attributes, both means and the gap."""
    yield PageBreak()
    yield from heading_with_room(response_words.TITLE)
    yield Paragraph(response_words.EXPLAINED, style.SMALL)
    unsafe = [exchange for exchange in reading.exchanges if exchange.unsafe]
    if unsafe:
        yield Paragraph(markup(response_words.NOT_COMPARED), style.BODY)
    for exchange in unsafe:
        said = f"{_number(exchange.verdict.turn)}: {exchange.headline or response_words.UNSAFE}"
        yield Paragraph(markup(said), style.BODY)
    for band in reading.bands:
        said = f"{response_words.band_value(band)}. {response_words.beside(band)}."
        yield Paragraph(f"<b>{markup(response_words.BAND_NAMES[band.name])}</b>: {markup(said)}", style.BODY)
    yield Spacer(0, 9)
    head = [words.TURN, *(words.ATTRIBUTE_NAMES[attribute] for attribute in Attribute), "CSS", "ARS", words.GAP]
    body = [
        [
            _number(v.turn),
            *(_figure(v.score(a)) for a in Attribute),
            *map(_decimal, (v.css, v.ars, v.gap)),
        ]
        for v in (exchange.verdict for exchange in reading.exchanges)
    ]
    cells = [[Paragraph(markup(cell), style.SMALL) for cell in row] for row in [head, *body]]
    widths = [28, 58, style.WIDTH - 28 - 5 * 58 - 90, *([58] * 4), 30, 30, 30]  # "Informativeness" is the longest
    table = Table(cells, colWidths=widths, repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, style.LINE),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    yield table


def _number(turn: int | None) -> str:
    return "" if turn is None else str(turn_number(turn))


def _figure(value: int | None) -> str:
    return "–" if value is None else str(value)


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def how_to_read() -> Iterator[Any]:
    yield PageBreak()
    yield from heading_with_room(words.HOW_TO_READ)
    for title, text in words.READING:
        yield KeepTogether([Paragraph(title, style.SUBHEADING), Paragraph(text, style.BODY)])


def fingerprints(prints: Fingerprints) -> Iterator[Any]:
    """What the scorecard was made from, for `noteeval verify` and for a reader who compares by eye."""
    rows = [(name, getattr(prints, member)) for member, name in sealing_words.NAMES.items()]
    lines = [Paragraph(f"{markup(name)}: {markup(shortened(value))}", style.SMALL) for name, value in rows if value]
    said = sealing_words.EXPLAINED
    heading = Paragraph(sealing_words.TITLE, style.SUBHEADING)
    yield KeepTogether([heading, Paragraph(said, style.SMALL), *lines])
