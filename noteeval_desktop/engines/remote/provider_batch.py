"""Questions through a provider's batch API: at most vendors half the price, and answers within a day.

The protocol is OpenAI's: a file of questions is uploaded, a batch made of it, its state asked for until it has
ended, and a file of answers fetched (https://platform.openai.com/docs/guides/batch).
"""

from __future__ import annotations

import io
import json
import threading
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

import httpx2
import openai

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, YesNo
from noteeval_desktop.engines.remote.chat import RemoteChat, key_refused, no_credit, not_trusted
from noteeval_desktop.engines.remote.completion import Refusal, read_json
from noteeval_desktop.engines.remote.transport import NoAnswer, Question, Untrusted
from noteeval_desktop.errors import ModelError
from noteeval_desktop.guarded_json import from_json

# Of a batch, as OpenAI's documentation has it; others take as many or more.
LARGEST, LARGEST_BYTES = 50_000, 200_000_000
_MOST_ANSWERS = 1_000_000_000  # bytes: 20 kB a question
_FILE_SECONDS = 3_600.0
_MOST_PAGES = 1_000
_ENDPOINT: Final = "/v1/chat/completions"
_WINDOW: Final = "24h"
_MARK = "noteeval"
_ENDED = ("completed", "failed", "expired", "cancelled")
_LONGEST_REASON = 200


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


