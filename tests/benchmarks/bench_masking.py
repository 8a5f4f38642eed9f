"""How much of a text the masks hide that names nobody, and how much they send that does: counts, no words.

    python -m tests.benchmarks.bench_masking [FILE …]

Without files those of models/training/identifiers: ``open`` was learned from, ``held_out`` by nobody.
"""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path

from models.training.marked import FOLDER, Marked, marked_texts, told
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.making import identifier_finder


def slower(texts: list[Marked], closing: ExitStack) -> float:
    """Hiding names in ``texts`` ÷ embedding their lines once."""
    fresh: list[Embedder] = []
    for _ in range(2):
        fresh.append(LlamaEmbedder(models.encoder_path(), threads=1))
        closing.callback(fresh[-1].close)
    finder = identifier_finder(fresh[0])
    finder.find("Warm.")
    began = time.process_time()
    for one in texts:
        finder.learn([one.text]).find(one.text)
    between = time.process_time()
    fresh[1].embed([line for one in texts for line in one.text.splitlines()])
    return (between - began) / (time.process_time() - between)


def main() -> None:
    paths = [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*/*.*"))
    with ExitStack() as closing:
        embedder = LlamaEmbedder(models.encoder_path(), threads=1)
        closing.callback(embedder.close)
        finder = identifier_finder(embedder)
        for path in paths:
            texts = marked_texts(path)
            print(f"{path.parent.name:9} {path.stem:9} {told(texts, finder)}", flush=True)
        print(f"hiding names ÷ embedding the lines of twelve texts of {path.stem}: {slower(texts[:12], closing):.1f}")


if __name__ == "__main__":
    main()
