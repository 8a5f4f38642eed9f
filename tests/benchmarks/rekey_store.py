"""What happens to a library on bad days: python -m tests.benchmarks.rekey_store [KILLS] [SIZES] [FLIPS], as root.

Kills while it is encrypted anew, then that on disks of every size (a tmpfs that is mounted for it), then bits flipped
in the library, its log and its key file.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from noteeval_desktop.store import database
from noteeval_desktop.store.errors import KeysChanged, KeysNotChanged, LibraryFull, StoreError, WrongPassphrase
from noteeval_desktop.store.library import DATABASE, Library, by_passphrase, by_recovery_key
from noteeval_desktop.store.sealing import Cost
from tests.factories import make_case

CHEAP = Cost(memory_kib=64, passes=1, lanes=1)
WORDS, NEW = "for the test alone", "other words altogether"
CASES, BACKUPS = 40, 3


def made(folder: Path) -> tuple[str, int]:
    """The printed recovery key and how many cases there are."""
    library, recovery = Library.create(folder, WORDS, cost=CHEAP)
    for number in range(CASES):
        library.cases.add(make_case(label=f"case {number}"))
        if number % (CASES // BACKUPS) == 0:
            library.back_up()
    library.lock()
    return recovery, CASES


def rekey(folder: Path, printed: Path, ready: Any) -> None:
    library = Library.open(folder, by_passphrase(WORDS))
    new = library.draw_keys(NEW, CHEAP)
    printed.write_text(new.recovery, "ascii")
    ready.set()
    library.rekey(new)
    os._exit(7)


def which_opens(folder: Path, old: str, printed: Path, cases: int) -> str:
    """Raises AssertionError where none or both do, where something is gone, or where the paper does not fit."""
    found = []
    for passphrase, recovery in ((WORDS, old), (NEW, printed.read_text("ascii"))):
        try:
            library = Library.open(folder, by_passphrase(passphrase))
        except (WrongPassphrase, KeysChanged, KeysNotChanged):
            continue
        assert library.cases.count() == cases
        assert library.put_back == ()
        assert not library.lost
        for backup in Library.backups_in(folder):
            library.test_backup(backup)
        library.lock()
        Library.open(folder, by_recovery_key(recovery)).lock()
        found.append("old" if passphrase == WORDS else "new")
    assert len(found) == 1, found
    return found[0]


def kills(place: Path, number: int, chance: random.Random) -> Counter[str]:
    old, cases = made(place / "made")
    context: Any = multiprocessing.get_context("fork")
    found: Counter[str] = Counter()
    for run in range(number):
        folder, printed, ready = place / f"killed {run}", place / "printed", context.Event()
        shutil.copytree(place / "made", folder)
        child = context.Process(target=rekey, args=(folder, printed, ready))
        child.start()
        ready.wait()
        time.sleep(chance.uniform(0, 0.14))
        child.kill()
        child.join()
        found[which_opens(folder, old, printed, cases) + (", done" if child.exitcode == 7 else "")] += 1
        shutil.rmtree(folder)
    return found


def disks(place: Path, number: int) -> list[str]:
    """From nothing free to more than enough."""
    old, cases = made(place / "first")
    needed = sum(file.stat().st_size for file in (place / "first").rglob("*") if file.is_file())
    biggest = (place / "first" / DATABASE).stat().st_size
    found = []
    for size in range(number):
        free = 64_000 + (3 * biggest + (2 << 20)) * size // number
        disk = place / "disk"
        disk.mkdir()
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={needed * 2 + (32 << 20)}", "tmpfs", str(disk)], check=True
        )
        try:
            folder, printed = disk / "library", place / "printed"
            shutil.copytree(place / "first", folder)
            library = Library.open(folder, by_passphrase(WORDS))
            new = library.draw_keys(NEW, CHEAP)
            printed.write_text(new.recovery, "ascii")
            left = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            (disk / "ballast").write_bytes(bytes(max(0, left - free)))
            try:
                result = library.rekey(new)
                said = f"done, {len(result.left)} backups later"
            except LibraryFull:
                said = "no room"
            library._database.close()  # as a program that is ended here, without another word
            library._lock.release()
            (disk / "ballast").unlink()
            found.append(
                f"{free >> 10} KiB free: {said}, opens with the {which_opens(folder, old, printed, cases)} one"
            )
        finally:
            subprocess.run(["umount", str(disk)], check=True)
            disk.rmdir()
    return found


def flips(place: Path, number: int, chance: random.Random) -> Counter[str]:
    """A bit in turn in the library, in a log that was left, and in the key file."""
    made(place / "flipped")
    settle = database._settle
    library = Library.open(place / "flipped", by_passphrase(WORDS))
    database._settle = lambda connection: True
    for _ in range(3):
        library.cases.add(make_case(label="in the log"))
    shutil.copytree(place / "flipped", place / "left")
    database._settle = settle
    library.lock()
    found: Counter[str] = Counter()
    for run in range(number):
        folder = place / "harmed"
        shutil.copytree(place / "left", folder)
        name = (DATABASE, f"{DATABASE}-wal", "library.keys")[run % 3]
        content = bytearray((folder / name).read_bytes())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (folder / name).write_bytes(content)
        try:
            library = Library.open(folder, by_passphrase(WORDS))
            count, lost = library.cases.count(), library.lost
            library.lock()
            assert count == CASES + 3 or lost, f"{name}: silently {count} cases"
            found[f"{name}: {'said what is lost' if count < CASES + 3 else 'nothing lost'}"] += 1
        except StoreError as error:
            found[f"{name}: {type(error).__name__}"] += 1
        shutil.rmtree(folder)
    return found


def main() -> None:
    numbers = [int(one) for one in sys.argv[1:]] + [100, 20, 60][len(sys.argv) - 1 :]
    chance = random.Random(int(time.time()))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        print("killed:", dict(kills(place, numbers[0], chance)))
        print("\n".join(disks(place, numbers[1])))
        print("flipped:", dict(flips(place, numbers[2], chance)))


if __name__ == "__main__":
    main()
