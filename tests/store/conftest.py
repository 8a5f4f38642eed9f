from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from noteeval_desktop.store.library import Library
from noteeval_desktop.store.sealing import Cost
from tests.keychain import InMemory

CHEAP = Cost(memory_kib=64, passes=1, lanes=1)
PASSPHRASE = "grüne Wiese 緑 am Morgen"


@pytest.fixture
def cheap() -> Cost:
    return CHEAP


@pytest.fixture
def passphrase() -> str:
    return PASSPHRASE


@pytest.fixture
def keychain() -> InMemory:
    return InMemory()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    """A new, unlocked one; a test may lock it itself."""
    made, _ = Library.create(folder, PASSPHRASE, cost=CHEAP)
    yield made
    if not made.locked:
        made.lock()
