"""Where two judges of the same case differ: pure functions over two evaluations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import ItemState, item_state
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict
from noteeval_desktop.present.vocabulary import NOT_CHECKED, NOT_NEEDED
from noteeval_desktop.ui.widgets.words import CHECKLIST, CLAIMS, SENTENCES, turn_list

KINDS = (CHECKLIST, SENTENCES, CLAIMS)


@dataclass(frozen=True, slots=True)
class Answer:
    said: str
    reason: str = ""

    @property
    def weighs(self) -> str:
        """What is compared: a judge that is less sure that an item is not there does not say another thing."""
        return ItemState.MISSING if self.said == ItemState.NOT_RECOGNISED else self.said


@dataclass(frozen=True, slots=True)
class Pair:
    """One question with both answers. ``span``: where it stands in the note, where it stands anywhere."""

    kind: str
    about: str
    first: Answer
    second: Answer
    span: Span | None = None

    @property
    def judged(self) -> bool:
        return NOT_CHECKED not in (self.first.said, self.second.said)

    @property
    def differs(self) -> bool:
        return self.judged and self.first.weighs != self.second.weighs


def pairs(first: Evaluation, second: Evaluation, rubric: Rubric) -> tuple[Pair, ...]:
    """Every question of a case with both answers; the two evaluations are of one note."""
    return (*_items(first, second, rubric), *_sentences(first, second))


def agreement(found: tuple[Pair, ...]) -> str:
    """ "They agree on 61 of 72 questions; 3 were not checked by both." """
    judged = [pair for pair in found if pair.judged]
    same, left = sum(not pair.differs for pair in judged), len(found) - len(judged)
    said = tr("They agree on {same} of {questions}").format(same=same, questions=counted(len(judged), "question"))
    if not left:
        return f"{said}."
    return tr("{said}; {left} {are} not checked by both.").format(said=said, left=left, are=are(left, "was", "were"))


def _items(first: Evaluation, second: Evaluation, rubric: Rubric) -> Iterator[Pair]:
    theirs = {item.item: item for item in second.checklist}
    spans = {judged.sentence.id: judged.sentence.span for judged in first.sentences}
    rubric = first.rubric or rubric
    for item in first.checklist:
        other = theirs.get(item.item)
        carried = [spans[s] for s in (*item.sentences, *(other.sentences if other else ())) if s in spans]
        where = min(carried) if carried else None
        yield Pair(KINDS[0], rubric.item(item.item).name, _item(item, first), _item(other, second), where)


def _item(verdict: ItemVerdict | None, of: Evaluation) -> Answer:
    if verdict is None or verdict.present is None:
        return Answer(NOT_CHECKED, verdict.rationale if verdict else "")
    return Answer(item_state(verdict, of), verdict.rationale)


def _sentences(first: Evaluation, second: Evaluation) -> Iterator[Pair]:
    theirs = {judged.sentence.id: judged for judged in second.sentences}
    both = [(judged, theirs[judged.sentence.id]) for judged in first.sentences if judged.sentence.id in theirs]
    for one, other in both:
        yield Pair(KINDS[1], one.sentence.text, _need(one.need), _need(other.need), one.sentence.span)
    for one, other in both:
        yield Pair(KINDS[2], one.sentence.text, _claim(one.claim), _claim(other.claim), one.sentence.span)


def _need(verdict: NeedVerdict | None) -> Answer:
    if verdict is None or verdict.needed is None:
        return Answer(NOT_CHECKED, verdict.rationale if verdict else "")
    return Answer(tr("needed") if verdict.needed else NOT_NEEDED, verdict.rationale)


def _claim(verdict: ClaimVerdict | None) -> Answer:
    if verdict is None or verdict.verdict is None:
        return Answer(NOT_CHECKED, verdict.rationale if verdict else "")
    turns = [citation.turn for citation in verdict.citations]
    cited = f" ({turn_list(turns).lower()})" if turns else ""
    return Answer(verdict.verdict.value, f"{verdict.rationale}{cited}".strip())
