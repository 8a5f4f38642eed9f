"""The red banner: a danger in the session that the note does not address. It is not closed, it is answered.

Once it is answered it keeps its place while somebody writes, calm: the lines must not move under the pointer.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.findings.risk import mentions
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, in_font_of
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Theme
from noteeval_desktop.ui.widgets.words import CLOSE


class RiskBanner(QFrame):
    """``show_asked(str)`` carries the key of the first finding."""

    show_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("risk_banner")
        self._key = ""
        self._sign, self._words = PlainLabel("⚠"), PlainLabel("", wrap=True)
        self._sign.setAccessibleName(words.WARNING)
        self.button = QPushButton(words.SHOW_IT)
        self.button.setMinimumHeight(HIT)
        self.button.clicked.connect(lambda: self.show_asked.emit(self._key) if self._key else self.hide())
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * UNIT, UNIT // 2, 2 * UNIT, UNIT // 2)
        row.setSpacing(UNIT)
        row.addWidget(self._sign)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text() if self._key and not self.isHidden() else ""

    def show_risks(
        self,
        left_out: Sequence[Finding],
        wrong: Sequence[Finding],
        statements: Sequence[str],
        settled: bool,
        writing: bool = False,
    ) -> None:
        """``left_out``: risks that the note does not address; ``wrong``: its own ``statements`` on risk that the
        session does not bear out; ``settled``: no other risk waits for a look; ``writing``: somebody is, so that what
        is below stays where it is."""
        findings, before = (*left_out, *wrong), self.text
        still = writing and not self.isHidden()
        self.setMinimumHeight(self.height() if still else 0)
        self.setHidden(not findings and not still)
        was_open, self._key = bool(self._key), findings[0].key if findings else ""
        self._words.setText(words.NO_RISK_LEFT if settled else words.NO_RED_RISK)
        self.button.setText(words.SHOW_IT if findings else CLOSE)
        self.button.setAccessibleName(self.button.text())
        self.setAccessibleName(self._words.text())
        if bool(self._key) != was_open:
            self.set_theme(self._theme)
        if findings:
            said = [words.risks_left_out(mentions(left_out))] if left_out else []
            said += [words.told_wrongly(statements)] if wrong else []
            self._words.setText(f"{words.GROUPS[Harm.RISK]}: {' '.join(said)}")
            self.setAccessibleName(f"{words.WARNING}. {self._words.text()}")
            if self._words.text() != before:
                announce(self, self.accessibleName())
            self.button.setAccessibleName(words.SHOW_THE_FIRST_RISK if left_out else words.SHOW_IT)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
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
