"""JSON from outside: whether a text is any, its values, and the transcripts that Whisper, whisper.cpp, WhisperX and Rev
export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noteeval_desktop.documents import words
from noteeval_desktop.documents.turns import Cue, Reading, clock
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import NestedTooDeeply, from_json

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
