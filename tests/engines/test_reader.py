from __future__ import annotations

import os
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.reader import LAYERS, reader_file


def test_the_readers_of_earlier_versions_do_not_pile_up(tmp_path: Path) -> None:
    encoder = tmp_path / "encoder.gguf"
    encoder.symlink_to(models.build_encoder().resolve())
    for age, version in enumerate("abc", 1):
        old = tmp_path / f"reader-{version * 16}.gguf"
        old.write_bytes(b"of an earlier version")
        os.utime(old, (1_000_000 - age, 1_000_000 - age))
    own = tmp_path / "reader-of-mine.gguf"
    own.write_bytes(b"a model that the user put here")
    made = reader_file(encoder, paths.resources() / "heads" / LAYERS)
    assert {path.name for path in tmp_path.iterdir()} == {encoder.name, own.name, f"reader-{'a' * 16}.gguf", made.name}
    written = made.stat().st_mtime_ns
    assert reader_file(encoder, paths.resources() / "heads" / LAYERS) == made
    assert made.stat().st_mtime_ns == written
