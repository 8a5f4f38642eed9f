"""Who is learned from by what. Splits are by author, never by sentence.

The reader and the decision learn from different authors: a reader is surer of claims that it was taught than of
others, and a decision that learned from those would trust it too much.
"""

from __future__ import annotations

OF_READER = (("a01", "a02", "a07"), ("a03", "a05"), ("a06", "a13"), ("a10", "a14", "a19", "a22"))
"""Authors of sessions that the reader is taught with, one stage after the other."""

OF_DECISION = ("a09", "a11", "a15", "a17", "a18", "a21", "a23")
"""Authors of sessions that the decision on claims learns from."""

WINDOWS_HELD_OUT = frozenset({"a6", "b8", "c7"})
"""Hands whose windows only measure the reader."""

UNHEARD = frozenset({"a11", "a19", "h23", "h25"})
"""Authors of sessions and exchanges that the listener is not taught with: on these it is told from where on a danger is
heard."""

SEALED = frozenset({"a04", "a08", "a12", "a16", "a20", "a24"})
"""Nothing is trained or tuned on these; ``corpus.sealed`` opens them."""
