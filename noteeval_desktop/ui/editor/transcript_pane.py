"""The session: speakers told apart, times, the cited turn marked and scrolled into view, search."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from noteeval_desktop.documents import role_by_label
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import PARTS, Citation, Role, Transcript, Turn
from noteeval_desktop.ui.editor.highlights import ground
from noteeval_desktop.ui.editor.search_bar import SearchBar, places
from noteeval_desktop.ui.editor.speakers_strip import MOST_CHIPS, PART_NAMES, SpeakersStrip
from noteeval_desktop.ui.editor.text_positions import utf16_ranges
from noteeval_desktop.ui.widgets.parts import Fitted, column, grounded, row, tool
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, READING_SIZE, SMALL_SIZE, UNIT, colour_of, sized, write
from noteeval_desktop.ui.widgets.words import SESSION, turn_number

_MAY_BE = tuple(part for part, role in PARTS.items() if role is Role.CLIENT)


class WhoIsWho(QFrame):
    """One question at a time, which nobody has to answer. ``part_chosen(speaker, part)``, of PARTS."""

    part_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("who_is_who")
        self._open: list[str] = []
        self._asked = PlainLabel("", wrap=True)
        below = QGridLayout()
        close = tool("✕", self.hide)
        close.setMinimumWidth(HIT)
        close.setAccessibleName(tr("Close the question"))
        below.setSpacing(UNIT // 2)
        self.buttons: dict[str, QToolButton] = {}
        # Two in a row, so that none is cut in a narrow pane.
        for number, part in enumerate(_MAY_BE):
            self.buttons[part] = button = tool(PART_NAMES[part], partial(self._choose, part), "chip")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            below.addWidget(button, *divmod(number, 2))
        column(row((self._asked, 1), close), below, on=self, margins=(2, 0, 1, 0.5), spacing=0)
        self.hide()

    @property
    def text(self) -> str:
        return self._asked.text() if not self.isHidden() else ""

    def _choose(self, part: str) -> None:
        self.part_chosen.emit(self._open[0], part)

    def ask(self, transcript: Transcript) -> None:
        self._open = _in_question(transcript)
        self._show()

    def answered(self, speaker: str) -> None:
        self._open = [one for one in self._open if one != speaker]
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._open))
        if self._open:
            self._asked.setText(tr("Who is {speaker}? The roles were guessed.").format(speaker=self._open[0]))
            for part, button in self.buttons.items():
                button.setAccessibleName(f"{self._open[0]}: {PART_NAMES[part]}")


def _in_question(transcript: Transcript) -> list[str]:
    """Not who says most beside the therapist, nor members of a group, nor whose label tells it."""
    clients = [speaker for speaker in transcript.speakers if transcript.part_of(speaker) == Role.CLIENT]
    if not transcript.roles_guessed or not 1 < len(clients) < MOST_CHIPS:
        return []
    said = {speaker: 0 for speaker in clients}
    for turn in transcript.turns:
        if turn.speaker in said:
            said[turn.speaker] += len(turn.text.split())
    most = max(clients, key=said.__getitem__)
    return [speaker for speaker in clients if speaker != most and role_by_label(speaker) is Role.OTHER]


TURN_ROLE = Qt.ItemDataRole.UserRole
CITED_ROLE = Qt.ItemDataRole.UserRole + 1
FOUND_ROLE = Qt.ItemDataRole.UserRole + 2
Index = QModelIndex | QPersistentModelIndex
_PAD = UNIT
_LEADING = 1.15
_COLOURS = {Role.THERAPIST: "accent", Role.CLIENT: "text"}


class TurnModel(QAbstractListModel):
    """One row a turn; TURN_ROLE gives the Turn, CITED_ROLE the cited spans, FOUND_ROLE what a search found."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns: tuple[Turn, ...] = ()
        self._cited: dict[int, tuple[Span, ...]] = {}
        self._found: dict[int, tuple[Span, ...]] = {}

    def show_turns(self, turns: tuple[Turn, ...]) -> None:
        if len(turns) == len(self._turns):
            self._turns = turns
            if turns:
                self.dataChanged.emit(self.index(0), self.index(len(turns) - 1))
            return
        self.beginResetModel()
        self._turns, self._cited, self._found = turns, {}, {}
        self.endResetModel()

    def show_citations(self, citations: tuple[Citation, ...]) -> None:
        before, self._cited = self._cited, _by_turn([(c.turn, c.span) for c in citations])
        self._repaint(before.keys() | self._cited.keys())

    def show_found(self, found: tuple[tuple[int, Span], ...]) -> None:
        before, self._found = self._found, _by_turn(list(found))
        self._repaint(before.keys() | self._found.keys())

    def cited_turns(self) -> tuple[int, ...]:
        return tuple(self._cited)

    def _repaint(self, rows: set[int]) -> None:
        for number in rows:
            if number < len(self._turns):
                self.dataChanged.emit(self.index(number), self.index(number), [CITED_ROLE, FOUND_ROLE])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._turns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        turn = self._turns[index.row()]
        if role == TURN_ROLE:
            return turn
        if role == CITED_ROLE:
            return self._cited.get(turn.index, ())
        if role == FOUND_ROLE:
            return self._found.get(turn.index, ())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            cited = tr(", cited") if turn.index in self._cited else ""
            return f"{turn_number(turn.index)}, {turn.speaker}{cited}: {turn.text}"
        return None


