"""Kill a writing library at random moments and restore its backups: python -m tests.benchmarks.kill_store [KILLS]."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from noteeval_desktop.store.library import Library, by_passphrase
from tests.factories import make_case
from tests.store.killing import CHEAP, WORDS, kill_many

RESTORES = 50


def restore_many(folder: Path, restores: int) -> int:
    """Back up after every new case, then restore each backup that was kept over and over; returns cases compared."""
    library, _ = Library.create(folder, WORDS, cost=CHEAP)
    expected = {}
    for number in range(5):
        library.cases.add(make_case(label=f"case {number}"))
        made = library.back_up()
        expected[made.path.name] = {summary.id for summary in library.cases.find()}
    library.lock()
    compared = 0
    for number in range(restores):
        backups = Library.backups_in(folder)
        chosen = backups[number % len(backups)]
        restored = Library.restore(folder, chosen, by_passphrase(WORDS))
        found = {summary.id for summary in restored.cases.find()}
        assert found == expected[chosen.path.name], chosen.path.name
        compared += len(found)
        restored.lock()
    return compared


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        print(kill_many(Path(folder) / "killed", kills, seed=int(time.time())))
        started = time.monotonic()
        compared = restore_many(Path(folder) / "restored", RESTORES)
        print(f"{RESTORES} restores, {compared} cases compared, {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
