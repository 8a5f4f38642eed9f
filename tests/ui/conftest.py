"""A window around a scripted judge: no model, no network, its own data folder."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from typing_extensions import override

from noteeval_desktop import app, documents
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Severity,
    Verdict,
)
from noteeval_desktop.engines.remote import nearby
from noteeval_desktop.store import keyed_file
from noteeval_desktop.store.keyed_file import FileKeys
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.judging import desk
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.widgets.plain import Application
from tests.keychain import InMemory
from tests.scripted_judge import ScriptedJudge
from tests.ui_texts import NOTE, SESSION


class NoteJudge(ScriptedJudge):
    """Says what the words of each sentence make plain, so that an edited note gets other verdicts."""

    def need(self, case, cancel):
        for sentence in case.note.sentences:
            yield NeedVerdict(sentence.id, "weather" not in sentence.text, 0.9, Confidence.LIKELY)

    def support(self, case, cancel):
        for sentence in case.note.sentences:
            yield _claim(sentence.id, sentence.text, case)

    def omit(self, case, claims, cancel):
        for turn in case.transcript.turns:
            if "Sometimes" in turn.text:
                yield Omission(cite(turn), OmissionKind.RISK, Severity.HIGH, "general-safety")


def _claim(sentence, text, case):
    if "four times" in text:
        reason = "The session says twice; the note says four times."
        return ClaimVerdict(
            sentence,
            Verdict.CONTRADICTED,
            0.1,
            Confidence.SURE,
            Severity.HIGH,
            reason,
            (cite(case.transcript.turns[1]),),
        )
    if "oriented" in text:
        return ClaimVerdict(sentence, Verdict.OBSERVED, 0.2, Confidence.SURE)
    return ClaimVerdict(sentence, Verdict.SUPPORTED, 0.9, Confidence.LIKELY)


@pytest.fixture(scope="session")
def qapp_cls() -> type[Application]:
    return Application


class PatientBot(QtBot):
    """Waits at least a minute for what comes soon: a busy machine is slow, and no time is asserted in tests."""

    @override
    def waitUntil(self, callback, *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=max(timeout, 60_000))

    @override
    def waitSignal(self, signal, *, timeout: int = 0, **options):
        return super().waitSignal(signal, timeout=max(timeout, 60_000), **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def told_before(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """What is said once after the first check of all was said; nothing listens at the usual ports of models."""
    if request.node.get_closest_marker("first_start") is None:
        monkeypatch.setattr(desk.JudgeDesk, "_tell_once", lambda self: None)
    monkeypatch.setattr(nearby, "SERVERS", ())


@pytest.fixture(scope="session", autouse=True)
def in_our_style(qapp: QApplication) -> Iterator[None]:
    """Without a screen Qt keeps what was copied beyond the end of Python, and dies of it."""
    qapp.setStyle("Fusion")
    yield
    qapp.clipboard().clear()


@pytest.fixture
def note() -> Note:
    return documents.parse_note(NOTE)


@pytest.fixture
def judge(rubric: Rubric) -> NoteJudge:
    items = [
        ItemVerdict(item.id, item.section, item.importance, item.id != "subjective-history", 0.8, Confidence.LIKELY)
        if item.id != "subjective-history"
        else ItemVerdict(item.id, item.section, item.importance, False, 0.1, Confidence.SURE, (), (1, 3))
        for item in rubric.items
    ]
    return NoteJudge(items=items)


MakeWindow = Callable[..., MainWindow]


@pytest.fixture
def make_window(
    qapp: Application, qtbot, judge: NoteJudge, rubric: Rubric, tmp_path: Path, monkeypatch, parsed_here
) -> Iterator[MakeWindow]:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path / "home"))
    keychain = InMemory()
    # Of its own: a test that undoes its patches is not to be asked questions.
    own = pytest.MonkeyPatch()
    own.setattr(keyed_file, "FileKeys", lambda folder, _: FileKeys(folder, lambda: keychain))
    own.setattr(Unsaved, "ask", discard)
    made: list[MainWindow] = []

    def make(theme: str | None = "light", load=lambda: judge) -> MainWindow:
        window = app.make_window(qapp, rubric, load, theme)
        window.resize(1280, 800)
        made.append(window)
        window.show()
        qtbot.waitUntil(lambda: not window.jobs.busy)
        return window

    yield make
    for window in made:
        window.unsaved.ask = lambda asks: QDialog.DialogCode.Accepted  # type: ignore[method-assign]
        window.library.locking.away = None
        window.close()
        # Windows that live on are restyled with each new one: a run of hundreds would take ever longer.
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    own.undo()


def discard(_: Unsaved, __: object) -> QDialog.DialogCode:
    """The answer of whoever does not test the question before something is lost."""
    return QDialog.DialogCode.Accepted


@pytest.fixture
def window(make_window: MakeWindow) -> MainWindow:
    return make_window()


@pytest.fixture
def opened(window: MainWindow, qtbot) -> MainWindow:
    """A window with a case that has been checked."""
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    return window


@pytest.fixture
def encoder_here(tmp_path: Path, encoder_path: Path, lent_encoder: None) -> None:
    """The sentence encoder is on this computer, as everywhere where something was checked."""
    models = tmp_path / "home" / "models"
    models.mkdir(parents=True)
    (models / encoder_path.name).symlink_to(encoder_path)
