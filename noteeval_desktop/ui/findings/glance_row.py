"""The glance row: the scores as plain statements, each with a small bar and what changed; a click explains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy

from noteeval_desktop.domain.evaluation import DimensionScore, FaithfulnessScore, Scores
from noteeval_desktop.domain.findings import OpenRisk
from noteeval_desktop.domain.phrases import are, counted, listed, percent, tr
from noteeval_desktop.present.risks import open_risk_said
from noteeval_desktop.present.scores import covered, figure, needed, supported
from noteeval_desktop.present.vocabulary import NOT_NEEDED
from noteeval_desktop.ui.widgets.parts import Fitted, column, grounded, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, UI_SIZE, UNIT, colour_of, paint_share, sized, zoomed


@dataclass(frozen=True, slots=True)
class Glance:
    """One statement: its words, the bar's share (0..1, None: no bar), the change, what a click says."""

    words: str
    share: float | None = None
    change: str = ""
    explanation: str = ""
    warning: bool = False


def glances(
    scores: Scores, before: Scores | None, risk: OpenRisk, answered: Mapping[str, int], advised: int, needs: str = ""
) -> tuple[Glance, ...]:
    """``answered``: what became of the mentions of risk that are not open, and of how many. ``advised``: as many
    sentences are suggested to be left out; ``needs`` as ``needs_said`` has it."""
    c, n, f = scores.completeness, scores.conciseness, scores.faithfulness
    then = before or scores
    cut = (100 * x if (x := then.conciseness.note) is not None else None, 100 * n.note if n.note is not None else None)
    return (
        Glance(
            covered(c),
            c.note,
            _change(then.completeness.done, c.done),
            _since(then.completeness.done, c.done) + explain_completeness(c),
        ),
        Glance(needed(n), n.note, _change(*cut), f"{explain_conciseness(n, advised)} {needs}".rstrip()),
        Glance(
            supported(f),
            f.note,
            _change(then.faithfulness.done, f.done),
            _since(then.faithfulness.done, f.done) + explain_faithfulness(f),
        ),
        Glance(_risk(risk, answered), explanation=_explain_risk(risk, answered), warning=bool(open_risk_said(risk))),
    )


def _risk(risk: OpenRisk, answered: Mapping[str, int]) -> str:
    if said := open_risk_said(risk):
        return said
    if risk.missing is None:
        return tr("Risk: not checked")
    if risk.possible:
        return tr("Possible risk: {count}").format(count=risk.possible)
    if not answered:
        return tr("No missing risk found")
    # Of several answers all in one, or the row would be wider than a small screen.
    how = next(iter(answered)) if len(answered) == 1 else tr("addressed or dismissed")
    return tr("Risk: {count} {how}").format(count=sum(answered.values()), how=how)


def _change(before: float | None, after: float | None) -> str:
    """``▲3``, ``▼1``, or nothing when equal or unknown."""
    if before is None or after is None or round(before) == round(after):
        return ""
    return f"{'▲' if after > before else '▼'}{abs(round(after) - round(before))}"


def _since(before: int, now: int) -> str:
    """What a count was when the case was opened; empty where it has not changed."""
    changed = tr("{before} → {now} since the case was opened. ").format(before=before, now=now)
    return changed if before != now else ""


def explain_completeness(score: DimensionScore) -> str:
    said = tr(
        "How much of the checklist is in the note: items covered, out of the {total} that belong to the four sections. "
        "The general items (safety, culture, wording) are shown beside the number, not in it."
    ).format(total=score.total)
    return said + _counted_as(score, tr("not covered"))


def explain_conciseness(score: DimensionScore, advised: int) -> str:
    """``advised``: as many are suggested to be left out."""
    others = score.total - score.done - score.unjudged
    cut = tr(" Of the other {others}, {advised} may be cut. Keep what is about risk, treatment or the plan.")
    said = tr(
        "How many sentences earn their place: those that match at least one checklist item of their section ({done}), "
        "out of all {total}.{cut} A sentence marked as not needed is only a suggestion."
    ).format(done=score.done, total=score.total, cut=cut.format(others=others, advised=advised) if others else "")
    return said + _counted_as(score, NOT_NEEDED)


def _counted_as(score: DimensionScore, what: str) -> str:
    if not score.unjudged:
        return ""
    said = tr(" {count} could not be checked and {counts} as {what}.")
    return said.format(count=score.unjudged, counts=are(score.unjudged, "counts", "count"), what=what)


def explain_faithfulness(score: FaithfulnessScore) -> str:
    parts = [tr("How many statements the session supports: {figure}.").format(figure=figure(score))]
    if score.barely:
        barely = tr("{statements} the session may support: please check.")
        parts.append(barely.format(statements=counted(score.barely, "statement")))
    parts.append(
        tr(
            "{contradicted} {contradict} the session, {unsupported} {are_unsupported} not found in it. {observed} can "
            "only be known by someone in the room and {are_observed} counted separately."
        ).format(
            contradicted=score.contradicted,
            contradict=are(score.contradicted, "contradicts", "contradict"),
            unsupported=score.unsupported,
            are_unsupported=are(score.unsupported),
            observed=score.observed,
            are_observed=are(score.observed),
        )
    )
    if score.published_definition is not None:
        published = tr("The published definition counts them as errors: {share}.")
        parts.append(published.format(share=percent(score.published_definition)))
    if score.unjudged:
        parts.append(tr("{count} could not be checked and are not counted.").format(count=score.unjudged))
    return " ".join(parts)


