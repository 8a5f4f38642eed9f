"""The red banner: a danger in the session that the note does not address. It is not closed, it is answered.

Once it is answered it keeps its place while somebody writes, calm: the lines must not move under the pointer.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QPushButton

from noteeval_desktop.domain.findings import OpenRisk
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import are, counted, shortened, tr
from noteeval_desktop.present.vocabulary import HARM_NAMES
from noteeval_desktop.ui.widgets.parts import row
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, in_font_of
from noteeval_desktop.ui.widgets.theme import HIT, THEME
from noteeval_desktop.ui.widgets.words import CLOSE

_MOST_NAMED = 2


def _said(risk: OpenRisk) -> Iterator[str]:
    """ "2 mentions of risk in the session are not found in the note. …" "Check what the note says on risk: “Safe.”" """
    if missing := risk.missing:
        yield tr(
            "{mentions} of risk in the session {is_or_are} not found in the note. Address each one, link it to a "
            "sentence, or dismiss it with a reason."
        ).format(mentions=counted(missing, "mention"), is_or_are=are(missing))
    if risk.wrong:
        # It may be unsupported, or contradicted.
        stated = [one.sentence.text for one in risk.wrong if one.sentence is not None]
        named = ", ".join(f"“{shortened(one, 90)}”" for one in stated[:_MOST_NAMED])
        more = len(stated) - _MOST_NAMED
        said = tr("Check what the note says about risk: {named}").format(named=named)
        yield tr("{said} and {count} more").format(said=said, count=more) if more > 0 else said


class RiskBanner(QFrame):
    """``show_asked(str)`` carries the key of the first finding."""

    show_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("risk_banner")
        self._key = ""
        self._sign, self._words = PlainLabel("⚠"), PlainLabel("", wrap=True)
        self._sign.setAccessibleName(tr("Warning"))
        self.button = QPushButton()
        self.button.setMinimumHeight(HIT)
        self.button.clicked.connect(lambda: self.show_asked.emit(self._key) if self._key else self.hide())
        row(self._sign, (self._words, 1), self.button, on=self, margins=(2, 0.5, 2, 0.5), spacing=1)
        self._take_colours()
        THEME.changed.connect(self._take_colours)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text() if self._key and not self.isHidden() else ""

    def show_risks(self, risk: OpenRisk, settled: bool, writing: bool = False) -> None:
        """``settled``: no other risk waits for a look; ``writing``: somebody is, so that what is below stays where it
        is."""
        findings, before = (*(risk.left_out or ()), *risk.wrong), self.text
        still = writing and not self.isHidden()
        self.setMinimumHeight(self.height() if still else 0)
        self.setHidden(not findings and not still)
        was_open, self._key = bool(self._key), findings[0].key if findings else ""
        none = tr("No risk is flagged now.")
        unnamed = tr("Nothing about risk is marked red now. The note does not mention every risk that is listed.")
        self._words.setText(none if settled else unnamed)
        show = tr("Show it")
        self.button.setText(show if findings else CLOSE)
        self.button.setAccessibleName(self.button.text())
        self.setAccessibleName(self._words.text())
        if bool(self._key) != was_open:
            self._take_colours()
        if findings:
            self._words.setText(f"{HARM_NAMES[Harm.RISK]}: {' '.join(_said(risk))}")
            self.setAccessibleName(f"{self._sign.accessibleName()}. {self._words.text()}")
            if self._words.text() != before:
                announce(self, self.accessibleName())
            self.button.setAccessibleName(tr("Show the first risk that is not addressed") if risk.left_out else show)

    def _take_colours(self) -> None:
        theme = THEME.now
        colour, behind = (theme.red, theme.warning) if self._key else (theme.muted, theme.surface)
        self._sign.setText("⚠" if self._key else "")
        self.setStyleSheet(
            f"#risk_banner {{ background: {behind}; border: 1px solid {colour}; border-left: 6px solid {colour}; }}"
            f"#risk_banner QLabel {{ color: {colour}; background: transparent; font-weight: 600; }}"
        )
        self._in_own_font()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._in_own_font()

    def _in_own_font(self) -> None:
        """What was given a style anew follows no more by itself."""
        in_font_of(self, (self._sign, self._words, self.button))
