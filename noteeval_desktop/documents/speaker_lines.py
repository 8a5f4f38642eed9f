"""Transcripts whose lines name the speaker: typed by hand, Zoom TXT, Otter, Rev, Teams and Meet text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from noteeval_desktop.documents.turns import Cue, Reading, clock, word_set
from noteeval_desktop.domain.phrases import are, counted, tr

# Labels stand at the start of a line: looking no further keeps every pattern linear on hostile text.
_REACH = 120
_TIME = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[AaPp][Mm])?"
_RANGE = rf"(?:\s?(?:[-–—]|-->|to)\s?{_TIME})?"
_LABEL = r"[^\s:\t\[\](){}<>|\"“”?!;,][^:\t\[\]{}<>\"“”?!;]{0,59}?"
_MARK = r"[*_]{0,3}"

# Each: a line that opens a turn, with its time. Tried in this order; the first that matches wins.
_TIMED = tuple(
    re.compile(pattern)
    for pattern in (
        # [Samson Zhang] 10:02:15 (Zoom)
        rf"\[(?P<name>[^\[\]\n]{{1,60}})\]\s{{1,4}}(?P<time>{_TIME})\s{{0,9}}(?P<text>)$",
        # 10:02:15<tab>Samson Zhang:<tab>text (Zoom) and Samson Zhang<tab>10:02:15<tab>text
        rf"(?P<time>{_TIME})\t\s{{0,4}}(?:From\s)?(?P<name>[^\t:]{{1,60}}?)\s{{0,4}}:?\t(?P<text>.*)$",
        rf"(?P<name>[^\t:]{{1,60}}?):?\t\s{{0,4}}(?P<time>{_TIME})(?:\t(?P<text>.*))?$",
        # Therapist [00:01:02]: text, Speaker 1 (00:12): text, **Speaker 1** (00:12)
        rf"{_MARK}(?P<name>{_LABEL}){_MARK}\s{{0,3}}[\[(](?P<time>{_TIME})[\])]{_MARK}\s?(?::{_MARK}\s?(?P<text>.*)|$)",
        # [00:01:02] Therapist: text, 00:01:02 - Therapist: text, 00:01 - 00:05 Therapist: text
        rf"[\[(]?(?P<time>{_TIME}){_RANGE}[\])]?\s{{0,3}}[-–—|]?\s{{0,3}}"
        rf"{_MARK}\[?(?P<name>{_LABEL})\]?{_MARK}:{_MARK}\s?(?P<text>.*)$",
        # Sidney  55:21 (Otter), Robert Kihm   0:03 (Teams); Otter's name may be empty
        rf"(?P<name>{_LABEL})\s{{2,9}}(?P<time>{_TIME}){_RANGE}\s{{0,9}}(?P<text>)$",
        r"(?P<name>)\s{0,9}(?P<time>\d{1,3}:\d{2}(?::\d{2})?)\s{2,9}(?P<text>)$",
        # Therapist 00:01:02: text
        rf"{_MARK}(?P<name>{_LABEL})\s{{1,3}}(?P<time>{_TIME}){_RANGE}{_MARK}:{_MARK}\s?(?P<text>.*)$",
        # Anna Lee 0:12, Speaker A 00:12 - 00:15
        rf"(?P<name>{_LABEL})\s(?P<time>{_TIME}){_RANGE}\s{{0,9}}(?P<text>)$",
    )
)
_WALL_CLOCK = re.compile(rf"\s{{0,9}}\[[^\[\]]{{1,60}}\]\s{{1,4}}\d{{1,2}}:\d{{2}}:\d{{2}}|{_TIME}\t")
_TIME_ALONE = re.compile(rf"\s{{0,9}}(?P<open>[\[(])?(?P<time>{_TIME})(?(open)[\])])\s{{0,9}}$")
_PREFIX = re.compile(
    rf"\s{{0,9}}(?:[-•>]\s|>>>?\s?|\d{{1,4}}[.)]\s)?(?:"
    rf"(?P<open>[*_]{{1,3}})?\[(?P<square>[^\[\]\n]{{1,60}})\][*_]{{0,3}}\s{{0,3}}:?[*_]{{0,3}}\s?"
    rf"|{_MARK}(?P<name>{_LABEL}){_MARK}\s?[:：]{_MARK}(?:\s|$|(?=[^\s/\d])))(?P<text>.*)$"
)
# Therapist - text, Therapist<tab>text: only where the label is a word for a part in therapy.
_SET_OFF = re.compile(rf"\s{{0,9}}{_MARK}(?P<name>[A-Z][A-Za-z]{{0,20}}(?:\s\d)?){_MARK}(?:\t|\s[-–—]\s)(?P<text>.*)$")
# Dr. Hale  [00:01:02] text: a name with its time and no colon, where the name comes more than once.
_STAMPED = re.compile(
    rf"\s{{0,9}}{_MARK}(?P<name>{_LABEL}){_MARK}\s{{0,9}}[\[(](?P<time>{_TIME})[\])]{_MARK}\s(?P<text>.*)$"
)
_TIME_BEFORE_TALK = re.compile(rf"\s{{0,9}}[\[(](?P<time>{_TIME}){_RANGE}[\])]\s{{1,9}}(?P<text>\S.*)$")
_ARROW = re.compile(
    r"\s{0,9}(?P<time>\d{1,3}:\d{1,2}(?::\d{1,2})?(?:\.\d{1,3})?)\s?-->\s?\d{1,3}:\d{1,2}(?::\d{1,2})?(?:\.\d{1,3})?\s*$"
)

KNOWN_LABELS = word_set(
    "t th c cl p pt therapist client patient counselor counsellor psychologist psychiatrist psychotherapist clinician "
    "provider practitioner doctor dr interviewer interviewee coach social worker nurse mother father mom dad partner "
    "spouse wife husband parent child son daughter sister brother speaker moderator facilitator supervisor trainee "
    "intern participant respondent counsellee counselee family member both all group unknown "
    "q a"
)
_KNOWN = re.compile(r"(?:dr\.?\s)?(?:[a-z]+(?:\s(?:worker|member))?)(?:[\s_-]?(?:\d{1,2}|[a-z]))?$")
_NO_SPEAKER = word_set(
    "okay ok so well yes no note and but um uh the right anyway like because then also now first second third "
    "question answer example http https ps nb re subject date time location session duration title topic "
    "at by around from until about attendees transcript recording meeting summary link id name dob age diagnosis"
)
_IN_NAMES = word_set(
    "de da do das dos di du del della van von vom zu der den ten ter la le los las lo bin ibn ben bint al el af av y e "
    "and"
)
# What bracketed words in talk are when they are no name.
_SOUNDS = re.compile(
    r"(?:in)?audible|unintelligible|cross-?talk|laugh|chuckl|cry|sob|sigh|silence|pause|noise|music|cough|sniff|"
    r"background|overlap|phone|knock|redacted|^[\d:.\s]+$|blank|foreign|applause|whisper|nod|tear",
    re.IGNORECASE,
)
_RULE = re.compile(r"[-_=*\s]{3,}")
_BOILERPLATE = re.compile(
    r"\s{0,9}(?:transcribed by https?://otter\.ai|.{1,80}\b(?:started|stopped) transcription$|"
    r".{1,80}['’]s presentation$|transcription ended after\b|"
    r"this editable transcript was computer.generated|meeting ended after\b|"
    r"\[?end of (?:audio|transcript|recording)|\#{1,6}\s)",
    re.IGNORECASE,
)

# What a file says of itself before anybody speaks: "Session 7 – R. C. – 18 Nov 2026", "Transcript of the intake".
_TITLE = re.compile(
    r"(?=.{0,80}\b(?:sessions?|transcripts?|transcri(?:bed|ption)|recording|recorded|intake|interview)\b)"
    r"(?!.*\b(?:i|i'm|you|your|we|my|me|us|our)\b)(?=.*\d|(?:\S+\s+){0,4}\S+$)[#*_\s]*\S+(?:\s+\S+){0,13}(?<![.,?!…])\s*$",
    re.IGNORECASE,
)


def looks_spoken(text: str, *, trusting: bool = False) -> bool:
    """Do at least two lines name a speaker, with a time, by a known word, or one of them twice?

    "Mood: low" and "Sleep: poor" are labels too. ``trusting``: the layout puts a name before every colon.
    """
    lines = text.split("\n", 2_000)[:2_000]
    labels = accepted_labels(lines, trusting=trusting)
    openings = [opening for opening in (_opening(line, labels) for line in lines) if opening]
    speakers = [opening.speaker for opening in openings]
    sure = trusting or any(opening.start is not None or is_known_label(opening.speaker) for opening in openings)
    arrows = sum(_ARROW.match(line[:_REACH]) is not None for line in lines)
    return arrows >= 2 or (len(openings) >= 2 and (sure or len(set(speakers)) < len(speakers)))


def accepted_labels(lines: list[str], *, trusting: bool = False) -> frozenset[str]:
    """The words before a colon (or in brackets) that are speakers here.

    Words for a part in therapy always are; other words when two lines have them, when most lines open
    with a capitalised one, or when they are a full name among other speakers. "The thing is: ..." is none
    of these. ``trusting``: the layout puts a name before every colon; where every line has one, each is a speaker.
    """
    counts: Counter[str] = Counter()
    spoken = 0
    for line in lines:
        spoken += bool(line.strip()) and not _TIME_ALONE.match(line[:_REACH]) and not _BOILERPLATE.match(line[:_REACH])
        found = _prefix(line) or _stamped(line)
        if found and _plausible(found[0]):
            counts[found[0]] += 1
    dense = trusting or sum(counts.values()) * 2 >= spoken
    others = max(counts.values(), default=0) > 1
    if trusting and sum(counts.values()) == spoken:
        return frozenset(counts)
    return frozenset(
        label
        for label, number in counts.items()
        if is_known_label(label)
        or (_capitalised(label) and (number > 1 or dense or (others and _is_full_name(label))))
        or (number > (1 if trusting else 2) and dense)
    )


def _is_full_name(label: str) -> bool:
    return len(label.split()) == 2 and all(word.istitle() for word in label.split())


def is_known_label(label: str) -> bool:
    """Is it a word for a part in therapy ("Client 2", "SPEAKER_00"), not a name?"""
    lowered = label.lower().strip(" .")
    if lowered in KNOWN_LABELS or lowered in ("social worker", "family member"):
        return True
    match = _KNOWN.match(lowered)
    return (
        bool(match)
        and re.split(r"[\s_-]|\d", lowered.removeprefix("dr. "))[0] in KNOWN_LABELS
        and any(character.isdigit() for character in lowered)
    )


def _plausible(label: str) -> bool:
    words = label.lower().split()
    return len(words) <= 6 and words[0].strip(".") not in _NO_SPEAKER and any(map(str.isalnum, label))


def _capitalised(label: str) -> bool:
    """ "Maria dos Santos", "Anne-Marie d'Arc", "iPhone (2)": a capital anywhere in a word will do."""
    return all(not word.islower() or word in _IN_NAMES or not word[0].isalpha() for word in label.split())


def _prefix(line: str) -> tuple[str, str] | None:
    match = _PREFIX.match(line[:_REACH])
    if match is None:
        return None
    label = match["square"] or match["name"]
    label = " ".join(label.strip(" *_").split())
    if not label or (match["square"] and _SOUNDS.search(label)):
        return None
    return label, line[match.start("text") :]


def _stamped(line: str) -> tuple[str, str, float | None] | None:
    match = _STAMPED.match(line[:_REACH])
    return (_name(match["name"]), line[match.start("text") :], clock(match["time"])) if match else None


def prefixed(line: str, labels: frozenset[str]) -> tuple[str, str] | None:
    """(speaker, rest of the line) where the line opens with one of ``labels``."""
    found = _prefix(line)
    return found if found and found[0] in labels else None


def _timed(line: str) -> Cue | None:
    head = line[:_REACH]
    if not any(character.isdigit() for character in head):
        return None
    for pattern in _TIMED:
        match = pattern.match(head)
        if match and (match["text"] or len(line) <= _REACH):
            start = clock(match["time"])
            if start is not None and _may_be_timed(match["name"], spaces=match[0].count("  ")):
                text = line[match.start("text") :] if match["text"] else ""
                return Cue(_name(match["name"]), text, start)
    return None


def _may_be_timed(name: str, spaces: int) -> bool:
    """ "We met at 3:15" is talk: a name is empty, set off by spaces, a part in therapy, or capitalised throughout."""
    if not name or spaces:
        return not name or _plausible(name)
    return _plausible(name) and (is_known_label(name) or (_capitalised(name) and len(name.split()) <= 4))


def _name(name: str) -> str:
    name = " ".join(name.strip(" *_").split())
    return "" if name.lower() == "unknown speaker" else name


def read_speaker_lines(text: str, *, meeting: bool = False) -> Reading:
    """A line without a label continues the turn; ``[inaudible]`` and ``(crying)`` stay.

    A title at the top is left out, and counted. Other lines before the first speaker are kept as talk of nobody
    known; in the document of a ``meeting``, which begins with title and attendees, they are left out, and counted.
    """
    lines = text.split("\n")
    turns = _Lines(accepted_labels(lines, trusting=meeting))
    for line in lines:
        if line.strip():
            turns.read(line)
    kept = turns.opened == 0 or not meeting
    cues = tuple(Cue(turn.speaker, "\n".join(turn.parts), turn.start) for turn in turns.found if kept or turn.opened)
    return Reading(cues, _warnings(turns, kept), any(_WALL_CLOCK.match(line[:_REACH]) for line in lines))


@dataclass
class _Turn:
    speaker: str
    start: float | None
    opened: bool
    parts: list[str]


class _Lines:
    """Takes the file's lines one by one; ``found`` grows by a turn with every line that names a speaker."""

    def __init__(self, labels: frozenset[str]) -> None:
        self.found: list[_Turn] = []
        self.opened = self.preamble = self.boilerplate = 0
        self._labels = labels
        self._time: float | None = None
        self._name_follows = False

    def read(self, line: str) -> None:
        short = line if len(line) < _REACH else ""
        arrow = _ARROW.match(short)
        alone = arrow or _TIME_ALONE.match(short)
        if self._name_follows:
            self._name_follows = False
            self._open(Cue(_name(short), ""))
        elif _RULE.fullmatch(line):
            return
        elif _BOILERPLATE.match(line[:_REACH]) and not _opening(line, self._labels):
            self.boilerplate += 1
        elif (opening := _opening(line, self._labels)) and not arrow:
            self._open(opening)
        elif alone and clock(alone["time"]) is not None:
            self._time = clock(alone["time"])
            self._name_follows = arrow is not None
        elif self.opened:
            self.found[-1].parts.append(line)
        elif not self.found and _TITLE.match(short):
            self.boilerplate += 1
        else:
            self.preamble += 1
            self.found.append(_Turn("", self._time, False, [line]))

    def _open(self, opening: Cue) -> None:
        start = opening.start if opening.start is not None else self._time
        self.found.append(_Turn(opening.speaker, start, True, [opening.text]))
        self.opened += 1
        self._time = None


