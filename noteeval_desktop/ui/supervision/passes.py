"""The passes of a review: what is asked at each place, by which key it is answered, and what a key does.

After the human protocol of Shah et al., TN-Eval (ACL 2025): rubric items, the use of each sentence, its
faithfulness, then ratings. A pass is a pure value over a note and a rubric; a Review goes in, a Review comes out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from noteeval_desktop.domain.asked import RiskAnswer, asked_items, asked_sentences, risk_answers, with_risk_answer
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import (
    HIGHEST,
    LOWEST,
    SCORED,
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Rating,
    Review,
)
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric, RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.present.headings import by_heading, item_heading, sentence_heading
from noteeval_desktop.present.vocabulary import RISK_NAMES, STANCE_NAMES, VERDICTS
from noteeval_desktop.report.feedback import ACCEPTANCE_VALUES
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.widgets.words import turn_list

# Letters for what comes after nine: a section of a PIE note may answer to every item. None is another command.
ITEM_KEYS = "123456789QWERTUIPASDGHL"
ACCEPTANCE, _JUDGED = "acceptance", "judged"
KIND_KEY = "K"
_RATED = {
    Dimension.COMPLETENESS: (
        tr("Completeness of the note"),
        tr("Does it contain what a reader of the record needs to know?"),
    ),
    Dimension.CONCISENESS: (tr("Conciseness of the note"), tr("Does every sentence earn its place?")),
    Dimension.FAITHFULNESS: (
        tr("Faithfulness of the note"),
        tr("Can a reader rely on what it says about the session?"),
    ),
}
_RATING_VALUES = (tr("Very weak"), tr("Weak"), tr("Fair"), tr("Good"), tr("Very good"))
_RISK = (
    ("Y", RiskAnswer.ADDRESSED),
    ("N", RiskAnswer.LEFT_OUT),
    ("O", RiskAnswer.OPPOSITE),
    ("0", RiskAnswer.NO_DANGER),
)


class Stage(StrEnum):
    """Where a review stands, in this order; those of ``MARKED`` are its passes."""

    CHANGES = "changes"
    RISK = "risk"
    COMPLETENESS = "completeness"
    CONCISENESS = "conciseness"
    FAITHFULNESS = "faithfulness"
    RATINGS = "ratings"
    COMMENTS = "comments"
    DIFFERENCES = "differences"
    ANSWER = "answer"


MARKED = (Stage.RISK, Stage.COMPLETENESS, Stage.CONCISENESS, Stage.FAITHFULNESS, Stage.RATINGS)
STAGE_NAMES = {Stage(dimension.value): name for dimension, name in words.DIMENSION_NAMES.items()} | {
    Stage.CHANGES: tr("What changed"),
    Stage.RATINGS: tr("Ratings"),
    Stage.COMMENTS: tr("Comments"),
    Stage.DIFFERENCES: tr("Differences"),
    Stage.ANSWER: tr("Answer"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where one mark goes. ``span`` is the passage of the note that it is about, None where there is none; ``heading``
    what the note calls the section."""

    id: str
    words: str
    explained: str = ""
    section: Section | None = None
    span: Span | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer and its key. ``chosen``: it is the mark as it stands; ``ends``: nothing more is asked here; ``marks``:
    it can be chosen, and is nothing that is done."""

    key: str
    words: str
    value: str
    chosen: bool = False
    ends: bool = True
    marks: bool = True


class Pass(Protocol):
    @property
    def stage(self) -> Stage: ...

    @property
    def question(self) -> str: ...

    @property
    def places(self) -> tuple[Place, ...]: ...

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        """In the order in which they are shown."""

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        """``picked``: turns, where a mark rests on some. Raises ValueError once the marks have been handed in."""

    def said(self, place: Place, review: Review) -> str:
        """The mark in a word or two; empty while the place is open."""


def passes(
    note: Note,
    rubric: Rubric,
    dangers: Sequence[RiskFinding] = (),
    asked_only: bool = False,
    also: Collection[str] = (),
) -> tuple[Pass, ...]:
    """Risk first, where the session holds any. ``asked_only``: what a person must judge, with the sentences of ``also``
    (ids), and no more; the pass over conciseness has nothing of that kind."""
    risk: tuple[Pass, ...] = (RiskPass(dangers),) if dangers else ()
    if not asked_only:
        return (
            *risk,
            CompletenessPass(note, rubric),
            ConcisenessPass(note, rubric),
            FaithfulnessPass(note),
            RatingsPass(),
        )
    return (
        *risk,
        CompletenessPass(note, rubric, asked_items(rubric)),
        FaithfulnessPass(note, asked_sentences(note, also)),
        RatingsPass(of_each=False),
    )


def open_places(one: Pass, review: Review) -> tuple[Place, ...]:
    return tuple(place for place in one.places if not one.said(place, review))


class RiskPass:
    """Every passage of the session that may be on risk: does the note say so?"""

    stage = Stage.RISK
    question = tr("This may be about risk. Does the note address it?")

    def __init__(self, dangers: Sequence[RiskFinding]) -> None:
        self.places = tuple(risk_place(risk) for risk in dangers)

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        said = self.said(place, review)
        answers = (Choice(k, words.RISK_ANSWERS[one], one.value, said == words.RISK_ANSWERS[one]) for k, one in _RISK)
        return (*answers, Choice(KIND_KEY, tr("It is another kind of danger…"), "", ends=False, marks=False))

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        if review.submitted is not None:
            raise ValueError("submitted marks stand")
        return replace(review, items=with_risk_answer(review.items, int(place.id), RiskAnswer(value)))

    def said(self, place: Place, review: Review) -> str:
        answer = risk_answers(review.items).get(int(place.id))
        return "" if answer is None else words.RISK_ANSWERS[answer]


def risk_place(risk: RiskFinding) -> Place:
    explained = f"{turn_list((risk.citation.turn,))} · {RISK_NAMES[risk.kind]}, {STANCE_NAMES[risk.stance]}"
    return Place(str(risk.citation.turn), f"“{risk.citation.quote}”", explained)


class CompletenessPass:
    """Rubric items of the four sections: is each in the note?"""

    stage = Stage.COMPLETENESS
    question = tr("Is this in the note?")

    def __init__(self, note: Note, rubric: Rubric, items: Sequence[RubricItem] | None = None) -> None:
        self.places = tuple(
            Place(item.id, item.name, item.more, item.section, heading_of(note, item.section, item.id), heading)
            for heading, own in by_heading(
                note,
                rubric.scored_items if items is None else items,
                lambda item: item_heading(note, item.section, item.id),
            )
            for item in own
        )

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        said = self.said(place, review)
        return (
            Choice("Y", words.PRESENT, "present", said == words.PRESENT),
            Choice("N", words.MISSING, "missing", said == words.MISSING),
        )

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        return review.marked(ItemMark(place.id, value == "present"))

    def said(self, place: Place, review: Review) -> str:
        mark = next((mark for mark in review.items if mark.item == place.id), None)
        return "" if mark is None else words.PRESENT if mark.present else words.MISSING


class ConcisenessPass:
    """Every sentence: which items of its section does it serve? With none it is not needed."""

    stage = Stage.CONCISENESS
    question = tr("What is this sentence for? Choose every item that it covers.")

    def __init__(self, note: Note, rubric: Rubric) -> None:
        self.places = _sentences(note)
        self._items = {section: rubric.items_of(section) for section in SOAP}
        self._sections = {sentence.id: sentence.sections for sentence in note.sentences}

    def items(self, place: Place) -> tuple[RubricItem, ...]:
        return tuple(item for section in self._sections[place.id] for item in self._items.get(section, ()))

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        mark = self._mark(place, review)
        chosen = mark.items if mark else ()
        served = [
            Choice(key, item.name, item.id, item.id in chosen, ends=False)
            for key, item in zip(ITEM_KEYS, self.items(place), strict=False)
        ]
        return (*served, Choice("0", words.NOT_NEEDED, "", mark is not None and not chosen))

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        """An item is put on or taken off; without any left the place is open again."""
        mark = self._mark(place, review)
        before = mark.items if mark else ()
        if not value:
            return review.marked(NeedMark(place.id))
        items = tuple(i for i in before if i != value) if value in before else (*before, value)
        if items or review.submitted is not None:
            return review.marked(NeedMark(place.id, items))
        return replace(review, needs=tuple(one for one in review.needs if one.sentence != place.id))

    def said(self, place: Place, review: Review) -> str:
        mark = self._mark(place, review)
        if mark is None:
            return ""
        names = {item.id: item.name for item in self.items(place)}
        return ", ".join(names.get(item, item) for item in mark.items) or words.NOT_NEEDED

    def _mark(self, place: Place, review: Review) -> NeedMark | None:
        return next((mark for mark in review.needs if mark.sentence == place.id), None)


class FaithfulnessPass:
    """Sentences: does the session say so? With the turns that it rests on, and the kind of error."""

    stage = Stage.FAITHFULNESS
    question = tr("Does the session say so? Pick the turns first, then choose.")

    def __init__(self, note: Note, sentences: Sequence[Sentence] | None = None) -> None:
        self.places = _sentences(note) if sentences is None else tuple(_sentence(note, one) for one in sentences)

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        """Of a judgement, as the assessment has them, also that one judges otherwise, whatever the session says."""
        mark = claim_mark(place, review)
        own = "" if mark is None else _JUDGED if mark.judged else mark.verdict.value
        named = [(called.key, called.mark, called.means, verdict.value) for verdict, called in VERDICTS.items()]
        if place.section is Section.ASSESSMENT:
            named.append(("I", words.JUDGED, tr("I disagree with this assessment"), _JUDGED))
        return tuple(Choice(key, f"{name}: {means}", value, own == value) for key, name, means, value in named)

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        judged = value == _JUDGED
        return review.marked(ClaimMark(place.id, Verdict.CONTRADICTED if judged else Verdict(value), picked, judged))

    def said(self, place: Place, review: Review) -> str:
        mark = claim_mark(place, review)
        return "" if mark is None else words.claim(mark)


class RatingsPass:
    """One to five for each dimension of the whole note, and whether one would accept it."""

    stage = Stage.RATINGS
    question = tr("How good is the note as a whole?")

    def __init__(self, of_each: bool = True) -> None:
        rated = [Place(d.value, *_RATED[d]) for d in SCORED if of_each]
        self.places = (*rated, Place(ACCEPTANCE, words.ACCEPTANCE, tr("As it is, taken as a whole.")))

    def choices(self, place: Place, review: Review) -> tuple[Choice, ...]:
        value = self._value(place, review)
        named = ACCEPTANCE_VALUES if place.id == ACCEPTANCE else _RATING_VALUES
        return tuple(Choice(str(n), named[n - LOWEST], str(n), value == n) for n in range(LOWEST, HIGHEST + 1))

    def marked(self, place: Place, value: str, review: Review, picked: tuple[int, ...] = ()) -> Review:
        if place.id != ACCEPTANCE:
            return review.marked(Rating(Dimension(place.id), int(value)))
        if review.submitted is not None:
            raise ValueError("submitted marks stand")
        return replace(review, acceptance=int(value))

    def said(self, place: Place, review: Review) -> str:
        value = self._value(place, review)
        return "" if value is None else words.of_five(value)

    def _value(self, place: Place, review: Review) -> int | None:
        if place.id == ACCEPTANCE:
            return review.acceptance
        own = (r.value for r in review.ratings if r.dimension.value == place.id and r.section is None)
        return next(own, None)


def claim_mark(place: Place, review: Review) -> ClaimMark | None:
    return next((mark for mark in review.claims if mark.sentence == place.id), None)


def heading_of(note: Note, section: Section | None, item: str = "") -> Span | None:
    """Where the section, or what is asked of ``item``, begins in the note; None where the note has no such heading."""
    block = note.home(section, item) if section is not None else None
    own = None if block is None else block.heading or block.body
    if own is None:
        return None
    # A comment on an item quotes this: its words, not the signs that make them a heading.
    text = own.of(note.text)
    bare = text.strip("#*:_ \t")
    start = own.start + text.find(bare)
    return Span(start, start + len(bare)) if bare else own


def _sentences(note: Note) -> tuple[Place, ...]:
    return tuple(_sentence(note, one) for one in note.sentences if set(one.sections) & set(SOAP))


def _sentence(note: Note, one: Sentence) -> Place:
    return Place(one.id, one.text, "", one.section, one.span, sentence_heading(note, one))
