"""The red banner: a danger in the session that the note does not address. It is not closed, it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.findings.risk import mentions
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Theme


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
        self.button.clicked.connect(lambda: self.show_asked.emit(self._key))
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
        return self._words.text() if not self.isHidden() else ""

    def show_risks(self, left_out: Sequence[Finding], wrong: Sequence[Finding], statements: Sequence[str]) -> None:
        """``left_out``: risks that the note does not address; ``wrong``: its own ``statements`` on risk that the
        session does not bear out."""
        findings, before = (*left_out, *wrong), self.text
        self.setHidden(not findings)
        self._words.clear()
        if findings:
            said = [words.risks_left_out(mentions(left_out))] if left_out else []
            said += [words.told_wrongly(statements)] if wrong else []
            self._key = findings[0].key
            self._words.setText(f"{words.GROUPS[Harm.RISK]}: {' '.join(said)}")
            self.setAccessibleName(f"{words.WARNING}. {self._words.text()}")
            if self._words.text() != before:
                announce(self, self.accessibleName())
            self.button.setAccessibleName(words.SHOW_THE_FIRST_RISK if left_out else words.SHOW_IT)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(
            f"#risk_banner {{ background: {theme.warning}; border: 1px solid {theme.red};"
            f" border-left: 6px solid {theme.red}; }}"
            f"#risk_banner QLabel {{ color: {theme.red}; background: transparent; font-weight: 600; }}"
        )
