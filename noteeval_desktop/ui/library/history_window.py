"""The revisions of the case on the desk, and what changed from one to another."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QPlainTextEdit, QWidget

from noteeval_desktop.domain.evaluation import Scores
from noteeval_desktop.domain.phrases import day, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present.scores import figure
from noteeval_desktop.ui.library.revisions import Kept, difference
from noteeval_desktop.ui.widgets.parts import column
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at


class HistoryWindow(QDialog):
    def __init__(self, revisions: tuple[Kept, ...], rubric: Rubric, parent: QWidget) -> None:
        """``revisions`` from the oldest to the newest, at least one."""
        super().__init__(parent)
        self.setWindowTitle(tr("Revisions"))
        self._revisions = revisions
        self._names = {item.id: item.name for item in rubric.items}
        self.before, self.after = QComboBox(), QComboBox()
        # One below the other: side by side their scores were cut.
        chosen = QFormLayout()
        chosen.setSpacing(UNIT)
        for box, name in ((self.before, tr("From")), (self.after, tr("To"))):
            box.setAccessibleName(tr("{name} this revision").format(name=name))
            box.setMinimumHeight(HIT)
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            for kept in revisions:
                box.addItem(_name(kept))
            box.activated.connect(lambda _: self._show())
            chosen.addRow(name, box)
        self.before.setCurrentIndex(max(len(revisions) - 2, 0))
        self.after.setCurrentIndex(len(revisions) - 1)
        self.shown = QPlainTextEdit()
        self.shown.setReadOnly(True)
        self.shown.setAccessibleName(tr("What changed"))
        column(chosen, (self.shown, 1), on=self, margins=(2,), spacing=1)
        open_at(self, 900, 520)
        self._show()

    def _show(self) -> None:
        if len(self._revisions) == 1:
            self.shown.setPlainText(
                tr(
                    "This is the only revision so far. Change the note and keep the case again: then you "
                    "see here what changed."
                )
            )
            return
        before, after = (self._revisions[box.currentIndex()] for box in (self.before, self.after))
        self.shown.setPlainText(difference(before, after, lambda item: self._names.get(item, item)))


def _name(kept: Kept) -> str:
    scores = f" · {_scores(kept.evaluation.scores)}" if kept.evaluation is not None else tr(" · not checked")
    return f"{kept.number} · {day(kept.saved.astimezone())}, {kept.saved.astimezone():%H:%M}{scores}"


def _scores(scores: Scores) -> str:
    parts = (
        (scores.completeness, "covered"),
        (scores.conciseness, "needed"),
        (scores.faithfulness, "supported"),
    )
    return ", ".join(f"{figure(score)} {name}" for score, name in parts)
