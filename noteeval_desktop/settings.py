"""The program's few settings: plain values in one small file. No clinical text, no names, no keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import private_folder, write_private


@dataclass(frozen=True, slots=True)
class Settings:
    """``theme`` is system, light or dark; ``judge`` is builtin, local or remote; ``font_size`` is in pixels.

    ``local_model`` is the path of a GGUF file; ``layout`` is the window's geometry as Qt writes it, in hex.
    ``keys`` are the shortcuts that were changed, by the command's name, as in "Ctrl+E".
    Prices are per million tokens, as the user wrote them; empty stands for unknown. ``remote_jobs`` is how many
    questions an endpoint is asked at a time; ``lock_minutes`` is how long the library stays open untouched.
    ``archive_after_months`` and ``delete_after_years`` are the user's rules for cases that were not changed for as
    long (0: never); ``asked_about_old_cases`` is the day, as 2026-03-01, on which that was last asked; or empty.
    ``local_gpu``: a local model computes with the graphics processor, where llama.cpp can. ``marks``: a language model
    is also asked for marks from 1 to 5. ``silenced`` are the kinds of findings that are flagged no more, with the day:
    ids of the checklist and of kinds, never words of a case. ``ask_everything``: a language model judges alone,
    without the built-in judge beside it. ``unencrypted_address``: the address in the own network that may be asked
    without encryption; empty for none. ``thresholds``: how the built-in judge is tuned to the practice's own reviews,
    as ``domain.thresholds`` writes it; empty as it ships. ``full_check_minutes``: how long a local model is asked at
    most (0: to the end). ``told_of_judges``: the choice of judges was shown once. ``checklist``: the name of the one
    that notes are judged by; empty for TN-Eval's. ``private``: a language model is also asked what of a note does not
    belong in the record.
    """

    theme: str = "system"
    judge: str = "builtin"
    font_size: int = 15
    local_model: str = ""
    base_url: str = ""
    remote_model: str = ""
    layout: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    model_folder: str = ""
    remote_jobs: int = 8
    price_input: str = ""
    price_output: str = ""
    price_cached: str = ""
    lock_minutes: int = 15
    archive_after_months: int = 0
    delete_after_years: int = 0
    asked_about_old_cases: str = ""
    local_gpu: bool = False
    marks: bool = False
    silenced: dict[str, str] = field(default_factory=dict)
    ask_everything: bool = False
    unencrypted_address: str = ""
    thresholds: dict[str, str] = field(default_factory=dict)
    full_check_minutes: int = 0
    told_of_judges: bool = False
    checklist: str = ""
    private: bool = False

    @property
    def asks_private(self) -> bool:
        """Not of what would be silenced everywhere."""
        from noteeval_desktop.domain.remarks import RemarkKind  # the first screen needs none of the case's values

        return self.private and f"remark:{RemarkKind.PROCESS}" not in self.silenced


# As evaluation.JUDGES has them, which the first screen does without.
_CHOICES = {"theme": ("system", "light", "dark"), "judge": ("builtin", "local", "remote")}
_RANGES = {
    "font_size": range(8, 41),
    "remote_jobs": range(1, 65),
    "lock_minutes": range(1, 1441),
    "archive_after_months": range(1201),
    "delete_after_years": range(101),
    "full_check_minutes": range(241),
}
_DAYS = ("asked_about_old_cases",)


def settings_file() -> Path:
    return paths.data_folder() / "settings.json"


def load(path: Path | None = None) -> tuple[Settings, str | None]:
    """The settings, and a warning where the file could not be used as it was.

    A file that cannot be read is kept aside as ``settings.damaged.json``; values that do not fit are
    replaced by their defaults. Raises nothing.
    """
    path = path or settings_file()
    try:
        data = from_json(path.read_bytes())
        if not isinstance(data, dict):
            raise ValueError("not an object")
    except FileNotFoundError:
        return Settings(), None
    except (OSError, ValueError):
        return Settings(), _set_aside(path)
    return _fitting(data)


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the file whole or not at all. Raises OSError where the folder cannot be written."""
    path = path or settings_file()
    private_folder(path.parent)
    write_private(path, json.dumps(asdict(settings), indent=1).encode())


def _set_aside(path: Path) -> str:
    aside = path.with_name("settings.damaged.json")
    try:
        path.replace(aside)
    except OSError:
        return tr("{name} cannot be read; the default settings are used.").format(name=path.name)
    return tr("{name} was damaged and is kept as {aside}; the default settings are used.").format(
        name=path.name, aside=aside.name
    )


def _fitting(data: Mapping[str, Any]) -> tuple[Settings, str | None]:
    settings, misfits = Settings(), []
    for known in fields(Settings):
        if known.name not in data:
            continue
        value = data[known.name]
        if _fits(known.name, value, getattr(settings, known.name)):
            settings = replace(settings, **{known.name: value})
        else:
            misfits.append(known.name)
    warning = tr("Invalid settings were reset: {names}.").format(names=", ".join(misfits)) if misfits else None
    return settings, warning


def _fits(name: str, value: object, default: object) -> bool:
    if type(value) is not type(default):
        return False
    if isinstance(value, dict):
        return all(isinstance(part, str) for pair in value.items() for part in pair)
    if name in _CHOICES:
        return value in _CHOICES[name]
    if name in _DAYS:
        return not value or _is_day(str(value))
    return name not in _RANGES or value in _RANGES[name]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
