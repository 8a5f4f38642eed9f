"""What each tab lists: pure functions from an Evaluation to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from noteeval_desktop.domain.decisions import linked_to, sentence_subject
from noteeval_desktop.domain.evaluation import JUDGES, Evaluation, JudgedSentence
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind, ItemState, item_state, served
from noteeval_desktop.domain.harm import never_to_cut
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import counted, percent, sentence, share_of, tr
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.reviewed import JUDGED_OTHERWISE
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.trust import Part
from noteeval_desktop.domain.verdicts import GRAVEST_FIRST, ClaimVerdict, ItemVerdict, Opinion, Severity, Verdict
from noteeval_desktop.present.bearing import bearing
from noteeval_desktop.present.card import ChecklistRow, checklist
from noteeval_desktop.present.finding import Finding, how_sure, probability, session_has, unvouched
from noteeval_desktop.present.headings import by_heading, sentence_heading
from noteeval_desktop.present.scores import needs_said, statements
from noteeval_desktop.present.vocabulary import (
    CHECK_ON_RISK,
    COPIED,
    IMPORTANCE_NAMES,
    INFERRED,
    ITEM_STATES,
    KINDS,
    NOT_CHECKED,
    NOT_NEEDED,
    REMARK_NAMES,
    SECTION_NAMES,
    SEVERITY_NAMES,
    VERDICT_NAMES,
)
from noteeval_desktop.ui.findings.excerpts import quotes
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import CHECKLIST, JUDGE, turn_number


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a tab. ``sign`` and ``tone`` (a colour's name in Theme) say the state; ``aside`` stands at the right.

    ``heading`` rows open a group; a ``remark`` is read, never chosen. ``finding`` is set where something can be done
    about the row; ``spans`` are places in the note and ``citations`` places in the session, shown when the row is
    chosen. ``share`` draws a bar (0..1). ``hint`` is for the tooltip, ``state`` says in words what ``sign`` shows.
    ``part``: what the judge's agreement with people on this is known by. ``place`` names a row that is to be looked at
    and has no finding.
    """

    title: str
    detail: str = ""
    sign: str = ""
    tone: str = "text"
    aside: str = ""
    heading: bool = False
    remark: bool = False
    finding: Finding | None = None
    spans: tuple[Span, ...] = ()
    citations: tuple[Citation, ...] = ()
    share: float | None = None
    hint: str = ""
    sure: str = ""
    number: str = ""
    state: str = ""
    opinions: tuple[Opinion, ...] = ()
    part: Part | None = None
    place: str = ""

    @property
    def key(self) -> str:
        return self.finding.key if self.finding else self.place

    @property
    def can_be_chosen(self) -> bool:
        return not (self.heading or self.remark)

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        state = self.state if self.state != self.aside else ""
        hint = self.hint if self.hint not in self.detail else ""
        return ", ".join(part for part in (self.title, state, self.aside, self.detail, hint, self.sure) if part)


def group(name: str, rows: Sequence[Row], aside: str = "") -> tuple[Row, ...]:
    """Under a heading that says how many they are, or ``aside``; nothing of none."""
    return (Row(name, aside=aside or str(len(rows)), heading=True), *rows) if rows else ()


Findings = Mapping[str, Finding]
LINKED_BY_YOU = tr("Linked by you")


def checklist_rows(
    evaluation: Evaluation, rubric: Rubric, findings: Findings, open_risks: int = 0, linked: bool = False
) -> tuple[Row, ...]:
    """By section, mandatory items that are missing first; nothing of items that nobody was asked about. At the item on
    safety it says how many ``open_risks`` there are, or that a sentence was ``linked`` to the last of them."""
    named = f"{CHECKLIST}: {(evaluation.rubric or rubric).titled}"
    rows = [Row(named, tone="muted", remark=True)] if evaluation.checklist else []
    for name, items in checklist(evaluation, rubric, linked, findings):
        own = [(item, item.verdict) for item in items if item.verdict is not None]
        judged = any(verdict.present is not None for _, verdict in own)
        covered = sum(item.found is ItemState.COVERED for item, _ in own)
        if own:
            rows.append(Row(name, aside=share_of(covered, len(own)) if judged else "", heading=True))
        rows += [_item_row(item, verdict, evaluation, open_risks) for item, verdict in own]
    return tuple(rows)


