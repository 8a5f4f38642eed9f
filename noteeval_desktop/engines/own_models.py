"""GGUF files of the user's own: what each says about itself, and whether this computer can run it."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.local_llm.chat import DEFAULT_CONTEXT
from noteeval_desktop.engines.local_llm.header import ModelHeader, needs_memory, read_header, writes_nothing
from noteeval_desktop.errors import ModelError
from noteeval_desktop.platform.memory import free_memory

_MOST_FILES = 500


@dataclass(frozen=True, slots=True)
class OwnModel:
    """``header`` is None where the file cannot be used, and ``problem`` says why. ``memory`` is about what
    running it takes, in bytes, with a context of ``context`` tokens."""

    path: Path
    header: ModelHeader | None
    context: int = 0
    memory: int = 0
    problem: str = ""

    @property
    def template(self) -> str:
        """``own`` chat template, or ``plain``: none in the file, so that ours is used."""
        return "own" if self.header is not None and self.header.chat_template else "plain"


def scan(folder: Path, available: int | None = None) -> tuple[OwnModel, ...]:
    """The GGUF files in ``folder`` and the folders within it, by name; at most 500. Reads headers only.

    ``available``: bytes of free memory, asked of the system when None. Raises ModelError where the folder
    cannot be read.
    """
    try:
        if not folder.is_dir():
            raise ModelError(tr("{name}: there is no such folder. Choose another.").format(name=folder.name))
        found = itertools.islice((Path(at, name) for at, _, names in os.walk(folder) for name in names), 100_000)
        files = sorted(path for path in found if path.suffix.lower() == ".gguf")[:_MOST_FILES]
    except OSError as error:
        raise ModelError(
            tr("{name}: cannot be read ({strerror}). Choose another.").format(name=folder.name, strerror=error.strerror)
        ) from error
    available = free_memory() if available is None else available
    return tuple(describe(path, available) for path in files)


def describe(path: Path, available: int | None = None) -> OwnModel:
    """One file; raises nothing. ``available``: bytes of free memory, None where unknown."""
    try:
        header = read_header(path)
    except ModelError as error:
        return OwnModel(path, None, problem=str(error))
    context = min(DEFAULT_CONTEXT, header.context)
    memory = header.memory_needed(context)
    problem = ""
    if not header.writes:
        problem = writes_nothing(path.name)
    elif available is not None and memory > available:
        problem = needs_memory(path.name, memory, available)
    return OwnModel(path, header, context, memory, problem)
