"""What may be said of a judge's agreement with people."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.domain.trust import Agreement, Known, Level, Trust, known_of


@pytest.mark.parametrize(
    ("alpha", "low", "n", "rarer", "level"),
    [
        (0.7, 0.5, 100, 60, Level.STRONG),
        (0.7, 0.3, 100, 60, Level.MODERATE),
        (0.45, 0.3, 100, 60, Level.MODERATE),
        (0.45, 0.1, 100, 60, Level.WEAK),
        (0.1, -0.1, 100, 60, Level.WEAK),
        (0.9, 0.8, 29, 60, Level.UNKNOWN),
        (0.9, 0.8, 100, 19, Level.UNKNOWN),
        (0.7, 0.5, 100, None, Level.STRONG),
        (None, None, 100, 60, Level.UNKNOWN),
    ],
)
def test_the_level_needs_agreement_certainty_and_enough_examples(alpha, low, n, rarer, level):
    assert Agreement(n, alpha, low, None, rarer=rarer).level is level


def trust(kind, *names, **parts):
    return Trust(kind, names, "data", {("completeness", name): found for name, found in parts.items()})


STRONG, WEAK = Agreement(100, 0.7, 0.6, 0.8), Agreement(100, 0.1, 0.0, 0.2)


def test_figures_of_a_language_model_hold_wherever_it_runs_and_for_no_other():
    shipped = (trust("llm", "llama", "70b", plan=STRONG), trust("builtin", plan=WEAK))
    assert known_of(JudgeIdentity("local", "Meta-Llama-3.1-70B.gguf", "1"), shipped).shipped is shipped[0]
    assert known_of(JudgeIdentity("builtin", "x", "1"), shipped).shipped is shipped[1]
    assert known_of(JudgeIdentity("remote", "llama-8b", "1"), shipped).shipped is None


def test_own_reviews_speak_where_published_data_does_not():
    known = Known(trust("builtin", plan=WEAK), trust("builtin", plan=STRONG, goals=STRONG))
    assert known.level(("completeness", "plan")) is Level.WEAK
    assert known.level(("completeness", "goals")) is Level.STRONG
    assert known.level(("completeness", "else")) is Level.UNKNOWN
    assert not known.agreements(("completeness", "else"))
