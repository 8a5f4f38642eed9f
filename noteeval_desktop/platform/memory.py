"""Memory that a model may take, by what the operating system says."""

from __future__ import annotations

import psutil


def free_memory() -> int | None:
    """Bytes that programs can still take without swapping; None where unknown."""
    try:
        return int(psutil.virtual_memory().available)
    except OSError:  # a sandbox that shows no /proc
        return None
