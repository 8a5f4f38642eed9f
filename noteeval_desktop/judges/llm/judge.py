"""A chat model as a judge: the questions of TN-A-Eval and the rest of the protocol, put to any ChatModel."""

from __future__ import annotations

import math
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import PrivateSentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric, RubricItem
from noteeval_desktop.domain.transcript import Transcript, Turn, turn_number
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict, Omission, ResponseVerdict
from noteeval_desktop.engines.chat import ChatModel, ReadsText, Request, TextLikelihood
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.builtin.risk.ledger import ledger_by_words
from noteeval_desktop.judges.llm import questions as ask
from noteeval_desktop.judges.llm import verdicts as say
from noteeval_desktop.judges.llm.asking import Answered, Asker, Group, Unit, in_groups
from noteeval_desktop.judges.llm.cache import AnswerCache, MemoryCache
from noteeval_desktop.judges.llm.likert import Part, build_likert, key_of, rated, read_likert
from noteeval_desktop.judges.llm.prompts import Prompts, as_data
from noteeval_desktop.judges.llm.questions import NotePart
from noteeval_desktop.judges.llm.retrieval import Retriever, packed
from noteeval_desktop.judges.protocol import CountsBehaviours, Exchange, Heard, Ledger, Rating

U = TypeVar("U")
VERSION = "5"  # to be raised with any change in how answers are read: kept answers of another version are not used
SENTENCES_A_CALL = 12
CLAIMS_A_CALL = 14
RESPONSES_A_CALL = 5
OMISSION_LIMIT = 12
TURNS_A_CLAIM = 5
# Rough and on the safe side for English; only decides between the whole session and its closest parts.
CHARACTERS_A_TOKEN = 3.5
SESSION_TOKENS = 6_000
# What a question on one claim takes of a context beside the session, at 3 characters a token.
_CLAIM_TOKENS = 2_192


class Manner(StrEnum):
    """PUBLISHED: one question a call, yes or no, as TN-A-Eval has it. GROUPED: a section's items or a
    handful of sentences a call."""

    PUBLISHED = "published"
    GROUPED = "grouped"


