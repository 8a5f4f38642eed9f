"""How long the window ever stalls while a local model judges and results come in. Run by hand.

QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_gui_local.py [MODEL.gguf]

Without a model, one with random weights over bytes is made, large enough to keep the processor busy for a while.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QTimer  # noqa: E402

from noteeval_desktop import app  # noqa: E402
from noteeval_desktop.engines import models  # noqa: E402
from noteeval_desktop.ui.widgets.plain import Application  # noqa: E402
from tests.gguf_factory import make_chat_model  # noqa: E402
from tests.sample_evaluation import sample_rubric  # noqa: E402

LIMIT_SECONDS = 60


def main() -> None:
    encoder = models.encoder_path().resolve()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["NOTEEVAL_HOME"] = folder
        (home / "models").mkdir()
        (home / "models" / encoder.name).symlink_to(encoder)
        given = Path(sys.argv[1]) if len(sys.argv) > 1 else None
        model = given or make_chat_model(home / "busy.gguf", layers=4, width=128, context=16_384)
        measure(model)


def measure(model: Path) -> None:
    application = Application(["bench"])
    application.setStyle("Fusion")
    rubric = sample_rubric()
    window = app.make_window(application, rubric, lambda: app.load_judge(rubric), "light", keep=False)
    window.show()
    window.opening.open_sample()
    until(application, lambda: window.session.evaluation is not None and not window.jobs.busy)
    window.keep_settings(replace(window.settings, local_model=str(model)))
    gaps, turns = list[float](), list[float]()
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(1000 * (now - last) - 1)
        last = now

    timer = QTimer()
    timer.timeout.connect(tick)
    shown: list[object] = []
    window.session.findings_changed.connect(lambda: shown.append(window.session.evaluation))
    began = last = time.perf_counter()
    timer.start(1)
    window.judging.choose("local")
    ended: list[object] = []
    window.session.check_ended.connect(lambda: ended.append(None))
    until(application, lambda: bool(ended) or time.perf_counter() - began > LIMIT_SECONDS, turns)
    began_to_stop = time.perf_counter()
    window.session.cancel()
    until(application, lambda: not window.session.checking)
    stop_ms = 1000 * (time.perf_counter() - began_to_stop)
    timer.stop()
    gaps.sort()
    print(
        f"judged for {began_to_stop - began:.1f} s, {len(shown)} partial results, stopped in {stop_ms:.0f} ms; "
        f"stall: longest {gaps[-1]:.1f} ms, 99.9 % below {gaps[int(0.999 * len(gaps))]:.1f} ms, "
        f"median {statistics.median(gaps):.2f} ms over {len(gaps)} ticks; processor time of the "
        f"window's thread: at most {max(turns):.1f} ms a turn"
    )
    window.workspace.editor.document().setModified(False)
    window.close()


def until(application: Application, true: object, turns: list[float] | None = None) -> None:
    """``turns`` takes the processor time of each turn of the event loop in ms: unlike stalls, the machine's other
    work does not lengthen it."""
    assert callable(true)
    while not true():
        began = time.thread_time()
        application.processEvents()
        if turns is not None:
            turns.append(1000 * (time.thread_time() - began))
        time.sleep(0.0005)


if __name__ == "__main__":
    main()
