"""The note beside a reference note, over the real encoder."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path

import pytest

from noteeval_desktop.engines import models
from noteeval_desktop.judges import making
from noteeval_desktop.judges.reference_scores import METRICS
from noteeval_desktop.ui.judging.reference_window import SHOWN, ReferenceWindow

NOTE = "Subjective:\nClient drinks four times a week. Client sleeps badly. 🙂\n"


@pytest.fixture
def shown(window, qtbot):
    made = ReferenceWindow(window.jobs, lambda: NOTE, window)
    qtbot.addWidget(made)
    made.show()
    return made


def values(shown: ReferenceWindow) -> dict[str, str]:
    return {name: shown.table.item(row, 1).text() for row, name in enumerate(SHOWN)}


def compare(shown: ReferenceWindow, path: Path, qtbot) -> None:
    shown.compare(path)
    assert not shown.choose.isEnabled()
    qtbot.waitUntil(shown.choose.isEnabled, timeout=60_000)


def test_nothing_is_computed_before_a_reference_is_chosen(shown) -> None:
    assert set(values(shown).values()) == {""}
    assert shown.said.text() == (
        "Choose another note of the same session, such as a colleague's or an earlier version."
    )
    assert set(SHOWN) <= set(METRICS)


def test_the_same_note_agrees_with_itself_and_another_less(shown, qtbot, tmp_path, encoder_path) -> None:
    path = tmp_path / "Kollegin’s note.md"
    path.write_text(NOTE, "utf-8")
    compare(shown, path, qtbot)
    assert shown.said.text() == "Compared with Kollegin’s note.md."
    same = values(shown)
    assert same["Edit-Distance"] == "0.00"
    assert {same[name] for name in ("ROUGE-1-F", "BLEU", "chrF", "BERTScore-F", "SBERTScore-F")} == {"1.00"}
    path.write_text("Plan:\nNext session on Tuesday.\n", "utf-8")
    compare(shown, path, qtbot)
    other = values(shown)
    assert float(other["Edit-Distance"]) > 0.5
    assert all(float(other[name]) < 0.9 for name in ("ROUGE-1-F", "BLEU", "chrF", "BERTScore-F", "SBERTScore-F"))


def test_a_file_that_cannot_be_read_is_said_and_another_can_be_chosen(shown, qtbot, tmp_path) -> None:
    compare(shown, tmp_path / "gone.md", qtbot)
    assert shown.said.text().startswith("gone.md")
    assert set(values(shown).values()) == {""}


def test_without_the_encoder_it_says_how_to_go_on(shown, qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(models, "encoder_path", lambda: tmp_path / "none.gguf")
    path = tmp_path / "note.md"
    path.write_text(NOTE, "utf-8")
    compare(shown, path, qtbot)
    assert shown.said.text() == "The built-in judge is not set up yet. Check the note once, then compare again."


def test_what_is_not_installed_is_said_and_the_rest_is_shown(shown, qtbot, tmp_path, encoder_path, monkeypatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "rouge_score" else find(name))
    path = tmp_path / "note.md"
    path.write_text(NOTE, "utf-8")
    compare(shown, path, qtbot)
    assert shown.said.text() == (
        "The first six rows need packages that are not installed here. Install the extra “measure”."
    )
    found = values(shown)
    assert [found[name] for name in list(SHOWN)[:6]] == ["–"] * 6
    assert found["SBERTScore-F"] == "1.00"


def test_it_is_computed_off_the_gui_thread_and_dropped_with_the_dialog(window, qtbot, tmp_path, monkeypatch) -> None:
    shown = ReferenceWindow(window.jobs, lambda: NOTE, window)
    threads, going, go_on = [], threading.Event(), threading.Event()

    def slow(closing, size):
        threads.append(threading.current_thread())
        going.set()
        assert go_on.wait(20)
        raise AssertionError("what it found after the dialog was closed is nobody's")

    monkeypatch.setattr(making, "encoder", slow)
    path = tmp_path / "note.md"
    path.write_text(NOTE, "utf-8")
    shown.compare(path)
    assert going.wait(20)
    shown.close()
    go_on.set()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert threads[0] is not threading.main_thread()


def test_the_command_needs_a_case_and_compares_its_note(window, make_window) -> None:
    assert not make_window().commands["compare_reference"].isEnabled()
    window.commands["compare_reference"].trigger()
    (made,) = window.findChildren(ReferenceWindow)
    assert made.isVisible()
    assert made._note_text() == window.workspace.editor.note_text() != ""
