"""Files readable by their owner alone, and replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

PATIENCE_SECONDS = 2.0
_PAUSE_SECONDS = 0.05
# Windows' numbers. Sharing violation, lock violation; and access denied, which a replacement meets as well.
_LOCKED = (32, 33)
_HELD = (5, *_LOCKED)
# ERROR_CLOUD_FILE_: provider not running, network unavailable, unsuccessful, access denied, request cancelled, provider
# terminated, request timeout.
_ONLINE = (362, 388, 389, 395, 398, 404, 426)
# No such file, no such path, name too long.
_NOT_FOUND = (2, 3, 206)
_MAX_PATH = 260
_LONGEST_SAVE_SECONDS = 3600
# Only an administrator may give a file away; some disks know no owners and no attributes.
_NOT_OURS = (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EINVAL)


def private_folder(folder: Path) -> None:
    """Make it, and what is above it, unless it is there. Raises OSError.

    The mode is POSIX's. On Windows Python makes of this one an access list with the owner, the system and the
    administrators, which files in the folder inherit (from 3.12.4 on; before, the list of the folder above holds). No
    other mode says anything there: a file is as private as the folder that it lies in.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def private_file(path: Path) -> None:
    """Make it, empty, unless it is there. Raises OSError."""
    path.touch(mode=0o600)


def replace_file(source: Path, target: Path) -> None:
    """Put ``source`` in the place of ``target`` in one step. Raises OSError, with both as they were.

    On Windows a virus scanner, an index or OneDrive may hold a file for a moment: it is tried again for a while.
    """
    give_up = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            os.replace(source, target)  # noqa: PTH105 - the atomic one, on every system
            return
        except PermissionError as error:
            if not is_held(error) or time.monotonic() > give_up:
                raise
            time.sleep(_PAUSE_SECONDS)


def is_read_only(path: Path) -> bool:
    """Whether a file that is there was protected against changes: an administrator could write it all the same."""
    return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)


def left_behind(folder: Path, prefix: str) -> list[Path]:
    """Files that ``replace_synced`` was to put in their place, and whose program was ended before: none takes an
    hour. Raises OSError."""
    found = []
    for path in folder.glob(f"{prefix}*.part"):
        with contextlib.suppress(FileNotFoundError):  # another program is done with it
            if path.is_file() and time.time() - path.stat().st_mtime > _LONGEST_SAVE_SECONDS:
                found.append(path)
    return found


def replace_synced(source: Path, target: Path) -> None:
    """Put ``source`` in the place of ``target``, on the disk when this returns; who may read it, its owner and its
    attributes stay as they were. Raises OSError, with ``target`` as it was.

    A file of somebody else's, and one with several names, is written where it lies: in another's place it would be ours
    or have lost its other names. Its new content is on the disk, in ``source``, before that begins.
    """
    with source.open("r+b") as file:
        os.fsync(file.fileno())
    if target.exists() and not _looks_like(source, target):
        with source.open("rb") as new, target.open("r+b") as old:
            _reserve(old.fileno(), source.stat().st_size)
            shutil.copyfileobj(new, old)
            old.truncate()
            os.fsync(old.fileno())
        return
    replace_file(source, target)
    sync_folder(target.parent)


def _reserve(handle: int, size: int) -> None:
    """Room for what is to be written over a file, before any of it goes."""
    was = os.fstat(handle).st_size
    if sys.platform == "linux" and size > was:
        try:
            os.posix_fallocate(handle, was, size - was)
        except OSError:
            os.ftruncate(handle, was)
            raise


def _looks_like(source: Path, target: Path) -> bool:
    """Give ``source`` the mode, the owner and the attributes of ``target``; whether it has them then."""
    if sys.platform == "win32":  # a file takes the list of its folder
        return True
    was, made = target.stat(), source.stat()
    if was.st_nlink > 1:
        return False
    try:
        if (was.st_uid, was.st_gid) != (made.st_uid, made.st_gid):
            os.chown(source, was.st_uid, was.st_gid)
        if sys.platform == "linux":
            own = {name: os.getxattr(source, name) for name in os.listxattr(source)}
            for name in os.listxattr(target):
                if own.get(name) != (value := os.getxattr(target, name)):
                    os.setxattr(source, name, value)
        source.chmod(stat.S_IMODE(was.st_mode))
    except OSError as error:
        if error.errno not in _NOT_OURS:
            raise
        return False
    return True


def is_held(error: OSError) -> bool:
    """Whether Windows may have refused because another program has the file open."""
    return getattr(error, "winerror", None) in _HELD


def open_in(document: Path) -> str:
    """ "Word" or "LibreOffice" where that says, by the file that it keeps beside ``document``, that somebody edits it;
    otherwise "".

    Windows refuses to replace such a document; elsewhere what is replaced would be overwritten from there.
    """
    name = document.name
    # Word puts ~$ in the place of the first two letters, of one in a name of seven, and before a shorter one.
    dropped = min(2, max(0, len(document.stem) - 6))
    owners = {"Word": f"~${name[dropped:]}", "LibreOffice": f".~lock.{name}#"}
    return next((program for program, owner in owners.items() if document.with_name(owner).exists()), "")


class Obstacle(StrEnum):
    """Why Windows does not give a file that is there."""

    HELD = "held"  # another program lets nobody else read it
    ONLINE = "online"  # its content is with OneDrive or another cloud, which does not send it
    TOO_LONG = "too long"  # a path of more characters than this Windows takes


def obstacle(error: OSError, path: Path) -> Obstacle | None:
    """None where it is no such reason, and on other systems."""
    code = getattr(error, "winerror", None)
    if code in _LOCKED:
        return Obstacle.HELD
    if code in _ONLINE:
        return Obstacle.ONLINE
    return Obstacle.TOO_LONG if code in _NOT_FOUND and len(str(path)) >= _MAX_PATH else None


def write_private(path: Path, content: bytes, *also: Path) -> None:
    """Replace ``path``, and ``also``; when this returns the content is on the disk. Raises OSError, with all as they
    were: each is written beside its place before the first is replaced."""
    places = (path, *also)
    parts: list[Path] = []
    try:
        for place in places:
            # mkstemp makes the file readable by its owner alone.
            handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}-", suffix=".part")
            parts.append(Path(name))
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for part, place in zip(parts, places, strict=True):
            replace_file(part, place)
            sync_folder(place.parent)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


@contextmanager
def room_for(size: int, folder: Path) -> Iterator[None]:
    """That much is free in ``folder`` when the block ends, whatever the block has written there itself. Raises OSError
    where it is not free now."""
    handle, name = tempfile.mkstemp(dir=folder, prefix=".room-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            # Some file systems give zeros no room, and some take what is not written for free.
            file.write(os.urandom(size))
            file.flush()
            os.fsync(file.fileno())
        yield
    finally:
        Path(name).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` last; Windows does so by itself."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
