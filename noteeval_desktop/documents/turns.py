"""From what a reader found (cues, segments, prefixed lines) to the turns of a transcript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from noteeval_desktop.documents import words
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import NestedTooDeeply, from_json

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


# As JSON: lists of turns, Whisper, whisper.cpp, WhisperX, Rev.
_SPEAKER = ("speaker", "interlocutor", "role", "speaker_name", "speakerName", "name")
_TEXT = ("text", "utterance_text", "utterance", "content", "transcript", "words_text")
_START = ("start", "time", "timestamp", "start_time", "startTime", "offsets", "begin")
_LISTS = ("segments", "transcription", "transcript", "turns", "chunks", "utterances", "results", "messages")


def looks_like_json(text: str) -> bool:
    """``{``, or ``[`` before a value: ``[Name] hello`` is no JSON."""
    head = text.lstrip()[:200]
    return head.startswith("{") or (head.startswith("[") and head[1:].lstrip()[:1] in ("{", "]", '"', "["))


def is_json(text: str) -> bool:
    """Any JSON value: a bare string or number too."""
    try:
        from_json(text)
    except ValueError:
        return False
    return True


def load_json(text: str, what: str) -> Any:
    """Raises InputError for what is no JSON, is nested too deeply, or has NaN in it."""

    def refuse(constant: str) -> float:
        problem = tr("the JSON holds {constant}, which is not a JSON number").format(constant=constant)
        raise InputError(what, problem, tr("Replace it with null."))

    try:
        return from_json(text, refuse)
    except NestedTooDeeply:
        raise InputError(
            what, tr("the JSON is nested too deeply"), tr("Export it again in a simpler form, or save it as text.")
        ) from None
    except ValueError as error:
        problem = tr("it is not valid JSON (line {line})").format(line=getattr(error, "lineno", 1))
        raise InputError(what, problem, tr("Export it again, or save it as text.")) from None


def read_segments(text: str, what: str) -> Reading:
    """Raises InputError where no known shape of transcript is found."""
    data = _line_by_line(text) or load_json(text, what)
    if isinstance(data, Mapping) and isinstance(data.get("monologues"), list):
        return _rev(data)
    items = _items(data)
    if items is None:
        raise InputError(
            what,
            tr("no transcript was found in the JSON"),
            tr('It should be a list of {"speaker", "text"}, or an export of Whisper, WhisperX or Rev.'),
        )
    cues, skipped, bad_times = [], 0, 0
    for item in items:
        said = _first(item, _TEXT) if isinstance(item, Mapping) else None
        if not isinstance(said, str) or not said.strip():
            skipped += 1
            continue
        time = _first(item, _START)
        start = _seconds(item, time)
        bad_times += time is not None and start is None
        speaker = _first(item, _SPEAKER)
        cues.append(Cue(str(speaker) if isinstance(speaker, str | int) else "", said, start))
    return Reading(tuple(cues), _warnings(len(items), skipped, bad_times))


def _line_by_line(text: str) -> list[Any]:
    """One object a line (JSON Lines); empty for any other JSON."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
        return []
    try:
        return [from_json(line) for line in lines]
    except ValueError:
        return []


def _items(data: Any) -> list[Any] | None:
    if isinstance(data, Mapping):
        data = next((data[name] for name in _LISTS if isinstance(data.get(name), list)), None)
    if not isinstance(data, list) or not data:
        return None
    return data if any(isinstance(item, Mapping) and _first(item, _TEXT) is not None for item in data) else None


def _first(item: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _seconds(item: Mapping[str, Any], time: Any) -> float | None:
    if isinstance(time, Mapping):  # whisper.cpp: milliseconds
        time = time.get("from")
        return time / 1_000 if isinstance(time, int | float) and 0 <= time < 1e10 else None
    if isinstance(time, list):
        time = time[0] if time else None
    if isinstance(time, str):
        return clock(time)
    # No isfinite, which cannot take an integer of 401 digits; no comparison is true of what is no number.
    if isinstance(time, int | float) and not isinstance(time, bool) and 0 <= time < 1e7:
        return float(time)
    return None


def _rev(data: Mapping[str, Any]) -> Reading:
    listed = data.get("speakers")
    names = {
        str(speaker.get("id")): str(speaker.get("name") or "")
        for speaker in (listed if isinstance(listed, list) else [])
        if isinstance(speaker, Mapping)
    }
    cues, skipped = [], 0
    for monologue in data["monologues"]:
        elements = monologue.get("elements") if isinstance(monologue, Mapping) else None
        if not isinstance(elements, list):
            skipped += 1
            continue
        number = str(monologue.get("speaker", ""))
        told = [element for element in elements if isinstance(element, Mapping)]
        start = next((at for element in told if (at := _seconds({}, element.get("ts"))) is not None), None)
        said = "".join(str(element.get("value", "")) for element in told)
        cues.append(Cue(names.get(number) or (f"{words.SPEAKER} {number}" if number else ""), said, start))
    return Reading(tuple(cues), _warnings(len(data["monologues"]), skipped, 0))


def _warnings(total: int, skipped: int, bad_times: int) -> tuple[str, ...]:
    return *words.no_time(bad_times, total, tr("passage")), *words.without_words(skipped, total, tr("passage"))
