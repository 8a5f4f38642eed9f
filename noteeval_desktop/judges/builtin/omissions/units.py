"""The session cut into what a note could mention: passages, short answers joined to their questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import OmissionKind
from noteeval_desktop.judges.builtin.session_index import SessionIndex

Floats = NDArray[np.float32]
_SHORT_ANSWER_STEMS = 6
_FIRST = frozenset({OmissionKind.MEDICATION, OmissionKind.SCALE})
# What the head was trained to tell apart; a language model knows more kinds.
KINDS = tuple(OmissionKind)[: tuple(OmissionKind).index(OmissionKind.SCALE) + 1]
SURFACE_FEATURES = 11 + len(KINDS) - 1


@cache
def kind_patterns() -> tuple[tuple[OmissionKind, re.Pattern[str]], ...]:
    """Words of each kind, in the order in which they decide; risk has a lexicon of its own."""
    data = paths.lexicon("omissions.json")
    return tuple((OmissionKind(kind), re.compile("|".join(patterns))) for kind, patterns in data.items())


@dataclass(frozen=True)
class Units:
    """One row a passage of the session: ``vectors`` (n, dim) of unit length, an answer's joined with its question's;
    ``surface`` (n, SURFACE_FEATURES); ``kinds`` what each passage's words are about, the first deciding; ``answers``
    whether it is a short answer to the question just before it."""

    session: SessionIndex
    vectors: Floats
    surface: Floats
    kinds: tuple[tuple[OmissionKind, ...], ...]
    answers: tuple[bool, ...]

    @property
    def features(self) -> Floats:
        return np.hstack([self.vectors, self.surface])


def read_units(session: SessionIndex) -> Units:
    passages, vectors = session.passages, np.array(session.vectors)
    kinds, rows, short = [], [], []
    for number, passage in enumerate(passages):
        asked = number > 0 and passages[number - 1].role is Role.THERAPIST and "?" in passages[number - 1].text
        answers = passage.role is not Role.THERAPIST and asked and len(passage.stems) <= _SHORT_ANSWER_STEMS
        words = passage.text
        if answers:
            words = passages[number - 1].text + " " + words
            vectors[number] = _joined(session, number)
        short.append(answers)
        found = kinds_of(words)
        kinds.append(found)
        rows.append([*_surface(session, number, asked), *(kind in found for kind, _ in kind_patterns())])
    surface = np.array(rows, dtype=np.float32).reshape(len(passages), SURFACE_FEATURES)
    return Units(session, vectors, surface, tuple(kinds), tuple(short))


def kinds_of(text: str) -> tuple[OmissionKind, ...]:
    """What the words are about, the kind with most of them first; medication and ratings before all others."""
    folded = text.lower().replace("’", "'")
    counts = {kind: len(pattern.findall(folded)) for kind, pattern in kind_patterns()}
    found = [kind for kind, count in counts.items() if count]
    return tuple(sorted(found, key=lambda kind: (kind not in _FIRST, -counts[kind])))


def _joined(session: SessionIndex, number: int) -> Floats:
    pair = slice(number - 1, number + 1)
    weights = np.sqrt([len(passage.words) + 1 for passage in session.passages[pair]])
    joined = (session.vectors[pair] * weights[:, None]).sum(axis=0)
    return np.asarray(joined / np.linalg.norm(joined), dtype=np.float32)


def _surface(session: SessionIndex, number: int, asked: bool) -> Sequence[float]:
    passage, place = session.passages[number], number / len(session.passages)
    therapist = passage.role is Role.THERAPIST
    length, stems = np.log1p(len(passage.words)), np.log1p(len(passage.stems))
    return (
        therapist, length, stems, "?" in passage.text, asked, place, bool(passage.quantities), len(passage.stems) <= 1,
        therapist * stems, place > 0.85, place < 0.1,
    )  # fmt: skip
