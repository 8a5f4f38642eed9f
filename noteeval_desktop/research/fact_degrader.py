"""Notes made worse by a chat model, as SySDEM has it (Nizar et al., algorithm 1, figures 6 to 8): each part of a note
is split into atomic facts, more and more of them are corrupted, and the facts are put together again.

Unlike there the facts are split once, and every level holds the corrupted facts of the one before: otherwise a level
would differ from the last by what the model lost in splitting as well. The intact note is put together from its facts
too, so that only the corruption tells the two apart.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import Field

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.engines.chat import ChatModel, Request
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.llm.answers import AnswerError, Strict, read_answer
from noteeval_desktop.judges.llm.prompts import Prompts, as_data
from noteeval_desktop.research.changes import ChangeKind
from noteeval_desktop.research.study_notes import FACTS, LEVELS, StudyNote, Version, wanted

_LONGEST, _MOST = 4_000, 200
Prepare = Callable[[Case], tuple[Note, Callable[[str], str]]]


class _Facts(Strict):
    facts: list[str] = Field(max_length=_MOST)


class _Fact(Strict):
    fact: str = Field(min_length=1, max_length=_LONGEST)


class _Text(Strict):
    text: str = Field(min_length=1, max_length=4 * _LONGEST)


A = TypeVar("A", bound=Strict)


class FactDegrader:
    """``prepare`` gives what of a case may be shown to the model, and how what it wrote is put back into words."""

    def __init__(
        self, chat: ChatModel, prompts: Prompts, prepare: Prepare = lambda case: (case.note, lambda text: text)
    ) -> None:
        self._chat, self._prompts, self._prepare = chat, prompts, prepare
        self.fingerprint = f"{chat.info.fingerprint} {prompts.fingerprint}"

    def __call__(self, note: StudyNote, seeds: int, cancel: threading.Event) -> tuple[StudyNote, tuple[Version, ...]]:
        """The note put together again, and its versions: facts corrupted, and facts left out.

        Raises JudgeError where an answer is of no use twice, ModelError, Cancelled.
        """
        shown, restored = self._prepare(note.case)
        parts = [(b.heading.of(shown.text) if b.heading else "", b.body.of(shown.text)) for b in shown.blocks]
        parts = [(heading, body) for heading, body in parts if body.strip()]
        split = self._asked(_Facts, "split", [body for _, body in parts], cancel)
        facts = [(part, fact.strip()) for part, own in enumerate(split) for fact in own.facts if fact.strip()]
        if len(facts) < LEVELS:
            raise JudgeError("The model found hardly any facts in a note. Choose another model.")
        headings, known = [heading for heading, _ in parts], dict[tuple[str, ...], str]()

        def written(said: Sequence[tuple[int, str]]) -> Note:
            return parse_note(restored(self._together(headings, said, known, cancel)))

        intact, versions = written(facts), []
        for seed in range(seeds):
            order = random.Random(f"{seed}|{note.case.note.sha256}").sample(range(len(facts)), k=len(facts))
            wrong = order[: wanted(LEVELS, len(facts))]
            corrupted = self._asked(_Fact, "corrupt", [facts[n][1] for n in wrong], cancel)
            instead = {n: one.fact for n, one in zip(wrong, corrupted, strict=True)}
            for level in range(1, LEVELS + 1):
                now = wrong[: wanted(level, len(facts))]
                worse = [(part, instead[n] if n in now else fact) for n, (part, fact) in enumerate(facts)]
                less = [fact for n, fact in enumerate(facts) if n not in now]
                for series, said in ((FACTS, worse), (ChangeKind.DROP.value, less)):
                    versions.append(Version(series, level, seed, written(said), len(now)))
        true = frozenset(sentence.id for sentence in intact.sentences)
        again = StudyNote(note.name, Case(note.case.transcript, intact), note.reference, note.rubric, true)
        return again, tuple(versions)

    def _together(
        self,
        headings: Sequence[str],
        facts: Sequence[tuple[int, str]],
        known: dict[tuple[str, ...], str],
        cancel: threading.Event,
    ) -> str:
        """One part a heading; what was put together before is not asked again."""
        parts = [tuple(fact for own, fact in facts if own == part) for part in range(len(headings))]
        new = [own for own in dict.fromkeys(parts) if own and own not in known]
        texts = self._asked(_Text, "recombine", ["\n".join(own) for own in new], cancel)
        known |= {own: one.text for own, one in zip(new, texts, strict=True)}
        return "\n\n".join(
            f"{heading}\n{known[own]}".strip() for heading, own in zip(headings, parts, strict=True) if own
        )

    def _asked(self, kind: type[A], template: str, texts: Sequence[str], cancel: threading.Event) -> list[A]:
        """One answer a text, in order; what cannot be used is asked once more."""
        found: dict[int, A] = {}
        for _ in range(2):
            left = [n for n in range(len(texts)) if n not in found]
            requests = [self._request(kind, template, texts[n]) for n in left]
            for index, reply in self._chat.ask(requests, cancel) if requests else ():
                try:
                    if not reply.problem:
                        found[left[index]] = read_answer(kind, reply.text, reply.finished)
                except AnswerError:
                    continue  # asked once more; then it is said
        if len(found) < len(texts):
            raise JudgeError("The model's answers cannot be used to make a note worse. Choose another model.")
        return [found[n] for n in range(len(texts))]

    def _request(self, kind: type[Strict], template: str, text: str) -> Request:
        (name,) = kind.model_fields
        value = {"type": "array", "items": {"type": "string"}} if name == "facts" else {"type": "string"}
        schema = {"type": "object", "properties": {name: value}, "required": [name], "additionalProperties": False}
        data = "\n".join(as_data(line) for line in text.splitlines() if line.strip())
        question = self._prompts.fill(template, text=data)
        return Request(self._prompts.fill("system"), "", question, schema, max_tokens=200 + len(data))
