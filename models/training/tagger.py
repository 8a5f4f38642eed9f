"""Trains the tagger of identifiers: ``python -m models.training identifiers`` writes identifiers.npz and prints what
it reaches on authors that it has not seen.

It learns from texts whose identifiers are marked (``identifiers/FORM.md``), from the same texts with other names in
them, and from a part of the corpus, whose names are listed (``identifiers/corpus.json``).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

from models.training.datasets import CORPUS
from models.training.marked import FOLDER, Marked, marked_texts, told
from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.tagger import KINDS, Head, WordTagger, rows_of
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.lexicon import Lexicon, load_lexicon
from noteeval_desktop.privacy.names import words_of
from noteeval_desktop.privacy.word_features import WordFeatures
from noteeval_desktop.research.labelled import read_sessions

_OF_MARK = dict(zip(("NAME", "PLACE", "ORG", "NUMBER", "DATE"), KINDS, strict=True))
_SESSIONS = ("01",)  # of each author of the corpus
_NETS, _HIDDEN, _EPOCHS = 4, 64, 12
_EASY = 0.15  # the share of words without a capital or a digit that name nobody
_SWAPS = 2


def corpus_texts() -> Iterator[Marked]:
    """Turns and notes, their identifiers found by the list of them."""
    listed = json.loads((FOLDER / "corpus.json").read_text("utf-8"))
    mark_of = {said: mark for mark, names in listed.items() for said in names}
    longest_first = sorted(mark_of, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    for session in read_sessions(CORPUS):
        if session.id.endswith(_SESSIONS):
            notes = ["\n".join(one.text for one in note.sentences) for note in session.notes]
            for text in (*(turn.text for turn in session.turns), *notes):
                found = [(Span(*one.span()), mark_of[one.group()]) for one in pattern.finditer(text)]
                named = tuple(one for one in found if one[1] != "UNSURE")
                yield Marked("corpus", text, named, tuple(span for span, mark in found if mark == "UNSURE"))


def swapped(one: Marked, chance: random.Random, pool: Pool) -> Marked:
    """The same text with other names, numbers and places in it, the same for the same."""
    text, named, at = "", [], 0
    instead: dict[str, str] = {}
    for span, mark in sorted(one.named, key=lambda item: item[0].start):
        if span.start < at:
            continue

        def new(found: re.Match[str], mark: str = mark) -> str:
            return instead.setdefault(found.group(), pool.other(found.group(), mark, chance))

        said = span.of(one.text) if mark == "DATE" else re.sub(r"[^\W_]+", new, span.of(one.text))
        text += one.text[at : span.start]
        named.append((Span(len(text), len(text) + len(said)), mark))
        text, at = text + said, span.end
    return replace(one, text=text + one.text[at:], named=tuple(named))


class Pool:
    """Names and words to put in the place of others."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._names, self._given = sorted(lexicon.names), sorted(lexicon.given_words)
        self._towns = sorted({place.split()[0] for place in lexicon.places})
        self._words = sorted(
            w for w, n in lexicon.times.items() if 2_000 < n < 60_000 and w.isalpha() and 3 < len(w) < 9
        )

    def other(self, word: str, mark: str, chance: random.Random) -> str:
        """In the form of ``word``. Of what is no person's, English words mostly stay."""
        if any(letter.isdigit() for letter in word):
            return re.sub(r"\d", lambda _: str(chance.randrange(10)), word)
        if len(word) == 1 and word.isupper():
            return chr(ord("A") + chance.randrange(26))
        if len(word) < 4 and word.islower():
            return word
        if mark in ("NAME", ""):
            lists = (self._names, self._given, self._words)
            new = chance.choice(chance.choices(lists, (5, 3, 2))[0])
        elif not self._lexicon.common(word.casefold()) or chance.random() < 0.25:
            new = chance.choice(chance.choice((self._names, self._towns, self._words)))
        else:
            return word
        return new.upper() if word.isupper() else new.title() if word[0].isupper() else new


