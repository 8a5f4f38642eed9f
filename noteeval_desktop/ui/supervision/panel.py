"""The panel of marks: what is asked, its answers, and the list of places."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.findings.row_list import RowList
from noteeval_desktop.ui.supervision.pages import Line, Page
from noteeval_desktop.ui.supervision.passes import Choice
from noteeval_desktop.ui.widgets.parts import column, grounded, scrolling
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, explain, menu_text
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, UNIT, sized

ARROWS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
_IN_ONE_COLUMN = 5
_SIDE = 2 * UNIT
_MOST_DETAIL, _MOST_WITHOUT_ANSWERS = 26 * UNIT, 52 * UNIT


class Panel(QWidget):
    """``chosen(key)`` for an answer that was clicked; ``went(int)`` for a place that was chosen in the list."""

    chosen = Signal(str)
    went = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pane")
        self.setMinimumWidth(50 * UNIT)  # "M   Misinterpreted: the session says something else"
        self._lines: tuple[Line, ...] = ()
        self._showing = False
        self.question = PlainLabel("", look="heading", wrap=True)
        self.where = PlainLabel("", look="muted", wrap=True)
        self.title = PlainLabel("", wrap=True)
        self.title.setFont(sized(self.font(), UI_SIZE + 2, QFont.Weight.DemiBold))
        self.detail = PlainLabel("", look="muted", wrap=True)
        self.remark = PlainLabel("", wrap=True)
        self.buttons: list[QPushButton] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(2)
        self.list = RowList(tr("Items to mark"))
        self.list.selectionModel().currentChanged.connect(self._on_current)
        column(self._card(), (self.list, 1), on=self, margins=(0,), spacing=0)

    def _card(self) -> QWidget:
        card = QFrame()
        card.setObjectName("pane_head")
        text = grounded(QWidget(), "pane")
        self._words = column(self.where, self.title, self.detail, None, on=text, margins=(0,), spacing=0.5)
        self._scroll = scrolling(text, "review_detail")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column(self.question, self._scroll, self._grid, self.remark, on=card, margins=(2, 1, 2, 1), spacing=0.5)
        return card

    def show_page(self, page: Page) -> None:
        self._tell(page)
        self.question.setText(page.question)
        for label, text in (
            (self.where, page.where),
            (self.title, page.title),
            (self.detail, page.detail),
            (self.remark, page.remark),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        self._show_choices(page.choices)
        self._showing = True
        self._lines = page.lines
        self.list.rows.show_rows(tuple(line.row for line in page.lines))
        current = next((n for n, line in enumerate(page.lines) if line.at == page.at), None)
        if current is not None:
            self.list.setCurrentIndex(self.list.rows.index(current))
            self.list.scrollTo(self.list.currentIndex())
        self._showing = False
        self._fit()

    def _tell(self, page: Page) -> None:
        """The keyboard stays in the list, so that what is asked there, and by which keys it is answered, is said."""
        answers = "; ".join(map(_with_key, page.choices))
        asked = f"{page.question} {answers}".strip()
        if asked != self.list.accessibleDescription():
            self.list.setAccessibleDescription(asked)
            announce(self.list, answers if page.question == self.question.text() else asked)
        if page.remark != self.remark.text():
            announce(self.remark, page.remark)

    def _show_choices(self, choices: tuple[Choice, ...]) -> None:
        while len(self.buttons) < len(choices):
            self.buttons.append(self._button())
        columns = 1 if len(choices) <= _IN_ONE_COLUMN else 2
        at = self.focused()
        for number, answer in enumerate(self.buttons):
            self._grid.removeWidget(answer)
            answer.setVisible(number < len(choices))
            if number < len(choices):
                one = choices[number]
                # Between the two, where it takes hardly more room: behind long words it would be cut off.
                mark = " ✓ " if one.chosen else "   "
                answer.setText(menu_text(f"{one.key}{mark}{one.words}"))
                answer.setAccessibleName(_with_key(one))
                explain(answer, one.words)
                answer.setProperty("key", one.key)
                answer.setCheckable(one.marks)
                answer.setChecked(one.chosen)
                self._grid.addWidget(answer, number // columns, number % columns)
        for before, after in zip((self.list, *self.buttons), self.buttons, strict=False):
            QWidget.setTabOrder(before, after)
        if at is not None and at >= len(choices):
            (self.buttons[len(choices) - 1] if choices else self.list).setFocus()

    def focused(self) -> int | None:
        """The answer that has the focus."""
        return next((n for n, button in enumerate(self.buttons) if button.hasFocus()), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows go from answer to answer; Enter chooses as Space does."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched in self.buttons:
            step = ARROWS.get(Qt.Key(event.key())) if not event.modifiers() else None
            if step is not None:
                shown = [button for button in self.buttons if button.isVisible()]
                at = next(n for n, button in enumerate(shown) if button is watched)
                shown[(at + step) % len(shown)].setFocus(Qt.FocusReason.TabFocusReason)
                return True
        return super().eventFilter(watched, event)

    def _button(self) -> QPushButton:
        """Pressed by its key, and reached by Tab and arrows; a click leaves the focus to the next key."""
        button = QPushButton()
        button.setProperty("look", "answer")
        button.setMinimumHeight(HIT)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.installEventFilter(self)
        button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(button.property("key")))
        return button

    def _on_current(self, index: QModelIndex) -> None:
        at = self._lines[index.row()].at if index.isValid() and index.row() < len(self._lines) else None
        if at is not None and not self._showing:
            self.went.emit(at)

    def _fit(self) -> None:
        """As high as the words, up to a limit: a long sentence scrolls, and the answers stay where they are."""
        self._words.activate()
        wanted = self._words.totalHeightForWidth(max(self.width() - 2 * _SIDE, 20 * UNIT))
        most = _MOST_DETAIL if self.buttons and self.buttons[0].isVisibleTo(self) else _MOST_WITHOUT_ANSWERS
        self._scroll.setFixedHeight(min(max(wanted, 10 * UNIT), most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _with_key(choice: Choice) -> str:
    return tr("{answer}, key {key}").format(answer=choice.words, key=choice.key)
