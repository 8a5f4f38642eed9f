"""What a model may answer, read strictly: ``"false"`` is not true, 7 is not on a scale of 5, prose is no answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from noteeval_desktop.domain.plan import GoalProgress
from noteeval_desktop.domain.remarks import Private
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Turn
from noteeval_desktop.domain.verdicts import OmissionKind, Verdict
from noteeval_desktop.engines.chat import without_thought

REASON_LENGTH = 150
LONGEST_QUOTE = 600
MOST_PLAN_TURNS, MOST_PLAN_LINES = 20, 4
_MOST = 1_000_000


def _whole_number(value: object) -> object:
    """For Python, and so for a literal's check, True equals 1 and 4.0 equals 4."""
    if type(value) is not int:
        raise ValueError("must be a whole number")
    return value


def _number(value: int) -> int:
    """A number of something asked about; it is repeated in what the model and the user are told."""
    if abs(value) >= _MOST:
        raise ValueError("is not a number that was asked about")
    return value


def _plain(text: str) -> str:
    """On one line, without characters that turn the line round, end a file early or that no PDF takes."""
    return "".join(character if character.isprintable() else " " for character in text)


# What a model may say of a sentence. ``inferred`` is supported, ``partly`` an error, ``no_claim`` no verdict.
INFERRED, PARTLY, NO_CLAIM = "inferred", "partly", "no_claim"
BORNE_OUT = (Verdict.SUPPORTED.value, INFERRED)
LABELS = (
    *(Verdict.SUPPORTED.value, INFERRED, PARTLY),
    *(Verdict.CONTRADICTED.value, Verdict.UNSUPPORTED.value, Verdict.OBSERVED.value, NO_CLAIM),
)
Score = Annotated[Literal[1, 2, 3, 4, 5], BeforeValidator(_whole_number)]
# Validators, not bounds and patterns: those would stand in the schema, which not all servers take.
Number = Annotated[int, AfterValidator(_number)]
Words = Annotated[str, AfterValidator(_plain)]
# A model names turns as it was shown them, from 1.
TurnIndex = Annotated[Number, AfterValidator(lambda number: number - 1)]
# mypy reads no computed literals.
if TYPE_CHECKING:
    Label = str
    LeftOut = str
    DangerKind = str
    Meant = str
    Progress = str
    Why = str
else:
    Label = Literal[LABELS]
    LeftOut = Literal[tuple(kind.value for kind in OmissionKind)]
    DangerKind = Literal[tuple(kind.value for kind in RiskKind)]
    Meant = Literal[tuple(stance.value for stance in Stance)]
    Progress = Literal[tuple(progress.value for progress in GoalProgress)]
    Why = Literal[tuple(why.value for why in Private)]
A = TypeVar("A", bound=BaseModel)


class Strict(BaseModel):
    # Built when first used: all at once would hold up the window for a tenth of a second, from any thread.
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class CoverAnswer(Strict):
    item: Number
    covered: bool
    sentences: list[Number] = Field(default_factory=list, max_length=60)


class CoverAnswers(Strict):
    answers: list[CoverAnswer]


class NeedAnswer(Strict):
    n: Number
    items: list[Number] = Field(max_length=12)


class NeedAnswers(Strict):
    sentences: list[NeedAnswer]


class Quote(Strict):
    turn: TurnIndex
    quote: str = Field(min_length=1, max_length=LONGEST_QUOTE)


class WrongAnswer(Strict):
    """``turn`` is -1, and ``quote`` empty, where the session has nothing."""

    words: str = Field(min_length=1, max_length=LONGEST_QUOTE)
    turn: TurnIndex
    quote: str = Field(max_length=LONGEST_QUOTE)
    instead: Words = Field(max_length=REASON_LENGTH)


class ClaimAnswer(Strict):
    n: Number
    label: Label
    citations: list[Quote] = Field(default_factory=list, max_length=6)
    wrong: list[WrongAnswer] = Field(default_factory=list, max_length=6)
    seen: str = Field(default="", max_length=LONGEST_QUOTE)
    reason: Words = Field(max_length=2 * REASON_LENGTH)
    severity: Literal["none", "low", "medium", "high"]


