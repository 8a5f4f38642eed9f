"""Does what a removed sentence rested on come back as an omission? Over TN-Eval's notes.

The rule for a hit is older than the heads that it measures; the controls were added while these were built:

- A sentence that both therapists called faithful and gave an item is taken out, with those that say the same
  (cosine >= 0.6).
- It comes back when one of the first five findings cites one of the three turns closest to it, or words that mean the
  same (cosine >= 0.5). That is lenient: so many quotes drawn at random hit often too, and ``chance`` says how often.
  ``closest_turn`` counts only a finding that cites the one turn closest to the sentence.
- ``while_still_in_the_note``: how often the complete note's findings hit all the same. A list that does not heed the
  note has a fine recall and as many hits here.
- ``still_said``: four fifths of its words stand in what is left of the note, so little is missing.
- ``unclear``: no turn comes near it (cosine < 0.35): it is a reading of the session, and what it rests on is a guess.
- ``clear``: neither of these.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.verdicts import ClaimVerdict, Omission, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.tn_eval import LabelledNote

Floats = NDArray[np.float32]
TOP = 5
_GROUNDING_TURNS = 3
_REPEATS = 0.6
_SAME = 0.5
_NEAR = 0.35
_SAID = 0.8
_FEWEST_WORDS = 3
_DRAWS = 20


@dataclass(frozen=True, slots=True)
class _Trial:
    """``chance`` and ``chance_closest``: how often as many quotes, drawn at random, would have hit; ``before`` and
    ``closest_before``: the complete note's findings hit as well, though it says it."""

    conversation: str
    hit: bool
    closest: bool
    chance: float
    chance_closest: float
    before: bool
    closest_before: bool
    repeated: bool
    still_said: bool
    unclear: bool

    @property
    def clear(self) -> bool:
        return not self.still_said and not self.unclear


@dataclass(frozen=True)
class _Target:
    """What a removed sentence rested on: ``likeness`` (turns,) its cosine with each turn."""

    vector: Floats
    likeness: Floats

    @property
    def grounding(self) -> frozenset[int]:
        return frozenset(np.argsort(-self.likeness)[:_GROUNDING_TURNS].tolist())

    @property
    def closest(self) -> int:
        return int(self.likeness.argmax())


