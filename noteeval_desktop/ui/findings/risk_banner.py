"""The red banner: a danger in the session that the note does not address. It is not closed, it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Theme

_MOST_NAMED = 2
_TO_ADDRESS = "Address each one, link it to a sentence, or dismiss it with a reason."


def banner_words(count: int) -> str:
    """ "2 mentions of risk in the session are not found in the note." """
    if count == 1:
        return "1 mention of risk in the session is not found in the note."
    return f"{count} mentions of risk in the session are not found in the note."


def contradicted_words(statements: Sequence[str]) -> str:
    """ "Check what the note says on risk: “No suicidal thoughts.”" It may be unsupported, or contradicted."""
    named = ", ".join(f"“{shortened(one, 90)}”" for one in statements[:_MOST_NAMED])
    more = len(statements) - _MOST_NAMED
    return f"Check what the note says on risk: {named}{f' and {more} more' if more > 0 else ''}"


class RiskBanner(QFrame):
    """``show_asked(str)`` carries the key of the first finding."""

    show_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("risk_banner")
        self._key = ""
        self._sign, self._words = PlainLabel("⚠"), PlainLabel("", wrap=True)
        self._sign.setAccessibleName("Warning")
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
            said = [f"{banner_words(len(left_out))} {_TO_ADDRESS}"] if left_out else []
            said += [contradicted_words(statements)] if wrong else []
            self._key = findings[0].key
            self._words.setText(f"Risk: {' '.join(said)}")
            self.setAccessibleName(f"Warning. {self._words.text()}")
            if self._words.text() != before:
                announce(self, self.accessibleName())
            self.button.setAccessibleName(words.SHOW_THE_FIRST_RISK if left_out else words.SHOW_IT)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(
            f"#risk_banner {{ background: {theme.warning}; border: 1px solid {theme.red};"
            f" border-left: 6px solid {theme.red}; }}"
            f"#risk_banner QLabel {{ color: {theme.red}; background: transparent; font-weight: 600; }}"
        )
