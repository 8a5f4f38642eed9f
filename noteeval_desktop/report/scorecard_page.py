"""The scorecard's page: what a supervisor reads in a minute, the note with its marks, and what was asked to follow.

With a supervisor's review its first sheet is one to talk over, the marks are those that were settled, and the comments
follow the note: see ``feedback_page``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.findings import ERROR_KINDS, FindingKind, ItemState
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import are, counted, day, long_day, percent, share_of, shortened, tr
from noteeval_desktop.domain.review import Comment, Review, Vouched
from noteeval_desktop.domain.reviewed import as_reviewed
from noteeval_desktop.domain.rubric import Rubric, is_scored
from noteeval_desktop.domain.transcript import Transcript, cite, turn_list, turn_number
from noteeval_desktop.domain.verdicts import Attribute, Severity
from noteeval_desktop.present import scores
from noteeval_desktop.present.card import Scorecard, scorecard
from noteeval_desktop.present.finding import Finding, Passage, passage
from noteeval_desktop.present.risks import Danger
from noteeval_desktop.present.scores import Statement, needs_said
from noteeval_desktop.present.thread import ThreadRow, thread_rows, thread_summary, thread_trust
from noteeval_desktop.present.vocabulary import (
    ATTRIBUTE_NAMES,
    COPIED,
    KINDS,
    MARKED,
    NOT_CHECKED,
    NOT_NEEDED,
    SEVERITY_NAMES,
)
from noteeval_desktop.report import charts, feedback_page, page
from noteeval_desktop.report.charts import Bar
from noteeval_desktop.report.feedback import feedback
from noteeval_desktop.report.fingerprints import NAMES, Fingerprints, fingerprints_of
from noteeval_desktop.report.page import Marked, Run, Text
from noteeval_desktop.report.talking_points import talk


class Appendix(StrEnum):
    """What may follow a scorecard's two pages, in their order. SCORES: the first page of a scorecard, behind a
    supervisor's own. FINDINGS: every suggestion in the one order, and what was decided about it."""

    SCORES = "scores"
    FINDINGS = "findings"
    RISK = "risk"
    CHECKLIST = "checklist"
    EVIDENCE = "evidence"
    READING = "reading"


EVERYTHING = tuple(Appendix)
APPENDIX_NAMES = {
    Appendix.SCORES: tr("The scores, and what to look at before signing"),
    Appendix.FINDINGS: tr("Every suggestion, and what was decided"),
    Appendix.RISK: tr("Every mention of risk"),
    Appendix.CHECKLIST: tr("The checklist"),
    Appendix.EVIDENCE: tr("The evidence, with quotes"),
    Appendix.READING: tr("How to read it, and fingerprints"),
}
_JUDGES = {
    "builtin": tr("Built-in, on this computer"),
    "local": tr("Language model on this computer"),
    "remote": tr("Online AI service"),
    "human": tr("A person"),
}
_NOTHING_BUT = tr("No suggestions; some items could not be checked.")
_READING = (
    (
        tr("What this is"),
        tr(
            "A second pair of eyes on a progress note: it shows where to look first and gives no verdict. It "
            "compares a text with a transcript, says nothing about the person who wrote it, and does not replace "
            "supervision."
        ),
    ),
    (
        tr("Completeness"),
        tr(
            "How many of the {items} the note covers. Not every item applies to every session; those marked mandatory "
            "usually do. {beside}"
        ),
    ),
    (tr("Conciseness"), tr("How many sentences cover at least one checklist item of their section. {needs}")),
    (
        tr("Faithfulness"),
        tr(
            "How many statements the session supports. A statement is contradicted if the session says "
            "something else, and unsupported if the session does not say it. What only someone in the "
            "room can know, such as dress or affect, is listed for the clinician to confirm and counted "
            "apart."
        ),
    ),
    (
        tr("Confidence"),
        tr(
            "High, medium or low: how sure the judge is of a mark. Where it is low, read the quoted turns before "
            "you change anything."
        ),
    ),
    (
        tr("What it cannot do"),
        tr(
            "It reads words only: no tone, no silence, nothing that was not recorded or was transcribed wrongly. "
            "It can miss a mention of risk. A note without marks may still be wrong; the transcript stays the "
            "reference."
        ),
    ),
    (
        tr("Source of the checklist"),
        "{source}",
    ),
    (
        tr("How the built-in judge was made"),
        tr(
            "Its three model cards (in the app under Help) say whose notes it was trained on, how far it agrees "
            "with therapists, where it fails and what it must not be used for."
        ),
    ),
)
_PUBLISHED = tr(
    "Item ids and definitions of the scores follow Shah et al., TN-Eval: Rubric and Evaluation Protocols for Measuring "
    "the Quality of Behavioral Therapy Notes (ACL 2025); the wording is ours."
)
_MOST_TURNS, _MOST_EVIDENCE, _BRIEF, _MOST_QUOTED = 4, 3, 150, 400


