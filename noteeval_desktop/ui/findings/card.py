"""The card of one finding: what, why, the evidence, how sure, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import sentence, tr
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.domain.silencing import TEMPLATE, kind_of, template_of
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.trust import Known
from noteeval_desktop.domain.two_witnesses import HEARD, LEFT_OUT, NEEDED, NOT_HEARD, NOT_LEFT_OUT, PRESENT, QUICK
from noteeval_desktop.domain.verdicts import OmissionKind, Opinion, confidence_of
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.vocabulary import (
    CONFIDENCE_NAMES,
    HARM_NAMES,
    OMISSION_NAMES,
    REMARK_NAMES,
    VERDICT_NAMES,
)
from noteeval_desktop.ui.findings.mending import Mend, mends
from noteeval_desktop.ui.findings.row_list import Show
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.findings.trust import MEANS, badge, level_of, part_of
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.parts import (
    MenuButton,
    ToolButton,
    column,
    dressed,
    grounded,
    row,
    search_field,
    show_once,
    tool,
    wrapped_list,
)
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, in_font_of, menu_text, shortened, show_tip
from noteeval_desktop.ui.widgets.theme import HIT, THEME, UI_SIZE, UNIT, colour_of, zoomed
from noteeval_desktop.ui.widgets.words import turn_number

CHOOSE_A_SENTENCE = tr("Choose the sentence of the note that addresses this")


class ChooseSentence(Asking):
    """``asked`` when a sentence was chosen, which ``chosen`` then is."""

    def __init__(self, parent: QWidget, sentences: Sequence[str]) -> None:
        super().__init__(parent, tr("Link to a sentence"), CHOOSE_A_SENTENCE, tr("Link"))
        self.search = search_field(tr("Find a sentence of the note"))
        self.list = wrapped_list(CHOOSE_A_SENTENCE)
        self.list.setMinimumSize(70 * UNIT, 40 * UNIT)
        self.list.addItems(list(sentences))
        self.form.addRow(self.search)
        self.form.addRow(self.list)
        self.search.textChanged.connect(self._show)
        self.list.itemDoubleClicked.connect(lambda _: self.go.click())
        self.list.currentItemChanged.connect(lambda *_: self.go.setEnabled(bool(self.chosen)))
        self.go.setEnabled(False)
        self.asked.connect(self.accept)

    @property
    def chosen(self) -> str:
        item = self.list.currentItem()
        return item.text() if item is not None and not item.isHidden() else ""

    def _show(self, sought: str) -> None:
        """What is left alone is chosen."""
        left: list[QListWidgetItem] = []
        for item in (self.list.item(n) for n in range(self.list.count())):
            item.setHidden(sought.strip().casefold() not in item.text().casefold())
            left += [] if item.isHidden() else [item]
        if len(left) == 1:
            self.list.setCurrentItem(left[0])
        self.go.setEnabled(bool(self.chosen))


_SAYS = {
    **{verdict.value: name for verdict, name in VERDICT_NAMES.items()},
    NEEDED[True]: tr("Needed"),
    NEEDED[False]: tr("Not needed"),
    LEFT_OUT: tr("Left out"),
    NOT_LEFT_OUT: tr("In the note, or too small to add"),
    PRESENT[True]: tr("Present"),
    PRESENT[False]: tr("Missing"),
    HEARD: tr("Heard"),
    NOT_HEARD: tr("Not heard"),
}


def _said(opinion: Opinion) -> str:
    if not opinion.says:
        return opinion.rationale or tr("Not checked.")
    if opinion.judge == QUICK:
        return f"{_SAYS[opinion.says]}."
    # Many servers do not tell how likely an answer is, and nothing else says how sure a model is.
    known = confidence_of(opinion.probability)
    sure = tr("confidence: {name}").format(name=CONFIDENCE_NAMES[known] if known else tr("not known"))
    return f"{_SAYS[opinion.says]} ({sure}). {opinion.rationale}".strip()


MOST_QUOTES = 4
SMALLEST = 12 * UNIT
RING = 1  # of the focus, in the stylesheet
LARGEST_SHARE = 0.55
FillOwn = Callable[[QVBoxLayout, Row, Show, QFont], bool]
LARGEST_SHARE_BESIDE_CHART = 0.42
LOW_PANE = 60 * UNIT  # where more of a card would leave the list a single row


class _Quote(ToolButton):
    """A quoted turn; a click shows it in the session. The text is a label, so that it wraps."""

    def __init__(self, citation: Citation) -> None:
        super().__init__()
        self.setProperty("look", "quote")
        turn = turn_number(citation.turn)
        shown = shortened(citation.quote, 220)
        label = PlainLabel(f"{turn}  “{shown}”", wrap=True)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column(label, on=self, margins=(1, 0.75, 1, 0.75))
        self._label = label
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setMinimumHeight(HIT)
        explain(self, tr("Show turn {turn} in the session").format(turn=turn))
        self.setAccessibleName(tr("Turn {turn}: {quote}").format(turn=turn, quote=shown))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(HIT, self._label.heightForWidth(width - 2 * UNIT) + 2 * UNIT - 4)


def name_of_kind(kind: str, items: Mapping[str, str]) -> str:
    """``kind`` as silencing.kind_of has it; ``items``: the checklist's names by id."""
    what, _, which = kind.partition(":")
    if what == TEMPLATE:
        return tr("a line of your template")
    match FindingKind(what):
        case FindingKind.MISSING:
            return f"“{items.get(which, which)}”"
        case FindingKind.OMISSION:
            return tr("“{kind}” left out").format(kind=OMISSION_NAMES[OmissionKind(which)])
        case FindingKind.UNNEEDED:
            return tr("sentences that may not be needed")
        case FindingKind.OBSERVED:
            return tr("what only you can know")
        case FindingKind.REMARK:
            return tr("“{kind}” for the record").format(kind=REMARK_NAMES[RemarkKind(which)])
        case FindingKind.CONTRADICTED | FindingKind.UNSUPPORTED:
            raise ValueError("that a claim is wrong is decided one by one")


