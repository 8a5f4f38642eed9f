"""Answers kept in the library: found again, bounded, never in clear, gone when they are to go."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from noteeval_desktop.judges.llm.cache import LayeredCache
from noteeval_desktop.store.database import create
from noteeval_desktop.store.errors import LibraryLocked
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.verdict_cache import LONGEST_ANSWER, VerdictCache
from tests.factories import make_case

PHRASE = "Quittenmarmelade im Keller 🫙"
ANSWER = {"label": "supported", "citations": [{"turn": 3, "quote": PHRASE}], "reason": "ünï"}


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_an_answer_is_there_after_a_restart_and_nowhere_in_clear(
    library: Library, folder: Path, passphrase: str
) -> None:
    library.verdicts.put("k1", ANSWER)
    assert PHRASE.encode() not in everything_in(folder)
    library.lock()
    assert PHRASE.encode() not in everything_in(folder)
    with pytest.raises(LibraryLocked):
        library.verdicts.get("k1")
    again = Library.open(folder, by_passphrase(passphrase))
    assert again.verdicts.get("k1") == ANSWER
    assert again.verdicts.get("k2") is None
    again.lock()


def test_the_answers_not_used_for_longest_go_first(tmp_path: Path) -> None:
    cache = VerdictCache(create(tmp_path / "l.db", b"k" * 32), most=3)
    for name in "abc":
        cache.put(name, {"of": name})
    assert cache.get("a") == {"of": "a"}
    cache.put("d", {"of": "d"})
    cache.put("e", {"of": "e"})
    assert [name for name in "abcde" if cache.get(name)] == ["a", "d", "e"]
    assert cache.count() == 3


def test_an_answer_beyond_all_measure_is_not_kept(library: Library) -> None:
    library.verdicts.put("long", {"reason": "x" * LONGEST_ANSWER})
    assert library.verdicts.get("long") is None


def test_forgotten_answers_are_not_in_the_file_even_for_who_has_the_key(library: Library, folder: Path) -> None:
    library.verdicts.put("k1", ANSWER)
    library.verdicts.clear()
    assert library.verdicts.count() == 0
    assert free_pages(library) == 0
    library.verdicts.clear()


def free_pages(library: Library) -> int:
    with library._database.reading() as db:
        return int(db.execute("PRAGMA freelist_count").fetchone()[0])


def test_deleting_a_case_forgets_all_answers(library: Library) -> None:
    case_id = library.cases.add(make_case())
    library.verdicts.put("k1", ANSWER)
    assert library.delete(case_id) == ()
    assert library.verdicts.get("k1") is None


def test_a_backup_holds_cases_and_no_answers(library: Library, folder: Path, passphrase: str) -> None:
    library.cases.add(make_case())
    library.verdicts.put("k1", ANSWER)
    backup = library.back_up()
    assert library.verdicts.get("k1") == ANSWER
    library.lock()
    restored = Library.restore(folder, backup, by_passphrase(passphrase))
    assert restored.cases.count() == 1
    assert restored.verdicts.count() == 0
    restored.lock()


def test_many_threads_may_share_it(library: Library) -> None:
    def work(number: int) -> None:
        for step in range(20):
            library.verdicts.put(f"{number}-{step}", {"n": step})
            assert library.verdicts.get(f"{number}-{step}") == {"n": step}

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert library.verdicts.count() == 80


def test_locking_meanwhile_costs_no_answer(library: Library) -> None:
    cache = LayeredCache(lambda: library.verdicts)
    cache.put("k1", ANSWER)
    library.lock()
    cache.put("k2", ANSWER)
    assert cache.get("k1") == ANSWER
    assert cache.get("k2") == ANSWER
    assert cache.get("k3") is None
    cache.forget()
    assert cache.get("k1") is None


def test_what_an_earlier_run_answered_comes_from_the_library(library: Library, cheap: Cost) -> None:
    LayeredCache(lambda: library.verdicts).put("k1", ANSWER)
    assert LayeredCache(lambda: library.verdicts).get("k1") == ANSWER
    assert LayeredCache(lambda: None).get("k1") is None
