"""Finds what in a note or a session speaks to whoever reviews the note, and leaves it out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.builtin.prompt_injection import remarks, wording
from noteeval_desktop.judges.builtin.text import note_lexicon

# Cross-validated on our own examples, 422 of 541 that speak to the reader lie above it, and 74 of 750 look-alikes.
LIMIT = 0.45
# What is said in a session, where hardly anything speaks to the reader: 63 of 94 that do are found; it touches 11 of
# 16,510 turns of labelled sessions (of authors not learned from), and 3 of 9,699 real ones.
LIMIT_SAID = 0.45
# The same for a part of a sentence: 367, 38 and 2 lie above it.
LIMIT_PART = 0.7
# The same beside a sentence that does, and for a phrasing known by pattern in a session.
LIMIT_BESIDE = 0.35


def quiet_transcript(
    transcript: Transcript, head: Linear, embedder: Embedder, cancel: threading.Event | None = None
) -> Transcript:
    """The transcript with blanks for what speaks to whoever grades the note; every other word keeps its place."""
    turns = tuple(replace(turn, text=quiet(turn.text, head, embedder, cancel)) for turn in transcript.turns)
    return transcript if turns == transcript.turns else replace(transcript, turns=turns)


def quiet(text: str, head: Linear, embedder: Embedder, cancel: threading.Event | None = None) -> str:
    """What is said in a turn, with blanks for what in it speaks to the reader."""
    if not wording.addressed_aloud(text):
        return text
    ask = _Ask(head, embedder, cancel, LIMIT_SAID, LIMIT_BESIDE)
    spans = remarks.sentences(text)
    own = [text[start:end] for start, end in spans]
    asked = [wording.addressed_aloud(one) for one in own]
    left = _without_remarks(own, asked, ask)
    if left == own and all(asked) and any(ask([text])):
        return ""
    for (start, end), one in zip(spans, left, strict=True):
        text = text[:start] + one.ljust(end - start) + text[end:]
    return text.rstrip()


def speaks_to_the_reader(text: str) -> bool:
    """Is a sentence one of the known phrasings that tell whoever grades the note what to do? No encoder is asked."""
    return wording.known(note_lexicon.expand(text))


def set_aside(
    note: Note, head: Linear, embedder: Embedder, cancel: threading.Event | None
) -> tuple[frozenset[str], list[Sentence]]:
    """Ids of the sentences that speak to the reader, and the others, without such remarks."""
    texts = [one.text for one in note.sentences]
    left = _without_remarks(texts, [wording.suspicious(text) for text in texts], _Ask(head, embedder, cancel))
    pairs = list(zip(note.sentences, left, strict=True))
    kept = [one if text == one.text else replace(one, text=text) for one, text in pairs if text]
    return frozenset(one.id for one, text in pairs if not text), kept


@dataclass(frozen=True)
class _Ask:
    """Which of some texts speak to the reader: with a chance above ``limit``, or above ``known`` where the phrasing is
    known by pattern."""

    head: Linear
    embedder: Embedder
    cancel: threading.Event | None
    limit: float = LIMIT
    known: float = 0.0

    def __call__(self, texts: Sequence[str]) -> list[bool]:
        plain = [wording.plain(note_lexicon.expand(text)) for text in texts]
        vectors = self.embedder.embed(plain, self.cancel)
        chances = self.head.probabilities(wording.inputs(plain, vectors), 0)
        return [bool(chance > self._limit(text)) for text, chance in zip(plain, chances, strict=True)]

    def _limit(self, text: str) -> float:
        return self.known if wording.known(text) else self.limit if wording.suspicious(text) else 1.0


def _without_remarks(texts: Sequence[str], asked: Sequence[bool], ask: _Ask) -> list[str]:
    """Each sentence without what in it speaks to the reader; nothing where all of it does. Only those that are
    ``asked`` and what stands beside one that does are looked at."""
    whole = [text for text, is_asked in zip(texts, asked, strict=True) if is_asked]
    surely, likely = replace(ask, limit=LIMIT_PART), replace(ask, limit=LIMIT_BESIDE)
    speaking = {text for text, yes in zip(whole, ask(whole), strict=True) if yes}
    left = list(texts)
    for at in (at for at, is_asked in enumerate(asked) if is_asked):
        rest = remarks.without_remark(texts[at], surely, likely).rstrip()
        left[at] = "" if rest == texts[at].rstrip() and texts[at] in speaking else rest
    beside = [
        at
        for at, text in enumerate(left)
        if text and not remarks.about_someone(text) and "" in left[max(at - 1, 0) : at + 2]
    ]
    near = likely([left[at] for at in beside])
    for at, yes in zip(beside, near, strict=True):
        left[at] = "" if yes else left[at]
    return left
