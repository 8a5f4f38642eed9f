"""100,000 questions through a provider's batch API, killed in between: python -m tests.benchmarks.bench_provider [N].

By hand; not a test. A scripted provider on loopback takes batches as large as OpenAI does; a child process sends N
questions of 2,000 characters and is killed (SIGKILL) at three random moments before it may finish. Shown is how often
each question was paid for, how many answers the last run had, and how the state file grew.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from noteeval_desktop.commands import provider as command
from noteeval_desktop.commands.provider_state import STATE_FILE, State
from noteeval_desktop.commands.run import Run
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.report.terminal import table
from tests.batch_server import Provider, serving
from tests.scripted_judge import ScriptedJudge

KILLS = 3
PREFIX = "The client slept badly and argued with her brother. " * 36


def questions(number: int) -> Iterator[Request]:
    return (Request("Judge the claim.", PREFIX, f"Claim {one}: she slept {one % 9} hours.") for one in range(number))


def child(folder: Path, url: str, number: int) -> None:
    command.POLL_SECONDS = 0.2
    run = Run(argparse.Namespace(), lambda *_: ScriptedJudge(), io.StringIO(), io.StringIO(), ExitStack())
    state = State.read(folder) or State(folder, "asker", "fence")
    with closing(RemoteChat(url, "m", "")) as chat:
        answers, _ = command.sent_and_fetched(run, chat, state, questions(number))
    # Not ru_maxrss: that begins with what the process held that started this one, and the provider's files with it.
    held = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    print(len(answers), int(held.group(1)) // 1024 if held else "?")


def measured(number: int, kills: int) -> list[str]:
    dice = random.Random(number)
    with tempfile.TemporaryDirectory() as name, serving(Provider(lambda body: "1", polls=3)) as served:
        arguments = [sys.executable, "-m", "tests.benchmarks.bench_provider", "child", name, served.url, str(number)]
        longest = number / 4_000  # seconds that sending them took, on an idle core
        for _ in range(kills):
            process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
            time.sleep(dice.uniform(1, 3 + longest))
            process.send_signal(signal.SIGKILL)
            process.wait()
        began = time.perf_counter()
        last = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()
        wall = time.perf_counter() - began
        paid = Counter(body["messages"][-1]["content"] for body in served.asked)
        state = (Path(name) / STATE_FILE).stat().st_size
        largest = max(len(data) for data in served.files.values())
        return [
            f"{number:,}",
            str(kills),
            str(len(served.batches)),
            f"{len(paid):,}",
            str(max(paid.values())),
            f"{int(last[0]):,}",
            f"{state / number:.0f} bytes",
            f"{largest / 1e6:.0f} MB",
            f"{last[1]} MB",
            f"{wall:.0f} s",
        ]


def main() -> None:
    if sys.argv[1:2] == ["child"]:
        child(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
        return
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    heads = ("Questions", "Kills", "Batches", "Paid", "Most times", "Answers", "State a question", "Largest file")
    print(table([[*heads, "Memory", "Last run"], measured(number // 10, 1), measured(number, KILLS)]))


if __name__ == "__main__":
    main()
