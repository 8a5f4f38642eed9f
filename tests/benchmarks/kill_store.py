"""Kill a writing library at random moments and restore its backups: python -m tests.benchmarks.kill_store [KILLS]."""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from noteeval_desktop.store.library import Library, by_passphrase
from tests.factories import make_case
from tests.store.killing import CHEAP, WORDS, kill_many

BACKUPS = 50


def restore_many(folder: Path, days: int) -> int:
    """A backup a day, each restored after more was written; returns how many cases were compared."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)

    def clock() -> datetime:
        return moment

    library, _ = Library.create(folder, WORDS, cost=CHEAP, clock=clock)
    compared = 0
    for day in range(days):
        moment += timedelta(days=1)
        library.cases.add(make_case(label=f"day {day}"))
        made = library.back_up()
        expected = [library.cases.open(summary.id).transcript for summary in library.cases.find()]
        labels = [summary.labels for summary in library.cases.find()]
        library.cases.add(make_case(label="after the backup"))
        library.lock()
        library = Library.restore(folder, made, by_passphrase(WORDS), clock)
        assert [summary.labels for summary in library.cases.find()] == labels
        assert [library.cases.open(summary.id).transcript for summary in library.cases.find()] == expected
        assert library.audit.first_broken() is None
        compared += len(labels)
    library.lock()
    return compared


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        print(kill_many(Path(folder) / "killed", kills, seed=int(time.time())))
        started = time.monotonic()
        compared = restore_many(Path(folder) / "restored", BACKUPS)
        print(f"{BACKUPS} backups restored, {compared} cases compared, {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