def _item_row(row: ChecklistRow, verdict: ItemVerdict, evaluation: Evaluation, open_risks: int) -> Row:
    finding = None if row.linked else row.finding
    alarming = open_risks if verdict.item == SAFETY_ITEM else 0
    turns = len(finding.passages) if finding is not None else 0
    match row.found:
        case ItemState.COVERED:
            aside = counted(len(row.carrying), "sentence") if row.carrying else ""
        case ItemState.MISSING:
            to_add = tr("{turns} → add").format(turns=counted(turns, "turn")) if turns else ""
            told = (IMPORTANCE_NAMES[verdict.importance] if row.mandatory or not turns else "", to_add)
            aside = " · ".join(filter(None, told))
        case ItemState.NOT_RECOGNISED | ItemState.NOT_CHECKED:
            aside = row.state
        case _:
            assert_never(row.found)
    if alarming:
        aside = tr("{risks} not addressed").format(risks=counted(alarming, "risk"))
    elif row.linked:
        aside = LINKED_BY_YOU
    return Row(
        title=row.name,
        detail=verdict.rationale
        if row.found is ItemState.NOT_CHECKED or evaluation.judge.kind in ("local", "remote")
        else "",
        hint=row.description,
        sign="⚠" if alarming else row.sign,
        tone="red" if alarming else row.tone,
        aside=aside,
        finding=finding,
        spans=tuple(sentence.span for sentence in row.carrying),
        citations=finding.citations if finding else (),
        sure=finding.sure if finding else how_sure(verdict.confidence),
        number=finding.probability if finding else probability(verdict),
        state=row.state,
        part=("completeness", verdict.item),
    )


def sentence_rows(evaluation: Evaluation, rubric: Rubric, findings: Findings) -> tuple[Row, ...]:
    """Every sentence with the items that it serves, section by section."""
    rows: list[Row] = []
    note = evaluation.case.note
    for name, own in by_heading(note, evaluation.sentences, lambda j: sentence_heading(note, j.sentence)):
        rows += group(name, [_need_row(judged, evaluation, rubric, findings) for judged in own])
    return tuple(rows)


def _need_row(judged: JudgedSentence, evaluation: Evaluation, rubric: Rubric, findings: Findings) -> Row:
    need, span = judged.need, (judged.sentence.span,)
    title = shortened(judged.sentence.text, 140)
    if need is None or need.needed is None:
        return Row(title, need.rationale if need else "", "?", "amber", NOT_CHECKED, spans=span)
    finding = _finding_at(judged, FindingKind.UNNEEDED, findings)
    # Each item in the state that the checklist has it in: what it does not recognise no sentence is credited with.
    carried = served(judged, evaluation)
    rubric = evaluation.rubric or rubric
    states = {verdict.item: item_state(verdict, evaluation) for verdict in evaluation.checklist}
    known = [(item.name, states.get(item.id, ItemState.COVERED)) for item in rubric.items if item.id in carried]
    lacking = (ItemState.MISSING, ItemState.NOT_RECOGNISED)
    sure = [name for name, state in known if state not in lacking]
    maybe = [f"{sentence(ITEM_STATES[state].name)}: {name}" for name, state in known if state in lacking]
    asked = bool(maybe) and not sure
    kept = need.needed is False and finding is None and never_to_cut(judged.sentence)
    published = tr("Matches no item of TN-Eval’s checklist")
    no_item = published if needs_said(evaluation) else tr("Matches no checklist item")
    keep = tr("{no_item}. Keep it: it is about risk, treatment or the plan.").format(no_item=no_item)
    asked_elsewhere = need.rationale if need.needed and not need.items else ""
    why = asked_elsewhere or (keep if kept else no_item)
    credited = bool(sure) or need.needed
    return Row(
        title=title,
        detail=". ".join(filter(None, (", ".join(sure), *maybe))) or why,
        sign=finding.sign if finding else "?" if asked else "✓" if credited else "·",
        tone=finding.tone if finding else "amber" if asked else "green" if credited else "muted",
        finding=finding,
        spans=span,
        # How sure the judge is that it is needed would read as how sure it is of what it does not recognise.
        sure=finding.sure if finding else "" if asked else how_sure(need.confidence),
        number=finding.probability if finding else "" if asked else probability(need),
        state="needed" if need.needed else NOT_NEEDED,
        part=("conciseness", judged.sentence.section.value),
    )


def _finding_at(judged: JudgedSentence, kind: FindingKind, findings: Findings) -> Finding | None:
    return next((f for f in findings.values() if f.kind is kind and f.span == judged.sentence.span), None)


