from __future__ import annotations

import pytest

from noteeval_desktop.domain.scores import expected_faithfulness
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict


def claim(probability: float | None, verdict: Verdict = Verdict.SUPPORTED) -> ClaimVerdict:
    return ClaimVerdict("s1", verdict, probability=probability)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([], None),
        ([claim(None)], None),
        ([claim(0.6), claim(0.99)], 1.0),
        ([claim(0.2), claim(0.0)], 0.0),
        ([claim(0.4)], 0.5),
        ([claim(0.9, Verdict.CONTRADICTED)], 0.8),
        ([claim(0.9, Verdict.UNSUPPORTED), claim(0.9)], 0.9),
        ([claim(0.2, Verdict.OBSERVED), claim(0.9), claim(None)], 0.5),
    ],
)
def test_the_expected_share_hears_doubt_and_errors(claims: list[ClaimVerdict], expected: float | None) -> None:
    found = expected_faithfulness(claims)
    assert found is None if expected is None else found == pytest.approx(expected)


@pytest.mark.parametrize("probability", [0.35, 0.6, 0.95])
def test_a_claim_called_an_error_never_counts_for_more(probability: float) -> None:
    kept = expected_faithfulness([claim(probability), claim(0.5)])
    condemned = expected_faithfulness([claim(probability, Verdict.UNSUPPORTED), claim(0.5)])
    assert kept is not None
    assert condemned is not None
    assert condemned < kept
