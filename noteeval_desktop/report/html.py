"""The scorecard as one web page for screen readers and for small or large screens: no script, nothing from elsewhere.

A PDF made with reportlab has no tags, and the page has what tags would give: headings in their order, tables with
headers, marks that are named in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from noteeval_desktop import __version__
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.report.appendix import Appendix
from noteeval_desktop.report.content import GLYPHS, SHORT, Finding, Scorecard, how_sure, scorecard
from noteeval_desktop.report.files import write_text

_STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1f2328;"
    "background:#fff}h1,h2,h3{line-height:1.25}h2{color:#0b6e75;margin-top:2.5rem}table{border-collapse:collapse;"
    "width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d1d9e0;vertical-align:top}"
    ".risk{border:2px solid #c0362c;border-left-width:8px;padding:.6rem 1rem}mark{background:none;color:inherit;"
    "text-decoration:underline;text-decoration-thickness:2px}.quiet{color:#59636e}blockquote{margin:.4rem 0 .4rem 1rem;"
    "padding-left:.8rem;border-left:3px solid #d1d9e0}"
)


def write_html(
    evaluation: Evaluation,
    path: Path,
    *,
    rubric: Rubric,
    decisions: Sequence[Decision] = (),
    appendix: Collection[Appendix] = (),
    when: datetime | None = None,
) -> None:
    """Write the page to ``path``, whole or not at all. Raises InputError where it cannot be written."""
    write_text(path, html(evaluation, rubric=rubric, decisions=decisions, appendix=appendix, when=when))


def html(
    evaluation: Evaluation,
    *,
    rubric: Rubric,
    decisions: Sequence[Decision] = (),
    appendix: Collection[Appendix] = (),
    when: datetime | None = None,
) -> str:
    """What the PDF says, in its order."""
    card, label = scorecard(evaluation, rubric, decisions), evaluation.case.label
    title = f"Note scorecard: {label}" if label else "Note scorecard"
    body = "\n".join(_body(evaluation, card, title, appendix, when or datetime.now()))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _body(
    evaluation: Evaluation, card: Scorecard, title: str, appendix: Collection[Appendix], when: datetime
) -> Iterator[str]:
    judge = evaluation.judge
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="quiet">{when:%d %B %Y, %H:%M} · judge: {escape(judge.kind)}, version {escape(judge.version)}</p>'
    yield from (f"<p>Note: {escape(warning)}</p>" for warning in evaluation.case.warnings)
    loud = ' class="risk"' if any(danger.open for danger in card.dangers) else ""
    yield f"<h2>Risk</h2>\n<p{loud}>{escape(card.risk)}</p>"
    yield "<h2>Before you sign</h2>"
    yield _list(card.before_signing) if card.before_signing else "<p>Nothing found that could do harm.</p>"
    if card.silenced:
        yield f"<p>Not flagged, as the clinician chose: {card.silenced}. Risk always is.</p>"
    yield "<h2>Scores</h2>"
    yield from _scores(card)
    if card.incomplete:
        yield f"<p>Incomplete. {escape(card.incomplete)}</p>"
    yield "<h2>The note with its marks</h2>"
    yield from _note(evaluation.case.note, card)
    if Appendix.FINDINGS in appendix:
        yield "<h2>Every suggestion</h2>"
        yield _list(card.findings)
        if card.decided:
            yield "<h3>Confirmed or dismissed by the clinician</h3>"
            yield _list(card.decided)
    if Appendix.CHECKLIST in appendix:
        yield from _checklist(card)
    if Appendix.EVIDENCE in appendix:
        yield from _evidence(card)
    yield f'<p class="quiet">NoteEval Desktop {__version__} · a guide for review, not a verdict</p>'


def _list(findings: Sequence[Finding]) -> str:
    rows = (f'<li value="{finding.number}">{_finding(finding)}</li>' for finding in findings)
    return "<ol>\n" + "\n".join(rows) + "\n</ol>"


def _finding(finding: Finding) -> str:
    turns = list(dict.fromkeys(turn_number(passage.turn) for passage in finding.passages))
    where = f"; turn{'s' if len(turns) > 1 else ''} {', '.join(map(str, turns))}" if turns else ""
    made = f" {escape(finding.decision.reason)}" if finding.decision is not None else ""
    about = f"{escape(finding.section)}: {SHORT[finding.kind]}{where}.{made}"
    return f'{escape(finding.text)} <span class="quiet">{about}</span>'


def _scores(card: Scorecard) -> Iterator[str]:
    yield (
        '<table>\n<thead><tr><th scope="col">Score</th><th scope="col">Result</th><th scope="col">By section</th>'
        '<th scope="col">Trust</th></tr></thead>\n<tbody>'
    )
    for one in card.statements:
        shares = "; ".join(f"{name} {_percent(share)}" for name, share in one.sections)
        yield (
            f'<tr><th scope="row">{escape(one.name)}</th><td>{escape(one.figure)} {escape(one.counted)}. '
            f"{escape(one.detail)}</td><td>{escape(shares)}</td><td>{escape(one.trust)}</td></tr>"
        )
    yield "</tbody>\n</table>"


def _percent(share: float | None) -> str:
    return "nothing to count" if share is None else f"{round(100 * share)} %"


def _note(note: Note, card: Scorecard) -> Iterator[str]:
    """Sentence by sentence, a mark followed by what it says."""
    position = 0
    for block in note.blocks:
        yield from _unjudged(note.text[position : (block.heading or block.body).start])
        position = block.body.end
        if block.heading is not None:
            yield f"<h3>{escape(block.heading.of(note.text).strip('#* :'))}</h3>"
        own = [s for s in note.sentences if block.body.start <= s.span.start < block.body.end]
        if own:
            yield "<p>" + " ".join(_sentence(sentence.text, card.on(sentence.id)) for sentence in own) + "</p>"
    yield from _unjudged(note.text[position:])


def _unjudged(text: str) -> Iterator[str]:
    """The note's title, fields and signature."""
    if text.strip():
        yield f'<p class="quiet">{escape(text.strip())}</p>'


def _sentence(text: str, findings: Sequence[Finding]) -> str:
    if not findings:
        return escape(text)
    said = "; ".join(f"{GLYPHS[f.kind]} {f.number}, {SHORT[f.kind]}" for f in findings)
    return f'<mark>{escape(text)}</mark> <span class="quiet">({said})</span>'


def _checklist(card: Scorecard) -> Iterator[str]:
    yield "<h2>Checklist</h2>"
    for title, rows in card.checklist:
        yield f'<table>\n<caption>{escape(title)}</caption>\n<thead><tr><th scope="col">Item</th>'
        yield '<th scope="col">State</th><th scope="col">Mandatory</th></tr></thead>\n<tbody>'
        for row in rows:
            mandatory = "yes" if row.mandatory else "no"
            yield f'<tr><th scope="row">{escape(row.name)}</th><td>{escape(row.state)}</td><td>{mandatory}</td></tr>'
        yield "</tbody>\n</table>"


def _evidence(card: Scorecard) -> Iterator[str]:
    yield "<h2>The evidence</h2>"
    for finding in card.findings:
        if not finding.passages:
            continue
        sure = how_sure(finding.confidence)
        yield f"<h3>{finding.number}. {escape(finding.text)}</h3>"
        yield f"<p>{escape(finding.reason)}{f' Confidence: {sure}.' if sure else ''}</p>"
        for passage in finding.passages:
            who = f"Turn {turn_number(passage.turn)}, {escape(passage.speaker)}"
            yield f"<blockquote><p>{who}: {escape(passage.quote)}</p></blockquote>"
