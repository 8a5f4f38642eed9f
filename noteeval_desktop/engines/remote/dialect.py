"""What an OpenAI-compatible server understands: they differ, and say so only by refusing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from noteeval_desktop.engines.chat import Request

API_VERSION = "api-version="
FORMATS = ("json_schema_strict", "json_schema", "json_object_schema", "json_object", "text")
# How many of the likeliest words an answer of yes or no is asked with; the fewer are what some servers give at most.
_FEW = 5
_ALTERNATIVES = (20, _FEW, 0)
# For a model that thinks before it answers, and once more for one that thought longer than that.
THINKING_TOKENS, MORE_THINKING = 2_000, 12_000
_LONGEST_LIST = 12
_RESPONSES_ONLY = re.compile(r"v1/responses|responses api|not a chat model", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """``format`` indexes FORMATS, from the strictest; servers that refuse one are asked in the next.

    ``responses``: by the responses API, where a model is not had by chat completions. ``thinks``: the answer gets room
    for what is thought before it. ``effort``: a model that takes it is asked to think little. ``alternatives``: with
    how many of the likeliest words a yes or no (and, with few, a weighed field) is asked for; 0: in plain words.
    """

    format: int = 0
    tokens: str = "max_tokens"
    temperature: bool = True
    responses: bool = False
    thinks: bool = False
    effort: bool = False
    alternatives: int = _ALTERNATIVES[0]

    def parameters(self, model: str, request: Request, room: int = 0) -> dict[str, Any]:
        """The body of a question; ``room``: tokens on top of the answer's. The shared prefix comes first, so that
        providers can cache it."""
        system, user = _whole(request.system), _whole("\n\n".join(filter(None, (request.prefix, request.question))))
        limit = request.max_tokens + room + (THINKING_TOKENS if self.thinks else 0)
        return (
            self._response(model, system, user, limit, request)
            if self.responses
            else (self._completion(model, system, user, limit, request))
        )

    def _completion(self, model: str, system: str, user: str, limit: int, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": _whole(model),
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            self.tokens: limit,
        }
        if self.temperature:
            body["temperature"] = 0
        if self.effort:
            body["reasoning_effort"] = "low"
        if request.yes_no and self.alternatives:
            body |= {"logprobs": True, "top_logprobs": self.alternatives}
        elif request.weighed and self.alternatives:  # told of every word of a long answer
            body |= {"logprobs": True, "top_logprobs": min(self.alternatives, _FEW)}
        if request.schema is not None and FORMATS[self.format] != "text":
            body["response_format"] = self._response_format(request.schema)
        return body

    def _response(self, model: str, system: str, user: str, limit: int, request: Request) -> dict[str, Any]:
        """Kept nowhere: the provider would otherwise store it for a month."""
        body: dict[str, Any] = {
            "model": _whole(model),
            "instructions": system,
            "input": user,
            "max_output_tokens": limit,
            "store": False,
        }
        if self.effort:
            body["reasoning"] = {"effort": "low"}
        if request.schema is not None and self.format < FORMATS.index("json_object"):
            form = {"type": "json_schema", "name": "answer", "schema": _sendable(request.schema)}
            body["text"] = {"format": form | ({"strict": True} if self.format == 0 else {})}
        return body

    def _response_format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        match FORMATS[self.format]:
            case "json_schema_strict":
                answer = {"name": "answer", "strict": True, "schema": _sendable(schema)}
                return {"type": "json_schema", "json_schema": answer}
            case "json_schema":
                return {"type": "json_schema", "json_schema": {"name": "answer", "schema": _sendable(schema)}}
            case "json_object_schema":
                return {"type": "json_object", "schema": _sendable(schema)}
            case _:
                return {"type": "json_object"}

    def after_refusal(self, message: str, request: Request) -> Dialect | None:
        """The next dialect to try after a 400, 404, 422 or a first 500; None when there is nothing left to change."""
        if not self.responses and _RESPONSES_ONLY.search(message):
            return replace(self, responses=True, thinks=True, effort=True)
        if self.effort and ("reasoning_effort" in message or "reasoning.effort" in message):
            return replace(self, effort=False)
        if "max_completion_tokens" in message and self.tokens == "max_tokens":
            # Only models that think ask for it by name.
            return replace(self, tokens="max_completion_tokens", thinks=True, effort=True)
        if "temperature" in message and self.temperature:
            return replace(self, temperature=False)
        named = "logprobs" in message.lower()
        if (request.yes_no or (request.weighed and named)) and self.alternatives and not self.responses:
            fewer = _ALTERNATIVES[_ALTERNATIVES.index(self.alternatives) + 1]
            return replace(self, alternatives=fewer if named and "top_logprobs" in message else 0)
        if request.schema is not None and self.format < len(FORMATS) - 1:
            return replace(self, format=self.format + 1)
        if request.weighed and self.alternatives and not self.responses:
            return replace(self, format=0, alternatives=0)
        return None

    def after_silence(self) -> Dialect:
        """Once a model has used up its answer without a word of it: it thinks."""
        return replace(self, thinks=True)


_STRICTEST = Dialect()


@dataclass(frozen=True, slots=True)
class Provider:
    """``hosts``: how its hosts' names end. ``header``: which one carries the key, behind ``scheme``. ``dialect``: how
    it is asked first; what it refuses is asked in a plainer one. ``versioned``: its addresses name an API version, by
    which it is known under any name."""

    hosts: tuple[str, ...] = ()
    header: str = "Authorization"
    scheme: str = "Bearer "
    dialect: Dialect = _STRICTEST
    versioned: bool = False

    def authorisation(self, key: str) -> list[tuple[str, str]]:
        """The headers that a request needs; none without a key."""
        return [(self.header, self.scheme + key)] if key else []


ANY = Provider()
AZURE = Provider(
    (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com"), "api-key", "", versioned=True
)
PROVIDERS = (AZURE,)


def provider_of(address: str) -> Provider:
    parts = urlsplit(address)
    version, host = parts.query.startswith(API_VERSION), parts.hostname or ""
    return next((one for one in PROVIDERS if host.endswith(one.hosts) or (version and one.versioned)), ANY)


def _sendable(schema: Any) -> Any:
    """Without what strict servers refuse (lengths of texts), and without long lists of numbers, which are tokens: a
    number that was not asked about is found when the answer is read."""
    if isinstance(schema, Mapping):
        if len(schema.get("enum", ())) > _LONGEST_LIST and schema.get("type") == "integer":
            return {"type": "integer"}
        return {name: _sendable(value) for name, value in schema.items() if name not in ("maxLength", "minLength")}
    return [_sendable(value) for value in schema] if isinstance(schema, list) else schema


def _whole(text: str) -> str:
    """Half of a character, which no encoder knows, becomes "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")
