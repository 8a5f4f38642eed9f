"""A claim's label with how likely the model found it, where its engine tells."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from noteeval_desktop.domain.two_witnesses import claim_by_two
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.engines.chat import Reply, Request, Words
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.paths import resources
from tests.factories import make_case
from tests.judges.test_llm_judge import FirstTurns
from tests.llm_answers import claims, sound
from tests.sample_evaluation import sample_rubric
from tests.scripted_chat import ScriptedChat

NEVER = threading.Event()


@dataclass
class Telling(ScriptedChat):
    """Tells these odds in place of each value of ``label`` and ``covered``."""

    odds: Mapping[str, float] | None = None

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        for index, reply in super().ask(requests, cancel):
            field = requests[index].weighed
            yield index, replace(reply, words=self._words(reply.text, field)) if field else reply

    def _words(self, text: str, field: str) -> Words:
        told = tuple((form, math.log(share)) for form, share in (self.odds or {}).items())
        parts = re.split(rf'("{field}": "?)', text)
        return tuple((part, told if n and n % 2 == 0 else ()) for n, part in enumerate(parts))


def judge(odds: Mapping[str, float] | None, label: str = "supported") -> LlmJudge:
    rubric = sample_rubric()

    def answer(request: Request) -> str:
        return claims(request, label=label) if '"claims"' in request.question else sound(request)

    return LlmJudge(Telling(answer, odds=odds), rubric, load_prompts(resources() / "prompts"), FirstTurns())


@pytest.mark.parametrize(
    ("label", "odds", "verdict", "probability", "confidence"),
    [
        ("supported", {"supported": 0.9, "uns": 0.05}, Verdict.SUPPORTED, 0.9 / 0.95, Confidence.SURE),
        ("supported", {"supported": 0.5, "uns": 0.4}, Verdict.SUPPORTED, 5 / 9, Confidence.UNSURE),
        ("unsupported", {"uns": 0.7, "supported": 0.2}, Verdict.UNSUPPORTED, 2 / 9, Confidence.LIKELY),
        ("supported", {"supported": 0.4, "contradicted": 0.3, "uns": 0.3}, None, None, None),
        ("supported", {"supported": 0.3, "Z": 0.7}, None, None, None),
        ("supported", {"Z": 1.0}, None, None, None),
    ],
)
def test_a_label_has_its_probability_and_counts_only_with_its_mass(
    label: str,
    odds: Mapping[str, float],
    verdict: Verdict | None,
    probability: float | None,
    confidence: Confidence | None,
) -> None:
    found = list(judge(odds, label).support(make_case(), NEVER))
    assert found
    for claim in found:
        assert (claim.verdict, claim.confidence) == (verdict, confidence)
        assert claim.probability == (None if probability is None else pytest.approx(probability))
        assert claim.mass == pytest.approx(sum(share for form, share in odds.items() if form != "Z"))
        assert verdict or claim.rationale.startswith("Not checked: ")


def test_without_odds_there_is_no_probability() -> None:
    for claim in judge(None).support(make_case(), NEVER):
        assert (claim.verdict, claim.probability, claim.confidence, claim.mass) == (Verdict.SUPPORTED, None, None, None)


def test_what_is_covered_has_a_probability_too() -> None:
    found = [item for item in judge({"true": 0.3, "false": 0.6}).cover(make_case(), NEVER) if item.mass is not None]
    assert {(item.present, round(item.probability or 0, 3)) for item in found if item.present is False} == {
        (False, 0.333)
    }
    # One that is called covered against its own odds is undecided, and not judged.
    assert any(item.present is None for item in found)


def test_the_mass_stays_with_the_opinion_of_the_model() -> None:
    model = ClaimVerdict("s1", Verdict.SUPPORTED, 0.9, mass=0.8)
    claim = claim_by_two(ClaimVerdict("s1", Verdict.UNSUPPORTED, 0.2), model, "local")
    assert [(opinion.probability, opinion.mass) for opinion in claim.opinions] == [(0.2, None), (0.9, 0.8)]
