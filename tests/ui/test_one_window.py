"""A second start hands its files to the window that runs: two processes, as a file manager starts them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QDialog

from noteeval_desktop import app
from noteeval_desktop.platform.one_program import meeting_point
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.shell.main_window import TOGETHER_MS, Arrivals
from noteeval_desktop.ui.shell.one_window import OneWindow
from tests.ui_texts import NOTE, SESSION

# Each says what happens to it, one line each. The window and all that is in it,
_WINDOW = """
from noteeval_desktop import app

def say(*words):
    print(*words, flush=True)

class Telling(app.MainWindow):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.built.connect(self.tell)
    def tell(self):
        self.session.transcript_opened.connect(lambda session: say("opened", len(session.turns)))
        say("ready")
    def come_to_front(self):
        super().come_to_front()
        say("in front")

app.MainWindow = Telling
raise SystemExit(app.main([]))
"""
# only its meeting point, which starts sooner,
_MEETING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from noteeval_desktop.ui.shell.one_window import OneWindow

application = QCoreApplication([])
one = OneWindow(Path(sys.argv[1]), "")
one.asked.connect(lambda files: print("asked for", *files, flush=True))
if not one.is_first([Path(name) for name in sys.argv[2:]]):
    raise SystemExit(0)
print("first", flush=True)
raise SystemExit(application.exec())
"""
# and a program that macOS tells of a file.
_TOLD = """
import sys
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from noteeval_desktop.ui.widgets.plain import Application

application = Application([])
application.file_opened.connect(lambda path: print("opened", path, flush=True))
application.sendEvent(application, QFileOpenEvent(QUrl.fromLocalFile(sys.argv[1])))
"""
Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Of a short name: a socket's may have a hundred bytes."""
    folder = Path(tempfile.mkdtemp(prefix="ne"))
    monkeypatch.setenv("NOTEEVAL_HOME", str(folder / "home"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    (folder / "home").mkdir()
    yield folder / "home"
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def session_file(tmp_path: Path) -> Path:
    path = tmp_path / "a session of Zoë.txt"
    path.write_text(SESSION, "utf-8")
    return path


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def program(code: str, *arguments: str) -> subprocess.Popen[str]:
        started.append(subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield program
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_file_opened_while_the_window_runs_joins_it_and_the_second_program_ends(start: Start, session_file) -> None:
    first = start(_WINDOW)
    assert said(first) == "ready"
    # A relative name is that of the folder in which the second was started.
    again = [sys.executable, "-m", "noteeval_desktop", session_file.name]
    path = os.pathsep.join([str(Path.cwd()), os.environ["PYTHONPATH"]])
    done = subprocess.run(again, cwd=session_file.parent, env=os.environ | {"PYTHONPATH": path}, timeout=100)
    assert done.returncode == 0
    assert [said(first), said(first)] == ["in front", f"opened {SESSION.count('Client') + SESSION.count('Therapist')}"]


def test_what_a_killed_window_left_behind_keeps_nobody_out(start: Start, home: Path) -> None:
    first = start(_MEETING, str(home))
    assert said(first) == "first"
    first.kill()
    first.wait()
    second = start(_MEETING, str(home))
    assert said(second) == "first"
    assert start(_MEETING, str(home), "/tmp/note.md").wait(60) == 0
    assert said(second) == f"asked for {Path('/tmp/note.md').absolute()}"


@pytest.mark.skipif(sys.platform == "win32", reason="no program can be stopped there and left so")
def test_a_window_that_hangs_is_passed_over(start: Start, home: Path) -> None:
    first = start(_MEETING, str(home))
    assert said(first) == "first"
    first.send_signal(signal.SIGSTOP)
    assert said(start(_MEETING, str(home), "note.md")) == "first"


def test_a_file_that_macos_names_by_an_event_is_opened(start: Start, session_file: Path) -> None:
    assert said(start(_TOLD, str(session_file))) == f"opened {session_file}"


@pytest.mark.parametrize("look", [["--theme", "dark"], ["--sample"], ["--size", "800x600"], ["--screenshot", "a.png"]])
def test_a_window_with_a_look_of_its_own_stands_beside_the_other(look: list[str]) -> None:
    assert app._stands_alone(app._options(look))
    assert not app._stands_alone(app._options(["--first", "note.md"]))


@pytest.fixture
def one(qapp, home: Path) -> Iterator[OneWindow]:
    made = OneWindow(home, "")
    assert made.is_first([])
    yield made
    made.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe there has a list of who may use it")
def test_nobody_else_can_hand_anything_over(one: OneWindow, home: Path) -> None:
    assert stat.S_IMODE(Path(meeting_point(home)).stat().st_mode) & 0o077 == 0


def test_another_data_folder_has_a_window_of_its_own(tmp_path: Path) -> None:
    assert meeting_point(tmp_path) != meeting_point(tmp_path / "other")
    assert meeting_point(tmp_path) == meeting_point(tmp_path / "other" / "..")


@pytest.mark.parametrize("told", [b"\xff\n", b"[]\n", b'{"files": [7], "activation": ""}\n', b"x" * 1_200_000])
def test_what_is_not_said_by_another_start_is_not_answered(one: OneWindow, home: Path, qtbot, told: bytes) -> None:
    asked: list[object] = []
    one.asked.connect(asked.append)
    socket = QLocalSocket()
    socket.connectToServer(meeting_point(home))
    with qtbot.waitSignal(socket.disconnected, timeout=10_000):
        socket.write(told)
    assert (asked, bytes(socket.readAll().data())) == ([], b"")


def test_a_system_without_the_library_of_qts_sockets_opens_a_window_each_time(home: Path, monkeypatch) -> None:
    assert app._one_window("") is not None
    monkeypatch.setitem(sys.modules, "noteeval_desktop.ui.shell.one_window", None)
    assert app._one_window("") is None


class Wanting(QObject):
    """As much of a window as files arrive at."""

    def __init__(self) -> None:
        super().__init__()
        self.took: list[list[Path]] = []

    def come_to_front(self) -> None:
        pass

    def take(self, paths: list[Path]) -> None:
        self.took.append(paths)


def test_files_that_arrive_one_after_the_other_are_opened_together(qapp, qtbot) -> None:
    window: Any = Wanting()
    arrivals = Arrivals(window)
    arrivals.take([Path("session.vtt")])
    arrivals.take([])
    arrivals.take([Path("note.md")])
    qtbot.waitUntil(lambda: bool(window.took))
    assert window.took == [[Path("session.vtt"), Path("note.md")]]


def test_a_file_waits_while_a_dialog_is_open(qapp, qtbot) -> None:
    window: Any = Wanting()
    dialog = QDialog()
    arrivals = Arrivals(window)
    dialog.open()
    arrivals.take([Path("note.md")])
    qtbot.wait(3 * TOGETHER_MS)
    assert not window.took
    dialog.close()
    qtbot.waitUntil(lambda: bool(window.took))


def test_files_from_outside_ask_about_unsaved_work_as_a_drop_does(opened, qtbot, monkeypatch, session_file) -> None:
    asked: list[object] = []
    monkeypatch.setattr(Unsaved, "ask", lambda _, question: asked.append(question) or QDialog.DialogCode.Rejected)
    note = session_file.with_name("note.md")
    note.write_text(NOTE, "utf-8")
    before = opened.workspace.editor.note_text()
    Arrivals(opened).take([session_file, note])
    qtbot.waitUntil(lambda: bool(asked))
    assert opened.workspace.editor.note_text() == before
