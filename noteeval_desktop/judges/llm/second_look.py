"""A chat model asked about what the built-in judge does not vouch for: a few claims, sentences and passages of a case.

Sentences, passages and dangers are asked about one at a time, yes or no, which gives a probability where the model's
server tells how likely it finds a word.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Citation, Turn
from noteeval_desktop.domain.verdicts import ClaimVerdict, NeedVerdict, Omission, Opinion
from noteeval_desktop.engines.chat import ChatModel, Request
from noteeval_desktop.judges.llm import questions as ask
from noteeval_desktop.judges.llm import verdicts as say
from noteeval_desktop.judges.llm.answers import locate
from noteeval_desktop.judges.llm.asking import Answered, Unit
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import as_data, numbered_turns
from noteeval_desktop.judges.protocol import Doubt

YES_NO_TOKENS = 4
# Each with few turns of its own, so that more of them go together than where the whole session does.
CLAIMS_A_CALL = 9
# A turn that is longer is shown around the words in question.
_LONGEST_TURN, _AROUND = 700, 250


@dataclass(frozen=True, slots=True)
class Passage:
    """Turns of a session, with the words in them that are in question."""

    citations: tuple[Citation, ...]
    kind: str = ""


class SecondLook:
    """Puts its questions in the words, and through the cache, of ``llm``."""

    def __init__(self, llm: LlmJudge) -> None:
        self._llm = llm

    def over(self, chat: ChatModel) -> SecondLook:
        return SecondLook(self._llm.over(chat))

    @property
    def identity(self) -> JudgeIdentity:
        return self._llm.identity

    def usage(self) -> Usage:
        return self._llm.usage()

    def claims(self, case: Case, doubts: Sequence[Doubt], cancel: threading.Event) -> Iterator[ClaimVerdict]:
        turns = {doubt.sentence: doubt.turns for doubt in doubts}
        sentences = [sentence for sentence in case.note.sentences if sentence.id in turns]
        own = [turns[sentence.id] for sentence in sentences]
        yield from self._llm.claims(case, sentences, own, cancel, CLAIMS_A_CALL)

    def needs(self, case: Case, sentences: Sequence[str], cancel: threading.Event) -> Iterator[NeedVerdict]:
        own = [sentence for sentence in case.note.sentences if sentence.id in sentences]
        units = [Unit(n, s, f"{s.sections}\n{s.text}") for n, s in enumerate(own, 1)]
        prefixes = {sections: self._items(sections) for sections in {sentence.sections for sentence in own}}

        def build(unit: Unit[Sentence]) -> Request:
            text = as_data(unit.subject.text)
            prefix = prefixes[unit.subject.sections]
            return self._llm.wording.request("need_one", prefix, None, YES_NO_TOKENS, sentence=text)

        for answered in self._llm.asker.yes_no("need again", units, build, cancel):
            yield say.needed(answered, ())

    def left_out(
        self, case: Case, omissions: Sequence[Omission], cancel: threading.Event
    ) -> Iterator[tuple[Omission, Opinion]]:
        """Is each of these needed, and not in the note?"""
        passages = {omission: Passage(omission.citations) for omission in omissions}
        for omission, answered in self._of_passages(case, passages, "left_out", cancel):
            yield omission, say.opinion(answered, self.identity.kind, "left out", "not left out")

    def dangers(
        self, case: Case, risks: Sequence[RiskFinding], cancel: threading.Event
    ) -> Iterator[tuple[RiskFinding, Opinion]]:
        """Does the note tell of each of these?"""
        passages = {risk: Passage((risk.citation,), risk.kind.value.replace("-", " ")) for risk in risks}
        for risk, answered in self._of_passages(case, passages, "danger", cancel):
            yield risk, say.opinion(answered, self.identity.kind, "addressed", "not addressed")

    def _of_passages(
        self, case: Case, passages: Mapping[ask.U, Passage], question: str, cancel: threading.Event
    ) -> Iterator[tuple[ask.U, Answered[ask.U]]]:
        wording = self._llm.wording
        note = wording.note_prefix(ask.WHOLE_NOTE, case.note.sentences)
        prefix = f"{note}\n\n{wording.prompts.fill(f'{question}_task')}"
        texts = {subject: _shown(case, passage) for subject, passage in passages.items()}
        units = [
            Unit(n, subject, f"{case.note.text}\n{passages[subject].kind}\n{text}")
            for n, (subject, text) in enumerate(texts.items(), 1)
        ]

        def build(unit: Unit[ask.U]) -> Request:
            values = {"passage": texts[unit.subject], "kind": passages[unit.subject].kind}
            return wording.request(f"{question}_one", prefix, None, YES_NO_TOKENS, **values)

        for answered in self._llm.asker.yes_no(f"{question} again", units, build, cancel):
            yield answered.unit.subject, answered

    def _items(self, sections: tuple[Section, ...]) -> str:
        items = enumerate(self._llm.items_for(sections), 1)
        lines = "\n".join(ask.item_line(number, item) for number, item in items)
        return self._llm.wording.prompts.fill("need_prefix_one", section=sections[0], items=lines)


def _shown(case: Case, passage: Passage) -> str:
    """Each turn once, as sessions are shown; what its words stand in is found anew, since names may be masked."""
    words = {citation.turn: citation.quote for citation in reversed(passage.citations)}
    turns = [_around(case.transcript.turns[turn], words[turn]) for turn in sorted(words)]
    return numbered_turns(turns)


def _around(turn: Turn, words: str) -> Turn:
    if len(turn.text) <= _LONGEST_TURN:
        return turn
    found = locate(turn, words)
    start = max(0, found.span.start - _AROUND) if found else 0
    end = min(found.span.end + _AROUND, start + 2 * _LONGEST_TURN) if found else _LONGEST_TURN
    return Turn(turn.index, turn.speaker, turn.role, turn.text[start:end])
