"""The findings pane: tabs, filters with a legend, and the card of the row that is chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QStackedWidget, QTabBar, QToolButton, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, open_risk
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import counted, sentence, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.silencing import kind_in
from noteeval_desktop.domain.trust import Known, Trust, known_of
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.present.card import is_linked
from noteeval_desktop.present.finding import Finding, before_signing, in_one_entry
from noteeval_desktop.present.risks import ledger, open_risk_said
from noteeval_desktop.present.vocabulary import HARM_NAMES, KINDS
from noteeval_desktop.ui.findings import rows
from noteeval_desktop.ui.findings.card import FindingCard, name_of_kind
from noteeval_desktop.ui.findings.left_out import left_out_rows
from noteeval_desktop.ui.findings.risk import risk_rows
from noteeval_desktop.ui.findings.row_list import ROW_ROLE, ListPage, RowList
from noteeval_desktop.ui.findings.rows import Row, finding_row, group, on_risk_rows
from noteeval_desktop.ui.findings.trust import with_trust
from noteeval_desktop.ui.widgets.parts import Fitted, MenuButton, button, choice, column, grounded, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text, native, shortened
from noteeval_desktop.ui.widgets.theme import HIT, READING_SIZE, SMALL_SIZE, UI_SIZE, UNIT, sized, zoomed
from noteeval_desktop.ui.widgets.words import LEFT_OUT, RECORD, RESPONSES, TABS


def first_rows(
    findings: Sequence[Finding], decided: Sequence[Finding], evaluation: Evaluation, more: bool
) -> tuple[Row, ...]:
    """``findings`` are the open ones of ``evaluation`` in their order; ``more``: all of them, and those that were
    ``decided`` on. Risk is counted as everywhere else, over all of them."""
    risk = open_risk(evaluation, [finding.ranked for finding in findings])
    chosen = before_signing(findings)
    rows: list[Row] = []
    for harm, name in HARM_NAMES.items():
        counted = open_risk_said(risk) if harm is Harm.RISK else ""
        rows += group(name, [finding_row(one) for one in chosen if one.ranked.harm is harm], counted)
        if harm is Harm.RISK:
            rows += group(tr("Risk statements to verify"), on_risk_rows(evaluation))
    if more:
        others = rest(findings)
        longer = [finding_row(one) for one in others if one.kind is FindingKind.UNNEEDED]
        rows += group(tr("Also worth a read"), [finding_row(f) for f in others if f.kind is not FindingKind.UNNEEDED])
        rows += group(tr("Could be shorter"), longer)
        rows += group(tr("Confirmed or dismissed by you"), [finding_row(one) for one in decided])
    return tuple(rows)


def rest(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The open ones that are not shown first."""
    chosen = {finding.key for finding in before_signing(findings)}
    return tuple(finding for finding in findings if finding.key not in chosen)


_LEFT_OUT, _FIRST = TABS.index(LEFT_OUT), 0
_LEAST = {
    tr("All"): Severity.NONE,
    tr("All but minor"): Severity.MEDIUM,
    tr("Important only"): Severity.HIGH,
}
# A tab each, before there is anything to show.
EMPTY = (
    tr("What to look at before you sign appears here once the note has been checked."),
    tr("What the note should cover appears here once it has been checked."),
    tr("The note's sentences appear here once they have been checked."),
    tr("What the session does and does not support appears here once the note has been checked."),
    tr("What the note leaves out appears here once it has been checked."),
    tr("The therapist's responses appear here once they have been checked."),
    tr("The scores appear here once the note has been checked."),
    tr("What an auditor would ask about appears here once the note has been checked."),
)


