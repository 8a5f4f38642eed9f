"""The tables of the benchmark ``tn-eval``: every judge beside every other, on the same notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.measures.agreement import (
    auc,
    bootstrap,
    calibration_error,
    cohen_kappa,
    krippendorff_alpha,
    pearson,
    plain,
    reliability,
)
from noteeval_desktop.measures.tn_eval import ANNOTATORS, LLM_JUDGES, SOURCES, Answer, JudgedNote, LabelledNote

DIMENSIONS = ("completeness", "conciseness", "faithfulness")
ALIGN_SCORE = "AlignScore"
Floats = NDArray[np.float64]
_ANSWERS: Mapping[str, Callable[[JudgedNote], Sequence[Answer] | None]] = {
    "completeness": lambda note: None if note.items is None else tuple(note.items.values()),
    "conciseness": lambda note: note.needed,
    "faithfulness": lambda note: note.faithful,
}


def published_judges(notes: Sequence[LabelledNote]) -> dict[str, tuple[JudgedNote, ...]]:
    """The answers that are in the data, by judge."""
    judges = {
        name: tuple(
            JudgedNote(
                items={item: _answer(note.llm_present[judge][item]) for item in note.present},
                needed=tuple(_answer(labelled.llm_needed[judge]) for labelled in note.sentences),
            )
            for note in notes
        )
        for judge, name in LLM_JUDGES.items()
    }
    judges[ALIGN_SCORE] = tuple(
        JudgedNote(faithfulness=float(np.mean([note.align_score[section] for section in SOAP]))) for note in notes
    )
    return judges


def _answer(label: int) -> Answer:
    return Answer(float(label), bool(label))


def tables(
    notes: Sequence[LabelledNote], judges: Mapping[str, Sequence[JudgedNote]], rounds: int = 1000
) -> dict[str, Any]:
    """Per dimension: the two therapists against each other, then each judge against them.

    ``judges[name][i]`` judged ``notes[i]``, its items in the order of ``notes[i].present``. ``r`` is that of the mean
    probability, or of the judge's own score where it gives one; ``counted`` has that of the share of yes, as users see
    it. Intervals are bootstrapped over conversations (``rounds``); that of alpha is for both therapists' answers taken
    together. Figures that are undefined are None.
    """
    return {
        "notes": len(notes),
        "conversations": len({note.conversation for note in notes}),
        **{
            dimension: {
                "therapists": _therapists(notes, dimension),
                "judges": {
                    name: row
                    for name, judged in judges.items()
                    if (row := _row(notes, judged, dimension, rounds)) is not None
                },
            }
            for dimension in DIMENSIONS
        },
    }


def _labels(note: LabelledNote, dimension: str) -> Floats:
    """(things, therapists) of 0/1."""
    if dimension == "completeness":
        values: list[tuple[int, ...]] = list(note.present.values())
    elif dimension == "conciseness":
        values = [labelled.needed for labelled in note.sentences]
    else:
        values = [labelled.faithful for labelled in note.sentences]
    return np.array(values, dtype=float).reshape(-1, ANNOTATORS)


def _therapists(notes: Sequence[LabelledNote], dimension: str) -> dict[str, Any]:
    labels = [_labels(note, dimension) for note in notes]
    scores = np.array([one.mean(axis=0) for one in labels])
    first, second = np.concatenate(labels).T
    r = pearson(scores[:, 0], scores[:, 1])
    return {
        "r": plain(r),
        "alpha": plain(krippendorff_alpha([first.tolist(), second.tolist()])),
        "kappa": plain(cohen_kappa(first.tolist(), second.tolist())),
        # Spearman and Brown: the mean of two is as reliable as this; no judge can correlate higher than its root.
        "ceiling": plain(float(np.sqrt(2 * r / (1 + r))) if r > 0 else float("nan")),
    }


def _row(
    notes: Sequence[LabelledNote], judged: Sequence[JudgedNote], dimension: str, rounds: int
) -> dict[str, Any] | None:
    answers = [_ANSWERS[dimension](one) for one in judged]
    wholes = [one.faithfulness if dimension == "faithfulness" else None for one in judged]
    if any(a is None and w is None for a, w in zip(answers, wholes, strict=True)):
        return None
    row = _note_level(notes, np.array([_score(a, w) for a, w in zip(answers, wholes, strict=True)]), dimension, rounds)
    known = [answer for answer in answers if answer is not None]
    if len(known) == len(notes):
        counted = np.array([np.mean([answer.yes for answer in given]) for given in known])
        row |= {"counted": _note_level(notes, counted, dimension, rounds)}
        row |= _by_thing(notes, known, dimension, rounds)
        row |= {"parts": _by_part(notes, known, dimension, rounds)}
    return row


def _note_level(notes: Sequence[LabelledNote], own: Floats, dimension: str, rounds: int) -> dict[str, Any]:
    """Correlation of a score a note with the therapists' mean."""
    human = np.array([_labels(note, dimension).mean() for note in notes])
    estimate = bootstrap(pearson, own, human, [note.conversation for note in notes], rounds=rounds)
    return {
        "r": plain(estimate.value),
        "r_interval": [plain(estimate.low), plain(estimate.high)],
        "r_within_source": {
            source: plain(pearson(own[chosen], human[chosen]))
            for source in SOURCES
            if (chosen := np.array([note.source == source for note in notes])).any()
        },
    }