def scorecard_page(
    evaluation: Evaluation,
    *,
    rubric: Rubric,
    label: str = "",
    when: datetime | None = None,
    responses: Reading | None = None,
    decisions: Sequence[Decision] = (),
    review: Review | None = None,
    vouched: Vouched | None = None,
    judge_marks: bool = False,
    appendix: Collection[Appendix] = (),
    prints: Fingerprints | None = None,
) -> page.Page:
    """``label`` defaults to the case's. With ``responses`` it ends with how the therapist answered; ``judge_marks``:
    the marks of supervisor and judge stand side by side. ``vouched``: who signed the review. ``prints``: of the
    evaluation before its names were masked. Raises InputError where ``review`` is blind, a self-review or of another
    note."""
    when, label, rubric = when or datetime.now(), label or evaluation.case.label, evaluation.rubric or rubric
    given = feedback(review, evaluation, rubric) if review is not None else None
    thread = thread_rows(evaluation, decisions)
    shown, decisions = as_reviewed(evaluation, decisions, review)
    card = scorecard(shown, rubric, decisions)
    prints = prints or fingerprints_of(evaluation, review, vouched)
    parts: list[page.Part] = []
    if given is not None:
        said = talk(given, card)
        parts.append(page.Group("sheet", tuple(feedback_page.summary(label, given, said, vouched, judge_marks))))
    told = card.findings if Appendix.FINDINGS in appendix else ()
    if given is None or Appendix.SCORES in appendix:
        told = told or card.before_signing
        parts += _opening(shown, card, rubric, label, when)
        parts += (
            [page.Blanks((((tr("Clinician, date"), ""),), ((tr("Supervisor, date"), ""),)))] if given is None else []
        )
        parts.append(page.Group("sheet"))
    comments = review.comments if review is not None else ()
    parts += _marked_note(shown.case.note, card, {finding.number for finding in told}, comments)
    parts += _treatment_plan(thread) if thread else ()
    if given is not None:
        parts += feedback_page.review(given, said, vouched, judge_marks)
    parts += _appendix(shown, card, responses, appendix)
    if Appendix.READING in appendix:
        parts += _how_to_read(prints, card, rubric, needs_said(shown))
    subject = tr("Completeness, conciseness and faithfulness of a progress note")
    return page.Page(titled(label), tuple(parts), when, f"{tr('Note scorecard')} · {label}", subject, prints)


def titled(label: str) -> str:
    """Of the file."""
    return f"{tr('Note scorecard')}: {label}" if label else tr("Note scorecard")


