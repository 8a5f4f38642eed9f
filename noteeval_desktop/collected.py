"""The verdicts that have come so far, and the Evaluation that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noteeval_desktop.compliance.goals import on_goals
from noteeval_desktop.compliance.rules import remarks_on
from noteeval_desktop.compliance.wording import on_private
from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import CopiedShare, PrivateSentence, Remark
from noteeval_desktop.domain.risk import RiskFinding, Stance, with_risks, without_wrong
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.two_witnesses import QUICK, dropped, likeliest_first
from noteeval_desktop.domain.verdicts import (
    ERRORS,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    Opinion,
    ResponseVerdict,
    Verdict,
)
from noteeval_desktop.judges.protocol import Doubted, Given, HasRubric, Judge, LeavesOut

Judgement = (
    RiskFinding
    | ItemVerdict
    | NeedVerdict
    | ClaimVerdict
    | Omission
    | ResponseVerdict
    | MiCounts
    | Reading
    | Thread
    | PrivateSentence
)


class Question(StrEnum):
    """In the order of asking: a danger is to be shown at once, also where a slow judge answers the rest."""

    RISK = "risks"
    COVER = "checklist"
    NEED = "sentences"
    SUPPORT = "claims"
    OMIT = "omissions"
    PLAN = "goals"
    PRIVATE = "private"
    RESPOND = "responses"


_ONE_A_CASE: dict[type, str] = {MiCounts: "behaviours", Reading: "reading", Thread: "thread"}
_NOT_REACHED = "The check ended before this item."


@dataclass
class Collected:
    """The verdicts that have come so far."""

    items: list[ItemVerdict] = field(default_factory=list)
    needs: dict[str, NeedVerdict] = field(default_factory=dict)
    claims: dict[str, ClaimVerdict] = field(default_factory=dict)
    omissions: list[Omission] | None = None
    responses: list[ResponseVerdict] | None = None
    risks: list[RiskFinding] | None = None
    behaviours: MiCounts | None = None
    reading: Reading | None = None
    thread: Thread | None = None
    private: list[PrivateSentence] = field(default_factory=list)
    remarks: tuple[Remark, ...] | None = None
    copied: CopiedShare | None = None

    def add(self, verdict: Judgement) -> None:
        """A verdict that two judges gave takes the place of the first one's."""
        match verdict:
            case RiskFinding() if verdict.opinions:
                others = [one for one in self.risks or () if not _is_of(verdict, one)]
                self.risks = sorted([*others, verdict], key=lambda one: (one.citation.turn, one.turns))
            case Omission() if verdict.opinions:
                quick = [one.citations for one in verdict.opinions if one.judge == QUICK and one.citations]
                first = {verdict.citation, *(cited[0] for cited in quick)}
                self.omissions = [one for one in self.omissions or () if one.citation not in first] + [verdict]
            case RiskFinding():
                self.risks = [*(self.risks or []), verdict]
            case ItemVerdict():
                self.items.append(verdict)
            case NeedVerdict():
                self.needs[verdict.sentence] = verdict
            case ClaimVerdict():
                self.claims[verdict.sentence] = verdict
            case Omission():
                self.omissions = [*(self.omissions or []), verdict]
            case ResponseVerdict():
                self.responses = [one for one in self.responses or () if one.turn != verdict.turn] + [verdict]
            case MiCounts() | Reading() | Thread():
                setattr(self, _ONE_A_CASE[type(verdict)], verdict)
            case PrivateSentence():
                self.private.append(verdict)

    def given(self) -> Given:
        """What there is by now."""
        return Given(
            {item.item: item for item in self.items},
            dict(self.needs),
            dict(self.claims),
            tuple(self.omissions or ()),
            tuple(self.risks or ()),
            {response.turn: response for response in self.responses or ()},
        )

    def answered(self, question: Question) -> None:
        """From now on an empty list means: asked, and nothing found."""
        if question is Question.RISK:
            self.risks = self.risks or []
        if question is Question.OMIT:
            self.omissions = self.omissions or []
        if question is Question.RESPOND:
            self.responses = self.responses or []

    def evaluation(self, case: Case, judge: Judge, problems: tuple[str, ...], seconds: float) -> Evaluation:
        """What has come so far as an Evaluation; complete where there is no problem and nothing was left unjudged."""
        # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
        from noteeval_desktop.judges.builtin.risk.note import with_told

        # Once a check: while a slow judge answers, what has come so far is shown every few seconds.
        if self.remarks is None:
            self.remarks, self.copied = on_record(case)
        wrong = {one.sentence for one in self.claims.values() if one.verdict in ERRORS}
        risks = with_told(without_wrong(self.risks or (), wrong), case.note, self.claims)
        rubric = judge.rubric if isinstance(judge, HasRubric) else None
        checklist = with_risks(self._all_items(case, rubric), risks)
        problems += tuple(self._unjudged(checklist))
        kept = [omission for omission in self.omissions or () if not dropped(omission)]
        needs = _with_rules(self.needs, checklist, rubric)
        sentences = tuple(
            JudgedSentence(sentence, needs.get(sentence.id), self.claims.get(sentence.id))
            for sentence in case.note.sentences
        )
        return Evaluation(
            case=_with_doubt(case, judge),
            judge=judge.identity,
            checklist=checklist,
            sentences=sentences,
            scores=score(checklist, sentences),
            complete=not problems,
            problems=problems,
            omissions=None if self.omissions is None else tuple(likeliest_first(kept)),
            dropped=tuple(omission for omission in self.omissions or () if dropped(omission)),
            responses=None if self.responses is None else tuple(sorted(self.responses, key=_turn_of)),
            usage=replace(judge.usage(), seconds=seconds),
            risks=None if self.risks is None else risks,
            behaviours=self.behaviours,
            reading=self.reading,
            thread=self.thread,
            remarks=(
                *self.remarks,
                *(on_goals(self.thread) if self.thread is not None else ()),
                *on_private(case.note, self.private, self.remarks),
            ),
            copied=self.copied,
            wrong_on_risk=tuple(self._wrong_on_risk(case)),
            unheard=judge.left_out(case.transcript) if isinstance(judge, LeavesOut) else (),
            rubric=rubric,
        )

    def _wrong_on_risk(self, case: Case) -> Iterator[str]:
        """What is called wrong and denies what was said to be so now, also beside a sentence that names it."""
        # Not above: the first screen is to stand before numpy and llama.cpp are loaded.
        from noteeval_desktop.judges.builtin.completeness.general_items import speaks_of_safety
        from noteeval_desktop.judges.builtin.risk.note import dangers_in

        answering = {sentence for risk in self.risks or () for sentence in risk.addressed_by or ()}
        so_now = {risk.kind for risk in self.risks or () if risk.stance is Stance.CURRENT and not risk.by_meaning}
        for sentence in case.note.sentences:
            claim = self.claims.get(sentence.id)
            if claim is None or claim.verdict not in ERRORS:
                continue
            denies = any(denied and kind in so_now for kind, denied in dangers_in(sentence.text).items())
            on_risk = sentence.id in answering or speaks_of_safety(sentence.text)
            if denies or (on_risk and claim.verdict is Verdict.CONTRADICTED):
                yield sentence.id

    def _all_items(self, case: Case, rubric: Rubric | None) -> list[ItemVerdict]:
        """In the rubric's order, so that equal answers give equal files whichever came first; once one is answered,
        with those that are not."""
        asked = [item for item in rubric.items if item.applies_to(case)] if rubric is not None and self.items else ()
        unreached = (ItemVerdict(i.id, i.section, i.importance, None, rationale=_NOT_REACHED) for i in asked)
        return list(({item.item: item for item in unreached} | {item.item: item for item in self.items}).values())

    def _unjudged(self, checklist: Iterable[ItemVerdict]) -> Iterator[str]:
        """For each question with answers that hold no value: how many, and the commonest reason. What the ledger of
        risks has decided in ``checklist`` is judged."""
        answered = {item.item for item in self.items}
        values: dict[Question, list[tuple[object, str]]] = {
            Question.COVER: [
                (item.present, item.rationale) for item in checklist if item.item in answered and not item.set_aside
            ],
            Question.NEED: [(need.needed, need.rationale) for need in self.needs.values() if not need.set_aside],
            Question.SUPPORT: [
                (claim.verdict, claim.rationale) for claim in self.claims.values() if not claim.set_aside
            ],
            Question.RESPOND: [
                (None if any(given is None for _, given in verdict.scores) else True, " ".join(verdict.notices))
                for verdict in self.responses or ()
            ],
        }
        for question, answers in values.items():
            reasons = Counter(reason for value, reason in answers if value is None)
            if reasons:
                yield _gap(question.value, reasons, len(answers))
        for question, opinions in self._second_opinions():
            reasons = Counter(opinion.rationale for opinion in opinions if not opinion.says)
            if reasons:
                yield _gap(f"{question.value} (second look)", reasons, len(opinions))

    def _second_opinions(self) -> Iterator[tuple[Question, list[Opinion]]]:
        judged = {
            Question.RISK: self.risks or (),
            Question.COVER: {item.item: item for item in self.items}.values(),
            Question.SUPPORT: self.claims.values(),
            Question.OMIT: self.omissions or (),
            Question.NEED: self.needs.values(),
        }
        for question, verdicts in judged.items():
            yield question, [o for verdict in verdicts for o in verdict.opinions if o.judge != QUICK]


