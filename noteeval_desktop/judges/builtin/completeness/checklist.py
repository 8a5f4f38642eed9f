"""Which rubric items does the note cover, by which sentences, and which turns would supply a missing one?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.domain.rubric import Rubric, RubricItem
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import Confidence, ItemVerdict
from noteeval_desktop.judges.builtin.completeness import general_items
from noteeval_desktop.judges.builtin.completeness.features import Floats
from noteeval_desktop.judges.builtin.completeness.heads import NoteHeads
from noteeval_desktop.judges.builtin.completeness.reading import NoteReading
from noteeval_desktop.judges.builtin.conciseness import NOT_ENGLISH
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.text.words import patterns
from noteeval_desktop.present.headings import item_heading

ITEM = "plan-interventions"
# How probable the item is then: the share of therapists who marked it in those of TN-Eval's notes that name a method.
CHANCE = 0.81


@cache
def _interventions() -> Mapping[str, re.Pattern[str]]:
    """The words that ship for methods and work to come.

    The trained readers know the plans of their authors, whole sentences on what "the therapist will" do: of nine short
    plans that name a method ("Continue EMDR. RTC 1 wk.") they found it in one. Of TN-Eval's 105 notes 27 name one in
    the plan: in 26 a therapist marked the item, and the readers found it in all 27, so that nothing changes there.

    What is worked on need not bear a name: "Next time we will go over the cost of avoidance", "Therapist will help her
    build a hierarchy". Of TN-Eval's notes 48 say one or the other in the plan, and in 47 a therapist marked the item:
    the readers found it in all that are new. Of 24 short plans made up in other words 23 are found, of the last eight
    of them six before their words were known; by the names of methods alone ten were.
    """
    return patterns("interventions.json")


def names_one(sentence: str) -> bool:
    """ "Continue EMDR", and neither "Client will use deep breathing daily" nor "Stop exposure therapy"."""
    said = {name for name, words in _interventions().items() if words.search(sentence)}
    planned = said & {"method", "named", "technique"} or ("work" in said and said & {"coming", "therapist"})
    # What the client is to do at home is another item, and what is not to be done is none.
    return bool(planned) and not said & {"homework", "not_done"}


SUGGESTIONS = 3
# Of authors unseen, 43 in 100 turns so likely are next to one that a sentence on the item rests on (chance: 9), and for
# half of the items one is shown; by likeness to examples, as before, 21 in 100 were, for a third of the items.
_LIKELY = 0.08
_FEWEST_WORDS = 4
_PARTLY_UNREAD = (
    "Not found in English. Part of the section is in another language, which the built-in judge cannot read."
)
NOT_LEARNED = "The quick check has not learned this item: a language model can look for it."
_FROM_THERAPIST = frozenset({"objective-interventions", "objective-therapy-activities", "objective-behavior"})


def verdicts(
    note: Note, reading: NoteReading, heads: NoteHeads, rubric: Rubric, session: SessionIndex
) -> Iterator[ItemVerdict]:
    """One a rubric item, in the rubric's order, general items included.

    What is not found may stand in a sentence in another language: such an item is not checked.
    """
    turns = _SessionTurns(session, heads)
    unread = {section for one in note.sentences if one.id in reading.foreign for section in one.sections}
    for item in rubric.items:
        if item.id not in (heads.items if item.section is not None else general_items.KNOWN):
            yield ItemVerdict(item.id, item.section, item.importance, None, rationale=NOT_LEARNED, set_aside=True)
        elif not reading.english:
            yield ItemVerdict(item.id, item.section, item.importance, None, rationale=NOT_ENGLISH)
        else:
            places = {item.section, Section.UNASSIGNED} if item.section else unread
            general = item.section is None
            verdict = general_items.verdict(item, reading.note) if general else _verdict(item, reading, heads, turns)
            if not verdict.present and unread & places:
                verdict = ItemVerdict(item.id, item.section, item.importance, None, rationale=_PARTLY_UNREAD)
            yield verdict


def _verdict(item: RubricItem, reading: NoteReading, heads: NoteHeads, turns: _SessionTurns) -> ItemVerdict:
    number = heads.items.index(item.id)
    chance = float(reading.present[number])
    section = SOAP[heads.item_section[number]]
    rows = reading.rows.of(int(heads.item_section[number]))
    named = _named(item, reading, rows) if chance < heads.item_bands.threshold else []
    chance = CHANCE if named else chance
    present = chance >= heads.item_bands.threshold
    carriers = named or _carriers(reading, rows, number, heads.serves, present)
    confidence = heads.item_bands.confidence(chance) if len(rows) else Confidence.SURE
    missing = not present or confidence is Confidence.UNSURE
    return ItemVerdict(
        item.id,
        item.section,
        item.importance,
        present,
        round(chance, 4),
        confidence,
        tuple(reading.note.sentences[index].id for index in carriers),
        turns.closest(item.id, number) if missing else (),
        _rationale(present, confidence, item_heading(reading.note, section, item.id), len(rows), len(carriers)),
    )


def _named(item: RubricItem, reading: NoteReading, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[int]:
    if item.id != ITEM:
        return []
    places = sorted({int(index) for index in reading.rows.sentence[rows]})
    return [place for place in places if names_one(reading.note.sentences[place].text)]


def _carriers(
    reading: NoteReading, rows: np.ndarray[tuple[int], np.dtype[np.intp]], item: int, serves: float, present: bool
) -> list[int]:
    chances = reading.serving[rows, item]
    marked = rows[chances > serves]
    if not len(marked) and present and len(rows):
        marked = rows[[chances.argmax()]]
    return sorted(int(index) for index in reading.rows.sentence[marked])


def _rationale(present: bool, confidence: Confidence, section: str, sentences: int, carriers: int) -> str:
    if not sentences:
        return f"The note has nothing under {section}."
    if confidence is Confidence.UNSURE:
        return "The note may touch on it; therapists might disagree on whether that is enough."
    if not present:
        return f"No sentence under {section} says it clearly."
    return f"Covered by {counted(carriers, 'sentence')}."


def passage_inputs(session: SessionIndex) -> Floats:
    """(passages, 2 · dim): a passage, and it with its neighbours."""
    return np.hstack([session.vectors, session.windows]).astype(float)


class _SessionTurns:
    """How surely what a note says of each item would rest on each passage of the session."""

    def __init__(self, session: SessionIndex, heads: NoteHeads) -> None:
        self._passages = session.passages
        self._chances = heads.turn_head.values(passage_inputs(session))

    def closest(self, item: str, number: int) -> tuple[int, ...]:
        """Turn numbers, best first; the therapist's own turns for what the therapist did, all others' for the rest
        of Subjective."""
        wanted = tuple(Role)
        if item in _FROM_THERAPIST:
            wanted = (Role.THERAPIST,)
        elif item.startswith("subjective") and item != "subjective-homework":
            wanted = (Role.CLIENT, Role.OTHER)
        best: dict[int, float] = {}
        for passage, chance in zip(self._passages, self._chances[:, number], strict=True):
            if passage.role in wanted and chance >= _LIKELY and len(passage.words) >= _FEWEST_WORDS:
                best[passage.turn] = max(best.get(passage.turn, 0.0), float(chance))
        return tuple(sorted(best, key=lambda turn: -best[turn])[:SUGGESTIONS])
