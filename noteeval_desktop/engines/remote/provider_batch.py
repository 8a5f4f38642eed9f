"""Questions through a provider's batch API: at most vendors half the price, and answers within a day.

The protocol is OpenAI's: a file of questions is uploaded, a batch made of it, its state asked for until it has
ended, and a file of answers fetched (https://platform.openai.com/docs/guides/batch).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn, TypeVar

import openai

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import ChatUsage, ModelInfo, Reply, Request, YesNo
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.errors import ModelError

LARGEST = 500  # questions a batch: its answers stay within what the transport lets in
_ENDPOINT: Final = "/v1/chat/completions"
_WINDOW: Final = "24h"
_MARK = "noteeval"
_ENDED = ("completed", "failed", "expired", "cancelled")
T = TypeVar("T")
Answer = Mapping[str, Any]
"""A chat completion as the provider wrote it."""


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """``done`` of ``total`` questions; ``reason`` says why a batch failed as a whole."""

    ended: bool
    done: int
    total: int
    reason: str = ""


def key_of(request: Request) -> str:
    """The same for the same question, in this run or after a restart."""
    schema = json.dumps(request.schema, sort_keys=True)
    return fingerprint(request.system, request.prefix, request.question, schema, str(request.max_tokens))


class ProviderBatches:
    """Over one endpoint. Every method raises ModelError with what to do."""

    def __init__(self, chat: RemoteChat) -> None:
        self._chat = chat

    def submit(self, requests: Sequence[Request], mark: str) -> str:
        """Upload and start one batch of at most ``LARGEST`` questions; returns its id. ``mark`` finds it again."""
        lines = [
            json.dumps({"custom_id": key_of(r), "method": "POST", "url": _ENDPOINT, "body": self._chat.parameters(r)})
            for r in requests
        ]
        data = ("\n".join(lines) + "\n").encode()

        def send(client: openai.OpenAI) -> str:
            file = client.files.create(file=("questions.jsonl", data), purpose="batch")
            return client.batches.create(
                input_file_id=file.id, endpoint=_ENDPOINT, completion_window=_WINDOW, metadata={_MARK: mark}
            ).id

        return self._asked(send)

    def find(self, mark: str) -> str | None:
        """The batch that was started with ``mark``, where the answer to starting it was lost."""
        recent = self._asked(lambda client: client.batches.list(limit=100).data)
        return next((batch.id for batch in recent if (batch.metadata or {}).get(_MARK) == mark), None)

    def status(self, batch: str) -> BatchStatus:
        found = self._asked(lambda client: client.batches.retrieve(batch))
        counts = found.request_counts
        done = counts.completed + counts.failed if counts else 0
        problems = found.errors.data if found.errors and found.errors.data else []
        reason = next(
            (str(problem.message)[:200] for problem in problems), "" if found.status == "completed" else found.status
        )
        return BatchStatus(found.status in _ENDED, done, counts.total if counts else 0, reason)

    def answers(self, batch: str) -> dict[str, Answer]:
        """By ``key_of`` the question, of a batch that has ended; without those that the provider could not answer."""
        found = self._asked(lambda client: client.batches.retrieve(batch))
        file = found.output_file_id
        if not file:
            return {}
        text = self._asked(lambda client: client.files.content(file).text)
        return dict(_answers(text))

    def _asked(self, ask: Callable[[openai.OpenAI], T]) -> T:
        host = self._chat.base_url
        try:
            return ask(self._chat.client)
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            raise ModelError(f"{host} does not accept the key. Check the key in the judge's settings.") from error
        except openai.APIStatusError as error:
            _refused(host, error)
        except openai.APIConnectionError as error:
            raise Unreachable(
                f"{host} cannot be reached. Run the same command again later; nothing is paid twice."
            ) from error
        except (openai.OpenAIError, ValueError) as error:
            raise ModelError(f"{host} answered nonsense about the batch. Run the same command again later.") from error


class Unreachable(ModelError):
    """Worth another try: the batch goes on meanwhile."""


def _refused(host: str, error: openai.APIStatusError) -> NoReturn:
    if error.status_code in (404, 405, 501):
        raise ModelError(f"{host} has no batch API. Leave out --provider-batch.") from error
    if error.status_code == 429 or error.status_code >= 500:
        raise Unreachable(
            f"{host} is busy (status {error.status_code}). Run the same command again later; nothing is paid twice."
        ) from error
    raise ModelError(f"{host} refused the batch (status {error.status_code}). Leave out --provider-batch.") from error


def _answers(text: str) -> Iterator[tuple[str, Answer]]:
    """A line that cannot be read is no answer; its question counts as not judged."""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
            key, response = entry["custom_id"], entry["response"]
            if response["status_code"] == 200 and isinstance(key, str) and isinstance(response["body"], dict):
                yield key, response["body"]
        except (ValueError, KeyError, TypeError):
            continue


class FetchedChat:
    """Implements ``engines.chat.ChatModel``: answers from what a batch brought, each counted when it is used;
    ``asked`` are the keys of all questions that were in a batch. Any other question is put directly."""

    def __init__(self, chat: RemoteChat, answers: Mapping[str, Answer], asked: frozenset[str]) -> None:
        self._chat, self._answers, self._asked = chat, answers, asked
        self._uploaded = 0

    @property
    def info(self) -> ModelInfo:
        return self._chat.info

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        others = []
        for index, request in enumerate(requests):
            key = key_of(request)
            if key in self._answers:
                self._uploaded += len(json.dumps(self._chat.parameters(request)).encode())
                yield index, self._chat.take(self._answers[key])
            elif key in self._asked:
                yield index, Reply(problem="the provider's batch brought no answer")
            else:
                others.append(index)
        if others:
            for at, reply in self._chat.ask([requests[index] for index in others], cancel):
                yield others[at], reply

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        return self._chat.yes_no(requests, cancel)

    def usage(self) -> ChatUsage:
        """``bytes_sent`` counts the questions that the batch answered as they were uploaded."""
        used = self._chat.usage()
        return replace(used, bytes_sent=used.bytes_sent + self._uploaded)

    def close(self) -> None:
        """The chat is its owner's to close."""


class CollectingChat:
    """Implements ``engines.chat.ChatModel`` in a RemoteChat's place: keeps the questions and answers none."""

    def __init__(self, chat: RemoteChat) -> None:
        self._chat = chat
        self.requests: list[Request] = []

    @property
    def info(self) -> ModelInfo:
        return self._chat.info

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        self.requests += requests
        raise Collected

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        raise Collected  # a batch is asked in groups

    def usage(self) -> ChatUsage:
        return ChatUsage()

    def close(self) -> None:
        """Nothing is held."""


class Collected(Exception):
    """Raised instead of an answer, once the questions are kept."""
