"""What a model may answer, read strictly: ``"false"`` is not true, 7 is not on a scale of 5, prose is no answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Turn

REASON_LENGTH = 150
# Servers that do not tell thoughts from answers send both: LM Studio, vLLM without a parser for them.
_THOUGHT = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)


def _whole_number(value: object) -> object:
    """For Python, and so for a literal's check, True equals 1 and 4.0 equals 4."""
    if type(value) is not int:
        raise ValueError("must be a whole number")
    return value


Score = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)]
A = TypeVar("A", bound=BaseModel)


class Strict(BaseModel):
    # Built when first used: all at once would hold up the window for a tenth of a second, from any thread.
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class CoverAnswer(Strict):
    item: int
    covered: bool
    sentences: list[int] = Field(default_factory=list, max_length=60)


class CoverAnswers(Strict):
    answers: list[CoverAnswer]


class NeedAnswer(Strict):
    n: int
    items: list[int] = Field(max_length=12)


class NeedAnswers(Strict):
    sentences: list[NeedAnswer]


class Quote(Strict):
    turn: int
    quote: str = Field(min_length=1, max_length=600)


class ClaimAnswer(Strict):
    n: int
    label: Literal["supported", "contradicted", "unsupported", "observed"]
    citations: list[Quote] = Field(default_factory=list, max_length=6)
    reason: str = Field(max_length=2 * REASON_LENGTH)
    severity: Literal["none", "low", "medium", "high"]


class ClaimAnswers(Strict):
    claims: list[ClaimAnswer]


class OmissionAnswer(Strict):
    turn: int
    quote: str = Field(min_length=1, max_length=600)
    kind: Literal[
        "risk", "symptom", "medication", "substance", "history", "goal", "homework", "intervention", "plan", "scale"
    ]
    severity: Literal["low", "medium", "high"]
    reason: str = Field(max_length=2 * REASON_LENGTH)


class OmissionAnswers(Strict):
    omissions: list[OmissionAnswer] = Field(max_length=40)


class EvidenceAnswer(Strict):
    attribute: Literal["guidance", "informativeness", "safety", "empathy", "helpfulness", "interpretation"]
    quote: str = Field(min_length=1, max_length=600)
    comment: str = Field(default="", max_length=300)


class ResponseAnswer(Strict):
    n: int
    crisis: bool
    safety: Score
    guidance: Score
    informativeness: Score
    empathy: Score
    helpfulness: Score
    interpretation: Score
    evidence: list[EvidenceAnswer] = Field(default_factory=list, max_length=12)
    recommendations: list[Annotated[str, Field(max_length=300)]] = Field(default_factory=list, max_length=4)


class ResponseAnswers(Strict):
    responses: list[ResponseAnswer]


class AnswerError(ValueError):
    """An answer that cannot be used; ``str()`` says why, in words that a model can act on."""


def read_answer(kind: type[A], text: str, finished: bool) -> A:
    """Read one JSON object, bare or in a code fence, behind what the model thought aloud, if it did. Raises
    AnswerError."""
    if not finished:
        raise AnswerError("it was cut off")
    thought = _THOUGHT.match(text)
    text = text[thought.end() :] if thought else text
    fenced = re.fullmatch(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", text, re.DOTALL)
    try:
        data = json.loads(fenced.group(1) if fenced else text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise AnswerError("it was not JSON") from error
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "the whole"
        raise AnswerError(f"{where}: {first['msg']}") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def schema_of(kind: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of an answer."""
    return kind.model_json_schema()


def locate(turn: Turn, quote: str) -> Citation | None:
    """Find a copied passage in its turn, white space and quotation marks aside; None when it is not there."""
    words = quote.strip().strip("\"'“”‘’… .").split()
    if not words:
        return None
    pattern = r"\s+".join(_loose(word) for word in words)
    found = re.search(pattern, turn.text, re.IGNORECASE)
    if not found:
        return None
    return Citation(turn.index, Span(found.start(), found.end()), found.group())


def _loose(word: str) -> str:
    return "".join("['’‘]" if char in "'’‘" else '["“”]' if char in '"“”' else re.escape(char) for char in word)
