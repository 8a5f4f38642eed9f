"""The models on this machine: what is there, whether it is as it should be, and how to get the encoder."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines import encoder_build
from noteeval_desktop.engines.manifest import REMEDY, ChatEntry, Manifest, read_manifest


class State(StrEnum):
    READY = "ready"
    MISSING = "missing"
    DAMAGED = "damaged"
    UNLISTED = "unlisted"  # a GGUF of the user's own: nothing to compare it with
    SUGGESTED = "suggested"  # a chat model that the user can fetch


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model, on this machine or suggested (then with its ``entry`` of the list). ``bytes`` is the size on disk, 0
    when it is not here."""

    name: str
    kind: str  # "encoder" or "chat"
    state: State
    file: str | None
    bytes: int
    licence: str | None
    source: str | None
    remedy: str | None = None
    entry: ChatEntry | None = None


def list_models(folder: Path | None = None, manifest: Manifest | None = None) -> tuple[ModelStatus, ...]:
    """The encoder, the user's GGUF files, then suggestions; by presence and size, without hashing."""
    manifest = manifest or read_manifest()
    encoder, folder = encoder_path(folder, manifest), folder or paths.model_folder()
    return (
        _encoder_status(encoder, manifest, thorough=False),
        *_own_models(folder, manifest),
        *(
            ModelStatus(one.name, "chat", State.SUGGESTED, one.file, 0, one.licence, one.home, entry=one)
            for one in manifest.chat
            if not (folder / one.file).is_file()
        ),
    )


def check_models(folder: Path | None = None, manifest: Manifest | None = None) -> tuple[ModelStatus, ...]:
    """The models that are here (and the encoder in any case), their SHA-256 compared with the manifest's."""
    manifest = manifest or read_manifest()
    encoder, folder = encoder_path(folder, manifest), folder or paths.model_folder()
    return (_encoder_status(encoder, manifest, thorough=True), *_own_models(folder, manifest, thorough=True))


def is_builtin(path: Path, manifest: Manifest | None = None) -> bool:
    """Whether it is the built-in judge's encoder, or a model that engines.reader writes beside it."""
    encoder = (manifest or read_manifest()).encoder.file
    return any(map(path.match, (encoder, "reader-????????????????.gguf", "listener-????????????????.gguf")))


def build_encoder(
    progress: encoder_build.Progress | None = None,
    cancel: threading.Event | None = None,
    folder: Path | None = None,
) -> Path:
    """The path of the encoder, fetched and built when needed. Raises ModelError, Cancelled."""
    return encoder_build.build_encoder(read_manifest().encoder, folder or paths.model_folder(), progress, cancel)


def encoder_path(folder: Path | None = None, manifest: Manifest | None = None) -> Path:
    """Where the encoder is, or would be: in ``folder``, else with the program, else among the user's models."""
    file = (manifest or read_manifest()).encoder.file
    shipped = paths.shipped_models() / file
    return shipped if folder is None and shipped.is_file() else (folder or paths.model_folder()) / file


def _encoder_status(path: Path, manifest: Manifest, *, thorough: bool) -> ModelStatus:
    entry = manifest.encoder
    size = path.stat().st_size if path.is_file() else 0
    state = State.READY
    if not size:
        state = State.MISSING
    elif size != entry.bytes or (thorough and encoder_build.sha256_of_file(path) != entry.sha256):
        state = State.DAMAGED
    remedy = None if state is State.READY else REMEDY
    source = f"{entry.package} {entry.version}"
    return ModelStatus(entry.name, "encoder", state, entry.file, size, entry.licence, source, remedy)


def _own_models(folder: Path, manifest: Manifest, *, thorough: bool = False) -> tuple[ModelStatus, ...]:
    found, listed = [], {entry.file: entry for entry in manifest.chat}
    for path in sorted(folder.glob("*.gguf")):
        entry, size = listed.get(path.name), path.stat().st_size
        if entry is not None:
            wrong = size != entry.bytes or (thorough and encoder_build.sha256_of_file(path) != entry.sha256)
            state, remedy = (
                (State.DAMAGED, tr("Delete the file and download it again.")) if wrong else (State.READY, None)
            )
            found.append(ModelStatus(entry.name, "chat", state, path.name, size, entry.licence, entry.home, remedy))
        elif not is_builtin(path, manifest):
            found.append(ModelStatus(path.stem, "chat", State.UNLISTED, path.name, size, None, None))
    return tuple(found)
