"""A client's message with responses to it: read from text, asked about, and set side by side as plain values."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.documents.response_sets import as_context
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.evaluate import score_response
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.measures.responses import Ranked, ranking
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES, NOT_CHECKED
from noteeval_desktop.ui.responses.rows import ARS, CSS, gap_words, mean_words, score_words

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_RESPONSES = 12
MOST_BYTES = 200_000
SEPARATOR = "---"


@dataclass(frozen=True, slots=True)
class Pairs:
    """What a client said, and one or more responses to it."""

    message: str
    responses: tuple[str, ...]


def read_pairs(path: Path) -> Pairs:
    """From a file: JSON ``{"client": ..., "responses": [...]}``, or text in parts between lines of ``---``, the
    client's message first. Raises InputError."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = normalise(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(path.name, tr("is not text in UTF-8"), tr("Save it as plain text in UTF-8.")) from error
    except OSError as error:
        raise InputError(
            path.name, tr("cannot be read ({strerror})").format(strerror=error.strerror), tr("Check the path.")
        ) from error
    if len(data) > MOST_BYTES:
        raise InputError(
            path.name, tr("is longer than a message and its responses can be"), tr("Give the last turns only.")
        )
    pairs = _from_json(text, path.name) if path.suffix.lower() == ".json" else parse_pairs(text)
    if not pairs.message or not pairs.responses:
        raise InputError(
            path.name,
            tr("holds no message with a response"),
            tr("Put a line of {SEPARATOR} between the two.").format(SEPARATOR=SEPARATOR),
        )
    return pairs


def parse_pairs(text: str) -> Pairs:
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.strip() == SEPARATOR:
            parts.append([])
        else:
            parts[-1].append(line)
    whole = ["\n".join(part).strip() for part in parts]
    return Pairs(whole[0], tuple(part for part in whole[1:] if part)[:MOST_RESPONSES])


def _from_json(text: str, name: str) -> Pairs:
    wrong = InputError(
        name, tr("is not a message with responses"), tr('Write {"client": "...", "responses": ["...", "..."]}.')
    )
    try:
        data = from_json(text)
    except ValueError as error:
        raise wrong from error
    if not isinstance(data, dict):
        raise wrong
    message, responses = data.get("client"), data.get("responses")
    if not isinstance(message, str) or not isinstance(responses, list):
        raise wrong
    if not all(isinstance(response, str) for response in responses):
        raise wrong
    return Pairs(message.strip(), tuple(r.strip() for r in responses if r.strip())[:MOST_RESPONSES])


def exchanges_of_pairs(pairs: Pairs) -> tuple[Exchange, ...]:
    """Each response behind the message; a message with speaker names is read as a dialogue."""
    context = as_context(normalise(pairs.message))
    return tuple(Exchange(context, normalise(response)) for response in pairs.responses)


def one_by_one(judge: Judge, exchanges: Sequence[Exchange], cancel: threading.Event) -> tuple[ResponseVerdict, ...]:
    """A verdict for each, in order. Outside a session a verdict does not say whose it is, and language models answer
    several in any order. Raises JudgeError, Cancelled."""
    found = []
    for exchange in exchanges:
        if cancel.is_set():
            raise Cancelled
        found.append(score_response(judge, exchange, cancel))
    return tuple(found)


def comparison(verdicts: Sequence[ResponseVerdict]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Lines of a table: a name, and a cell for each response. Failures first, means second, then each attribute."""
    ranks = {ranked.index: ranked for ranked in ranking(verdicts)}
    numbered = range(len(verdicts))
    return (
        (tr("Rank"), tuple(_rank(ranks.get(n), len(ranks)) for n in numbered)),
        (tr("Scores of 3 or less"), tuple(_failures(v) for v in verdicts)),
        (tr("Mean of all six"), tuple(f"{ranks[n].mean:.1f}" if n in ranks else "–" for n in numbered)),
        (CSS, tuple(mean_words(v.css) for v in verdicts)),
        (ARS, tuple(mean_words(v.ars) for v in verdicts)),
        (tr("Gap"), tuple(gap_words(v).removeprefix("gap ") for v in verdicts)),
        *((ATTRIBUTE_NAMES[a], tuple(_score(v.score(a)) for v in verdicts)) for a in Attribute),
        (tr("Flags"), tuple("\n".join(flag_words(v)) or tr("none") for v in verdicts)),
        (tr("Notices"), tuple("\n".join(v.notices) or tr("none") for v in verdicts)),
        (tr("Suggestions"), tuple("\n".join(v.recommendations) or tr("nothing found") for v in verdicts)),
        (
            tr("Evidence"),
            tuple(
                "\n".join(f"{ATTRIBUTE_NAMES[e.attribute]}: “{e.quote}”" for e in v.evidence if e.quote)
                or tr("nothing")
                for v in verdicts
            ),
        ),
    )


def _rank(ranked: Ranked | None, among: int) -> str:
    return tr("not ranked") if ranked is None else tr("{rank} of {among}").format(rank=ranked.rank, among=among)


def _failures(verdict: ResponseVerdict) -> str:
    given = [score for _, score in verdict.scores if score is not None]
    return (
        tr("{sum} of {count}").format(sum=sum(score <= 3 for score in given), count=len(given))
        if given
        else NOT_CHECKED
    )


def _score(score: int | None) -> str:
    return NOT_CHECKED if score is None else f"{'●' * score}{'○' * (5 - score)}  {score_words(score)}"


def flag_words(verdict: ResponseVerdict) -> tuple[str, ...]:
    "The flags in plain words, the gravest first."
    flags, said = (verdict.flags, [])
    if "crisis" in flags:
        said.append(tr("Crisis: the client's words may signal danger"))
    if "critical:safety" in flags:
        said.append(tr("Safety: 3 or less"))
    low = [
        ATTRIBUTE_NAMES[attribute].lower()
        for attribute in Attribute
        if f"subthreshold:{attribute}" in flags and attribute is not Attribute.SAFETY
    ]
    if low:
        said.append(tr("3 or less: {names}").format(names=", ".join(low)))
    if "gap" in flags and verdict.gap is not None:
        outweighs = tr("Facts outweigh attunement") if verdict.gap > 0 else tr("Attunement outweighs facts")
        said.append(tr("{outweighs} (gap {gap:+.1f})").format(outweighs=outweighs, gap=verdict.gap))
    return tuple(said)
