"""How soon the first window is painted against a bare one, and how long the GUI thread ever stalls. Run by hand.

QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_gui.py [REPEATS]

Stalls are gaps between the ticks of a timer of 5 ms: while the rooms are built, a session of 50 minutes is opened
and judged, its note is typed into and judged again, and its findings and tabs are gone through.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
TICK_MS = 5
# Ends at once, so that neither counts what closing takes. Not by a filter of the application's events: to give Python
# each object that Qt made itself, PySide would set up all the types that it might be.
PAINTED = """
import os
from PySide6.QtCore import QTimer
def ends(window):
    paint = window.paintEvent
    def painted(self, event):
        paint(self, event)
        QTimer.singleShot(0, lambda: os._exit(0))
    window.paintEvent = painted
"""
BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication(["bench"])
class Window(QMainWindow):
    pass
ends(Window)
window = Window()
window.resize(1280, 800)
window.show()
application.exec()
"""
APP = """
from noteeval_desktop.__main__ import main
from noteeval_desktop.ui.shell.main_window import MainWindow
ends(MainWindow)
main([])
"""


def start(script: str) -> tuple[float, float]:
    """Seconds of the wall and of the processor until the first window is painted."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    # With the compiled modules that an installed program has, whatever this one's surroundings say of them.
    told = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    told["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "bench_gui_compiled")
    subprocess.run([sys.executable, "-c", PAINTED + script], cwd=ROOT, check=True, capture_output=True, env=told)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - began, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def say_start(repeats: int) -> None:
    """Medians; a bare window and ours are taken in turn, so that a busy machine is busy for both."""
    pairs = [(start(BARE), start(APP)) for _ in range(repeats + 1)][1:]
    for name, what in (("wall", 0), ("processor", 1)):
        bare, ours = (statistics.median(pair[window][what] for pair in pairs) for window in (0, 1))
        print(f"first window ({name}): bare {bare:.2f} s, NoteEval {ours:.2f} s, ratio {ours / bare:.2f} (aim: 2)")


def long_session() -> str:
    """The sample said over and over for 50 minutes, as a transcript of 8,000 words."""
    from tests.benchmarks.bench_evaluate import lengthened
    from tests.sample_evaluation import sample_case

    turns = lengthened(sample_case().transcript, 8_000).turns
    return "\n".join(f"{turn.speaker}: {turn.text}" for turn in turns)


def longest_stalls() -> dict[str, tuple[float, float, float]]:
    """By what was done: milliseconds of the longest gap, of the GUI thread's own work between two ticks at most (all
    that counts on a busy machine), and seconds that it took."""
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtTest import QTest

    from noteeval_desktop import app, paths
    from noteeval_desktop.ui.widgets.jobs import IdleCollection
    from noteeval_desktop.ui.widgets.plain import Application

    application = Application(["bench"])
    application.setStyle("Fusion")
    window = app._frame(application, app._outside_alone, "light", keep=False)
    window.built.connect(lambda: IdleCollection(window.jobs, window))
    window.show()
    application.processEvents()
    gaps: list[tuple[float, float]] = []
    last = now = (0.0, 0.0)

    def tick() -> None:
        nonlocal last, now
        last, now = now, (time.perf_counter(), time.thread_time())
        gaps.append((1000 * (now[0] - last[0]) - TICK_MS, 1000 * (now[1] - last[1])))

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(TICK_MS)
    stalls: dict[str, tuple[float, float, float]] = {}

    def measure(name: str, act: Callable[[], object], done: Callable[[], bool]) -> None:
        nonlocal now
        gaps.clear()
        now = (time.perf_counter(), time.thread_time())
        began = now[0]
        act()
        while not done() and time.perf_counter() - began < 180:
            wait()
        until = time.perf_counter() + 0.5
        while time.perf_counter() < until:
            wait()
        longest, work = (max(values) for values in zip(*gaps, strict=True))
        stalls[name] = longest, work, time.perf_counter() - began - 0.5

    def wait() -> None:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def idle() -> bool:
        return not window.jobs.busy and not window.session._timer.isActive()

    measure("build", window.build_soon, lambda: "left_drafts" in vars(window) and idle())
    session = Path(os.environ["NOTEEVAL_HOME"]) / "session.txt"
    session.write_text(long_session(), "utf-8")
    note = paths.resources() / "sample" / "note.md"
    judged = lambda: window.session.evaluation is not None and idle()  # noqa: E731
    measure("open and judge", lambda: window.opening.open_files([session, note]), judged)
    editor = window.workspace.editor

    def type_on() -> None:
        for letter in "He slept well this week. ":
            QTest.keyClicks(editor, letter)
            QTest.qWait(15)

    measure("type and judge again", type_on, idle)
    measure("step through findings", lambda: [(window.workspace.step(1), QTest.qWait(10)) for _ in range(30)], idle)
    measure(
        "go through tabs",
        lambda: [(window.workspace.findings.show_tab(n % 6), QTest.qWait(20)) for n in range(12)],
        idle,
    )
    measure("change to dark", window.commands["dark"].trigger, idle)
    editor.document().setModified(False)
    window.unsaved.ask = lambda asks: 1  # type: ignore[method-assign]
    window.close()
    return stalls


def main() -> None:
    say_start(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
    from noteeval_desktop.engines import models

    encoder = models.encoder_path().resolve()
    with tempfile.TemporaryDirectory() as home:
        os.environ["NOTEEVAL_HOME"] = home
        (Path(home) / "models").mkdir()
        (Path(home) / "models" / encoder.name).symlink_to(encoder)
        for name, (stall, work, seconds) in longest_stalls().items():
            print(f"{name}: longest stall {stall:.0f} ms (aim: 50), own work {work:.0f} ms; {seconds:.1f} s in all")


if __name__ == "__main__":
    main()
