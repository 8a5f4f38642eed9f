"""Fit the head that tells sentences which say nothing about the client, the session or the plan.

``python -m models.training.uninformative DATA`` measures the one that ships on what it did not learn from.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training import clinicians, datasets
from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.completeness import general_items, heads
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.builtin.text import note_lexicon
from noteeval_desktop.research.labelled import read_sessions

EXAMPLES = Path(__file__).parent / "examples" / "says_nothing.json"
"""By author, written for this product: fields filled with what says nothing (``says_nothing``, by kind), and short,
vague sentences that do say something (``says_something``)."""
UNSEEN = "unseen"
"""The author who is never learned from."""
# Of real notes' sentences each counts a quarter: there are some seven times as many.
_STRENGTH, _REAL = 0.3, 0.25
# So many of real notes' sentences, of authors not learned from, lie below the limit.
_KEPT = 0.99
Vectors = NDArray[np.float32]


def uninformative_head(embedder: Embedder, real: Iterable[Sequence[str]]) -> Linear:
    """Above 0 where a sentence says nothing. ``real``: the sentences of notes, a sequence an author or source."""
    written = {author: own for author, own in json.loads(EXAMPLES.read_text("utf-8")).items() if author != UNSEEN}
    nothing = [text for own in written.values() for kind in own["says_nothing"].values() for text in kind]
    something = [text for own in written.values() for text in own["says_something"]]
    made_up = _vectors(embedder, nothing), _vectors(embedder, something)
    groups = [_vectors(embedder, dict.fromkeys(own)) for own in real]
    with threadpool_limits(1):  # with several, the last digits depend on how many there are
        unseen = np.concatenate(
            [
                _fit(*made_up, groups[:out] + groups[out + 1 :]).values(group.astype(float))[:, 0]
                for out, group in enumerate(groups)
            ]
        )
        head = _fit(*made_up, groups)
    return Linear(head.weights, head.bias - np.float32(np.quantile(unseen, _KEPT)))


def _vectors(embedder: Embedder, texts: Iterable[str]) -> Vectors:
    return embedder.embed([note_lexicon.expand(text) for text in texts])


def _fit(nothing: Vectors, something: Vectors, real: Sequence[Vectors]) -> Linear:
    inputs = np.vstack([nothing, something, *real]).astype(float) * 4
    count = len(inputs) - len(nothing) - len(something)
    answers = np.repeat([1, 0, 0], [len(nothing), len(something), count])
    weights = np.repeat([1.0, 1.0, _REAL], [len(nothing), len(something), count])
    model = LogisticRegression(C=_STRENGTH, max_iter=1000).fit(inputs, answers, sample_weight=weights)
    return Linear((model.coef_ * 4).astype(np.float32), model.intercept_.astype(np.float32))


def measure(data: Path) -> Iterator[tuple[str, int, int]]:
    """(what, how many, of how many) are told to say nothing: an unseen author's sentences, each alone in its section;
    whole sections of an unseen author's labelled notes and of clinicians' visits (``data``: public data)."""
    unseen = json.loads(EXAMPLES.read_text("utf-8"))[UNSEEN]
    head = heads.load(paths.resources() / "heads")
    sets = {name: [[text] for text in texts] for name, texts in unseen["says_nothing"].items()}
    sets["short, and says something"] = [[text] for text in unseen["says_something"]]
    for session in read_sessions(datasets.CORPUS):
        if session.author in clinicians.HELD_OUT:
            for note in session.notes:
                for section in dict.fromkeys(one.section for one in note.sentences):
                    sets.setdefault("sections of authors held out", []).append(
                        [one.text for one in note.sentences if one.section == section]
                    )
    for visits in ("mts_dialog_train", "aci_bench_train"):
        some = islice(datasets.clinicians_notes(data / f"{visits}.csv"), 300)
        sets[visits] = [[claim.text for claim in visit.claims] for visit in some if visit.claims]
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        for name, sections in sets.items():
            texts = [text for section in sections for text in section]
            general = np.array([general_items.serves_any(text) for text in texts], dtype=bool)
            told = head.says_nothing(_vectors(embedder, texts)) & ~general
            ends = np.cumsum([len(section) for section in sections])[:-1]
            yield name, sum(bool(own.all()) for own in np.split(told, ends)), len(sections)


if __name__ == "__main__":
    for name, found, count in measure(Path(sys.argv[1])):
        print(f"{name:32} {found:4} of {count}")
