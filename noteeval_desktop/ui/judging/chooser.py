"""The list under "Judge": the three kinds, each with what it means for privacy, time and cost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from noteeval_desktop.domain.evaluation import BUILTIN, JUDGES, LOCAL, REMOTE
from noteeval_desktop.domain.phrases import counted, duration, tr
from noteeval_desktop.privacy import consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.judging.desk import JudgeDesk
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.parts import button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UNIT
from noteeval_desktop.ui.widgets.words import SETTINGS

if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.nearby import Server
_AVAILABLE_ONCE_TWO_JUDGES_HAVE = tr("You can compare once two judges have checked this note.")
_WIDTH = 76 * UNIT
_MOST_NEARBY = 8
# Measured: see resources/help/trust.md.
_FINDS = {
    BUILTIN: tr("Finds about 4 of 10 mistakes, doubts 1 true sentence in 11."),
    LOCAL: tr("How many mistakes it finds depends on the model, which a test of 90 questions shows."),
    REMOTE: tr("On sixteen made-up notes a large model found 98 of 100 mistakes and doubted 2 of 100 true sentences."),
}


def choice_title(kind: str, settings: Settings) -> str:
    local, model = shortened(Path(settings.local_model).stem, 40), shortened(settings.remote_model, 40)
    if kind == LOCAL and settings.local_model:
        return tr("Local model: {model}").format(model=local)
    if kind == REMOTE and settings.remote_model and status.answers_here(settings):
        return tr("Server on this computer: {model}").format(model=model)
    if kind == REMOTE and settings.base_url and settings.remote_model:
        host = shortened(status.host(settings.base_url), 40)
        return tr("Online AI service: {model} at {host}").format(model=model, host=host)
    return JUDGES[kind] if kind == BUILTIN else f"{JUDGES[kind]}…"


def choice_line(kind: str, settings: Settings, locked: bool, seconds: float | None = None) -> str:
    """Privacy, time and cost in one line; ``seconds`` is a guess for the case that is open."""
    return f"{_means(kind, settings, locked, seconds)} {_FINDS[kind]}"


def _means(kind: str, settings: Settings, locked: bool, seconds: float | None) -> str:
    if kind == BUILTIN:
        return tr("Nothing leaves this computer. A few seconds. Free. Checks while you type.")
    if kind == LOCAL and not settings.local_model:
        return tr("Nothing leaves this computer. Needs a one-time download. Free.")
    if kind == LOCAL:
        taken = tr("Takes a few minutes")
        if seconds:
            taken = tr("Roughly {time} for this case").format(time=duration(seconds))
        if settings.full_check_minutes:
            taken += tr(", stops after {minutes}").format(minutes=counted(settings.full_check_minutes, "minute"))
        gpu = tr(" With the graphics processor.") if settings.local_gpu else ""
        return tr("Nothing leaves this computer. {taken}.{gpu} Free.").format(taken=taken, gpu=gpu)
    if locked:
        return tr("Switched off in the settings.")
    if status.answers_here(settings):
        return tr("Nothing leaves this computer. Free.")
    if not (settings.base_url and settings.remote_model):
        return tr("Sends the case, with identifiers masked, to a service you choose. Not set up yet.")
    sends = tr("Sends the case, with identifiers masked, after you have seen it. Usually under a minute.")
    known = settings.price_input and settings.price_output
    return f"{sends} {tr('The cost follows from your prices.') if known else tr('Cost unknown.')}"


class _Choice(QToolButton):
    """A judge: its name and one line. The texts are labels, so that they wrap."""

    def __init__(self, title: str, line: str, chosen: bool) -> None:
        super().__init__()
        self.setProperty("look", "choice")
        self.setCheckable(True)
        self.setChecked(chosen)
        self.setAutoExclusive(True)
        self.setAccessibleName(f"{title}. {line}".strip())
        labels = [PlainLabel(("●  " if chosen else "○  ") + title, look="heading")]
        labels += [PlainLabel(line, "muted", True)] if line else []
        for label in labels:
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._labels = column(*labels, on=self, margins=(1.5, 1, 1.5, 1), spacing=0.25)
        self._texts = labels

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
        self.setWindowTitle(tr("Judges"))
        self._server = (settings.base_url, settings.remote_model) if kind == REMOTE else ("", "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        layout.setSpacing(UNIT // 2)
        self.choices: dict[str, _Choice] = {}
        for name in JUDGES:
            line = choice_line(name, settings, locked, seconds)
            choice = _Choice(choice_title(name, settings), line, name == kind)
            choice.clicked.connect(lambda _=False, name=name: self._choose(self.chosen, name))
            layout.addWidget(choice)
            self.choices[name] = choice
        self.nearby = QVBoxLayout()
        self.nearby_said = PlainLabel(tr("Looking for language models on this computer…"), look="muted", wrap=True)
        layout.addWidget(self.nearby_said)
        layout.addLayout(self.nearby)
        self.settings_button = button(SETTINGS, lambda: self._choose(self.settings_asked), height=HIT)
        compare = tr("Compare two judges…")
        self.compare_button = button(compare, lambda: self._choose(self.compare_asked), height=HIT)
        self.compare_button.setEnabled(comparable)
        layout.addLayout(row(self.settings_button, self.compare_button, None))
        if not comparable:
            # In sight: what is disabled takes no focus, and a tooltip needs a pointer.
            explain(self.compare_button, _AVAILABLE_ONCE_TWO_JUDGES_HAVE)
            layout.addWidget(PlainLabel(_AVAILABLE_ONCE_TWO_JUDGES_HAVE, look="muted", wrap=True))
        self.choices[kind].setFocus(Qt.FocusReason.PopupFocusReason)

    def show_nearby(self, servers: Sequence[Server]) -> None:
        """Models that servers on this computer offer, a button each."""
        found = [(server, model) for server in servers for model in server.models][:_MOST_NEARBY]
        self.nearby_said.setText(
            tr(
                "Found on this computer: no key, free, and nothing leaves it unless that program "
                "passes questions on. Before first use a model takes a test of 90 questions."
            )
            if found
            else tr(
                "No running server with language models was found on this computer (Ollama, LM Studio and the like)."
            )
        )
        for server, model in found:
            title = f"{server.name}: {shortened(model, 40)}"
            choice = _Choice(title, "", self._server == (server.base_url, model))
            offered = partial(self._choose, self.server_chosen, server.base_url, model)
            choice.clicked.connect(lambda _=False, offered=offered: offered())
            self.nearby.addWidget(choice)
            choice.show()
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.adjustSize()

    def _choose(self, chosen: SignalInstance, *what: str) -> None:
        self.close()
        chosen.emit(*what)

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
        whole = 0
        with suppress(OSError):  # not there, or on a disk that does not answer
            whole = model.stat().st_size
        speed = KnownModels.of_this_user().speed(model) or guessed(whole)
        seconds = estimate.seconds(size, speed, responses=session.reads_responses)
    locked, window = consent.load().locked, under.window()
    chooser = JudgeChooser(desk.kind, settings, locked, seconds, desk.comparable() is not None, window)
    chooser.chosen.connect(desk.choose)
    chooser.server_chosen.connect(desk.choose_server)
    chooser.settings_asked.connect(desk.open_settings)
    chooser.compare_asked.connect(desk.compare)
    chooser.adjustSize()
    chooser.move(under.mapToGlobal(QPoint(under.width() - chooser.width(), under.height() + 2)))
    chooser.show()
    chooser.activateWindow()

    def work(cancel: threading.Event, emit: Emit) -> tuple[Server, ...]:
        # Here, not above: the client of endpoints takes a tenth of a second to load.
        from noteeval_desktop.engines.remote.nearby import servers_here

        return servers_here(cancel)

    show = chooser.show_nearby
    jobs.submit(Lane.ASIDE, "look_nearby", work, show, lambda _: show(()), owner=chooser)
    return chooser
