"""Where things are: resources that ship with the program, and the user's own folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """Rubrics, prompts, heads, sample case: inside an installed package, beside it in a checkout."""
    return _shipped("resources")


def model_manifest() -> Path:
    return _shipped("models") / "manifest.json"


def _shipped(name: str) -> Path:
    inside = _PACKAGE / f"_{name}"
    return inside if inside.is_dir() else _PACKAGE.parent / name


def data_folder() -> Path:
    """The user's data (library, drafts, models). NOTEEVAL_HOME overrides it; the caller creates it."""
    override = os.environ.get("NOTEEVAL_HOME")
    if override:
        return Path(override)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "NoteEval"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "NoteEval"
    return Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local" / "share")) / "noteeval"


def model_folder() -> Path:
    return data_folder() / "models"
