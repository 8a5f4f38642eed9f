"""Is this process a child of a frozen program? Apart from isolation, which loads what a window's start does without."""

from __future__ import annotations

import sys

CHILD_ARGUMENT = "--noteeval-isolated-child"


def serve_if_child() -> None:
    """To be called first by a frozen program's entry point: does the work and exits if this is a child."""
    if sys.argv[1:2] == [CHILD_ARGUMENT]:
        from importlib import import_module

        import_module(sys.argv[2]).serve()
        sys.exit(0)
