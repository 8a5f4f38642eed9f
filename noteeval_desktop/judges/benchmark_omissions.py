"""Does what a removed sentence rested on come back as an omission? Over TN-Eval's notes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.verdicts import Omission, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.tn_eval import LabelledNote

TOP = 5
_GROUNDING_TURNS = 3
_REPEATS = 0.6
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class _Trial:
    conversation: str
    hit: bool
    repeated: bool


def run_omissions(
    notes: Sequence[LabelledNote],
    judge_of: Callable[[str], Judge],
    embedder: Embedder,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Recall at 5 and findings per complete note.

    ``judge_of`` gives the judge for a conversation, so that a judge can be one that has not been trained on it. Each
    sentence that both therapists called faithful and gave an item is taken out, with those that say the same (cosine
    >= 0.6): a hit is an omission among the first five that cites one of the three turns closest to the sentence, or
    whose passage means the same (cosine >= 0.5).
    """
    cancel = cancel or threading.Event()
    trials: list[_Trial] = []
    complete: list[int] = []
    for number, note in enumerate(notes):
        progress(number, len(notes))
        judge = judge_of(note.conversation)
        claims = tuple(judge.support(note.case, cancel))
        complete.append(sum(1 for _ in judge.omit(note.case, claims, cancel)))
        trials += _trials(note, judge, embedder, claims, cancel)
    unique = [trial.hit for trial in trials if not trial.repeated]
    by_conversation = [
        [trial.hit for trial in trials if trial.conversation == name]
        for name in dict.fromkeys(trial.conversation for trial in trials)
    ]
    return {
        "sentences_removed": len(trials),
        "recall_at_5": _share([trial.hit for trial in trials]),
        "interval": _interval(by_conversation),
        "recall_at_5_said_once": _share(unique),
        "sentences_said_once": len(unique),
        "findings_per_complete_note": float(np.mean(complete)) if complete else None,
    }


def _trials(
    note: LabelledNote, judge: Judge, embedder: Embedder, claims: Sequence[Any], cancel: threading.Event
) -> list[_Trial]:
    sentences = [labelled.sentence for labelled in note.sentences]
    vectors = embedder.embed([sentence.text for sentence in sentences], cancel)
    turns = embedder.embed([turn.text for turn in note.case.transcript.turns], cancel)
    found = []
    for number, labelled in enumerate(note.sentences):
        if not (all(labelled.needed) and all(labelled.faithful)):
            continue
        same = vectors @ vectors[number] >= _REPEATS
        same[number] = True
        kept = tuple(sentence for sentence, gone in zip(sentences, same, strict=True) if not gone)
        ids = {sentence.id for sentence in kept}
        shortened = replace(note.case, note=_without(note.case.note, kept))
        own = [claim for claim in claims if claim.sentence in ids and claim.verdict is Verdict.SUPPORTED]
        omissions = list(judge.omit(shortened, own, cancel))[:TOP]
        grounding = set(np.argsort(-(turns @ vectors[number]))[:_GROUNDING_TURNS].tolist())
        hit = _hits(omissions, grounding, vectors[number], embedder, cancel)
        found.append(_Trial(note.conversation, hit, bool(same.sum() > 1)))
    return found


def _without(note: Note, kept: Sequence[Any]) -> Note:
    """The note with the other sentences blanked out, so that every span stays where it is."""
    letters = [" "] * len(note.text)
    for sentence in kept:
        letters[sentence.span.start : sentence.span.end] = sentence.text
    for block in note.blocks:
        if block.heading:
            letters[block.heading.start : block.heading.end] = block.heading.of(note.text)
    return replace(note, text="".join(letters), sentences=tuple(kept))


def _hits(
    omissions: Sequence[Omission], grounding: set[int], removed: Any, embedder: Embedder, cancel: threading.Event
) -> bool:
    if any(omission.citation.turn in grounding for omission in omissions):
        return True
    passages = embedder.embed([omission.citation.quote for omission in omissions], cancel)
    return bool(len(passages) and (passages @ removed).max() >= _SAME)


def _share(flags: Sequence[bool]) -> float | None:
    return float(np.mean(flags)) if flags else None


def _interval(groups: Sequence[Sequence[bool]], draws: int = 1_000) -> tuple[float, float] | None:
    """95 % percentile interval, conversations drawn with replacement."""
    if not groups:
        return None
    generator = np.random.default_rng(7)
    means = []
    for _ in range(draws):
        picked = generator.integers(0, len(groups), len(groups))
        means.append(np.mean(np.concatenate([groups[index] for index in picked])))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
