"""A cluster of real processes: a scheduler, workers, and what kills them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import batch, cli
from noteeval_desktop.batch.worker_process import as_told
from tests.batch.scripted_recipe import counted, for_a_rubric, none_to_be_had
from tests.batch.test_processes import NOTE, listed

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
from noteeval_desktop.batch import cluster

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no process is killed by a signal there")
ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"distributed.cli.{arguments[0]}", *arguments[1:], "--host", "127.0.0.1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])}
    process = subprocess.Popen(
        [*command, "--dashboard-address", "127.0.0.1:0"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Cluster:
    """One scheduler at a port that stays, and workers of one thread."""

    def __init__(self, closing: contextlib.ExitStack) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._closing, self.address = closing, f"tcp://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.schedulers = 0
        self.scheduler = self.schedule()

    def schedule(self) -> subprocess.Popen[bytes]:
        self.schedulers += 1
        self.scheduler = self._closing.enter_context(started("dask_scheduler", "--port", str(self.port)))
        return self.scheduler

    def work(self) -> None:
        worker = started("dask_worker", self.address, "--no-nanny", "--nthreads", "1", "--death-timeout", "300")
        self.workers.append(self._closing.enter_context(worker))


@pytest.mark.timeout(600)
def test_nothing_is_lost_or_judged_twice_when_workers_and_the_scheduler_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 300)
    notes = {f"n{number:02}": NOTE for number in range(60)}
    pairs, judged = listed(tmp_path, notes, sessions=30), tmp_path / "judged"
    judged.touch()
    recipe, told, over = partial(counted, judged), Counter[str](), threading.Event()
    with contextlib.ExitStack() as closing:
        made = Cluster(closing)
        made.work()
        made.work()
        begun_at_kill: list[dict[str, int]] = []  # of each note that was finished then

        def disturb() -> None:
            if not reached(10):
                return
            begun_at_kill.append(begun())
            made.workers[0].send_signal(signal.SIGKILL)
            if not reached(25):
                return
            begun_at_kill.append(begun())
            made.scheduler.kill()
            made.scheduler.wait()
            made.workers[1].kill()
            made.schedule()
            made.work()

        def reached(number: int) -> bool:
            while len(done()) < number and not over.wait(0.02):
                continue
            return not over.is_set()

        def begun() -> dict[str, int]:
            finished, times = done(), Counter(judged.read_text("utf-8").split())
            return {name: times[name] for name in finished}

        def done() -> set[str]:
            return {path.stem for path in (tmp_path / "out").glob("*.json")}

        trouble, plan = threading.Thread(target=disturb), batch.Plan(tmp_path / "out")
        trouble.start()
        try:
            counts = cluster.run_on_cluster(
                pairs, recipe, plan, made.address, None, lambda one: told.update([one.pair.id])
            )
        finally:
            over.set()
            trouble.join()
        assert made.schedulers == 2
    assert set(counts) <= {"done", "resumed"}
    assert told == dict.fromkeys(notes, 1)
    times = Counter(judged.read_text("utf-8").split())
    assert set(times) == set(notes)
    for at_kill in begun_at_kill:
        assert {name: times[name] for name in at_kill} == at_kill
    # What was in work when its worker was killed, one note each, was begun again, and no other.
    assert times.total() - len(notes) <= 2


@pytest.mark.timeout(300)
def test_without_an_address_workers_of_this_computer_do_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 200)
    judged = tmp_path / "judged"
    judged.touch()
    monkeypatch.setattr("noteeval_desktop.judges.making.builtin_judge", partial(for_a_rubric, judged))
    notes = {f"n{number}": NOTE for number in range(6)}
    listed(tmp_path, notes, sessions=3)
    arguments = ["batch", "--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / "out"), "--jobs", "2"]
    assert cli.main([*arguments, "--scheduler"]) == 0
    assert sorted(judged.read_text("utf-8").split()) == sorted(notes)
    assert {path.stem for path in (tmp_path / "out").glob("n*.json")} == set(notes)
    workers = set((tmp_path / "workers").read_text("utf-8").split())
    assert 1 <= len(workers) <= 2
    assert str(os.getpid()) not in workers
    # With everything done, the same command asks nobody.
    assert cli.main([*arguments, "--resume", "--scheduler", "embedded"]) == 0
    assert sorted(judged.read_text("utf-8").split()) == sorted(notes)


def test_a_task_that_is_delivered_twice_is_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = tmp_path / "judged"
    judged.touch()
    (group,) = listed(tmp_path, {"a": NOTE, "b": NOTE}).groups()
    plan, judge = batch.Plan(tmp_path / "out", resume=True), counted(judged)
    monkeypatch.setattr(cluster, "_judge_here", lambda recipe, plan: judge)
    both: list[Any] = [cluster.judge_group(group, partial(counted, judged), plan) for _ in range(2)]
    first, second = both
    assert [[told["status"] for told in found] for found in (first, second)] == [["done"] * 2, ["resumed"] * 2]
    assert judged.read_text("utf-8").split() == ["a", "b"]
    assert set(first[0]) == set(as_told(batch.Outcome(group[0], "done")))


def test_without_a_judge_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_judge_here", lambda recipe, plan: recipe(None))
    assert cluster.judge_group((), none_to_be_had, batch.Plan(Path())) == "There is no model. Get one."


@pytest.mark.parametrize("more", [["--judge", "local", "--model", "m.gguf"], ["--scheduler", "tcp://127.0.0.1:9"]])
def test_a_scheduler_that_cannot_be_used_is_told_in_one_line(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    listed(tmp_path, {"a": NOTE})
    arguments = ["batch", "--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / "out"), "--scheduler"]
    assert cli.main([*arguments, *more]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("noteeval: --scheduler: ")


def test_without_the_package_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed(tmp_path, {"a": NOTE})
    monkeypatch.setitem(sys.modules, "distributed", None)
    arguments = ["batch", "--pairs", str(tmp_path / "pairs.csv"), "--out-dir", str(tmp_path / "out"), "--scheduler"]
    assert cli.main(arguments) == 2
    assert "noteeval-desktop[cluster]" in capsys.readouterr().err
