"""Responses to a client scored on six attributes: the built-in judge's answer to ``respond``."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.responses.advice import evidence_of, notices_of, recommendations_of
from noteeval_desktop.judges.builtin.responses.features import features_of, is_backchannel
from noteeval_desktop.judges.builtin.responses.scores import scores_of
from noteeval_desktop.judges.builtin.text.language import is_english
from noteeval_desktop.judges.protocol import Exchange

_UNSCORED = tuple((attribute, None) for attribute in Attribute)
_NOT_ENGLISH = "What was said does not read as English; the built-in judge reads English only."


def score_responses(
    exchanges: Sequence[Exchange], embedder: Embedder, cancel: threading.Event | None = None
) -> Iterator[ResponseVerdict]:
    """One verdict for each response worth judging; within a session back-channels are passed over.

    A response outside a session (``turn`` None) is always judged, unless all that was said is in another language:
    then no score is given. Raises Cancelled.
    """
    worth = [exchange for exchange in exchanges if exchange.turn is None or not is_backchannel(exchange.response)]
    if not is_english(" ".join(text for exchange in worth for text in _said(exchange))):
        yield from (ResponseVerdict(exchange.turn, _UNSCORED, notices=(_NOT_ENGLISH,)) for exchange in worth)
        return
    for exchange, features in zip(worth, features_of(worth, embedder, cancel), strict=True):
        if cancel is not None and cancel.is_set():
            raise Cancelled
        scores = scores_of(features)
        yield ResponseVerdict(
            turn=exchange.turn,
            scores=tuple(scores.items()),
            crisis=features.crisis,
            evidence=evidence_of(features, scores),
            recommendations=recommendations_of(features, scores),
            notices=notices_of(features, scores),
        )


def _said(exchange: Exchange) -> Iterator[str]:
    """Its own turns: those of the context belong to the exchanges before it, the last apart."""
    if exchange.context:
        yield exchange.context[-1].text
    yield exchange.response
