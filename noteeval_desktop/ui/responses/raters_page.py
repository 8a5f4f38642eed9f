"""The raters' side of the window for pairs: paste their scores, add the judge, see where they differ."""

from __future__ import annotations

import threading

from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.measures.responses import RaterAgreement
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.pairs import LETTERS
from noteeval_desktop.ui.responses.raters import (
    COLUMNS,
    FEWEST_FOR_INTERVAL,
    Compared,
    Ratings,
    compare,
    disagreement_words,
    figure,
    read_ratings,
    with_rater,
)
from noteeval_desktop.ui.responses.side_by_side import SideBySide
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import JUDGE, RESPONSES

FEW = words.intervals_from(FEWEST_FOR_INTERVAL)


def enough(agreement: RaterAgreement) -> bool:
    return agreement.responses >= FEWEST_FOR_INTERVAL


class RatersPage(QWidget):
    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.verdicts: dict[int, ResponseVerdict] = {}
        self.pasted = QPlainTextEdit()
        self.pasted.setTabChangesFocus(True)
        self.pasted.setPlaceholderText(words.table_example(",".join(COLUMNS)))
        self.pasted.setAccessibleName(words.SCORES_OF_SEVERAL_RATERS)
        self.pasted.setMaximumHeight(16 * UNIT)
        self.said = PlainLabel("", look="muted", wrap=True)
        self.differences = QListWidget()
        self.differences.setAccessibleName(words.DIFFERENCES_ABOVE_2_POINTS)
        self.differences.setWordWrap(True)
        self.table = SideBySide(words.HOW_FAR_RATERS_AGREE)
        self.compare_button = self._button(words.COMPARE_THE_RATERS, lambda: self._compare(with_judge=False))
        self.judge_button = self._button(words.COMPARE_WITH_THE_JUDGE_TOO, lambda: self._compare(with_judge=True))
        buttons = QHBoxLayout()
        for button in (self.compare_button, self.judge_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(PlainLabel(words.PASTE_THE_RATERS_SCORES_ONE_LINE, look="muted"))
        layout.addWidget(self.pasted)
        layout.addLayout(buttons)
        layout.addWidget(self.said)
        layout.addWidget(PlainLabel(words.DIFFERENCES_ABOVE_2_POINTS, look="heading"))
        layout.addWidget(self.differences, 1)
        layout.addWidget(PlainLabel(words.AGREEMENT_ICC_WITH_95_BOOTSTRAP, look="heading"))
        layout.addWidget(self.table, 2)
        self.show_verdicts({})

    def _button(self, text: str, act: object) -> QPushButton:
        button = QPushButton(text)
        button.setMinimumHeight(HIT)
        assert callable(act)
        button.clicked.connect(lambda: act())
        return button

    def show_verdicts(self, verdicts: dict[int, ResponseVerdict]) -> None:
        """What the judge gave to the responses on the other side, by their number from 0."""
        self.verdicts = verdicts
        self.judge_button.setEnabled(bool(verdicts))

    def _compare(self, with_judge: bool) -> None:
        try:
            ratings: Ratings = read_ratings(self.pasted.toPlainText())
        except InputError as error:
            self.said.setText(str(error))
            return
        if with_judge:
            ratings = with_rater(ratings, JUDGE, self.verdicts)

        def work(cancel: threading.Event, emit: Emit) -> object:
            return compare(ratings)

        self.said.setText(words.COMPARING)
        self._jobs.submit(Lane.DISK, "raters", work, lambda found: self._show(found, ratings), self._fail)

    def _show(self, found: object, ratings: Ratings) -> None:
        assert isinstance(found, Compared)
        few = "" if all(map(enough, found.agreement)) else f" {FEW}"
        self.said.setText(words.raters(len(ratings), ", ".join(ratings), few))
        self.differences.clear()
        listed = [disagreement_words(difference, LETTERS) for difference in found.disagreements]
        self.differences.addItems(listed or [words.NO_DIFFERENCES])
        columns = (RESPONSES, words.CONSISTENCY, words.ABSOLUTE_AGREEMENT)
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

    def _fail(self, error: Exception) -> None:
        self.said.setText(words.raters_failed(type(error).__name__))
