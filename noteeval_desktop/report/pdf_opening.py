"""How a scorecard opens: what was judged, what puts it in doubt, risk, and the three scores; all on the first page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reportlab.platypus import HRFlowable, KeepTogether, Spacer, Table, TableStyle

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import day
from noteeval_desktop.domain.transcript import Transcript, cite
from noteeval_desktop.present.card import Scorecard
from noteeval_desktop.present.finding import Finding, passage
from noteeval_desktop.present.risks import Danger
from noteeval_desktop.present.scores import Statement
from noteeval_desktop.report import pdf_style as style
from noteeval_desktop.report import words
from noteeval_desktop.report.pdf_bidi import Paragraph
from noteeval_desktop.report.pdf_chart import SectionBars
from noteeval_desktop.report.pdf_fonts import chunks, markup
from noteeval_desktop.report.pdf_layout import heading_with_room, quote, shortened, sign_of

_CARD_GAP = 10
_BRIEF, _MOST_TURNS = 150, 4

_BARE = TableStyle([(edge + "PADDING", (0, 0), (-1, -1), 0) for edge in ("LEFT", "RIGHT", "TOP", "BOTTOM")])


def opening(title: str, facts: tuple[tuple[str, str], ...]) -> Iterator[Any]:
    """The title and a quiet table of what was judged, when and by whom."""
    yield Paragraph(words.SCORECARD, style.TITLE)
    if title:
        yield Paragraph(markup(title), style.SUBHEADING)
    rows = [[Paragraph(markup(name), style.SMALL), Paragraph(markup(value), style.SMALL)] for name, value in facts]
    table = Table(rows, colWidths=[70, style.WIDTH - 70], hAlign="LEFT")
    table.setStyle(_BARE)
    yield Spacer(0, 4)
    yield table
    yield HRFlowable(width="100%", color=style.LINE, spaceBefore=8, spaceAfter=10)


def warnings(lines: tuple[str, ...], kept: Decision | None) -> Iterator[Any]:
    """What a reader should know before they trust the rest; ``kept`` as in the scorecard."""
    for line in lines:
        yield from (Paragraph(markup(chunk), style.BODY) for chunk in chunks(f"⚠ {line}"))
    if kept is not None:
        yield Paragraph(markup(words.session_kept(kept)), style.SMALL)
    yield Spacer(0, 6 if lines else 0)


def risk(card: Scorecard) -> Iterator[Any]:
    """The banner: what the note leaves unanswered, in red, before any score. Its passages are in the ledger."""
    if not card.alarm:
        yield Paragraph(f"<b>{words.RISK}.</b> {markup(card.risk)}", style.BODY)
    else:
        said = f'<font color="{style.DANGER}"><b>⚠ {words.RISK}.</b></font> {markup(card.risk)}'
        banner = Table([[Paragraph(said, style.BODY)]], colWidths=[style.WIDTH])
        banner.setStyle(
            TableStyle(
                [("BOX", (0, 0), (-1, -1), 0.7, style.DANGER), ("LINEBEFORE", (0, 0), (0, -1), 4, style.DANGER, "butt")]
                + [(edge + "PADDING", (0, 0), (-1, -1), 10) for edge in ("LEFT", "RIGHT")]
                + [(edge + "PADDING", (0, 0), (-1, -1), 6) for edge in ("TOP", "BOTTOM")]
            )
        )
        yield banner
    yield Spacer(0, 10)


def before_signing(card: Scorecard) -> Iterator[Any]:
    """At most ten, each in two lines or so: with the risk above and the scores below they fill the first page."""
    yield Paragraph(words.BEFORE_YOU_SIGN, style.HEADING)
    shown = card.before_signing
    if not shown:
        # Where something was not judged, that nothing was found says little.
        said = words.NOTHING_BUT if card.incomplete else words.NONE_LEFT
        yield Paragraph(said, style.BODY)
    for finding in shown:
        yield Paragraph(_in_brief(finding), style.FINDING, bulletText=str(finding.number))
    if card.unvouched:
        yield Paragraph(markup(card.unvouched), style.BODY)
    others = len(card.findings) - len(shown)
    if others:
        yield Paragraph(words.others(others), style.SMALL)
    if card.silenced:
        yield Paragraph(words.not_flagged(card.silenced), style.SMALL)
    yield Spacer(0, 8)


def _in_brief(finding: Finding) -> str:
    text = markup(shortened(finding.text, _BRIEF))
    turns = sorted({passage.turn for passage in finding.passages})
    where = words.some_turns(turns, _MOST_TURNS) if turns else ""
    tail = " · ".join(part for part in (finding.section, finding.said, where) if part)
    quoted = f"<b>{text}</b>" if finding.kind is FindingKind.MISSING else f"“{text}”"
    return f'{sign_of(finding)} {quoted} <font color="#59636e">{markup(tail)}</font>'


def signature() -> Iterator[Any]:
    """Lines to sign on, for whoever wrote the note and whoever reviews it."""
    clinician, supervisor = (Paragraph(who, style.SMALL) for who in words.SIGN_HERE)
    half = style.WIDTH / 2 - _CARD_GAP
    table = Table([[clinician, "", supervisor]], colWidths=[half, 2 * _CARD_GAP, half], hAlign="LEFT")
    lines = [("LINEABOVE", (column, 0), (column, 0), 0.7, style.MUTED) for column in (0, 2)]
    table.setStyle(TableStyle([*lines, ("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)]))
    yield KeepTogether([Spacer(0, 34), table])


def ledger(card: Scorecard, transcript: Transcript) -> Iterator[Any]:
    """Every danger that the session touches with its passages, what is open first."""
    if not card.dangers:
        return
    yield from heading_with_room(words.RISK_IN_SESSION)
    for danger in card.dangers:
        sign = f'<font color="{style.DANGER}"><b>⚠</b></font> ' if danger.open else ""
        head = Paragraph(
            f'{sign}<b>{markup(danger.name)}</b> <font color="#59636e">{markup(_state(danger))}</font>', style.FINDING
        )
        found = danger.finding
        asked = [cite(transcript.turns[turn]) for turn in found.turns if turn < found.citation.turn]
        told = (*asked[1 - _MOST_TURNS :], found.citation)
        first, *others = (quote(passage(citation, transcript)) for citation in told)
        # More would not fit under the heading, which then stands alone at the foot of its page.
        yield KeepTogether([head, first])
        yield from others


def _state(danger: Danger) -> str:
    said = f"{danger.stance} · {danger.state}"
    if danger.answers:
        said += f": “{shortened(danger.answers[0])}”"
    if danger.decision is not None:
        said += f" · {danger.decision.reason} {day(danger.decision.when)}"
    return said


def statements(card: Scorecard) -> Iterator[Any]:
    width = (style.WIDTH - 2 * _CARD_GAP) / 3
    cells = [_statement(statement, width - 20) for statement in card.statements]
    table = Table([[cells[0], "", cells[1], "", cells[2]]], colWidths=[width, _CARD_GAP, width, _CARD_GAP, width])
    table.setStyle(
        TableStyle(
            [("VALIGN", (0, 0), (-1, -1), "TOP")]
            + [("BOX", (column, 0), (column, 0), 0.7, style.LINE) for column in (0, 2, 4)]
            + [(edge + "PADDING", (0, 0), (-1, -1), 10) for edge in ("LEFT", "RIGHT")]
            + [(edge + "PADDING", (0, 0), (-1, -1), 8) for edge in ("TOP", "BOTTOM")]
        )
    )
    yield table
    yield Spacer(0, 8)
    if card.incomplete:
        yield from (
            Paragraph(f"<b>{words.INCOMPLETE}.</b> {markup(chunk)}", style.BODY) for chunk in chunks(card.incomplete)
        )


def _statement(statement: Statement, width: float) -> list[Any]:
    return [
        Paragraph(markup(statement.name), style.SMALL),
        Paragraph(markup(statement.figure), style.FIGURE),
        Paragraph(markup(statement.counted), style.BODY),
        Spacer(0, 5),
        SectionBars(statement.sections, width),
        Spacer(0, 3),
        Paragraph(markup(statement.detail), style.SMALL),
        Paragraph(markup(statement.trust), style.SMALL),
    ]
