"""The questions about a note: prompts out, answers in. One builder and one reader for each kind.

A builder takes what all requests of its kind share and gives a function from the units asked (numbered from 1) to the
request. A reader gives a function from the reply to ``Answers``; it raises AnswerError for a reply that is of no use as
a whole: no JSON, cut off, of another form, or about what was not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.phrases import listed
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.transcript import Role, Transcript, Turn, turn_number
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.chat import Odds, Reply, Request, weighed
from noteeval_desktop.judges.llm import schemas
from noteeval_desktop.judges.llm.answers import (
    BORNE_OUT,
    LABELS,
    PARTLY,
    AnswerError,
    ClaimAnswer,
    ClaimAnswers,
    CoverAnswers,
    NeedAnswers,
    ResponseAnswer,
    ResponseAnswers,
    SearchAnswers,
    locate,
    read_answer,
    stretch,
)
from noteeval_desktop.judges.llm.asking import Unit
from noteeval_desktop.judges.llm.prompts import Prompts, as_data, numbered_turns
from noteeval_desktop.judges.protocol import Exchange, Responder

Answers = tuple[dict[int, Mapping[str, Any]], dict[int, str]]
"""By a unit's number: its answer as plain data, or what is wrong with it, in words for the model."""
U = TypeVar("U")
# The fields whose value is the verdict: how likely each value is tells how sure the model is.
_LABEL, _COVERED = "label", "covered"


@dataclass(frozen=True, slots=True)
class Wording:
    """Fills templates for one evaluation, with one fence."""

    prompts: Prompts
    fence: str

    def request(
        self,
        template: str,
        prefix: str,
        schema: Mapping[str, Any] | None,
        tokens: int,
        weighed: str = "",
        **values: object,
    ) -> Request:
        return Request(
            system=self.prompts.fill("system", fence=self.fence),
            prefix=prefix,
            question=self.prompts.fill(template, fence=self.fence, **values),
            schema=schema,
            max_tokens=tokens,
            weighed=weighed,
        )

    def note_prefix(self, part: NotePart) -> str:
        numbered = "\n".join(f"{number}. {as_data(s.text)}" for number, s in enumerate(part.sentences, 1))
        return self.prompts.fill("note_prefix", fence=self.fence, part=part.name, sentences=numbered or "(empty)")

    def session_prefix(self, transcript: Transcript, turns: Sequence[Turn]) -> str:
        """``turns``: all of the session's, or those that bear on the question."""
        whole = len(turns) == len(transcript.turns)
        scope = "The session." if whole else "The parts of the session that bear on the question."
        said = numbered_turns(turns, transcript.callings)
        return self.prompts.fill("session_prefix", fence=self.fence, scope=scope, turns=said)

    def claims_prefix(self, transcript: Transcript, turns: Sequence[Turn]) -> str:
        """The session first, as wherever it is read: one reading serves all tasks."""
        return f"{self.session_prefix(transcript, turns)}\n\n{self.prompts.fill('claims_task')}"

    def repair(self, problem: str, units: Sequence[Unit[U]]) -> str:
        return "\n\n" + self.prompts.fill("repair", problem=problem, numbers=_numbers(units)).lstrip("\n")


@dataclass(frozen=True, slots=True)
class NotePart:
    """Sentences of a note that stand together, with what a model is told they are, and the rubric's sections that they
    may serve. ``apart``: other sections stand elsewhere in the note. ``loose``: it stands under no heading, beside
    sections that have theirs."""

    name: str
    sections: tuple[Section, ...]
    sentences: tuple[Sentence, ...]
    apart: bool = False
    loose: bool = False