def _by_turn(pairs: list[tuple[int, Span]]) -> dict[int, tuple[Span, ...]]:
    grouped: dict[int, tuple[Span, ...]] = {}
    for turn, span in pairs:
        grouped[turn] = (*grouped.get(turn, ()), span)
    return grouped


class TurnDelegate(QStyledItemDelegate):
    """Paints a turn. Heights are kept by text, width and size, because a list asks for all of them."""

    def __init__(self, reading_size: int, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._size = reading_size - 1
        self._heights: dict[tuple[str, int, int], int] = {}
        self._guesses: dict[str, int] = {}

    def set_reading_size(self, pixels: int) -> None:
        self._size = pixels - 1
        self.forget()

    def forget(self) -> None:
        """The heights of texts."""
        self._heights.clear()
        self._guesses.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        turn = index.data(TURN_ROLE)
        width = self._view.viewport().width()
        known = self._heights.get((turn.text, width, self._size))
        if known is not None:
            return QSize(width, known)
        # Until it has been measured: its height at another width, or from its length.
        if turn.text not in self._guesses:
            font, metrics = option.font, QFontMetrics(sized(option.font, self._size))
            lines = 1 + len(turn.text) * metrics.averageCharWidth() / max(40.0, self._text_width(width, font))
            self._guesses[turn.text] = int(lines * metrics.height() * _LEADING) + self._head_height(font) + 2 * _PAD
        return QSize(width, self._guesses[turn.text])

    def measure(self, turns: Iterable[Turn], font: QFont, seconds: float) -> bool:
        """Measure turns that have not been, for so long at most; True when every one is known.

        A three-hour session takes a third of a second to measure, which nobody may have to wait for.
        """
        width, until = self._view.viewport().width(), time.monotonic() + seconds
        for turn in turns:
            key = (turn.text, width, self._size)
            if key not in self._heights:
                layout = self._layout(turn.text, font, self._text_width(width, font))
                height = int(layout.boundingRect().height()) + self._head_height(font) + 2 * _PAD
                self._heights[key] = self._guesses[turn.text] = height
                if time.monotonic() > until:
                    return False
        return True

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        turn = index.data(TURN_ROLE)
        cited: tuple[Span, ...] = index.data(CITED_ROLE)
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = option.state
        if state & QStyle.StateFlag.State_Selected and not cited:
            painter.fillRect(area, colour_of("hover"))
        if cited:
            painter.fillRect(QRectF(area.left(), area.top() + 2, 4, area.height() - 4), colour_of("accent"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colour_of("accent"))
            painter.drawRoundedRect(area.adjusted(5.5, 0.5, -1.5, -1.5), 4, 4)
        self._paint_head(painter, area, turn, option.font)
        left = area.left() + self._gutter(option.font)
        layout = self._layout(turn.text, option.font, self._text_width(int(area.width()), option.font))
        painter.setPen(colour_of("text"))
        layout.draw(
            painter, QPointF(left, area.top() + _PAD + self._head_height(option.font)), self._tints(turn, index)
        )
        painter.restore()

    def _tints(self, turn: Turn, index: Index) -> list[QTextLayout.FormatRange]:
        ranges = []
        for role, look in ((CITED_ROLE, ground("tint")), (FOUND_ROLE, ground("accent", "on_accent"))):
            for start, length in utf16_ranges(turn.text, index.data(role)):
                piece = QTextLayout.FormatRange()
                piece.start, piece.length, piece.format = start, length, look
                ranges.append(piece)
        return ranges

    def _paint_head(self, painter: QPainter, area: QRectF, turn: Turn, font: QFont) -> None:
        gutter, small = self._gutter(font), self._small(font, SMALL_SIZE - 1)
        line = QRectF(area.left(), area.top() + _PAD, area.width() - UNIT, self._head_height(font) - 2)
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        number = QRectF(line.left() + UNIT, line.top(), gutter - 2 * UNIT, line.height())
        write(painter, number, turn_number(turn.index), small, "muted", right)
        # Hours only where there are any.
        time = "" if turn.time is None else turn.time.removeprefix("00:")
        write(painter, line.adjusted(0, 0, -UNIT, 0), time, small, "muted", right)
        name = self._small(font, SMALL_SIZE, QFont.Weight.DemiBold)
        room = int(line.width() - gutter - QFontMetrics(small).horizontalAdvance(time) - 2 * UNIT)
        speaker = QFontMetrics(name).elidedText(turn.speaker, Qt.TextElideMode.ElideRight, room)
        write(painter, line.adjusted(gutter, 0, 0, 0), speaker, name, _COLOURS.get(turn.role, "muted"))

    def _layout(self, text: str, font: QFont, width: float) -> QTextLayout:
        layout = QTextLayout(text.replace("\n", "\u2028"), sized(font, self._size))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(40.0, width))
            line.setPosition(QPointF(0, top))
            top += line.height() * _LEADING
        layout.endLayout()
        return layout

    def _gutter(self, font: QFont) -> int:
        return QFontMetrics(self._small(font, SMALL_SIZE - 1)).horizontalAdvance("0000") + 2 * UNIT

    def _head_height(self, font: QFont) -> int:
        return QFontMetrics(self._small(font, SMALL_SIZE)).height() + 4

    def _small(self, font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """In proportion where the reader enlarged the text."""
        return sized(font, max(pixels, round(pixels * (self._size + 1) / READING_SIZE)), weight)

    def _text_width(self, width: int, font: QFont) -> float:
        return width - self._gutter(font) - 2 * UNIT


MEASURE_SECONDS = 0.012


class _TurnList(QListView):
    """``resizing`` comes before its rows move."""

    resizing = Signal()
    copy_asked = Signal()

    def __init__(self, turns: TurnModel) -> None:
        super().__init__()
        self.setModel(turns)
        self.setAccessibleName(tr("Session transcript"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.verticalScrollBar().setSingleStep(3 * UNIT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self.resizing.emit()
        super().resizeEvent(event)


class TranscriptPane(Fitted):
    """Shows a transcript; ``transcript_changed`` carries the transcript with the change made."""

    transcript_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pane")
        self.setMinimumWidth(25 * UNIT)
        self._transcript = Transcript(())
        self._found: list[tuple[int, Span]] = []
        self._at = -1
        # The row that keeps its place while heights are measured, and its top in pixels (None: to be centred).
        self._kept: tuple[int, int | None] | None = None
        self.model = TurnModel(self)
        self.view = _TurnList(self.model)
        self.view.copy_asked.connect(self.copy_selected)
        self.view.resizing.connect(self._measure_anew)
        self.delegate = TurnDelegate(READING_SIZE, self.view)
        self.view.setItemDelegate(self.delegate)
        self._measuring = QTimer(self, interval=0)
        self._measuring.timeout.connect(self._measure)
        self.strip = SpeakersStrip()
        self.who_is_who = WhoIsWho()
        for asked in (self.strip, self.who_is_who):
            asked.part_chosen.connect(self._give_part)
        self.strip.renamed.connect(lambda old, new: self.change(self._transcript.with_speaker_renamed(old, new)))
        self.search = SearchBar(tr("Search the session"))
        self.search.search_changed.connect(self._search)
        self.search.step_asked.connect(self._step)
        self.search.closed.connect(self.view.setFocus)
        head = grounded(QWidget(), "pane_head")
        head.setMinimumHeight(HIT + 2 * UNIT)
        self._title = PlainLabel(SESSION, look="heading")
        row(self._title, (self.strip, 1), on=head, margins=(2, 0.5, 1, 0.5))
        column(head, self.who_is_who, self.search, (self.view, 1), on=self, margins=(0,), spacing=0)

    def fit(self) -> None:
        """In a narrow pane who is who needs the room more than the title does; a couple or a family shares a button."""
        shared = self.strip.isHidden() or len(self._transcript.speakers) > 2
        self._title.setVisible(shared or self.width() >= 34 * UNIT)

    # Content

    def show_transcript(self, transcript: Transcript) -> None:
        same_turns = [turn.text for turn in transcript.turns] == [turn.text for turn in self._transcript.turns]
        scrolled = self.view.verticalScrollBar().value()
        self._transcript = transcript
        self.model.show_turns(transcript.turns)
        self.strip.show_speakers(transcript)
        before: QWidget = self.view
        for chip in (chip for chip in self.strip.findChildren(QToolButton) if not chip.isHidden()):
            self.setTabOrder(before, chip)
            before = chip
        self._kept = None
        self._measuring.start()
        if same_turns:
            self.view.verticalScrollBar().setValue(scrolled)
        else:
            self.who_is_who.ask(transcript)
            self.start_over()
            self.fit()

    def start_over(self) -> None:
        """At the top, without the marks of another note or another session."""
        self._kept = None
        self.show_citations(())
        self.search.close_search()
        self.view.selectionModel().clear()
        self.view.scrollToTop()

    def clear(self) -> None:
        self.search.close_search()
        self._found = []
        self.show_transcript(Transcript(()))
        self.delegate.forget()

    def _give_part(self, speaker: str, part: str) -> None:
        self.who_is_who.answered(speaker)
        self.change(replace(self._transcript.with_part(speaker, part), roles_guessed=False))

    def change(self, transcript: Transcript) -> None:
        """Who is who was said anew."""
        self.show_transcript(transcript)
        self.transcript_changed.emit(transcript)

    def show_citations(self, citations: tuple[Citation, ...], scroll: bool = True) -> None:
        """Mark cited turns and passages; scroll to the first."""
        self.model.show_citations(citations)
        if citations and scroll:
            self.scroll_to(citations[0].turn)

    def scroll_to(self, turn: int) -> None:
        index = self.model.index(turn)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            if self._measuring.isActive():
                self._kept = (turn, None)

    # Search and copying

    def _search(self, sought: str) -> None:
        self._found = [(turn.index, span) for turn in self._transcript.turns for span in places(turn.text, sought)]
        self.model.show_found(tuple(self._found))
        self._at = -1
        if self._found:
            self._step(1)
        else:
            self.search.show_count(0, 0)

    def _step(self, step: int) -> None:
        if self._found:
            self._at = (self._at + step) % len(self._found)
            self.scroll_to(self._found[self._at][0])
            self.search.show_count(self._at, len(self._found))

    def copy_selected(self) -> None:
        rows = sorted(index.row() for index in self.view.selectedIndexes())
        turns = [self._transcript.turns[row] for row in rows]
        QGuiApplication.clipboard().setText("\n".join(f"{turn.speaker}: {turn.text}" for turn in turns))

    # Looks

    def set_reading_size(self, pixels: int) -> None:
        self.delegate.set_reading_size(pixels)
        self._measure_anew()

    def _measure_anew(self) -> None:
        if not self._measuring.isActive():
            self._kept = self._looked_at()
            self._measuring.start()

    def _looked_at(self) -> tuple[int, int | None] | None:
        view = self.view
        index = view.currentIndex()
        if not index.isValid() or not view.viewport().rect().intersects(view.visualRect(index)):
            index = view.indexAt(QPoint(2 * UNIT, 2 * UNIT))
        return (index.row(), view.visualRect(index).top()) if index.isValid() else None

    def _measure(self) -> None:
        """A little at a time; then the list is laid out, and the turn that was looked at stays where it was."""
        if not self.delegate.measure(self._transcript.turns, self.view.font(), MEASURE_SECONDS):
            return
        self._measuring.stop()
        kept, self._kept = self._kept or self._looked_at(), None
        self.view.doItemsLayout()
        if kept is None:
            return
        turn, top = kept
        if top is None:
            self.scroll_to(turn)
        else:
            bar = self.view.verticalScrollBar()
            bar.setValue(bar.value() + self.view.visualRect(self.model.index(turn)).top() - top)
