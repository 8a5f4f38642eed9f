"""One finding as a reader is shown it: what kind, where, the words in question, what stands against them, how grave.

Which there are and their order is the domain's; window, scorecard, tables and commands show what is made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from noteeval_desktop.domain import findings as domain
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, ItemState, item_state, ranked_findings
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.phrases import are, inside, percent, sentence, shortened, tr
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.reviewed import JUDGED_OTHERWISE
from noteeval_desktop.domain.risk import BY_SUPERVISOR, SAFETY_ITEM, RiskFinding
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript, cite, turn_list, turn_number
from noteeval_desktop.domain.two_witnesses import NOT_HEARD, QUICK
from noteeval_desktop.domain.verdicts import (
    SAYS,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    Severity,
    Verdict,
    differ,
)
from noteeval_desktop.present.bearing import bearing
from noteeval_desktop.present.headings import item_heading, sentence_heading
from noteeval_desktop.present.vocabulary import (
    CONFIDENCE_NAMES,
    KINDS,
    OMISSION_NAMES,
    REMARK_NAMES,
    RISK_NAMES,
    RISK_STATES,
    STANCE_NAMES,
    UNRECOGNISED,
)

_LONGEST_STATEMENT = 140
# Of an item that is missing; of one that is not named here it says "No … yet."
_MISSING = {
    "subjective-goals": tr("No client goals yet."),
    "subjective-homework": tr("No review of homework yet."),
    "subjective-quotes": tr("No quote from the client yet."),
    "objective-behavior": tr("No observed behavior yet."),
    "plan-follow-up": tr("No next session or referral yet."),
    "plan-adjustment": tr("No change to the treatment yet."),
    "general-safety": tr("Safety is not addressed yet."),
    "general-culture": tr("Culture and identity are not addressed yet."),
    "general-professionalism": tr("Some wording may not read as professional."),
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A quoted passage of the session, with what a reader needs to find it."""

    citation: Citation
    speaker: str
    time: str | None

    @property
    def turn(self) -> int:
        """Its index."""
        return self.citation.turn

    @property
    def quote(self) -> str:
        return self.citation.quote


