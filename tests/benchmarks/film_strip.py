"""Pictures of every view, to be looked at one by one: cut text, poor contrast, an empty corner. Run by hand.

python tests/benchmarks/film_strip.py FOLDER [LOOK]…
python tests/benchmarks/film_strip.py --guide

Each look gets a folder of its own. The sample is judged by the built-in judge, and what is sent goes to a server of the
tests. The pictures are no part of the repository, but for those of the user guide: --guide makes them anew, in
resources/help.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Width and height in device-independent pixels, theme, scale.
LOOKS = {
    "1280-light": (1280, 800, "light", 1),
    "1280-dark": (1280, 800, "dark", 1),
    "1920-light": (1920, 1080, "light", 1),
    "1920-dark": (1920, 1080, "dark", 1),
    "960-light": (960, 700, "light", 1),
    "960-dark": (960, 700, "dark", 1),
    "200-light": (960, 540, "light", 2),
    "200-dark": (960, 540, "dark", 2),
}


def take(folder: Path, look: str, scenes: str = "film_scenes.py") -> int:
    """The exit code of the run."""
    width, height, theme, scale = LOOKS[look]
    size = {"width": scale * width, "height": scale * height}
    screen = {"name": "film", "x": 0, "y": 0, "logicalDpi": 96, "dpr": 1} | size
    with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
        json.dump({"screens": [screen]}, config)
        config.flush()
        told = {"FILM": str(folder), "FILM_LOOK": f"{width} {height} {theme}", "QT_SCALE_FACTOR": str(scale)}
        told["QT_QPA_PLATFORM"] = f"offscreen:configfile={config.name}"
        file = str(ROOT / "tests" / "ui" / scenes)
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=600", file]
        return subprocess.run(run, cwd=ROOT, env=os.environ | told, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1:] == ["--guide"]:
        sys.exit(take(ROOT / "resources" / "help", "1280-light", "guide_scenes.py"))
    sys.exit(max(take(Path(sys.argv[1]).resolve() / look, look) for look in sys.argv[2:] or LOOKS))
