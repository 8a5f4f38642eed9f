"""A risk that no judge listed: the supervisor adds it at the turn that the session stands at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.ui.findings.words import RISK_NAMES
from noteeval_desktop.ui.supervision import risk_words
from noteeval_desktop.ui.supervision.round import Stage

if TYPE_CHECKING:
    from noteeval_desktop.ui.supervision.window import ReviewWindow


class AddRisk:
    """A menu of the dangers, by a key or by a right click on the turn."""

    def __init__(self, window: ReviewWindow) -> None:
        self._window, self.menu = window, QMenu(window)
        view = window.transcript.view
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(lambda _: self.ask())

    def ask(self) -> None:
        window, index = self._window, self._window.transcript.view.currentIndex()
        if not window.round.marking.review.blind:
            return
        if not index.isValid():
            window.banner.say(risk_words.CHOOSE_A_TURN)
            return
        self.menu.clear()
        self.menu.addAction(risk_words.add_as_a_risk(index.row())).setEnabled(False)
        self.menu.addSeparator()
        self.menu.addActions([self._action(kind, index.row()) for kind in RiskKind])
        self.menu.popup(
            window.transcript.view.viewport().mapToGlobal(window.transcript.view.visualRect(index).center())
        )

    def _action(self, kind: RiskKind, turn: int) -> QAction:
        action = QAction(RISK_NAMES[kind], self.menu)
        action.triggered.connect(lambda: self._add(kind, turn))
        return action

    def _add(self, kind: RiskKind, turn: int) -> None:
        window = self._window
        window.round.marking.add_risk(kind, turn)
        window.go_to(Stage.RISK)
        window.changed()
        window.banner.say(risk_words.risk_added(kind, turn))
