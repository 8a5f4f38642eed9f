"""The glance row: the scores as plain statements, each with a small bar and what changed; a click explains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import Scores
from noteeval_desktop.ui.findings import score_words as words
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UI_SIZE, UNIT, Theme, sized, zoomed


@dataclass(frozen=True, slots=True)
class Glance:
    """One statement: its words, the bar's share (0..1, None: no bar), the change, what a click says."""

    words: str
    share: float | None = None
    change: str = ""
    explanation: str = ""
    warning: bool = False


def glances(
    scores: Scores,
    before: Scores | None,
    risk: int | None,
    wrong: int,
    answered: Mapping[str, int],
    possible: int,
    advised: int,
) -> tuple[Glance, ...]:
    """``risk`` mentions of it are left out, ``wrong`` statements on it to be checked, both open; ``answered``: the
    others, as risk.answers tells of them; ``possible``: those that may only sound like risk. ``advised``: as many
    sentences are suggested to be left out."""
    c, n, f = scores.completeness, scores.conciseness, scores.faithfulness
    then = before or scores
    cut = (100 * x if (x := then.conciseness.note) is not None else None, 100 * n.note if n.note is not None else None)
    return (
        Glance(
            words.completeness(c),
            c.note,
            words.change(then.completeness.done, c.done),
            words.since(then.completeness.done, c.done) + words.explain_completeness(c),
        ),
        Glance(words.conciseness(n), n.note, words.change(*cut), words.explain_conciseness(n, advised)),
        Glance(
            words.faithfulness(f),
            f.note,
            words.change(then.faithfulness.done, f.done),
            words.since(then.faithfulness.done, f.done) + words.explain_faithfulness(f),
        ),
        Glance(
            words.risk(risk, wrong, answered, possible),
            explanation=words.explain_risk(risk, wrong, answered, possible),
            warning=bool(risk or wrong),
        ),
    )


_NEARLY = 0.85


