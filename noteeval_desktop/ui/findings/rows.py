"""What each tab lists: pure functions from an Evaluation to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.bearing import bearing
from noteeval_desktop.domain.decisions import sentence_subject
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.finding_words import CHECK_ON_RISK, KINDS, unvouched
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind, ItemState, item_state, served, serving
from noteeval_desktop.domain.harm import never_to_cut
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import percent, sentence
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.trust import Part
from noteeval_desktop.domain.verdicts import (
    GRAVEST_FIRST,
    ClaimVerdict,
    ItemVerdict,
    Opinion,
    Severity,
    Verdict,
)
from noteeval_desktop.report.own_headings import (
    Shares,
    by_heading,
    completeness_shares,
    conciseness_shares,
    faithfulness_shares,
    item_heading,
    sentence_heading,
)
from noteeval_desktop.report.words import SECTION_NAMES, SEVERITY_NAMES
from noteeval_desktop.ui.findings import score_words, words
from noteeval_desktop.ui.findings.finding import Finding, missing_finding
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import JUDGE, turn_number


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


Findings = Mapping[str, Finding]
_ITEM_SIGNS = {
    ItemState.COVERED: "✓",
    ItemState.MISSING: "✗",
    ItemState.NOT_RECOGNISED: "?",
    ItemState.NOT_CHECKED: "·",
}
_ITEM_TONES = {
    ItemState.COVERED: "green",
    ItemState.MISSING: "red",
    ItemState.NOT_RECOGNISED: "amber",
    ItemState.NOT_CHECKED: "muted",
}


def checklist_rows(evaluation: Evaluation, rubric: Rubric, findings: Findings) -> tuple[Row, ...]:
    """By section, mandatory items that are missing first."""
    rows: list[Row] = []
    note = evaluation.case.note
    for name, own in by_heading(note, evaluation.checklist, lambda v: item_heading(note, v.section, v.item)):
        verdicts = sorted(own, key=_checklist_order)
        judged = any(v.present is not None for v in verdicts)
        covered = sum(v.present is True for v in verdicts)
        rows.append(Row(name, aside=words.share_of(covered, len(verdicts)) if judged else "", heading=True))
        rows += [_item_row(verdict, evaluation, rubric, findings) for verdict in verdicts]
    return tuple(rows)


def _checklist_order(verdict: ItemVerdict) -> tuple[int, int]:
    mandatory = verdict.importance is Importance.MANDATORY
    missing = verdict.present is False
    return (0 if mandatory and missing else 1 if mandatory else 2, 0 if missing else 1)


def _item_row(verdict: ItemVerdict, evaluation: Evaluation, rubric: Rubric, findings: Findings) -> Row:
    item = rubric.item(verdict.item)
    state = item_state(verdict, evaluation)
    finding = missing_finding(verdict, item, evaluation) if verdict.present is False else None
    finding = finding and findings.get(finding.key, finding)
    by = finding.by if finding else ""
    carrying = serving(verdict.item, evaluation)
    return Row(
        title=item.name,
        detail=verdict.rationale if verdict.present is None or evaluation.judge.kind in ("local", "remote") else "",
        hint=item.explained,
        sign=_ITEM_SIGNS[state],
        tone=_ITEM_TONES[state],
        aside=words.item_note(verdict, state, len(carrying)) or _importance(verdict),
        finding=finding,
        spans=tuple(sentence.span for sentence in carrying),
        citations=finding.citations if finding else (),
        sure=by or words.how_sure(verdict.confidence),
        number="" if by else words.probability_of_item(verdict),
        state=state,
        part=("completeness", verdict.item),
    )


def _importance(verdict: ItemVerdict) -> str:
    return words.IMPORTANCE_NAMES[verdict.importance] if verdict.present is False else ""


def sentence_rows(evaluation: Evaluation, rubric: Rubric, findings: Findings) -> tuple[Row, ...]:
    """Every sentence with the items that it serves, section by section."""
    rows: list[Row] = []
    note = evaluation.case.note
    for name, own in by_heading(note, evaluation.sentences, lambda j: sentence_heading(note, j.sentence)):
        rows.append(Row(name, aside=str(len(own)), heading=True))
        rows += [_need_row(judged, evaluation, rubric, findings) for judged in own]
    return tuple(rows)


def _need_row(judged: JudgedSentence, evaluation: Evaluation, rubric: Rubric, findings: Findings) -> Row:
    need, span = judged.need, (judged.sentence.span,)
    title = shortened(judged.sentence.text, 140)
    if need is None or need.needed is None:
        return Row(title, need.rationale if need else "", "?", "amber", words.NOT_CHECKED, spans=span)
    finding = _finding_at(judged, FindingKind.UNNEEDED, findings)
    by = finding.by if finding else ""
    carried = served(judged, evaluation)
    # What the checklist does not recognise no sentence is credited with.
    lacking = {verdict.item for verdict in evaluation.checklist if verdict.present is False} & set(carried)
    sure = ", ".join(item.name for item in rubric.items if item.id in carried and item.id not in lacking)
    maybe = words.not_clear_enough([item.name for item in rubric.items if item.id in lacking])
    names = ". ".join(filter(None, (sure, maybe)))
    credited = bool(names) or need.needed
    kept = need.needed is False and finding is None and never_to_cut(judged.sentence)
    return Row(
        title=title,
        detail=names or (words.NO_ITEM_BUT_KEEP if kept else words.NO_ITEM),
        sign=KINDS[FindingKind.UNNEEDED].sign if finding else "?" if maybe and not sure else "✓" if credited else "·",
        tone="grey" if finding else "amber" if maybe and not sure else "green" if credited else "muted",
        finding=finding,
        spans=span,
        sure=by or words.how_sure(need.confidence),
        number="" if by else words.probability_of_need(need),
        state="needed" if need.needed else words.NOT_NEEDED,
        part=("conciseness", judged.sentence.section.value),
    )


def _finding_at(judged: JudgedSentence, kind: FindingKind, findings: Findings) -> Finding | None:
    return next((f for f in findings.values() if f.kind is kind and f.span == judged.sentence.span), None)


_RANK = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2, Severity.NONE: 3}


def claim_rows(evaluation: Evaluation, findings: Findings) -> tuple[Row, ...]:
    """Claims by verdict, what is to be mended first."""
    claims = [j for j in evaluation.sentences if j.claim is not None]
    rows: list[Row] = []
    for verdict in (*GRAVEST_FIRST, None):
        of_verdict = [j for j in claims if j.claim and j.claim.verdict is verdict]
        of_verdict.sort(key=lambda j: not (j.claim and j.claim.barely))
        for name in dict.fromkeys(_claim_name(j.claim) for j in of_verdict):
            own = [j for j in of_verdict if _claim_name(j.claim) == name]
            rows.append(Row(name, aside=str(len(own)), heading=True))
            own.sort(key=lambda j: _RANK[j.claim.severity] if j.claim else 0)
            rows += [_claim_row(judged, verdict, findings) for judged in own]
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
        return words.MAY_BE_SUPPORTED
    if claim and claim.judged:
        return words.JUDGED_OTHERWISE
    return words.VERDICT_NAMES[claim.verdict] if claim and claim.verdict else sentence(words.NOT_CHECKED)


def _claim_row(judged: JudgedSentence, verdict: Verdict | None, findings: Findings) -> Row:
    claim = judged.claim
    assert claim is not None
    passes = verdict is Verdict.SUPPORTED and not claim.barely
    kind = KIND_OF_CLAIM.get(verdict) if verdict else None
    finding = _finding_at(judged, kind, findings) if kind else None
    by, why = (finding.by, finding.why) if finding and finding.by else ("", claim.rationale)
    near = bearing(claim, judged.sentence.text)
    cited = finding.citations if finding else near or (claim.citations if passes else ())
    # The nearest passage is all that is known of a claim that passed: no reason is given, nothing is said to be sure.
    # That none says it stands only where it is not said that the session does.
    none = "" if passes else words.WHOLE
    passed = words.nearest(turn_number(cited[0].turn), shortened(cited[0].quote, 100)) if cited else none
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
        sure=by or (words.how_sure_of_claim(claim) if kind else ""),
        number="" if by else words.probability_of_claim(claim),
        state=_claim_name(claim) if verdict else words.NOT_CHECKED,
        opinions=claim.opinions,
        part=("faithfulness", judged.sentence.section.value),
    )


def row_of_sentence(asked: Sentence, evaluation: Evaluation, findings: Findings) -> Row:
    """What is known of one sentence; where nothing is flagged it says so, and that mistakes are missed."""
    rows = (row for row in claim_rows(evaluation, findings) if row.spans == (asked.span,))
    found = next(rows, Row(shortened(asked.text, 140), spans=(asked.span,)))
    if found.finding is not None:
        return found
    return replace(found, hint=found.hint or words.NOTHING_FLAGGED)


def scorecard_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """The three scores with their sections, how they are counted, and who judged."""
    scores = evaluation.scores
    rows = [
        *_score_rows(
            score_words.COMPLETENESS, score_words.completeness(scores.completeness), completeness_shares(evaluation)
        ),
        *_score_rows(
            score_words.CONCISENESS, score_words.conciseness(scores.conciseness), conciseness_shares(evaluation)
        ),
        *_score_rows(
            score_words.FAITHFULNESS, score_words.faithfulness(scores.faithfulness), faithfulness_shares(evaluation)
        ),
    ]
    published = scores.faithfulness.published_definition
    if published is not None:
        rows.append(
            Row(
                score_words.BY_THE_PUBLISHED_DEFINITION,
                score_words.OBSERVED_AS_ERRORS,
                aside=percent(published),
                share=published,
            )
        )
    judge = evaluation.judge
    rows += [
        Row(score_words.HOW_THIS_WAS_CHECKED, heading=True),
        Row(JUDGE, score_words.judge(judge)),
        Row(score_words.LIMITS, score_words.AN_ESTIMATE_THAT_CAN_BE_WRONG),
    ]
    return tuple(rows)


# Of SOAP: agreement under other headings was not measured.
_SECTIONS = {name: section for section, name in SECTION_NAMES.items()}


def _score_rows(name: str, said: str, shares: Shares) -> Iterable[Row]:
    yield Row(name, aside=said, heading=True)
    for section, share in shares:
        aside = percent(share) if share is not None else score_words.NOTHING_TO_COUNT
        own = _SECTIONS.get(section)
        yield Row(section, aside=aside, share=share, part=(name.lower(), own.value) if own else None)


def kept(rows: Sequence[Row], shown: frozenset[FindingKind], least: Severity) -> tuple[Row, ...]:
    """Rows that pass the filters; a group that is left empty loses its heading."""
    passing = [row for row in rows if row.heading or _passes(row, shown, least)]
    following = [*(row.heading for row in passing[1:]), True]
    return tuple(row for row, ends in zip(passing, following, strict=False) if not (row.heading and ends))


def with_ranks(rows: Iterable[Row], findings: Findings) -> tuple[Row, ...]:
    """Rows whose finding was worded anew know its place in the one list, so that their card offers what its does."""
    return tuple(
        replace(row, finding=replace(row.finding, ranked=findings[row.key].ranked))
        if row.finding is not None and row.finding.ranked is None and row.key in findings
        else row
        for row in rows
    )


def with_set_aside(rows: Iterable[Row], reasons: Mapping[str, str]) -> tuple[Row, ...]:
    """Rows whose finding was dismissed or attested (``reasons`` by key) step back, but stay."""
    return tuple(
        replace(row, sign="·", tone="muted", aside=words.decided(reasons[row.key])) if row.key in reasons else row
        for row in rows
    )


def _passes(row: Row, shown: frozenset[FindingKind], least: Severity) -> bool:
    finding = row.finding
    return finding is None or (finding.kind in shown and _RANK[finding.severity] <= _RANK[least])
