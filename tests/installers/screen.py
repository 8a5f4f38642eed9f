"""Stands in for standard output."""

from __future__ import annotations

import io


class Screen(io.StringIO):
    """A terminal, or a log file, that remembers what was printed."""

    def __init__(self, *, terminal: bool = False) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal
