"""The program's own files: readable by their owner alone, written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path


def write_private(path: Path, content: bytes) -> None:
    """Replace ``path``; when this returns the content is on the disk. Raises OSError, with ``path`` as it was."""
    # mkstemp makes the file readable by its owner alone.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` last; Windows does so by itself."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