def _opening(
    evaluation: Evaluation, card: Scorecard, rubric: Rubric, label: str, when: datetime
) -> Iterator[page.Part]:
    """All on the first sheet: what was judged, what puts it in doubt, risk, what to look at, and the three scores."""
    case, sent = evaluation.case, evaluation.usage.bytes_sent
    judge = tr("{judge} · checklist {name}").format(judge=_who_judged(evaluation.judge), name=rubric.titled)
    note = tr("{sentences}, {format} · session of {turns}").format(
        sentences=counted(len(case.note.sentences), "sentence"),
        format=case.note.format,
        turns=counted(len(case.transcript.turns), "turn"),
    )
    nothing = tr("nothing left this computer")
    facts = (
        (tr("Checked"), f"{long_day(when)}, {when:%H:%M}"),
        (tr("Judge"), judge),
        (tr("Note"), note),
        (tr("Sent"), tr("{bytes} left this computer").format(bytes=counted(sent, "byte")) if sent else nothing),
    )
    yield page.Title(tr("Note scorecard"), label, facts)
    yield from (page.Paragraph(f"⚠ {warning}") for warning in case.warnings)
    if card.session_kept is not None:
        said = tr("The clinician was asked about the session on {day}: {reason}")
        yield page.Paragraph(said.format(day=day(card.session_kept.when), reason=card.session_kept.reason), "small")
    yield page.Banner(tr("Risk"), card.risk, card.alarm)
    yield page.Heading(tr("Before you sign"))
    if card.before_signing:
        yield page.Items(tuple(page.Item(str(one.number), _in_brief(one)) for one in card.before_signing))
    else:
        # Where something was not judged, that nothing was found says little.
        yield page.Paragraph(
            _NOTHING_BUT
            if card.incomplete
            else tr(
                "No suggestion is left here. NoteEval misses mistakes: read the note once more against the session."
            )
        )
    if card.unvouched:
        yield page.Paragraph(card.unvouched)
    said = tr("{more} {are} in the app, and in the appendix if you added it.")
    if others := len(card.findings) - len(card.before_signing):
        yield page.Paragraph(said.format(more=counted(others, tr("more suggestion")), are=are(others)), "small")
    if card.silenced:
        said = tr("{count} {are} not flagged, as the clinician chose. Risk always is.")
        yield page.Paragraph(said.format(count=counted(card.silenced, "suggestion"), are=are(card.silenced)), "small")
    yield page.Cards(tr("Scores"), tuple(map(_score, card.statements)))
    if card.incomplete:
        yield page.Paragraph((Run(tr("Incomplete."), strong=True), " ", card.incomplete))


def _who_judged(judge: JudgeIdentity) -> str:
    """Which model and version the built-in judge is stands among the fingerprints."""
    kind = _JUDGES.get(judge.kind, judge.kind)
    if judge.kind == "builtin":
        return kind
    said = tr("{kind}: {model}, version {version}")
    return said.format(kind=kind, model=judge.model, version=judge.version)


def _score(statement: Statement) -> tuple[page.Part, ...]:
    rows = [Bar(name, (share,), ("–" if share is None else percent(share),)) for name, share in statement.sections]
    return (
        page.Paragraph(statement.name, "small"),
        page.Paragraph(statement.figure, "figure"),
        page.Paragraph(statement.counted),
        page.Chart(partial(charts.bars, rows, ()), "; ".join(f"{row.label} {row.texts[0]}" for row in rows)),
        *(page.Paragraph(said, "small") for said in (statement.detail, statement.trust) if said),
    )


def _in_brief(finding: Finding) -> Text:
    turns = sorted({passage.turn for passage in finding.passages})
    where = turn_list(turns[:_MOST_TURNS]) if turns else ""
    if len(turns) > _MOST_TURNS:
        where = tr("{turns} and {count} more").format(turns=where, count=len(turns) - _MOST_TURNS)
    tail = " · ".join(part for part in (finding.section, finding.said, where) if part)
    return _sign(finding), " ", _named(finding, _BRIEF), " ", Run(tail, "grey")


def _named(finding: Finding, most: int = _MOST_QUOTED) -> Run:
    text = shortened(finding.text, most)
    return (
        Run(text, strong=True)
        if finding.kind is FindingKind.MISSING or not (finding.span or finding.passages)
        else Run(f"“{text}”")
    )