class FindingsPane(Fitted):
    """``row_chosen(Row)`` when the reader picks a row; the card's signals are on ``card``."""

    row_chosen = Signal(object)
    filters_changed = Signal()
    flag_again_asked = Signal(str)

    def __init__(self, rubric: Rubric, responses: ListPage) -> None:
        super().__init__()
        self.setObjectName("pane")
        self._rubric = rubric
        self._evaluation: Evaluation | None = None
        self._hidden: dict[str, str] = {}
        self._open: tuple[Finding, ...] = ()
        self.more = False  # whether the first tab, and with it the note, shows every suggestion
        self.known_findings: dict[str, Finding] = {}
        self._showing = False
        self._trusts: tuple[tuple[Trust, ...], tuple[Trust, ...]] = ((), ())
        self.shown_kinds = frozenset(FindingKind)
        self.least = Severity.NONE
        self.responses = responses
        self.lists = tuple(responses.listed if name == RESPONSES else RowList(name) for name in TABS)
        self._empty: list[PlainLabel] = []
        self._pages = tuple(self._page(number) for number in range(len(TABS)))
        kinds = tr("Kinds of suggestions")
        self.tabs, self.narrow_tabs = QTabBar(), choice(kinds, ((name, name) for name in TABS))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFont(sized(self.font(), SMALL_SIZE))
        self.tabs.setAccessibleName(kinds)
        for number, name in enumerate(TABS, 1):
            self.tabs.addTab(name)
            self.tabs.setTabToolTip(number - 1, f"{name} ({native(f'Ctrl+{number}')})")
        self.tabs.currentChanged.connect(self._on_tab)
        self.tabs.currentChanged.connect(self.narrow_tabs.setCurrentIndex)
        self.narrow_tabs.activated.connect(self.tabs.setCurrentIndex)
        self.narrow_tabs.hide()
        self._stack = QStackedWidget()
        for page in self._pages:
            self._stack.addWidget(page)
        self.card = FindingCard(responses.fill_card)
        self.card.item_names = {item.id: item.name for item in rubric.items}
        column(self._head(), (self._stack, 1), self.card, on=self, margins=(0,), spacing=0)
        self.setMinimumWidth(46 * UNIT)
        # The highest of the pages would decide how small the window can be made.
        self._stack.setMinimumHeight(10 * UNIT)

    def fit(self) -> None:
        """Where there is no room for all tabs side by side they are a list to choose from: none is scrolled away."""
        narrow = self.width() < self.comfortable_width
        self.tabs.setVisible(not narrow)
        self.narrow_tabs.setVisible(narrow)
        self.card.fit()

    def set_reading_size(self, pixels: int) -> None:
        font = sized(self.font(), max(UI_SIZE, round(UI_SIZE * pixels / READING_SIZE)))
        for shown in self.lists:
            shown.setFont(font)
        self.tabs.setFont(zoomed(font, SMALL_SIZE))
        self.narrow_tabs.setFont(self.tabs.font())
        self.card.set_reading_font(font)
        self.fit()

    @property
    def comfortable_width(self) -> int:
        """In which every tab is in sight; narrower, they are a list."""
        return self.tabs.sizeHint().width() + HIT + UNIT + 2

    def _head(self) -> QWidget:
        head = grounded(QWidget(), "pane_head")
        head.setMinimumHeight(HIT + 2 * UNIT)
        self._filter = self._filter_button()
        row(self.tabs, self.narrow_tabs, None, self._filter, on=head, margins=(0.5, 0.5, 0.5, 0), spacing=0)
        return head

    def _filter_button(self) -> QToolButton:
        button = MenuButton("▽", "sign")
        button.setFixedWidth(HIT)
        button.setToolTip(tr("Filter the suggestions, and see what the signs mean"))
        button.setAccessibleName(tr("Filter and legend"))
        menu = QMenu(button)
        for kind in FindingKind:
            # The sign where keys would stand: letters of many widths in front would leave the names out of line.
            action = menu.addAction(f"{sentence(KINDS[kind].name)}\t{KINDS[kind].sign}")
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(lambda on, kind=kind: self._show_kind(kind, on))
        menu.addSeparator()
        one_of = QActionGroup(menu)
        for name, least in _LEAST.items():
            action = one_of.addAction(menu.addAction(name))
            action.setCheckable(True)
            action.setChecked(least is self.least)
            action.triggered.connect(lambda _=False, least=least: self._show_from(least))
        button.setMenu(menu)
        self.filter_menu = menu
        return button

    def _page(self, number: int) -> QStackedWidget:
        page = QStackedWidget()
        page.addWidget(self._content(number))
        empty = PlainLabel(EMPTY[number], look="muted", wrap=True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setMargin(4 * UNIT)
        page.addWidget(empty)
        self._empty.append(empty)
        page.setCurrentIndex(1)
        chosen = self.lists[number].selectionModel()
        chosen.currentChanged.connect(self._on_current)
        self.lists[number].clicked.connect(self._on_current)
        return page

    def _content(self, number: int) -> QWidget:
        if TABS[number] == RESPONSES:
            return self.responses
        if number != _FIRST:
            return self.lists[number]
        self.more_button = button("", self.toggle_more, height=HIT)
        self.silenced_button = MenuButton()
        self.silenced_button.setToolTip(tr("Choose one to flag it again"))
        self.silenced_button.hide()
        holder, below = QWidget(), row(None, self.more_button, self.silenced_button, None)
        self.none_left = PlainLabel("", look="muted", wrap=True)
        self.none_left.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.none_left.setMargin(4 * UNIT)
        column((self.lists[number], 1), (self.none_left, 1), below, on=holder, margins=(0, 0, 0, 1))
        return holder

    def show_silenced(self, in_case: Mapping[str, str], everywhere: Collection[str]) -> None:
        """``in_case``: reasons by subject, as silencing.silences gives them; ``everywhere``: kinds."""
        menu, names = QMenu(self.silenced_button), self.card.item_names
        always, here = tr("Flag {named} again in every case"), tr("Flag {named} again")
        entries = [(kind, always.format(named=name_of_kind(kind, names))) for kind in everywhere]
        for subject, reason in in_case.items():
            kind = kind_in(subject)
            named = name_of_kind(kind, names) if kind else f"“{shortened(reason, 60)}”"
            entries.append((subject, here.format(named=named)))
        for key, said in entries:
            menu.addAction(menu_text(said)).triggered.connect(lambda _=False, k=key: self.flag_again_asked.emit(k))
        self.silenced_button.setMenu(menu)
        self.silenced_button.setText(tr("{count} not flagged ▾").format(count=len(entries)))
        self.silenced_button.setVisible(bool(entries))

    @property
    def first_keys(self) -> tuple[str, ...]:
        """Of the first tab's rows, in their order."""
        return tuple(row.key for row in self.lists[_FIRST].rows.rows if row.key)

    def toggle_more(self) -> None:
        self.more = not self.more
        self._refresh()
        self.filters_changed.emit()

    @property
    def steps(self) -> tuple[str, ...] | None:
        """Keys that F8 goes through while the first tab is open, as they stand there; None: what all tabs show."""
        return self.first_keys if self.tabs.currentIndex() == _FIRST else None

    @property
    def places(self) -> frozenset[str]:
        """Of ``steps`` what has no finding: to be looked at all the same."""
        return frozenset(row.place for row in self.lists[_FIRST].rows.rows if row.place)

    # Content

    def show_evaluation(
        self,
        evaluation: Evaluation | None,
        findings: tuple[Finding, ...],
        hidden: dict[str, str],
        still_open: tuple[Finding, ...],
    ) -> None:
        """``findings`` are all of them; ``hidden``: reasons by key of those that were set aside."""
        self._evaluation, self._hidden, self._open = evaluation, hidden, still_open
        if evaluation is not None and evaluation.rubric is not None:
            self.card.item_names = {item.id: item.name for item in evaluation.rubric.items}
        self.responses.show_evaluation(evaluation)
        self.known_findings = {finding.key: finding for finding in findings}
        self.card.sentences = tuple(j.sentence.text for j in evaluation.sentences) if evaluation else ()
        self._refresh()

    def clear(self) -> None:
        self.more = False
        self.show_evaluation(None, (), {}, ())
        self.tabs.setCurrentIndex(_FIRST)
        for row_list in self.lists:
            row_list.delegate.forget()

    def _refresh(self) -> None:
        key, at = self.chosen_key(), self.lists[self.tabs.currentIndex()].currentIndex().row()
        contents = self._contents()
        self._showing = True
        none_found = {}
        if self._evaluation is not None:
            none_found[RECORD] = tr("Nothing was found that an auditor would ask about.")
            if self._evaluation.omissions is not None:
                none_found[LEFT_OUT] = tr("Nothing was found that the note leaves out.")
        for number, content in enumerate(contents):
            self._empty[number].setText(none_found.get(TABS[number], EMPTY[number]))
            self.lists[number].rows.show_rows(content)
            # The responses' page says itself why it is empty, and the first may show more.
            shown = content or ((TABS[number] == RESPONSES or number == _FIRST) and self._evaluation is not None)
            self._pages[number].setCurrentIndex(0 if shown else 1)
        self._tell_none_left()
        others = len(rest(self._open))
        self.more_button.setVisible(bool(others or self._decided))
        said = tr("Show {suggestions}").format(suggestions=counted(others, tr("more suggestion")))
        if self.more:
            said = tr("Show only what matters before you sign")
        elif not others:
            said = tr("Show what you confirmed or dismissed")
        self.more_button.setText(said)
        self._showing = False
        if key and not self.choose(key, switch=False):
            self._rest_on_first(self.tabs.currentIndex(), at)
        self.card.show_row(self.current_row(), self._hidden.get(self.chosen_key(), ""))

    def _tell_none_left(self) -> None:
        """In the place of suggestions: that none is left is no promise."""
        shown, complete = self.lists[_FIRST].rows.rows, self._evaluation is not None and self._evaluation.complete
        self.none_left.setText(
            tr(
                "No suggestion is left here. NoteEval misses mistakes: read the note once more against the "
                "session. Then copy it, save it or export the scorecard."
            )
            if complete
            else tr("No suggestions; some items could not be checked. Check again before you sign.")
        )
        self.none_left.setVisible(not any(row.finding for row in shown))
        self.lists[_FIRST].setVisible(bool(shown))

    @property
    def _decided(self) -> tuple[Finding, ...]:
        if self._evaluation is None:
            return ()
        decided = [finding for finding in self.known_findings.values() if finding.key in self._hidden]
        return in_one_entry(decided, self._evaluation, self._rubric)

    def _contents(self) -> tuple[tuple[Row, ...], ...]:
        if self._evaluation is None:
            return tuple(() for _ in TABS)
        evaluation = self._evaluation
        risks = ledger(evaluation, self._rubric, self._hidden)
        self.card.known = known = self.known
        linked = is_linked(self._hidden, risks.alarming)
        made = (
            rows.with_set_aside(first_rows(self._open, self._decided, evaluation, self.more), self._hidden),
            rows.checklist_rows(evaluation, self._rubric, self.known_findings, risks.alarming, linked),
            rows.sentence_rows(evaluation, self._rubric, self.known_findings),
            rows.claim_rows(evaluation, self.known_findings),
            left_out_rows(evaluation, self._rubric),
            self.responses.rows_of(evaluation),
            rows.scorecard_rows(evaluation),
            rows.record_rows(self.known_findings),
        )
        told = (made[_FIRST], *(with_trust(content, known) for content in made[1:4]), *made[4:])
        filtered = tuple(
            rows.with_set_aside(rows.kept(content, self.shown_kinds, self.least), self._hidden) for content in told
        )
        # No filter hides a risk.
        left_out = (*risk_rows(risks, self._hidden), *filtered[_LEFT_OUT])
        return (made[_FIRST], *filtered[1:_LEFT_OUT], left_out, *filtered[_LEFT_OUT + 1 :])

    def choose(self, key: str, switch: bool = True) -> bool:
        """Show the row of a finding; False where the filters hide it or it is gone."""
        own = self.tabs.currentIndex()
        for number in sorted(range(len(TABS)), key=lambda number: number != own):
            row_list = self.lists[number]
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
        row = self.current_row()
        return row.key if row else ""

    def show_tab(self, number: int) -> None:
        self.tabs.setCurrentIndex(number)
        self.lists[number].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def current_row(self) -> Row | None:
        row = self.lists[self.tabs.currentIndex()].currentIndex().data(ROW_ROLE)
        return row if isinstance(row, Row) and row.can_be_chosen else None

    def _on_current(self, index: QModelIndex, _: QModelIndex | None = None) -> None:
        row = index.data(ROW_ROLE)
        if self._showing or not isinstance(row, Row) or not row.can_be_chosen:
            return
        self.card.show_row(row, self._hidden.get(row.key, ""))
        self.row_chosen.emit(row)

    def _on_tab(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        if self.current_row() is None:
            self._rest_on_first(number)
        self.card.show_row(self.current_row(), self._hidden.get(self.chosen_key(), ""))

    def _rest_on_first(self, number: int, after: int = 0) -> None:
        """A tab that is opened shows its first finding's card, and one whose finding went the next one's; the note and
        the session stay where they are."""
        row_list, showing = self.lists[number], self._showing
        places = [at for at, row in enumerate(row_list.rows.rows) if row.finding is not None]
        first = next((at for at in places if at >= after), places[-1] if places else None)
        if first is not None:
            self._showing = True
            row_list.setCurrentIndex(row_list.rows.index(first))
            self._showing = showing

    # Filters

    def show_trust(self, shipped: tuple[Trust, ...], own: tuple[Trust, ...] = ()) -> None:
        """How far judges agree with people: in published data, and in this practice's own reviews."""
        self._trusts = shipped, own
        self.card.show_row(None)
        self._refresh()
        self.filters_changed.emit()

    @property
    def known(self) -> Known:
        return Known() if self._evaluation is None else known_of(self._evaluation.judge, *self._trusts)

    def _show_kind(self, kind: FindingKind, on: bool) -> None:
        self.shown_kinds = self.shown_kinds | {kind} if on else self.shown_kinds - {kind}
        self._refresh()
        self.filters_changed.emit()

    def _show_from(self, least: Severity) -> None:
        self.least = least
        self._refresh()
        self.filters_changed.emit()
