"""The child process: reads requests as JSON lines, answers as JSON lines, evaluates on one thread.

Plain JSON, because the parent must be able to read the answers of a child that a hostile model took over.
"""

from __future__ import annotations

import dataclasses
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines import native
from noteeval_desktop.engines.local_llm.chat_template import Part
from noteeval_desktop.engines.local_llm.header import DOWNLOAD_AGAIN
from noteeval_desktop.engines.local_llm.session import NO_NUMBERS, Abort, Session
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.processes import lower_this_process

Message = dict[str, Any]
_PROGRESS_SECONDS = 0.1


def serve() -> None:
    """Serve until standard input ends (which it does when the parent dies)."""
    lower_this_process()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints must not garble the answers
    Worker(answers).run(sys.stdin)


class Worker:
    def __init__(self, answers: TextIO) -> None:
        self._answers = answers
        self._abort = Abort()
        self._requests: queue.Queue[Message | None] = queue.Queue()
        self._lock = threading.Lock()
        self._job, self._cancelled = 0, 0
        self._session: Session | None = None
        self._file = tr("The model")
        self._done, self._total, self._started, self._told = 0, 0, 0.0, 0.0

    def run(self, source: TextIO) -> None:
        threading.Thread(target=self._listen, args=(source,), daemon=True).start()
        while (request := self._requests.get()) is not None:
            with self._lock:
                self._job = request["job"]
                self._abort.clear()
                if self._cancelled >= self._job > 0:
                    self._abort.set()
            self._serve(request)

    def _listen(self, source: TextIO) -> None:
        """Cancelling must be heard while the other thread evaluates (llama.cpp lets go of the interpreter)."""
        for line in source:
            message = from_json(line)
            if message["kind"] == "cancel":
                with self._lock:
                    self._cancelled = max(self._cancelled, message["job"])
                    if message["job"] == self._job:
                        self._abort.set()
            else:
                self._requests.put(message)
        self._abort.set()
        self._requests.put(None)

    def _serve(self, request: Message) -> None:
        try:
            if request["kind"] == "load":
                self._load(request)
            elif request["kind"] == "build":
                self._say(kind="build", info=native.build_info(), gpu=native.supports_gpu())
            elif request["kind"] == "measure":
                read, written = self._loaded().measure()
                self._say(kind="measured", read=read, written=written)
            else:
                self._answer(request)
            self._say(kind="end")
        except Cancelled:
            self._say(kind="cancelled")
        except ModelError as error:
            self._say(kind="failed", problem=str(error))
        except Exception as error:  # a damaged file makes anything of anything; the child goes on to be asked
            self._say(
                kind="failed",
                problem=tr("{file}: it cannot be used ({kind}). {remedy}").format(
                    file=self._file, kind=type(error).__name__, remedy=DOWNLOAD_AGAIN
                ),
            )

    def _load(self, request: Message) -> None:
        path = Path(request["path"])
        self._file = path.name
        self._session = Session(
            path,
            request["context"],
            request["threads"],
            request["gpu_layers"],
            self._abort,
            self._evaluated,
        )
        self._say(kind="loaded", context=self._session.context)

    def _answer(self, request: Message) -> None:
        """Questions come in groups that share a prefix: [{system, prefix, questions: [{index, text, …}]}]."""
        session = self._loaded()
        prepared = []
        for group in request["groups"]:
            shared = session.shared(group["system"], group["prefix"])
            questions = [(item, session.own(group["prefix"], item["text"])) for item in group["questions"]]
            if request["kind"] == "likelihood":
                for item, _ in questions:
                    item["answer"] = session.tokens([Part(item["answer"], control=False)])
                    item["max_tokens"] = len(item["answer"])
            fitting = [(item, own) for item, own in questions if self._fits(item, len(shared), own)]
            if fitting:
                prepared.append((shared, fitting))
        self._done, self._started = 0, time.monotonic()
        self._total = sum(len(shared) + sum(len(own) for _, own in questions) for shared, questions in prepared)
        for shared, questions in prepared:
            cached = session.set_prefix(shared)
            for answer, (item, own) in zip(self._replies(session, request, questions), questions, strict=True):
                size = len(shared) + len(own)
                self._say(kind="answer", index=item["index"], input=size, cached=cached, **answer)
                cached = len(shared)

    def _replies(
        self, session: Session, request: Message, questions: list[tuple[Message, list[int]]]
    ) -> Iterator[Message]:
        if request["kind"] == "yes_no":
            for _, own in questions:
                odds = session.odds(own)
                yield dataclasses.asdict(odds) if odds is not None else {"problem": NO_NUMBERS}
            return
        if request["kind"] == "likelihood":
            for item, own in questions:
                scored = session.log_likelihoods(own, item["answer"])
                yield {"tokens": scored} if scored is not None else {"problem": NO_NUMBERS}
            return
        for item, own in questions:
            try:
                limit, weighed = item["max_tokens"], item["weighed"]
                written, output, finished = session.generate(own, item["schema"], limit, weighed)
                text = "".join(word for word, _ in written)
                yield {"text": text, "words": written if weighed else (), "output": output, "finished": finished}
            except ModelError as error:
                yield {"text": "", "output": 0, "finished": False, "problem": str(error)}

    def _fits(self, item: Message, shared: int, own: list[int]) -> bool:
        context, needed = self._loaded().context, shared + len(own) + item.get("max_tokens", 0)
        if needed <= context:
            return True
        self._say(
            kind="answer",
            index=item["index"],
            problem=tr("too long for the model ({needed:,} tokens, its context is {context:,})").format(
                needed=needed, context=context
            ),
        )
        return False

    def _loaded(self) -> Session:
        if self._session is None:
            raise ModelError(tr("No model is loaded. Choose one."))
        return self._session

    def _evaluated(self, count: int) -> None:
        self._done += count
        now = time.monotonic()
        if now - self._told >= _PROGRESS_SECONDS:
            self._told = now
            self._say(kind="progress", done=self._done, total=self._total, seconds=now - self._started)

    def _say(self, **message: Any) -> None:
        self._answers.write(json.dumps({"job": self._job, **message}) + "\n")
        self._answers.flush()
