"""The findings pane: tabs, filters with a legend, and the card of the row that is chosen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.report.content import GLYPHS, FindingKind
from noteeval_desktop.ui.findings import TABS, rows
from noteeval_desktop.ui.findings.card import FindingCard
from noteeval_desktop.ui.findings.finding import KIND_NAMES, Finding
from noteeval_desktop.ui.findings.left_out import left_out_rows
from noteeval_desktop.ui.findings.risk import ledger, risk_rows, with_safety_said
from noteeval_desktop.ui.findings.row_list import ROW_ROLE, RowList
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses.page import ResponsesPage
from noteeval_desktop.ui.responses.rows import response_rows
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, SMALL_SIZE, UNIT, Theme, sized

_LEFT_OUT = TABS.index("Left out")
_EMPTY = (
    "What the note should cover appears here once it has been checked.",
    "The note's sentences appear here once they have been checked.",
    "Claims appear here once the note has been checked against the session.",
    "What the note leaves out appears here once it has been checked.",
    "The therapist's responses appear here once they have been checked.",
    "The scores appear here once the note has been checked.",
)
_NOTHING_LEFT_OUT = "Nothing was found that the note leaves out."
_LEAST = {"All": Severity.NONE, "All but minor": Severity.MEDIUM, "Important only": Severity.HIGH}


class FindingsPane(QWidget):
    """``row_chosen(Row)`` when the reader picks a row; the card's signals are on ``card``."""

    row_chosen = Signal(object)
    filters_changed = Signal()

    def __init__(self, theme: Theme, rubric: Rubric, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self._rubric = rubric
        self._evaluation: Evaluation | None = None
        self._hidden: dict[str, str] = {}
        self._findings: dict[str, Finding] = {}
        self._showing = False
        self.shown_kinds = frozenset(FindingKind)
        self.least = Severity.NONE
        self.lists = tuple(RowList(theme, name) for name in TABS)
        self.responses = ResponsesPage(theme, self.lists[TABS.index("Responses")])
        self._empty: list[PlainLabel] = []
        self._pages = tuple(self._page(number) for number in range(len(TABS)))
        self.tabs = self._tab_bar()
        self._stack = QStackedWidget()
        for page in self._pages:
            self._stack.addWidget(page)
        self.card = FindingCard(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head())
        self.setMinimumWidth(46 * UNIT)
        # The highest of the pages would decide how small the window can be made.
        self._stack.setMinimumHeight(10 * UNIT)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.card)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.card.fit()

    @property
    def comfortable_width(self) -> int:
        """In which every tab is in sight; narrower, the tabs scroll."""
        return self.tabs.sizeHint().width() + self._filter.sizeHint().width() + UNIT

    def _tab_bar(self) -> QTabBar:
        bar = QTabBar()
        bar.setExpanding(False)
        bar.setDrawBase(False)
        bar.setUsesScrollButtons(True)
        bar.setElideMode(Qt.TextElideMode.ElideNone)
        bar.setFont(sized(self.font(), SMALL_SIZE))
        bar.setAccessibleName("Kinds of findings")
        for number, name in enumerate(TABS, 1):
            bar.addTab(name)
            bar.setTabToolTip(number - 1, f"{name} (Ctrl+{number})")
        bar.currentChanged.connect(self._on_tab)
        return bar

    def _head(self) -> QWidget:
        head = QWidget()
        head.setObjectName("pane_head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setMinimumHeight(HIT + 2 * UNIT)
        row = QHBoxLayout(head)
        row.setContentsMargins(UNIT // 2, UNIT // 2, UNIT // 2, 0)
        row.setSpacing(0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        self._filter = self._filter_button()
        row.addWidget(self._filter)
        return head

    def _filter_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("▽")
        button.setMinimumSize(HIT, HIT)
        button.setToolTip("Filter the findings, and see what the signs mean")
        button.setAccessibleName("Filter and legend")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.addSection("Show")
        for kind in FindingKind:
            action = menu.addAction(f"{GLYPHS[kind]}   {KIND_NAMES[kind]}")
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(lambda on, kind=kind: self._show_kind(kind, on))
        menu.addSeparator()
        for name, least in _LEAST.items():
            action = menu.addAction(name)
            action.triggered.connect(lambda _=False, least=least: self._show_from(least))
        button.setMenu(menu)
        self.filter_menu = menu
        return button

    def _page(self, number: int) -> QStackedWidget:
        page = QStackedWidget()
        page.addWidget(self.responses if TABS[number] == "Responses" else self.lists[number])
        empty = PlainLabel(_EMPTY[number], look="muted", wrap=True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setMargin(4 * UNIT)
        page.addWidget(empty)
        self._empty.append(empty)
        page.setCurrentIndex(1)
        chosen = self.lists[number].selectionModel()
        chosen.currentChanged.connect(self._on_current)
        self.lists[number].clicked.connect(self._on_current)
        return page

    # Content

    def show_evaluation(
        self, evaluation: Evaluation | None, findings: tuple[Finding, ...], hidden: dict[str, str]
    ) -> None:
        """``findings`` are all of them; ``hidden``: reasons by key of those that were set aside."""
        self._evaluation, self._hidden = evaluation, hidden
        self.responses.show_evaluation(evaluation)
        self._findings = {finding.key: finding for finding in findings}
        self.card.sentences = tuple(j.sentence.text for j in evaluation.sentences) if evaluation else ()
        self._refresh()

    def clear(self) -> None:
        self.show_evaluation(None, (), {})
        for row_list in self.lists:
            row_list.delegate.forget()

    def _refresh(self) -> None:
        key = self.chosen_key()
        contents = self._contents()
        self._showing = True
        looked = self._evaluation is not None and self._evaluation.omissions is not None
        self._empty[_LEFT_OUT].setText(_NOTHING_LEFT_OUT if looked else _EMPTY[_LEFT_OUT])
        for number, content in enumerate(contents):
            self.lists[number].rows.show_rows(content)
            # The responses' page says itself why it is empty.
            shown = content or (TABS[number] == "Responses" and self._evaluation is not None)
            self._pages[number].setCurrentIndex(0 if shown else 1)
        self._showing = False
        if key:
            self.choose(key, switch=False)
        row = self._current_row()
        self.card.show_row(row, self._hidden.get(row.key, "") if row else "")

    def _contents(self) -> tuple[tuple[Row, ...], ...]:
        if self._evaluation is None:
            return tuple(() for _ in TABS)
        evaluation = self._evaluation
        risks = ledger(evaluation, self._rubric, self._hidden)
        made = (
            with_safety_said(
                rows.checklist_rows(evaluation, self._rubric), self._rubric.item(SAFETY_ITEM).name, len(risks.alarming)
            ),
            rows.sentence_rows(evaluation, self._rubric, self._findings),
            rows.claim_rows(evaluation, self._findings),
            left_out_rows(evaluation, self._rubric),
            response_rows(evaluation),
            rows.scorecard_rows(evaluation),
        )
        filtered = tuple(
            rows.with_set_aside(rows.kept(content, self.shown_kinds, self.least), self._hidden) for content in made[:5]
        )
        # No filter hides a risk.
        left_out = (*risk_rows(risks), *filtered[3])
        return (*filtered[:3], left_out, filtered[4], made[5])

    def choose(self, key: str, switch: bool = True) -> bool:
        """Show the row of a finding; False where the filters hide it or it is gone."""
        for number, row_list in enumerate(self.lists):
            row = row_list.row_of(key)
            if row is not None:
                index = row_list.rows.index(row)
                self._showing = True
                if switch:
                    self.tabs.setCurrentIndex(number)
                row_list.setCurrentIndex(index)
                row_list.scrollTo(index)
                self._showing = False
                if switch:
                    self._on_current(index)
                return True
        return False

    def chosen_key(self) -> str:
        row = self._current_row()
        return row.key if row else ""

    def show_tab(self, number: int) -> None:
        self.tabs.setCurrentIndex(number)
        self.lists[number].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _current_row(self) -> Row | None:
        row = self.lists[self.tabs.currentIndex()].currentIndex().data(ROW_ROLE)
        return row if isinstance(row, Row) and not row.heading else None

    def _on_current(self, index: QModelIndex, _: QModelIndex | None = None) -> None:
        row = index.data(ROW_ROLE)
        if self._showing or not isinstance(row, Row) or row.heading:
            return
        self.card.show_row(row, self._hidden.get(row.key, ""))
        self.row_chosen.emit(row)

    def _on_tab(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        if self._current_row() is None:
            self._rest_on_first(number)
        row = self._current_row()
        self.card.show_row(row, self._hidden.get(row.key, "") if row else "")

    def _rest_on_first(self, number: int) -> None:
        """A tab that is opened shows its first finding's card; the note and the session stay where they are."""
        row_list, showing = self.lists[number], self._showing
        first = next((at for at, row in enumerate(row_list.rows.rows) if row.finding is not None), None)
        if first is not None:
            self._showing = True
            row_list.setCurrentIndex(row_list.rows.index(first))
            self._showing = showing

    # Filters

    def _show_kind(self, kind: FindingKind, on: bool) -> None:
        self.shown_kinds = self.shown_kinds | {kind} if on else self.shown_kinds - {kind}
        self._refresh()
        self.filters_changed.emit()

    def _show_from(self, least: Severity) -> None:
        self.least = least
        self._refresh()
        self.filters_changed.emit()

    def set_theme(self, theme: Theme) -> None:
        for row_list in self.lists:
            row_list.delegate.set_theme(theme)
            row_list.viewport().update()
        self.responses.set_theme(theme)
        self.card.set_theme(theme)
