"""A library whose writer is killed at random moments, again and again; what it had acknowledged must be there."""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import random
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.note import Section
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.supervision import BankComment
from tests.factories import make_case, make_note

WORDS = "for the test alone"
CHEAP = Cost(memory_kib=64, passes=1, lanes=1)
# Forking spares the imports; Windows has no fork.
_METHOD = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"


@dataclass(frozen=True)
class Tally:
    kills: int
    acknowledged: int
    unfinished: int
    backups: int
    seconds: float


def kill_many(folder: Path, kills: int, seed: int = 0) -> Tally:
    """Kill a writer ``kills`` times over one library. Raises AssertionError where something acknowledged is gone."""
    started, chance = time.monotonic(), random.Random(seed)
    Library.create(folder, WORDS, cost=CHEAP)[0].lock()
    known: dict[str, str] = {}
    unfinished = 0
    for number in range(kills):
        # Now and then long enough for a backup to be finished.
        said = _write_until_killed(folder, number, delay=chance.uniform(0.0, 1.0 if number % 10 == 0 else 0.12))
        unfinished += sum(kind == "begin" for kind, _, _ in said) - sum(kind == "kept" for kind, _, _ in said)
        for kind, case_id, text in said:
            if kind == "kept":
                known[case_id] = text
            elif kind == "removed":
                known.pop(case_id, None)
        _check(folder, known, {case_id for kind, case_id, _ in said if kind == "removing"})
    backups = _test_backups(folder)
    return Tally(kills, len(known), unfinished, backups, time.monotonic() - started)


def _test_backups(folder: Path) -> int:
    """Whatever bears a backup's name is whole."""
    library = Library.open(folder, by_passphrase(WORDS))
    backups = Library.backups_in(folder)
    for backup in backups:
        library.test_backup(backup)
    library.lock()
    return len(backups)


def _write_until_killed(folder: Path, number: int, delay: float) -> list[tuple[str, str, str]]:
    context: Any = multiprocessing.get_context(_METHOD)
    receiver, sender = context.Pipe(duplex=False)
    writer = context.Process(target=_write, args=(folder, number, sender))
    writer.start()
    sender.close()
    said = []
    with contextlib.suppress(EOFError):
        said.append(json.loads(receiver.recv_bytes()))  # the library is open
        time.sleep(delay)
        writer.kill()
        while True:
            said.append(json.loads(receiver.recv_bytes()))
    writer.join()
    receiver.close()
    assert writer.exitcode not in (0, 1), "the writer failed by itself"
    return [tuple(one) for one in said]


def _write(folder: Path, number: int, sender: Connection) -> None:
    library = Library.open(folder, by_passphrase(WORDS))

    def say(kind: str, case_id: str = "", text: str = "") -> None:
        sender.send_bytes(json.dumps([kind, case_id, text]).encode())

    say("open")
    for step in itertools.count():
        text = f"Run {number} step {step} " + "word " * (step * 37 % 900)
        note = make_note({Section.SUBJECTIVE: [text + "."]})
        say("begin")
        case_id = library.cases.add(make_case(note=note), None)
        say("kept", case_id, text)
        text = text.replace("step", "revised")
        say("begin")
        library.cases.save_note(case_id, make_note({Section.PLAN: [text + "."]}))
        say("kept", case_id, text)
        library.cases.save_draft(case_id, text)
        library.verdicts.put(f"{number}-{step}", {"reason": text})
        library.supervision.keep_comment(BankComment(text[:40]))
        if step % 5 == 4:
            library.back_up()
        if step % 3 == 2:
            say("removing", case_id)
            library.delete(case_id) if step % 6 == 5 else library.cases.remove(case_id)
            say("removed", case_id)
        if step % 7 == 6:
            library.set_passphrase(WORDS, CHEAP)


def _check(folder: Path, known: dict[str, str], perhaps_removed: set[str]) -> None:
    library = Library.open(folder, by_passphrase(WORDS))  # reads and authenticates every page
    assert library.audit.first_broken() is None
    present = {summary.id for summary in library.cases.find(limit=1_000_000)}
    gone = {case_id for case_id in known if case_id not in present}
    assert gone <= perhaps_removed, "an acknowledged case is gone"
    for case_id in gone:
        del known[case_id]
    for case_id in list(known)[-3:]:
        notes = [revision.note.text for revision in library.cases.open(case_id).revisions]
        assert any(known[case_id] in note for note in notes), "an acknowledged revision is gone"
    library.lock()