@dataclass(frozen=True)
class Lessons:
    """Rows of words; ``names`` 0 or 1; ``kinds`` by ``KINDS``, -1 where that is not known."""

    rows: NDArray[np.float32]
    names: NDArray[np.int64]
    kinds: NDArray[np.int64]


def lessons(texts: Sequence[Marked], embedder: Embedder, features: WordFeatures, *, thinned: bool) -> Lessons:
    """``thinned``: most words that nobody would take for a name are left out."""
    chance = np.random.default_rng(0)
    pages = [(one.text, words_of(one.text)) for one in texts]
    rows, names, kinds = [], [], []
    for one, (_, words), own in zip(texts, pages, rows_of(pages, embedder, features), strict=True):
        for word, row in zip(words, own, strict=True):
            mark = next((mark for span, mark in one.named if span.meets(word.span)), None)
            plain = mark is None and not any(letter.isupper() or letter.isdigit() for letter in word.text)
            if any(span.meets(word.span) for span in one.unsure) or (thinned and plain and chance.random() > _EASY):
                continue
            rows.append(row)
            names.append(mark is not None)
            kinds.append(KINDS.index(_OF_MARK[mark]) if mark else -1)
    return Lessons(np.array(rows, dtype=np.float32), np.array(names, dtype=int), np.array(kinds, dtype=int))


def fit(parts: Sequence[Lessons], fingerprint: str) -> Head:
    rows = np.vstack([part.rows for part in parts])
    names, kinds = (np.concatenate([getattr(part, name) for part in parts]) for name in ("names", "kinds"))
    nets = [
        MLPClassifier((_HIDDEN,), alpha=1e-3, batch_size=128, max_iter=_EPOCHS, random_state=seed).fit(rows, names)
        for seed in range(_NETS)
    ]
    told = np.flatnonzero(kinds >= 0)
    which = LogisticRegression(C=0.01, max_iter=100).fit(rows[told], kinds[told])
    assert list(which.classes_) == list(range(len(KINDS)))
    narrow = np.float16  # half a megabyte
    return Head(
        # The mean of the nets' log-odds is one wide net's.
        Linear(
            np.vstack([net.coefs_[0].T for net in nets]).astype(narrow),
            np.concatenate([n.intercepts_[0] for n in nets]),
        ),
        Linear(
            np.hstack([net.coefs_[1].T for net in nets]) / _NETS, np.mean([net.intercepts_[1] for net in nets], axis=0)
        ),
        Linear(which.coef_.astype(narrow), which.intercept_.astype(np.float32)),
        fingerprint,
    )


def main(target: Path) -> None:
    """Write the head and print a line an author, read by a head that learned from the others."""
    lexicon, chance = load_lexicon(paths.resources() / "lexicons"), random.Random(7)
    features, pool = WordFeatures(lexicon), Pool(lexicon)
    by_author = {path.stem: marked_texts(path) for path in sorted((FOLDER / "open").iterdir())}
    with closing(LlamaEmbedder(models.encoder_path(), threads=1)) as embedder, threadpool_limits(1):
        corpus = lessons(list(corpus_texts()), embedder, features, thinned=True)
        parts = {
            author: [
                lessons(own, embedder, features, thinned=False),
                lessons(
                    [swapped(one, chance, pool) for one in own for _ in range(_SWAPS) if one.named],
                    embedder,
                    features,
                    thinned=False,
                ),
            ]
            for author, own in by_author.items()
        }
        for unseen in ("a1", "a2", "i2"):
            others = [part for author, own in parts.items() if author != unseen for part in own]
            head = fit([corpus, *others], embedder.fingerprint)
            finder = IdentifierFinder(lexicon, WordTagger(head, embedder, features))
            print(f"{unseen:9}", told(by_author[unseen], finder), flush=True)
        head = fit([corpus, *(part for own in parts.values() for part in own)], embedder.fingerprint)
    arrays = {
        f"{name}.{part}": value
        for name in ("hidden", "names", "kinds")
        for part, value in vars(getattr(head, name)).items()
    }
    np.savez_compressed(target, fingerprint=head.fingerprint, **arrays)
