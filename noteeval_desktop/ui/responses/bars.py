"""Six scores as small bars of five steps; the number and the word stand beside each, so that colour adds nothing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, ResponseVerdict
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses.scored import score_words
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UNIT, Theme, sized

STEPS = 5
_LINE = 20
_GAP = 2
ORDER = tuple(Attribute)


def paint_steps(painter: QPainter, area: QRectF, score: int | None, theme: Theme) -> None:
    """Five steps, as many filled as the score; low ones are amber and hatched by their emptiness."""
    step = (area.width() - (STEPS - 1) * _GAP) / STEPS
    low = score is not None and score < SUBTHRESHOLD
    painter.setPen(Qt.PenStyle.NoPen)
    for number in range(STEPS):
        filled = score is not None and number < score
        painter.setBrush(theme.colour(("amber" if low else "accent") if filled else "line"))
        painter.drawRoundedRect(QRectF(area.left() + number * (step + _GAP), area.top(), step, area.height()), 1, 1)


class ScoreBars(QWidget):
    """The six attributes of one response, one a line, with the word for each score."""

    def __init__(self, verdict: ResponseVerdict, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict, self._theme = verdict, theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        said = ", ".join(f"{ATTRIBUTE_NAMES[a]} {score_words(verdict.score(a))}" for a in ORDER)
        self.setAccessibleName(tr("Scores from 1 to 5: {said}").format(said=said))
        self.setToolTip(tr("Each from 1 (poor) to 5 (very good); 3 is fair"))

    def sizeHint(self) -> QSize:
        return QSize(30 * UNIT, _LINE * len(ORDER))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = sized(self.font(), SMALL_SIZE)
        painter.setFont(font)
        metrics = QFontMetrics(font)
        name_room = metrics.horizontalAdvance(tr("Understanding")) + UNIT
        word_room = metrics.horizontalAdvance(tr("5 very good")) + UNIT
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for place, attribute in enumerate(ORDER):
            top, score = place * _LINE, self._verdict.score(attribute)
            painter.setPen(self._theme.colour("text"))
            painter.drawText(QRectF(0, top, name_room, _LINE), middle, ATTRIBUTE_NAMES[attribute])
            bar = QRectF(name_room, top + 6, max(40.0, self.width() - name_room - word_room), 8)
            paint_steps(painter, bar, score, self._theme)
            painter.setPen(self._theme.colour("text"))
            painter.drawText(QRectF(bar.right() + UNIT, top, word_room, _LINE), middle, score_words(score))
