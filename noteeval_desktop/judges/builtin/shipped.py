"""What the built-in judge's verdicts depend on besides the encoder and the rubric."""

from __future__ import annotations

import hashlib
from functools import cache

from noteeval_desktop import __version__, paths

_FOLDERS = ("heads", "lexicons", "composed")


@cache
def shipped() -> str:
    """A digest of the program's version, its trained files and its word lists. Reads 20 MB: not on the GUI thread."""
    digest = hashlib.sha256(__version__.encode())
    for folder in _FOLDERS:
        for file in sorted(path for path in (paths.resources() / folder).rglob("*") if path.is_file()):
            digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
