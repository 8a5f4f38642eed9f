"""Answers as no honest server and no sound file gives them: python -m tests.benchmarks.fuzz_answers [--minutes N].

Servers on loopback send mutated bodies, headers and streams to a judge that judges a whole case; GGUF files with
mutated bytes are loaded in the child process and asked. Whatever comes, the outcome is an answer, a question that was
not judged, or an error of ours, and it comes in time. Anything else is a finding: its round's seed makes it again
(``--seed N --rounds 1``). Exit code 1 where there is one.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gzip
import json
import random
import socketserver
import struct
import sys
import tempfile
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.local_llm import LocalChat
from noteeval_desktop.engines.remote import chat as chat_module
from noteeval_desktop.engines.remote import transport
from noteeval_desktop.engines.remote.abilities import check_endpoint
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.pace import Pace
from noteeval_desktop.engines.remote.provider_batch import ProviderBatches, line, unpacked
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.judges.llm import asking
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import WholeSession
from noteeval_desktop.paths import resources
from noteeval_desktop.report.json_layout import evaluation_to_json
from tests.factories import make_case
from tests.gguf_factory import make_chat_model
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, completion
from tests.sample_evaluation import sample_rubric

# The module: its name in the package is that of the function for other programs.
evaluating = import_module("noteeval_desktop.evaluate")

SLOWEST = 300.0  # by the clock, on a computer that does much else
NEVER = threading.Event()
HOSTILE: list[Any] = [
    *[None, True, False, 0, -1, 1.5, 10**400, -(10**20), 1e308, "", "x", "²", "\ud83d", "\x00", "\u202e", "NaN"],
    *["x" * 5_000, [], {}, [[]], [None], {"": ""}, {"text": 1}, "true", "```", "<think>", "content_filter", "length"],
]
HEADERS = [
    *["Retry-After: ²", "Retry-After: nan", "Retry-After: -1", "retry-after-ms: 1e999", "Retry-After: 0.01"],
    *["x-ratelimit-limit-requests: ²", "x-ratelimit-limit-tokens: 0", "x-ratelimit-limit-requests: " + "9" * 5_000],
    *["Content-Encoding: gzip", "Content-Encoding: br", "Content-Encoding: gzip, gzip", "Content-Encoding: \xe9"],
    *["Content-Type: text/html; charset=zlib_codec", "Content-Type: " + ";" * 500, "Content-Type: \xff"],
    *["Location: http://[", "Set-Cookie: a=b", "Transfer-Encoding: chunked", "Content-Length: 5", "Content-Length: -1"],
    *["Connection: close", "Connection: upgrade", "X: " + "y" * 60_000, "no colon", ": empty", "\x00: \x00"],
]
STATUSES = [*[200] * 12, 100, 101, 103, 201, 204, 206, 301, 304, 307, 400, 401, 402, 403, 404, 408, 413, 418, 422, 429]
STATUSES += [451, 499, 500, 501, 503, 599, 600, 999, 0, -1]


class Mutator:
    """Every choice comes from one seed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def json(self, value: Any) -> Any:
        """``value`` with something hostile in one place."""
        if isinstance(value, dict | list) and value and self.rng.random() < 0.8:
            keys = list(value) if isinstance(value, dict) else list(range(len(value)))
            key = self.rng.choice(keys)
            changed: Any = dict(value) if isinstance(value, dict) else list(value)
            if self.rng.random() < 0.15:
                del changed[key]
            else:
                changed[key] = self.json(value[key])
            return changed
        return self.rng.choice(HOSTILE)

    def damaged(self, data: bytes, times: int = 4) -> bytes:
        changed = bytearray(data)
        for _ in range(self.rng.randint(1, times)):
            at = self.rng.randrange(len(changed) + 1)
            match self.rng.randrange(5):
                case 0:
                    changed[at:at] = self.rng.randbytes(self.rng.randint(1, 8))
                case 1:
                    del changed[at : at + self.rng.randint(1, 30)]
                case 2:
                    changed[at : at + 1] = self.rng.randbytes(1)
                case 3:
                    changed[at:at] = self.rng.choice([b"[", b'{"a":', b'"', b"\\"]) * self.rng.choice([1, 50, 50_000])
                case _:
                    changed[at:at] = changed[: self.rng.randint(0, 200)]
        return bytes(changed)

    def content(self, text: str) -> Any:
        """What stands in the message's place for words."""
        match self.rng.randrange(7):
            case 0:
                return text
            case 1 | 2 | 3:
                return json.dumps(self.json(json.loads(text)))
            case 4:
                return self.damaged(text.encode()).decode("utf-8", "replace")
            case 5:
                return [{"type": "text", "text": text}, self.rng.choice(HOSTILE)]
            case _:
                return self.rng.choice(HOSTILE)

    def body(self, text: str) -> bytes:
        answer = json.loads(completion(Behaviour()))
        if '"owned_by"' in text:  # a list of models, or a batch
            answer = json.loads(text)
        else:
            answer["choices"][0]["message"]["content"] = self.content(text)
        match self.rng.randrange(6):
            case 0:
                answer = self.json(answer)
            case 1:
                error = {"message": self.rng.choice(HOSTILE), "code": self.rng.choice(["content_filter", 7, None])}
                answer = {"error": self.rng.choice([error, "no", [error]])}
            case 2:
                return self.damaged(json.dumps(answer).encode())
        data = json.dumps(answer).encode()
        packed = [data, gzip.compress(data), zlib.compress(data), gzip.compress(b" " * 20_000_000)]
        return self.rng.choices(packed, [20, 1, 1, 1])[0]

    def response(self, text: str) -> bytes:
        """A whole response, from its first line."""
        data = self.body(text)
        lines = [f"HTTP/1.1 {self.rng.choice(STATUSES)} x", f"Content-Length: {len(data)}"]
        if self.rng.random() < 0.3:
            lines += self.rng.choices(HEADERS, k=self.rng.randint(1, 4))
            self.rng.shuffle(lines[1:])
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        whole = head + data
        return self.damaged(whole) if self.rng.random() < 0.1 else whole

    def gguf(self, data: bytes) -> bytes:
        """A model's file with numbers, names and lengths changed, mostly in its header."""
        changed = bytearray(data)
        for _ in range(self.rng.randint(1, 3)):
            at = self.rng.randrange(12_000 if self.rng.random() < 0.8 else len(changed) - 8)
            match self.rng.randrange(6):
                case 0:
                    changed[at] ^= 1 << self.rng.randrange(8)
                case 1:
                    changed[at : at + 8] = struct.pack("<Q", self.rng.choice([0, 1, 2**31, 2**32, 2**63, 2**64 - 1]))
                case 2:
                    changed[at : at + 4] = struct.pack("<f", self.rng.choice([float("nan"), float("inf"), -1.0, 1e30]))
                case 3:
                    changed[at:at] = self.rng.randbytes(self.rng.randint(1, 40))
                case 4:
                    del changed[at : at + self.rng.randint(1, 40)]
                case _:
                    names = [b"llama", b"bert", b"mamba", b"t5", b"gpt2", b"qwen2", b"rwkv6", b"gemma", b"\xff\xfe"]
                    changed = bytearray(changed.replace(b"llama", self.rng.choice(names), self.rng.choice([1, -1])))
        return bytes(changed[: self.rng.randrange(len(changed))] if self.rng.random() < 0.05 else changed)


