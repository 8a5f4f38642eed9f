"""The list under "Judge": the three kinds, each with what it means for privacy, time and cost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from noteeval_desktop.privacy import consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.judging import words
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane, while_alive
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import SETTINGS

if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.nearby import Server
    from noteeval_desktop.ui.judging.desk import JudgeDesk

_WIDTH = 76 * UNIT
_MOST_NEARBY = 8
_LOOK_NEARBY = "look_nearby"


class _Choice(QToolButton):
    """A judge: its name and one line. The texts are labels, so that they wrap."""

    def __init__(self, title: str, line: str, chosen: bool) -> None:
        super().__init__()
        self.setProperty("look", "choice")
        self.setCheckable(True)
        self.setChecked(chosen)
        self.setAutoExclusive(True)
        self.setAccessibleName(f"{title}. {line}".strip())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT + 4, UNIT, UNIT + 4, UNIT)
        layout.setSpacing(2)
        labels = [PlainLabel(("●  " if chosen else "○  ") + title, look="heading")]
        labels += [PlainLabel(line, "muted", True)] if line else []
        for label in labels:
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            layout.addWidget(label)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._labels, self._texts = layout, labels

    def sizeHint(self) -> QSize:
        """Of the texts: the style sheet would have it as high as one line, and before it is shown in another font."""
        labels = self._texts
        for label in labels:
            label.ensurePolished()
        margins = self._labels.contentsMargins()
        inside = _WIDTH - margins.left() - margins.right()
        texts = sum(max(label.heightForWidth(inside), label.minimumSizeHint().height()) for label in labels)
        height = texts + self._labels.spacing() * (len(labels) - 1) + margins.top() + margins.bottom()
        return QSize(_WIDTH, max(HIT, height))


class JudgeChooser(QDialog):
    """Closes with a choice, Esc or a click elsewhere. Arrow keys go from one judge to the next.

    No popup: Qt leaves those out of what screen readers walk through.
    """

    chosen = Signal(str)
    server_chosen = Signal(str, str)
    settings_asked = Signal()
    compare_asked = Signal()

    def __init__(
        self, kind: str, settings: Settings, locked: bool, seconds: float | None, comparable: bool, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("chooser")
        self.setWindowTitle(words.JUDGES)
        self._server = (settings.base_url, settings.remote_model) if kind == words.REMOTE else ("", "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        layout.setSpacing(UNIT // 2)
        self.choices: dict[str, _Choice] = {}
        for name in words.KINDS:
            line = words.choice_line(name, settings, locked, seconds)
            choice = _Choice(words.choice_title(name, settings), line, name == kind)
            choice.clicked.connect(lambda _=False, name=name: self._choose(name))
            layout.addWidget(choice)
            self.choices[name] = choice
        self.nearby = QVBoxLayout()
        self.nearby_said = PlainLabel(words.LOOKING_FOR_MODELS, look="muted", wrap=True)
        layout.addWidget(self.nearby_said)
        layout.addLayout(self.nearby)
        row = QHBoxLayout()
        self.settings_button, self.compare_button = QPushButton(SETTINGS), QPushButton(words.COMPARE_TWO_JUDGES)
        for button, signal in ((self.settings_button, self.settings_asked), (self.compare_button, self.compare_asked)):
            button.setMinimumHeight(HIT)
            button.setAutoDefault(False)
            button.clicked.connect(self.close)
            button.clicked.connect(signal)
            row.addWidget(button)
        self.compare_button.setEnabled(comparable)
        row.addStretch(1)
        layout.addLayout(row)
        if not comparable:
            # In sight: what is disabled takes no focus, and a tooltip needs a pointer.
            explain(self.compare_button, words.AVAILABLE_ONCE_TWO_JUDGES_HAVE)
            layout.addWidget(PlainLabel(words.AVAILABLE_ONCE_TWO_JUDGES_HAVE, look="muted", wrap=True))
        self.choices[kind].setFocus(Qt.FocusReason.PopupFocusReason)

    def show_nearby(self, servers: Sequence[Server]) -> None:
        """Models that servers on this computer offer, a button each."""
        found = [(server, model) for server in servers for model in server.models][:_MOST_NEARBY]
        self.nearby_said.setText(words.MODELS_OF_THIS_COMPUTER if found else words.NO_SERVER_HERE)
        for server, model in found:
            title = words.served_title(server.name, model)
            choice = _Choice(title, "", self._server == (server.base_url, model))
            choice.clicked.connect(lambda _=False, url=server.base_url, model=model: self._choose_server(url, model))
            self.nearby.addWidget(choice)
            choice.show()
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.adjustSize()

    def _choose_server(self, url: str, model: str) -> None:
        self.close()
        self.server_chosen.emit(url, model)

    def _choose(self, name: str) -> None:
        self.close()
        self.chosen.emit(name)

    def open_under(self, button: QWidget) -> None:
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + 2))
        self.move(corner)
        self.show()
        self.activateWindow()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowDeactivate:
            self.close()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.focusNextChild()
            case Qt.Key.Key_Up:
                self.focusPreviousChild()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                focused = self.focusWidget()
                if isinstance(focused, QToolButton | QPushButton):
                    focused.click()
            case Qt.Key.Key_Escape:
                self.close()
            case _:
                super().keyPressEvent(event)


def open_chooser(
    desk: JudgeDesk, session: CaseSession, settings: Settings, jobs: JobRunner, under: QWidget
) -> JudgeChooser:
    """Loading what it tells of can take a moment on a busy computer, which the pointer says."""
    QGuiApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
    try:
        return _opened(desk, session, settings, jobs, under)
    finally:
        QGuiApplication.restoreOverrideCursor()


def _opened(desk: JudgeDesk, session: CaseSession, settings: Settings, jobs: JobRunner, under: QWidget) -> JudgeChooser:
    # Here, not above: a window that starts with the built-in judge needs none of it.
    from noteeval_desktop.engines.local_llm.speed import guessed
    from noteeval_desktop.judges.llm import estimate
    from noteeval_desktop.judges.llm.known_models import KnownModels

    seconds = None
    if session.evaluation is not None and settings.local_model:
        size, model = estimate.Size.of(session.evaluation.case), Path(settings.local_model)
        measured = KnownModels.of_this_user().speed(model)
        speed = measured or guessed(words.file_size(settings.local_model))
        seconds = estimate.seconds(size, speed, responses=session.reads_responses)
    locked, window = consent.load().locked, under.window()
    chooser = JudgeChooser(desk.kind, settings, locked, seconds, desk.comparable() is not None, window)
    chooser.chosen.connect(desk.choose)
    chooser.server_chosen.connect(desk.choose_server)
    chooser.settings_asked.connect(desk.open_settings)
    chooser.compare_asked.connect(desk.compare)
    chooser.open_under(under)
    _look_nearby(chooser, jobs)
    return chooser


def _look_nearby(chooser: JudgeChooser, jobs: JobRunner) -> None:
    def work(cancel: threading.Event, emit: Emit) -> object:
        # Here, not above: the client of endpoints takes a tenth of a second to load.
        from noteeval_desktop.engines.remote.nearby import servers_here

        return servers_here(cancel)

    def found(servers: object) -> None:
        assert isinstance(servers, tuple)
        chooser.show_nearby(servers)

    nothing = while_alive(chooser, lambda _: chooser.show_nearby(()))
    jobs.submit(Lane.ASIDE, _LOOK_NEARBY, work, while_alive(chooser, found), nothing)