def _sign(finding: Finding) -> Run:
    return Run(finding.sign, finding.tone, strong=True)


def _sign_of(kind: FindingKind) -> Run:
    return Run(KINDS[kind].sign, KINDS[kind].tone, strong=True)


def _marked_note(
    note: Note, card: Scorecard, told: Collection[int], comments: Sequence[Comment]
) -> Iterator[page.Part]:
    """The note's whole text. A finding has its number where that is one of those that are ``told`` of."""
    yield page.Heading(tr("The note with its marks"))
    if card.copied:
        yield page.Paragraph((Run(COPIED, strong=True), f": {card.copied}"))
    legend: list[str | Run | Marked] = []
    for kind in MARKED:
        name = NOT_NEEDED if kind is FindingKind.UNNEEDED else kind.value
        legend += [_sign_of(kind), " ", Marked(name, ((kind, name, None),), ends=False), "\u00a0\u00a0 "]
    yield page.Group(
        "paper", (page.Paragraph((*legend, tr("The number is the suggestion's.") if told else ""), "small"),)
    )
    placed = list(enumerate(sorted(comments, key=lambda one: one.span), start=1))
    start = 0
    for line in note.text.split("\n"):
        end = start + len(line)
        if line.strip():
            yield _line(note, card, told, placed, start, end)
        start = end + 1


def _line(
    note: Note, card: Scorecard, told: Collection[int], comments: Sequence[tuple[int, Comment]], start: int, end: int
) -> page.NoteLine:
    parts: list[str | Run | Marked] = []
    position = start
    for sentence in note.sentences:
        span = sentence.span
        left, right = max(span.start, start), min(span.end, end)
        if left >= right:
            continue
        # Beside sentences stand headings and blanks alone.
        parts.append(re.sub(r"[#*_]", "", note.text[position:left]))
        found = tuple((one.kind, one.said, one.number if one.number in told else None) for one in card.on(sentence.id))
        own = tuple(number for number, one in comments if one.span.meets(span))
        marked = Marked(note.text[left:right], found, own, right == span.end)
        parts.append(marked if found or own else marked.text)
        position = right
    headed = any(block.heading and block.heading.start < end and start < block.heading.end for block in note.blocks)
    if headed and not parts:
        return page.NoteLine(note.text[start:end].strip("#* \t"), "")
    heading = str(parts.pop(0)) if headed else ""
    return page.NoteLine(heading, (*parts, note.text[position:end]))


def _treatment_plan(rows: Sequence[ThreadRow]) -> Iterator[page.Part]:
    """Each goal and intervention of the plan, where the session speaks to it, and what of the note does."""
    yield page.Heading(tr("The treatment plan"))
    yield page.Paragraph(thread_summary(rows))
    if trust := thread_trust(rows):
        yield page.Paragraph(trust, "small")
    head = (tr("Plan"), tr("Session"), tr("Note"))
    yield page.Table(head, tuple((f"{row.name}: {row.line.text}", row.session or "–", _threaded(row)) for row in rows))


def _threaded(row: ThreadRow) -> Text:
    look, told = row.state.value, dict.fromkeys(one.sentence.text for one in row.told)
    quoted = " ".join(f"“{shortened(text, _BRIEF)}”" for text in list(told)[:_MOST_EVIDENCE])
    return Run(look.sign, look.tone.replace("muted", "grey"), strong=True), f" {row.note} ", Run(quoted, "grey")