def parts_of(note: Note) -> list[NotePart]:
    """Each section that is written, once; sections that the note writes under one heading are one part. What stands
    under no heading may serve any section."""
    joined: list[set[Section]] = []
    for sections in dict.fromkeys(sentence.sections for sentence in note.sentences):
        touched = [own for own in joined if own & set(sections)]
        joined = [own for own in joined if own not in touched] + [set(sections).union(*touched)]
    parts = []
    for own in joined:
        ordered = tuple(section for section in Section if section in own)
        sentences = tuple(sentence for sentence in note.sentences if own & set(sentence.sections))
        if ordered == (Section.UNASSIGNED,):
            loose = len(joined) > 1
            name = "What stands under no heading of the note" if loose else "The note (it has no headings)"
            parts.append(NotePart(name, SOAP, sentences, loose=loose))
        elif len(ordered) > 1:
            name = f"The {listed(ordered)} sections of the note (it writes them together)"
            parts.append(NotePart(name, ordered, sentences))
        else:
            parts.append(NotePart(f"The {ordered[0]} section of the note", ordered, sentences, apart=len(joined) > 1))
    return parts


def item_line(number: int, item: RubricItem) -> str:
    return f"{number}. {item_text(item)}"


def item_text(item: RubricItem) -> str:
    return f"{item.name}: {item.explained}"


def _asked(units: Sequence[Unit[U]]) -> list[int]:
    return [unit.number for unit in units]


def _numbers(units: Sequence[Unit[U]]) -> str:
    return ", ".join(map(str, _asked(units)))


def build_cover(wording: Wording, part: NotePart) -> Callable[[Sequence[Unit[RubricItem]]], Request]:
    """Which rubric items do the sentences of ``part`` cover?"""

    def build(units: Sequence[Unit[RubricItem]]) -> Request:
        return wording.request(
            "cover",
            wording.note_prefix(part),
            schemas.cover(_asked(units), len(part.sentences)),
            40 + 30 * len(units),
            _COVERED,
            part=part.name,
            items="\n".join(item_line(unit.number, unit.subject) for unit in units),
            count=len(units),
        )

    return build


def read_cover(sentence_count: int) -> Callable[[Reply, Sequence[Unit[RubricItem]]], Answers]:
    """An answer names sentences by their numbers, 1 to ``sentence_count``."""

    def read(reply: Reply, units: Sequence[Unit[RubricItem]]) -> Answers:
        answers, problems = {}, {}
        entries = _once(read_answer(CoverAnswers, reply.text, reply.finished).answers, "item", units)
        for entry, odds in zip(entries, _odds(reply, entries, _COVERED, ("true", "false")), strict=True):
            if any(not 1 <= number <= sentence_count for number in entry.sentences):
                problems[entry.item] = "a sentence number does not exist"
            else:
                likely = {} if odds is None else {"probability": odds.shares.get("true"), "mass": odds.mass}
                answers[entry.item] = entry.model_dump() | likely
        return answers, _complete(units, answers, problems)

    return read


def build_need(
    wording: Wording, part: NotePart, items: Sequence[RubricItem]
) -> Callable[[Sequence[Unit[Sentence]]], Request]:
    """Which of ``items`` does each sentence serve? The other sentences of its ``part`` are shown with it."""

    def build(units: Sequence[Unit[Sentence]]) -> Request:
        return wording.request(
            "need",
            wording.note_prefix(part),
            schemas.need(_asked(units), len(items)),
            40 + 30 * len(units),
            part=part.name,
            apart=", as does what belongs in another section" if part.apart else "",
            items="\n".join(item_line(number, item) for number, item in enumerate(items, 1)),
            numbers=_numbers(units),
        )

    return build


def read_need(item_count: int) -> Callable[[Reply, Sequence[Unit[Sentence]]], Answers]:
    """An answer names rubric items by their numbers, 1 to ``item_count``; none: not needed."""

    def read(reply: Reply, units: Sequence[Unit[Sentence]]) -> Answers:
        answers, problems = {}, {}
        for entry in _once(read_answer(NeedAnswers, reply.text, reply.finished).sentences, "n", units):
            if any(not 1 <= number <= item_count for number in entry.items):
                problems[entry.n] = "an item number does not exist"
            else:
                answers[entry.n] = entry.model_dump()
        return answers, _complete(units, answers, problems)

    return read


