"""How a scorecard's PDF is to be."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PdfChoice:
    """``paper`` is a4 or letter; an empty password leaves the file open."""

    password: str = field(default="", repr=False)
    paper: str = "a4"
