"""The scorecard's pages after its opening, part by part, as reportlab flowables."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Any

from reportlab.platypus import CondPageBreak, KeepTogether, PageBreak, Spacer, Table, TableStyle

from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.domain.verdicts import Attribute, Severity
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report.content import (
    GLYPHS,
    HEADINGS,
    NOT_JUDGED,
    ChecklistRow,
    Finding,
    Passage,
    Scorecard,
    how_sure,
)
from noteeval_desktop.report.fingerprints import NAMES as FINGERPRINT_NAMES
from noteeval_desktop.report.fingerprints import Fingerprints
from noteeval_desktop.report.names import ATTRIBUTE_NAMES, SEVERITY_NAMES
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_fonts import can_slant, markup
from noteeval_desktop.report.response_words import BAND_NAMES, band_value, beside

_UNDERLINES = {
    FindingKind.CONTRADICTED: 'kind="double" width="0.9" gap="1.2" offset="-2.2"',
    FindingKind.UNSUPPORTED: 'width="1.5" offset="-2.6"',
    FindingKind.OBSERVED: 'width="0.5" offset="-2.2"',
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
    yield from heading_with_room("Every suggestion")
    if not card.findings:
        # Where something was not judged, that nothing was found says little.
        said = "Nothing found, but not everything was judged." if card.incomplete else "Nothing found."
        yield Paragraph(said, style.BODY)
    for finding in card.findings:
        yield Paragraph(f"{sign(finding.kind)} {_line(finding)}", style.FINDING, bulletText=str(finding.number))


def decided(card: Scorecard) -> Iterator[Any]:
    """What the clinician attested or set aside, with the reason and the day."""
    if not card.decided:
        return
    lines = [Paragraph(_decision(finding), style.FINDING, bulletText=str(finding.number)) for finding in card.decided]
    yield KeepTogether([Paragraph("Confirmed or dismissed by the clinician", style.SUBHEADING), lines[0]])
    yield from lines[1:]


def _decision(finding: Finding) -> str:
    assert finding.decision is not None
    made = f"{finding.decision.reason} {finding.decision.when:%d %b %Y}."
    return (
        f"{sign(finding.kind)} “{markup(shortened(finding.text))}”"
        f' <font color="#59636e">{markup(finding.section)} · {markup(made)}</font>'
    )


def sign(kind: FindingKind) -> str:
    return f'<font color="{style.KIND_COLOURS[kind]}"><b>{GLYPHS[kind]}</b></font>'


def _line(finding: Finding) -> str:
    quoted = finding.kind not in (FindingKind.MISSING,)
    text = markup(shortened(finding.text))
    text = f"“{text}”" if quoted else f"<b>{text}</b>"
    serious = f" <b>{SEVERITY_NAMES[finding.severity].lower()}</b> ·" if finding.severity is not Severity.NONE else ""
    tail = f' <font color="#59636e">{markup(finding.section)} ·{serious} {markup(shortened(finding.reason))}</font>'
    return text + tail.replace("· </font>", "</font>")


def shortened(text: str, most: int = _MOST_QUOTED) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def checklist(card: Scorecard) -> Iterator[Any]:
    above = [Paragraph("Checklist", style.HEADING)]
    for title, rows in card.checklist:
        covered = sum(row.state == "covered" for row in rows)
        judged = any(row.state != NOT_JUDGED for row in rows)
        counted = f"{covered} of {len(rows)}" if judged else NOT_JUDGED
        heading = Paragraph(f'{markup(title)} <font color="#59636e" size="8.5">{counted}</font>', style.SUBHEADING)
        yield KeepTogether([*above, heading, _rows(rows)])
        above = []


def _rows(rows: tuple[ChecklistRow, ...]) -> Table:
    cells = [
        [
            Paragraph(f"<b>{row.sign}</b>", style.BODY),
            Paragraph(f"<b>{markup(row.name)}</b>" if row.mandatory else markup(row.name), style.BODY),
            Paragraph(markup(row.description), style.SMALL),
            Paragraph(markup(row.state + (" · mandatory" if row.mandatory else "")), style.SMALL),
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
    yield from heading_with_room("The note with its marks")
    yield Paragraph(_legend(bool(numbers)), style.SMALL)
    yield Spacer(0, 4)
    for line in _lines(note):
        laid = _line_of_note(note, card, numbers, *line)
        if laid.style is style.SUBHEADING:
            yield CondPageBreak(_ROOM_UNDER_SUBHEADING)
        yield laid


def _legend(numbered: bool) -> str:
    kinds = (FindingKind.CONTRADICTED, FindingKind.UNSUPPORTED, FindingKind.OBSERVED, FindingKind.UNNEEDED)
    names = ("contradicted", "unsupported", "observed", "not needed")
    samples = [f"{sign(kind)} {_marked(name, (kind,))}" for kind, name in zip(kinds, names, strict=True)]
    return " &nbsp;&nbsp; ".join(samples) + (" &nbsp;&nbsp; The number is that of the suggestion." if numbered else "")


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
        if kind in _UNDERLINES:
            marked = f'<u color="{style.KIND_COLOURS[kind]}" {_UNDERLINES[kind]}>{marked}</u>'
    return marked


def evidence(card: Scorecard) -> Iterator[Any]:
    """Each finding with its reason and the quoted turns that it rests on; without those that rest on no turn."""
    always = (FindingKind.CONTRADICTED, FindingKind.UNSUPPORTED)
    shown = [finding for finding in card.findings if finding.passages or finding.kind in always]
    if not shown:
        return
    yield from heading_with_room("The evidence")
    for finding in shown:
        sure = how_sure(finding.confidence)
        grade = [HEADINGS[finding.kind].lower(), finding.section] + ([f"{sure}"] if sure else [])
        head = Paragraph(
            f"{sign(finding.kind)} <b>{finding.number}</b> &nbsp;<b>{markup(shortened(finding.text))}</b>", style.BODY
        )
        lines = [head, Paragraph(markup(" · ".join(grade)), style.SMALL)]
        if finding.reason:
            lines.append(Paragraph(markup(shortened(finding.reason)), style.BODY))
        quotes = [quote(passage) for passage in finding.passages[:_MOST_EVIDENCE]]
        yield KeepTogether([*lines, *quotes[:1]])
        yield from quotes[1:]
        yield Spacer(0, 9)


def quote(passage: Passage) -> Paragraph:
    where = f"Turn {turn_number(passage.turn)} · {passage.speaker}" + (f" · {passage.time}" if passage.time else "")
    return Paragraph(
        f'<font color="#59636e" size="8">{markup(where)}</font><br/>“{markup(shortened(passage.quote))}”', style.QUOTE
    )


def responses(reading: Reading) -> Iterator[Any]:
    """The session beside others, then one row an exchange: the six attributes, both means and the gap."""
    yield PageBreak()
    yield from heading_with_room("The therapist's responses")
    yield Paragraph(_RESPONSES, style.SMALL)
    for band in reading.bands:
        line = f"<b>{markup(BAND_NAMES[band.name])}</b>: {markup(band_value(band))}. {markup(beside(band))}."
        yield Paragraph(line, style.BODY)
    yield Spacer(0, 9)
    head = ["Turn", *(ATTRIBUTE_NAMES[attribute] for attribute in Attribute), "CSS", "ARS", "Gap"]
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


_RESPONSES = (
    "An exchange is what the client disclosed and what the therapist did over the next turns, the best of which "
    "counts; it stands at the first of them. Beside it: 133 demonstrations of good and weak motivational interviewing "
    "(AnnoMI); thresholds of MITI 4.2.1 and 3.1.1. From 1 to 5. CSS (cognitive support): mean of guidance, information "
    "and safety. ARS (affective resonance): mean of empathy, helpfulness and understanding. Gap: CSS less ARS."
)


def _number(turn: int | None) -> str:
    return "" if turn is None else str(turn_number(turn))


def _figure(value: int | None) -> str:
    return "–" if value is None else str(value)


def _decimal(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


_READING = (
    (
        "What this is",
        "A second pair of eyes on a progress note: it shows where to look first and gives no verdict. It compares a "
        "text with a transcript, says nothing about the person who wrote it, and does not replace supervision.",
    ),
    (
        "Completeness",
        "How many of the 23 checklist items the note covers. Not every item applies to every session; those marked "
        "mandatory usually do. The three general items are listed but not counted.",
    ),
    ("Conciseness", "How many sentences cover at least one checklist item of their section."),
    (
        "Faithfulness",
        "How many statements the session supports. A statement is contradicted where the session says otherwise, and "
        "unsupported where the session does not say it. What only someone in the room can know, such as dress or "
        "affect, is listed for the clinician to confirm and counted apart.",
    ),
    (
        "Confidence",
        "High, medium or low: how far the judge's own probability is from fifty-fifty. Where it is low, read the "
        "quoted turns before you change anything.",
    ),
    (
        "What it cannot do",
        "It reads words only: no tone, no silence, nothing that was not recorded or was transcribed wrongly. It can "
        "miss a mention of risk. A note without marks may still be wrong; the transcript stays the reference.",
    ),
    (
        "Source of the checklist",
        "Item ids and definitions of the scores follow Shah et al., TN-Eval: Rubric and Evaluation Protocols for "
        "Measuring the Quality of Behavioral Therapy Notes (ACL 2025); the wording is ours.",
    ),
    (
        "How the built-in judge was made",
        "Its three model cards (in the app under Help) say whose notes it was trained on, how far it agrees with "
        "therapists, where it fails and what it must not be used for.",
    ),
)


def how_to_read() -> Iterator[Any]:
    yield PageBreak()
    yield from heading_with_room("How to read this scorecard")
    for title, text in _READING:
        yield KeepTogether([Paragraph(title, style.SUBHEADING), Paragraph(text, style.BODY)])


def fingerprints(prints: Fingerprints) -> Iterator[Any]:
    """What the scorecard was made from, for `noteeval verify` and for a reader who compares by eye."""
    rows = [(name, getattr(prints, member)) for member, name in FINGERPRINT_NAMES.items()]
    lines = [Paragraph(f"{markup(name)}: {markup(shortened(value))}", style.SMALL) for name, value in rows if value]
    said = (
        "The long ones are SHA-256. “Check a scorecard…” in the File menu compares them with a case and shows whether "
        "this file was changed after export. They are not a signature."
    )
    heading = Paragraph("Fingerprints", style.SUBHEADING)
    yield KeepTogether([heading, Paragraph(said, style.SMALL), *lines])
