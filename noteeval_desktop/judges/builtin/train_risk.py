"""Train the head for danger by meaning: ``python -m noteeval_desktop.judges.builtin.train_risk MODEL ANNOMI.csv``.

Positives are the lexicon's prototypes; negatives its contrast sentences and the sentences of AnnoMI in which no phrase
of danger stands. The golden phrasings take no part, so that they stay a test.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.risk_head import RiskHead
from noteeval_desktop.judges.builtin.risk_lexicon import risk_lexicon

_STRENGTH = 50.0
_ITERATIONS = 500
_CONTRAST_WEIGHT = 1.0
_EVERYDAY_WEIGHT = 0.02
Floats = NDArray[np.float32]
# Of AnnoMI's sentences without a phrase of danger, this share may be reported for their meaning.
_FALSE_ALARMS = 0.008


def everyday_sentences(annomi: Path) -> dict[str, list[str]]:
    """By session, the sentences of AnnoMI in which no phrase of danger stands."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    found: dict[str, list[str]] = {}
    with annomi.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = row["utterance_text"].replace("\n", " ")
            for span in split_line(text, plain=True):
                if not any(lexicon.matches(lexicon.folded(span.of(text), spellings))):
                    found.setdefault(row["transcript_id"], []).append(span.of(text))
    return found


def fit(embedder: Embedder, everyday: Floats, threshold: float = 0.5) -> RiskHead:
    """A softmax over the kinds and "no danger", balanced between what is dangerous and what is not.

    ``everyday`` is (n, dim), the vectors of sentences without danger.
    """
    from sklearn.linear_model import LogisticRegression

    lexicon, kinds = risk_lexicon(), tuple(RiskKind)
    positive = [(text, kinds.index(kind)) for kind, texts in lexicon.prototypes.items() for text in texts]
    own = embedder.embed([text for text, _ in positive] + list(lexicon.contrast))
    labels = [label for _, label in positive] + [len(kinds)] * (len(lexicon.contrast) + len(everyday))
    weights = [1.0] * len(positive) + [_CONTRAST_WEIGHT] * len(lexicon.contrast) + [_EVERYDAY_WEIGHT] * len(everyday)
    model = LogisticRegression(C=_STRENGTH, max_iter=_ITERATIONS, tol=1e-3)
    model.fit(np.vstack([own, everyday]).astype(float), labels, sample_weight=weights)
    return RiskHead(
        model.coef_.astype(np.float32), model.intercept_.astype(np.float32), threshold, embedder.fingerprint
    )


def held_out_danger(embedder: Embedder, sessions: dict[str, Floats], folds: int = 3) -> Floats:
    """Danger (0..1) of each everyday sentence, by a head that has not seen its session."""
    names, danger = list(sessions), []
    for fold in range(folds):
        train = np.vstack([sessions[name] for number, name in enumerate(names) if number % folds != fold])
        test = np.vstack([sessions[name] for number, name in enumerate(names) if number % folds == fold])
        danger.append(1 - fit(embedder, train).probabilities(test)[:, -1])
    return np.concatenate(danger)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="the sentence encoder, a GGUF file")
    parser.add_argument("annomi", type=Path, help="annomi_simple.csv")
    arguments = parser.parse_args()
    embedder = LlamaEmbedder(arguments.model)
    sessions = {name: embedder.embed(texts) for name, texts in everyday_sentences(arguments.annomi).items()}
    threshold = float(np.quantile(held_out_danger(embedder, sessions), 1 - _FALSE_ALARMS))
    head = fit(embedder, np.vstack(list(sessions.values())), threshold)
    target = paths.resources() / "heads" / "risk.npz"
    target.parent.mkdir(exist_ok=True)
    np.savez(
        target, weights=head.weights, bias=head.bias, threshold=np.float32(threshold), fingerprint=head.fingerprint
    )
    print(f"threshold {threshold:.3f} at {_FALSE_ALARMS:.1%} of everyday sentences, held out by session")


if __name__ == "__main__":
    main()
