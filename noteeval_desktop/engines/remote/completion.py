"""What a server sends for a chat completion, read without trust: of whatever shape, it is a reply or a plain reason.

Not by the client's ``parse``: it checks no types, follows any depth, and fails on fields of its own names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import from_json

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.chat import Reply

NO_COMPLETION = Reply(problem=tr("the server's answer was not a chat completion"))
DECLINED = Reply(problem=tr("the model declined to answer"))
_MOST_TOKENS = 1_000_000_000
_SAID_AT_MOST = 1_000
# Servers say so each in their own words, and with codes and statuses of their own.
_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|too (?:long|large)|too many tokens|exceeds? the (?:available )?"
    r"context|prompt is too",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ](?:filter|policy|management|moderation)|responsible_?ai|data_inspection|sensitive_words"
    r"|safety (?:system|filter|policy)|(?:was|been|is) flagged|moderation_blocked",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|billing[_ ](?:hard[_ ])?limit|(?:credit )?balance is too low"
    r"|out of credits?|requires more credits|credits (?:are )?(?:exhausted|depleted)",
    re.IGNORECASE,
)
_WRONG_KEY = re.compile(r"api[ _]key (?:is )?(?:not valid|invalid)|(?:invalid|incorrect)[ _](?:x-)?api[- _]?key", re.I)
_WRONG_MODEL = re.compile(
    r"model_?not_?found|invalid[_ ]model|deploymentnotfound|not_found_error.{0,40}model|unknown model"
    r"|(?:model|deployment)\b.{0,120}(?:not found|does(?: not|n't) exist|not exist|is not (?:available|loaded))",
    re.IGNORECASE | re.DOTALL,
)
_MOST_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens as the server counted them."""

    input: int
    output: int
    cached: int


def read_json(data: bytes | str) -> Any:
    """Raises ValueError; also for what is nested too deeply, or holds half of a character."""
    return from_json(data, allow_inf_nan=False)


def read_completion(data: bytes) -> tuple[Reply, Used | None]:
    """The reply, and what it used where the server says so."""
    try:
        return take_completion(read_json(data))
    except ValueError:
        return NO_COMPLETION, None


def take_completion(answer: Any) -> tuple[Reply, Used | None]:
    """As ``read_completion`` has it, from parsed JSON."""
    match answer:
        case {"choices": [{"message": dict() as message} as choice, *_]}:
            reply = _reply(message, choice.get("finish_reason"))
            return replace(reply, words=_words(choice.get("logprobs"))), _used(answer.get("usage"))
        case {"output": [*parts], "status": str(status)}:
            return _response(parts, status, answer.get("incomplete_details")), _used(answer.get("usage"))
    return NO_COMPLETION, None


def _response(parts: list[Any], status: str, incomplete: Any) -> Reply:
    """Of the responses API; what was thought stands in parts of its own."""
    said = [part.get("content") for part in parts if _is(part, "message")]
    content = [piece for pieces in said if isinstance(pieces, list) for piece in pieces]
    reason = incomplete.get("reason") if isinstance(incomplete, dict) else None
    if status == "failed":
        return Reply(problem=tr("the server gave up on the question"))
    return _reply({"content": content or None}, {"max_output_tokens": "length"}.get(str(reason), reason))


def _words(logprobs: Any) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
    """None where the server gives none, or not of this shape."""
    found = []
    match logprobs:
        case {"content": [*tokens]}:
            for token in tokens[:_MOST_WORDS]:
                match token:
                    case {"token": str(word), "top_logprobs": [*others]}:
                        found.append((word, tuple(_likelihoods(others))))
    return tuple(found)


def _likelihoods(others: list[Any]) -> Iterator[tuple[str, float]]:
    for other in others:
        match other:
            case {"token": str(word), "logprob": float() | int() as log} if math.isfinite(log):
                yield word, float(log)


def _reply(message: Mapping[str, Any], finish: object) -> Reply:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    if finish == "content_filter" or message.get("refusal") or any(_is(part, "refusal") for part in parts):
        return DECLINED
    texts = [part["text"] for part in parts if _is(part, "text", "output_text") and isinstance(part.get("text"), str)]
    if isinstance(content, str) or content is None:
        texts = [content or ""]
    if not texts:
        return Reply(problem=tr("the server's answer holds no text"))
    return Reply("".join(texts), finished=finish != "length")


def _is(part: object, *kinds: str) -> bool:
    return isinstance(part, dict) and part.get("type") in kinds


def _used(usage: object) -> Used | None:
    """None where the counts are missing or cannot be counts."""
    match usage:
        case {"prompt_tokens": given, "completion_tokens": written, **rest} if _count(given) and _count(written):
            return Used(given, written, min(_cached(rest), given))
        case {"input_tokens": given, "output_tokens": written, **rest} if _count(given) and _count(written):
            return Used(given, written, min(_cached(rest), given))
    return None


def _cached(usage: Mapping[Any, Any]) -> int:
    """Named differently by OpenAI's two interfaces and by DeepSeek."""
    match usage:
        case {"prompt_tokens_details": {"cached_tokens": cached}} | {"input_tokens_details": {"cached_tokens": cached}}:
            return cached if _count(cached) else 0
        case {"prompt_cache_hit_tokens": cached}:
            return cached if _count(cached) else 0
    return 0


def _count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _MOST_TOKENS


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a server did not answer a question. ``said``: its codes and message, cut."""

    status: int
    said: str

    @classmethod
    def read(cls, status: int, data: bytes) -> Refusal:
        try:
            error = read_json(data)
        except ValueError:
            return cls(status, data[:_SAID_AT_MOST].decode("utf-8", "replace"))
        if isinstance(error, list) and error:  # as Gemini has it
            error = error[0]
        if isinstance(error, dict) and isinstance(error.get("error"), dict | str):
            error = error["error"]
        fields = error if isinstance(error, dict) else {"message": error}
        inner = fields.get("innererror")
        said = [*(fields.get(name) for name in ("code", "type", "status", "param", "message", "detail")), inner]
        return cls(status, " ".join(str(part)[:_SAID_AT_MOST] for part in said if isinstance(part, str | dict | list)))

    @property
    def of_question(self) -> str:
        """Why this question alone is refused, in words that go after "Not checked:"; empty where the form, the key
        or the server may be at fault."""
        if self.status in (400, 413, 422) and _TOO_LONG.search(self.said):
            return tr("too long for the model")
        if self.status in (400, 403, 422, 451) and _FILTERED.search(self.said):
            return tr("the provider's content filter refused the question")
        return ""

    @property
    def of_key(self) -> bool:
        """Gemini answers 400 to a key that it does not know; OpenAI 403 to a question for probabilities."""
        if self.status == 403:
            return not self.of_probabilities
        return self.status == 401 or (self.status == 400 and bool(_WRONG_KEY.search(self.said)))

    @property
    def of_probabilities(self) -> bool:
        return "logprobs" in self.said

    @property
    def of_model(self) -> bool:
        return self.status in (400, 404, 422) and bool(_WRONG_MODEL.search(self.said))

    @property
    def no_credit(self) -> bool:
        return self.status == 402 or (400 <= self.status < 500 and bool(_NO_CREDIT.search(self.said)))
