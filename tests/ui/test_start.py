"""The first screen comes before the engines: what takes long to load is loaded when it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QDialog

from noteeval_desktop import app, exports, paths, settings
from noteeval_desktop.documents import read_transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.store import keyed_file
from noteeval_desktop.store.keyed_file import FileKeys
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.shell.main_window import MainWindow
from tests.keychain import InMemory

_LOADED = """
import sys
from noteeval_desktop import app
print("\\n".join(sys.modules))
"""


def test_it_opens_on_the_sample_until_a_case_is_kept(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(paths, "data_folder", lambda: tmp_path)
    first, sample = app._options(["--first"]), app._options(["--sample"])
    assert app.shows_sample(first)
    (tmp_path / "library").mkdir()
    assert not app.shows_sample(first)
    assert app.shows_sample(sample)


def test_a_screen_reader_is_told_that_the_words_are_english() -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale(QLocale.Language.German))
        app.speak_english()
        assert QLocale().language() is QLocale.Language.English
    finally:
        QLocale.setDefault(before)


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    done = subprocess.run([sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True, timeout=60)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "heavy",
    [
        "numpy",
        "llama_cpp",
        "openai",
        "httpcore2",
        "httpx2",
        "keyring",
        "cryptography",
        "sqlcipher3",
        "reportlab",
        "pypdfium2",
        "pysbd",
        "docx",
        "pypdf",
        "PySide6.QtPrintSupport",
        "PySide6.QtSvg",
        "noteeval_desktop.domain.transcript",
        "noteeval_desktop.judges.builtin",
        "noteeval_desktop.documents",
        "noteeval_desktop.domain.evaluation",
        "noteeval_desktop.evaluate",
        "noteeval_desktop.ui.case.workspace",
        "noteeval_desktop.ui.library.desk",
        "noteeval_desktop.ui.supervision.desk",
    ],
)
def test_the_first_screen_loads_no_engine(loaded: set[str], heavy: str) -> None:
    assert heavy not in loaded


def test_what_is_asked_of_the_frame_waits_for_the_rooms_and_is_done(frame, qtbot) -> None:
    assert "session" not in vars(frame)
    frame.empty.sample_button.click()
    assert frame.session.label == "Sample case (fictional)"
    qtbot.waitUntil(lambda: frame.session.ready)


def test_the_rooms_are_built_once_the_frame_is_shown(frame, qtbot) -> None:
    with qtbot.waitSignal(frame.built, timeout=10_000):
        frame.build_soon()
    session = frame.session
    assert frame.build().session is session
    assert frame.workspace.parent() is frame.pages


def test_a_frame_that_is_closed_before_its_rooms_are_there_keeps_the_layout(frame, qtbot) -> None:
    frame.build_soon()
    frame.close()
    assert settings.load()[0].layout


@pytest.fixture
def frame(qapp, qtbot, rubric, judge, tmp_path, monkeypatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path))
    monkeypatch.setattr(Unsaved, "ask", lambda _, __: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(keyed_file, "FileKeys", lambda folder, _: FileKeys(folder, InMemory))
    window = app._frame(qapp, lambda: app._outside(rubric, lambda: judge), "light", keep=True)
    window.show()
    yield window
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_the_icons_come_with_the_rooms(make_window) -> None:
    drawn = make_window().header.judge_button.icon().pixmap(16, 16).toImage()
    assert any(drawn.pixelColor(x, y).alpha() for x in range(16) for y in range(16))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names there")
def test_a_pipe_that_is_dropped_is_not_waited_for(tmp_path) -> None:
    os.mkfifo(tmp_path / "session.txt")
    assert not exports.looks_like_note(tmp_path / "session.txt")
    with pytest.raises(InputError, match="not an ordinary file"):
        read_transcript(tmp_path / "session.txt")
