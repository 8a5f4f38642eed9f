from __future__ import annotations

import os
from pathlib import Path

import pytest

from noteeval_desktop.engines import models
from noteeval_desktop.engines.reader import LISTENER, READER, layers_path, reader_file


@pytest.mark.parametrize("layers", [READER, LISTENER])
def test_models_of_earlier_versions_do_not_pile_up(layers: str, tmp_path: Path) -> None:
    name, encoder = Path(layers).stem, tmp_path / "encoder.gguf"
    encoder.symlink_to(models.build_encoder().resolve())
    for age, version in enumerate("abc", 1):
        old = tmp_path / f"{name}-{version * 16}.gguf"
        old.write_bytes(b"of an earlier version")
        os.utime(old, (1_000_000 - age, 1_000_000 - age))
    own = tmp_path / f"{name}-of-mine.gguf"
    own.write_bytes(b"a model that the user put here")
    made = reader_file(encoder, layers_path(layers))
    assert {path.name for path in tmp_path.iterdir()} == {encoder.name, own.name, f"{name}-{'a' * 16}.gguf", made.name}
    written = made.stat().st_mtime_ns
    assert reader_file(encoder, layers_path(layers)) == made
    assert made.stat().st_mtime_ns == written
