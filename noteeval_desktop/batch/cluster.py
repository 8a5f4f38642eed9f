"""Workers on other computers, handed notes by a Dask scheduler (https://distributed.dask.org).

Nothing but paths travels: every worker reads the same folders. A task that is delivered twice, or again after its
worker or the scheduler died, finds what is finished by the fingerprints of files and judge, and leaves it as it is.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Any

from noteeval_desktop.batch.judging import Outcome, Plan, judge_pair
from noteeval_desktop.batch.pairs import Group, Pair, groups_of, names_taken
from noteeval_desktop.batch.worker_process import DIED, Recipe, as_told, from_told
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.errors import InputError, JudgeError, NoteEvalError, unexpected

EMBEDDED = "embedded"
MISSING = InputError(
    "--scheduler", "needs the package distributed", "Install it with the extra: noteeval-desktop[cluster]."
)
NOT_THE_SAME = "A worker of the cluster could not start on a note. Install the same version of NoteEval on all of them."
PATIENCE_SECONDS = 300.0  # for a scheduler that is being started again
CONNECT_SECONDS = 60
_AHEAD = 2  # groups for each worker: one in work, one to go on with
_POLL_SECONDS = 0.1


def judge_group(group: Group, recipe: Recipe, plan: Plan) -> str | list[dict[str, Any]]:
    """On a worker: what became of each pair, or why no judge can be made there."""
    try:
        judge = _judge_here(recipe, plan)
    # An exception would have to be read where its package may be missing.
    except Exception as error:
        return str(error) if isinstance(error, NoteEvalError) else unexpected(error)
    return [as_told(judge_pair(pair, lambda: judge, plan, threading.Event())) for pair in group]


def _judge_here(recipe: Recipe, plan: Plan) -> Any:
    """Made once for each thread of a worker, and kept for as long as that lives."""
    from distributed import get_worker

    made = get_worker().__dict__.setdefault("noteeval_judges", {})
    key = (threading.get_ident(), str(plan.folder), repr(recipe))
    if key not in made:
        made[key] = recipe(ExitStack())
    return made[key]


def run_on_cluster(
    pairs: Collection[Pair],
    recipe: Recipe,
    plan: Plan,
    address: str,
    cancel: threading.Event | None = None,
    report: Callable[[Outcome], None] = lambda outcome: None,
) -> Counter[str]:
    """Like ``running.run``, by the workers of the scheduler at ``address``; ``EMBEDDED``: by ``plan.jobs`` of its own,
    on this computer. Notes that the same judge has finished are not judged again.

    Raises InputError without the package or a scheduler that answers, JudgeError when no judge can be made.
    """
    cancel, counts = cancel or threading.Event(), Counter[str]()
    plan = replace(plan, resume=True, folder=plan.folder.absolute(), taken=names_taken(pairs, plan.folder))
    with _connected(address, plan.jobs) as connect:
        for outcome in _Cluster(connect, recipe, plan, cancel).judged(groups_of(pairs)):
            counts[outcome.status] += 1
            report(outcome)
    return counts


class _Cluster:
    def __init__(self, connect: Callable[[], Any], recipe: Recipe, plan: Plan, cancel: threading.Event) -> None:
        self._connect, self._recipe, self._plan, self._cancel = connect, recipe, plan, cancel
        self._client = connect()
        self._flying: dict[Any, Group] = {}
        self._again: list[Group] = []

    def judged(self, groups: Iterator[Group]) -> Iterator[Outcome]:
        while not self._cancel.is_set():
            self._launch(groups)
            if not self._flying:
                return
            landed = [future for future in self._flying if future.status != "pending"]
            for future in landed:
                yield from self._landed(future, self._flying.pop(future))
            if not landed:
                time.sleep(_POLL_SECONDS)
        with suppress(OSError, TimeoutError):
            self._client.cancel(list(self._flying))
        for group in (*self._flying.values(), *self._again, *groups):
            yield from (Outcome(pair, "cancelled") for pair in group)

    def _launch(self, groups: Iterator[Group]) -> None:
        """So many that no worker waits, and not so many that the scheduler has to hold millions."""
        if self._client.status != "running":
            self._again += self._flying.values()
            self._flying.clear()
            self._client = self._connected_again()
        try:
            threads = sum(self._client.nthreads().values())
        except (OSError, TimeoutError):  # the scheduler has just gone
            return
        for _ in range(_AHEAD * max(1, threads) - len(self._flying)):
            group = self._again.pop() if self._again else next(groups, None)
            if group is None:
                return
            # Named by what is asked: the scheduler knows it again where it is handed in twice.
            key = "noteeval-" + fingerprint(str(self._plan.folder), *(f"{pair}" for pair in group))
            future = self._client.submit(judge_group, group, self._recipe, self._plan, key=key)
            self._flying[future] = group

    def _landed(self, future: Any, group: Group) -> Iterator[Outcome]:
        if future.status == "finished":
            try:
                found = future.result(timeout=30)
            except Exception:  # its worker died with the answer; the files are there
                self._again.append(group)
                return
            if isinstance(found, str):
                raise JudgeError(found)
            yield from (from_told(pair, told) for pair, told in zip(group, found, strict=True))
        elif future.status != "error":  # lost with the scheduler
            self._again.append(group)
        elif future.exception(timeout=30).__class__.__name__ != "KilledWorker":
            raise JudgeError(NOT_THE_SAME)
        elif len(group) > 1:  # several workers died of it, one after the other: which of its notes was it?
            self._again += ((pair,) for pair in group)
        else:
            yield Outcome(group[0], "incomplete", DIED)

    def _connected_again(self) -> Any:
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=1)
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._cancel.wait(_POLL_SECONDS):
            try:
                return self._connect()
            except InputError:
                if time.monotonic() > until:
                    raise
        return self._client


@contextmanager
def _connected(address: str, jobs: int) -> Iterator[Callable[[], Any]]:
    """What makes a client. Raises InputError, as does what it yields."""
    try:
        import dask.config

        # It would tell of every worker that comes and goes, with tracebacks.
        quiet = dict.fromkeys(("distributed", "distributed.client", "tornado", "tornado.application"), "critical")
        dask.config.set({"logging": quiet})
        from distributed import Client, LocalCluster

        # In its own workers too, which read it as they start.
        dask.config.set({"distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "critical"})
    except ImportError:
        raise MISSING from None
    with ExitStack() as closing:
        where: Any = address
        if address == EMBEDDED:
            where = closing.enter_context(
                LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    security=True,  # nobody else on this computer may hand its workers anything
                )
            )

        def connect() -> Any:
            try:
                client = closing.enter_context(Client(where, timeout=CONNECT_SECONDS))
                client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            except (OSError, TimeoutError, ValueError) as error:
                remedy = f"Start it, and workers with `dask worker {address}`, and run the same command again."
                raise InputError("--scheduler", f"no scheduler with a worker answers at {address}", remedy) from error
            return client

        yield connect
