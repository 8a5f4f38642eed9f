"""Notes made worse on purpose, step by step, to see whether a judge notices.

After SySDEM (Nizar et al.): stratified degradations, each adding to the one before, so that a judge
whose score rises from one level to the next has contradicted itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.note import Block, Note, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.measures.changes import EDITORS, FACTS, ChangeKind, Edit

ALL_KINDS = tuple(ChangeKind)


@dataclass(frozen=True, slots=True)
class Change:
    """One change: ``sentence`` is the id in the degraded note (None: dropped), ``original`` the one in
    the note it came from (None: made up). ``span`` lies in the original note's text, which reads
    ``before`` there and ``after`` in the degraded one; an empty ``span`` is where words went in.
    """

    kind: ChangeKind
    original: str | None
    sentence: str | None
    span: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DegradedNote:
    note: Note
    changes: tuple[Change, ...]


def degrade(note: Note, seed: int, changes: int, kinds: Iterable[ChangeKind] = ALL_KINDS) -> DegradedNote:
    """Make ``changes`` changes, of the kinds in turn, each to a sentence of its own.

    The same note, seed and kinds give the same changes, and the first n of n + 1 changes are those
    of n. A kind that finds no place is passed over; fewer changes come back where the note has no
    room for more. Raises ValueError for a negative number of changes or no kinds.
    """
    order = tuple(dict.fromkeys(kinds))
    if changes < 0 or not order:
        raise ValueError("at least no changes, and at least one kind")
    planned = _plan(note, random.Random(f"{seed}|{note.sha256}|{','.join(order)}"), changes, order)
    return _applied(note, planned)


@dataclass(frozen=True, slots=True)
class _Planned:
    """``anchor`` is the sentence that is changed, dropped, or followed by a made-up one."""

    kind: ChangeKind
    anchor: int
    edit: Edit


def _plan(note: Note, rng: random.Random, changes: int, kinds: Sequence[ChangeKind]) -> list[_Planned]:
    # Every kind's places are laid out before any is taken, so that n changes begin every longer plan.
    places = {kind: _places(note, rng, kind) for kind in kinds}
    turn = list(kinds)
    rng.shuffle(turn)
    planned: list[_Planned] = []
    taken: set[int] = set()
    while len(planned) < changes and any(places.values()):
        for kind in turn:
            free = [place for place in places[kind] if place.kind is ChangeKind.FACT or place.anchor not in taken]
            places[kind] = free[1:]
            if free and len(planned) < changes:
                planned.append(free[0])
                taken |= set() if kind is ChangeKind.FACT else {free[0].anchor}
    return planned


def _places(note: Note, rng: random.Random, kind: ChangeKind) -> list[_Planned]:
    anchors = list(range(len(note.sentences)))
    rng.shuffle(anchors)
    if kind is ChangeKind.FACT:
        facts = rng.sample(FACTS, k=len(FACTS))
        return [
            _Planned(kind, anchor, Edit(Span(0, 0), "", fact)) for anchor, fact in zip(anchors, facts, strict=False)
        ]
    if kind is ChangeKind.DROP:
        # The last sentence left is never dropped: an empty note has no score to compare.
        texts = [(anchor, note.sentences[anchor].text) for anchor in anchors[:-1]]
        return [_Planned(kind, anchor, Edit(Span(0, len(text)), text, "")) for anchor, text in texts]
    edits = [(anchor, EDITORS[kind](note.sentences[anchor].text, rng, note.text)) for anchor in anchors]
    return [_Planned(kind, anchor, edit) for anchor, edit in edits if edit is not None]


def _applied(note: Note, planned: Sequence[_Planned]) -> DegradedNote:
    edits = {plan.anchor: plan for plan in planned if plan.kind is not ChangeKind.FACT}
    facts: dict[int, list[_Planned]] = {}
    for plan in planned:
        if plan.kind is ChangeKind.FACT:
            facts.setdefault(plan.anchor, []).append(plan)
    text, last = "", 0
    sentences: list[Sentence] = []
    ids: dict[_Planned, str | None] = {}
    moved: list[tuple[int, int]] = []  # where in the old text, where in the new one
    for index, sentence in enumerate(note.sentences):
        text += note.text[last : sentence.span.start]
        moved.append((sentence.span.start, len(text)))
        edit = edits.get(index)
        words = edit.edit.applied(sentence.text) if edit else sentence.text
        if words:
            sentences.append(_sentence(sentence, words, len(text), len(sentences)))
        if edit:
            ids[edit] = sentences[-1].id if words else None
        text += words
        for fact in facts.get(index, []):
            text += " " if words else ""
            words = fact.edit.after
            sentences.append(_sentence(sentence, words, len(text), len(sentences)))
            ids[fact] = sentences[-1].id
            text += words
        last = sentence.span.end
        moved.append((last, len(text)))
    text += note.text[last:]
    blocks = tuple(_moved(block, moved) for block in note.blocks)
    degraded = replace(note, text=text, blocks=blocks, sentences=tuple(sentences))
    return DegradedNote(degraded, tuple(_change(note, plan, ids[plan]) for plan in planned))


def _sentence(like: Sentence, text: str, start: int, count: int) -> Sentence:
    return Sentence(f"s{count + 1}", like.sections, Span(start, start + len(text)), text)


def _moved(block: Block, moved: Sequence[tuple[int, int]]) -> Block:
    def place(position: int) -> int:
        # The last anchor at or before the position; text between sentences keeps its length.
        return position + sum(new - old for old, new in [([(0, 0), *(p for p in moved if p[0] <= position)])[-1]])

    heading = Span(place(block.heading.start), place(block.heading.end)) if block.heading else None
    return Block(block.sections, heading, Span(place(block.body.start), place(block.body.end)))


def _change(note: Note, plan: _Planned, sentence: str | None) -> Change:
    original = note.sentences[plan.anchor]
    if plan.kind is ChangeKind.FACT:
        return Change(plan.kind, None, sentence, Span(original.span.end, original.span.end), "", plan.edit.after)
    span = plan.edit.span.shifted(original.span.start)
    return Change(plan.kind, original.id, sentence, span, plan.edit.before, plan.edit.after)
