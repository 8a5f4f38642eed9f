"""Two judges side by side: what they say differently, and why; a click goes to the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHeaderView, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.evaluation import JUDGES, Evaluation
from noteeval_desktop.domain.findings import ItemState, item_state
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict, Verdict
from noteeval_desktop.present.vocabulary import ITEM_STATES, NOT_CHECKED, NOT_NEEDED
from noteeval_desktop.ui.widgets.dialogs import Listing, line
from noteeval_desktop.ui.widgets.parts import Window, column, grounded, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import CHECKLIST, CLAIMS, SENTENCES, turn_list

KINDS = (CHECKLIST, SENTENCES, CLAIMS)
_MISSING, _UNRECOGNISED = (ITEM_STATES[state].name for state in (ItemState.MISSING, ItemState.NOT_RECOGNISED))


@dataclass(frozen=True, slots=True)
class Answer:
    said: str
    reason: str = ""

    @property
    def weighs(self) -> str:
        """What is compared: a judge that is less sure that an item is not there does not say another thing."""
        return _MISSING if self.said == _UNRECOGNISED else self.said


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


def pairs(first: Evaluation, second: Evaluation, rubric: Rubric) -> Iterator[Pair]:
    """Every question of a case with both answers; the two evaluations are of one note."""
    items = {item.item: item for item in second.checklist}
    spans = {judged.sentence.id: judged.sentence.span for judged in first.sentences}
    rubric = first.rubric or rubric
    for item in first.checklist:
        theirs = items.get(item.item)
        carried = [spans[s] for s in (*item.sentences, *(theirs.sentences if theirs else ())) if s in spans]
        where = min(carried) if carried else None
        yield Pair(KINDS[0], rubric.item(item.item).name, _answer(item, first), _answer(theirs, second), where)
    sentences = {judged.sentence.id: judged for judged in second.sentences}
    both = [(judged, sentences[judged.sentence.id]) for judged in first.sentences if judged.sentence.id in sentences]
    for one, other in both:
        answers = _answer(one.need, first), _answer(other.need, second)
        yield Pair(KINDS[1], one.sentence.text, *answers, one.sentence.span)
    for one, other in both:
        answers = _answer(one.claim, first), _answer(other.claim, second)
        yield Pair(KINDS[2], one.sentence.text, *answers, one.sentence.span)


def agreement(found: tuple[Pair, ...]) -> str:
    """ "They agree on 61 of 72 questions; 3 were not checked by both." """
    judged = [pair for pair in found if pair.judged]
    same, left = sum(not pair.differs for pair in judged), len(found) - len(judged)
    said = tr("They agree on {same} of {questions}").format(same=same, questions=counted(len(judged), "question"))
    if not left:
        return f"{said}."
    return tr("{said}; {left} {are} not checked by both.").format(said=said, left=left, are=are(left, "was", "were"))


def _answer(verdict: ItemVerdict | NeedVerdict | ClaimVerdict | None, of: Evaluation) -> Answer:
    match verdict:
        case ItemVerdict(present=bool()):
            return Answer(ITEM_STATES[item_state(verdict, of)].name, verdict.rationale)
        case NeedVerdict(needed=bool()):
            return Answer(tr("needed") if verdict.needed else NOT_NEEDED, verdict.rationale)
        case ClaimVerdict(verdict=Verdict() as said):
            turns = [citation.turn for citation in verdict.citations]
            cited = f" ({turn_list(turns).lower()})" if turns else ""
            return Answer(said.value, f"{verdict.rationale}{cited}".strip())
    return Answer(NOT_CHECKED, verdict.rationale if verdict else "")


class ComparisonWindow(Window):
    """Stays beside the main window. ``place_asked(Span)`` when a line about a sentence is chosen."""

    place_asked = Signal(object)

    def __init__(self, first: Evaluation, second: Evaluation, rubric: Rubric, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Compare two judges"), (900, 600), once=True)
        self._pairs = tuple(pairs(first, second, rubric))
        self._names = _name(first), _name(second)
        self.tree = tree = Listing(tr("Differences"), [(name, 100) for name in (tr("Question"), *self._names)])
        tree.setAlternatingRowColors(True)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.currentItemChanged.connect(lambda now, _: self._on_chosen(now))
        self._all = tick(tr("Also show where they agree"))
        self._all.toggled.connect(lambda _: self._fill())
        self._about = PlainLabel("", look="heading", wrap=True)
        self._reasons = PlainLabel("", wrap=True), PlainLabel("", wrap=True)
        self.summary = PlainLabel(agreement(self._pairs), look="heading")
        card = grounded(QWidget(), "explanation")
        card.setMinimumHeight(12 * UNIT)
        grid = QGridLayout(card)
        grid.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        grid.addWidget(self._about, 0, 0, 1, 2)
        for place, reason in enumerate(self._reasons):
            reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            reason.setAlignment(Qt.AlignmentFlag.AlignTop)
            grid.addWidget(PlainLabel(self._names[place], look="muted"), 1, place)
            grid.addWidget(reason, 2, place)
            grid.setColumnStretch(place, 1)
        grid.setRowStretch(2, 1)
        head = row((self.summary, 1), self._all)
        column(head, (self.tree, 1), card, on=self, margins=(2,), spacing=1)
        self._fill()

    def _fill(self) -> None:
        self.tree.clear()
        for kind in KINDS:
            own = [pair for pair in self._pairs if pair.kind == kind and (pair.differs or self._all.isChecked())]
            differing = sum(pair.differs for pair in own)
            judged = any(pair.judged for pair in self._pairs if pair.kind == kind)
            said = tr("the same") if judged else tr("not checked by both")
            if differing:
                said = tr("{differing} different").format(differing=differing)
            group = QTreeWidgetItem(self.tree, [f"{kind}: {said}"])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = group.font(0)
            font.setBold(True)
            group.setFont(0, font)
            group.setSizeHint(0, QSize(0, HIT))
            group.addChildren([line([shortened(p.about, 120), p.first.said, p.second.said], p) for p in own])
        self.tree.expandAll()
        first = next((g.child(0) for g in map(self.tree.topLevelItem, range(3)) if g and g.childCount()), None)
        if first is not None:
            self.tree.blockSignals(True)
            self.tree.setCurrentItem(first)
            self.tree.blockSignals(False)
        self._show(first)

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        pair = self._show(item)
        if pair is not None and pair.span is not None:
            self.place_asked.emit(pair.span)

    def _show(self, item: QTreeWidgetItem | None) -> Pair | None:
        pair = item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None
        if not isinstance(pair, Pair):
            self._about.setText(tr("Choose a row to see both reasons.") if self._pairs else "")
            for reason in self._reasons:
                reason.setText("")
            return None
        self._about.setText(pair.about)
        for reason, answer in zip(self._reasons, (pair.first, pair.second), strict=True):
            none = tr("{said} (no reason given)").format(said=answer.said)
            reason.setText(f"{answer.said}: {answer.reason}" if answer.reason else none)
        return pair


def _name(evaluation: Evaluation) -> str:
    judge = evaluation.judge
    kind = JUDGES.get(judge.kind, judge.kind)
    return kind if judge.kind == "builtin" else f"{kind}: {shortened(judge.model, 30)}"