def _explain_risk(risk: OpenRisk, answered: Mapping[str, int]) -> str:
    if risk.missing is None:
        return tr("Mentions of risk in the session that the note leaves out. Not checked.")
    found = []
    if risk.missing:
        found.append(tr("{count} found.").format(count=risk.missing))
    elif not answered and not risk.possible:
        found.append(tr("None found."))
    if risk.possible:
        possible = tr("{passages} may be about risk: read {them}.")
        passages, them = counted(risk.possible, "passage"), are(risk.possible, "it", "them")
        found.append(possible.format(passages=passages, them=them))
    if answered:
        how = listed(f"{number} {said}" for said, number in answered.items())
        found.append(tr("Answered: {how}.").format(how=how))
    if risk.wrong:
        wrong = tr("The session does not support {statements} about risk in the note.")
        found.append(wrong.format(statements=counted(len(risk.wrong), "statement")))
    return tr(
        "Statements about suicide, self-harm, violence or safety in the session that the note does not mention. "
        "{found} The check can miss things; it does not replace your own reading."
    ).format(found=" ".join(found))


_NEARLY = 0.85


class GlanceButton(QAbstractButton):
    """Paints one statement; a click opens its explanation."""

    def __init__(self, name: str) -> None:
        super().__init__()
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
        glance, painter = self._glance, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        if self.underMouse() or self.hasFocus():
            painter.setPen(colour_of("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colour_of("hover") if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, 6, 6)
        inside = area.adjusted(12, 4, -12, -4)
        self._paint_words(painter, inside)
        if glance.share is not None:
            paint_share(painter, QRectF(inside.left(), inside.bottom() - 7, inside.width(), 5), glance.share)

    def _paint_words(self, painter: QPainter, area: QRectF) -> None:
        glance = self._glance
        # In one size: what is set smaller seems to matter less.
        row = self.parent()
        beside = row.findChildren(GlanceButton) if row is not None else [self]
        words = self.words
        font = min((one.font_for(one.width() - 4 * UNIT) for one in beside), key=QFont.pixelSize)
        painter.setFont(font)
        painter.setPen(colour_of("red" if glance.warning else "text"))
        lines = area if glance.share is None else area.adjusted(0, 0, 0, -10)
        where = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if self._lines > 1:
            painter.drawText(lines, where | Qt.TextFlag.TextWordWrap, words)
        else:
            shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, int(lines.width()))
            painter.drawText(lines, where, shown)
            lines = lines.adjusted(QFontMetrics(font).horizontalAdvance(words + "  "), 0, 0, 0)
        if glance.change:
            at_end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.setFont(zoomed(self.font(), SMALL_SIZE))
            painter.setPen(colour_of("accent"))
            painter.drawText(lines, at_end if self._lines > 1 else where, glance.change)

    def _explain(self) -> None:
        popup = QFrame(self, Qt.WindowType.Popup)
        popup.setObjectName("explanation")
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = PlainLabel(self._glance.words)
        # A window of its own takes the program's letters.
        heading.setFont(zoomed(self.font(), UI_SIZE, QFont.Weight.DemiBold))
        label = PlainLabel(self._glance.explanation, wrap=True)
        label.setFont(self.font())
        label.setFixedWidth(45 * UNIT * max(self.font().pixelSize(), UI_SIZE) // UI_SIZE)
        column(heading, label, on=popup, margins=(2,))
        popup.adjustSize()
        below, screen = self.mapToGlobal(QPoint(0, self.height())), self.screen().availableGeometry()
        right, lowest = screen.right() - popup.width() - UNIT, screen.bottom() - popup.height() - UNIT
        popup.move(max(screen.left(), min(below.x(), right)), max(screen.top(), min(below.y(), lowest)))
        popup.show()


class GlanceRow(Fitted):
    """Completeness, conciseness, faithfulness, risk."""

    NAMES = ("completeness", "conciseness", "faithfulness", "risk")

    def __init__(self) -> None:
        super().__init__()
        grounded(self, "glance_row")
        self.buttons = tuple(GlanceButton(f"glance_{name}") for name in self.NAMES)
        row(*((button, 1) for button in self.buttons), on=self, margins=(1, 0, 1, 0), spacing=1)

    def show_glances(self, shown: tuple[Glance, ...]) -> None:
        for button, glance in zip(self.buttons, shown, strict=True):
            button.show_glance(glance)
        self.fit()

    def fit(self) -> None:
        """Two lines rather than small letters beside a reader's large ones."""
        room = (self.width() - UNIT * (len(self.buttons) + 1)) / len(self.buttons) - 4 * UNIT
        one = all(button.fits_one_line(room) for button in self.buttons)
        for button in self.buttons:
            button.set_lines(1 if one else 2)