def encoded(body: Mapping[str, Any]) -> bytes:
    """As JSON on one line."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def line(chat: RemoteChat, request: Request) -> bytes:
    """Of the file of questions that is uploaded."""
    body = chat.parameters(request)
    return encoded({"custom_id": key_of(request), "method": "POST", "url": _ENDPOINT, "body": body})


class ProviderBatches:
    """Over one endpoint. Every method raises ModelError with what to do."""

    def __init__(self, chat: RemoteChat) -> None:
        self._chat = chat

    def submit(self, lines: bytes, mark: str) -> str:
        """Upload and start one batch of at most ``LARGEST`` questions; returns its id. ``mark`` finds it again."""
        file = self._id(
            lambda client: client.files.with_raw_response.create(file=("questions.jsonl", lines), purpose="batch"),
            seconds=_FILE_SECONDS,
        )
        return self._id(
            lambda client: client.batches.with_raw_response.create(
                input_file_id=file, endpoint=_ENDPOINT, completion_window=_WINDOW, metadata={_MARK: mark}
            )
        )

    def find(self, marks: Collection[str]) -> dict[str, str]:
        """The batches that were started with ``marks``, where the answer to starting them was lost; by mark."""
        found: dict[str, str] = {}
        after: str | openai.Omit = openai.omit
        for _ in range(_MOST_PAGES):
            match self._json(lambda client, after=after: client.batches.with_raw_response.list(limit=100, after=after)):  # type: ignore[misc]
                case {"data": [*batches], **page}:
                    for batch in batches:
                        match batch:
                            case {"id": str(name), "metadata": {**marked}} if marked.get(_MARK) in marks:
                                found[str(marked[_MARK])] = name
                    match batches:
                        case [*_, {"id": str(last)}] if page.get("has_more") is True and last != after:
                            after = last
                        case _:
                            return found
                case _:
                    raise self._nonsense()
        return found

    def status(self, batch: str) -> BatchStatus:
        match self._batch(batch):
            case {"status": str(status), **found}:
                done = total = 0
                match found.get("request_counts"):
                    case {"completed": int(completed), "failed": int(failed), "total": int(total)}:
                        done = completed + failed
                reason = "" if status == "completed" else _one_line(status)
                match found.get("errors"):
                    case {"data": [{"message": str(said)}, *_]}:
                        reason = _one_line(said)
                return BatchStatus(status in _ENDED, done, total, reason)
        raise self._nonsense()

    def answers(self, batch: str) -> dict[str, bytes]:
        """By ``key_of`` the question, packed, of a batch that has ended; without those that the provider could not
        answer."""
        match self._batch(batch):
            case {"output_file_id": str(file)} if file:
                content = self._asked(
                    lambda client: client.files.with_raw_response.content(file),
                    most=_MOST_ANSWERS,
                    seconds=_FILE_SECONDS,
                )
                return dict(_answers(content))
        return {}

    def _batch(self, batch: str) -> Any:
        return self._json(lambda client: client.batches.with_raw_response.retrieve(batch))

    def _id(self, ask: Question, seconds: float | None = None) -> str:
        match self._json(ask, seconds):
            case {"id": str(found)} if found:
                return found
        raise self._nonsense()

    def _json(self, ask: Question, seconds: float | None = None) -> Any:
        try:
            return read_json(self._asked(ask, seconds=seconds))
        except ValueError:
            raise self._nonsense() from None

    def _nonsense(self) -> ModelError:
        return ModelError(
            tr("{base_url} gave an unusable answer about the batch. Run the same command again later.").format(
                base_url=self._chat.base_url
            )
        )

    def _asked(self, ask: Question, most: int | None = None, seconds: float | None = None) -> bytes:
        host = self._chat.base_url
        try:
            answer = self._chat.endpoint.ask(ask, most=most, seconds=seconds)
        except (ValueError, httpx2.InvalidURL):  # an id, as the server gave it, that goes into no address
            raise self._nonsense() from None
        except Untrusted as error:
            raise ModelError(not_trusted(host)) from error
        except NoAnswer as error:
            if not error.passing:
                raise ModelError(
                    tr("{host} cannot be used for a batch: {error}. Leave out --provider-batch.").format(
                        host=host, error=error
                    )
                ) from error
            raise Unreachable(
                tr("{host} cannot be reached. Run the same command again later; nothing is paid for twice.").format(
                    host=host
                )
            ) from error
        if not answer.is_success:
            _refused(host, Refusal.read(answer.status_code, answer.content))
        return answer.content


class Unreachable(ModelError):
    """Worth another try: the batch goes on meanwhile."""


def _refused(host: str, refusal: Refusal) -> NoReturn:
    status = refusal.status
    if refusal.no_credit:
        raise ModelError(no_credit(host, tr("then run this again")))
    if status in (401, 403):
        raise ModelError(key_refused(host))
    if status in (404, 405, 501):
        raise ModelError(tr("{host} has no batch API. Leave out --provider-batch.").format(host=host))
    if status == 429 or status >= 500:
        raise Unreachable(
            tr("{host} is busy (status {status}). Run the same command again later; nothing is paid for twice.").format(
                host=host, status=status
            )
        )
    raise ModelError(
        tr("{host} refused the batch (status {status}). Leave out --provider-batch.").format(host=host, status=status)
    )


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text[:_LONGEST_REASON])


def _answers(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A line that cannot be read is no answer; its question counts as not judged."""
    for line in io.BytesIO(data):  # no other line break than \n: JSON may hold them within a text
        try:
            entry = read_json(line)
        except ValueError:
            continue
        match entry:
            case {"custom_id": str(key), "response": {"status_code": 200, "body": dict() as body}}:
                yield key, zlib.compress(encoded(body), level=1)


def unpacked(answer: bytes) -> Mapping[str, Any]:
    """A chat completion as the provider wrote it."""
    completion: Mapping[str, Any] = from_json(zlib.decompress(answer))
    return completion


class FetchedChat:
    """Implements ``engines.chat.ChatModel``: answers from what a batch brought, each counted when it is used;
    ``asked`` are the keys of all questions that were in a batch. Any other question is put directly."""

    def __init__(self, chat: RemoteChat, answers: Mapping[str, bytes], asked: frozenset[str]) -> None:
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
                self._uploaded += len(encoded(self._chat.parameters(request)))
                yield index, self._chat.take(unpacked(self._answers[key]))
            elif key in self._asked:
                yield index, Reply(problem=tr("the provider's batch brought no answer"))
            else:
                others.append(index)
        if others:
            for at, reply in self._chat.ask([requests[index] for index in others], cancel):
                yield others[at], reply

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        return self._chat.yes_no(requests, cancel)

    def usage(self) -> Usage:
        """``bytes_sent`` counts the questions that the batch answered as they were uploaded."""
        used = self._chat.usage()
        return replace(used, bytes_sent=used.bytes_sent + self._uploaded)

    def close(self) -> None:
        """The chat is its owner's to close."""