def _appendix(
    evaluation: Evaluation, card: Scorecard, responses: Reading | None, appendix: Collection[Appendix]
) -> Iterator[page.Part]:
    if Appendix.FINDINGS in appendix:
        yield page.Heading(tr("Every suggestion"))
        if not card.findings:
            yield page.Paragraph(_NOTHING_BUT if card.incomplete else tr("Nothing found."))
        yield page.Items(tuple(page.Item(str(one.number), _in_full(one)) for one in card.findings))
        if card.decided:
            yield page.Heading(tr("Confirmed or dismissed by the clinician"), 2)
            yield page.Items(tuple(page.Item(str(one.number), _decided(one)) for one in card.decided))
    if Appendix.RISK in appendix and card.dangers:
        yield page.Heading(tr("Risk in the session"))
        yield page.Items(tuple(_danger(danger, evaluation.case.transcript) for danger in card.dangers))
    if Appendix.CHECKLIST in appendix:
        yield from _checklist(card)
    if Appendix.EVIDENCE in appendix:
        told = tuple(one for one in card.findings if one.passages or one.kind in ERROR_KINDS)
        if told:
            yield page.Heading(tr("The evidence"))
        yield page.Items(tuple(_evidence(finding) for finding in told))
    if responses is not None and any(one.mean is not None for one in responses.exchanges):
        yield from _responses(responses)


def _in_full(finding: Finding) -> Text:
    """Of what may be about risk nothing is called minor."""
    weighed = finding.severity is not Severity.NONE and not finding.is_risk
    weight = SEVERITY_NAMES[finding.severity].lower() if weighed else ""
    tail = " · ".join(filter(None, (finding.section, weight, shortened(finding.reason, _MOST_QUOTED))))
    return _sign(finding), " ", _named(finding), " ", Run(tail, "grey")


def _decided(finding: Finding) -> Text:
    assert finding.decision is not None
    made = f"{finding.section} · {finding.decision.reason} {day(finding.decision.when)}."
    return _sign_of(finding.kind), " ", f"“{shortened(finding.text, _MOST_QUOTED)}”", " ", Run(made, "grey")


def _danger(danger: Danger, transcript: Transcript) -> page.Item:
    said = f"{danger.stance} · {danger.state}"
    if danger.answers:
        said += f": “{shortened(danger.answers[0], _MOST_QUOTED)}”"
    if danger.decision is not None:
        said += f" · {danger.decision.reason} {day(danger.decision.when)}"
    sign = (Run("⚠", "red", strong=True), " ") if danger.open else ()
    found = danger.finding
    asked = [cite(transcript.turns[turn]) for turn in found.turns if turn < found.citation.turn]
    told = (*asked[1 - _MOST_TURNS :], found.citation)
    quotes = tuple(_quote(passage(citation, transcript)) for citation in told)
    return page.Item("", (*sign, Run(danger.name, strong=True), " ", Run(said, "grey")), quotes)


def _quote(passage: Passage) -> page.Quote:
    turn = tr("Turn {number}").format(number=turn_number(passage.turn))
    where = " · ".join(filter(None, (turn, passage.speaker, passage.time)))
    return page.Quote(where, shortened(passage.quote, _MOST_QUOTED))


def _checklist(card: Scorecard) -> Iterator[page.Part]:
    above: tuple[page.Part, ...] = (page.Heading(tr("Checklist")),)
    for title, rows in card.checklist:
        covered = sum(row.found is ItemState.COVERED for row in rows)
        judged = any(row.verdict is not None and row.verdict.present is not None for row in rows)
        share = share_of(covered, len(rows)) if judged else NOT_CHECKED
        body: list[tuple[Text, ...]] = []
        for row in rows:
            state = tr("{name} · mandatory").format(name=row.state) if row.mandatory else row.state
            body.append(((f"{row.sign} ", Run(row.name, strong=row.mandatory)), Run(row.description, "grey"), state))
        heading = page.Heading((title, " ", Run(share, "grey")), 2)
        table = page.Table((tr("Item"), tr("What belongs there"), tr("State")), tuple(body))
        yield page.Group("together", (*above, heading, table))
        above = ()


def _evidence(finding: Finding) -> page.Item:
    """The reason, and the quoted turns that it rests on."""
    grade = " · ".join(filter(None, (finding.said, finding.section, finding.sure)))
    reason = (page.Paragraph(shortened(finding.reason, _MOST_QUOTED)),) if finding.reason else ()
    quotes = tuple(map(_quote, finding.passages[:_MOST_EVIDENCE]))
    head = (_sign(finding), " ", Run(shortened(finding.text, _MOST_QUOTED), strong=True))
    return page.Item(str(finding.number), head, (page.Paragraph(grade, "small"), *reason, *quotes))


