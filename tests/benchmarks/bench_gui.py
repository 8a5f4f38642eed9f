"""How soon the window is there against a bare one, and how long it ever stalls while judging. Run by hand.

QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_gui.py [REPEATS]
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
BARE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication(sys.argv)
window = QMainWindow()
window.resize(1280, 800)
window.show()
QTimer.singleShot(0, application.quit)
application.exec()
"""
APP = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
application = QApplication(["bench"])
QTimer.singleShot(0, application.quit)
from noteeval_desktop import app
app.main([])
"""


def start_seconds(script: str, repeats: int) -> float:
    """Median time of a process that shows a window and quits at the first turn of its event loop."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def longest_stalls() -> dict[str, float]:
    """Milliseconds by which a 1 ms timer was late at most: while opening and judging, then while re-checking."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from noteeval_desktop import app, paths
    from noteeval_desktop.domain.rubric import rubric_from_json

    application = QApplication(["bench"])
    application.setStyle("Fusion")
    rubric = rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))
    window = app.make_window(application, rubric, lambda: app.load_judge(rubric), "light", keep=False)
    window.show()
    application.processEvents()
    gaps: list[float] = []
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(1000 * (now - last) - 1)
        last = now

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(1)
    stalls = {}

    def until_checked(name: str, act: object) -> None:
        done: list[object] = []
        link = window.session.evaluation_finished.connect(done.append)
        gaps.clear()
        assert callable(act)
        act()
        began = time.perf_counter()
        while not done and time.perf_counter() - began < 12:
            application.processEvents()
        for _ in range(20):
            application.processEvents()
        stalls[name] = max(gaps)
        stalls[f"{name}: seconds"] = time.perf_counter() - began
        window.session.evaluation_finished.disconnect(link)

    until_checked("open and judge", window.opening.open_sample)
    until_checked("re-check after an edit", lambda: window.workspace.editor.insertPlainText("He slept well. "))
    window.workspace.editor.document().setModified(False)
    window.close()
    return stalls


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    bare, ours = start_seconds(BARE, repeats), start_seconds(APP, repeats)
    print(f"start: bare window {bare:.2f} s, NoteEval {ours:.2f} s, ratio {ours / bare:.2f} (aim < 2)")
    for name, value in longest_stalls().items():
        print(f"{name}: {value:.1f}{' s' if 'seconds' in name else ' ms longest stall (aim < 50)'}")


if __name__ == "__main__":
    main()
