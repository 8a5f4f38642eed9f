"""What the card says of one exchange: what was disclosed and done, scores with words, and what they rest on."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QVBoxLayout, QWidget

from noteeval_desktop.domain.exchanges import ScoredExchange
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.findings.row_list import Show
from noteeval_desktop.ui.responses.bars import ScoreBars
from noteeval_desktop.ui.responses.rows import ResponseRow
from noteeval_desktop.ui.responses.scored import summary
from noteeval_desktop.ui.widgets.parts import row as side_by_side
from noteeval_desktop.ui.widgets.parts import tool
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.theme import UI_SIZE, Theme, zoomed
from noteeval_desktop.ui.widgets.words import turn_list, turn_number


def fill_exchange(
    layout: QVBoxLayout, row: ResponseRow, exchange: ScoredExchange, theme: Theme, show: Show, font: QFont
) -> None:
    """``show`` goes to a passage of the session."""
    turns = sorted((*exchange.disclosed, *exchange.turns))
    heading = PlainLabel(tr("Exchange, {turn_list}").format(turn_list=turn_list(turns).lower()))
    heading.setFont(zoomed(font, UI_SIZE + 1, QFont.Weight.DemiBold))
    layout.addWidget(heading)
    followed = PlainLabel(row.detail, wrap=True)
    if exchange.unanswered:
        followed.setStyleSheet(f"color: {theme.amber};")
    layout.addWidget(followed)
    layout.addWidget(PlainLabel(summary(exchange.verdict), look="muted", wrap=True))
    layout.addWidget(ScoreBars(exchange.verdict, theme))
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
