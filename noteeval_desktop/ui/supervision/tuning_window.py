"""The built-in judge tuned to this practice's settled reviews: what would have changed, to be taken or left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.differences import differences
from noteeval_desktop.domain.phrases import counted, percent, tr
from noteeval_desktop.domain.reviewed import with_settlements
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.measures.tuning import FEWEST_REVIEWS, Place, Proposal, places_of, propose, thresholds
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.supervision import words, work
from noteeval_desktop.ui.widgets import words as widget_words
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem, while_alive
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, open_at

Settled = tuple[int, tuple[Place, ...]]
_COLUMNS = (
    (tr("Marks on"), 105),
    (tr("Now"), 100),
    (tr("Suggested"), 115),
    (tr("Would have changed"), 250),
    (tr("On other notes"), 170),
)


class TuningWindow(QDialog):
    """``chosen``: Thresholds; those that ship where the reader goes back."""

    chosen = Signal(object)

    def __init__(self, access: Access, jobs: JobRunner, now: Thresholds, parent: QWidget) -> None:
        super().__init__(parent)
        title = tr("Tune the built-in judge")
        self.setWindowTitle(title)
        self._jobs, self._now = jobs, now
        self.proposals: tuple[Proposal, ...] = ()
        self.said = PlainLabel(tr("Reading the reviews…"), wrap=True)
        self.tree = table(title, _COLUMNS)
        self.back = button(tr("Back to how it came"), lambda: self._choose(Thresholds()), height=HIT)
        self.use = button(tr("Use these"), lambda: self._choose(thresholds(self.proposals)), height=HIT)
        self.use.setEnabled(False)
        self.back.setEnabled(bool(now))
        how = tr(
            "The judge says yes once it is sure enough. Here that limit is chosen so that fewer of its marks differ "
            "from what was settled (better: no longer differs). It is only suggested where it also does better on "
            "other notes than those that it was chosen on. Risk, and what could do much harm, is judged as before. "
            "Scorecards say that the judge is tuned. The command line uses the judge as it came."
        )
        foot = row(self.back, None, button(widget_words.CLOSE, self.reject, height=HIT), self.use)
        told = PlainLabel(how, look="muted", wrap=True)
        column(self.said, (self.tree, 1), told, foot, on=self, margins=(2,), spacing=1)
        open_at(self, 820, 420)
        access.run(_settled, while_alive(self, self._count), while_alive(self, self._fail))

    def _count(self, found: Settled) -> None:
        reviews, places = found
        if reviews < FEWEST_REVIEWS:
            said = tr(
                "{reviews} settled so far; from {needed} on the judge can be tuned to them. What counts are first "
                "reviews, marked blind, with every difference settled."
            )
            self.said.setText(said.format(reviews=counted(reviews, "review"), needed=FEWEST_REVIEWS))
            return
        shown, failed = while_alive(self, partial(self._show, reviews)), while_alive(self, self._fail)
        self._jobs.call(Lane.LOCAL, "tuning", lambda: propose(places), shown, failed)

    def _show(self, reviews: int, proposals: tuple[Proposal, ...]) -> None:
        self.proposals = proposals
        better = any(proposal.threshold is not None for proposal in proposals)
        said = tr("{reviews} reviews are settled. The judge does as well as it can; nothing is suggested.")
        if better:
            said = tr("{reviews} reviews are settled. This is what they suggest.")
        self.said.setText(said.format(reviews=reviews))
        for proposal in proposals:
            self.tree.addTopLevelItem(line(self._cells(proposal)))
        self.use.setEnabled(better and thresholds(proposals) != self._now)

    def _cells(self, one: Proposal) -> Sequence[str]:
        now = _threshold(getattr(self._now, one.dimension.value))
        name = words.DIMENSION_NAMES[one.dimension]
        if one.threshold is None:
            return name, now, tr("Nothing better"), "–", "–"
        changed = tr("{changed} of {places} marks: {better} better, {worse} worse").format(
            changed=f"{one.changed:,}",
            places=f"{one.places:,}",
            better=f"{one.to_person:,}",
            worse=f"{one.changed - one.to_person:,}",
        )
        left_out = tr("{differences} become {fewer}")
        return (
            name,
            now,
            _threshold(one.threshold),
            changed,
            left_out.format(differences=counted(one.differing, "difference"), fewer=one.held_out),
        )

    def _choose(self, chosen: Thresholds) -> None:
        self.chosen.emit(chosen)
        self.accept()

    def _fail(self, error: Exception) -> None:
        self.said.setText(problem(error))


def _threshold(value: float | None) -> str:
    return tr("As it came") if value is None else tr("Yes from {percent}").format(percent=percent(value))


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