class LlmJudge:
    """Implements ``judges.protocol.Judge`` over a chat model."""

    def __init__(
        self,
        chat: ChatModel,
        rubric: Rubric,
        prompts: Prompts,
        retriever: Retriever,
        manner: Manner = Manner.GROUPED,
        cache: AnswerCache | None = None,
        ledger: Ledger = ledger_by_words,
        fence: str | None = None,
        doubt: str = "",
        places: int = 1,
    ) -> None:
        """``fence`` marks off case material in prompts; a random one, unless prompts are to be compared. ``doubt``:
        what whoever reads the verdicts should know of the model. ``places``: so many calls are answered side by side,
        and the claims, which take longest to write about, go into as many; 1 where one call waits for the other."""
        self.doubt, self.asks_private, self.places = doubt, False, places
        self._chat = chat
        self._rubric = rubric
        self._prompts = prompts
        self._retriever = retriever
        self._manner = manner
        self._cache = MemoryCache() if cache is None else cache
        self._ledger = ledger
        self.asker = Asker(chat, self._cache, VERSION, prompts.fingerprint, rubric.fingerprint)
        # Not guessable from inside a note, and the same for all calls, so that prefixes can be shared.
        self.wording = ask.Wording(prompts, fence or secrets.token_hex(6))

    def over(self, chat: ChatModel) -> LlmJudge:
        """A judge that puts the very same questions, fence and all, to another chat model."""
        return LlmJudge(
            *(chat, self._rubric, self._prompts, self._retriever, self._manner, self._cache, self._ledger),
            fence=self.wording.fence,
            doubt=self.doubt,
            places=self.places,
        )

    @property
    def chat(self) -> ChatModel:
        return self._chat

    @property
    def identity(self) -> JudgeIdentity:
        info = self._chat.info
        return JudgeIdentity(
            kind=info.kind,
            model=info.name,
            version=f"{VERSION}-{self._manner}{'-private' if self.asks_private else ''}",
            rubric=self._rubric.fingerprint,
            prompts=self._prompts.fingerprint,
        )

    def usage(self) -> Usage:
        return self._chat.usage()

    @property
    def scores_text(self) -> bool:
        return isinstance(self._chat, ReadsText)

    def log_likelihoods(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[TextLikelihood]:
        """Of each request's ``answer``, in order; for models with ``scores_text``."""
        assert isinstance(self._chat, ReadsText)
        found = dict(self._chat.log_likelihoods(requests, cancel))
        yield from (found[n] for n in range(len(requests)))

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        yield from self._ledger(case, cancel)

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        return self._ledger.behaviours(transcript, cancel) if isinstance(self._ledger, CountsBehaviours) else None

    @property
    def rubric(self) -> Rubric:
        return self._rubric

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        rubric = self._rubric.for_judge(case)
        own = [(part, [item for item in items if item in rubric.items]) for part, items in self._sections(case)]
        asked: list[tuple[NotePart, Sequence[RubricItem]]] = [(part, items) for part, items in own if items]
        if case.note.sentences and rubric.general_items:
            asked.append((NotePart("The whole note", (), case.note.sentences), rubric.general_items))
        groups: list[Group[RubricItem]] = []
        part_of: dict[str, NotePart] = {}
        for part, items in asked:
            text = "\n".join(sentence.text for sentence in part.sentences)
            units = [Unit(n, item, f"{part.name}\n{item.id}\n{text}") for n, item in enumerate(items, 1)]
            build, read = partial(ask.build_cover, self.wording, part), partial(ask.read_cover, len(part.sentences))
            groups.append(Group(units, build, read))
            part_of |= {item.id: part for item in items}

        def build_one(unit: Unit[RubricItem]) -> Request:
            prefix = self.wording.note_prefix(part_of[unit.subject.id])
            return self.wording.request("cover_one", prefix, None, 4, item=ask.item_text(unit.subject))

        for answered in self._each("cover", groups, build_one, cancel):
            yield say.covered(answered, part_of[answered.unit.subject.id].sentences)
        # Last: a judge that fails has said nothing, not that what is under no heading is missing. What could stand only
        # under a heading that the note lacks is not asked about: another section's sentences would be taken for it.
        yield from (say.absent(item) for item in rubric.items if item.id not in part_of)

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        groups: list[Group[Sentence]] = []
        items_of: dict[str, Sequence[RubricItem]] = {}
        prefix_of: dict[str, str] = {}
        for part in ask.parts_of(case.note):
            items = self.items_for(part)
            context = "\n".join(sentence.text for sentence in part.sentences)
            units = [Unit(n, s, f"{part.name}\n{context}\n{s.text}\n{n}") for n, s in enumerate(part.sentences, 1)]
            build, read = partial(ask.build_need, self.wording, part, items), partial(ask.read_need, len(items))
            groups += [Group(some, build, read) for some in in_groups(units, SENTENCES_A_CALL)]
            lines = "\n".join(ask.item_line(number, item) for number, item in enumerate(items, 1))
            prefix = self._prompts.fill("need_prefix_one", part=part.name, items=lines)
            prefix_of |= {sentence.id: prefix for sentence in part.sentences}
            items_of |= {sentence.id: items for sentence in part.sentences}

        def build_one(unit: Unit[Sentence]) -> Request:
            text = as_data(unit.subject.text)
            return self.wording.request("need_one", prefix_of[unit.subject.id], None, 4, sentence=text)

        for answered in self._each("need", groups, build_one, cancel):
            yield say.needed(answered, items_of[answered.unit.subject.id])

    def _each(
        self, kind: str, groups: Sequence[Group[U]], build_one: Callable[[Unit[U]], Request], cancel: threading.Event
    ) -> Iterator[Answered[U]]:
        """Of what stands in the groups: asked about in these, or one by one."""
        if self._manner is Manner.GROUPED:
            return self.asker.grouped(f"{kind} grouped", groups, self.wording.repair, cancel)
        return self.asker.yes_no(kind, [unit for group in groups for unit in group.units], build_one, cancel)

    def items_for(self, part: NotePart) -> Sequence[RubricItem]:
        return [item for section in part.sections for item in self._rubric.items_of(section)]

    def _sections(self, case: Case) -> list[tuple[NotePart, Sequence[RubricItem]]]:
        return [(part, self.items_for(part)) for part in ask.parts_of(case.note) if not part.loose]

    def support(
        self, case: Case, cancel: threading.Event, first: Callable[[], Sequence[str]] = tuple
    ) -> Iterator[ClaimVerdict]:
        """``first``: ids of the sentences to ask about before all others, when it comes to that; not where many go into
        one question, which would be another then."""
        if not case.transcript.turns:
            yield from (
                say.unjudged(sentence, "There is no session to check against.") for sentence in case.note.sentences
            )
            return
        order = {sentence: n for n, sentence in enumerate(first())} if self._manner is Manner.PUBLISHED else {}
        sentences = sorted(case.note.sentences, key=lambda sentence: order.get(sentence.id, len(order)))
        # One claim leaves more room than a search: fewer stretches are read, and a session of half an hour is whole.
        room = self._budget(_CLAIM_TOKENS if self._manner is Manner.PUBLISHED else math.inf)
        whole = self._fits(case, room)
        if whole:
            turns: list[Sequence[int]] = [range(len(case.transcript.turns))] * len(sentences)
        else:
            texts = [sentence.text for sentence in sentences]
            turns = list(self._retriever.closest(case.transcript, texts, TURNS_A_CLAIM))
        scope = case.transcript.content_fingerprint
        units = [Unit(n, s, f"{scope}\n{s.section}\n{s.text}") for n, s in enumerate(sentences, 1)]
        # A model on this computer is asked about one at a time, behind turns that many sentences share; another about
        # a handful, with their turns.
        if self._manner is Manner.PUBLISHED:
            sizes = [len(turn.text) + 12 for turn in case.transcript.turns]
            shared = [([[units[n]] for n in places], own) for places, own in packed(turns, sizes, int(room))]
        else:
            calls = in_groups(units, min(CLAIMS_A_CALL, math.ceil(len(units) / self.places) or 1))
            near = [sorted({turn for unit in some for turn in turns[unit.number - 1]}) for some in calls]
            shared = [(calls, near[0])] if whole and calls else list(zip([[some] for some in calls], near, strict=True))
        read, groups = partial(ask.read_claims, case.transcript), []
        for members, own in shared:
            said = [_cut(case.transcript.turns[index], room) for index in own]
            prefix, shown = self.wording.claims_prefix(case.transcript, said), [turn_number(index) for index in own]
            build = partial(ask.build_claims, self.wording, prefix, shown)
            groups += [Group(some, build, read) for some in members]
        for answered in self.asker.grouped("claim", groups, self.wording.repair, cancel):
            yield say.claimed(answered, case.transcript)

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        if case.note.sentences:
            yield from say.omitted(self._search(case, cancel), case.transcript)

    def thread(self, case: Case, cancel: threading.Event) -> Iterator[Thread]:
        """To which lines of the client's plan note and session speak. Raises JudgeError where it gave no answer."""
        if case.plan is None:
            return
        turns, lines = case.transcript.turns, [line.text for line in case.plan.lines]
        if turns and not self._fits(case):
            near = self._retriever.closest(case.transcript, lines, TURNS_A_CLAIM)
            turns = tuple(turns[index] for index in sorted({index for own in near for index in own}))
        asked = self._prompts.templates["plan"].template
        key = "\n".join([asked, case.transcript.content_fingerprint, case.note.text, *lines])
        group = Group([Unit(1, case, key)], partial(ask.build_plan, self.wording, turns), ask.read_plan)
        for answer in self._all("plan", [group], "the treatment plan could not be read beside the note", cancel):
            yield say.thread_of(case, answer)

    def private(self, case: Case, cancel: threading.Event) -> Iterator[PrivateSentence]:
        """What of the note does not belong in the record. Raises JudgeError where it gave no answer."""
        if not case.note.sentences:
            return
        key = "\n".join([self._prompts.templates["private"].template, *(one.text for one in case.note.sentences)])
        group = Group([Unit(1, case.note, key)], partial(ask.build_private, self.wording), ask.read_private)
        for answer in self._all("private", [group], "what to leave out of the record could not be found", cancel):
            yield from say.private_of(case.note, answer)

    def hear(self, case: Case, cancel: threading.Event) -> Iterator[Heard]:
        """Every danger that it hears in the session."""
        for answer in self._search(case, cancel):
            yield from say.heard(answer, case)

    def _search(self, case: Case, cancel: threading.Event) -> list[Mapping[str, Any]]:
        """Each stretch of the session read once, for danger and for what is left out; the second to ask finds the
        answers in the cache."""
        if not case.transcript.turns:
            return []
        parts, groups, called = self._parts(case), [], case.transcript.callings
        for number, part in enumerate(parts, 1):
            said = (f"{called[turn.speaker, turn.role]}\x1e{turn.text}" for turn in part)
            key = "\n".join([*said, case.note.text])
            build = partial(ask.build_search, self.wording, part, OMISSION_LIMIT)
            groups.append(Group([Unit(number, case, key)], build, ask.read_search))
        return self._all("search", groups, "the session could not be searched", cancel)

    def _all(
        self, kind: str, groups: Sequence[Group[U]], said: str, cancel: threading.Event
    ) -> list[Mapping[str, Any]]:
        """The answers in order. Raises JudgeError, which begins with ``said``, where one of them is missing."""
        answered = self.asker.grouped(kind, groups, self.wording.repair, cancel)
        found = sorted(answered, key=lambda one: one.unit.number)
        problem = next((one.problem for one in found if one.answer is None), None)
        if problem is not None:
            raise JudgeError(f"{said}: {problem}")
        return [one.answer for one in found if one.answer is not None]

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        units = [
            Unit(n, one, "\n".join([one.responder, *(f"{t.role}: {t.text}" for t in one.context), one.response]))
            for n, one in enumerate(exchanges, 1)
        ]
        build = partial(ask.build_responses, self.wording)
        groups = [Group(some, build, ask.read_responses) for some in in_groups(units, RESPONSES_A_CALL)]
        for answered in self.asker.grouped("responses", groups, self.wording.repair, cancel):
            yield say.responded(answered)

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        """Marks from 1 to 5 for each section that is written, then acceptance of the note as a whole."""
        if not case.transcript.turns or not case.note.sentences:
            return
        parts = [Part(part, part.sentences, items) for part, items in self._sections(case)]
        parts.append(Part(None, case.note.sentences))
        whole, groups = self._fits(case), []
        for number, part in enumerate(parts, 1):
            sentences = [Unit(n, sentence, "") for n, sentence in enumerate(part.sentences, 1)]
            turns = case.transcript.turns if whole else self._closest(case, sentences)
            build = partial(build_likert, self.wording, case.transcript, turns)
            groups.append(Group([Unit(number, part, key_of(case, part))], build, read_likert))
        for answered in self.asker.grouped("likert", groups, self.wording.repair, cancel):
            yield from rated(answered)

    def _budget(self, beside: float = math.inf) -> float:
        """Characters of a session that go into a question; ``beside`` it so many tokens, half of a context at most, are
        left to the rest of it and its answer."""
        context = self._chat.info.context
        tokens = SESSION_TOKENS if context is None else min(SESSION_TOKENS, context - min(context / 2, beside))
        return tokens * CHARACTERS_A_TOKEN

    def _fits(self, case: Case, room: float | None = None) -> bool:
        size = sum(len(turn.text) + 12 for turn in case.transcript.turns)
        return size <= (self._budget() if room is None else room)

    def _closest(self, case: Case, units: Sequence[Unit[Sentence]]) -> list[Turn]:
        chosen = self._retriever.closest(case.transcript, [unit.subject.text for unit in units], TURNS_A_CLAIM)
        return [case.transcript.turns[index] for index in sorted({index for own in chosen for index in own})]

    def _parts(self, case: Case) -> list[list[Turn]]:
        """The session in stretches that fit; a stretch starts with the last turn of the one before."""
        parts: list[list[Turn]] = [[]]
        size = 0
        for turn in case.transcript.turns:
            if size > self._budget() and parts[-1]:
                parts.append(parts[-1][-1:])
                size = len(parts[-1][-1].text)
            parts[-1].append(turn)
            size += len(turn.text) + 12
        return parts


def _cut(turn: Turn, room: float) -> Turn:
    return turn if len(turn.text) <= room else replace(turn, text=turn.text[: int(room)])
