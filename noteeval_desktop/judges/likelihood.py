"""How likely a language model finds one note given another, in the form of BARTScore and MedBARTScore.

BARTScore (Yuan et al. 2021): (1/m) Σ log p(y_t | y_<t, x); MedBARTScore (Ben Abacha et al. 2023, 4.3.1) weighs tokens
of clinical terms with 1 + α, here before dividing by m. P: y is the note and x the reference; R: the other way round;
F: their mean. In nats, at most 0. The published scores are those of a BART trained on ParaBank2: with another model the
values are others, so compare only values of one model. It rewards what is usual: a fluent mistake costs little.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.chat import Request, TextLikelihood
from noteeval_desktop.errors import ModelError
from noteeval_desktop.measures.clinical_terms import ClinicalTerms
from noteeval_desktop.measures.vector_metrics import ALPHA

LIKELIHOOD_METRICS = tuple(f"{name}-{part}" for name in ("BARTScore-like", "MedBARTScore-like") for part in "PRF")


@runtime_checkable
class ScoresText(Protocol):
    """A judge whose model can tell how likely it finds a text."""

    @property
    def scores_text(self) -> bool:
        """Whether this model can."""
        ...

    def log_likelihoods(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[TextLikelihood]:
        """Of each request's ``answer``, in order. Raises ModelError, Cancelled."""
        ...


def likelihood_metrics(
    judge: ScoresText, terms: ClinicalTerms, note: str, reference: str, cancel: threading.Event
) -> dict[str, float | None]:
    """The members of ``LIKELIHOOD_METRICS``. Raises ModelError, also where a note is too long for the model."""
    requests = [_request(given=reference, text=note), _request(given=note, text=reference)]
    plain, weighted = [], []
    for text, found in zip((note, reference), judge.log_likelihoods(requests, cancel), strict=True):
        if found.problem or not found.tokens:
            raise ModelError(f"How likely the notes are cannot be told: {found.problem or 'there are no tokens'}.")
        logs = [log for _, log in found.tokens]
        weights = _weights(text, [size for size, _ in found.tokens], terms.find(text))
        plain.append(sum(logs) / len(logs))
        weighted.append(sum(w * log for w, log in zip(weights, logs, strict=True)) / len(logs))
    values = [*plain, sum(plain) / 2, *weighted, sum(weighted) / 2]
    return dict(zip(LIKELIHOOD_METRICS, values, strict=True))


def _request(given: str, text: str) -> Request:
    return Request(
        "You write clinical notes.", f"A note:\n{given}\n\n", "Write the same note in other words.", answer=text
    )


def _weights(text: str, sizes: Sequence[int], spans: Sequence[Span]) -> list[float]:
    """1 + α for tokens of so many bytes that share a byte with a term; some vocabularies put a space before all."""
    at = len(text.encode("utf-8", "replace")) - sum(sizes)
    if at not in (0, -1):
        raise ModelError("How likely the notes are cannot be told: the model's tokens do not spell them.")
    clinical = bytearray(sum(sizes) + 1)
    for span in spans:
        start, end = (len(text[:place].encode("utf-8", "replace")) for place in (span.start, span.end))
        clinical[start:end] = b"\x01" * (end - start)
    weights = []
    for size in sizes:
        weights.append(1 + ALPHA * any(clinical[max(at, 0) : at + size]))
        at += size
    return weights
