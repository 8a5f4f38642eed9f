"""Train the head for danger by meaning.

``python -m models.training.risk MODEL ANNOMI.csv [--phrases P.csv ...] [--harmless H.csv ...]``

Positives are the lexicon's prototypes and the phrasings of P (columns ``kind``, ``text``); negatives its contrast
and everyday sentences, those of H (column ``text``) and the sentences of AnnoMI in which no phrase of danger stands.
What is given here is no test any more: it is measured only by cross-validation, which the script prints.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.risk.head import RiskHead
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon

Floats = NDArray[np.float32]
_SHARPNESS = 1.0
_STRENGTH = 10.0
_EVERYDAY_WEIGHT = 0.1
# AnnoMI's clients speak little of family and tears. At 1 the everyday sentences of the lexicon cost one phrasing of
# batch B, at 0.3 none; of 80 harmless sentences written beforehand 20 are reported instead of 27, and 2 in red for 9.
_FAMILY_WEIGHT = 0.3
_FOLDS = 5
# Of AnnoMI's sentences without a phrase of danger, this share may be reported for their meaning, held out by session.
# At 1 % the sample session, which speaks of more feelings than AnnoMI's, had 17 harmless findings, and nobody reads so
# many; at 0.4 % it has three. The price: of dangerous phrasings 74 % are heard by meaning alone instead of 87 %.
_FALSE_ALARMS = 0.004
# And this share may be warned of in red.
_FALSE_WARNINGS = 0.0002


@dataclass(frozen=True)
class Examples:
    """Unit vectors (n, dim) with their ``kind`` (index into RiskKind, -1: harmless), weight, and fold for held-out."""

    vectors: Floats
    kinds: NDArray[np.int64]
    weights: Floats
    folds: NDArray[np.int64]
    everyday: NDArray[np.bool_]

    def __getitem__(self, rows: NDArray[np.bool_]) -> Examples:
        return Examples(self.vectors[rows], self.kinds[rows], self.weights[rows], self.folds[rows], self.everyday[rows])


def everyday_sentences(annomi: Path) -> Iterator[tuple[int, str]]:
    """(session number, sentence) for the sentences of AnnoMI in which no phrase of danger stands."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    with annomi.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for folded in _folded(row["utterance_text"].replace("\n", " "), spellings):
                if not any(lexicon.matches(folded)):
                    yield int(row["transcript_id"]), folded


def _folded(text: str, spellings: dict[str, str]) -> Iterator[str]:
    lexicon = risk_lexicon()
    return (lexicon.folded(span.of(text), spellings) for span in split_line(text, plain=True))


def examples(embedder: Embedder, annomi: Path, phrases: Sequence[Path], harmless: Sequence[Path]) -> Examples:
    """All sentences, folded as at run time and embedded; everyday ones are folded out by session, others at random."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    said = phrasings(phrases, harmless)
    weights = [1.0] * len(said) + [_FAMILY_WEIGHT] * len(lexicon.everyday)
    said += [(text, -1) for text in lexicon.everyday]
    texts = [lexicon.folded(text, spellings) for text, _ in said]
    daily = list(everyday_sentences(annomi))
    folds = np.random.default_rng(0).integers(0, _FOLDS, len(said))
    return Examples(
        vectors=embedder.embed(texts + [text for _, text in daily]),
        kinds=np.array([kind for _, kind in said] + [-1] * len(daily)),
        weights=np.array(weights + [_EVERYDAY_WEIGHT] * len(daily), dtype=np.float32),
        folds=np.concatenate([folds, np.array([session % _FOLDS for session, _ in daily], dtype=np.int64)]),
        everyday=np.arange(len(said) + len(daily)) >= len(said),
    )


def phrasings(phrases: Sequence[Path], harmless: Sequence[Path]) -> list[tuple[str, int]]:
    """Phrasings of the lexicon and of the files with their kind (index into RiskKind, -1: harmless)."""
    lexicon, names = risk_lexicon(), tuple(RiskKind)
    said = [(text, names.index(kind)) for kind, texts in lexicon.prototypes.items() for text in texts]
    said += [(text, -1) for text in lexicon.contrast]
    for row in _rows(phrases):
        # "child-or-elder" stands for either; the kind head learns these two from the prototypes.
        if row["kind"] in names and not row.get("question"):
            said.append((row["text"], names.index(RiskKind(row["kind"]))))
    return said + [(row["text"], -1) for row in _rows(harmless)]


def _rows(files: Sequence[Path]) -> Iterator[dict[str, str]]:
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def fit(data: Examples, threshold: float, likely: float, fingerprint: str) -> RiskHead:
    """Danger against no danger by a support vector machine, and which danger by a softmax over the dangerous ones."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    machine = SVC(kernel="rbf", gamma=_SHARPNESS, C=_STRENGTH, cache_size=500)
    machine.fit(data.vectors, data.kinds >= 0, sample_weight=data.weights)
    danger = data.kinds >= 0
    which = LogisticRegression(C=_STRENGTH, max_iter=500).fit(data.vectors[danger], data.kinds[danger])
    return RiskHead(
        support=np.asarray(machine.support_vectors_, dtype=np.float32),
        shares=np.asarray(machine.dual_coef_[0], dtype=np.float32),
        offset=float(machine.intercept_[0]),
        sharpness=_SHARPNESS,
        weights=np.asarray(which.coef_, dtype=np.float32),
        bias=np.asarray(which.intercept_, dtype=np.float32),
        threshold=threshold,
        likely=likely,
        fingerprint=fingerprint,
    )


