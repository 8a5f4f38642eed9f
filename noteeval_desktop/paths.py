"""Where things are: resources that ship with the program, and the user's own folders."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.folders import user_data_folder

_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """Rubrics, prompts, heads, sample case: inside an installed package, beside it in a checkout."""
    return _shipped("resources")


def lexicon(file: str) -> Any:
    """A list of words or patterns that ships, as its JSON says it."""
    return json.loads((resources() / "lexicons" / file).read_text(encoding="utf-8"))


def shipped_models() -> Path:
    """The list of models; in an installed program the sentence encoder too."""
    return _shipped("models")


def model_manifest() -> Path:
    return shipped_models() / "manifest.json"


def _shipped(name: str) -> Path:
    inside = _PACKAGE / f"_{name}"
    return inside if inside.is_dir() else _PACKAGE.parent / name


def data_folder() -> Path:
    """The user's data (library, drafts, models). NOTEEVAL_HOME overrides it; the caller creates it. Raises InputError
    for a user without a home folder."""
    override = os.environ.get("NOTEEVAL_HOME")
    if override:
        return Path(override)
    folder = user_data_folder()
    if folder is None:
        problem = "this user has none, so there is no place for models and cases"
        raise InputError("The home folder", problem, "Set NOTEEVAL_HOME to a folder of yours.")
    return folder


def model_folder() -> Path:
    return data_folder() / "models"
