"""The scorecard as one web page for screen readers and for small or large screens: no script, nothing from elsewhere.

A PDF made with reportlab has no tags, and the page has what tags would give: headings in their order, tables with
headers, marks that are named in words. Tags could be added after it, with pikepdf: but each paragraph, cell and rule is
drawn deep inside reportlab, may be split over pages, shrunk to fit and reordered for right-to-left text, so that every
flowable that the scorecard uses would have to be wrapped to number what it draws.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from html import escape
from pathlib import Path

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.phrases import long_day, percent
from noteeval_desktop.domain.review import Comment, Review, Vouched
from noteeval_desktop.domain.reviewed import as_reviewed
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.present.card import Scorecard, scorecard
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.vocabulary import KINDS
from noteeval_desktop.report import feedback_words, html_feedback, words
from noteeval_desktop.report.appendix import Appendix
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.talking import talk

_STYLE = (
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1f2328;"
    "background:#fff}h1,h2,h3{line-height:1.25}h2{color:#0b6e75;margin-top:2.5rem}table{border-collapse:collapse;"
    "margin-bottom:1.5rem;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d1d9e0;"
    "vertical-align:top}.risk{border:2px solid #c0362c;border-left-width:8px;padding:.6rem 1rem}mark{background:none;"
    "color:inherit;text-decoration:underline;text-decoration-thickness:2px}.quiet{color:#59636e}"
    "blockquote{margin:.4rem 0 .4rem 1rem;padding-left:.8rem;border-left:3px solid #d1d9e0}"
)


def write_html(
    evaluation: Evaluation,
    path: Path,
    *,
    rubric: Rubric,
    decisions: Sequence[Decision] = (),
    appendix: Collection[Appendix] = (),
    when: datetime | None = None,
    review: Review | None = None,
    vouched: Vouched | None = None,
    judge_marks: bool = False,
) -> None:
    """Write the page to ``path``, whole or not at all. Raises InputError as ``pdf.write_pdf``."""
    page = html(
        evaluation,
        rubric=rubric,
        decisions=decisions,
        appendix=appendix,
        when=when,
        review=review,
        vouched=vouched,
        judge_marks=judge_marks,
    )
    write_text(path, page)


def html(
    evaluation: Evaluation,
    *,
    rubric: Rubric,
    decisions: Sequence[Decision] = (),
    appendix: Collection[Appendix] = (),
    when: datetime | None = None,
    review: Review | None = None,
    vouched: Vouched | None = None,
    judge_marks: bool = False,
) -> str:
    """What the PDF says, in its order; with a ``review``, the marks as they were settled."""
    given = feedback(review, evaluation, rubric) if review is not None else None
    shown, decisions = as_reviewed(evaluation, decisions, review)
    card, label = scorecard(shown, rubric, decisions), evaluation.case.label
    title = words.titled(label) if label else words.SCORECARD
    parts = [*_opening(shown, card, title, when or datetime.now())]
    if given is not None:
        parts += html_feedback.summary(given, talk(given, card), vouched)
    told = card.findings if Appendix.FINDINGS in appendix else ()
    if given is None or Appendix.SCORES in appendix:
        told = told or card.before_signing
        parts += _scores_first(card)
    parts.append(f"<h2>{words.MARKED_NOTE}</h2>")
    parts += _note(shown.case.note, card, {finding.number for finding in told}, review.comments if review else ())
    if given is not None:
        parts += html_feedback.review(given, judge_marks)
    body = "\n".join([*parts, *_appendix(card, appendix), f'<p class="quiet">{words.made_with()}</p>'])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _opening(evaluation: Evaluation, card: Scorecard, title: str, when: datetime) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    judge = escape(words.who_judged(evaluation.judge))
    yield f'<p class="quiet">{long_day(when)}, {when:%H:%M} · {words.JUDGE}: {judge}</p>'
    yield from (f"<p>⚠ {escape(warning)}</p>" for warning in evaluation.case.warnings)
    loud = ' class="risk"' if card.alarm else ""
    yield f"<h2>{words.RISK}</h2>\n<p{loud}>{escape(card.risk)}</p>"


def _scores_first(card: Scorecard) -> Iterator[str]:
    yield f"<h2>{words.BEFORE_YOU_SIGN}</h2>"
    none = words.NOTHING_BUT if card.incomplete else words.NONE_LEFT
    yield _list(card.before_signing) if card.before_signing else f"<p>{none}</p>"
    if card.unvouched:
        yield f"<p>{escape(card.unvouched)}</p>"
    if card.silenced:
        yield f"<p>{words.not_flagged(card.silenced)}</p>"
    yield f"<h2>{words.SCORES}</h2>"
    yield _scores(card)
    if card.incomplete:
        yield f"<p>{words.INCOMPLETE}. {escape(card.incomplete)}</p>"


def _appendix(card: Scorecard, appendix: Collection[Appendix]) -> Iterator[str]:
    if Appendix.FINDINGS in appendix:
        yield f"<h2>{words.EVERY_SUGGESTION}</h2>"
        yield _list(card.findings)
        if card.decided:
            yield f"<h3>{words.DECIDED}</h3>"
            yield _list(card.decided)
    if Appendix.CHECKLIST in appendix:
        yield from _checklist(card)
    if Appendix.EVIDENCE in appendix:
        yield from _evidence(card)


def _list(findings: Sequence[Finding]) -> str:
    rows = (f'<li value="{finding.number}">{_finding(finding)}</li>' for finding in findings)
    return "<ol>\n" + "\n".join(rows) + "\n</ol>"


def _finding(finding: Finding) -> str:
    turns = {passage.turn for passage in finding.passages}
    where = f"; {turn_list(list(turns))}" if turns else ""
    made = f" {escape(finding.decision.reason)}" if finding.decision is not None else ""
    about = f"{escape(finding.section)}: {escape(finding.said)}{where}.{made}"
    sign = "⚠ " if finding.pressing else ""
    return f'{sign}{escape(finding.text)} <span class="quiet">{about}</span>'


def _scores(card: Scorecard) -> str:
    body = []
    for one in card.statements:
        shares = "; ".join(f"{name} {_percent(share)}" for name, share in one.sections)
        body.append((one.name, f"{one.figure} {one.counted}. {one.detail}", shares, one.trust))
    return html_feedback.table((words.SCORE, words.RESULT, words.BY_SECTION, words.TRUST), body)


def _percent(share: float | None) -> str:
    return words.NOTHING_TO_COUNT if share is None else percent(share)


def _note(note: Note, card: Scorecard, told: Collection[int], comments: Sequence[Comment]) -> Iterator[str]:
    """Sentence by sentence, a mark followed by what it says; ``told`` are the numbers that stand in a list."""
    position = 0
    placed = list(enumerate(sorted(comments, key=lambda one: one.span), start=1))

    def said(sentence: Sentence) -> str:
        span = sentence.span
        own = [number for number, one in placed if one.span.start < span.end and span.start < one.span.end]
        return _sentence(sentence.text, card.on(sentence.id), told, own)

    for block in note.blocks:
        yield from _unjudged(note.text[position : (block.heading or block.body).start])
        position = block.body.end
        if block.heading is not None:
            yield f"<h3>{escape(block.heading.of(note.text).strip('#* :'))}</h3>"
        own = [s for s in note.sentences if block.body.start <= s.span.start < block.body.end]
        if own:
            yield "<p>" + " ".join(map(said, own)) + "</p>"
    yield from _unjudged(note.text[position:])


def _unjudged(text: str) -> Iterator[str]:
    """The note's title, fields and signature."""
    if text.strip():
        yield f'<p class="quiet">{escape(text.strip())}</p>'