def passage(citation: Citation, transcript: Transcript) -> Passage:
    turn = transcript.turns[citation.turn]
    return Passage(citation, turn.speaker, turn.time)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend, to confirm or to answer; ``ranked`` is what it words.

    ``section``: the heading of the note that it is under, or the name of what is left out; ``text``: the sentence, the
    item's name or what was said in the session. ``what`` says it in a sentence, ``why`` gives the reason.
    ``severity``: its grade as it is shown; NONE for what has none. ``passages``: what stands against it in the session,
    or would fill it. ``span``: where it stands in the note; None where the note has nothing; ``marks``: what of it is
    underlined, where it is not all of it. ``home``: the section that a draft would go under. ``state``: of a checklist
    item. ``near``: the sentence of the note that may be meant for a risk, to be confirmed. ``by``: whose mark it is,
    where that is a person's. ``number``: its place in a list; ``first``: to be looked at before signing; ``decision``:
    what was made of it.
    """

    ranked: domain.Finding
    section: str
    text: str
    what: str
    why: str
    severity: Severity = Severity.NONE
    passages: tuple[Passage, ...] = ()
    span: Span | None = None
    marks: tuple[Span, ...] = ()
    home: Section | None = None
    item: RubricItem | None = None
    state: ItemState | None = None
    near: str = ""
    by: str = ""
    number: int = 0
    first: bool = False
    decision: Decision | None = None

    @property
    def key(self) -> str:
        """What a Decision calls it: the same from check to check while the sentence or the item is."""
        return self.ranked.key

    @property
    def kind(self) -> FindingKind:
        return self.ranked.kind

    @property
    def pressing(self) -> bool:
        """On risk, and warned of."""
        return self.ranked.pressing

    @property
    def sentence(self) -> Sentence | None:
        return self.ranked.sentence

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(one.citation for one in self.passages)

    @property
    def said(self) -> str:
        """What its kind is called here."""
        if isinstance(self.ranked.source, ClaimVerdict) and self.ranked.source.judged:
            return JUDGED_OTHERWISE
        if isinstance(self.ranked.source, Remark):
            return inside(REMARK_NAMES[self.ranked.source.kind])
        return UNRECOGNISED if self.unrecognised else KINDS[self.kind].name

    @property
    def unrecognised(self) -> bool:
        """A checklist item on which the judge has too little to go on to call it missing."""
        return self.state is ItemState.NOT_RECOGNISED

    @property
    def sign(self) -> str:
        return "⚠" if self.pressing else "?" if self.unrecognised else KINDS[self.kind].sign

    @property
    def tone(self) -> str:
        """One of the theme's colours."""
        return "red" if self.pressing else "amber" if self.unrecognised else KINDS[self.kind].tone

    @property
    def reason(self) -> str:
        """Where ``what`` is not shown."""
        told = self.kind in (FindingKind.CONTRADICTED, FindingKind.MISSING, FindingKind.REMARK)
        return f"{self.what} {self.why}" if told else self.why

    @property
    def confidence(self) -> Confidence | None:
        return None if self.by else self.ranked.confidence

    @property
    def sure(self) -> str:
        """How sure whoever says it is, or who that is."""
        return self.by or how_sure(self.confidence, isinstance(self.ranked.source, ClaimVerdict))

    @property
    def probability(self) -> str:
        """As a sentence; empty where nobody gave one."""
        return "" if self.by else probability(self.ranked.source)

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """Of two judges, where both were asked."""
        # Of an item the card has none to show; of what no judge said there are none.
        return () if self.by or isinstance(self.ranked.source, ItemVerdict | Remark) else self.ranked.source.opinions

    @property
    def is_risk(self) -> bool:
        """From the ledger, or from a judge's omissions."""
        source = self.ranked.source
        return isinstance(source, RiskFinding) or (isinstance(source, Omission) and source.kind is OmissionKind.RISK)

    @property
    def answered(self) -> bool:
        """A risk that the note addresses, by a supervisor's word perhaps and by no one sentence."""
        return isinstance(self.ranked.source, RiskFinding) and self.ranked.source.addressed

    @property
    def can_draft(self) -> bool:
        lacks = self.kind in (FindingKind.MISSING, FindingKind.OMISSION) and self.span is None
        return lacks and bool(self.passages) and not self.answered

    @property
    def can_link(self) -> bool:
        """A risk that the note was not found to address: the clinician may know the sentence that does."""
        return self.is_risk and self.span is None and not self.answered

    @property
    def can_attest(self) -> bool:
        return self.kind is FindingKind.OBSERVED


