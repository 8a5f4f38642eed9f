"""What a killed program left in the database's log, looked at before SQLite takes of it what it likes.

SQLite stops reading the log at the first part that does not fit, and says nothing. Where that part belonged to a
change that was finished, the change is gone, and so are all that followed it. The layout of the log:
sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from noteeval_desktop.platform.files import replace_file
from noteeval_desktop.store.database import PAGE_BYTES
from noteeval_desktop.store.errors import LibraryDamaged, told

_HEAD, _FRAME_HEAD = 32, 24
_FRAME = _FRAME_HEAD + PAGE_BYTES
# The last bit says in which order the numbers of the checksum are read.
_MAGIC = 0x377F0682


@dataclass(frozen=True, slots=True)
class _Frame:
    """``sound``: its checksum follows from the frame before it, as that one states its own; ``ends``: a change."""

    page: int
    ends: bool
    sound: bool
    content: bytes


def lost_in_log(database: Path) -> int:
    """How many changes the log beside ``database`` does not give back: 0, as after every change the log is empty.

    A damaged log that has reached the database is set aside. Raises LibraryDamaged where only a part of it has.
    """
    log = database.with_name(f"{database.name}-wal")
    with told(database.name):
        content = log.read_bytes() if log.exists() else b""
        head_sound, frames = _read(content)
        sound = 0
        while head_sound and sound < len(frames) and frames[sound].sound:
            sound += 1
        kept = max((place for place, one in enumerate(frames[:sound], start=1) if one.ends), default=0)
        rest = frames[kept:]
        # Cut off while it was written: nobody was told that it was kept.
        if sound == len(frames) or not any(one.ends for one in rest):
            return 0
        with database.open("rb") as file:
            reached = [_stands(file, one) for one in _latest(rest) if one.sound]
        if reached and all(reached):
            replace_file(log, database.with_name(f"damaged-{datetime.now(UTC):%Y-%m-%dT%H%M%S%f}-wal"))
            return 0
    if any(reached):
        raise LibraryDamaged(database.name)
    return sum(one.ends for one in rest)


def _latest(frames: list[_Frame]) -> list[_Frame]:
    return list({one.page: one for one in frames}.values())


def _stands(file: BinaryIO, frame: _Frame) -> bool:
    file.seek((frame.page - 1) * PAGE_BYTES)
    return file.read(PAGE_BYTES) == frame.content


def _read(content: bytes) -> tuple[bool, list[_Frame]]:
    """Whether its head is sound, and the frames of its last use: what it was used for before may stand behind."""
    if len(content) < _HEAD + _FRAME:
        return True, []
    order = "<" if content[3] & 1 == 0 else ">"
    magic, _, page_bytes, _, *salts = struct.unpack_from(">6I", content)
    stated = struct.unpack_from(">2I", content, 24)
    head_sound = magic & ~1 == _MAGIC and page_bytes == PAGE_BYTES and _checksum(content[:24], (0, 0), order) == stated
    if not head_sound:
        salts = list(struct.unpack_from(">2I", content, _HEAD + 8))
    frames, before = [], stated
    for start in range(_HEAD, len(content) - _FRAME + 1, _FRAME):
        page, size, *own, one, other = struct.unpack_from(">6I", content, start)
        # A bit changes one of the two only.
        if not any(mine == its for mine, its in zip(salts, own, strict=True)):
            break
        pages = content[start + _FRAME_HEAD : start + _FRAME]
        found = _checksum(content[start : start + 8] + pages, before, order)
        frames.append(_Frame(page, size > 0, found == (one, other) and own == salts, pages))
        before = (one, other)
    return head_sound, frames


def _checksum(data: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
