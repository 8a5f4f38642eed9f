"""What the card says of one exchange: what was disclosed and done, scores with words, and what they rest on."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.exchanges import ScoredExchange
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.findings.row_list import Show
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.bars import ScoreBars
from noteeval_desktop.ui.responses.rows import ResponseRow
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, Theme, zoomed
from noteeval_desktop.ui.widgets.words import turn_list, turn_number


def fill_exchange(
    layout: QVBoxLayout, row: ResponseRow, exchange: ScoredExchange, theme: Theme, show: Show, font: QFont
) -> None:
    """``show`` goes to a passage of the session."""
    turns = sorted((*exchange.disclosed, *exchange.turns))
    heading = PlainLabel(words.exchange(turn_list(turns).lower()))
    heading.setFont(zoomed(font, UI_SIZE + 1, QFont.Weight.DemiBold))
    layout.addWidget(heading)
    followed = PlainLabel(row.detail, wrap=True)
    if exchange.unanswered:
        followed.setStyleSheet(f"color: {theme.amber};")
    layout.addWidget(followed)
    layout.addWidget(PlainLabel(words.summary(exchange.verdict), look="muted", wrap=True))
    layout.addWidget(ScoreBars(exchange.verdict, theme))
    if row.advised and exchange.verdict.recommendations:
        layout.addWidget(PlainLabel(words.FURTHER, look="heading"))
        for advice in exchange.verdict.recommendations:
            layout.addWidget(PlainLabel(f"•  {advice}", wrap=True))
    layout.addWidget(PlainLabel(words.RESTS_ON, look="heading"))
    for citation in row.citations:
        layout.addWidget(_passage(citation, _said_of(citation, exchange), show))
    for notice in dict.fromkeys(notice for answer in exchange.answers for notice in answer.notices):
        layout.addWidget(PlainLabel(notice, look="muted", wrap=True))


def _said_of(citation: Citation, exchange: ScoredExchange) -> str:
    """Which scores rest on it, and why; of the client's turns, that they are the client's."""
    if citation.turn in exchange.disclosed:
        return words.THE_CLIENT
    own = [e for answer in exchange.answers if answer.turn == citation.turn for e in answer.evidence]
    said = [
        f"{ATTRIBUTE_NAMES[e.attribute].lower()}: {e.comment or words.RESTS_ON_THIS}"
        for e in own
        if e.quote and e.span == citation.span
    ]
    return "; ".join([words.THE_THERAPIST, *dict.fromkeys(said)])


def _passage(citation: Citation, said: str, show: Show) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    turn = turn_number(citation.turn)
    row.addWidget(PlainLabel(f"{turn}  “{shortened(citation.quote, 140)}”\n{said}", wrap=True), 1)
    go = QToolButton()
    go.setText(menu_text(words.SHOW))
    go.setMinimumHeight(HIT)
    go.setAccessibleName(words.show_in_the_session(shortened(citation.quote, 60)))
    go.clicked.connect(lambda: show(citation))
    row.addWidget(go)
    return line
