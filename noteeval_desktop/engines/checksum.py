"""The SHA-256 of a file of gigabytes, with progress."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, ModelError

Progress = Callable[[int, int], None]
"""Called with the bytes that are here and all bytes; the second is 0 while unknown."""

_CHUNK = 1 << 20


def sha256_of(path: Path, progress: Progress = lambda done, total: None, cancel: threading.Event | None = None) -> str:
    """Of a file that is here, for comparison with the publisher's page. Raises ModelError and Cancelled."""
    try:
        digest, done, total = hashlib.sha256(), 0, path.stat().st_size
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                if cancel is not None and cancel.is_set():
                    raise Cancelled
                digest.update(chunk)
                done += len(chunk)
                progress(done, total)
        return digest.hexdigest()
    except OSError as error:
        raise ModelError(
            tr("{name}: cannot be read ({strerror}). Check the file.").format(name=path.name, strerror=error.strerror)
        ) from error