def _opening(line: str, labels: frozenset[str]) -> Cue | None:
    timed = _timed(line)
    if timed:
        return timed
    # The label on a line of its own: two-column tables come out like this.
    alone = line.strip(" \t*_:#") if len(line) < 40 else ""
    if len(alone) > 2 and is_known_label(alone) and alone[0].isupper():
        return Cue(_name(alone), "")
    found = prefixed(line, labels)
    if found:
        return Cue(_name(found[0]), found[1])
    stamped = _stamped(line)
    if stamped and stamped[0] in labels:
        return Cue(*stamped)
    set_off = _SET_OFF.match(line[:_REACH])
    if set_off and is_known_label(set_off["name"]):
        return Cue(set_off["name"], line[set_off.start("text") :])
    bare = None if labels else _TIME_BEFORE_TALK.match(line[:_REACH])
    return Cue("", line[bare.start("text") :], clock(bare["time"])) if bare else None


def _warnings(lines: _Lines, kept: bool) -> tuple[str, ...]:
    warnings = []
    if lines.preamble and lines.opened:
        done = tr("kept as said by an unknown speaker") if kept else tr("left out as title and attendees")
        said, were = tr("{lines} before the first speaker {were} {done}."), are(lines.preamble, "was", "were")
        warnings.append(said.format(lines=counted(lines.preamble, "line"), were=were, done=done))
    if lines.boilerplate:
        said, were = (
            tr("{lines} with a title or remark, not speech, {were} left out."),
            are(lines.boilerplate, "was", "were"),
        )
        warnings.append(said.format(lines=counted(lines.boilerplate, "line"), were=were))
    return tuple(warnings)
