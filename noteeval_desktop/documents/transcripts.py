"""Text of a transcript in any known layout → Transcript. The layout is told from the text itself."""

from __future__ import annotations

import re

from noteeval_desktop.documents import words
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.json_text import looks_like_json, read_segments
from noteeval_desktop.documents.roles import guess_roles
from noteeval_desktop.documents.speaker_lines import looks_spoken, read_speaker_lines
from noteeval_desktop.documents.table import looks_tabular, read_table
from noteeval_desktop.documents.timed_text import looks_timed, read_timed
from noteeval_desktop.documents.turns import MOST_CUES, Reading, to_transcript
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.text import fingerprint, hidden_characters, normalise
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError

# Transcripts that Teams and Google Meet save as documents, with titles, attendees and remarks around the talk.
_SIGNS = re.compile(
    r"^(?:attendees|.{1,80}\b(?:started|stopped) transcription|transcription ended after\b.{0,40}|"
    r"this editable transcript was computer.generated.{0,120}|📖\s?transcript|.{1,80} - transcript)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_TRANSCRIPT_PART = re.compile(r"^\s{0,9}(?:\#{1,4}\s)?📖\s?\*{0,2}Transcript\b.{0,80}$", re.MULTILINE)
_SPLIT = tr("Split it into single sessions.")


def looks_like_meeting(text: str) -> bool:
    return _SIGNS.search(text) is not None and looks_spoken(_talk(text), trusting=True)


def read_meeting(text: str) -> Reading:
    """Files by Gemini hold notes before the transcript: only what is under 📖 Transcript was said."""
    talk = _talk(text)
    reading = read_speaker_lines(talk, meeting=True)
    left_out = sum(bool(line.strip()) for line in text[: len(text) - len(talk)].split("\n"))
    said = tr("{lines} of summary before the transcript {were} left out.")
    said = said.format(lines=counted(left_out, "line"), were=are(left_out, "was", "were"))
    return reading.warned(said) if left_out else reading


def _talk(text: str) -> str:
    part = _TRANSCRIPT_PART.search(text)
    return text[part.end() :] if part else text


MOST_SPEAKERS = 200
# Ten hours of talk. Looking for what a note leaves out compares each passage with each other: 19,000 turns took 11 GB.
MOST_TALK, MOST_TURNS = 500_000, 5_000
# Of text that is read line by line, with names, times and blanks.
_MOST_CHARACTERS = 4 * MOST_TALK


def parse_transcript(text: str) -> Transcript:
    """Read a pasted transcript, in-process, with roles guessed; ``source_sha256`` is that of ``text``.

    Raises InputError where nothing was said in it, or it is damaged JSON or CSV.
    """
    return transcript_of(text, fingerprint(text), tr("The pasted transcript"))


def transcript_of(
    text: str, sha256: str, what: str, session: str | None = None, warnings: tuple[str, ...] = ()
) -> Transcript:
    """Read decoded text; ``what`` names it in errors; ``warnings`` (of decoding) come first."""
    hidden = hidden_characters(text)
    text = normalise(text.encode("utf-8", "replace").decode("utf-8"))
    if not text.strip():
        raise InputError(what, tr("it is empty"), tr("Choose the file that holds the session's transcript."))
    if hidden:
        warnings = (*warnings, words.removed(hidden, "transcript"))
    return finished(_reading(text, what, session).warned(*warnings), sha256, what)


def _reading(text: str, what: str, session: str | None) -> Reading:
    timed, json = looks_timed(text), looks_like_json(text)
    if not timed and not json and looks_tabular(text):
        return read_table(text, what, session)
    if session is not None:
        raise InputError(what, tr("it holds one session only"), tr("Open it without choosing a session."))
    if json and not timed:
        return read_segments(text, what)
    if len(text) > _MOST_CHARACTERS or text.count("\n") > MOST_CUES:
        raise InputError(what, tr("it is longer than a session can be"), _SPLIT)
    if timed:
        return read_timed(text)
    return read_meeting(text) if looks_like_meeting(text) else read_speaker_lines(text)


def finished(reading: Reading, sha256: str, what: str) -> Transcript:
    """Turns with guessed roles. Raises InputError where there are no words, or far too many pieces."""
    if len(reading.cues) > MOST_CUES:
        raise InputError(what, *words.too_many(MOST_CUES, tr("passages"), _SPLIT))
    if sum(len(cue.text) for cue in reading.cues) > MOST_TALK:
        raise InputError(what, *words.too_many(MOST_TALK, tr("characters of speech"), _SPLIT))
    transcript = to_transcript(reading, sha256)
    if len(transcript.turns) > MOST_TURNS:
        raise InputError(what, *words.too_many(MOST_TURNS, tr("turns"), _SPLIT))
    if not transcript.turns:
        raise InputError(
            what, tr("no conversation was found in it"), tr("Check that it is the transcript and not an empty export.")
        )
    if len(transcript.speakers) > MOST_SPEAKERS:
        raise InputError(
            what,
            *words.too_many(
                MOST_SPEAKERS,
                tr("speakers"),
                tr("Begin each turn on a new line, with the speaker's name (always spelled the same) and a colon."),
            ),
        )
    return guess_roles(transcript)


def looks_like_transcript(text: str) -> bool:
    """For the offer to swap two files: cues with times, a table of talk, or lines that name several speakers."""
    text = normalise(text[:200_000])
    if looks_timed(text) or looks_tabular(text) or looks_like_meeting(text):
        return True
    return not looks_like_note(text) and looks_spoken(text)


def looks_like_note(text: str) -> bool:
    """For the offer to swap two files: at least two different sections under headings, or a JSON note's keys."""
    text = normalise(text[:200_000])
    if looks_timed(text) or looks_tabular(text):
        return False
    if looks_like_json(text):
        return sum(f'"{name}"' in text.lower() for name in ("subjective", "objective", "assessment", "plan")) > 1
    _, headings = find_headings(text)
    # Speakers called "S" and "P" would be headings that come again and again.
    return len({heading.sections for heading in headings}) >= 2 and len(headings) <= 12
