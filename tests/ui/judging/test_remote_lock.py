"""The lock on remote judging: put on at any time, nothing more is sent."""

from __future__ import annotations

import threading
from dataclasses import replace

from noteeval_desktop.privacy import consent
from tests.openai_server import serve
from tests.ui.judging.conftest import agree, consent_dialog, send, set_up, slowly


def test_the_lock_stops_everything_and_says_so(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    consent.save(consent.RemoteRules(locked=True).agreed(endpoint.url, consent.Agreement.YES))
    window.judging.choose("remote")
    assert "switched off" in window.banner.text
    assert window.judging.kind == "builtin"
    assert endpoint.requests == []


def test_a_lock_put_on_after_consent_holds(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    count = len(endpoint.requests)
    consent.save(consent.RemoteRules(locked=True))
    window.session.check()
    assert "switched off" in window.banner.text
    assert len(endpoint.requests) == count


def test_the_lock_put_on_in_the_settings_stops_what_is_being_sent(window, qtbot) -> None:
    with serve(slowly) as endpoint:
        set_up(window, endpoint.url, remote_jobs=1)
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
        qtbot.waitUntil(lambda: bool(endpoint.requests), timeout=20_000)
        dialog = window.judging.open_settings("remote")
        dialog.remote.lock.setChecked(True)
        dialog.save.click()
        qtbot.waitUntil(lambda: consent.load().locked, timeout=5000)
        qtbot.waitUntil(lambda: not window.session.checking, timeout=2000)
        count = len(endpoint.requests)
        qtbot.wait(1500)
        assert len(endpoint.requests) == count
    assert "Stopped" in window.banner.text


def test_the_lock_and_what_was_withdrawn_are_written_off_the_gui_thread(window, endpoint, qtbot, monkeypatch) -> None:
    other = "https://elsewhere.example/v1"
    rules = consent.RemoteRules().agreed(endpoint.url, consent.Agreement.YES).agreed(other, consent.Agreement.NO)
    consent.save(rules)
    save, threads = consent.save, []

    def watched(rules: consent.RemoteRules) -> None:
        threads.append(threading.current_thread())
        save(rules)

    monkeypatch.setattr(consent, "save", watched)
    set_up(window, endpoint.url)
    dialog = window.judging.open_settings("remote")
    dialog.remote.withdraw.click()
    dialog.remote.lock.setChecked(True)
    with qtbot.waitSignal(dialog.settings_chosen, timeout=5000):
        dialog.save.click()
    assert threads
    assert threading.main_thread() not in threads
    assert consent.load() == replace(rules.withdrawn(endpoint.url), locked=True)


def test_a_lock_that_cannot_be_written_leaves_the_settings_open(window, endpoint, qtbot, monkeypatch) -> None:
    def full(rules: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(consent, "save", full)
    dialog = window.judging.open_settings("remote")
    dialog.remote.lock.setChecked(True)
    dialog.save.click()
    qtbot.waitUntil(lambda: "could not be kept" in dialog.said.text())
    assert dialog.isVisible()
    assert dialog.save.isEnabled()
    dialog.reject()
