"""BLEURT (Sellam et al. 2020) of notes, with the package of its authors and a checkpoint of the user's."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.reference_scores import NotePair


def bleurt(checkpoint: Path, pairs: Sequence[NotePair]) -> list[float]:
    """One score a pair, about 0 to 1 with BLEURT-20; what a note has beyond 512 word pieces is not read. Values of two
    checkpoints do not compare. Raises InputError where the package or the checkpoint is not there."""
    if not checkpoint.is_dir():
        remedy = tr("Download BLEURT-20 from its authors' page, unpack it, and name its folder.")
        raise InputError("--bleurt", tr("names no folder with a checkpoint"), remedy)
    try:
        score = importlib.import_module("bleurt.score")
    except ModuleNotFoundError as error:
        remedy = tr("Install it from github.com/google-research/bleurt, and run it again.")
        raise InputError("--bleurt", tr("needs the package bleurt"), remedy) from error
    # As the other metrics read notes: without headings.
    texts = [[" ".join(s.text for s in note.sentences) for note in (pair.reference, pair.note)] for pair in pairs]
    scorer = score.BleurtScorer(str(checkpoint))
    return [float(v) for v in scorer.score(references=[r for r, _ in texts], candidates=[c for _, c in texts])]
