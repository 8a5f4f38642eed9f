"""The raters' side of the window for pairs: paste their scores, add the judge, see where they differ."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from noteeval_desktop.commands import rater_scores
from noteeval_desktop.commands.rater_scores import Compared, Ratings, figure
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.responses import RaterAgreement
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses.pairs import LETTERS
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane
from noteeval_desktop.ui.widgets.parts import button, column, row, wrapped_list, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import JUDGE, RESPONSES

_DIFFERENCES_ABOVE_2_POINTS = tr("Differences above 2 points, for discussion")


def enough(agreement: RaterAgreement) -> bool:
    return agreement.responses >= rater_scores.FEWEST_FOR_INTERVAL


class RatersPage(QWidget):
    def __init__(self, jobs: JobRunner) -> None:
        super().__init__()
        self._jobs = jobs
        self.verdicts: dict[int, ResponseVerdict] = {}
        example = tr("{names}\nKim,A,4,4,5,3,4,3").format(names=",".join(rater_scores.COLUMNS))
        self.pasted = writing(tr("Scores of several raters, as a table"), hint=example)
        self.pasted.setMaximumHeight(16 * UNIT)
        self.said = PlainLabel("", look="muted", wrap=True)
        self.differences = wrapped_list(_DIFFERENCES_ABOVE_2_POINTS)
        self.table = SideBySide(tr("How far the raters agree"))
        self.compare_button = button(tr("Compare the raters"), lambda: self._compare(with_judge=False), height=HIT)
        self.judge_button = button(tr("Compare with the judge too"), lambda: self._compare(with_judge=True), height=HIT)
        column(
            PlainLabel(tr("Paste the raters' scores, one line for each rater and response."), look="muted"),
            self.pasted,
            row(self.compare_button, self.judge_button, None),
            self.said,
            PlainLabel(_DIFFERENCES_ABOVE_2_POINTS, look="heading"),
            (self.differences, 1),
            PlainLabel(tr("Agreement (ICC, with 95 % bootstrap intervals)"), look="heading"),
            (self.table, 2),
            on=self,
        )
        self.show_verdicts({})

    def show_verdicts(self, verdicts: dict[int, ResponseVerdict]) -> None:
        """What the judge gave to the responses on the other side, by their number from 0."""
        self.verdicts = verdicts
        self.judge_button.setEnabled(bool(verdicts))

    def _compare(self, with_judge: bool) -> None:
        try:
            ratings: Ratings = rater_scores.read_ratings(self.pasted.toPlainText())
        except InputError as error:
            self.said.setText(str(error))
            return
        if with_judge:
            ratings = rater_scores.with_rater(ratings, JUDGE, self.verdicts)

        def fail(error: Exception) -> None:
            failed = tr("The raters could not be compared ({name}). Check the table.")
            self.said.setText(failed.format(name=type(error).__name__))

        self.said.setText(tr("Comparing…"))
        self._jobs.call(Lane.DISK, "raters", lambda: rater_scores.compare(ratings), partial(self._show, ratings), fail)

    def _show(self, ratings: Ratings, found: Compared) -> None:
        said = tr("{count} raters: {names}.")
        if not all(map(enough, found.agreement)):
            said = tr("{count} raters: {names}. Intervals are shown from {few} responses on that every rater scored.")
        few = rater_scores.FEWEST_FOR_INTERVAL
        self.said.setText(said.format(count=len(ratings), names=", ".join(ratings), few=few))
        self.differences.clear()
        listed = [rater_scores.disagreement_words(difference, LETTERS) for difference in found.disagreements]
        self.differences.addItems(listed or [tr("No two raters differ by more than 2 points.")])
        columns = (RESPONSES, tr("Consistency, ICC(C,1)"), tr("Absolute agreement, ICC(A,1)"))
        lines = tuple(
            (
                ATTRIBUTE_NAMES[own.attribute],
                (
                    str(own.responses),
                    figure(own.consistency, own.consistency_interval if enough(own) else None),
                    figure(own.absolute, own.absolute_interval if enough(own) else None),
                ),
            )
            for own in found.agreement
        )
        self.table.show_table(columns, lines)
