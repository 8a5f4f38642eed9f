"""Running a judge over the data of a benchmark; the figures come from ``measures``."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from noteeval_desktop.domain.scores import expected_faithfulness
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.tn_eval import Answer, JudgedNote, LabelledNote, load_notes
from noteeval_desktop.measures.tn_eval_tables import published_judges, tables

Progress = Callable[[int, int], None]


def run_tn_eval(
    data_path: Path,
    judge: Judge | None,
    cross_validate: Embedder | None = None,
    progress: Progress = lambda done, total: None,
    *,
    cancel: threading.Event | None = None,
    seeds: Sequence[int] = (0,),
    rounds: int = 1000,
) -> dict[str, Any]:
    """The benchmark's tables for ``judge`` (None: only what is in the data) beside every judge in the data.

    With ``cross_validate`` (the encoder to train on) the built-in heads are trained anew per fold, once a seed, and
    stand in the tables in place of those that ship, which saw these notes. Raises InputError, JudgeError, Cancelled.
    """
    notes = load_notes(data_path)
    cancel = cancel or threading.Event()
    judges: dict[str, Sequence[JudgedNote]] = {}
    if judge is not None and (cross_validate is None or judge.identity.kind != "builtin"):
        answered = []
        for note in notes:
            answered.append(_asked(judge, note, cancel))
            progress(len(answered), len(notes))
        judges[judge.identity.kind] = answered
    if cross_validate is not None:
        held_out, note_heads, clinicians = map(training, ("held_out", "notes", "clinicians"))
        data = note_heads.make(notes, clinicians.sessions(), cross_validate)
        for seed in seeds:
            judged = note_heads.cross_validated(data, seed, progress=progress)
            faithful = held_out.cross_validated(notes, cross_validate, seed, progress)
            judges[f"built-in, cross-validated, seed {seed}"] = [
                replace(one, faithful=own.faithful, faithfulness=own.faithfulness)
                for one, own in zip(judged, faithful, strict=True)
            ]
    return {"benchmark": "tn-eval", **tables(notes, {**judges, **published_judges(notes)}, rounds)}


def training(name: str) -> ModuleType:
    """A module of the training code, which stands beside the program in its repository and is not installed with it.

    Raises InputError.
    """
    root = Path(__file__).parents[2]
    if not (root / "models" / "training").is_dir():
        remedy = "Run it from a copy of the repository, with its [train] extra."
        raise InputError("--cross-validate", "the code that trains is not installed", remedy)
    if str(root) not in sys.path:
        sys.path.append(str(root))
    return import_module(f"models.training.{name}")


def _asked(judge: Judge, note: LabelledNote, cancel: threading.Event) -> JudgedNote:
    items = {verdict.item: (verdict.probability, verdict.present) for verdict in judge.cover(note.case, cancel)}
    needs = {verdict.sentence: (verdict.probability, verdict.needed) for verdict in judge.need(note.case, cancel)}
    given = list(judge.support(note.case, cancel))
    claims = {
        verdict.sentence: (
            verdict.probability,
            None if verdict.verdict is None else verdict.verdict is Verdict.SUPPORTED,
        )
        for verdict in given
    }
    sentences = [labelled.sentence.id for labelled in note.sentences]
    present = _answers([items.get(item, (None, None)) for item in note.present])
    return JudgedNote(
        items=None if present is None else dict(zip(note.present, present, strict=True)),
        needed=_answers([needs.get(sentence, (None, None)) for sentence in sentences]),
        faithful=_answers([claims.get(sentence, (None, None)) for sentence in sentences]),
        faithfulness=expected_faithfulness([claim for claim in given if claim.verdict is not None]),
    )


def _answers(given: Sequence[tuple[float | None, bool | None]]) -> tuple[Answer, ...] | None:
    """None when nothing was judged; a single one that was not judged counts as undecided."""
    if all(yes is None for _, yes in given):
        return None
    known = [float(yes) if chance is None else chance for chance, yes in given if yes is not None]
    middle = float(np.mean(known))
    return tuple(
        Answer(middle if yes is None else float(yes) if chance is None else chance, bool(yes)) for chance, yes in given
    )
