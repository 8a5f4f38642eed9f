"""A quote that says nothing of the claim is not shown with it."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.present.bearing import bearing


@pytest.mark.parametrize(
    ("quote", "verdict", "shown"),
    [
        ("I can’t sleep 🙂 at all.", Verdict.SUPPORTED, True),
        ("Mm-hmm.", Verdict.SUPPORTED, False),
        ("I know what you mean.", Verdict.UNSUPPORTED, False),
        ("About 40.", Verdict.UNSUPPORTED, True),
        ("Mm-hmm.", Verdict.CONTRADICTED, True),
    ],
)
def test_a_passage_bears_on_a_claim_that_it_shares_a_telling_word_with(quote, verdict, shown) -> None:
    claim = ClaimVerdict("s1", verdict, citations=(Citation(0, Span(0, len(quote)), quote),))
    assert bool(bearing(claim, "Client says that they know sleeping is hard at 40.")) is shown
