"""What a server sends for a chat completion, read without trust: of whatever shape, it is a reply or a plain reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from noteeval_desktop.engines.chat import Reply

NO_COMPLETION = Reply(problem="the endpoint's answer was not a chat completion")
DECLINED = Reply(problem="the model declined to answer")
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
            return _reply(message, choice.get("finish_reason")), _used(answer.get("usage"))
    return NO_COMPLETION, None


def _reply(message: Mapping[str, Any], finish: object) -> Reply:
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    if finish == "content_filter" or message.get("refusal") or any(_is(part, "refusal") for part in parts):
        return DECLINED
    texts = [part["text"] for part in parts if _is(part, "text", "output_text") and isinstance(part.get("text"), str)]
    if isinstance(content, str) or content is None:
        texts = [content or ""]
    if not texts:
        return Reply(problem="the endpoint's answer holds no text")
    return Reply("".join(texts), finished=finish != "length")


def _is(part: object, *kinds: str) -> bool:
    return isinstance(part, dict) and part.get("type") in kinds


def _used(usage: object) -> Used | None:
    """None where the counts are missing or cannot be counts."""
    match usage:
        case {"prompt_tokens": given, "completion_tokens": written, **rest} if _count(given) and _count(written):
            match rest.get("prompt_tokens_details"):
                case {"cached_tokens": cached} if _count(cached):
                    return Used(given, written, min(cached, given))
            return Used(given, written, 0)
    return None


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
        if isinstance(error, dict) and isinstance(error.get("error"), dict | str):
            error = error["error"]
        fields = error if isinstance(error, dict) else {"message": error}
        inner = fields.get("innererror")
        said = [*(fields.get(name) for name in ("code", "type", "param", "message", "detail")), inner]
        return cls(status, " ".join(str(part)[:_SAID_AT_MOST] for part in said if isinstance(part, str | dict)))

    @property
    def of_question(self) -> str:
        """Why this question alone is refused, in words that go after "Not judged:"; empty where the form, the key
        or the server may be at fault."""
        if self.status in (400, 413, 422) and _TOO_LONG.search(self.said):
            return "too long for the model"
        if self.status in (400, 403, 422, 451) and _FILTERED.search(self.said):
            return "the provider's content filter refused the question"
        return ""

    @property
    def no_credit(self) -> bool:
        return self.status == 402 or (400 <= self.status < 500 and bool(_NO_CREDIT.search(self.said)))
