"""A window with a case, a real endpoint on loopback, a keychain in memory, and the encoder at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import settings
from noteeval_desktop.engines import loopback
from noteeval_desktop.ui.judging import keys
from noteeval_desktop.ui.judging.consent_dialog import ConsentDialog
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.shell.main_window import MainWindow
from tests.keychain import InMemory
from tests.llm_answers import as_request, claims, sound
from tests.openai_server import Behaviour, Endpoint, serve

KEY = "key-of-the-test-4711"
SESSION = """Therapist: How have the evenings been, Wilma?
Client: I drink maybe twice a week now. 🙂 My neighbour Quenelda noticed it near Zorbinsk.
Therapist: Shall we meet next Tuesday?
Client: Yes, Tuesday works."""
NOTE = """Subjective:
Client 🙂 drinks less. Client drinks four times a week.

Objective:
Calm and oriented x3.

Plan:
Next session on Tuesday, said Quenelda.
"""


@pytest.fixture
def keychain() -> InMemory:
    return InMemory()


@pytest.fixture
def home(tmp_path: Path, encoder_path: Path, lent_encoder: None) -> Path:
    models = tmp_path / "home" / "models"
    models.mkdir(parents=True)
    (models / encoder_path.name).symlink_to(encoder_path)
    # What is around a judge is tested over all its questions.
    settings.save(settings.Settings(ask_everything=True), tmp_path / "home" / "settings.json")
    return tmp_path / "home"


@pytest.fixture
def window(home: Path, make_window, keychain: InMemory, monkeypatch, qtbot) -> MainWindow:
    """With a case that the scripted built-in judge has checked."""
    monkeypatch.setattr(keys, "Keys", lambda file: Keys(file, lambda: keychain))
    window = make_window()
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=20_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    return window


def answer(body: dict, _number: int) -> Behaviour:
    """Sound answers with a reason that looks like markup: it must be shown as it is."""
    request = as_request(body)
    if '"claims"' in request.question:
        text = claims(
            request, citations=[{"turn": 2, "quote": "twice a week now"}], reason="<b>The session</b> says so."
        )
        return Behaviour(content=text)
    if '"omissions"' in request.question:
        return Behaviour(content='{"dangers": [], "omissions": []}')
    return Behaviour(content=sound(request))


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The test server is on this computer, and stands for one that is not, but where a test is about that."""
    if request.node.get_closest_marker("here") is None:
        monkeypatch.setattr(loopback, "on_this_computer", lambda address, model="": False)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serve(answer) as served:
        yield served


def set_up(window: MainWindow, url: str, **changes: Any) -> None:
    """Name an endpoint in the settings, without the dialog."""
    window.keep_settings(replace(window.settings, base_url=url, remote_model="m", **changes))


def consent_dialog(window: MainWindow, qtbot) -> ConsentDialog:
    def shown() -> bool:
        permission = window.judging.permission
        return permission is not None and permission.dialog is not None and permission.dialog.isVisible()

    qtbot.waitUntil(shown, timeout=20_000)
    return window.judging.permission.dialog


def agree(dialog: ConsentDialog) -> None:
    dialog.agreement_chooser.setCurrentIndex(dialog.agreement_chooser.findData("yes"))
    dialog.send_button.click()


@contextmanager
def finished(window: MainWindow, qtbot) -> Iterator[None]:
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=100_000):
        yield
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)


def send(window, qtbot) -> None:
    with finished(window, qtbot):
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))


def slowly(body: dict, number: int) -> Behaviour:
    return replace(answer(body, number), delay=1.0)
