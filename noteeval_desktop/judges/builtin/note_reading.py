"""A note read once for both questions: which items it covers, and which sentences it needs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin import asides, features_note, note_lexicon, reader
from noteeval_desktop.judges.builtin.features_note import Floats, Ints, NoteRows
from noteeval_desktop.judges.builtin.heads import (
    READER_LIMIT,
    READER_LIMIT_BESIDE,
    READER_LIMIT_PART,
    READER_LIMIT_SAID,
    NoteHeads,
)
from noteeval_desktop.judges.builtin.language import foreign_sentences, is_english
from noteeval_desktop.judges.builtin.spelling import put_right

# In log-odds; 1 to 3 were tried.
_GOING_BACK = 3.0


@dataclass(frozen=True)
class NoteReading:
    """``note`` is what is judged: the note without the sentences that speak to the reader, whose ids are ``set_aside``,
    without such remarks in other sentences (those are ``shortened``), without the sentences that are ``foreign``, in
    another language than the rest, with exchanged letters put right, and with a section for text under no heading.

    Indices of sentences are its own. ``serving`` is (rows, items), ``needed`` (rows,), ``present`` (items,):
    probabilities. ``english`` False: nothing else is filled in.
    """

    english: bool
    note: Note
    rows: NoteRows
    set_aside: frozenset[str]
    shortened: frozenset[str]
    foreign: frozenset[str]
    serving: Floats
    needed: Floats
    present: Floats
    log_sections: Floats


def read(whole: Note, heads: NoteHeads, embedder: Embedder, cancel: threading.Event | None = None) -> NoteReading:
    """Embed the note's sentences (an embedder that remembers does only those that changed) and apply the heads."""
    set_aside, told = _told(whole, heads, embedder, cancel)
    given = {one.id: one.text for one in whole.sentences}
    shortened = frozenset(one.id for one in told if one.text != given[one.id])
    english = is_english(" ".join(note_lexicon.expand(one.text) for one in told))
    sections = [[note_lexicon.expand(one.text) for one in own] for _, own in groupby(told, lambda one: one.sections)]
    foreign = frozenset(
        one.id for one, is_foreign in zip(told, foreign_sentences(sections), strict=True) if english and is_foreign
    )
    judged = (replace(one, text=put_right(one.text)) if english else one for one in told if one.id not in foreign)
    note = replace(whole, sentences=tuple(judged))
    texts = [note_lexicon.expand(sentence.text) for sentence in note.sentences]
    vectors = embedder.embed(texts if english else [], cancel)
    log_sections = heads.section_log_probabilities(vectors)
    sentence, section = _assigned(note, log_sections) if english else _rows([])
    note = _placed(note, sentence, section)
    rows = features_note.note_rows(texts if english else [], vectors, sentence, section)
    serving = heads.serving(rows)
    return NoteReading(
        english,
        note,
        rows,
        set_aside,
        shortened,
        foreign,
        serving,
        heads.needed(rows, serving),
        heads.present(rows, features_note.summarise(rows), serving),
        log_sections,
    )


def quiet_transcript(
    transcript: Transcript, heads: NoteHeads, embedder: Embedder, cancel: threading.Event | None = None
) -> Transcript:
    """The transcript with blanks for what speaks to whoever grades the note; every other word keeps its place."""
    turns = tuple(replace(turn, text=quiet(turn.text, heads, embedder, cancel)) for turn in transcript.turns)
    return transcript if turns == transcript.turns else replace(transcript, turns=turns)


def quiet(text: str, heads: NoteHeads, embedder: Embedder, cancel: threading.Event | None = None) -> str:
    """What is said in a turn, with blanks for what in it speaks to the reader."""
    if not reader.addressed(text):
        return text
    ask = _Ask(heads, embedder, cancel, READER_LIMIT_SAID, READER_LIMIT_BESIDE)
    spans = asides.sentences(text)
    own = [text[start:end] for start, end in spans]
    asked = [reader.addressed(one) for one in own]
    left = _without_remarks(own, asked, ask)
    if left == own and all(asked) and any(ask([text])):
        return ""
    for (start, end), one in zip(spans, left, strict=True):
        text = text[:start] + one.ljust(end - start) + text[end:]
    return text.rstrip()


def speaks_to_the_reader(text: str) -> bool:
    """Is a sentence one of the known phrasings that tell whoever grades the note what to do? No encoder is asked."""
    return reader.known(note_lexicon.expand(text))


