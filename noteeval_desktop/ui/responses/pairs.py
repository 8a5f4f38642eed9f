"""A client's message with responses to it: read from text, asked about, and set side by side as plain values."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.documents.response_sets import as_context
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.evaluate import score_response
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.measures.responses import Ranked, ranking
from noteeval_desktop.present.vocabulary import ATTRIBUTE_NAMES
from noteeval_desktop.ui.responses import words

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
        raise InputError(path.name, words.NOT_UTF8, words.SAVE_AS_UTF8) from error
    except OSError as error:
        raise InputError(path.name, words.not_readable(error.strerror), words.CHECK_THE_PATH) from error
    if len(data) > MOST_BYTES:
        raise InputError(path.name, words.TOO_LONG, words.LAST_TURNS_ONLY)
    pairs = _from_json(text, path.name) if path.suffix.lower() == ".json" else parse_pairs(text)
    if not pairs.message or not pairs.responses:
        raise InputError(path.name, words.NO_RESPONSE_IN_IT, words.put_a_line(SEPARATOR))
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
    wrong = InputError(name, words.NOT_A_MESSAGE, words.MESSAGE_EXAMPLE)
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
        (words.RANK, tuple(_rank(ranks.get(n), len(ranks)) for n in numbered)),
        (words.LOW_SCORES, tuple(_failures(v) for v in verdicts)),
        (words.MEAN_OF_ALL, tuple(f"{ranks[n].mean:.1f}" if n in ranks else "–" for n in numbered)),
        (words.CSS, tuple(words.mean_words(v.css) for v in verdicts)),
        (words.ARS, tuple(words.mean_words(v.ars) for v in verdicts)),
        (words.GAP, tuple(words.gap_words(v).removeprefix("gap ") for v in verdicts)),
        *((ATTRIBUTE_NAMES[a], tuple(_score(v.score(a)) for v in verdicts)) for a in Attribute),
        (words.FLAGS, tuple("\n".join(words.flag_words(v)) or "none" for v in verdicts)),
        (words.NOTICES, tuple("\n".join(v.notices) or "none" for v in verdicts)),
        (words.SUGGESTIONS, tuple("\n".join(v.recommendations) or words.NOTHING_FOUND for v in verdicts)),
        (
            words.EVIDENCE,
            tuple(
                "\n".join(f"{ATTRIBUTE_NAMES[e.attribute]}: “{e.quote}”" for e in v.evidence if e.quote) or "nothing"
                for v in verdicts
            ),
        ),
    )


def _rank(ranked: Ranked | None, among: int) -> str:
    return words.NOT_RANKED if ranked is None else words.rank(ranked.rank, among)


def _failures(verdict: ResponseVerdict) -> str:
    given = [score for _, score in verdict.scores if score is not None]
    return words.rank(sum(score <= 3 for score in given), len(given)) if given else words.NOT_JUDGED


def _score(score: int | None) -> str:
    return words.NOT_JUDGED if score is None else f"{'●' * score}{'○' * (5 - score)}  {words.score_words(score)}"
