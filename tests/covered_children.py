"""For measuring by hand which lines run: children count, too.

    .venv/bin/python -m pytest -p tests.covered_children --cov …

They start without site packages, so coverage does not come along by itself, and are killed before they could tell.
"""

from __future__ import annotations

import contextlib
import os
import subprocess

from noteeval_desktop import isolation
from noteeval_desktop.engines.local_llm.child import Child

_SECONDS = 20


def pytest_collection() -> None:
    told = f"os.environ['COVERAGE_PROCESS_CONFIG'] = {os.environ['COVERAGE_PROCESS_CONFIG']!r}"
    starts = f"import os, coverage; {told}; coverage.process_startup(); from importlib"
    isolation._BOOT = isolation._BOOT.replace("from importlib", starts, 1)
    kill = Child.kill

    def end(child: Child) -> None:
        """Of itself when its input ends, as it does when the program dies."""
        with contextlib.suppress(OSError, ValueError):
            child._stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child._process.wait(_SECONDS)
        kill(child)

    Child.kill = end  # type: ignore[assignment, method-assign]
