"""Train the screen before the head for danger by meaning.

``python -m models.training.risk_screen MODEL ANNOMI.csv [--phrases P.csv ...] [--harmless ...]``

Run it after ``train_risk``, with the same files: the screen is made for the head that ships. Positives are phrasings
that the head finds by their meaning alone, each put between everyday sentences of AnnoMI to make passages of up to 60
words; negatives are AnnoMI's sentences in passages of their own, and harmless phrasings between everyday sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.risk import everyday_sentences, phrasings, read_arguments
from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.benchmark_annomi import read_sessions
from noteeval_desktop.judges.builtin.risk.head import Floats, RiskHead, risk_head
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.screen import seen
from noteeval_desktop.judges.builtin.text.in_context import read_in_context, sentence_spans

_STRENGTH = 1.0
_FOLDS = 5
_PASSAGES = 6  # of each phrasing
_WORDS = (15, 25, 40, 60)
_FEWEST, _LONGEST = 3, 20


@dataclass(frozen=True)
class Seen:
    """``rows`` (n, dim + 1) as the screen sees them; ``phrasing`` (n,) numbers the phrasing, -1 for everyday talk."""

    rows: Floats
    danger: NDArray[np.bool_]
    phrasing: NDArray[np.int64]


def passages_around(phrasing: str, everyday: Sequence[str], generator: np.random.Generator) -> list[tuple[str, Span]]:
    """Passages of up to 60 words that hold the phrasing between sentences of others, and where it stands."""
    made = []
    for number in range(_PASSAGES):
        before, after, room = list[str](), list[str](), _WORDS[number % len(_WORDS)] - len(phrasing.split())
        while not (before or after) or room > 0:
            sentence = everyday[int(generator.integers(len(everyday)))]
            room -= len(sentence.split())
            if room < 0 and (before or after):
                break
            (before if generator.random() < 0.5 else after).append(sentence)
        start = sum(len(sentence) + 1 for sentence in before)
        made.append((" ".join([*before, phrasing, *after]), Span(start, start + len(phrasing))))
    return made


def examples(
    head: RiskHead, embedder: Embedder, annomi: Path, phrases: Sequence[Path], harmless: Sequence[Path]
) -> Seen:
    """What the head finds by meaning, what is harmless and what is everyday talk, as seen in passages."""
    generator = np.random.default_rng(0)
    everyday = [text for _, text in everyday_sentences(annomi) if _FEWEST <= len(text.split()) <= _LONGEST]
    given = _sentences(phrasings(phrases, harmless))
    found = head.kinds([folded for folded, _ in given], embedder, None)
    chosen = [(folded, kind >= 0) for (folded, kind), by_head in zip(given, found, strict=True) if by_head or kind < 0]
    texts, places, owners = list[str](), list[Span](), list[int]()
    for number, (folded, _) in enumerate(chosen):
        for text, place in passages_around(folded, everyday, generator):
            texts.append(text)
            places.append(place)
            owners.append(number)
    spans = [sentence_spans(text) for text in texts]
    read = read_in_context(texts, spans, embedder)
    at = _rows_of(places, spans)
    usable = (at >= 0) & read.told[at]
    talk = _everyday_vectors(embedder, annomi)
    phrasing = np.concatenate([np.array(owners)[usable], np.full(len(talk), -1)])
    danger = np.concatenate([np.array([chosen[owner][1] for owner in owners])[usable], np.zeros(len(talk), dtype=bool)])
    return Seen(seen(np.concatenate([read.vectors[at[usable]], talk]), head), danger, phrasing)


def _sentences(given: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The sentences of the phrasings, folded, without those that the lexicon answers for."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    said = ((lexicon.folded(span.of(text), spellings), kind) for text, kind in given for span in sentence_spans(text))
    return list(dict.fromkeys((t, k) for t, k in said if not any(lexicon.matches(t)) and not lexicon.benign.search(t)))


def _rows_of(places: Sequence[Span], spans: Sequence[Sequence[Span]]) -> NDArray[np.int64]:
    """The row of each phrasing among all sentences; -1 where it was split otherwise or joined to its neighbours."""
    rows, first = [], 0
    for place, own in zip(places, spans, strict=True):
        rows.append(next((first + number for number, span in enumerate(own) if span == place), -1))
        first += len(own)
    return np.array(rows, dtype=np.int64)


def _everyday_vectors(embedder: Embedder, annomi: Path) -> Floats:
    """Sentences without a phrase of danger, from every third session, each in its own passage."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    texts = [turn.text for session in read_sessions(annomi)[::3] for turn in session.transcript.turns]
    spans = [sentence_spans(text) for text in texts]
    read = read_in_context(texts, spans, embedder)
    said = [lexicon.folded(span.of(text), spellings) for text, own in zip(texts, spans, strict=True) for span in own]
    harmless = np.array([not any(lexicon.matches(folded)) for folded in said], dtype=bool)
    return np.asarray(read.vectors[read.told & harmless], dtype=np.float32)


def fit(data: Seen) -> tuple[Floats, NDArray[np.float64]]:
    """Weights over ``rows``, and the score of every dangerous passage by weights that have not seen its phrasing."""
    from sklearn.linear_model import LogisticRegression

    def weights(rows: NDArray[np.bool_]) -> Floats:
        model = LogisticRegression(C=_STRENGTH, max_iter=1_000, class_weight="balanced")
        return np.asarray(model.fit(data.rows[rows], data.danger[rows]).coef_[0], dtype=np.float32)

    held_out = []
    for fold in range(_FOLDS):
        test = data.danger & (data.phrasing % _FOLDS == fold)
        own = (data.phrasing >= 0) & (data.phrasing % _FOLDS == fold)
        held_out.append(data.rows[test] @ weights(~own))
    return weights(np.ones(len(data.rows), dtype=bool)), np.concatenate(held_out)


def main() -> None:
    arguments = read_arguments(__doc__)
    embedder, head = LlamaEmbedder(arguments.model), risk_head()
    if head is None or not head.reads(embedder):
        raise ModelError("risk.npz: the head for danger was not trained for this encoder. Run train_risk first.")
    data = examples(head, embedder, arguments.annomi, arguments.phrases, arguments.harmless)
    weights, held_out = fit(data)
    # Under the lowest score held out, one outlier of 2,478 would cost a tenth of the embedding's time again.
    own = data.rows[data.danger] @ weights
    threshold = float(np.nextafter(np.float32(own.min()), np.float32(-np.inf)))
    np.savez(
        paths.resources() / "heads" / "risk_screen.npz",
        weights=weights,
        threshold=np.float32(threshold),
        fingerprint=head.fingerprint,
    )
    talk = data.rows[data.phrasing < 0] @ weights
    print(f"{len(held_out)} passages with {len(set(data.phrasing[data.danger].tolist()))} dangerous phrasings")
    for share in (0.0, 0.001, 0.0025, 0.005):
        limit = np.quantile(held_out, share)
        print(f"  losing {share:.2%}, held out: {(talk > limit).mean():.1%} of everyday sentences pass")
    lost = int((held_out <= threshold).sum())
    print(f"shipped, over {threshold:.2f}: {(talk > threshold).mean():.1%} of everyday sentences pass")
    print(f"  {lost} dangerous passages lost held out")


if __name__ == "__main__":
    main()
