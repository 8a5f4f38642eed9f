"""The Responses tab: asked for before anything is scored; then the caution, the chart along the session, the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import ScoredExchange
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute, ResponseVerdict
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.report.charts import Drawing, key, lines
from noteeval_desktop.ui.findings.row_list import ROW_ROLE, Index, ListPage, RowList, Show
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses.rows import ARS, CSS, TRIAGE, ResponseRow, response_rows, score_words, summary
from noteeval_desktop.ui.widgets.line_chart import LineChart
from noteeval_desktop.ui.widgets.parts import button, column, grounded, row, tool
from noteeval_desktop.ui.widgets.parts import row as side_by_side
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, THEME, UI_SIZE, UNIT, fill, sized, write, zoomed
from noteeval_desktop.ui.widgets.words import RESPONSES, turn_list, turn_number

STEPS = 5
_LINE = 20
_GAP = 2
ORDER = tuple(Attribute)


class ScoreBars(QWidget):
    """The six attributes of one response, one a line, with the word for each score."""

    def __init__(self, verdict: ResponseVerdict) -> None:
        super().__init__()
        self._verdict = verdict
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
        metrics = QFontMetrics(font)
        name_room = metrics.horizontalAdvance(tr("Understanding")) + UNIT
        word_room = metrics.horizontalAdvance(tr("5 very good")) + UNIT
        for place, attribute in enumerate(ORDER):
            top, score = place * _LINE, self._verdict.score(attribute)
            write(painter, QRectF(0, top, name_room, _LINE), ATTRIBUTE_NAMES[attribute], font)
            bar = QRectF(name_room, top + 6, max(40.0, self.width() - name_room - word_room), 8)
            # Five steps, as many filled as the score; low ones are amber and hatched by their emptiness.
            step, low = (bar.width() - (STEPS - 1) * _GAP) / STEPS, score is not None and score < SUBTHRESHOLD
            for number in range(STEPS):
                colour = "line" if score is None or number >= score else "amber" if low else "accent"
                fill(painter, QRectF(bar.left() + number * (step + _GAP), bar.top(), step, bar.height()), colour, 1)
            write(painter, QRectF(bar.right() + UNIT, top, word_room, _LINE), score_words(score), font)


def fill_exchange(layout: QVBoxLayout, row: ResponseRow, exchange: ScoredExchange, show: Show, font: QFont) -> None:
    """``show`` goes to a passage of the session."""
    turns = sorted((*exchange.disclosed, *exchange.turns))
    heading = PlainLabel(tr("Exchange, {turn_list}").format(turn_list=turn_list(turns).lower()))
    heading.setFont(zoomed(font, UI_SIZE + 1, QFont.Weight.DemiBold))
    layout.addWidget(heading)
    followed = PlainLabel(row.detail, wrap=True)
    if exchange.unanswered:
        followed.setStyleSheet(f"color: {THEME.now.amber};")
    layout.addWidget(followed)
    layout.addWidget(PlainLabel(summary(exchange.verdict), look="muted", wrap=True))
    layout.addWidget(ScoreBars(exchange.verdict))
    if row.advised and exchange.verdict.recommendations:
        layout.addWidget(PlainLabel(tr("What could go further"), look="heading"))
        for advice in exchange.verdict.recommendations:
            layout.addWidget(PlainLabel(f"•  {advice}", wrap=True))
    layout.addWidget(PlainLabel(tr("What was said"), look="heading"))
    for citation in row.citations:
        layout.addWidget(_passage(citation, _said_of(citation, exchange), show))
    for notice in dict.fromkeys(notice for answer in exchange.answers for notice in answer.notices):
        layout.addWidget(PlainLabel(notice, look="muted", wrap=True))


def _said_of(citation: Citation, exchange: ScoredExchange) -> str:
    """Which scores rest on it, and why; of the client's turns, that they are the client's."""
    if citation.turn in exchange.disclosed:
        return tr("The client")
    own = [e for answer in exchange.answers if answer.turn == citation.turn for e in answer.evidence]
    said = [
        f"{ATTRIBUTE_NAMES[e.attribute].lower()}: {e.comment or tr('rests on this')}"
        for e in own
        if e.quote and e.span == citation.span
    ]
    return "; ".join([tr("The therapist"), *dict.fromkeys(said)])


def _passage(citation: Citation, said: str, show: Show) -> QWidget:
    line, turn = QWidget(), turn_number(citation.turn)
    go = tool(tr("Show"), lambda: show(citation))
    go.setAccessibleName(tr("Show in the session: {quote}").format(quote=shortened(citation.quote, 60)))
    side_by_side(
        (PlainLabel(f"{turn}  “{shortened(citation.quote, 140)}”\n{said}", wrap=True), 1), go, on=line, margins=(0,)
    )
    return line


LOWEST, HIGHEST = 1, 5
_TALL = 80.0


@dataclass(frozen=True, slots=True)
class Point:
    """A judged response: its turn, and both means (1..5)."""

    turn: int
    css: float
    ars: float
    flagged: bool


def points_of(verdicts: Sequence[ResponseVerdict]) -> tuple[Point, ...]:
    """In the order of the session; a response without both means is not drawn."""
    found = [
        Point(v.turn, v.css, v.ars, "gap" in v.flags)
        for v in verdicts
        if v.turn is not None and v.css is not None and v.ars is not None
    ]
    return tuple(sorted(found, key=lambda point: point.turn))


def described(points: Sequence[Point]) -> str:
    """The chart for those who do not see it."""
    if not points:
        return tr("No response was judged.")
    css, ars = [p.css for p in points], [p.ars for p in points]
    widest = max(points, key=lambda p: abs(p.css - p.ars))
    flagged = sum(p.flagged for p in points)
    return tr(
        "{responses}, turns {first} to {last}. {css} from {css_low:.1f} to {css_high:.1f}, {ars} from {ars_low:.1f} to "
        "{ars_high:.1f}, of 5. The widest gap is {gap:+.1f} at turn {widest}; {turns} {have} a gap that is flagged. "
        "Left and Right go from turn to turn, Enter shows it."
    ).format(
        responses=counted(len(points), "response"),
        first=turn_number(points[0].turn),
        last=turn_number(points[-1].turn),
        css=CSS,
        css_low=min(css),
        css_high=max(css),
        ars=ARS.lower(),
        ars_low=min(ars),
        ars_high=max(ars),
        gap=widest.css - widest.ars,
        widest=turn_number(widest.turn),
        turns=counted(flagged, "turn"),
        have=are(flagged, "has", "have"),
    )


def along(points: Sequence[Point]) -> list[float]:
    """By their turns, so that the chart keeps the session's pace."""
    turns = [point.turn for point in points]
    return [(turn - turns[0]) / (turns[-1] - turns[0]) if turns[-1] > turns[0] else 0.5 for turn in turns]


