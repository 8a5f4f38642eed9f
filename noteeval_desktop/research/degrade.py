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
from noteeval_desktop.research.changes import EDITORS, FACTS, PADDING, ChangeKind, Edit

# Not all there are: with another kind among them, every seed would give another note than it gave so far.
ALL_KINDS = (
    ChangeKind.NUMBER,
    ChangeKind.NEGATION,
    ChangeKind.PERSON,
    ChangeKind.TERM,
    ChangeKind.FACT,
    ChangeKind.DROP,
)
_ADDED = {ChangeKind.FACT: FACTS, ChangeKind.PADDING: PADDING}


@dataclass(frozen=True, slots=True)
class Change:
    """One change: ``sentence`` is the id in the degraded note (None: dropped), ``original`` the one in
    the note it came from (None: made up). ``span`` lies in the original note's text, which reads
    ``before`` there and ``after`` in the degraded one; an empty ``span`` is where words went in. A sentence that was
    moved (``order``) has an empty ``after``: what it says stands elsewhere.
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


def without(note: Note, sentences: Iterable[str]) -> Note:
    """The note without the sentences of these ids."""
    gone = frozenset(sentences)
    drops = [
        _Planned(ChangeKind.DROP, n, Edit(Span(0, len(sentence.text)), sentence.text, ""))
        for n, sentence in enumerate(note.sentences)
        if sentence.id in gone
    ]
    return _applied(note, drops).note


@dataclass(frozen=True, slots=True)
class _Planned:
    """``anchor`` is the sentence that is changed, dropped, moved behind sentence ``to``, or followed by a new one."""

    kind: ChangeKind
    anchor: int
    edit: Edit
    to: int | None = None


def _plan(note: Note, rng: random.Random, changes: int, kinds: Sequence[ChangeKind]) -> list[_Planned]:
    # Every kind's places are laid out before any is taken, so that n changes begin every longer plan.
    places = {kind: _places(note, rng, kind) for kind in kinds}
    turn = list(kinds)
    rng.shuffle(turn)
    planned: list[_Planned] = []
    taken: set[int] = set()
    while len(planned) < changes and any(places.values()):
        for kind in turn:
            free = [place for place in places[kind] if place.kind in _ADDED or place.anchor not in taken]
            places[kind] = free[1:]
            if free and len(planned) < changes:
                planned.append(free[0])
                taken |= set() if kind in _ADDED else {free[0].anchor}
    return planned


def _places(note: Note, rng: random.Random, kind: ChangeKind) -> list[_Planned]:
    anchors = list(range(len(note.sentences)))
    rng.shuffle(anchors)
    if kind in _ADDED:
        added = rng.sample(_ADDED[kind], k=len(_ADDED[kind]))
        return [
            _Planned(kind, anchor, Edit(Span(0, 0), "", text)) for anchor, text in zip(anchors, added, strict=False)
        ]
    if kind is ChangeKind.ORDER:
        return [_moved_elsewhere(note, anchor, rng) for anchor in anchors] if len(anchors) > 1 else []
    if kind is ChangeKind.DROP:
        # The last sentence left is never dropped: an empty note has no score to compare.
        texts = [(anchor, note.sentences[anchor].text) for anchor in anchors[:-1]]
        return [_Planned(kind, anchor, Edit(Span(0, len(text)), text, "")) for anchor, text in texts]
    edits = [(anchor, EDITORS[kind](note.sentences[anchor].text, rng, note.text)) for anchor in anchors]
    return [_Planned(kind, anchor, edit) for anchor, edit in edits if edit is not None]


def _moved_elsewhere(note: Note, anchor: int, rng: random.Random) -> _Planned:
    """Behind a sentence of another section, where there is one."""
    own, text = note.sentences[anchor].sections, note.sentences[anchor].text
    others = [n for n in range(len(note.sentences)) if n != anchor]
    elsewhere = [n for n in others if note.sentences[n].sections != own]
    return _Planned(ChangeKind.ORDER, anchor, Edit(Span(0, len(text)), text, ""), rng.choice(elsewhere or others))


def _applied(note: Note, planned: Sequence[_Planned]) -> DegradedNote:
    edits = {plan.anchor: plan for plan in planned if plan.kind not in _ADDED}
    added: dict[int, list[_Planned]] = {}
    for plan in planned:
        if plan.kind in _ADDED or plan.to is not None:
            added.setdefault(plan.anchor if plan.to is None else plan.to, []).append(plan)
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
        if edit and edit.to is None:
            ids[edit] = sentences[-1].id if words else None
        text += words
        for plan in added.get(index, []):
            text += " " if words else ""
            words = plan.edit.after if plan.to is None else plan.edit.before
            sentences.append(_sentence(sentence, words, len(text), len(sentences)))
            ids[plan] = sentences[-1].id
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
    if plan.kind in _ADDED:
        return Change(plan.kind, None, sentence, Span(original.span.end, original.span.end), "", plan.edit.after)
    span = plan.edit.span.shifted(original.span.start)
    return Change(plan.kind, original.id, sentence, span, plan.edit.before, plan.edit.after)