def build_claims(
    wording: Wording, transcript: Transcript, turns: Sequence[Turn]
) -> Callable[[Sequence[Unit[Sentence]]], Request]:
    """Does the session bear each sentence out? ``turns``: all of it, or the closest."""
    prefix = wording.claims_prefix(transcript, turns)

    def build(units: Sequence[Unit[Sentence]]) -> Request:
        claims = "\n".join(f"{unit.number}. [{unit.subject.section}] {as_data(unit.subject.text)}" for unit in units)
        return wording.request(
            "claims",
            prefix,
            schemas.claims(_asked(units), [turn_number(turn.index) for turn in turns]),
            60 + 200 * len(units),
            _LABEL,
            claims=claims,
            numbers=_numbers(units),
        )

    return build


def read_claims(transcript: Transcript) -> Callable[[Reply, Sequence[Unit[Sentence]]], Answers]:
    """What is borne out or contradicted needs a citation, and what is partly wrong its wrong words; every passage must
    stand in its turn. Words that do not stand in the sentence are left away where the label stands without them."""

    def read(reply: Reply, units: Sequence[Unit[Sentence]]) -> Answers:
        answers, problems = {}, {}
        texts = {unit.number: unit.subject.text for unit in units}
        entries = _once(read_answer(ClaimAnswers, reply.text, reply.finished).claims, "n", units)
        for entry, odds in zip(entries, _odds(reply, entries, _LABEL, LABELS), strict=True):
            problem = _claim_problem(entry, texts[entry.n], transcript)
            if problem:
                problems[entry.n] = problem
            else:
                likely = {} if odds is None else {"odds": dict(odds.shares), "mass": odds.mass}
                answers[entry.n] = entry.model_dump() | likely
        return answers, _complete(units, answers, problems)

    return read


def _claim_problem(entry: ClaimAnswer, sentence: str, transcript: Transcript) -> str:
    told = [(one.turn, one.quote) for one in entry.wrong if one.quote.strip()]
    for turn, quote in (*((one.turn, one.quote) for one in entry.citations), *told):
        if _cited(transcript, turn, quote) is None:
            return f"the passage cited from turn {turn_number(turn)} does not stand there"
    cited = entry.citations or (told and entry.label == Verdict.CONTRADICTED)
    if entry.label in (*BORNE_OUT, Verdict.CONTRADICTED) and not cited:
        return f"a {entry.label} claim needs a citation"
    if entry.label == PARTLY and not any(stretch(sentence, one.words) for one in entry.wrong):
        return "a partly claim needs the wrong words, copied from the sentence"
    return ""


def _cited(transcript: Transcript, turn: int, quote: str) -> object:
    return locate(transcript.turns[turn], quote) if 0 <= turn < len(transcript.turns) else None


def build_search(
    wording: Wording, case: Case, turns: Sequence[Turn], limit: int
) -> Callable[[Sequence[Unit[Case]]], Request]:
    """What of ``turns`` speaks of danger, and what does the note leave out? At most ``limit`` passages each."""

    def build(units: Sequence[Unit[Case]]) -> Request:
        note = "\n".join(f"{n}. [{s.section}] {as_data(s.text)}" for n, s in enumerate(case.note.sentences, 1))
        return wording.request(
            "search",
            wording.session_prefix(case.transcript, turns),
            schemas.search(limit, [turn_number(turn.index) for turn in turns], len(case.note.sentences)),
            120 + 200 * limit,
            note=note or "(empty)",
            limit=limit,
        )

    return build