def findings_of(
    evaluation: Evaluation, rubric: Rubric, reasons: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """In the domain's order; ``reasons`` as there."""
    return tuple(worded(found, evaluation, rubric) for found in ranked_findings(evaluation, reasons))


def in_one_entry(findings: Iterable[Finding], evaluation: Evaluation, rubric: Rubric) -> tuple[Finding, ...]:
    """``findings`` as the domain's in_one_entry joins them."""
    known = {finding.key: finding for finding in findings}
    joined = domain.in_one_entry(finding.ranked for finding in known.values())
    return tuple(worded(one, evaluation, rubric) if one.also else known[one.key] for one in joined)


def keys_of_entry(key: str, findings: Sequence[Finding], decided: Iterable[str]) -> tuple[str, ...]:
    """Of all that stands in the entry which is shown under ``key``."""
    closed = set(decided)
    alike = (one.ranked for one in findings if (one.key in closed) is (key in closed))
    return next((entry.keys for entry in domain.in_one_entry(alike) if entry.key == key), (key,))


def before_signing(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the open ``findings``."""
    chosen = {found.key for found in domain.before_signing([finding.ranked for finding in findings])}
    return tuple(finding for finding in findings if finding.key in chosen)


def worded(found: domain.Finding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    """``found`` in words. A quote that is not what its turn says is not shown. ``rubric``: of an evaluation that does
    not say by which it was judged."""
    source, rubric = found.source, evaluation.rubric or rubric
    match source:
        case RiskFinding():
            return _risk(found, source, evaluation, rubric)
        case Omission():
            return _omission(found, source, evaluation, rubric)
        case ItemVerdict():
            return _item(found, source, evaluation, rubric)
        case ClaimVerdict():
            return _claim(found, source, evaluation)
        case NeedVerdict():
            return _unneeded(found, source, evaluation)
        case Remark():
            return _remark(found, source, evaluation)
        case _:
            assert_never(source)


def _stated(found: domain.Finding) -> Sentence:
    assert found.sentence is not None  # as the domain makes them
    return found.sentence


def _claim(found: domain.Finding, claim: ClaimVerdict, evaluation: Evaluation) -> Finding:
    stated = _stated(found)
    what, why = _said_of_claim(claim, stated.text)
    start = stated.span.start
    wrong = (*(one.span for one in claim.wrong), *((claim.seen,) if claim.seen else ()))
    return Finding(
        found,
        section=sentence_heading(evaluation.case.note, stated),
        text=stated.text,
        what=what,
        why=why,
        severity=Severity.NONE if claim.verdict is Verdict.OBSERVED else claim.severity,
        passages=_known(claim.citations if found.pressing else bearing(claim, stated.text), evaluation.case),
        span=stated.span,
        marks=tuple(Span(start + one.start, start + one.end) for one in wrong),
        home=stated.section,
    )


def _said_of_claim(claim: ClaimVerdict, stated: str) -> tuple[str, str]:
    """What, and why."""
    told = f"{session_has(claim)}." if claim.wrong else ""
    # Two judges differ, and neither is sure.
    divided = differ(claim.opinions) and claim.confidence is Confidence.UNSURE
    undecided = f"{tr('The two checks disagree. Please decide.')} {told}".rstrip()
    match claim.verdict:
        case Verdict.CONTRADICTED:
            if divided:
                return tr("The session may contradict this."), undecided
            what = claim.rationale or tr("The session contradicts this.")
            return what, told or tr("The note and the session differ here.")
        case Verdict.UNSUPPORTED:
            if divided:
                return tr("The session may not say this."), undecided
            why = " ".join(filter(None, (claim.rationale, told)))
            return tr("The session does not say this."), why or tr("No supporting passage was found in the session.")
        case Verdict.OBSERVED:
            what = f"{sentence(SAYS[Verdict.OBSERVED])}."
            if divided:
                return what, undecided
            if claim.seen is not None:
                return what, tr(
                    "The session says the rest. Only someone in the room can know “{words}”: confirm it if you "
                    "observed it."
                ).format(words=claim.seen.of(stated))
            return what, claim.rationale or tr("A transcript cannot show this. Confirm it if you observed it yourself.")
        case Verdict.SUPPORTED | None:
            raise ValueError("what the session supports is no finding")
        case _:
            assert_never(claim.verdict)


def session_has(claim: ClaimVerdict) -> str:
    """ "Session: Denise (turn 10)": what the session has for the wrong words, which are named where they are several;
    and what it has not. Empty where no words are named."""
    told = [
        (one, f"{one.instead or one.said.quote} (turn {turn_number(one.said.turn)})") for one in claim.wrong if one.said
    ]
    several = tr("for “{words}” {text}")
    said = [text if len(claim.wrong) == 1 else several.format(words=one.words, text=text) for one, text in told]
    unheard = [f"“{one.words}”" for one in claim.wrong if one.said is None]
    has = tr("Session: {said}").format(said=", ".join(said)) if said else ""
    lacks = tr("Not in the session: {words}").format(words=", ".join(unheard)) if unheard else ""
    return ". ".join(filter(None, (has, lacks)))


def unvouched(claim: ClaimVerdict | None) -> bool:
    """Whether it passed, is on risk and is to be checked all the same."""
    return claim is not None and claim.unvouched and claim.verdict is Verdict.SUPPORTED


def _unneeded(found: domain.Finding, need: NeedVerdict, evaluation: Evaluation) -> Finding:
    stated = _stated(found)
    heading = sentence_heading(evaluation.case.note, stated)
    return Finding(
        found,
        section=heading,
        text=stated.text,
        what=tr("This sentence may not be needed."),
        why=need.rationale or tr("It matches no checklist item under {heading}.").format(heading=heading),
        span=stated.span,
        home=stated.section,
    )


def _remark(found: domain.Finding, remark: Remark, evaluation: Evaluation) -> Finding:
    note = evaluation.case.note
    stated = found.sentence
    instead = tr("Instead: “{words}”.").format(words=remark.instead) if remark.instead else ""
    source = tr("Source: {source}.").format(source=remark.source) if remark.source else ""
    return Finding(
        found,
        section=sentence_heading(note, stated) if stated else tr("Outside the sections"),
        text=(remark.span and remark.span.of(note.text)) or REMARK_NAMES[remark.kind],
        what=remark.says,
        why=" ".join(filter(None, (instead, remark.quote, source))),
        severity=remark.severity,
        span=remark.span,
        home=stated.section if stated else None,
    )


def _item(found: domain.Finding, verdict: ItemVerdict, evaluation: Evaluation, rubric: Rubric) -> Finding:
    item, state = rubric.item(verdict.item), item_state(verdict, evaluation)
    turns = evaluation.case.transcript.turns
    suggested = tuple(cite(turns[turn]) for turn in verdict.suggested_turns if 0 <= turn < len(turns))
    if state is ItemState.NOT_RECOGNISED:
        what = tr("{item}: not recognized in the note.").format(item=item.name)
    else:
        what = _MISSING.get(item.id) or tr("No {item} yet.").format(item=inside(item.name))
    if suggested:
        help_ = tr("{turns} may help.").format(turns=sentence(turn_list([one.turn for one in suggested])))
        what = f"{what} {help_}"
    return Finding(
        found,
        section=item_heading(evaluation.case.note, verdict.section, item.id),
        text=item.name,
        what=what,
        why=verdict.rationale or (item.description if item.more else ""),
        severity=Severity.HIGH if item.importance is Importance.MANDATORY else Severity.LOW,
        passages=_known(suggested, evaluation.case),
        home=item.section,
        item=item,
        state=state,
    )


def _omission(found: domain.Finding, omission: Omission, evaluation: Evaluation, rubric: Rubric) -> Finding:
    item = next((item for item in rubric.items if item.id == omission.item), None)
    turns = sorted({citation.turn for citation in omission.citations})
    return Finding(
        found,
        section=OMISSION_NAMES[omission.kind],
        text=omission.citation.quote,
        what=tr("{kind}: {turns} {is_or_are} not in the note.").format(
            kind=OMISSION_NAMES[omission.kind], turns=turn_list(turns), is_or_are=are(len(turns))
        ),
        why=omission.rationale or tr("It came up in the session; the note does not mention it."),
        severity=_on_risk(found) if omission.kind is OmissionKind.RISK else omission.severity,
        passages=_known(omission.citations, evaluation.case),
        home=item.section if item else None,
        item=item,
    )


def _on_risk(found: domain.Finding) -> Severity:
    """Of what may be about risk nothing is called minor."""
    return found.severity if found.severity is Severity.HIGH else Severity.MEDIUM


def _risk(found: domain.Finding, risk: RiskFinding, evaluation: Evaluation, rubric: Rubric) -> Finding:
    """Of mentions with one meaning. It names the turns that say it, not all of the talk around them. An addressed risk
    stands where the note addresses it; a draft would go under Assessment."""
    turns = evaluation.case.transcript.turns
    # The question before its answer, as they were said.
    said = {turn: cite(turns[turn]) for one in found.risks for turn in one.quoted if turn < len(turns)}
    said |= {one.citation.turn: one.citation for one in found.risks}
    stated = {judged.sentence.id: judged.sentence for judged in evaluation.sentences}
    answers = risk.addressed_by or ()
    answering = [one for name, one in stated.items() if name in answers]
    near = next((stated[name].text for name in stated if name in risk.near), "") if not risk.addressed else ""
    state = state_of_risk(risk)
    what = tr("{risk} ({stance}): {turns} {is_or_are} {state}.").format(
        risk=name_of_risk(risk),
        stance=STANCE_NAMES[risk.stance],
        turns=turn_list(sorted(said)),
        is_or_are=are(len(said)),
        state=tr("about risk; {state}").format(state=state) if risk.addressed_by is None else state,
    )
    return Finding(
        found,
        section=f"{name_of_risk(risk)}, {STANCE_NAMES[risk.stance]}",
        text=risk.citation.quote,
        what=what,
        why=" ".join(_why_of_risk(risk, stated, answering, near)),
        severity=Severity.NONE if risk.addressed else _on_risk(found),
        passages=_known(tuple(said[turn] for turn in sorted(said)), evaluation.case),
        span=answering[0].span if answering else None,
        home=Section.ASSESSMENT,
        item=next((item for item in rubric.items if item.id == SAFETY_ITEM), None),
        near=near,
    )


def name_of_risk(risk: RiskFinding) -> str:
    """ "Suicide"; "Possible mention of suicide"."""
    return sentence(risk.wording) if risk.by_meaning else RISK_NAMES[risk.kind]


def state_of_risk(risk: RiskFinding) -> str:
    return RISK_STATES[None if risk.addressed_by is None else risk.state]


def _why_of_risk(
    risk: RiskFinding, stated: Mapping[str, Sentence], answering: Sequence[Sentence], near: str
) -> Iterable[str]:
    if any(opinion.judge == QUICK and opinion.says == NOT_HEARD for opinion in risk.opinions):
        yield tr("Only the language model found this. Please check.")
    elif risk.by_meaning:
        yield tr("Flagged by similarity only; read the quote.")
    doubted = [one.text for name, one in stated.items() if name in risk.doubted]
    if doubted and not risk.addressed:
        yield tr("“{statement}” mentions it, but is itself in doubt.").format(statement=_short(doubted[0]))
    if answering:
        yield tr("Addressed by: “{statement}”").format(statement=_short(answering[0].text))
    if near:
        yield tr("May be addressed by: “{statement}” Please check.").format(statement=_short(near))
    if BY_SUPERVISOR in (risk.addressed_by or ()):
        yield tr("The supervisor found that the note addresses it.")


def _short(statement: str) -> str:
    return shortened(statement, _LONGEST_STATEMENT)


def _known(citations: Iterable[Citation], case: Case) -> tuple[Passage, ...]:
    transcript = case.transcript
    return tuple(passage(citation, transcript) for citation in citations if citation.stands_in(transcript))


def how_sure(confidence: Confidence | None, said: bool = False) -> str:
    """ "Confidence: high"; where it is not known, that it is not if ``said``, or nothing."""
    if confidence is None:
        return tr("Confidence: not known") if said else ""
    return tr("Confidence: {name}").format(name=CONFIDENCE_NAMES[confidence])


def probability(source: domain.Source) -> str:
    """What a verdict's probability says, as a sentence; empty where there is none."""
    match source:
        case ItemVerdict():
            what = tr("a therapist would mark this item as present")
        case NeedVerdict():
            what = tr("a therapist would match this sentence to a checklist item")
        case ClaimVerdict():
            if source.verdict and source.probability is None and source.confidence is None:
                return tr("The model gave no probability for this.")
            what = tr("a therapist who reads the transcript would call this faithful")
        case Omission() | RiskFinding() | Remark():
            return ""
        case _:
            assert_never(source)
    if source.probability is None:
        return ""
    return tr("Estimated probability that {what}: {share}").format(what=what, share=percent(source.probability))
