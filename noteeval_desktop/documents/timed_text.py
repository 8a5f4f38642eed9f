"""WebVTT and SRT: cues with times, the speaker in a ``<v>`` tag, in brackets or before a colon."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from noteeval_desktop.documents.speaker_lines import accepted_labels, prefixed
from noteeval_desktop.documents.turns import Cue, Reading, clock, counted

# webvtt-py drops cues whose times it cannot read without a word, and SRT needs a second parser of its:
# this one reads both and counts.
_TIMES = re.compile(r"\s{0,9}(?P<start>[\d:.,]{4,16})\s{0,4}-->\s{0,4}(?P<end>[\d:.,]{4,16})(?:\s.*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s>]{1,40})?\s{1,4}(?P<name>[^<>]{1,120})>")
_TAG = re.compile(r"</?(?:[a-z]{1,5}(?:[.\s][^<>]{0,80})?|\d\d:\d\d[\d:.]{0,10})>", re.IGNORECASE)
_CUE_ID = re.compile(r"\S{1,120}$")
_METADATA = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_ARROW = re.compile(r"\s{0,9}\S{0,12}\d\S{0,12}\s{0,4}-->")
_REACH = 120


def looks_timed(text: str) -> bool:
    head = text.lstrip()[:10].upper()
    if head.startswith("WEBVTT"):
        return True
    lines = text.split("\n", 400)[:400]
    return any("-->" in line[:40] and _TIMES.match(line[:_REACH]) and _has_full_clock(line) for line in lines)


def _has_full_clock(line: str) -> bool:
    # Teams' older DOCX has "0:0:3.4 --> 0:0:5.1" with the name on a line of its own: not ours.
    return bool(re.match(r"\s{0,9}(?:\d{2,3}:)?\d{2}:\d{2}[.,]\d{3}", line))


def read_timed(text: str) -> Reading:
    """Cues whose time cannot be read keep their words and are counted in the warnings."""
    cues, bad = _cues(text.split("\n"))
    lines = [" ".join(_without_tags(cue.text).split()) for cue in cues]
    labels = accepted_labels(lines)
    spoken: list[Cue] = []
    unlabelled = 0
    # Captions name a speaker when it changes; WhisperX names one in every segment that it could tell.
    carries = bool(labels) and not any(label.upper().startswith("SPEAKER_") for label in labels)
    for cue, line in zip(cues, lines, strict=True):
        voices = _voices(cue)
        found = prefixed(line, labels)
        if voices:
            spoken += voices
        elif found:
            spoken.append(replace(cue, speaker=found[0], text=found[1]))
        elif carries and spoken and spoken[-1].speaker:
            unlabelled += 1
            spoken.append(replace(cue, speaker=spoken[-1].speaker, text=line))
        else:
            spoken.append(replace(cue, text=line))
    return Reading(tuple(spoken), _warnings(len(cues), bad, unlabelled))


def _cues(lines: list[str]) -> tuple[list[Cue], int]:
    """The cues with their raw text, and how many had no valid time."""
    cues: list[Cue] = []
    body: list[str] | None = None
    start: float | None = None
    bad = 0
    skipping = False
    for number, line in enumerate(lines):
        if _ARROW.match(line[:_REACH]):
            if body is not None:
                cues.append(Cue("", "\n".join(_without_id(body)), start))
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


def _without_id(body: list[str]) -> list[str]:
    """A cue's lines without the next cue's number or id, which stands right above its times."""
    if body and body[-1].strip():
        last = body[-1].strip()
        if last.isdigit() or (len(body) > 1 and not body[-2].strip() and _CUE_ID.match(last)):
            return body[:-1]
    return body


def _voices(cue: Cue) -> list[Cue]:
    """One cue per ``<v>`` tag; Teams may leave out ``</v>`` and wraps lines inside it."""
    tags = list(_VOICE.finditer(cue.text))
    voices = []
    for tag, following in zip(tags, [*tags[1:], None], strict=False):
        text = cue.text[tag.end() : following.start() if following else len(cue.text)]
        voices.append(replace(cue, speaker=html.unescape(tag["name"]).strip(), text=_without_tags(text)))
    return voices


def _without_tags(text: str) -> str:
    return html.unescape(_TAG.sub("", text))


def _warnings(total: int, bad: int, unlabelled: int) -> tuple[str, ...]:
    warnings = []
    if bad:
        warnings.append(f"{bad} of {counted(total, 'cue')} had no valid time.")
    if unlabelled:
        were = "was" if unlabelled == 1 else "were"
        warnings.append(f"{counted(unlabelled, 'cue')} without a speaker {were} taken as the speaker's before.")
    return tuple(warnings)
