"""Two judges side by side: what they say differently, and why; a click goes to the sentence."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.judge_names import JUDGES
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.ui.judging import comparison
from noteeval_desktop.ui.judging.comparison import Pair
from noteeval_desktop.ui.widgets.parts import column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

_PAIR = Qt.ItemDataRole.UserRole


class ComparisonWindow(QDialog):
    """Stays beside the main window. ``place_asked(Span)`` when a line about a sentence is chosen."""

    place_asked = Signal(object)

    def __init__(self, first: Evaluation, second: Evaluation, rubric: Rubric, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Compare two judges"))
        self._pairs = comparison.pairs(first, second, rubric)
        self._names = _name(first), _name(second)
        self.tree = self._tree()
        self._all = QCheckBox(tr("Also show where they agree"))
        self._all.toggled.connect(lambda _: self._fill())
        self._about = PlainLabel("", look="heading", wrap=True)
        self._reasons = PlainLabel("", wrap=True), PlainLabel("", wrap=True)
        self.summary = PlainLabel(comparison.agreement(self._pairs), look="heading")
        head = row((self.summary, 1), self._all)
        column(head, (self.tree, 1), self._card(), on=self, margins=(2,), spacing=1)
        open_at(self, 900, 600)
        self._fill()

    def _tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setColumnCount(3)
        tree.setHeaderLabels([tr("Question"), *self._names])
        tree.setAccessibleName(tr("Differences"))
        tree.setRootIsDecorated(False)
        tree.setAlternatingRowColors(True)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        tree.currentItemChanged.connect(lambda now, _: self._on_chosen(now))
        return tree

    def _card(self) -> QWidget:
        card = QWidget()
        card.setObjectName("explanation")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
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
        return card

    def _fill(self) -> None:
        self.tree.clear()
        for kind in comparison.KINDS:
            own = [pair for pair in self._pairs if pair.kind == kind and (pair.differs or self._all.isChecked())]
            differing = sum(pair.differs for pair in own)
            judged = any(pair.judged for pair in self._pairs if pair.kind == kind)
            said = (
                tr("{differing} different").format(differing=differing)
                if differing
                else tr("the same")
                if judged
                else tr("not checked by both")
            )
            group = QTreeWidgetItem(self.tree, [f"{kind}: {said}"])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            font = group.font(0)
            font.setBold(True)
            group.setFont(0, font)
            group.setSizeHint(0, QSize(0, HIT))
            for pair in own:
                line = QTreeWidgetItem(group, [shortened(pair.about, 120), pair.first.said, pair.second.said])
                line.setData(0, _PAIR, pair)
                line.setSizeHint(0, QSize(0, HIT))
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
        pair = item.data(0, _PAIR) if item is not None else None
        if not isinstance(pair, Pair):
            self._about.setText(tr("Choose a row to see both reasons.") if self._pairs else "")
            for reason in self._reasons:
                reason.setText("")
            return None
        self._about.setText(pair.about)
        for reason, answer in zip(self._reasons, (pair.first, pair.second), strict=True):
            reason.setText(
                f"{answer.said}: {answer.reason}"
                if answer.reason
                else tr("{said} (no reason given)").format(said=answer.said)
            )
        return pair


def _name(evaluation: Evaluation) -> str:
    judge = evaluation.judge
    kind = JUDGES.get(judge.kind, judge.kind)
    return kind if judge.kind == "builtin" else f"{kind}: {shortened(judge.model, 30)}"
