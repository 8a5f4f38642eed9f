"""The built-in judge tuned to this practice's settled reviews: what would have changed, to be taken or left."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.differences import differences
from noteeval_desktop.domain.reviewed import with_settlements
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.measures.tuning import FEWEST_REVIEWS, Place, Proposal, places_of, propose, thresholds
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library import words as library_words
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import agreement_words, tuning_words, words, work
from noteeval_desktop.ui.widgets import words as widget_words
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, while_alive
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at

Settled = tuple[int, tuple[Place, ...]]
_COLUMNS = (
    (tuning_words.PART, 105),
    (tuning_words.NOW, 100),
    (tuning_words.SUGGESTED, 115),
    (tuning_words.WOULD_CHANGE, 250),
    (tuning_words.LEFT_OUT, 170),
)


class TuningWindow(QDialog):
    """``chosen``: Thresholds; those that ship where the reader goes back."""

    chosen = Signal(object)

    def __init__(self, access: Access, jobs: JobRunner, now: Thresholds, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tuning_words.TUNE_TITLE)
        self._jobs, self._now = jobs, now
        self.proposals: tuple[Proposal, ...] = ()
        self.said = PlainLabel(agreement_words.READING_THE_REVIEWS, wrap=True)
        self.tree = table(tuning_words.TUNE_TITLE, _COLUMNS)
        self.use, self.back = QPushButton(tuning_words.USE_THESE), QPushButton(tuning_words.AS_SHIPPED_AGAIN)
        self.use.clicked.connect(lambda: self._choose(thresholds(self.proposals)))
        self.back.clicked.connect(lambda: self._choose(Thresholds()))
        self.use.setEnabled(False)
        self.back.setEnabled(bool(now))
        close = QPushButton(widget_words.CLOSE)
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        for button in (close, self.use):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        layout.setSpacing(UNIT)
        layout.addWidget(self.said)
        layout.addWidget(self.tree, 1)
        layout.addWidget(PlainLabel(tuning_words.HOW_TUNED, look="muted", wrap=True))
        layout.addLayout(buttons)
        for button in (self.back, close, self.use):
            button.setMinimumHeight(HIT)
            button.setAutoDefault(False)
        open_at(self, 820, 420)
        access.run(_settled, while_alive(self, self._count), while_alive(self, self._fail))

    def _count(self, found: Settled) -> None:
        reviews, places = found
        if reviews < FEWEST_REVIEWS:
            self.said.setText(tuning_words.too_few_settled(reviews, FEWEST_REVIEWS))
            return

        def count(cancel: threading.Event, emit: Emit) -> object:
            return propose(places)

        def show(proposals: object) -> None:
            assert isinstance(proposals, tuple)
            self._show(reviews, proposals)

        self._jobs.submit(Lane.LOCAL, "tuning", count, while_alive(self, show), while_alive(self, self._fail))

    def _show(self, reviews: int, proposals: tuple[Proposal, ...]) -> None:
        self.proposals = proposals
        better = any(proposal.threshold is not None for proposal in proposals)
        self.said.setText(tuning_words.from_settled(reviews, better))
        for proposal in proposals:
            self.tree.addTopLevelItem(line(self._cells(proposal)))
        self.use.setEnabled(better and thresholds(proposals) != self._now)

    def _cells(self, one: Proposal) -> Sequence[str]:
        now = tuning_words.threshold(getattr(self._now, one.dimension.value))
        name = words.DIMENSION_NAMES[one.dimension]
        if one.threshold is None:
            return name, now, tuning_words.NOTHING_BETTER, "–", "–"
        changed = tuning_words.would_change(one.changed, one.places, one.to_person)
        return (
            name,
            now,
            tuning_words.threshold(one.threshold),
            changed,
            tuning_words.left_out(one.differing, one.held_out),
        )

    def _choose(self, chosen: Thresholds) -> None:
        self.chosen.emit(chosen)
        self.accept()

    def _fail(self, error: Exception) -> None:
        self.said.setText(library_words.problem(error))


def _settled(library: Library) -> Settled:
    """How many independent reviews are settled to the last difference with the built-in judge, and their marks."""
    reviews, places = 0, list[Place]()
    for one in work.rated(library, "", lambda: False):
        evaluation = next((judged for judged in reversed(one.judged) if judged.judge.kind == "builtin"), None)
        for review in one.reviews if evaluation is not None else ():
            if evaluation and all(agreed for _, agreed in with_settlements(review, differences(review, evaluation))):
                reviews += 1
                places += places_of(review, evaluation)
    return reviews, tuple(places)
