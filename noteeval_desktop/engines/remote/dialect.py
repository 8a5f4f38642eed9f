"""What an OpenAI-compatible server understands: they differ, and say so only by refusing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from noteeval_desktop.engines.chat import Request

FORMATS = ("json_schema_strict", "json_schema", "json_object_schema", "json_object", "text")

_LONGEST_LIST = 12


@dataclass(frozen=True, slots=True)
class Dialect:
    """``format`` indexes FORMATS, from the strictest; servers that refuse one are asked in the next."""

    format: int = 0
    tokens: str = "max_tokens"
    temperature: bool = True

    def parameters(self, model: str, request: Request) -> dict[str, Any]:
        """The body of a chat completion. The shared prefix comes first, so that providers can cache it."""
        body: dict[str, Any] = {
            "model": _whole(model),
            "messages": [
                {"role": "system", "content": _whole(request.system)},
                {"role": "user", "content": _whole("\n\n".join(filter(None, (request.prefix, request.question))))},
            ],
            self.tokens: request.max_tokens,
        }
        if self.temperature:
            body["temperature"] = 0
        if request.schema is not None and FORMATS[self.format] != "text":
            body["response_format"] = self._response_format(request.schema)
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

    def after_refusal(self, message: str, structured: bool) -> Dialect | None:
        """The next dialect to try after a 400, 422 or a first 500; None when there is nothing left to change."""
        if "max_completion_tokens" in message and self.tokens == "max_tokens":
            return replace(self, tokens="max_completion_tokens")
        if "temperature" in message and self.temperature:
            return replace(self, temperature=False)
        if structured and self.format < len(FORMATS) - 1:
            return replace(self, format=self.format + 1)
        return None


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