class FindingCard(QWidget):
    """Signals are what the reader asks for; the card changes nothing itself.

    What can be done stands below what scrolls, as its neighbour: a scroll area's own children are in no screen
    reader's tree.
    """

    citation_asked = Signal(object)
    place_asked = Signal(object)
    draft_asked = Signal(object)
    mend_asked = Signal(object, object)
    silence_asked = Signal(str, bool)
    phrase_asked = Signal(object)
    attested = Signal(str)
    dismissed = Signal(str, str)
    restored = Signal(str)
    linked = Signal(str, str)
    earlier_asked = Signal(object)
    trust_asked = Signal(object)

    def __init__(self, fill_own: FillOwn) -> None:
        """``fill_own`` tells of a row that has a card of its own kind; False for any other."""
        super().__init__()
        self._fill_own, self._own = fill_own, False
        self._scroll = QScrollArea()
        self._scroll.setObjectName("card_scroll")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Suggestion"))
        self.setFocusProxy(self._scroll)
        self._row: Row | None = None
        self._height = SMALLEST
        self.sentences: tuple[str, ...] = ()
        self.item_names: dict[str, str] = {}
        self._dismissed_as = ""
        self.known = Known()
        THEME.changed.connect(self._show_anew)
        self._foot = QWidget()
        self._column = column((self._scroll, 1), self._foot, on=self, margins=(0,), spacing=0)
        self.hide()

    def show_row(self, row: Row | None, dismissed_as: str = "") -> None:
        """``dismissed_as`` is the reason that was given, when the finding has been set aside."""
        if row == self._row and dismissed_as == self._dismissed_as:
            return
        self._row, self._dismissed_as = row, dismissed_as
        if row is None:
            self.hide()
            self._show_actions(None)
            if (body := self._scroll.takeWidget()) is not None:
                body.deleteLater()
            return
        body = grounded(QWidget(), "card")
        self._fill(column(on=body, margins=(2, 1.5, 2, 1.5), spacing=0.75), row)
        self._scroll.setWidget(body)
        self._show_actions(row.finding)
        in_font_of(self, (body, self._foot))
        # From the card to its quotes and then to what can be done, though all of it is made anew for each card.
        before: QWidget = self._scroll
        for button in self._in_order():
            self.setTabOrder(before, button)
            before = button
        self.show()
        self.fit()
        self._scroll.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    def fit(self) -> None:
        """As high as what it says, up to the larger half of the pane."""
        body, pane = self._scroll.widget(), self.parentWidget()
        layout = body.layout() if body is not None else None
        if layout is not None and pane is not None:
            ways, chips = QBoxLayout.Direction, self._chips
            chips.setDirection(ways.LeftToRight)
            fits = chips.sizeHint().width() + 4 * UNIT <= self._scroll.viewport().width()
            chips.setDirection(ways.LeftToRight if fits else ways.TopToBottom)
            wanted = layout.totalHeightForWidth(self._scroll.viewport().width()) + 2 * RING
            wanted += self._foot.sizeHint().height() if self._foot.isVisibleTo(self) else 0
            low = pane.height() < LOW_PANE
            share = LARGEST_SHARE_BESIDE_CHART if self._own or low else LARGEST_SHARE
            self._height = min(wanted, int(pane.height() * share))
            # Less than it wants is allowed, or a card that is open would keep the window from being made smaller.
            self.setMinimumHeight(min(self._height, SMALLEST))
            self.setMaximumHeight(self._height)
            self.updateGeometry()

    def set_reading_font(self, font: QFont) -> None:
        self.setFont(font)
        self._show_anew()

    def _show_anew(self) -> None:
        row, self._row = self._row, None
        self.show_row(row, self._dismissed_as)

    def _fill(self, layout: QVBoxLayout, row: Row) -> None:
        finding = row.finding
        self._chips = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._own = self._fill_own(layout, row, self.citation_asked.emit, self.font())
        if self._own:
            return
        level = level_of(row, self.known)
        if finding is not None:
            on_risk = finding.is_risk
            kind = PlainLabel(f"⚠  {HARM_NAMES[Harm.RISK]}" if on_risk else f"{finding.sign}  {sentence(finding.said)}")
            colour = colour_of("red" if on_risk else finding.tone).name()
            kind.setStyleSheet(f"color: {colour}; font-weight: 600;")
            layout.addWidget(kind)
        what = PlainLabel(finding.what if finding else row.title, wrap=True)
        what.setFont(zoomed(self.font(), UI_SIZE + 1, QFont.Weight.DemiBold))
        layout.addWidget(what)
        quoted = bool(row.citations) and row.detail.endswith("”")
        detail = "" if quoted else row.detail
        hint = row.hint if row.hint not in detail else ""
        why = finding.why if finding else "\n".join(part for part in (detail, hint) if part)
        if why:
            layout.addWidget(PlainLabel(why, wrap=True))
        opinions = finding.opinions if finding else row.opinions
        if opinions:
            layout.addLayout(_side_by_side(opinions))
        # And what the model rests on that is not shown already.
        turns = {citation.turn for citation in row.citations}
        more = [c for o in opinions if o.judge != QUICK for c in o.citations if c.turn not in turns]
        for citation in (*row.citations[:MOST_QUOTES], *more[:MOST_QUOTES]):
            quote = _Quote(citation)
            quote.clicked.connect(lambda _=False, c=citation: self.citation_asked.emit(c))
            layout.addWidget(quote)
        if row.sure:
            (self._chips if row.number else layout).addWidget(_sure(row.sure, row.number))
        if level is not None:
            said, trust = f"{badge(level)}. {MEANS[level]}", partial(self.trust_asked.emit, part_of(row))
            self._chips.addWidget(tool(tr("How far to trust this"), trust, "chip", said))
        if self._chips.count():
            self._chips.addStretch(1)
            layout.addLayout(self._chips)

    def _show_actions(self, finding: Finding | None) -> None:
        old, self._foot = self._foot, grounded(QWidget(), "card_foot")
        if finding is not None:
            line = self._actions(finding)
            line.setContentsMargins(2 * UNIT, UNIT // 2, 2 * UNIT, UNIT + 2)
            self._foot.setLayout(line)
        self._column.replaceWidget(old, self._foot)
        self._foot.setVisible(finding is not None)
        old.hide()
        old.setParent(None)
        old.deleteLater()

    def _in_order(self) -> list[QAbstractButton]:
        acts = self._foot.findChildren(QAbstractButton)
        return [*(one for one in self.findChildren(QAbstractButton) if one not in acts), *acts]

    def _actions(self, finding: Finding) -> QLayout:
        row = QHBoxLayout()
        row.setSpacing(UNIT // 2)
        if self._dismissed_as:
            row.addWidget(PlainLabel(self._dismissed_as, look="muted", wrap=True), 1)
            row.addWidget(_button(tr("Undo"), lambda: self.restored.emit(finding.key)))
            return row
        if finding.near and finding.can_link:
            hint = tr("This sentence of the note addresses the risk")
            row.addWidget(_button(tr("Yes, it does"), lambda: self.linked.emit(finding.key, finding.near), hint=hint))
        if finding.can_draft:
            hint = tr("Add a sentence with the first quote to the note, for you to finish")
            row.addWidget(_button(tr("Insert draft"), lambda: self.draft_asked.emit(finding), "primary", hint))
        if finding.can_attest:
            hint = tr("Confirm that you observed it in the session")
            row.addWidget(_button(tr("I observed this"), lambda: self.attested.emit(finding.key), "primary", hint))
        offered = mends(finding)
        for mend in (one for one in offered if one.text):
            use = partial(self.mend_asked.emit, finding, mend)
            row.addWidget(_button(mend.label, use, hint=mend.hint))
        if finding.span is not None:
            row.addWidget(_button(tr("Go to"), lambda: self.place_asked.emit(finding.span)))
        if template_of(finding.ranked):
            hint = tr("Show the earlier note beside this one, with these words marked")
            row.addWidget(_button(tr("Earlier note"), lambda: self.earlier_asked.emit(finding.sentence), hint=hint))
        if finding.can_link and self.sentences:
            link = _button(tr("Link…"), lambda: self._choose_sentence(finding))
            link.setToolTip(CHOOSE_A_SENTENCE)
            link.setAccessibleName(tr("Link to the sentence of the note that addresses this"))
            row.addWidget(link)
        dismiss = MenuButton(tr("Dismiss ▾"))
        menu = QMenu(dismiss)
        right, elsewhere = (tr("Correct as written"), tr("Not relevant here")), tr("Documented elsewhere")
        for reason in (*right, elsewhere, tr("The check is wrong")):
            menu.addAction(reason).triggered.connect(lambda _=False, r=reason: self.dismissed.emit(finding.key, r))
        self._add_silences(menu, finding)
        dismiss.setMenu(menu)
        row.addWidget(dismiss)
        for mend in (one for one in offered if not one.text):
            row.addWidget(self._remove_button(finding, mend))
        row.addStretch(1)
        return row

    def _remove_button(self, finding: Finding, mend: Mend) -> MenuButton:
        """A menu, which says what would go: once an answer has moved on, it may lie where the answer's button was."""
        stated = finding.sentence.text if finding.sentence else ""
        remove = MenuButton(mend.label)
        menu = QMenu(remove)
        action = menu.addAction(
            menu_text(tr("Remove “{sentence}”").format(sentence=shortened(" ".join(stated.split()), 60)))
        )
        action.triggered.connect(lambda: self.mend_asked.emit(finding, mend))
        remove.setMenu(menu)
        explain(remove, mend.hint)
        return remove

    def _add_silences(self, menu: QMenu, finding: Finding) -> None:
        ranked = finding.ranked
        if ranked.harm is Harm.RISK:
            return
        menu.addSeparator()
        kind = kind_of(ranked)
        if kind:
            for everywhere in (False, True):
                here = tr("Stop flagging {kind} in this case")
                stop = tr("Stop flagging {kind} in every case") if everywhere else here
                action = menu.addAction(menu_text(stop.format(kind=name_of_kind(kind, self.item_names))))
                action.triggered.connect(lambda _=False, e=everywhere: self.silence_asked.emit(kind, e))
        if own := template_of(ranked):
            action = menu.addAction(tr("This line is our template: stop flagging it in every case"))
            action.triggered.connect(lambda: self.silence_asked.emit(own, True))
        if finding.span is not None:
            menu.addAction(tr("Stop flagging a phrase in this case…")).triggered.connect(
                lambda: self.phrase_asked.emit(finding)
            )

    def _choose_sentence(self, finding: Finding) -> None:
        asks = show_once(ChooseSentence(self, self.sentences))
        asks.accepted.connect(lambda: self.linked.emit(finding.key, asks.chosen))

    def open_actions(self) -> None:
        """Alt+Enter: into the card's first action, by keyboard."""
        if self.isVisible():
            acts = self._foot.findChildren(QAbstractButton) or self._in_order()
            if acts:
                acts[0].setFocus(Qt.FocusReason.ShortcutFocusReason)


class _Action(QPushButton):
    """The second press of a double click does nothing: it was meant for the card before."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()


def _sure(said: str, number: str) -> QWidget:
    """How sure the judge is, in a word; the probability behind it under the pointer, and by keyboard when pressed."""
    if not number:
        return PlainLabel(said, look="muted", wrap=True)

    def show() -> None:
        show_tip(button.mapToGlobal(button.rect().bottomLeft()), button.toolTip(), button)

    button = tool(said, show, "chip", number)
    return button


def _side_by_side(opinions: tuple[Opinion, ...]) -> QLayout:
    """A column a judge: who, and under it what it says."""
    columns = []
    for one in opinions:
        who, said = tr("Quick check") if one.judge == QUICK else tr("Model"), _said(one)
        says = PlainLabel(said, wrap=True)
        says.setAccessibleName(f"{who}: {said}")
        columns.append((column(PlainLabel(who, look="muted"), says, None, spacing=0.25), 1))
    return row(*columns, spacing=2)


def _button(text: str, act: Callable[[], object], look: str = "", hint: str = "") -> QPushButton:
    return dressed(_Action(), text, act, look, hint)