def _with_rules(
    needs: Mapping[str, NeedVerdict], checklist: Iterable[ItemVerdict], rubric: Rubric | None
) -> Mapping[str, NeedVerdict]:
    """A sentence in which a rule found an item is needed: no judge of needs is asked about such items."""
    ruled = {item.id: item for item in rubric.items if item.rule} if rubric is not None else {}
    carried = {sentence: ruled[one.item] for one in checklist if one.item in ruled for sentence in one.sentences}
    found, said = dict(needs), tr("Covers {item}.")
    for sentence, item in carried.items():
        need = needs.get(sentence)
        if need is not None and need.needed is not None and not need.set_aside and not (need.needed and need.items):
            why = said.format(item=item.name.lower())
            found[sentence] = NeedVerdict(sentence, True, need.probability, Confidence.SURE, (item.id,), why)
    return found


def on_record(case: Case) -> tuple[tuple[Remark, ...], CopiedShare | None]:
    """What no judge is asked: the remarks of the rules and on copied text, and how much is copied."""
    # Not above: the first screen does without RapidFuzz.
    from noteeval_desktop.compliance.copied import copied_text

    copied, share = copied_text(case)
    return (*remarks_on(case), *copied), share


def _is_of(verdict: RiskFinding, one: RiskFinding) -> bool:
    return (verdict.citation, verdict.kind) == (one.citation, one.kind)


def _gap(question: str, reasons: Counter[str], asked: int) -> str:
    counted = f"{question}: {reasons.total()} of {asked} could not be judged"
    reason = reasons.most_common(1)[0][0].strip()
    return f"{counted}: {reason}" if reason else f"{counted}."


def _with_doubt(case: Case, judge: Judge) -> Case:
    doubt = judge.doubt if isinstance(judge, Doubted) else ""
    if not doubt or doubt in case.warnings:
        return case
    return replace(case, note=replace(case.note, warnings=(*case.note.warnings, doubt)))


def _turn_of(response: ResponseVerdict) -> int:
    return -1 if response.turn is None else response.turn
