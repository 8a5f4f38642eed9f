"""NoteEval Desktop: reviews a therapy note against the session that it documents."""

import os
import sys
from pathlib import Path

__version__ = "0.1.0"

# `python -m noteeval_desktop` looks for modules in the current folder first: a docx.py among downloads would be run.
if sys.argv[:1] == ["-m"] and sys.path[:1] == [os.getcwd()] != [str(Path(__file__).parent.parent)]:  # noqa: PTH109
    del sys.path[0]

# Before numpy is loaded, which reads it once. The encoder keeps the cores busy, and the other matrices here are small:
# threads of OpenBLAS that wait for work in a loop took a fifth of an evaluation's processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
