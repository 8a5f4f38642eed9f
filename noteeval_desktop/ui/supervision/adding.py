"""A risk that no judge listed: the supervisor adds it at the turn that the session stands at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.present.vocabulary import RISK_NAMES
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
        turn = index.row()
        self._fill(risk_words.add_as_a_risk(turn), lambda kind: self._add(kind, turn))
        self.menu.popup(
            window.transcript.view.viewport().mapToGlobal(window.transcript.view.visualRect(index).center())
        )

    def ask_kind(self) -> None:
        """Which danger the passage at hand is, where the list has it as another."""
        window, place = self._window, self._window.round.marking.place
        if window.round.stage is not Stage.RISK or place is None or not window.round.marking.review.blind:
            return
        self._fill(risk_words.another_kind(int(place.id)), lambda kind: self._name(kind, int(place.id)))
        self.menu.popup(window.panel.mapToGlobal(window.panel.rect().center()))

    def _fill(self, asked: str, act: Callable[[RiskKind], object]) -> None:
        self.menu.clear()
        self.menu.addAction(asked).setEnabled(False)
        self.menu.addSeparator()
        for kind in RiskKind:
            action = QAction(RISK_NAMES[kind], self.menu)
            action.triggered.connect(lambda _=False, kind=kind: act(kind))
            self.menu.addAction(action)

    def _name(self, kind: RiskKind, turn: int) -> None:
        window = self._window
        window.round.marking.name_risk(kind)
        window.changed()
        window.banner.say(risk_words.it_is(kind, turn))

    def _add(self, kind: RiskKind, turn: int) -> None:
        window = self._window
        window.round.marking.add_risk(kind, turn)
        window.go_to(Stage.RISK)
        window.changed()
        window.banner.say(risk_words.risk_added(kind, turn))