def drawn(points: Sequence[Point], width: float, height: float) -> Drawing:
    legend, where = key((CSS, ARS), width), along(points)
    css, ars = [_up(point.css) for point in points], [_up(point.ars) for point in points]
    gaps = [gap for gap, point in zip(zip(where, css, ars, strict=True), points, strict=True) if point.flagged]
    ends = [tr("turn {turn}").format(turn=turn_number(point.turn)) for point in (*points[:1], *points[1:][-1:])]
    shown = lines(
        [[*zip(where, css, strict=True)], [*zip(where, ars, strict=True)]],
        {str(value): _up(value) for value in (LOWEST, SUBTHRESHOLD, HIGHEST)},
        ends,
        width,
        height - legend.height,
        legend.height,
        _up(SUBTHRESHOLD),
        gaps,
    )
    return Drawing(width, height, (*legend.shapes, *shown.shapes))


def _up(value: float) -> float:
    return (value - LOWEST) / (HIGHEST - LOWEST)


class SessionChart(LineChart):
    """``turn_chosen(int)`` when a turn is clicked, or Enter is pressed on it."""

    turn_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Cognitive support and affective resonance along the session"), _TALL, _TALL)
        self.points: tuple[Point, ...] = ()
        self.chosen.connect(lambda number: self.turn_chosen.emit(self.points[number].turn))

    def show_verdicts(self, verdicts: Sequence[ResponseVerdict]) -> None:
        self.points, at = points_of(verdicts), self.at
        self.show_points(along(self.points), partial(drawn, self.points), self._said_of, described(self.points))
        self.at = min(at, len(self.points) - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.points and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.at)

    def _said_of(self, number: int) -> str:
        point = self.points[number]
        css, ars = f"{CSS.lower()} {point.css:.1f}", f"{ARS.lower()} {point.ars:.1f}"
        return tr("Turn {turn}: {css}, {ars}, gap {gap:+.1f}").format(
            turn=turn_number(point.turn), css=css, ars=ars, gap=point.css - point.ars
        )


