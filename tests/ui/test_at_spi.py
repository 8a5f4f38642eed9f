"""What a screen reader on Linux is told, over AT-SPI: a real window on a real screen, and a real bus."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SERVICE = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
LACKS = [name for name in ("Xvfb", "dbus-run-session") if shutil.which(name) is None]
LACKS += [] if SERVICE.exists() else ["at-spi2-core"]
LACKS += [] if importlib.util.find_spec("jeepney") else ["jeepney"]


@pytest.mark.skipif(bool(LACKS), reason=f"needs {', '.join(LACKS)}")
def test_every_control_of_the_window_is_on_the_accessibility_bus(tmp_path: Path) -> None:
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        assert screen.stdout is not None
        shown = {
            "DISPLAY": f":{screen.stdout.readline().strip()}",
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "XDG_RUNTIME_DIR": str(tmp_path),
        }
        window = Path(__file__).with_name("at_spi_window.py")
        run = ["dbus-run-session", "--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(window)]
        try:
            done = subprocess.run(run, env=os.environ | shown, capture_output=True, text=True, timeout=400, check=False)
        finally:
            screen.terminate()
    if "Could not load the Qt platform plugin" in done.stdout + done.stderr:
        pytest.skip("Qt finds no X11 libraries here")
    assert done.returncode == 0, done.stdout[-3000:]