class GlanceButton(QAbstractButton):
    """Paints one statement; a click opens its explanation."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._glance, self._lines = Glance(""), 1
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._explain)

    def show_glance(self, glance: Glance) -> None:
        self._glance = glance
        self.setAccessibleName(f"{glance.words} {glance.change}".strip())
        explain(self, glance.explanation)
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return self._size("  ▲00", zoomed(self.font(), UI_SIZE + 1, QFont.Weight.DemiBold))

    def minimumSizeHint(self) -> QSize:
        change = f"  {self._glance.change}" if self._glance.change else ""
        return self._size(change, sized(self.font(), SMALL_SIZE, QFont.Weight.DemiBold))

    @property
    def words(self) -> str:
        return f"⚠ {self._glance.words}" if self._glance.warning else self._glance.words

    def fits_one_line(self, room: float) -> bool:
        """At nearly the size that the reader wants."""
        return self.font_for(room, 1).pixelSize() >= _NEARLY * self._largest

    @property
    def _largest(self) -> int:
        return zoomed(self.font(), UI_SIZE + 1, QFont.Weight.DemiBold).pixelSize()

    def set_lines(self, lines: int) -> None:
        self._lines = lines
        self.updateGeometry()
        self.update()

    def font_for(self, room: float, lines: int = 0) -> QFont:
        """In ``lines``, or as many as it has: as large as the reader wants it, or smaller where words would be cut."""
        bold = QFont.Weight.DemiBold
        sizes = (sized(self.font(), size, bold) for size in range(self._largest, SMALL_SIZE, -1))
        if change := self._glance.change:
            room -= QFontMetrics(zoomed(self.font(), SMALL_SIZE)).horizontalAdvance(f"  {change}") + UNIT
        fits = (font for font in sizes if self._needs_lines(QFontMetrics(font), room) <= (lines or self._lines))
        return next(fits, sized(self.font(), SMALL_SIZE, bold))

    def _needs_lines(self, metrics: QFontMetrics, room: float) -> int:
        """In whole words; more than any where one word alone is too wide."""
        if metrics.horizontalAdvance(self.words) <= room:
            return 1
        if any(metrics.horizontalAdvance(word) > room for word in self.words.split()):
            return 9
        wrapped = metrics.boundingRect(QRect(0, 0, int(room), 10_000), Qt.TextFlag.TextWordWrap, self.words)
        return round(wrapped.height() / metrics.lineSpacing())

    def _size(self, beside: str, font: QFont) -> QSize:
        metrics = QFontMetrics(font)
        # The advance is rounded, and half a pixel too few cuts off a word.
        return QSize(
            metrics.horizontalAdvance(self.words + beside) + 4 * UNIT + 2,
            metrics.lineSpacing() * self._lines + 4 * UNIT + 4,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, glance = self._theme, self._glance
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("hover") if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, 6, 6)
        inside = area.adjusted(12, 4, -12, -4)
        self._paint_words(painter, inside)
        if glance.share is not None:
            self._paint_bar(painter, QRectF(inside.left(), inside.bottom() - 7, inside.width(), 5))

    def _paint_words(self, painter: QPainter, area: QRectF) -> None:
        theme, glance = self._theme, self._glance
        # In one size: what is set smaller seems to matter less.
        row = self.parent()
        beside = row.findChildren(GlanceButton) if row is not None else [self]
        words = self.words
        font = min((one.font_for(one.width() - 4 * UNIT) for one in beside), key=QFont.pixelSize)
        painter.setFont(font)
        painter.setPen(theme.colour("red" if glance.warning else "text"))
        lines = area if glance.share is None else area.adjusted(0, 0, 0, -10)
        where = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if self._lines > 1:
            painter.drawText(lines, where | Qt.TextFlag.TextWordWrap, words)
        else:
            painter.drawText(
                lines, where, QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, int(lines.width()))
            )
        if glance.change and self._lines > 1:
            painter.setFont(zoomed(self.font(), SMALL_SIZE))
            painter.setPen(theme.colour("accent"))
            painter.drawText(lines, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, glance.change)
        elif glance.change:
            used = QFontMetrics(font).horizontalAdvance(words + "  ")
            painter.setFont(zoomed(self.font(), SMALL_SIZE))
            painter.setPen(theme.colour("accent"))
            painter.drawText(lines.adjusted(used, 0, 0, 0), where, glance.change)

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("line"))
        painter.drawRoundedRect(bar, 2.5, 2.5)
        share = self._glance.share or 0.0
        if share > 0:
            painter.setBrush(self._theme.colour("accent"))
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), max(5.0, bar.width() * share), bar.height()), 2.5, 2.5
            )

    def _explain(self) -> None:
        popup = QFrame(self, Qt.WindowType.Popup)
        popup.setObjectName("explanation")
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(popup)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        heading = PlainLabel(self._glance.words)
        # A window of its own takes the program's letters.
        heading.setFont(zoomed(self.font(), UI_SIZE, QFont.Weight.DemiBold))
        layout.addWidget(heading)
        label = PlainLabel(self._glance.explanation, wrap=True)
        label.setFont(self.font())
        label.setFixedWidth(45 * UNIT * max(self.font().pixelSize(), UI_SIZE) // UI_SIZE)
        layout.addWidget(label)
        popup.adjustSize()
        below, screen = self.mapToGlobal(QPoint(0, self.height())), self.screen().availableGeometry()
        right, lowest = screen.right() - popup.width() - UNIT, screen.bottom() - popup.height() - UNIT
        popup.move(max(screen.left(), min(below.x(), right)), max(screen.top(), min(below.y(), lowest)))
        popup.show()


class GlanceRow(QWidget):
    """Completeness, conciseness, faithfulness, risk."""

    NAMES = ("completeness", "conciseness", "faithfulness", "risk")

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("glance_row")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(UNIT, 0, UNIT, 0)
        row.setSpacing(UNIT)
        self.buttons = tuple(GlanceButton(theme, f"glance_{name}") for name in self.NAMES)
        for button in self.buttons:
            row.addWidget(button, 1)

    def show_glances(self, shown: tuple[Glance, ...]) -> None:
        for button, glance in zip(self.buttons, shown, strict=True):
            button.show_glance(glance)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Two lines rather than small letters beside a reader's large ones."""
        room = (self.width() - UNIT * (len(self.buttons) + 1)) / len(self.buttons) - 4 * UNIT
        one = all(button.fits_one_line(room) for button in self.buttons)
        for button in self.buttons:
            button.set_lines(1 if one else 2)

    def set_theme(self, theme: Theme) -> None:
        for button in self.buttons:
            button.set_theme(theme)
