"""Workers: threads that each have a judge, or child processes of one thread each, fed with one session's notes at a
time, so that a session is embedded once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from noteeval_desktop.batch.judging import Outcome, Plan, judge_pair
from noteeval_desktop.batch.pairs import Group, Pair, groups_of, names_taken
from noteeval_desktop.batch.worker_process import Recipe, WorkerProcess
from noteeval_desktop.judges.protocol import Judge

Report = Callable[[Outcome], None]
Judging = Callable[[Group], Iterable[Outcome]]
_POLL_SECONDS = 0.1


def run(
    pairs: Collection[Pair],
    make_judge: Callable[[], Judge],
    plan: Plan,
    cancel: threading.Event | None = None,
    report: Report = lambda outcome: None,
) -> Counter[str]:
    """Judge every pair in ``plan.jobs`` threads; a bad one does not stop the others. ``report`` is called as each
    ends, one at a time and not in the order of the list. Returns how many ended in each way.

    Raises JudgeError when no judge can be made.
    """
    plan, cancel = _careful(plan, pairs), cancel or threading.Event()
    spare, lock = [make_judge()], threading.Lock()

    @contextmanager
    def worker() -> Iterator[Judging]:
        own: list[Judge] = []

        def judge() -> Judge:
            if not own:
                with lock:
                    found = spare.pop() if spare else None
                own.append(found or make_judge())
            return own[0]

        yield lambda group: (judge_pair(pair, judge, plan, cancel) for pair in group)

    return _share_out(pairs, worker, plan.jobs, report, lambda: None)


def run_in_processes(
    pairs: Collection[Pair],
    recipe: Recipe,
    plan: Plan,
    cancel: threading.Event | None = None,
    report: Report = lambda outcome: None,
) -> Counter[str]:
    """Like ``run``, in ``plan.jobs`` child processes. A pair at which its process dies is judged once more."""
    plan, cancel, stop = _careful(plan, pairs), cancel or threading.Event(), threading.Event()

    @contextmanager
    def worker() -> Iterator[Judging]:
        with WorkerProcess(recipe, plan, cancel, stop) as process:
            yield process.judge

    return _share_out(pairs, worker, plan.jobs, report, stop.set)


def _careful(plan: Plan, pairs: Iterable[Pair]) -> Plan:
    """A note j.json with the id j, in the folder of the results, would be lost."""
    return replace(plan, taken=names_taken(pairs, plan.folder))


def _share_out(
    pairs: Collection[Pair],
    worker: Callable[[], AbstractContextManager[Judging]],
    jobs: int,
    report: Report,
    give_up: Callable[[], None],
) -> Counter[str]:
    """Each worker takes the next group. Where one raises, nobody takes another, and the first error is raised."""
    groups, counts, lock, failed = groups_of(pairs), Counter[str](), threading.Lock(), threading.Event()

    def work() -> None:
        with worker() as judging:
            while not failed.is_set():
                with lock:
                    group = next(groups, None)
                if group is None:
                    return
                for outcome in judging(group):
                    with lock:
                        counts[outcome.status] += 1
                        report(outcome)

    with ThreadPoolExecutor(max(1, jobs)) as threads:
        working = [threads.submit(work) for _ in range(max(1, jobs))]
        try:
            while wait(working, timeout=_POLL_SECONDS).not_done:  # with a time: Ctrl+C is to be heard on Windows too
                if any(one.done() and one.exception() for one in working):
                    break
        finally:
            failed.set()
            if any(not one.done() for one in working):
                give_up()
    for one in working:
        one.result()
    return counts
