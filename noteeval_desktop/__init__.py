"""NoteEval Desktop: reviews a therapy note against the session that it documents."""

import os

__version__ = "0.1.0"

# Before numpy is loaded, which reads it once. The encoder keeps the cores busy, and the other matrices here are small:
# threads of OpenBLAS that wait for work in a loop took a fifth of an evaluation's processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
