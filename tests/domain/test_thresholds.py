from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds, thresholds_of, tuned_as
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, ItemVerdict, NeedVerdict, Severity, Verdict

TUNED = Thresholds(completeness=0.4, faithfulness=0.8)


def claim(verdict: Verdict, chance: float, severity: Severity = Severity.NONE) -> ClaimVerdict:
    return ClaimVerdict("s1", verdict, chance, Confidence.LIKELY, severity, "why")


def test_what_is_shipped_changes_nothing_and_leaves_no_trace() -> None:
    verdict = claim(Verdict.SUPPORTED, 0.6)
    assert SHIPPED.claim(verdict) is verdict
    assert not SHIPPED
    assert SHIPPED.version == ""
    assert tuned_as("1") == SHIPPED


@pytest.mark.parametrize("tuned", [TUNED, Thresholds(0.25, 0.5, 0.75), Thresholds(conciseness=0.6)])
def test_a_version_and_the_settings_tell_how_it_was_tuned(tuned: Thresholds) -> None:
    assert tuned_as(f"1{tuned.version}") == tuned
    assert thresholds_of(tuned.plain()) == tuned


def test_settings_that_are_no_probabilities_count_as_shipped() -> None:
    assert thresholds_of({"completeness": "7", "faithfulness": "nan", "conciseness": "often"}) == SHIPPED
    assert thresholds_of({"completeness": "0", "faithfulness": "1", "conciseness": "-0.5"}) == SHIPPED
    assert thresholds_of({"completeness": "0.01", "faithfulness": "0.99"}) == Thresholds(0.01, None, 0.99)


def test_a_version_that_was_tuned_in_fewer_questions_is_read_as_far_as_it_goes() -> None:
    assert tuned_as("1+tuned:0.40") == Thresholds(completeness=0.4)


@pytest.mark.parametrize(("chance", "verdict"), [(0.9, Verdict.SUPPORTED), (0.7, Verdict.UNSUPPORTED)])
def test_a_claim_and_its_probability_never_disagree(chance: float, verdict: Verdict) -> None:
    found = TUNED.claim(claim(Verdict.SUPPORTED, chance))
    assert found.verdict is verdict
    assert found.probability is not None
    assert (found.probability >= 0.5) is (verdict is Verdict.SUPPORTED)
    assert TUNED.untuned(found) == pytest.approx(chance)


def test_odds_move_as_far_as_the_threshold_did() -> None:
    """Odds of 0.8 are 4, so those of 0.9, which are 9, become 9/4."""
    assert TUNED.claim(claim(Verdict.SUPPORTED, 0.9)).probability == pytest.approx(9 / 13)
    assert TUNED.claim(claim(Verdict.SUPPORTED, 0.8)).probability == pytest.approx(0.5)


@pytest.mark.parametrize(
    "verdict",
    [
        claim(Verdict.CONTRADICTED, 0.45, Severity.HIGH),
        claim(Verdict.OBSERVED, 0.3, Severity.LOW),
        ClaimVerdict("s1", None),
    ],
)
def test_what_could_harm_and_what_only_the_room_shows_is_not_tuned(verdict: ClaimVerdict) -> None:
    assert Thresholds(faithfulness=0.25).claim(verdict) is verdict


def test_an_item_is_present_from_its_threshold_on() -> None:
    item = ItemVerdict("subjective-goals", Section.SUBJECTIVE, Importance.MANDATORY, False, 0.45, Confidence.UNSURE)
    assert TUNED.item(item).present is True
    assert TUNED.item(item).probability == 0.45
    general = ItemVerdict("general-safety", None, Importance.MANDATORY, False, 0.45)
    assert TUNED.item(general) is general


def test_a_sentence_that_is_needed_by_rule_stays_needed() -> None:
    strict = Thresholds(conciseness=0.75)
    assert strict.need(NeedVerdict("s1", True, 0.6, items=("plan-homework",))).needed is False
    by_rule = NeedVerdict("s1", True, 0.1, items=("general-safety",))
    assert strict.need(by_rule) is by_rule


def test_at_its_threshold_the_answer_is_yes() -> None:
    even = Thresholds(0.5, 0.5, 0.5)
    item = ItemVerdict("subjective-goals", Section.SUBJECTIVE, Importance.MANDATORY, False, 0.5)
    assert even.item(item).present is True
    assert even.need(NeedVerdict("s1", False, 0.5)).needed is True
    assert even.claim(claim(Verdict.UNSUPPORTED, 0.5)).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_a_claim_that_nobody_doubts_stays_so(chance: float) -> None:
    verdict = claim(Verdict.SUPPORTED if chance else Verdict.UNSUPPORTED, chance)
    tuned = TUNED.claim(verdict)
    assert tuned.verdict is verdict.verdict
    assert tuned.probability == pytest.approx(chance, abs=1e-5)
    assert TUNED.untuned(tuned) == pytest.approx(chance, abs=1e-5)


def test_what_is_not_tuned_or_has_no_probability_or_was_not_judged_stays_as_it_is() -> None:
    item = ItemVerdict("subjective-goals", Section.SUBJECTIVE, Importance.MANDATORY, False, 0.45)
    for needs in (NeedVerdict("s1", True, 0.6), NeedVerdict("s1", True)):
        assert Thresholds(completeness=0.75).need(needs) is needs
    for left in (NeedVerdict("s1", True), NeedVerdict("s1", None, 0.6), NeedVerdict("s1", True, 0.6, set_aside=True)):
        assert Thresholds(conciseness=0.75).need(left) is left
    for one in (item, replace(item, probability=None)):
        assert Thresholds(conciseness=0.4).item(one) is one
    for one in (replace(item, probability=None), replace(item, present=None)):
        assert TUNED.item(one) is one
    assert Thresholds(completeness=0.4).untuned(claim(Verdict.SUPPORTED, 0.6)) == 0.6
    assert TUNED.untuned(claim(Verdict.OBSERVED, 0.3)) == 0.3
    assert TUNED.untuned(ClaimVerdict("s1", Verdict.SUPPORTED)) is None
