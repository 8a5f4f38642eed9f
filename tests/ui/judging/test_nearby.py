"""Models that servers on this computer offer: found, chosen with a click, asked without consent, tested first."""

from __future__ import annotations

import threading
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from PySide6.QtWidgets import QToolButton

from noteeval_desktop import settings as stored
from noteeval_desktop.domain.evaluation import JUDGES
from noteeval_desktop.engines.remote import nearby
from noteeval_desktop.engines.remote.nearby import servers_here
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.ui.judging.chooser import JudgeChooser, choice_line, choice_title
from tests.openai_server import Behaviour, serve
from tests.ui.judging.conftest import answer, finished
from tests.ui_texts import NOTE, SESSION

pytestmark = pytest.mark.here
NEVER = threading.Event()


def port_of(url: str) -> int:
    return urlsplit(url).port or 0


def test_who_answers_at_a_port_is_listed_and_who_does_not_is_left_out() -> None:
    offered = b'{"data": [{"id": "m"}, {"id": "gpt-oss:120b-cloud"}]}'
    with serve(lambda body, number: Behaviour(), models=offered) as endpoint:
        ports = (("Ollama", port_of(endpoint.url)), ("Jan", 1), ("vLLM", 2))
        (found,) = servers_here(NEVER, ports)
        assert len(endpoint.headers) == 1
        assert endpoint.requests == []
    assert (found.name, found.models) == ("Ollama", ("m",))
    assert servers_here(NEVER, ()) == ()


def opened(window, qtbot) -> JudgeChooser:
    window.commands["choose_judge"].trigger()
    chooser = window.findChildren(JudgeChooser)[-1]
    qtbot.waitUntil(lambda: not chooser.nearby_said.text().startswith("Looking"), timeout=10_000)
    return chooser


def test_the_judges_are_listed_though_the_models_file_cannot_be_asked_about(window, qtbot) -> None:
    """Of a name that is too long ``is_file`` raises, as of a folder that is closed or a share that is gone."""
    with qtbot.waitSignal(window.session.evaluation_finished):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    window.keep_settings(replace(window.settings, local_model=f"/{'m' * 300}.gguf"))
    assert "Roughly" in opened(window, qtbot).choices["local"].accessibleName()


def test_nothing_is_looked_for_before_the_choice_is_opened_and_nothing_found_is_said(
    window, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(answer) as endpoint:
        monkeypatch.setattr(nearby, "SERVERS", (("Ollama", port_of(endpoint.url)),))
        qtbot.waitUntil(lambda: not window.jobs.busy)
        assert endpoint.headers == []
        chooser = opened(window, qtbot)
        assert len(endpoint.headers) == 1
        assert chooser.nearby_said.text().startswith("Found on this computer")
        chooser.close()
    monkeypatch.setattr(nearby, "SERVERS", ())
    assert opened(window, qtbot).nearby_said.text().startswith("No running server")


def test_a_click_takes_the_model_which_is_tested_and_asked_without_consent(
    window, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested = []

    def admit_served(base_url: str, model: str, key: str, **_: object) -> Result:
        tested.append((base_url, model))
        return Result(dict.fromkeys(KINDS, (12, 12)))

    monkeypatch.setattr(making, "admit_served", admit_served)
    with serve(answer) as endpoint:
        port = port_of(endpoint.url)
        monkeypatch.setattr(nearby, "SERVERS", (("Ollama", port),))
        chooser = opened(window, qtbot)
        (button,) = (chooser.nearby.itemAt(n).widget() for n in range(chooser.nearby.count()))
        assert isinstance(button, QToolButton)
        assert button.accessibleName() == "Ollama: m."
        with finished(window, qtbot):
            button.click()
        assert window.judging.permission is None
        assert endpoint.requests
    assert tested == [(f"http://127.0.0.1:{port}/v1", "m")]
    assert "on this computer by m · nothing sent" in window.status.text
    kept, _ = stored.load()
    assert (kept.judge, kept.base_url, kept.remote_model) == ("remote", f"http://127.0.0.1:{port}/v1", "m")


@pytest.mark.parametrize("kind", JUDGES)
def test_each_choice_says_what_was_measured(kind: str) -> None:
    line = choice_line(kind, stored.Settings(), locked=False)
    measured = {"builtin": "4 of 10 mistakes", "local": "depends on the model", "remote": "98 of 100"}
    assert measured[kind] in line
    served = replace(stored.Settings(), base_url="http://localhost:11434/v1", remote_model="llama3.1:8b")
    assert choice_line("remote", served, locked=False).startswith("Nothing leaves this computer.")
    assert choice_title("remote", served) == "Server on this computer: llama3.1:8b"
    passed_on = replace(served, remote_model="gpt-oss:120b-cloud")
    assert choice_line("remote", passed_on, locked=False).startswith("Sends the case")


@pytest.mark.first_start
def test_after_the_first_check_the_choice_is_offered_once(make_window, qtbot) -> None:
    window = make_window()
    with finished(window, qtbot):
        window.commands["open_sample"].trigger()
    assert window.banner.text.startswith("This was the quick check")
    assert stored.load()[0].told_of_judges
    window.banner.hide()
    with finished(window, qtbot):
        window.session.check()
    assert not window.banner.text.startswith("This was the quick check")
