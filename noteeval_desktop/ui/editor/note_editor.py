"""The note: plain text to write in, with marks that follow it and signs in the margin."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from noteeval_desktop.documents import clean_pasted
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.placeholders import placeholder
from noteeval_desktop.domain.text import Span, normalise
from noteeval_desktop.present.vocabulary import KINDS
from noteeval_desktop.ui.editor import highlights as marks
from noteeval_desktop.ui.editor.heading_look import HeadingLook
from noteeval_desktop.ui.editor.highlights import Highlight
from noteeval_desktop.ui.editor.margin_comments import MarginComments
from noteeval_desktop.ui.editor.text_positions import Positions
from noteeval_desktop.ui.widgets.plain import announce, native, show_tip, tooltip
from noteeval_desktop.ui.widgets.theme import (
    COLUMN_CHARACTERS,
    LINE_HEIGHT_PERCENT,
    READING_SIZE,
    THEME,
    UNIT,
    sized,
    write,
)
from noteeval_desktop.ui.widgets.words import NOTE

MARGIN = 5 * UNIT
_STEP = QTextFormat.Property.UserProperty


class _Margin(QWidget):
    """Draws the sign of each mark beside its first line."""

    def __init__(self, editor: NoteEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._signs: list[tuple[QRect, Highlight]] = []
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Marks in the note"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, font = QPainter(self), self._editor.sign_font
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._signs = self._places()
        for place, mark in self._signs:
            colour = marks.mark_colour(mark.kind, mark.quiet)
            write(painter, QRectF(place), KINDS[mark.kind].sign, font, colour, Qt.AlignmentFlag.AlignCenter)
        painter.setFont(font)
        self._editor.comments.paint(painter)

    def _places(self) -> list[tuple[QRect, Highlight]]:
        editor, taken = self._editor, dict[int, int]()
        places = []
        for highlight, selection in reversed(editor.seen_marks):
            if highlight.words:
                continue
            start = selection.cursor.selectionStart()
            line = editor.cursorRect(marks.passage(editor.document(), start, start))
            if line.bottom() < 0 or line.top() > editor.viewport().height():
                continue
            column = taken.get(line.top(), 0)
            taken[line.top()] = column + 1
            left = self.width() - (column + 1) * editor.sign_width - UNIT // 2
            if left >= -UNIT:
                places.append((QRect(left, line.top(), editor.sign_width, line.height()), highlight))
        return places

    def _sign_at(self, point: QPoint) -> Highlight | None:
        return next((mark for place, mark in self._signs if place.adjusted(-2, -4, 2, 4).contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if (mark := self._sign_at(point)) is not None:
            self._editor.mark_activated.emit(mark.key)
        elif said := self._editor.comments.at(point):
            show_tip(self.mapToGlobal(point), tooltip(said), self._editor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self._sign_at(event.pos())
            said = mark.said if mark else self._editor.comments.at(event.pos())
            show_tip(event.globalPos(), tooltip(said), self._editor)
            return True
        return super().event(event)


class NoteEditor(QTextEdit):
    """Plain-text editing. Positions outside are code-point offsets into ``note_text()``. ``sentence_asked(int)``: where
    a click met no mark. ``step_reached(int)``: the last mark of ``mark_step`` that undo or redo left standing."""

    note_edited = Signal()
    mark_activated = Signal(str)
    sentence_asked = Signal(int)
    step_reached = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptRichText(False)
        self.setAccessibleName(NOTE)
        self.setPlaceholderText(tr("Write or paste the note here."))
        self.setTabChangesFocus(True)
        # A fixed width: margins that change while the editor is resized would leave the text laid out for the old one.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._marks: list[tuple[Highlight, QTextEdit.ExtraSelection]] = []
        self._drawn: Collection[str] = ()
        self._asked = ""
        self._looked_at: list[QTextEdit.ExtraSelection] = []
        self._found: list[QTextEdit.ExtraSelection] = []
        self.comments = MarginComments(self)
        self._raw, self._loading = "", False
        self._step = 0
        self._unchanged: str | None = ""  # the text where the document was last called unmodified
        self._positions = Positions("")
        self._pressed = QPoint()
        self._told = ""
        self._headings = HeadingLook(self.document())
        self._margin, self._grown = _Margin(self), 1.0
        self.set_reading_size(READING_SIZE)
        THEME.changed.connect(self._take_colours)
        self.textChanged.connect(self._on_text_changed)
        self.document().modificationChanged.connect(self._on_modified)
        self.cursorPositionChanged.connect(self._show_cursor)
        self.cursorPositionChanged.connect(self._tell_mark)
        self.verticalScrollBar().valueChanged.connect(self._margin.update)
        self.document().documentLayout().documentSizeChanged.connect(self._margin.update)

    # Text

    def set_note_text(self, text: str) -> None:
        """Replace everything, as when a file is opened: nothing to undo, nothing to save."""
        document = self.document()
        document.setUndoRedoEnabled(False)
        self._loading = True
        self.clear_marks()
        self._headings.show_ranges({})
        self.setPlainText(normalise(text))
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        whole = QTextCursor(document)
        whole.select(QTextCursor.SelectionType.Document)
        whole.setBlockFormat(spacing)
        document.setUndoRedoEnabled(True)
        document.setModified(False)
        self._loading = False
        self._step = self._marked_step()

    def note_text(self) -> str:
        """The note, normalised; the offsets of marks and ``reveal`` point into this."""
        return self._positions_now().text

    def insert_after(self, offset: int, text: str) -> None:
        """Insert ``text`` at an offset as one step to undo; what its writer has still to write is selected."""
        self.replace_passage(Span(offset, offset), text)

    def replace_passage(self, span: Span, text: str) -> None:
        """``text`` in the place of ``span``, as one step to undo, in sight and with the focus here."""
        cursor = self._passage(span)
        start = cursor.selectionStart()
        cursor.beginEditBlock()
        cursor.insertText(text)
        cursor.endEditBlock()
        end = cursor.position()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self._show_looked_at(start, end)
        if (left := placeholder(text)) is not None:
            self.select(Span(span.start + left.start, span.start + left.end))
        self.setFocus()

    def select(self, span: Span) -> None:
        """For what is typed next to take its place."""
        self.setTextCursor(self._passage(span))
        self.ensureCursorVisible()

    def _passage(self, span: Span) -> QTextCursor:
        return marks.passage(self.document(), *self._positions_now().span_to_document(span))

    def _positions_now(self) -> Positions:
        raw = self.document().toRawText()
        if raw != self._raw:
            self._raw, self._positions = raw, Positions(raw)
        return self._positions

    def _on_text_changed(self) -> None:
        before = self._positions.text
        if self._positions_now().text != before and not self._loading:
            self._looked_at = []
            self.note_edited.emit()
        elif self.document().isModified() and self._raw == self._unchanged:
            self.document().setModified(False)
        if not self._loading and (step := self._marked_step()) != self._step:
            self._step = step
            self.step_reached.emit(step)
        self._margin.update()

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.textCursor().insertText(clean_pasted(source.text()))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() and not source.hasUrls()

    # Steps beside the text

    def mark_step(self, number: int) -> int:
        """Something was done beside the text: a step to undo of its own, in order of time, that changes no letter. How
        many steps the stack has with it. In the root frame's format: it outlives every deletion."""
        frame = self.document().rootFrame()
        marked = frame.frameFormat()
        marked.setProperty(_STEP, number)
        frame.setFrameFormat(marked)
        return self.document().availableUndoSteps()

    def forget_steps(self) -> None:
        """Nothing can be undone any more."""
        self.document().clearUndoRedoStacks()
        self._step = self._marked_step()

    def _marked_step(self) -> int:
        return self.document().rootFrame().frameFormat().intProperty(_STEP)

    def _on_modified(self, modified: bool) -> None:
        if not modified:
            self._unchanged = self.document().toRawText()
        elif self._marked_step() == self._step and self.document().toRawText() == self._unchanged:
            self._unchanged = None  # it was called so from outside

    # Marks

    def show_marks(self, shown: tuple[Highlight, ...], drawn: Collection[str] | None = None) -> None:
        """Marks for the text as it stands; the cursor, the scroll position and the undo stack stay as they are.

        ``drawn``: keys of those that are seen, None for all; the others only know where their passage is now.
        """
        self._marks = [
            (mark, marks.marked(self._passage(mark.span), marks.mark_format(mark.kind, mark.quiet))) for mark in shown
        ]
        self._drawn = {mark.key for mark in shown} if drawn is None else drawn
        self._apply()

    @property
    def seen_marks(self) -> list[tuple[Highlight, QTextEdit.ExtraSelection]]:
        return [pair for pair in self._marks if pair[0].key in self._drawn or pair[0].key == self._asked]

    def draw_asked(self, key: str) -> None:
        """The mark of the sentence that was asked about, which is not among those that are seen; "" for none."""
        self._asked = key
        self._apply()

    def clear_marks(self) -> None:
        self._marks, self._looked_at, self._found = [], [], []
        self._apply()

    def show_headings(self, note: Note) -> None:
        """Style the headings of ``note`` when it is the text that stands here; otherwise leave them."""
        if note.text != self.note_text():
            return
        ranges = {}
        for heading in (block.heading for block in note.blocks if block.heading is not None):
            start, end = self._positions_now().span_to_document(heading)
            block = self.document().findBlock(start)
            ranges[block.blockNumber()] = (start - block.position(), end - start)
        self._headings.show_ranges(ranges)

    def reveal(self, span: Span) -> None:
        """Scroll to a passage and tint it; the text cursor goes to its end, nothing is selected."""
        start, end = self._positions_now().span_to_document(span)
        for place in (start, end):
            self.setTextCursor(marks.passage(self.document(), place, place))
            self.ensureCursorVisible()
        self._show_looked_at(start, end)

    def forget_passage(self) -> None:
        self._looked_at = []
        self._apply()

    def show_found(self, spans: tuple[Span, ...]) -> None:
        look = marks.ground("accent", "on_accent")
        self._found = [marks.marked(self._passage(span), look) for span in spans]
        self._apply()

    def marked_spans(self) -> dict[str, Span]:
        """Where each mark stands now, by the finding's key: marks move with the text between checks."""
        positions = self._positions_now()
        return {
            highlight.key: Span(
                positions.to_text(selection.cursor.selectionStart()),
                positions.to_text(selection.cursor.selectionEnd()),
            )
            for highlight, selection in self._marks
            if not highlight.words
        }

    def _show_looked_at(self, start: int, end: int) -> None:
        self._looked_at = [marks.marked(marks.passage(self.document(), start, end), marks.ground("tint"))]
        self._apply()

    def _apply(self) -> None:
        shown = [marks.tinted(own, self._looked_at, highlight) for highlight, own in marks.uppermost(self.seen_marks)]
        self.setExtraSelections(self._looked_at + shown + self.comments.selections() + self._found)
        said, count = self.comments.said, sum(not highlight.words for highlight, _ in self.seen_marks)
        goes = tr("{marks}. {key} goes to the next suggestion.")
        seen = goes.format(marks=counted(count, "mark"), key=native("F8")) if count else ""
        commented = f"{counted(len(said), 'comment')}: {' · '.join(said)}" if said else ""
        self.setAccessibleDescription(" ".join(filter(None, (seen, commented))))
        self._margin.update()

    def _mark_at(self, point: QPoint) -> Highlight | None:
        return self._mark_of(self.cursorForPosition(point).position())

    def _mark_of(self, position: int) -> Highlight | None:
        for highlight, selection in reversed(self.seen_marks):
            cursor = selection.cursor
            if cursor.selectionStart() <= position < cursor.selectionEnd():
                return highlight
        return None

    def _tell_mark(self) -> None:
        """Qt gives extra selections to no screen reader: a mark is said once, when the cursor comes into it."""
        mark = self._mark_of(self.textCursor().position())
        key = mark.key if mark else ""
        if mark is not None and key != self._told and self.hasFocus():
            announce(self, mark.said)
        self._told = key

    # Signs in the margin

    @property
    def sign_font(self) -> QFont:
        """As large beside large text as beside text of the usual size."""
        font = sized(self.font(), round((UNIT + 6) * self._grown), QFont.Weight.Bold)
        font.setFamilies([*self.font().families(), "DejaVu Sans", "Segoe UI Symbol", "Apple Symbols"])
        return font

    @property
    def sign_width(self) -> int:
        return round(2 * UNIT * self._grown)

    @property
    def margin_width(self) -> int:
        return round(MARGIN * self._grown)

    def show_comments(self, comments: Sequence[tuple[Span, str]]) -> None:
        """A reviewer's, each at its words."""
        self.comments.show(comments)
        self._apply()

    # Looks

    def _take_colours(self) -> None:
        self._headings.take_colours()
        self._headings.rehighlight()
        spans = self.marked_spans()
        self._looked_at = []
        moved = tuple(replace(mark, span=spans[mark.key]) for mark, _ in self._marks)
        self.show_marks(moved, self._drawn)

    def set_reading_size(self, pixels: int) -> None:
        self._grown = max(1.0, pixels / READING_SIZE)
        self.comments.width = self.sign_width
        self.document().setDefaultFont(sized(self.font(), pixels))
        self._centre()

    def _centre(self) -> None:
        """Keep lines at 60 to 75 characters, in the middle, with room for the signs on the left."""
        metrics = QFontMetricsF(self.document().defaultFont())
        room = self.width() - self.margin_width - self.verticalScrollBar().sizeHint().width() - UNIT
        column = max(20 * UNIT, min(int(metrics.averageCharWidth() * COLUMN_CHARACTERS), room))
        side = max(0, room - column) // 2
        self.setLineWrapColumnOrWidth(column)
        self.setViewportMargins(self.margin_width + side, UNIT, 0, 0)
        self._margin.setGeometry(side, UNIT, self.margin_width, self.height() - UNIT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._centre()

    # Events

    def _show_cursor(self) -> None:
        """Of who moves it: a note that was just opened shows none of its signs."""
        moved = self.hasFocus() and not self._loading and not self.isReadOnly()
        self._headings.show_cursor(self.textCursor().blockNumber() if moved else -1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A menu goes again, and the text stays where it is.
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._show_cursor()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's: the step before may have been one elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self._mark_at(event.pos())
            show_tip(event.globalPos(), tooltip(mark.said if mark else ""), self)
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        point = event.position().toPoint()
        if event.button() is Qt.MouseButton.LeftButton and (point - self._pressed).manhattanLength() < UNIT:
            mark = self._mark_at(point)
            if self.textCursor().hasSelection():
                return
            if mark is not None:
                self.mark_activated.emit(mark.key)
            else:
                self.sentence_asked.emit(self._positions_now().to_text(self.cursorForPosition(point).position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._looked_at:
            self.forget_passage()
            return
        super().keyPressEvent(event)
