"""What judging a case would send: its requests, and the words that may be names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from noteeval_desktop.domain.case import Case
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.privacy.deidentify import MOSTLY_HIDDEN
from noteeval_desktop.privacy.identifiers import Decisions

_TOKEN = re.compile(r"\[[A-Z]+-\d+\]")


@dataclass(frozen=True, slots=True)
class Body:
    """One request: which question it belongs to, and its bytes. ``again``: sent only where an answer cannot be used."""

    question: str
    content: bytes
    again: bool = False

    @property
    def exact(self) -> str:
        """Every character that is sent."""
        return self.content.decode("utf-8")

    @property
    def readable(self) -> str:
        """The messages with their line breaks; what frames them is left out."""
        data = from_json(self.content)
        return "\n\n".join(str(message["content"]) for message in data["messages"])


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may be a name; ``hidden``: it is replaced before sending; ``suspected``: it would be by itself."""

    text: str
    count: int
    hidden: bool = True
    suspected: bool = False


@dataclass(frozen=True)
class Prepared:
    """``repairs``: what would be asked once more if no answer could be read. ``masked``: how many places hold a token
    now. ``undecided``: words that nobody has looked at yet. ``mostly_hidden``: little but tokens is left to judge."""

    case: Case
    bodies: tuple[Body, ...]
    repairs: tuple[Body, ...]
    words: tuple[Word, ...]
    masked: int
    undecided: bool
    mostly_hidden: bool = False
    decisions: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def bytes(self) -> int:
        return sum(len(body.content) for body in self.bodies)


def prepare(
    judge: RemoteJudge,
    case: Case,
    decided: Mapping[str, bool],
    found: Mapping[str, Word],
    exchanges: Sequence[Exchange] = (),
) -> Prepared:
    """What judging ``case`` would send, or, where there are ``exchanges``, judging these, whose words ``case`` holds.
    ``decided``: words to True (hide) or False (keep); ``found``: the words
    of the time before, since a decided word is no longer unknown.

    A word that nobody decided about is hidden.
    """
    judge.decide(_decisions(decided))
    unknown = {word.word: Word(word.word, word.count, suspected=word.hidden) for word in judge.unknown(case)}
    known = {**found, **unknown}
    everything = {word: decided.get(word, True) for word in {**known, **decided}}
    if unknown:
        judge.decide(_decisions(everything))
    first, again = judge.previews_of(exchanges) if exchanges else judge.previews(case)
    bodies = tuple(Body(question, body) for question, some in first.items() for body in some)
    repairs = tuple(Body(question, body, again=True) for question, some in again.items() for body in some)
    prepared = judge.prepared(case)
    masked = prepared.case
    texts = [*(turn.text for turn in masked.transcript.turns), masked.note.text, *masked.plan_texts]
    return Prepared(
        case=case,
        bodies=bodies,
        repairs=repairs,
        words=tuple(
            replace(known.get(word, Word(word, 1)), hidden=hidden) for word, hidden in sorted(everything.items())
        ),
        masked=sum(len(_TOKEN.findall(text)) for text in texts),
        undecided=bool(unknown),
        mostly_hidden=prepared.hidden_share >= MOSTLY_HIDDEN,
        decisions=MappingProxyType(everything),
    )


def _decisions(decided: Mapping[str, bool]) -> Decisions:
    return Decisions(
        mask=frozenset(word for word, hide in decided.items() if hide),
        keep=frozenset(word for word, hide in decided.items() if not hide),
    )