def _told(
    note: Note, heads: NoteHeads, embedder: Embedder, cancel: threading.Event | None
) -> tuple[frozenset[str], list[Sentence]]:
    """Ids of the sentences that speak to the reader, and the others, without such remarks."""
    texts = [one.text for one in note.sentences]
    left = _without_remarks(texts, [reader.suspicious(text) for text in texts], _Ask(heads, embedder, cancel))
    pairs = list(zip(note.sentences, left, strict=True))
    kept = [one if text == one.text else replace(one, text=text) for one, text in pairs if text]
    return frozenset(one.id for one, text in pairs if not text), kept


@dataclass(frozen=True)
class _Ask:
    """Which of some texts speak to the reader, with the limits of ``NoteHeads.to_the_reader``."""

    heads: NoteHeads
    embedder: Embedder
    cancel: threading.Event | None
    limit: float = READER_LIMIT
    known: float = 0.0

    def __call__(self, texts: Sequence[str]) -> list[bool]:
        plain = [reader.plain(note_lexicon.expand(text)) for text in texts]
        vectors = self.embedder.embed(plain, self.cancel)
        return [bool(yes) for yes in self.heads.to_the_reader(plain, vectors, self.limit, self.known)]


def _without_remarks(texts: Sequence[str], asked: Sequence[bool], ask: _Ask) -> list[str]:
    """Each sentence without what in it speaks to the reader; nothing where all of it does. Only those that are
    ``asked`` and what stands beside one that does are looked at."""
    whole = [text for text, is_asked in zip(texts, asked, strict=True) if is_asked]
    surely, likely = replace(ask, limit=READER_LIMIT_PART), replace(ask, limit=READER_LIMIT_BESIDE)
    speaking = {text for text, yes in zip(whole, ask(whole), strict=True) if yes}
    left = list(texts)
    for at in (at for at, is_asked in enumerate(asked) if is_asked):
        rest = asides.without_remark(texts[at], surely, likely).rstrip()
        left[at] = "" if rest == texts[at].rstrip() and texts[at] in speaking else rest
    beside = [
        at
        for at, text in enumerate(left)
        if text and not asides.about_someone(text) and "" in left[max(at - 1, 0) : at + 2]
    ]
    near = likely([left[at] for at in beside])
    for at, yes in zip(beside, near, strict=True):
        left[at] = "" if yes else left[at]
    return left


def _assigned(note: Note, log_sections: NDArray[np.float64]) -> tuple[Ints, Ints]:
    """A row a sentence and section; text under no heading goes to the section that it reads like."""
    bare = all(sentence.section is Section.UNASSIGNED for sentence in note.sentences)
    guesses = _in_order(log_sections) if bare else log_sections.argmax(axis=1).tolist()
    pairs: list[tuple[int, int]] = []
    for index, sentence in enumerate(note.sentences):
        if sentence.section is Section.UNASSIGNED:
            pairs.append((index, guesses[index]))
        else:
            pairs += [(index, SOAP.index(section)) for section in sentence.sections]
    return _rows(pairs)


def _placed(note: Note, sentence: Ints, section: Ints) -> Note:
    """Text under no heading stands where it reads like, for whatever else looks at sections."""
    places = dict(zip(sentence.tolist(), section.tolist(), strict=True))
    sentences = tuple(
        replace(one, sections=(SOAP[places[index]],)) if index in places and one.section is Section.UNASSIGNED else one
        for index, one in enumerate(note.sentences)
    )
    return replace(note, sentences=sentences)


def _in_order(log_sections: NDArray[np.float64]) -> list[int]:
    """The likeliest sections of a note without headings, where going back to an earlier section is rare (Viterbi).

    On the TN-Eval notes without their headings 86 % of sentences come to their section, 77 % one by one.
    """
    if not len(log_sections):
        return []
    step = -_GOING_BACK * np.tri(len(SOAP), k=-1)
    best, origins = log_sections[0], []
    for own in log_sections[1:]:
        ways = best[:, None] + step
        origins.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + own
    path = [int(best.argmax())]
    for origin in reversed(origins):
        path.append(int(origin[path[-1]]))
    return path[::-1]


def _rows(pairs: Sequence[tuple[int, int]]) -> tuple[Ints, Ints]:
    table = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return table[:, 0], table[:, 1]
