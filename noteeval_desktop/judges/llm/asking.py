"""Asks a model in groups, keeps what is sound, repairs once what is not, and says what stayed unanswered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import ChatModel, Reply, Request, YesNo
from noteeval_desktop.errors import unexpected
from noteeval_desktop.judges.llm.answers import AnswerError
from noteeval_desktop.judges.llm.cache import AnswerCache

U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Unit(Generic[U]):
    """One thing asked about. ``number`` stands for it in prompt and answer; ``depends_on`` is the text
    of everything that its answer rests on, for the cache."""

    number: int
    subject: U
    depends_on: str


@dataclass(frozen=True, slots=True)
class Answered(Generic[U]):
    """``answer`` is None when there is none; ``problem`` then says why."""

    unit: Unit[U]
    answer: Mapping[str, Any] | None
    problem: str = ""


Build = Callable[[Sequence[Unit[U]]], Request]
# Reads a reply to a group: (answers by number, problems by number); raises AnswerError for the whole.
Read = Callable[[Reply, Sequence[Unit[U]]], tuple[Mapping[int, Mapping[str, Any]], Mapping[int, str]]]
Repair = Callable[[str, Sequence[Unit[U]]], str]


@dataclass(frozen=True, slots=True)
class Group(Generic[U]):
    """Units that go into one question, with how it is put and how its answer is read."""

    units: Sequence[Unit[U]]
    build: Build[U]
    read: Read[U]


class Asker:
    """Puts questions to one model, through one cache."""

    def __init__(self, chat: ChatModel, cache: AnswerCache, *scope: str) -> None:
        """``scope``: what every answer depends on beside the model and its unit, as prompts and rubric."""
        self._chat = chat
        self._cache = cache
        self._scope = fingerprint(chat.info.fingerprint, *scope)

    def grouped(
        self,
        kind: str,
        groups: Sequence[Group[U]],
        repair: Repair[U],
        cancel: threading.Event,
    ) -> Iterator[Answered[U]]:
        """Yield one Answered for each unit, each exactly once; all groups are asked at once.

        Only what the cache lacks is asked.
        """
        asked: list[Group[U]] = []
        for group in groups:
            missing = yield from self._known(kind, group.units)
            if missing:
                asked.append(replace(group, units=missing))
        again: list[tuple[Group[U], Request]] = []
        first = [(group, group.build(group.units)) for group in asked]
        for group, answers, problems, silent in self._round(first, cancel):
            yield from self._keep(kind, group.units, answers)
            rest = replace(group, units=[unit for unit in group.units if unit.number not in answers])
            if silent:
                yield from (Answered(unit, None, problems[unit.number]) for unit in rest.units)
            elif rest.units:
                problem = next((problems[unit.number] for unit in rest.units if unit.number in problems), "")
                request = rest.build(rest.units)
                text = repair(problem, rest.units)
                again.append((rest, replace(request, question=request.question + text)))
        for group, answers, problems, _ in self._round(again, cancel):
            yield from self._keep(kind, group.units, answers)
            for unit in group.units:
                if unit.number not in answers:
                    yield Answered(unit, None, problems.get(unit.number, "the model gave no answer"))

    def yes_no(
        self, kind: str, units: Sequence[Unit[U]], build: Callable[[Unit[U]], Request], cancel: threading.Event
    ) -> Iterator[Answered[U]]:
        """One question a unit; answers are ``{"yes": bool, "probability": float | None, "mass": float | None}``."""
        missing = yield from self._known(kind, units)
        for index, reply in self._chat.yes_no([build(unit) for unit in missing], cancel):
            yield self._yes_or_no(kind, missing[index], reply)

    def _known(self, kind: str, units: Sequence[Unit[U]]) -> Generator[Answered[U], None, list[Unit[U]]]:
        """What was answered before; returns the rest."""
        missing = []
        for unit in units:
            known = self._cache.get(self._key(kind, unit))
            if known is not None:
                yield Answered(unit, known)
            else:
                missing.append(unit)
        return missing

    def _yes_or_no(self, kind: str, unit: Unit[U], reply: YesNo) -> Answered[U]:
        if reply.yes is None:
            return Answered(unit, None, reply.problem or "the model answered neither yes nor no")
        answer = {"yes": reply.yes, "probability": reply.probability, "mass": reply.mass}
        self._cache.put(self._key(kind, unit), answer)
        return Answered(unit, answer)

    def _round(
        self, asked: Sequence[tuple[Group[U], Request]], cancel: threading.Event
    ) -> Iterator[tuple[Group[U], Mapping[int, Mapping[str, Any]], Mapping[int, str], bool]]:
        """Answers and problems by number; True where there was no answer at all, which no other wording would mend:
        the engine has tried again by itself where that helps."""
        for index, reply in self._chat.ask([request for _, request in asked], cancel):
            group = asked[index][0]
            if reply.problem:
                yield group, {}, {unit.number: reply.problem for unit in group.units}, True
                continue
            try:
                answers, problems = group.read(reply, group.units)
            except AnswerError as error:
                answers, problems = {}, {unit.number: str(error) for unit in group.units}
            # An answer that breaks its reader takes no other answer with it.
            except Exception as error:
                yield group, {}, {unit.number: unexpected(error) for unit in group.units}, True
                continue
            yield group, answers, problems, False

    def _keep(
        self, kind: str, units: Sequence[Unit[U]], answers: Mapping[int, Mapping[str, Any]]
    ) -> Iterator[Answered[U]]:
        for unit in units:
            if unit.number in answers:
                self._cache.put(self._key(kind, unit), answers[unit.number])
                yield Answered(unit, answers[unit.number])

    def _key(self, kind: str, unit: Unit[U]) -> str:
        return fingerprint(self._scope, kind, unit.depends_on)


def in_groups(units: Sequence[Unit[U]], size: int) -> list[list[Unit[U]]]:
    """Fixed groups in order, as even as possible, of at most ``size``."""
    count = -(-len(units) // size)
    return [list(units[len(units) * i // count : len(units) * (i + 1) // count]) for i in range(count)] if units else []
