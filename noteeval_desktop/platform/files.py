"""Files readable by their owner alone, and replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

from noteeval_desktop.platform.locks import PassingLock

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
_SAVE = ".noteeval-"
_LONGEST_SAVE_SECONDS = 24 * 3600
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


@contextmanager
def part_beside(target: Path) -> Iterator[Path]:
    """A new, empty file in the folder of ``target``, readable by its owner alone, to be put in its place: it is gone
    when the block ends. What saves that were killed left in the folder goes first. Raises OSError.

    A lock with its name is held beside it, which the system lets go of when the program ends, however it ends. Where a
    folder knows no locks it has none, and a name as another computer's.
    """
    folder = target.parent
    remove_killed_saves(folder)
    name = f"{_SAVE}{_computer()}-{secrets.token_hex(8)}"
    with ExitStack() as ending:
        try:
            ending.callback(PassingLock(folder / f"{name}.lock").release)
        except BlockingIOError:
            name = f"{_SAVE}{secrets.token_hex(8)}"
        part = folder / f"{name}.part"
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
        ending.callback(part.unlink, missing_ok=True)
        _remove_abandoned(folder, part.stat().st_mtime)
        yield part


def remove_killed_saves(folder: Path) -> None:
    """What stands in ``folder`` of saves of this computer whose program was ended: perhaps a note in clear. What this
    user may not remove stays."""
    for path in folder.glob(f"{_SAVE}{_computer()}-*.lock"):
        with suppress(OSError):  # it runs; it is another user's; nothing can be written here now
            held = PassingLock(path)
            try:
                path.with_suffix(".part").unlink(missing_ok=True)
            finally:
                held.release()


def _remove_abandoned(folder: Path, now: float) -> None:
    """What other computers left in ``folder``. Their locks may not be seen from here, and their clocks may differ:
    nothing that was written to within a day, by the ``now`` of the folder's own."""
    for path in (*folder.glob(f"{_SAVE}*.part"), *folder.glob(f"{_SAVE}*.lock")):
        with suppress(FileNotFoundError, PermissionError):  # they are done with it; it is another user's
            if now - path.stat().st_mtime > _LONGEST_SAVE_SECONDS:
                path.unlink()


def _computer() -> str:
    """Tells this computer, and this system of several on it, from others that share a folder."""
    if sys.platform == "win32":
        name = os.environ.get("COMPUTERNAME", "")
    else:
        name = os.uname().nodename
    return f"{zlib.crc32(f'{sys.platform} {name}'.encode()):08x}"


def replace_synced(source: Path, target: Path) -> None:
    """Put ``source`` in the place of ``target``, on the disk when this returns; who may read it, its owner and its
    attributes stay as they were. Raises OSError, with ``target`` as it was.

    A file of somebody else's, and one with several names, is written where it lies: in another's place it would be ours
    or have lost its other names. Its new content is on the disk before that begins, and stays, beside it under a name
    that is seen, where that ends half-way.
    """
    with source.open("r+b") as file:
        os.fsync(file.fileno())
    if target.exists() and not _looks_like(source, target):
        whole = target.with_name(f"{target.stem}{source.stem.replace(_SAVE, '-saved-')}{target.suffix}")
        with target.open("r+b") as old:
            _reserve(old.fileno(), source.stat().st_size)
            replace_file(source, whole)
            with whole.open("rb") as new:
                shutil.copyfileobj(new, old)
            old.truncate()
            os.fsync(old.fileno())
        whole.unlink()
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
    with ExitStack() as parts:
        written = [(parts.enter_context(part_beside(place)), place) for place in (path, *also)]
        for part, _ in written:
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for part, place in written:
            replace_file(part, place)
            sync_folder(place.parent)


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
