"""Settings are written off the GUI thread, and the last choice is there after closing."""

from __future__ import annotations

import threading
from dataclasses import replace

from noteeval_desktop import settings
from noteeval_desktop.settings import Settings


def test_a_choice_is_on_the_disk_without_closing(window, qtbot):
    window.commands["larger"].trigger()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert settings.load()[0].font_size == 16


def test_the_last_choice_before_closing_is_kept(window):
    for _ in range(3):
        window.commands["larger"].trigger()
    window.commands["dark"].trigger()
    window.close()
    kept, _ = settings.load()
    assert (kept.font_size, kept.theme) == (18, "dark")
    assert kept.layout


def test_nothing_is_written_on_the_gui_thread(window, qtbot):
    threads = []
    window.save_settings = lambda _: threads.append(threading.current_thread())
    window.keep_settings(Settings())
    qtbot.waitUntil(lambda: bool(threads))
    window.close()
    assert len(threads) == 2
    assert threading.main_thread() not in threads


def test_settings_that_cannot_be_written_are_told_and_hold(window, qtbot, capsys):
    def fail(_: Settings) -> None:
        raise OSError(28, "No space left on device")

    window.save_settings = fail
    window.keep_settings(replace(window.settings, theme="dark"))
    qtbot.waitUntil(lambda: "No space left" in window.banner.text)
    assert window.settings.theme == "dark"
    window.close()
    assert "No space left" in capsys.readouterr().err