RANK = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2, Severity.NONE: 3}


def claim_rows(evaluation: Evaluation, findings: Findings) -> tuple[Row, ...]:
    """Claims by verdict, what is to be mended first."""
    claims = [j for j in evaluation.sentences if j.claim is not None]
    rows: list[Row] = []
    for verdict in (*GRAVEST_FIRST, None):
        of_verdict = [j for j in claims if j.claim and j.claim.verdict is verdict]
        of_verdict.sort(key=lambda j: not (j.claim and j.claim.barely))
        for name in dict.fromkeys(_claim_name(j.claim) for j in of_verdict):
            own = [j for j in of_verdict if _claim_name(j.claim) == name]
            own.sort(key=lambda j: RANK[j.claim.severity] if j.claim else 0)
            rows += group(name, [_claim_row(judged, verdict, findings) for judged in own])
    return tuple(rows)


def on_risk_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """What the note says on risk that no check vouches for, though it passed."""
    passed = [judged for judged in evaluation.sentences if unvouched(judged.claim)]
    return tuple(
        replace(
            row,
            sign="?",
            tone="amber",
            detail=row.detail.removeprefix(f"{CHECK_ON_RISK} "),
            place=sentence_subject("unvouched", judged.sentence.text),
        )
        for judged, row in ((judged, _claim_row(judged, Verdict.SUPPORTED, {})) for judged in passed)
    )


def _claim_name(claim: ClaimVerdict | None) -> str:
    if claim and claim.barely:
        return tr("The session may say so: please check")
    if claim and claim.inferred:
        return INFERRED
    if claim and claim.judged:
        return sentence(JUDGED_OTHERWISE)
    return VERDICT_NAMES[claim.verdict] if claim and claim.verdict else sentence(NOT_CHECKED)


def _claim_row(judged: JudgedSentence, verdict: Verdict | None, findings: Findings) -> Row:
    claim = judged.claim
    assert claim is not None
    passes = verdict is Verdict.SUPPORTED and not claim.barely
    kind = KIND_OF_CLAIM.get(verdict) if verdict else None
    finding = _finding_at(judged, kind, findings) if kind else None
    marked = finding is not None and bool(finding.by)
    why = finding.why if finding and marked else " ".join(filter(None, (claim.rationale, session_has(claim))))
    near = bearing(claim, judged.sentence.text)
    cited = finding.citations if finding else near or (claim.citations if passes else ())
    # The nearest passage is all that is known of a claim that passed: no reason is given, nothing is said to be sure.
    # That none says it stands only where it is not said that the session does.
    passed = "" if passes else tr("No single passage of the session says this.")
    if cited:
        passed = tr("Nearest passage, turn {turn}: “{quote}”").format(
            turn=turn_number(cited[0].turn), quote=shortened(cited[0].quote, 100)
        )
    check = CHECK_ON_RISK if unvouched(claim) else ""
    return Row(
        title=shortened(judged.sentence.text, 140),
        detail=f"{check} {passed}".strip() if verdict is Verdict.SUPPORTED else why,
        sign=KINDS[kind].sign if kind else "✓" if passes else "?",
        tone=KINDS[kind].tone if kind else "green" if passes else "amber" if verdict is None else "muted",
        aside=SEVERITY_NAMES[claim.severity] if kind not in (None, FindingKind.OBSERVED) else "",
        finding=finding,
        spans=(judged.sentence.span,),
        citations=cited,
        hint=check,
        sure=finding.sure if finding else how_sure(claim.confidence, bool(claim.verdict)) if kind else "",
        number="" if marked else probability(claim),
        state=_claim_name(claim) if verdict else NOT_CHECKED,
        opinions=claim.opinions,
        part=("faithfulness", judged.sentence.section.value),
    )


def row_of_sentence(asked: Sentence, evaluation: Evaluation, findings: Findings) -> Row:
    """What is known of one sentence; where nothing is flagged it says so, and that mistakes are missed."""
    rows = (row for row in claim_rows(evaluation, findings) if row.spans == (asked.span,))
    found = next(rows, Row(shortened(asked.text, 140), spans=(asked.span,)))
    if found.finding is not None:
        return found
    nothing = tr("Nothing is flagged in this sentence. NoteEval misses mistakes.")
    return replace(found, hint=found.hint or nothing)