class ResponsesPage(ListPage):
    """``read_asked``: the responses of this session are to be scored; ``compare_asked`` opens the window for pairs of
    a message and its responses."""

    read_asked = Signal()
    compare_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        grounded(self, "pane")
        self.listed = RowList(RESPONSES)
        self.chart = SessionChart()
        self.chart.turn_chosen.connect(self.choose_turn)
        self.listed.selectionModel().currentChanged.connect(lambda index, _: self._mark(index))
        self.addWidget(self._offer())
        self.addWidget(self._list())

    def _offer(self) -> QWidget:
        offer = QWidget()
        self.offered = PlainLabel("", wrap=True)
        self.read = button(tr("Look at the responses"), self.read_asked.emit, "primary", height=HIT)
        buttons = row(self.read, self._compare(), None)
        column(self.offered, buttons, None, on=offer, margins=(4,), spacing=2)
        return offer

    def _list(self) -> QWidget:
        page = QWidget()
        head = row((PlainLabel(TRIAGE, look="muted", wrap=True), 1), self._compare(), margins=(2, 0.5, 1, 0.5))
        column(head, self.chart, (self.listed, 1), on=page, margins=(0,), spacing=0)
        return page

    def _compare(self) -> QPushButton:
        compare = button(tr("Compare…"), self.compare_asked.emit, height=HIT)
        compare.setToolTip(tr("Score and compare any responses to a message"))
        return compare

    def rows_of(self, evaluation: Evaluation) -> tuple[Row, ...]:
        return response_rows(evaluation)

    def fill_card(self, layout: QVBoxLayout, row: Row, show: Show, font: QFont) -> bool:
        if not isinstance(row, ResponseRow) or row.exchange is None:
            return False
        fill_exchange(layout, row, row.exchange, show, font)
        return True

    def show_evaluation(self, evaluation: Evaluation | None) -> None:
        reading = evaluation.reading if evaluation else None
        self.chart.show_verdicts([exchange.verdict for exchange in reading.exchanges] if reading else ())
        self.setCurrentIndex(int(reading is not None))
        asked = evaluation is not None and evaluation.responses is not None
        self.offered.setText(
            tr("No therapist response in this session could be scored.")
            if asked
            else tr(
                "How did the therapist respond when the client opened up? This looks at the session, not at the "
                "note, so it is scored only if you ask. It stays on this screen and out of the note's PDF "
                "unless you add it there."
            )
        )
        self.read.setVisible(not asked)
        self.read.setEnabled(evaluation is not None)

    def choose_turn(self, turn: int) -> bool:
        """Choose the exchange's row, which shows its card and its turns."""
        for number, listed in reversed(list(enumerate(self.listed.rows.rows))):
            if isinstance(listed, ResponseRow) and listed.exchange and turn in listed.exchange.turns:
                index = self.listed.rows.index(number)
                self.listed.setCurrentIndex(index)
                self.listed.scrollTo(index)
                return True
        return False

    def _mark(self, index: Index) -> None:
        row = index.data(ROW_ROLE)
        turn = row.verdict.turn if isinstance(row, ResponseRow) and row.verdict else None
        self.chart.at = next((n for n, point in enumerate(self.chart.points) if point.turn == turn), -1)
        self.chart.update()
