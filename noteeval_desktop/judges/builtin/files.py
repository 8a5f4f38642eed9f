"""Reads the trained files that ship."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.errors import ModelError


def arrays(path: Path) -> dict[str, NDArray[Any]]:
    """What an ``.npz`` holds, by name. Raises ModelError where it is missing or damaged."""
    try:
        # An open file, since numpy leaves open what turns out to be no archive.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return dict(kept)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(
            f"{path.name}: a file of the built-in judge cannot be read ({type(error).__name__}). Install again."
        ) from error
