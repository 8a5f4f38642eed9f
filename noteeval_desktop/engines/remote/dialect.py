"""What an OpenAI-compatible server understands: they differ, and say so only by refusing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from noteeval_desktop.engines.chat import Request

FORMATS = ("json_schema", "json_object_schema", "json_object", "text")


@dataclass(frozen=True, slots=True)
class Dialect:
    """``format`` indexes FORMATS, from the strictest; servers that refuse one are asked in the next."""

    format: int = 0
    tokens: str = "max_tokens"
    temperature: bool = True

    def parameters(self, model: str, request: Request) -> dict[str, Any]:
        """The body of a chat completion. The shared prefix comes first, so that providers can cache it."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": "\n\n".join(part for part in (request.prefix, request.question) if part)},
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
            case "json_schema":
                return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}
            case "json_object_schema":
                return {"type": "json_object", "schema": dict(schema)}
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