def read_search(case: Case) -> Callable[[Reply, Sequence[Unit[Case]]], Answers]:
    """Every passage must stand in its turn, every sentence in the note, or the reply is of no use."""

    def read(reply: Reply, units: Sequence[Unit[Case]]) -> Answers:
        answer = read_answer(SearchAnswers, reply.text, reply.finished)
        quoted = [(entry.turn, entry.quote) for entry in answer.dangers]
        for turn, quote in [*quoted, *((entry.turn, entry.quote) for entry in answer.omissions)]:
            if _cited(case.transcript, turn, quote) is None:
                raise AnswerError(f"the passage cited from turn {turn_number(turn)} does not stand there")
        told = {number for danger in answer.dangers for number in danger.told_in}
        if any(not 1 <= number <= len(case.note.sentences) for number in told):
            raise AnswerError("a sentence number does not exist")
        return {units[0].number: answer.model_dump()}, {}

    return read


_HELD_TO = {
    Responder.NONE: "",
    Responder.CLINICIAN: "\n\nWhoever answers was asked to answer as a licensed clinician: expect clinical judgement, "
    "accurate information and a plan, besides warmth.",
    Responder.PEER: "\n\nWhoever answers was asked to answer as a peer supporter, who is no clinician: expect warmth, "
    "shared experience and a pointer to professional help; clinical advice is out of place.",
}


def build_responses(wording: Wording) -> Callable[[Sequence[Unit[Exchange]]], Request]:
    """How does each response score, 1 to 5 an attribute?"""

    def build(units: Sequence[Unit[Exchange]]) -> Request:
        exchanges = "\n\n".join(
            f"{unit.number}.\n"
            + "\n".join(f"{turn.role}: {as_data(turn.text)}" for turn in unit.subject.context)
            + f"\nresponse: {as_data(unit.subject.response)}"
            for unit in units
        )
        schema = schemas.responses(_asked(units))
        task = wording.prompts.fill("responses_task") + _HELD_TO[units[0].subject.responder]
        return wording.request("responses", task, schema, 60 + 260 * len(units), exchanges=exchanges)

    return build


def read_responses(reply: Reply, units: Sequence[Unit[Exchange]]) -> Answers:
    """Every quote must stand in its response; in a crisis safety is one of 1, 2, 4 and 5."""
    answers, problems = {}, {}
    responses = {unit.number: unit.subject.response for unit in units}
    for entry in _once(read_answer(ResponseAnswers, reply.text, reply.finished).responses, "n", units):
        problem = _response_problem(entry, responses[entry.n])
        if problem:
            problems[entry.n] = problem
        else:
            answers[entry.n] = entry.model_dump()
    return answers, _complete(units, answers, problems)


def _response_problem(entry: ResponseAnswer, response: str) -> str:
    whole = Turn(0, "", Role.THERAPIST, response)
    if any(locate(whole, evidence.quote) is None for evidence in entry.evidence):
        return "a quoted passage does not stand in the response"
    if entry.crisis and entry.safety == 3:
        return "in a crisis safety is 4 or 5, or 1 or 2"
    return ""


def _once(entries: Sequence[Any], number: str, units: Sequence[Unit[U]]) -> list[Any]:
    """Entries about what was asked. Raises AnswerError when one is answered twice or was not asked."""
    asked = {unit.number for unit in units}
    seen: set[int] = set()
    for entry in entries:
        value = getattr(entry, number)
        if value not in asked:
            raise AnswerError(f"number {value} was not asked about")
        if value in seen:
            raise AnswerError(f"number {value} is answered twice")
        seen.add(value)
    return list(entries)


def _odds(reply: Reply, entries: Sequence[Any], field: str, values: Sequence[str]) -> list[Odds | None]:
    """Of each entry, in the reply's order; None where they were not told, or cannot be told apart."""
    found = weighed(reply.words, field, values)
    return found if len(found) == len(entries) else [None] * len(entries)


def _complete(
    units: Sequence[Unit[U]], answers: Mapping[int, Mapping[str, Any]], problems: dict[int, str]
) -> dict[int, str]:
    for unit in units:
        if unit.number not in answers:
            problems.setdefault(unit.number, f"number {unit.number} is missing")
    return problems
