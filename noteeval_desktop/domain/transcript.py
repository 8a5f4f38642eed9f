"""A session as a sequence of turns."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from noteeval_desktop.domain.phrases import are, listed
from noteeval_desktop.domain.text import Span, fingerprint


class Role(StrEnum):
    THERAPIST = "therapist"
    CLIENT = "client"
    OTHER = "other"


# Whom else a session may hold: it stands behind the name, "Ben (partner)". A judge asks whose account a turn is, and
# hears them as it hears the client.
PARTS = {
    **{role.value: role for role in Role},
    "partner": Role.CLIENT,
    "parent": Role.CLIENT,
    "child": Role.CLIENT,
    "interpreter": Role.OTHER,
}
_NAMED_PART = re.compile(r" \((?P<part>partner|parent|child|interpreter)\)$")


_CALLING = re.compile(rf"(?P<part>{'|'.join(PARTS)})(?: \d+)?")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said without interruption.

    ``index`` counts from 0 and never changes; ``start`` is in seconds from the session's beginning.
    """

    index: int
    speaker: str
    role: Role
    text: str
    start: float | None = None

    @property
    def time(self) -> str | None:
        """``hh:mm:ss`` from the beginning, or None where the file gave no time."""
        if self.start is None:
            return None
        seconds = int(self.start)
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """``source_sha256`` is the hash of the file's bytes, or of the pasted text."""

    turns: tuple[Turn, ...]
    source_sha256: str = ""
    warnings: tuple[str, ...] = ()
    roles_guessed: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if [turn.index for turn in self.turns] != list(range(len(self.turns))):
            raise ValueError("turns must be numbered 0, 1, 2, ...")

    @property
    def speakers(self) -> tuple[str, ...]:
        """Speaker labels in order of appearance."""
        return tuple(dict.fromkeys(turn.speaker for turn in self.turns))

    def role_of(self, speaker: str) -> Role:
        return next((turn.role for turn in self.turns if turn.speaker == speaker), Role.OTHER)

    def with_role(self, speaker: str, role: Role) -> Transcript:
        turns = tuple(replace(turn, role=role) if turn.speaker == speaker else turn for turn in self.turns)
        return replace(self, turns=turns)

    def part_of(self, speaker: str) -> str:
        """One of PARTS."""
        named = _NAMED_PART.search(speaker)
        return named["part"] if named else self.role_of(speaker).value

    @property
    def callings(self) -> Mapping[tuple[str, Role], str]:
        """What a judge is told of who speaks, by speaker and role: the part, with a number where two share one. Labels
        that are callings themselves stay."""
        parts = {(turn.speaker, turn.role): _part(turn.speaker, turn.role) for turn in self.turns}
        alike = Counter(parts.values())
        numbers = {part: itertools.count(1) for part, count in alike.items() if count > 1}
        return {who: f"{part} {next(numbers[part])}" if part in numbers else part for who, part in parts.items()}

    def with_part(self, speaker: str, part: str) -> Transcript:
        """``part`` is one of PARTS; one that is no Role stands behind the name, unless that is another speaker's."""
        suffix = "" if part in tuple(Role) else f" ({part})"
        named = f"{_NAMED_PART.sub('', speaker)}{suffix}"
        role, free = PARTS[part], named not in self.speakers
        return self.with_role(speaker, role).with_speaker_renamed(speaker, named if free else speaker)

    def with_speaker_renamed(self, old: str, new: str) -> Transcript:
        """Renaming onto an existing label makes them one speaker with its role; turns keep their numbers."""
        role = self.role_of(new) if new in self.speakers else self.role_of(old)
        turns = tuple(replace(turn, speaker=new, role=role) if turn.speaker == old else turn for turn in self.turns)
        return replace(self, turns=turns)

    @property
    def content_fingerprint(self) -> str:
        """Of everything that a judge sees: who speaks, by role and part, and texts."""
        called = self.callings
        return fingerprint(*(f"{called[turn.speaker, turn.role]}\x1e{turn.text}" for turn in self.turns))


def _part(speaker: str, role: Role) -> str:
    named = _NAMED_PART.search(speaker) or _CALLING.fullmatch(speaker.lower())
    return named.group().strip(" ()") if named and PARTS[named["part"]] is role else role.value


def turn_number(index: int) -> int:
    """What people call a turn, on every surface that they read: counted from 1, where data counts from 0."""
    return index + 1


def turn_list(turns: Sequence[int]) -> str:
    """``turn 8``, ``turns 8 and 21``, ``turns 8, 21 and 40 to 44``, of indices in any order."""
    runs: list[list[int]] = []
    for turn in sorted(turns):
        if runs and turn == runs[-1][-1] + 1:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    said = [
        part
        for run in ([turn_number(turn) for turn in own] for own in runs)
        for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return f"{are(len(turns), 'turn', 'turns')} {listed(said)}"


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage of a turn; ``quote`` is ``turn.text[start:end]``, exactly."""

    turn: int
    span: Span
    quote: str

    def stands_in(self, transcript: Transcript) -> bool:
        return (
            0 <= self.turn < len(transcript.turns)
            and bool(self.quote)
            and self.span.of(transcript.turns[self.turn].text) == self.quote
        )


def cite(turn: Turn, span: Span | None = None) -> Citation:
    span = span or Span(0, len(turn.text))
    return Citation(turn.index, span, span.of(turn.text))
