"""The benchmark ``tn-eval``: a judge over therapists' notes and language models', beside those that are in the data."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.scores import expected_faithfulness
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import known_mean
from noteeval_desktop.measures.tn_eval import SOURCES, Answer, JudgedNote, LabelledNote
from noteeval_desktop.measures.tn_eval_tables import DIMENSIONS, published_judges
from noteeval_desktop.report.terminal import between, figure, table

_LEGEND = tr(
    "r        how closely the note's score follows the mean of two therapists (1: perfectly, 0: not at all), over all\n"
    "         notes and within the notes of each source. Where a judge gives probabilities, the score is their mean\n"
    "         (faithfulness: with what is sure counted in full and errors for less);\n"
    "         the row below it counts the answers that are yes, as the program shows them.\n"
    "α, κ     agreement with one therapist beyond chance, item by item or sentence by sentence, mean over the two.\n"
    "AUC      how often a thing that a therapist marked is ranked above one that was not (0.5: by chance).\n"
    "ECE      how far stated probabilities are from what therapists said, on average (0: exactly right).\n"
    "Ceiling  the highest r that any judge can expect, as two therapists differ from each other.\n"
    "Intervals are from resampling conversations.\n"
    "The heads that ship were trained on the development notes: over those, only cross-validated rows say how\n"
    "the judge does on notes that it never saw."
)


def all_judged(
    notes: Sequence[LabelledNote],
    judge: Judge | None,
    cancel: threading.Event,
    cross_validate: Embedder | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    keep: Path | None = None,
) -> dict[str, Sequence[JudgedNote]]:
    """What ``judge`` and every judge in the data say of the notes, by judge.

    With ``cross_validate`` (the encoder to train on) the built-in heads are trained anew per fold, and stand in place
    of those that ship, which saw these notes; what takes long stays in the folder ``keep``. Raises InputError,
    JudgeError, Cancelled.
    """
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
        judged = note_heads.cross_validated(data, 0, progress=progress, keep=keep)
        faithful = held_out.cross_validated(notes, cross_validate, 0, progress, keep)
        judges["built-in, cross-validated, seed 0"] = [
            replace(one, faithful=own.faithful, faithfulness=own.faithfulness)
            for one, own in zip(judged, faithful, strict=True)
        ]
    return {**judges, **published_judges(notes)}


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


def tn_eval_text(result: Mapping[str, Any]) -> str:
    """One table a dimension: the therapists against each other, then each judge against them."""
    told = tr("{notes} of {conversations}")
    notes, conversations = counted(result["notes"], "note"), counted(result["conversations"], "conversation")
    parts = [told.format(notes=notes, conversations=conversations)]
    head = ["r", tr("95 % interval"), tr("by therapists"), tr("by Llama"), tr("by Mistral")]
    head += ["α", tr("95 % interval"), "κ", "AUC", "ECE"]
    for dimension in DIMENSIONS:
        people = result[dimension]["therapists"]
        rows = [[dimension.capitalize(), *head]]
        ceiling = f"ceiling {_two(people['ceiling'])}"
        agreement = (_two(people["alpha"]), "", _two(people["kappa"]))
        rows.append([tr("one therapist, the other"), _two(people["r"]), ceiling, "", "", "", *agreement, "", ""])
        for name, row in result[dimension]["judges"].items():
            rows += _rows(name, row)
        parts.append(table(rows))
    return "\n\n".join([*parts, _LEGEND])


def _rows(judge: str, row: Mapping[str, Any]) -> list[list[str]]:
    """The judge's line, and one for its counted answers where they give another score."""
    alpha, kappa = (_two(known_mean(row.get(name, ()))) for name in ("alpha", "kappa"))
    rest = (kappa, _two(row.get("auc")), _two(row.get("calibration_error")))
    by_thing = [alpha, between(row.get("alpha_interval"), 2), *rest]
    lines = [[judge, *_note_level(row), *by_thing]]
    yes = row.get("counted")
    if yes is not None and yes["r"] != row["r"]:
        lines.append([tr("  counting yes answers"), *_note_level(yes), *[""] * len(by_thing)])
    return lines


def _note_level(row: Mapping[str, Any]) -> list[str]:
    within = [_two(row["r_within_source"].get(source)) for source in SOURCES]
    return [_two(row["r"]), between(row["r_interval"], 2), *within]


def _two(value: float | None) -> str:
    return figure(value, 2)