@contextlib.contextmanager
def hostile_server(mutator: Mutator) -> Iterator[str]:
    lock = threading.Lock()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                while self._answered():
                    continue

        def _answered(self) -> bool:
            size = 0
            first = self.rfile.readline()
            while (line := self.rfile.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            raw = self.rfile.read(size)
            if not first:
                return False
            try:
                text = sound_for_any(as_request(json.loads(raw)))
            except (ValueError, KeyError, TypeError):
                text = json.dumps(
                    {"data": [{"id": "m", "owned_by": "us"}], "id": "b", "status": "completed", "output_file_id": "f"}
                )
            with lock:
                data, way = mutator.response(text), mutator.rng.random()
            if way < 0.04:
                data = data[: len(data) // 2]
            for start in range(0, len(data), 7 if way > 0.98 else len(data) or 1):
                self.wfile.write(data[start : start + (7 if way > 0.98 else len(data))])
            return 0.04 <= way < 0.9

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Clients that go away are what is wanted."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


def judge_case(mutator: Mutator, folder: Path) -> str:
    """A whole case at a hostile server."""
    rubric = sample_rubric()
    manner = mutator.rng.choice(list(Manner))
    with hostile_server(mutator) as url:
        pace = Pace(clock=lambda: time.monotonic() * 10_000)
        chat = RemoteChat(url, "m", "key", jobs=4, pace=pace)
        try:
            judge = LlmJudge(chat, rubric, load_prompts(resources() / "prompts"), WholeSession(), manner)
            made = evaluating.final(evaluating.evaluate(make_case(), judge)).evaluation
            json.dumps(evaluation_to_json(made), ensure_ascii=False, allow_nan=False).encode()
            return "complete" if made.complete else "incomplete"
        finally:
            chat.close()


def test_connection(mutator: Mutator, folder: Path) -> str:
    with hostile_server(mutator) as url:
        return "sound" if check_endpoint(url, "m", "key").sound else "unsound"


def use_batch(mutator: Mutator, folder: Path) -> str:
    with hostile_server(mutator) as url:
        chat = RemoteChat(url, "m", "key")
        batches = ProviderBatches(chat)
        asked = Request("s", "p", "q", {"type": "object"})
        acts: list[Callable[[], object]] = [
            lambda: batches.submit(line(chat, asked), "mark"),
            lambda: batches.find({"mark"}),
            lambda: batches.status("b"),
            lambda: [chat.take(unpacked(answer)) for answer in batches.answers("b").values()],
        ]
        try:
            mutator.rng.choice(acts)()
        finally:
            chat.close()
    return "done"


def load_model(mutator: Mutator, folder: Path) -> str:
    path = folder / "mutated.gguf"
    path.write_bytes(mutator.gguf((folder / "sound.gguf").read_bytes()))
    questions = [Request("s", "prefix", f"Is {n} covered?") for n in range(3)]
    with contextlib.closing(LocalChat(path, threads=1)) as chat:
        answers = list(chat.yes_no(questions, NEVER))
        replies = list(chat.ask([Request("s", "p", "q", {"type": "boolean"}, 8)], NEVER))
    assert len(answers) == 3
    assert all(
        (a.yes is None) == bool(a.problem) and (a.probability is None or 0 <= a.probability <= 1) for _, a in answers
    )
    return "judged" if all(a.yes is not None for _, a in answers) and not replies[0][1].problem else "not judged"


ROUNDS: list[tuple[Callable[[Mutator, Path], str], int]] = [
    (judge_case, 6),
    (test_connection, 2),
    (use_batch, 2),
    (load_model, 5),
]


def play(seed: int, folder: Path, hidden: list[str]) -> tuple[str, str]:
    """One round: what came of it, and the finding if it is one."""
    rng = random.Random(seed)
    kind = rng.choices([kind for kind, _ in ROUNDS], [weight for _, weight in ROUNDS])[0]
    hidden.clear()
    began = time.monotonic()
    try:
        outcome = kind(Mutator(rng), folder)
    except NoteEvalError as error:
        said = str(error)
        outcome = type(error).__name__
        if "\n" in said or len(said) > 800 or not said.isprintable():
            hidden.append(f"a message that is no line: {said[:200]!r}")
    except Exception:
        outcome = "broken"
        hidden.append(traceback.format_exc())
    took = time.monotonic() - began
    if took > SLOWEST:
        hidden.append(f"took {took:.0f} s")
    return f"{kind.__name__}: {outcome}", "\n".join(hidden)


def hasten(hidden: list[str]) -> None:
    """Short waits; and what the program contains as unexpected is a finding here."""

    def caught(error: BaseException) -> str:
        hidden.append("".join(traceback.format_exception(error)))
        return "an unexpected failure"

    chat_module.jittered = lambda attempt: 0.001  # type: ignore[attr-defined]
    chat_module.LONGEST_WAIT = 0.05  # type: ignore[attr-defined]
    transport.NEAR_SECONDS = 0.5
    asking.unexpected = evaluating.unexpected = caught  # type: ignore[attr-defined]
    threading.excepthook = lambda thrown: caught(thrown.exc_value or RuntimeError())


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=1.0)
    options.add_argument("--rounds", type=int, default=sys.maxsize)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    hidden: list[str] = []
    hasten(hidden)
    outcomes: collections.Counter[str] = collections.Counter()
    findings, until, seed = 0, time.monotonic() + 60 * given.minutes, given.seed
    with tempfile.TemporaryDirectory() as made:
        make_chat_model(Path(made) / "sound.gguf")
        while time.monotonic() < until and seed - given.seed < given.rounds:
            outcome, finding = play(seed, Path(made), hidden)
            outcomes[outcome] += 1
            if finding:
                findings += 1
                print(f"seed {seed}, {outcome}\n{finding}\n", flush=True)
            seed += 1
    print(*(f"{count:6} {outcome}" for outcome, count in sorted(outcomes.items())), sep="\n")
    print(f"{seed - given.seed} rounds from seed {given.seed}, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
