"""The JSON schemas of answers, made for what is asked: an answer cannot be about anything else, nor leave any out.

By hand rather than by pydantic's leave: titles, descriptions and references were a quarter of what was sent. Kept to
what grammars and ``strict`` servers honour: every property required, no other allowed, enums instead of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noteeval_desktop.domain.plan import GoalProgress
from noteeval_desktop.domain.remarks import Private
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.verdicts import Attribute, OmissionKind, Severity
from noteeval_desktop.judges.llm.answers import LABELS, LONGEST_QUOTE, REASON_LENGTH

Schema = Mapping[str, Any]
_YES_OR_NO: Schema = {"type": "boolean"}
_SCORE: Schema = {"enum": [1, 2, 3, 4, 5]}
_QUOTE: Schema = {"type": "string", "maxLength": LONGEST_QUOTE}
_SEVERITIES = [severity.value for severity in Severity]


def cover(numbers: Sequence[int], sentences: int) -> Schema:
    """Of the items ``numbers``, by a section of so many sentences."""
    own = _list(_one_of(range(1, sentences + 1)), 0, sentences)
    return _answers("answers", numbers, item=_one_of(numbers), covered=_YES_OR_NO, sentences=own)


def need(numbers: Sequence[int], items: int) -> Schema:
    own = _list(_one_of(range(1, items + 1)), 0, min(items, 12))
    return _answers("sentences", numbers, n=_one_of(numbers), items=own)


def claims(numbers: Sequence[int], turns: Sequence[int]) -> Schema:
    """``turns``: as a model names them, those that it is shown."""
    # Any whole number for its turn: the list of them once more would be as long as a claim, and the reader looks.
    wrong = _object(words=_QUOTE, turn={"type": "integer"}, quote=_QUOTE, instead=_text(REASON_LENGTH))
    return _answers(
        "claims",
        numbers,
        n=_one_of(numbers),
        label={"enum": list(LABELS)},
        citations=_list(_object(turn=_one_of(turns), quote=_QUOTE), 0, 6),
        wrong=_list(wrong, 0, 6),
        seen=_QUOTE,
        reason=_text(REASON_LENGTH),
        severity={"enum": _SEVERITIES},
    )


def search(limit: int, turns: Sequence[int], sentences: int) -> Schema:
    danger = _object(
        turn=_one_of(turns),
        quote=_QUOTE,
        kind={"enum": [kind.value for kind in RiskKind]},
        meant={"enum": [stance.value for stance in Stance]},
        told_in=_list(_one_of(range(1, sentences + 1)), 0, min(sentences, 6)),
    )
    omission = _object(
        turn=_one_of(turns),
        quote=_QUOTE,
        kind={"enum": [kind.value for kind in OmissionKind]},
        severity={"enum": [severity for severity in _SEVERITIES if severity != Severity.NONE]},
        reason=_text(REASON_LENGTH),
    )
    return _object(dangers=_list(danger, 0, limit), omissions=_list(omission, 0, limit))


def plan(turns: Sequence[int], sentences: int, lines: int) -> Schema:
    own = _list(_one_of(range(1, lines + 1)), 1, min(lines, 4))
    goes = {"enum": [one.value for one in GoalProgress]}
    said = _object(n=_one_of(range(1, sentences + 1)), lines=own, progress=goes)
    return _object(
        sentences=_list(said, 0, sentences),
        # Of a note without a session there is none to name, and no enum is empty.
        turns=_list(_object(turn=_one_of(turns or (1,)), lines=own), 0, min(len(turns), 20)),
    )


def private(sentences: int) -> Schema:
    said = _object(n=_one_of(range(1, sentences + 1)), why={"enum": [why.value for why in Private]})
    return _object(sentences=_list(said, 0, sentences))


def responses(numbers: Sequence[int]) -> Schema:
    scores = {attribute.value: _SCORE for attribute in Attribute}
    evidence = _object(attribute={"enum": list(scores)}, quote=_QUOTE, comment=_text(300))
    return _answers(
        "responses",
        numbers,
        n=_one_of(numbers),
        crisis=_YES_OR_NO,
        **scores,
        evidence=_list(evidence, 0, 12),
        recommendations=_list(_text(300), 0, 4),
    )


def marks(*names: str) -> Schema:
    return _object(**dict.fromkeys(names, _SCORE))


def _answers(name: str, numbers: Sequence[int], **entry: Schema) -> Schema:
    return _object(**{name: _list(_object(**entry), len(numbers), len(numbers))})


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(entry: Schema, least: int, most: int) -> Schema:
    return {"type": "array", "items": entry, "minItems": least, "maxItems": most}


def _one_of(numbers: Sequence[int]) -> Schema:
    return {"type": "integer", "enum": list(numbers)}


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}