def run_omissions(
    notes: Sequence[LabelledNote],
    judge_of: Callable[[str], Judge],
    embedder: Embedder,
    cancel: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Recall at 5 by the rules above, and findings per complete note.

    ``judge_of`` gives the judge for a conversation, so that a judge can be one that has not been trained on it.
    """
    cancel = cancel or threading.Event()
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    trials: list[_Trial] = []
    complete: list[list[Omission]] = []
    for number, note in enumerate(notes):
        progress(number, len(notes))
        judge = judge_of(note.conversation)
        claims = tuple(judge.support(note.case, cancel))
        complete.append(list(judge.omit(note.case, claims, cancel)))
        trials += _trials(note, judge, embedder, lexicon, claims, complete[-1], cancel)
    quotes = [len(omission.citations) for omissions in complete for omission in omissions]
    kinds = Counter(omission.kind.value for omissions in complete for omission in omissions)
    return {
        "sentences_removed": len(trials),
        "recall_at_5": _share([trial.hit for trial in trials]),
        "interval": _interval(trials),
        "chance": _share([trial.chance for trial in trials]),
        "recall_at_5_closest_turn": _share([trial.closest for trial in trials]),
        "chance_closest_turn": _share([trial.chance_closest for trial in trials]),
        "while_still_in_the_note": _share([trial.before for trial in trials]),
        "closest_turn_while_still_in_the_note": _share([trial.closest_before for trial in trials]),
        **_part("said_once", [trial for trial in trials if not trial.repeated]),
        **_part("still_said", [trial for trial in trials if trial.still_said]),
        **_part("unclear", [trial for trial in trials if trial.unclear and not trial.still_said]),
        **_part("clear", [trial for trial in trials if trial.clear]),
        "findings_per_complete_note": _share([len(omissions) for omissions in complete]),
        "quotes_per_finding": _share(quotes),
        "kinds_per_complete_note": {kind: count / len(notes) for kind, count in sorted(kinds.items())},
    }


def _part(name: str, trials: Sequence[_Trial]) -> dict[str, Any]:
    return {f"recall_at_5_{name}": _share([trial.hit for trial in trials]), f"sentences_{name}": len(trials)}


def _trials(
    note: LabelledNote,
    judge: Judge,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    claims: Sequence[ClaimVerdict],
    complete: Sequence[Omission],
    cancel: threading.Event,
) -> list[_Trial]:
    sentences = [labelled.sentence for labelled in note.sentences]
    vectors = embedder.embed([sentence.text for sentence in sentences], cancel)
    turns = embedder.embed([turn.text for turn in note.case.transcript.turns], cancel)
    spoken = [turn.index for turn in note.case.transcript.turns if len(turn.text.split()) >= _FEWEST_WORDS]
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
        target = _Target(vectors[number], turns @ vectors[number])
        cited = _turns(omissions)
        chance, chance_closest = _chance(len(cited), spoken, target)
        found.append(
            _Trial(
                conversation=note.conversation,
                hit=_hits(omissions, target, embedder, cancel),
                closest=target.closest in cited,
                chance=chance,
                chance_closest=chance_closest,
                before=_hits(complete[:TOP], target, embedder, cancel),
                closest_before=target.closest in _turns(complete[:TOP]),
                repeated=bool(same.sum() > 1),
                still_said=_still_said(sentences[number], kept, lexicon),
                unclear=bool(target.likeness.max() < _NEAR),
            )
        )
    return found


def _still_said(removed: Sentence, kept: Sequence[Sentence], lexicon: ClaimLexicon) -> bool:
    stems = set(lexicon.content_stems(removed.text))
    left = {stem for sentence in kept for stem in lexicon.content_stems(sentence.text)}
    return len(stems) >= _FEWEST_WORDS and len(stems & left) >= _SAID * len(stems)


def _chance(quotes: int, spoken: Sequence[int], target: _Target) -> tuple[float, float]:
    """How often as many turns drawn at random, of those with three words or more, hit."""
    wanted = target.grounding | set(np.flatnonzero(target.likeness >= _SAME).tolist())
    generator = np.random.default_rng(7)
    drawn = [set(generator.permutation(spoken)[:quotes].tolist()) for _ in range(_DRAWS)]
    return float(np.mean([bool(own & wanted) for own in drawn])), float(
        np.mean([target.closest in own for own in drawn])
    )


def _without(note: Note, kept: Sequence[Sentence]) -> Note:
    """The note with the other sentences blanked out, so that every span stays where it is."""
    letters = [" "] * len(note.text)
    for sentence in kept:
        letters[sentence.span.start : sentence.span.end] = sentence.text
    for block in note.blocks:
        if block.heading:
            letters[block.heading.start : block.heading.end] = block.heading.of(note.text)
    return replace(note, text="".join(letters), sentences=tuple(kept))


def _hits(omissions: Sequence[Omission], target: _Target, embedder: Embedder, cancel: threading.Event) -> bool:
    cited = [citation for omission in omissions for citation in omission.citations]
    if any(citation.turn in target.grounding for citation in cited):
        return True
    passages = embedder.embed([citation.quote for citation in cited], cancel)
    return bool(len(passages) and (passages @ target.vector).max() >= _SAME)


def _turns(omissions: Sequence[Omission]) -> set[int]:
    return {citation.turn for omission in omissions for citation in omission.citations}


def _share(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _interval(trials: Sequence[_Trial], draws: int = 1_000) -> tuple[float, float] | None:
    """95 % percentile interval, conversations drawn with replacement."""
    groups = [
        [trial.hit for trial in trials if trial.conversation == name]
        for name in dict.fromkeys(trial.conversation for trial in trials)
    ]
    if not groups:
        return None
    generator = np.random.default_rng(7)
    means = []
    for _ in range(draws):
        picked = generator.integers(0, len(groups), len(groups))
        means.append(np.mean(np.concatenate([groups[index] for index in picked])))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
