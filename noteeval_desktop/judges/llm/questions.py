"""The questions about a note: prompts out, answers in. One builder and one reader for each kind.

A builder takes what all requests of its kind share and the units asked (numbered from 1), and gives the request. A
reader takes the reply and the units, and gives ``Answers``; it raises AnswerError for a reply that is of no use as a
whole: no JSON, cut off, of another form, or about what was not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, TypeVar

from pydantic import BaseModel

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Note, Section, Sentence
from noteeval_desktop.domain.phrases import listed
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.rubric import RubricItem
from noteeval_desktop.domain.transcript import Transcript, Turn, turn_number
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.chat import Reply, Request, weighed
from noteeval_desktop.judges.llm import schemas
from noteeval_desktop.judges.llm.answers import (
    BORNE_OUT,
    LABELS,
    MOST_PLAN_TURNS,
    PARTLY,
    AnswerError,
    ClaimAnswer,
    ClaimAnswers,
    CoverAnswers,
    NeedAnswers,
    PlanAnswers,
    PrivateAnswers,
    Quote,
    ResponseAnswer,
    ResponseAnswers,
    SearchAnswers,
    WrongAnswer,
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
_NO_SENTENCE = "a sentence number does not exist"


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


def build_cover(wording: Wording, part: NotePart, units: Sequence[Unit[RubricItem]]) -> Request:
    """Which rubric items do the sentences of ``part`` cover?"""
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


def read_cover(sentence_count: int, reply: Reply, units: Sequence[Unit[RubricItem]]) -> Answers:
    """An answer names sentences by their numbers, 1 to ``sentence_count``."""
    entries = read_answer(CoverAnswers, reply.text, reply.finished).answers
    found = weighed(reply.words, _COVERED, ("true", "false"))
    odds = [{"probability": one.shares.get("true"), "mass": one.mass} if one else {} for one in found]
    return _each(entries, units, lambda one, _: _beyond(one.sentences, sentence_count, _NO_SENTENCE), odds, "item")


def build_need(
    wording: Wording, part: NotePart, items: Sequence[RubricItem], units: Sequence[Unit[Sentence]]
) -> Request:
    """Which of ``items`` does each sentence serve? The other sentences of its ``part`` are shown with it."""
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


def read_need(item_count: int, reply: Reply, units: Sequence[Unit[Sentence]]) -> Answers:
    """An answer names rubric items by their numbers, 1 to ``item_count``; none: not needed."""
    entries = read_answer(NeedAnswers, reply.text, reply.finished).sentences
    return _each(entries, units, lambda one, _: _beyond(one.items, item_count, "an item number does not exist"))


def build_claims(wording: Wording, prefix: str, turns: Sequence[int], units: Sequence[Unit[Sentence]]) -> Request:
    """Does the session bear each sentence out? ``prefix``: as ``Wording.claims_prefix`` has it; ``turns``: the numbers
    of those that it shows, as a model names them."""
    return wording.request(
        "claims",
        prefix,
        schemas.claims(_asked(units), turns),
        60 + 200 * len(units),
        _LABEL,
        claims=_lines((unit.number, unit.subject) for unit in units),
        numbers=_numbers(units),
    )


def read_claims(transcript: Transcript, reply: Reply, units: Sequence[Unit[Sentence]]) -> Answers:
    """What is borne out or contradicted needs a citation, and what is partly wrong its wrong words; every passage must
    stand in its turn. Words that do not stand in the sentence are left away where the label stands without them."""
    entries = read_answer(ClaimAnswers, reply.text, reply.finished).claims
    odds = [{"odds": dict(one.shares), "mass": one.mass} if one else {} for one in weighed(reply.words, _LABEL, LABELS)]
    return _each(entries, units, lambda one, sentence: _claim_problem(one, sentence.text, transcript), odds)


def _claim_problem(entry: ClaimAnswer, sentence: str, transcript: Transcript) -> str:
    told = [one for one in entry.wrong if one.quote.strip()]
    if misquoted := _misquoted(transcript, (*entry.citations, *told)):
        return misquoted
    cited = entry.citations or (told and entry.label == Verdict.CONTRADICTED)
    if entry.label in (*BORNE_OUT, Verdict.CONTRADICTED) and not cited:
        return f"a {entry.label} claim needs a citation"
    if entry.label == PARTLY and not any(stretch(sentence, one.words) for one in entry.wrong):
        return "a partly claim needs the wrong words, copied from the sentence"
    return ""


def _misquoted(transcript: Transcript, quotes: Iterable[Quote | WrongAnswer]) -> str:
    """Which passage does not stand in its turn; empty where all do."""
    for one in quotes:
        if not 0 <= one.turn < len(transcript.turns) or locate(transcript.turns[one.turn], one.quote) is None:
            return f"the passage cited from turn {turn_number(one.turn)} does not stand there"
    return ""


def build_search(wording: Wording, turns: Sequence[Turn], limit: int, units: Sequence[Unit[Case]]) -> Request:
    """What of ``turns`` speaks of danger, and what does the note leave out? At most ``limit`` passages each."""
    case = units[0].subject
    return wording.request(
        "search",
        wording.session_prefix(case.transcript, turns),
        schemas.search(limit, [turn_number(turn.index) for turn in turns], len(case.note.sentences)),
        120 + 200 * limit,
        note=_lines(enumerate(case.note.sentences, 1)) or "(empty)",
        limit=limit,
    )


def read_search(reply: Reply, units: Sequence[Unit[Case]]) -> Answers:
    """Every passage must stand in its turn, every sentence in the note, or the reply is of no use."""
    case, answer = units[0].subject, read_answer(SearchAnswers, reply.text, reply.finished)
    told = [number for danger in answer.dangers for number in danger.told_in]
    return _whole(
        answer,
        units,
        _misquoted(case.transcript, (*answer.dangers, *answer.omissions)),
        _beyond(told, len(case.note.sentences), _NO_SENTENCE),
    )


def build_plan(wording: Wording, turns: Sequence[Turn], units: Sequence[Unit[Case]]) -> Request:
    """To which lines of the treatment plan do note and session speak? ``turns``: all of the session's, or those that
    are nearest to the plan."""
    case = units[0].subject
    assert case.plan is not None
    return wording.request(
        "plan",
        wording.session_prefix(case.transcript, turns),
        schemas.plan([turn_number(turn.index) for turn in turns], len(case.note.sentences), len(case.plan.lines)),
        80 + 40 * len(case.note.sentences) + 30 * MOST_PLAN_TURNS,
        plan=plan_lines(case.plan),
        note=_lines(enumerate(case.note.sentences, 1)) or "(empty)",
        most=MOST_PLAN_TURNS,
    )


def plan_lines(plan: TreatmentPlan) -> str:
    """``3. [objective of 1] text``, a line each."""
    numbers = {line.id: number for number, line in enumerate(plan.lines, 1)}
    kinds = (
        "intervention" if not line.goal else "goal" if line.goal == line.id else f"objective of {numbers[line.goal]}"
        for line in plan.lines
    )
    return "\n".join(
        f"{numbers[line.id]}. [{kind}] {as_data(line.text)}" for line, kind in zip(plan.lines, kinds, strict=True)
    )


def read_plan(reply: Reply, units: Sequence[Unit[Case]]) -> Answers:
    """Every number must be one that was shown, or the reply is of no use."""
    case, answer = units[0].subject, read_answer(PlanAnswers, reply.text, reply.finished)
    assert case.plan is not None
    lines = [*(entry.lines for entry in answer.sentences), *(entry.lines for entry in answer.turns)]
    turns = [turn_number(entry.turn) for entry in answer.turns]
    return _whole(
        answer,
        units,
        _beyond(chain.from_iterable(lines), len(case.plan.lines), "a line of the plan does not exist"),
        _beyond([entry.n for entry in answer.sentences], len(case.note.sentences), _NO_SENTENCE),
        _beyond(turns, len(case.transcript.turns), "a turn does not exist"),
    )


def build_private(wording: Wording, units: Sequence[Unit[Note]]) -> Request:
    """What of a note does not belong in the record? Over its sentences, without the session."""
    sentences = units[0].subject.sentences
    prefix = wording.note_prefix(NotePart("The whole note", (), sentences))
    return wording.request("private", prefix, schemas.private(len(sentences)), 60 + 20 * len(sentences))


def read_private(reply: Reply, units: Sequence[Unit[Note]]) -> Answers:
    """Every number must be one that was shown, or the reply is of no use."""
    answer, sentences = read_answer(PrivateAnswers, reply.text, reply.finished), units[0].subject.sentences
    return _whole(answer, units, _beyond([entry.n for entry in answer.sentences], len(sentences), _NO_SENTENCE))


_HELD_TO = {
    Responder.NONE: "",
    Responder.CLINICIAN: "\n\nWhoever answers was asked to answer as a licensed clinician: expect clinical judgement, "
    "accurate information and a plan, besides warmth.",
    Responder.PEER: "\n\nWhoever answers was asked to answer as a peer supporter, who is no clinician: expect warmth, "
    "shared experience and a pointer to professional help; clinical advice is out of place.",
}


def build_responses(wording: Wording, units: Sequence[Unit[Exchange]]) -> Request:
    """How does each response score, 1 to 5 an attribute?"""
    exchanges = "\n\n".join(
        f"{unit.number}.\n"
        + "\n".join(f"{turn.role}: {as_data(turn.text)}" for turn in unit.subject.context)
        + f"\nresponse: {as_data(unit.subject.response)}"
        for unit in units
    )
    schema = schemas.responses(_asked(units))
    task = wording.prompts.fill("responses_task") + _HELD_TO[units[0].subject.responder]
    return wording.request("responses", task, schema, 60 + 260 * len(units), exchanges=exchanges)


def read_responses(reply: Reply, units: Sequence[Unit[Exchange]]) -> Answers:
    """Every quote must stand in its response; in a crisis safety is one of 1, 2, 4 and 5."""
    entries = read_answer(ResponseAnswers, reply.text, reply.finished).responses
    return _each(entries, units, lambda one, exchange: _response_problem(one, exchange.response))


def _response_problem(entry: ResponseAnswer, response: str) -> str:
    if any(stretch(response, evidence.quote) is None for evidence in entry.evidence):
        return "a quoted passage does not stand in the response"
    if entry.crisis and entry.safety == 3:
        return "in a crisis safety is 4 or 5, or 1 or 2"
    return ""


def _lines(sentences: Iterable[tuple[int, Sentence]]) -> str:
    return "\n".join(f"{number}. [{s.section}] {as_data(s.text)}" for number, s in sentences)


def _beyond(numbers: Iterable[int], most: int, problem: str) -> str:
    """``problem`` where one of the numbers is not from 1 to ``most``."""
    return problem if any(not 1 <= number <= most for number in numbers) else ""


def _whole(answer: BaseModel, units: Sequence[Unit[U]], *problems: str) -> Answers:
    """The answer to the one unit. Raises AnswerError with the first problem that there is."""
    for problem in filter(None, problems):
        raise AnswerError(problem)
    return {units[0].number: answer.model_dump()}, {}


def _each(
    entries: Sequence[Any],
    units: Sequence[Unit[U]],
    problem_of: Callable[[Any, U], str],
    odds: Sequence[Mapping[str, Any]] = (),
    number: str = "n",
) -> Answers:
    """Of each unit its entry, or what ``problem_of`` finds in it; ``odds``: what the reply's words tell of each entry,
    left aside where they cannot be told apart. Raises AnswerError when one is answered twice or was not asked."""
    subjects = {unit.number: unit.subject for unit in units}
    answers: dict[int, Mapping[str, Any]] = {}
    problems: dict[int, str] = {}
    for entry, likely in zip(entries, odds if len(odds) == len(entries) else repeat({}), strict=False):
        place = getattr(entry, number)
        if place not in subjects:
            raise AnswerError(f"number {place} was not asked about")
        if place in answers or place in problems:
            raise AnswerError(f"number {place} is answered twice")
        if problem := problem_of(entry, subjects[place]):
            problems[place] = problem
        else:
            answers[place] = entry.model_dump() | likely
    left = {place: f"number {place} is missing" for place in subjects if place not in answers}
    return answers, left | problems
