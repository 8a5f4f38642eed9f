"""Which note belongs to which session, by the names of the files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.batch import Pair

_ONLY_SESSIONS = (".vtt", ".srt", ".csv")
_TAKEN = (*_ONLY_SESSIONS, ".txt", ".md", ".docx", ".json", ".pdf")
_SESSION = frozenset({"transcript", "transcripts", "session", "sessions", "audio", "recording", "dialogue"})
_NOTE = frozenset({"note", "notes", "progress", "soap", "dap", "birp", "girp", "draft", "summary"})
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Matched:
    """``lone``: notes without a session; ``unused``: sessions without a note. ``told``: a table names the pairs."""

    pairs: tuple[Pair, ...]
    lone: tuple[Path, ...] = ()
    unused: tuple[Path, ...] = ()
    told: bool = False


def match(files: Iterable[Path], looks_like_note: Callable[[Path], bool]) -> Matched:
    """By the words of the names that are left without "note", "transcript" and the like: "07 Smith note.md" belongs to
    "07 Smith transcript.vtt", and so does "07 Smith Llama note.md". Asks ``looks_like_note`` where a name does not
    say what the file is. Reads the disk: call it from a job.
    """
    sessions: list[Path] = []
    notes: list[Path] = []
    for file in sorted(file for file in files if file.suffix.lower() in _TAKEN and not file.name.startswith(".")):
        (notes if _is_note(file, looks_like_note) else sessions).append(file)
    keys = {session: _key(session) for session in sessions}
    found = [(note, _session_of(_key(note), keys)) for note in notes]
    taken = {session for _, session in found}
    return Matched(
        numbered([(session, note) for note, session in found if session is not None]),
        tuple(note for note, session in found if session is None),
        tuple(session for session in sessions if session not in taken),
    )


def numbered(pairs: Sequence[tuple[Path, Path]]) -> tuple[Pair, ...]:
    """Session and note, under ids that can be names of files: the note's name, told apart by a number."""
    made, seen = [], set[str]()
    for session, note in pairs:
        stem = " ".join(_WORD.findall(note.stem))[:80] or "note"
        name, number = stem, 1
        while name.casefold() in seen:
            number += 1
            name = f"{stem} {number}"
        seen.add(name.casefold())
        made.append(Pair(name, session, note))
    return tuple(made)


def _is_note(file: Path, looks_like_note: Callable[[Path], bool]) -> bool:
    if file.suffix.lower() in _ONLY_SESSIONS:
        return False
    for words in (_words(file.stem), _words(file.parent.name)):
        said = (not _SESSION.isdisjoint(words), not _NOTE.isdisjoint(words))
        if said[0] != said[1]:
            return said[1]
    return looks_like_note(file)


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(name.casefold()))


def _key(file: Path) -> tuple[str, ...]:
    return tuple(word for word in _words(file.stem) if word not in _SESSION and word not in _NOTE)


def _session_of(key: tuple[str, ...], sessions: dict[Path, tuple[str, ...]]) -> Path | None:
    """The same words, or else the one session whose words the note's begin with."""
    same = [session for session, own in sessions.items() if own == key]
    if len(same) == 1:
        return same[0]
    begun = [(len(own), session) for session, own in sessions.items() if own and key[: len(own)] == own]
    longest = [session for length, session in begun if length == max(begun)[0]]
    return longest[0] if not same and len(longest) == 1 else None