def _responses(reading: Reading) -> Iterator[page.Part]:
    """The session beside others, then one row an exchange: the six attributes, both means and the gap."""
    yield page.Group("sheet")
    yield page.Heading(tr("The therapist's responses"))
    explained = tr(
        "An exchange is what the client disclosed and how the therapist answered over the next turns; the best answer "
        "counts, and the turn shown is that of the first. Compared with 133 demonstrations of good and weak "
        "motivational interviewing (AnnoMI) and the thresholds of MITI 4.2.1 and 3.1.1. Scores run from 1 to 5. CSS "
        "(cognitive support): mean of guidance, information and safety. ARS (affective resonance): mean of empathy, "
        "helpfulness and understanding. Gap: CSS minus ARS."
    )
    yield page.Paragraph(explained, "small")
    unsafe = [exchange for exchange in reading.exchanges if exchange.unsafe]
    if unsafe:
        yield page.Paragraph(scores.NOT_COMPARED)
    for exchange in unsafe:
        yield page.Paragraph(
            f"{_number(exchange.verdict.turn)}: {exchange.headline or tr('Safety is weak or poor here.')}"
        )
    for band in reading.bands:
        said = f"{scores.band_value(band)}. {scores.beside(band)}."
        yield page.Paragraph((Run(scores.BAND_NAMES[band.name], strong=True), f": {said}"))
    names = [ATTRIBUTE_NAMES[attribute] for attribute in Attribute]
    rows = tuple(
        (
            _number(v.turn),
            *("–" if (score := v.score(a)) is None else str(score) for a in Attribute),
            *("–" if mean is None else f"{mean:.1f}" for mean in (v.css, v.ars, v.gap)),
        )
        for v in (exchange.verdict for exchange in reading.exchanges)
    )
    yield page.Table((tr("Turn"), *names, "CSS", "ARS", tr("Gap")), rows)


def _number(turn: int | None) -> str:
    return "" if turn is None else str(turn_number(turn))


def _how_to_read(prints: Fingerprints, card: Scorecard, rubric: Rubric, needs: str) -> Iterator[page.Part]:
    """Then what the scorecard was made from, for `noteeval verify` and for a reader who compares by eye."""
    yield page.Group("sheet")
    yield page.Heading(tr("How to read this scorecard"))
    asked = [row.item.id for _, rows in card.checklist for row in rows]
    scored = sum(map(is_scored, asked))
    beside = tr("{items} of the whole note {are} listed but not counted.")
    beside = beside.format(items=counted(len(asked) - scored, "item"), are=are(len(asked) - scored))
    filled = {
        "items": counted(scored, tr("checklist item")),
        "beside": beside if scored < len(asked) else "",
        "needs": needs,
        "source": _source(rubric),
    }
    for title, text in _READING:
        yield page.Group("together", (page.Heading(title, 2), page.Paragraph(text.format(**filled).strip())))
    explained = tr(
        "The long ones are SHA-256. “Check a scorecard…” in the File menu compares them with a case and shows whether "
        "this file was changed after export. They are not a signature."
    )
    told = [(name, getattr(prints, member)) for member, name in NAMES.items()]
    lines = (f"{name}: {shortened(value, _MOST_QUOTED)}" for name, value in told if value)
    yield page.Group(
        "together",
        (page.Heading(tr("Fingerprints"), 2), *(page.Paragraph(line, "small") for line in (explained, *lines))),
    )


def _source(rubric: Rubric) -> str:
    if rubric.published:
        return _PUBLISHED
    source = rubric.source or tr("The practice's own.")
    said = tr("{checklist}: {source} The definitions of the scores follow Shah et al., TN-Eval (ACL 2025).")
    return said.format(checklist=rubric.titled, source=source)
