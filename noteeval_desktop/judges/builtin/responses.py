"""Responses to a client scored on six attributes: the built-in judge's answer to ``respond``."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.response_advice import evidence_of, notices_of, recommendations_of
from noteeval_desktop.judges.builtin.response_features import features_of, is_backchannel
from noteeval_desktop.judges.builtin.response_scores import scores_of
from noteeval_desktop.judges.protocol import Exchange


def score_responses(
    exchanges: Sequence[Exchange], embedder: Embedder, cancel: threading.Event | None = None
) -> Iterator[ResponseVerdict]:
    """One verdict for each response worth judging; within a session back-channels are passed over.

    A response outside a session (``turn`` None) is always judged. Raises Cancelled.
    """
    worth = [exchange for exchange in exchanges if exchange.turn is None or not is_backchannel(exchange.response)]
    for exchange, features in zip(worth, features_of(worth, embedder, cancel), strict=True):
        if cancel is not None and cancel.is_set():
            raise Cancelled
        scores = scores_of(features)
        yield ResponseVerdict(
            turn=exchange.turn,
            scores=tuple(scores.items()),
            crisis=features.crisis,
            evidence=evidence_of(features),
            recommendations=recommendations_of(features, scores),
            notices=notices_of(features),
        )
