"""How a scorecard's PDF is to be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PdfChoice:
    """``paper`` is a4 or letter; an empty password leaves the file open."""

    password: str = ""
    paper: str = "a4"
