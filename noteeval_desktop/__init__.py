"""NoteEval Desktop: reviews a therapy note against the session that it documents.

For other programs: ``evaluate``, ``open_judge`` and ``score_response``, which ``api`` describes.
"""

import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

__version__ = "0.1.0"

# `python -m noteeval_desktop` looks for modules in the current folder first: a docx.py among downloads would be run.
if sys.argv[:1] == ["-m"] and sys.path[:1] == [os.getcwd()] != [str(Path(__file__).parent.parent)]:  # noqa: PTH109
    del sys.path[0]

# Before numpy is loaded, which reads it once. The encoder keeps the cores busy, and the other matrices here are small:
# threads of OpenBLAS that wait for work in a loop took a fifth of an evaluation's processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _lazily(name: str) -> property:
    """Of ``api``, which is loaded when it is asked for. What importing the module ``evaluate`` sets is let go: its name
    in the package is that of the function."""
    return property(lambda _package: getattr(import_module("noteeval_desktop.api"), name), lambda *_: None)


class _Package(ModuleType):
    evaluate, open_judge, score_response = map(_lazily, ("evaluate", "open_judge", "score_response"))


sys.modules[__name__].__class__ = _Package