def record_rows(findings: Findings) -> tuple[Row, ...]:
    """What no session decides, a group a kind; what the note lacks before what stands in it."""
    own = [(one.ranked.source.kind, one) for one in findings.values() if isinstance(one.ranked.source, Remark)]
    rows: list[Row] = []
    for kind, name in REMARK_NAMES.items():
        found = sorted((one for of, one in own if of is kind), key=lambda one: one.span.start if one.span else -1)
        rows += group(name, list(map(finding_row, found)))
    return tuple(rows)


def finding_row(finding: Finding) -> Row:
    """Of a finding for itself, outside the list that it was judged in."""
    return Row(
        title=shortened(finding.text, 140) if finding.span else finding.what,
        detail=_detail(finding),
        sign=finding.sign,
        tone=finding.tone,
        aside="" if finding.pressing else SEVERITY_NAMES[finding.severity],
        finding=finding,
        spans=(finding.span,) if finding.span else (),
        citations=quotes(finding),
        hint=sentence(finding.said),
        sure=finding.sure,
        number=finding.probability,
    )


def _detail(finding: Finding) -> str:
    if finding.span is not None:
        return finding.why if finding.kind is FindingKind.UNSUPPORTED and finding.why else finding.what
    quote = next(iter(quotes(finding)), None)
    return f"{turn_number(quote.turn)}  “{shortened(quote.quote, 140)}”" if quote else ""


def scorecard_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """The three scores with their sections, how they are counted, and who judged."""
    rows: list[Row] = []
    for score in statements(evaluation):
        rows.append(Row(score.name, score.detail, aside=score.said, heading=True))
        for name, share in score.sections:
            own = _SECTIONS.get(name)
            aside = percent(share) if share is not None else tr("nothing to count")
            rows.append(Row(name, aside=aside, share=share, part=(score.name.lower(), own.value) if own else None))
    if copied := evaluation.copied:
        compared = tr("of the sentences are also in the client’s earlier notes; {notes} compared")
        notes = counted(copied.notes, tr("note"))
        rows.append(Row(COPIED, compared.format(notes=notes), aside=percent(copied.note), heading=True))
        rows += [Row(SECTION_NAMES[section], aside=percent(own), share=own) for section, own in copied.sections]
    if background := evaluation.case.background:
        rows += [Row(warning, tone="muted", remark=True) for warning in background.warnings]
    published = evaluation.scores.faithfulness.published_definition
    if published is not None:
        counts = tr("Counts what only someone in the room can know as errors")
        rows.append(Row(tr("By the published definition"), counts, aside=percent(published), share=published))
    judge = evaluation.judge
    name = JUDGES.get(judge.kind, judge.kind)
    # Of the built-in judge no name of a file.
    name = name if judge.kind == "builtin" else f"{name}, {judge.model}"
    estimate = tr("An estimate that can be wrong either way. It reviews the note, not the clinician.")
    return (
        *rows,
        Row(tr("How this was checked"), heading=True),
        Row(JUDGE, tr("{judge}, version {version}").format(judge=name, version=judge.version)),
        Row(tr("Limits"), estimate),
    )


# Of SOAP: agreement under other headings was not measured.
_SECTIONS = {name: section for section, name in SECTION_NAMES.items()}


def kept(rows: Sequence[Row], shown: frozenset[FindingKind], least: Severity) -> tuple[Row, ...]:
    """Rows that pass the filters; a group that is left empty loses its heading."""
    passing = [row for row in rows if row.heading or _passes(row, shown, least)]
    following = [*(row.heading for row in passing[1:]), True]
    return tuple(row for row, ends in zip(passing, following, strict=False) if not (row.heading and ends))


def with_set_aside(rows: Iterable[Row], reasons: Mapping[str, str]) -> tuple[Row, ...]:
    """Rows whose finding was dismissed or attested (``reasons`` by key) step back, but stay."""
    return tuple(
        replace(row, sign="·", tone="muted", aside=decided(reasons[row.key])) if row.key in reasons else row
        for row in rows
    )


def decided(reason: str) -> str:
    """Of a finding that was answered with ``reason``; "Attested" is what earlier versions wrote."""
    if linked_to(reason):
        return LINKED_BY_YOU
    return tr("Confirmed by you") if reason.startswith(("Confirmed", "Attested")) else tr("Dismissed by you")


def _passes(row: Row, shown: frozenset[FindingKind], least: Severity) -> bool:
    finding = row.finding
    return finding is None or (finding.kind in shown and RANK[finding.severity] <= RANK[least])