def held_out(data: Examples) -> Floats:
    """The margin (n,) of each example by a head that has not seen its fold."""
    margins = np.zeros(len(data.kinds), dtype=np.float32)
    for fold in range(_FOLDS):
        test = data.folds == fold
        margins[test] = fit(data[~test], 0.0, 0.0, "").margins(data.vectors[test])
    return margins


def read_arguments(description: str | None) -> argparse.Namespace:
    """``model``, ``annomi``, ``phrases`` and ``harmless``: what a head for danger is trained from."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="the sentence encoder, a GGUF file")
    parser.add_argument("annomi", type=Path, help="annomi_simple.csv")
    parser.add_argument("--phrases", type=Path, nargs="*", default=[], help="CSV files of dangerous phrasings")
    parser.add_argument("--harmless", type=Path, nargs="*", default=[], help="CSV files of harmless phrasings")
    return parser.parse_args()


def main() -> None:
    arguments = read_arguments(__doc__)
    embedder = LlamaEmbedder(arguments.model)
    data = examples(embedder, arguments.annomi, arguments.phrases, arguments.harmless)
    margins = held_out(data)
    threshold, likely = np.quantile(margins[data.everyday], [1 - _FALSE_ALARMS, 1 - _FALSE_WARNINGS]).tolist()
    _write(fit(data, threshold, likely, embedder.fingerprint))
    dangerous, harmless = margins[data.kinds >= 0], margins[(data.kinds < 0) & ~data.everyday]
    for name, limit, share in (("may touch", threshold, _FALSE_ALARMS), ("likely", likely, _FALSE_WARNINGS)):
        print(f"{name}: margin over {limit:.3f}, {share:.2%} of everyday sentences, held out by session")
        print(f"  of {len(dangerous)} dangerous phrasings {(dangerous > limit).mean():.1%}, held out")
        print(f"  of {len(harmless)} harmless phrasings {(harmless > limit).mean():.1%}, held out")


def _write(head: RiskHead) -> None:
    target = paths.resources() / "heads" / "risk.npz"
    target.parent.mkdir(exist_ok=True)
    # A byte a component keeps the file under a megabyte; margins move by a few hundredths.
    step = np.abs(head.support).max(axis=1, keepdims=True) / 127
    np.savez_compressed(
        target,
        support=np.round(head.support / step).astype(np.int8),
        step=step.astype(np.float32),
        shares=head.shares,
        offset=np.float32(head.offset),
        sharpness=np.float32(head.sharpness),
        weights=head.weights,
        bias=head.bias,
        threshold=np.float32(head.threshold),
        likely=np.float32(head.likely),
        fingerprint=head.fingerprint,
    )


if __name__ == "__main__":
    main()