def _sentence(text: str, findings: Sequence[Finding], told: Collection[int], comments: Sequence[int]) -> str:
    parts = []
    for one in findings:
        number = f"{KINDS[one.kind].sign} {one.number}" if one.number in told else KINDS[one.kind].sign
        parts.append(f"{number}, {one.said}")
    parts += [f"✎ {feedback_words.comment(comments)}"] if comments else []
    if not parts:
        return escape(text)
    return f'<mark>{escape(text)}</mark> <span class="quiet">({"; ".join(parts)})</span>'


def _checklist(card: Scorecard) -> Iterator[str]:
    yield f"<h2>{words.CHECKLIST}</h2>"
    for title, rows in card.checklist:
        body = [(row.name, row.state, words.YES if row.mandatory else words.NO) for row in rows]
        yield html_feedback.table((words.ITEM, words.STATE, words.MANDATORY), body, title)


def _evidence(card: Scorecard) -> Iterator[str]:
    yield f"<h2>{words.EVIDENCE}</h2>"
    for finding in card.findings:
        if not finding.passages:
            continue
        yield f"<h3>{finding.number}. {escape(finding.text)}</h3>"
        yield f"<p>{escape(finding.reason)}{f' {finding.sure}.' if finding.sure else ''}</p>"
        for passage in finding.passages:
            who = escape(words.speaker_at(passage.turn, passage.speaker))
            yield f"<blockquote><p>{who}: {escape(passage.quote)}</p></blockquote>"
