"""Transcripts that Teams and Google Meet save as documents, with titles, attendees and remarks around the talk."""

from __future__ import annotations

import re

from noteeval_desktop.documents import words
from noteeval_desktop.documents.speaker_lines import looks_spoken, read_speaker_lines
from noteeval_desktop.documents.turns import Reading

_SIGNS = re.compile(
    r"^(?:attendees|.{1,80}\b(?:started|stopped) transcription|transcription ended after\b.{0,40}|"
    r"this editable transcript was computer.generated.{0,120}|📖\s?transcript|.{1,80} - transcript)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_TRANSCRIPT_PART = re.compile(r"^\s{0,9}(?:\#{1,4}\s)?📖\s?\*{0,2}Transcript\b.{0,80}$", re.MULTILINE)


def looks_like_meeting(text: str) -> bool:
    return _SIGNS.search(text) is not None and looks_spoken(_talk(text), trusting=True)


def read_meeting(text: str) -> Reading:
    """Files by Gemini hold notes before the transcript: only what is under 📖 Transcript was said."""
    talk = _talk(text)
    reading = read_speaker_lines(talk, meeting=True)
    left_out = sum(bool(line.strip()) for line in text[: len(text) - len(talk)].split("\n"))
    return reading.warned(words.summary(left_out)) if left_out else reading


def _talk(text: str) -> str:
    part = _TRANSCRIPT_PART.search(text)
    return text[part.end() :] if part else text
