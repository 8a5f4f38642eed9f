"""The one reader of JSON from outside the program: whatever it is given, it gives values or raises ValueError."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class NestedTooDeeply(ValueError):
    """More levels than Python reads: no file of ours, and no export, has them."""


def from_json(text: str | bytes, refuse: Callable[[str], object] | None = None) -> Any:
    """The value of ``text``. ``refuse`` gets "NaN" and "Infinity", which JSON has not.

    Raises ValueError for what is no JSON, bytes that are no text, and what is nested too deeply (NestedTooDeeply).
    """
    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise NestedTooDeeply from None