class ClaimAnswers(Strict):
    claims: list[ClaimAnswer]


class OmissionAnswer(Quote):
    kind: LeftOut
    severity: Literal["low", "medium", "high"]
    reason: Words = Field(max_length=2 * REASON_LENGTH)


class DangerAnswer(Quote):
    kind: DangerKind
    meant: Meant
    told_in: list[Number] = Field(default_factory=list, max_length=12)


class SearchAnswers(Strict):
    dangers: list[DangerAnswer] = Field(max_length=40)
    omissions: list[OmissionAnswer] = Field(max_length=40)


class PlanSentenceAnswer(Strict):
    n: Number
    lines: list[Number] = Field(max_length=MOST_PLAN_LINES)
    progress: Progress


class PlanTurnAnswer(Strict):
    turn: TurnIndex
    lines: list[Number] = Field(max_length=MOST_PLAN_LINES)


class PlanAnswers(Strict):
    sentences: list[PlanSentenceAnswer]
    turns: list[PlanTurnAnswer] = Field(max_length=2 * MOST_PLAN_TURNS)


class PrivateAnswer(Strict):
    n: Number
    why: Why


class PrivateAnswers(Strict):
    sentences: list[PrivateAnswer]


class EvidenceAnswer(Strict):
    attribute: Literal["guidance", "informativeness", "safety", "empathy", "helpfulness", "interpretation"]
    quote: str = Field(min_length=1, max_length=LONGEST_QUOTE)
    comment: Words = Field(default="", max_length=300)


class ResponseAnswer(Strict):
    n: Number
    crisis: bool
    safety: Score
    guidance: Score
    informativeness: Score
    empathy: Score
    helpfulness: Score
    interpretation: Score
    evidence: list[EvidenceAnswer] = Field(default_factory=list, max_length=12)
    recommendations: list[Annotated[Words, Field(max_length=300)]] = Field(default_factory=list, max_length=4)


class ResponseAnswers(Strict):
    responses: list[ResponseAnswer]


class AnswerError(ValueError):
    """An answer that cannot be used; ``str()`` says why, in words that a model can act on."""


def read_answer(kind: type[A], text: str, finished: bool) -> A:
    """Read one JSON object, bare or in a code fence, behind what the model thought aloud, if it did. Raises
    AnswerError."""
    if not finished:
        raise AnswerError("it was cut off")
    try:
        data = from_json(_unfenced(without_thought(text)).encode("utf-8", "replace"), allow_inf_nan=False)
    except ValueError as error:
        raise AnswerError("it was not JSON") from error
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        steps, said = first["loc"], first["msg"]
        if first["type"] == "extra_forbidden":  # named by the model, as long as it likes
            steps, said = steps[:-1], "it holds a field that was not asked for"
        where = ".".join(str(step) for step in steps) or "the whole"
        raise AnswerError(f"{where}: {said}") from error


def _unfenced(text: str) -> str:
    """By hand: a pattern for it takes hours over an answer of white space."""
    text = text.strip()
    if len(text) < 6 or not text.startswith("```") or not text.endswith("```"):
        return text
    first, _, rest = text[3:-3].partition("\n")
    return rest if first.strip() in ("", "json") else text


def locate(turn: Turn, quote: str) -> Citation | None:
    """Find a copied passage in its turn, white space and quotation marks aside; None when it is not there."""
    place = stretch(turn.text, quote)
    return None if place is None else Citation(turn.index, place, place.of(turn.text))


def stretch(text: str, copied: str) -> Span | None:
    """Where ``copied`` stands in ``text``, as whole words where it does; as in ``locate``."""
    words = copied.strip().strip("\"'“”‘’… .").split()
    pattern = r"\s+".join(_loose(word) for word in words)
    whole = rf"(?<!\w){pattern}(?!\w)"
    found = words and (re.search(whole, text, re.IGNORECASE) or re.search(pattern, text, re.IGNORECASE))
    return Span(found.start(), found.end()) if found else None


def _loose(word: str) -> str:
    return "".join("['’‘]" if char in "'’‘" else '["“”]' if char in '"“”' else re.escape(char) for char in word)
