"""Which sentences of a session mean danger without its words: screened in their passages, decided on their own."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.head import RiskHead
from noteeval_desktop.judges.builtin.risk.lexicon import straightened
from noteeval_desktop.judges.builtin.risk.screen import risk_screen
from noteeval_desktop.judges.builtin.text.in_context import read_in_context


def kinds_by_meaning(
    turns: Sequence[tuple[str, Sequence[Span]]],
    folded: Sequence[str],
    open_: Sequence[bool],
    head: RiskHead,
    embedder: Embedder,
    cancel: threading.Event | None = None,
) -> list[tuple[RiskKind, bool] | None]:
    """For each sentence, turn by turn, the kind that it means and whether it is likely, or None.

    ``turns`` are texts with their sentences, ``folded`` those sentences as the head reads them; only those that are
    ``open_`` are looked at. Embedded on their own are sentences that their vector in the passage leaves possible, those
    that it does not speak for, because their spelling was put right, and those without one. Raises Cancelled.
    """
    kinds: list[tuple[RiskKind, bool] | None] = [None] * len(folded)
    if not head.reads(embedder):
        return kinds
    wanted, screen = np.array(open_, dtype=bool), risk_screen()
    if screen is not None and screen.fingerprint == head.fingerprint:
        read = read_in_context([text for text, _ in turns], [spans for _, spans in turns], embedder, cancel)
        said = [straightened(span.of(text)) for text, spans in turns for span in spans]
        respelt = np.array([own != right for own, right in zip(said, folded, strict=True)], dtype=bool)
        wanted &= ~read.told | respelt | screen.passes(read.vectors, head)
    asked = np.flatnonzero(wanted).tolist()
    for number, kind in zip(asked, head.kinds([folded[n] for n in asked], embedder, cancel), strict=True):
        kinds[number] = kind
    return kinds
