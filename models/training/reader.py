"""Makes the reader anew: public pairs of sentences, then short windows, then the labelled sessions."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from models.training import datasets
from models.training.authors import OF_READER, WINDOWS_HELD_OUT
from models.training.datasets import ClaimSet
from models.training.export_reader import export
from models.training.reader_pairs import TaughtPair, of_sessions, of_windows
from models.training.reader_training import NOT_ENTAILED, Pair, Reader, load_tokenizer, train
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon

_NLI_LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": NOT_ENTAILED}
# How many of each source: those whose sentences are most like talk and notes, most.
_NLI = {
    "snli": 12_000, "conj": 3_500, "conjdev": 623, "cad": 5_000, "neg": 2_500, "breaking": 1_500, "dncfact": 1_500,
    "dncneg": 591,
}  # fmt: skip
_MOST_PREMISE_WORDS = 50


def make(
    data: Path, encoder: Path, work: Path, embedder: Embedder, lexicon: ClaimLexicon, target: Path, one_in: int = 1
) -> None:
    """Write ``target`` (reader.npz). ``data``: the folder of public data; ``encoder``: that of the sentence encoder.

    ``work`` keeps what each stage made. About two and a half hours on one core; ``one_in`` 40 takes one premise in
    forty.
    """
    torch.set_num_threads(1)  # a second thread waits for the first more than it helps on pairs as short
    torch.manual_seed(0)
    reader, tokenizer = Reader(encoder), load_tokenizer(encoder)
    windows = [_pair(taught) for taught in of_windows(data / "windows") if taught.group not in WINDOWS_HELD_OUT]
    of = [
        [[_pair(taught) for taught in of_sessions(_sessions_of(author), embedder, lexicon)] for author in authors]
        for authors in OF_READER
    ]
    first, second, third, last = ([pair for author in authors for pair in author] for authors in of)
    # What was taught before is taught again in part, so that it is not forgotten.
    stages: Sequence[tuple[Sequence[Pair], int, float, int]] = (
        (_nli(data / "nli_pairs.jsonl.gz"), 1, 6e-5, 0),
        (windows, 2, 6e-5, 1),
        ([*first, *_some(windows, 2, 1)], 2, 4e-5, 1),
        ([*second, *_some([*windows, *first], 6, 2)], 2, 4e-5, 2),
        ([*third, *_some(windows, 6, 2), *_some([*first, *second], 4, 2)], 2, 4e-5, 2),
        ([*last, *_some(windows, 8, 2), *_some([*first, *second, *third], 5, 2)], 2, 4e-5, 2),
    )
    for number, (pairs, epochs, rate, seed) in enumerate(stages):
        kept = work / f"reader-{number}.pt"
        if kept.is_file():
            reader.load_state_dict(torch.load(kept))
            continue
        head_rate = 3e-4 if number == 0 else 4 * rate
        taught = _some(pairs, one_in, 0)
        train(reader, tokenizer, taught, epochs=epochs, rate=rate, head_rate=head_rate, seed=seed)
        torch.save(reader.state_dict(), kept)
    state = {name: values.float().numpy() for name, values in reader.state_dict().items()}
    export(state, encoder / "model.safetensors", target)


def _sessions_of(author: str) -> list[ClaimSet]:
    return list(datasets.corpus(datasets.CORPUS / author))


def _pair(taught: TaughtPair) -> Pair:
    return Pair(taught.premise, taught.claim, taught.label, taught.twin, taught.weight)


def _some(pairs: Sequence[Pair], part: int, seed: int) -> list[Pair]:
    """One in ``part`` of the windows, with all that is said of each."""
    premises = sorted({pair.premise for pair in pairs})
    kept = set(random.Random(seed).sample(premises, len(premises) // part))
    return [pair for pair in pairs if pair.premise in kept]


def _nli(path: Path) -> list[Pair]:
    rng = random.Random(0)
    by_source: dict[str, list[dict[str, str]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            by_source.setdefault(row["source"], []).append(row)
    pairs = []
    for source, count in _NLI.items():
        rows = by_source[source]
        rng.shuffle(rows)
        pairs += [
            Pair(row["premise"], row["hypothesis"], _NLI_LABELS[row["label"]])
            for row in rows[:count]
            if len(row["premise"].split()) < _MOST_PREMISE_WORDS
        ]
    return pairs
