"""What the card says of one response: scores with words, flags, what they rest on, what would make it better."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import Evidence, ResponseVerdict
from noteeval_desktop.report.names import ATTRIBUTE_NAMES
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.responses.bars import ScoreBars
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, Theme, sized

Show = Callable[[Citation], object]


def fill_details(layout: QVBoxLayout, verdict: ResponseVerdict, theme: Theme, show: Show | None, font: QFont) -> None:
    """``show`` goes to a passage of the session; None outside a session."""
    title = "Response" if verdict.turn is None else f"Response at turn {wording.turn_number(verdict.turn)}"
    heading = PlainLabel(title)
    heading.setFont(sized(font, UI_SIZE + 1, QFont.Weight.DemiBold))
    layout.addWidget(heading)
    layout.addWidget(PlainLabel(words.summary(verdict), wrap=True))
    layout.addWidget(ScoreBars(verdict, theme))
    for flag in words.flag_words(verdict):
        grave = flag.startswith(("Crisis", "Safety"))
        label = PlainLabel(f"{'⚠' if grave else '▾'}  {flag}", wrap=True)
        label.setStyleSheet(f"color: {theme.red if grave else theme.amber};")
        layout.addWidget(label)
    for notice in verdict.notices:
        layout.addWidget(PlainLabel(notice, look="muted", wrap=True))
    if verdict.recommendations:
        layout.addWidget(PlainLabel("What would make it better", look="heading"))
        for advice in verdict.recommendations:
            layout.addWidget(PlainLabel(f"•  {advice}", wrap=True))
    if verdict.evidence:
        layout.addWidget(PlainLabel("What the scores rest on", look="heading"))
        for evidence in verdict.evidence:
            layout.addWidget(_evidence(evidence, verdict.turn, show))
    layout.addWidget(PlainLabel(words.TRIAGE, look="muted", wrap=True))


def _evidence(evidence: Evidence, turn: int | None, show: Show | None) -> QWidget:
    said = f"{ATTRIBUTE_NAMES[evidence.attribute]}: {evidence.comment or 'rests on this'}"
    if show is None or turn is None or not evidence.quote:
        return PlainLabel(f"{said}\n“{shortened(evidence.quote, 200)}”" if evidence.quote else said, wrap=True)
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(PlainLabel(f"{said}\n“{shortened(evidence.quote, 140)}”", wrap=True), 1)
    go = QToolButton()
    go.setText(menu_text("Show"))
    go.setMinimumHeight(HIT)
    go.setAccessibleName(f"Show in the session: {shortened(evidence.quote, 60)}")
    citation = Citation(turn, evidence.span, evidence.quote)
    go.clicked.connect(lambda: show(citation))
    row.addWidget(go)
    return line
