"""From what a reader found (cues, segments, prefixed lines) to the turns of a transcript."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby

from noteeval_desktop.documents import words
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Transcript, Turn

# No recording has four silent hours before its first word: such a time is a time of day.
_LATEST_BEGINNING = 4 * 3_600
MOST_CUES = 200_000


@dataclass(frozen=True, slots=True)
class Cue:
    """A piece of talk as the file has it; ``speaker`` "" where it names none; ``start`` in seconds."""

    speaker: str
    text: str
    start: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a file. ``wall_clock``: times are of day, so the first one becomes 0."""

    cues: tuple[Cue, ...]
    warnings: tuple[str, ...] = ()
    wall_clock: bool = False
    roles: dict[str, Role] = field(default_factory=dict)

    def warned(self, *warnings: str) -> Reading:
        return replace(self, warnings=(*warnings, *self.warnings))


def to_transcript(reading: Reading, sha256: str) -> Transcript:
    """Merge consecutive cues of one speaker, number the turns, make times relative; roles stay OTHER.

    Cues without a speaker are never merged: two people may have said them.
    """
    said = (
        replace(one, speaker=" ".join(normalise(one.speaker).split()), text=" ".join(normalise(one.text).split()))
        for one in reading.cues
    )
    cues = [cue for cue in said if cue.text]
    first = next((cue.start for cue in cues if cue.start is not None), 0.0)
    if reading.wall_clock or first >= _LATEST_BEGINNING:
        # Times of day to seconds since the first; a session may run past midnight.
        cues = [cue if cue.start is None else replace(cue, start=(cue.start - first) % 86_400.0) for cue in cues]
    merged = []
    for _, group in groupby(enumerate(cues), key=lambda one: one[1].speaker or one[0]):
        own = [cue for _, cue in group]
        merged.append(replace(own[0], text=" ".join(cue.text for cue in own)))
    turns = tuple(
        Turn(index, cue.speaker or words.SPEAKER, reading.roles.get(cue.speaker, Role.OTHER), cue.text, cue.start)
        for index, cue in enumerate(merged)
    )
    return Transcript(turns, sha256, (*reading.warnings, *_speaker_warnings(merged)))


def _speaker_warnings(cues: Iterable[Cue]) -> tuple[str, ...]:
    named = {cue.speaker for cue in cues if cue.speaker}
    unnamed = sum(not cue.speaker for cue in cues)
    if not unnamed:
        return ()
    if not named:
        return (tr("The transcript does not say who is speaking. Choose who is the therapist and who is the client."),)
    said = tr("{turns} had no speaker and {are} shown as “{speaker}”.")
    return (said.format(turns=counted(unnamed, "turn"), are=are(unnamed), speaker=words.SPEAKER),)


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def clock(text: str) -> float | None:
    """Seconds of ``[h:]mm:ss[.fff]`` (or a comma before the fraction, AM/PM behind); None for anything else."""
    words = text.strip().upper().split()
    half = words[1] if len(words) == 2 and words[1] in ("AM", "PM") else ""
    if not words or len(words) > (2 if half else 1):
        return None
    parts = words[0].replace(",", ".").split(":")
    if not 2 <= len(parts) <= 3 or any(not part.replace(".", "", 1).isascii() or not part for part in parts):
        return None
    try:
        numbers = [int(part) for part in parts[:-1]] + [float(parts[-1])]
    except ValueError:
        return None
    if any(number < 0 for number in numbers) or numbers[-1] >= 60 or len(parts[0]) > 4:
        return None
    if len(parts) == 3 and numbers[1] >= 60:
        return None
    seconds = sum(number * 60.0**power for power, number in enumerate(reversed(numbers)))
    hours = 43_200.0
    return seconds % hours + (hours if half == "PM" else 0.0) if half else seconds
