"""WebVTT and SRT: cues with times, the speaker in a ``<v>`` tag, in brackets or before a colon."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from noteeval_desktop.documents import words
from noteeval_desktop.documents.speaker_lines import accepted_labels, prefixed
from noteeval_desktop.documents.turns import Cue, Reading, clock
from noteeval_desktop.domain.phrases import are, counted, tr

# webvtt-py drops cues whose times it cannot read without a word, and SRT needs a second parser of its:
# this one reads both and counts.
_TIMES = re.compile(r"\s{0,9}(?P<start>[\d:.,]{4,16})\s{0,4}-->\s{0,4}(?P<end>[\d:.,]{4,16})(?:\s.*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s>]{1,40})?\s{1,4}(?P<name>[^<>]{1,120})>")
# The second: where SubRip's older players put a line.
_TAG = re.compile(
    r"</?(?:[a-z]{1,5}(?:[.\s][^<>]{0,80})?|\d\d:\d\d[\d:.]{0,10})>|\{\\[a-z]{1,3}\d{0,3}\}", re.IGNORECASE
)
_CUE_ID = re.compile(r"\S{1,120}$")
_WEB_CUE_ID = re.compile(r".{1,120}$")
# Captions of broadcasts tell a change of speaker so, with or without a name; the dash is that of subtitles.
_CHANGE = re.compile(r"\s{0,9}(?:>{2,3}|-\s)")
_METADATA = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_FULL_CLOCK = re.compile(r"\s{0,9}(?:\d{2,3}:)?\d{2}:\d{2}[.,]\d{3}")
_SHORT_HOUR = re.compile(r"\s{0,9}\d:\d{2}:\d{2}[.,]\d{1,3}")
_ARROW = re.compile(r"\s{0,9}\S{0,12}\d\S{0,12}\s{0,4}-->")
_REACH = 120
_NAMED = re.compile(r"[^\s:][^:\n]{0,59}:\s")


def looks_timed(text: str) -> bool:
    head = text.lstrip()[:10].upper()
    if head.startswith("WEBVTT"):
        return True
    lines = text.split("\n", 400)[:400]
    arrows = [line for line in lines if "-->" in line[:40] and _TIMES.match(line[:_REACH])]
    # Teams' older DOCX has "0:0:3.4 --> 0:0:5.1" with the name on a line of its own: not ours. Scripts around
    # Whisper write one digit for the hour, but two for minutes and seconds, always.
    return any(map(_FULL_CLOCK.match, arrows)) or (bool(arrows) and all(map(_SHORT_HOUR.match, arrows)))


def read_timed(text: str) -> Reading:
    """Cues whose time cannot be read keep their words and are counted in the warnings."""
    cues, bad = _cues(text)
    labels = _labels([_without_tags(cue.text) for cue in cues])
    spoken: list[Cue] = []
    unlabelled = 0
    # Captions name a speaker when it changes; WhisperX names one in every segment that it could tell.
    carries = bool(labels) and not any(label.upper().startswith("SPEAKER_") for label in labels)
    for cue in cues:
        if voices := _voices(cue):
            spoken += voices
            continue
        parts = _parts(cue, labels)
        if carries and not parts[0].speaker and spoken and spoken[-1].speaker and not _CHANGE.match(cue.text):
            unlabelled += 1
            parts[0] = replace(parts[0], speaker=spoken[-1].speaker)
        spoken += parts
    return Reading(tuple(spoken), _warnings(len(cues), bad, unlabelled))


def _labels(texts: list[str]) -> frozenset[str]:
    """Zoom puts a name before every cue, whatever it looks like ("ella", "iPhone (2)"): where most cues begin so, they
    are trusted."""
    lines = [" ".join(line.split()) for text in texts for line in text.split("\n") if line.strip()]
    first = [" ".join(text.split()) for text in texts]
    begun = sum(bool(_NAMED.match(line)) for line in first)
    return accepted_labels(lines) | (accepted_labels(first, trusting=True) if 4 * begun >= 3 * len(first) else set())


def _parts(cue: Cue, labels: frozenset[str]) -> list[Cue]:
    """What each speaker says in a cue, at least one part: a line that names one, or is marked as another's, begins a
    new part."""
    parts: list[Cue] = []
    for line in _without_tags(cue.text).split("\n"):
        line = " ".join(line.split())
        found = prefixed(line, labels)
        if found:
            parts.append(replace(cue, speaker=found[0], text=found[1]))
        elif parts and not _CHANGE.match(line):
            parts[-1] = replace(parts[-1], text=f"{parts[-1].text} {line}")
        else:
            parts.append(replace(cue, text=_CHANGE.sub("", line, count=1)))
    return parts


def _cues(text: str) -> tuple[list[Cue], int]:
    """The cues with their raw text, and how many had no valid time."""
    lines = text.split("\n")
    # Here an id may hold blanks; SubRip numbers its cues, and a line above the times may be talk.
    cue_id = _WEB_CUE_ID if text.lstrip()[:6].upper() == "WEBVTT" else _CUE_ID
    cues: list[Cue] = []
    body: list[str] | None = None
    start: float | None = None
    bad = 0
    skipping = False
    for number, line in enumerate(lines):
        if _ARROW.match(line[:_REACH]):
            if body is not None:
                cues.append(Cue("", "\n".join(_without_id(body, cue_id)), start))
            times = _TIMES.match(line[:_REACH])
            start = clock(times["start"]) if times and clock(times["end"]) is not None else None
            bad += start is None
            body, skipping = [], False
        elif body is None or not line.strip():
            skipping = _METADATA.match(line) is not None or (skipping and bool(line.strip()))
            if body is not None:
                body.append("")
        elif skipping or (_METADATA.match(line) and number and not lines[number - 1].strip()):
            skipping = True
        else:
            body.append(line)
    if body is not None:
        cues.append(Cue("", "\n".join(body), start))
    return [cue for cue in cues if cue.text.strip()], bad


def _without_id(body: list[str], cue_id: re.Pattern[str]) -> list[str]:
    """A cue's lines without the next cue's number or id, which stands right above its times."""
    if body and body[-1].strip():
        last = body[-1].strip()
        if last.isdigit() or (len(body) > 1 and not body[-2].strip() and cue_id.match(last)):
            return body[:-1]
    return body


def _voices(cue: Cue) -> list[Cue]:
    """One cue per ``<v>`` tag, and one of nobody for words before the first; Teams may leave out ``</v>`` and wraps
    lines inside it."""
    tags = list(_VOICE.finditer(cue.text))
    before = _without_tags(cue.text[: tags[0].start()]) if tags else ""
    voices = [replace(cue, text=before)] if before.strip() else []
    for tag, following in zip(tags, [*tags[1:], None], strict=False):
        text = cue.text[tag.end() : following.start() if following else len(cue.text)]
        voices.append(replace(cue, speaker=html.unescape(tag["name"]).strip(), text=_without_tags(text)))
    return voices


def _without_tags(text: str) -> str:
    return html.unescape(_TAG.sub("", text))


def _warnings(total: int, bad: int, unlabelled: int) -> tuple[str, ...]:
    given = tr("{captions} without a speaker {were} given to the previous speaker.")
    given = given.format(captions=counted(unlabelled, tr("caption")), were=are(unlabelled, "was", "were"))
    return *words.no_time(bad, total, tr("caption")), *((given,) if unlabelled else ())