def _score(answers: Sequence[Answer] | None, whole: float | None) -> float:
    if whole is not None:
        return whole
    assert answers is not None
    return float(np.mean([answer.probability for answer in answers]))


def _by_thing(
    notes: Sequence[LabelledNote], answers: Sequence[Sequence[Answer]], dimension: str, rounds: int
) -> dict[str, Any]:
    labels = np.concatenate([_labels(note, dimension) for note in notes])
    chances = np.array([answer.probability for one in answers for answer in one])
    yes = [int(answer.yes) for one in answers for answer in one]
    people = [labels[:, person].astype(int).tolist() for person in range(ANNOTATORS)]
    shares = labels.mean(axis=1)
    owners = [note.conversation for note, one in zip(notes, answers, strict=True) for _ in one]
    agreed = bootstrap(
        _binary_alpha,
        np.tile(np.array(yes, dtype=float), ANNOTATORS),
        labels.T.ravel(),
        owners * ANNOTATORS,
        rounds=rounds,
    )
    area = bootstrap(auc, shares, chances, owners, rounds=rounds)
    return {
        "alpha": [plain(krippendorff_alpha([person, yes])) for person in people],
        "alpha_interval": [plain(agreed.low), plain(agreed.high)],
        "kappa": [plain(cohen_kappa(person, yes)) for person in people],
        "auc": plain(area.value),
        "auc_interval": [plain(area.low), plain(area.high)],
        "calibration_error": plain(calibration_error(shares, chances)),
        "reliability": [
            {"predicted": plain(part.predicted), "observed": plain(part.observed), "count": part.count}
            for part in reliability(shares, chances)
        ],
    }


def _by_part(
    notes: Sequence[LabelledNote], answers: Sequence[Sequence[Answer]], dimension: str, rounds: int
) -> dict[str, Any]:
    """Agreement with both therapists, of all (""), a section and, for completeness, a checklist item; ``yes`` is how
    many of the therapists' ``2 n`` answers are yes, ``therapists`` their alpha with each other."""
    found: dict[str, list[tuple[str, int, tuple[float, ...]]]] = {}
    for note, given in zip(notes, answers, strict=True):
        for parts, answer, labels in zip(
            _parts(note, dimension), given, _labels(note, dimension).tolist(), strict=True
        ):
            for part in parts:
                found.setdefault(part, []).append((note.conversation, int(answer.yes), tuple(labels)))
    return {part: _part(rows, rounds) for part, rows in sorted(found.items())}


def _parts(note: LabelledNote, dimension: str) -> list[tuple[str, ...]]:
    if dimension == "completeness":
        return [("", item, item.split("-", 1)[0]) for item in note.present]
    return [("", labelled.sentence.section.value) for labelled in note.sentences]


def _part(rows: Sequence[tuple[str, int, tuple[float, ...]]], rounds: int) -> dict[str, Any]:
    own, labels = np.array([yes for _, yes, _ in rows], dtype=float), np.array([given for _, _, given in rows])
    agreed = bootstrap(
        _binary_alpha,
        np.tile(own, ANNOTATORS),
        labels.T.ravel(),
        [conversation for conversation, _, _ in rows] * ANNOTATORS,
        rounds=rounds,
    )
    return {
        "n": len(rows),
        "yes": int(labels.sum()),
        "agreement": plain(float((own[:, None] == labels).mean())),
        "alpha": plain(agreed.value),
        "alpha_interval": [plain(agreed.low), plain(agreed.high)],
        "therapists": plain(_binary_alpha(labels[:, 0], labels[:, 1])),
    }


def _binary_alpha(one: Floats, other: Floats) -> float:
    """Krippendorff's alpha of two raters who both say 0 or 1 about everything: fast enough to be resampled."""
    ones = float(one.sum() + other.sum())
    zeros = 2 * len(one) - ones
    apart = float((one != other).sum())
    return float("nan") if ones == 0 or zeros == 0 else 1 - (2 * len(one) - 1) * apart / (ones * zeros)
