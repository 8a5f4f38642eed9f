"""What a finding could harm, and what is never advised to be cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.findings import (
    Finding,
    FindingKind,
    ranked_findings,
)
from noteeval_desktop.domain.harm import Harm, harm_of_sentence, never_to_cut
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import (
    NeedVerdict,
    Severity,
)
from tests.domain.test_findings import evaluation_of, wrong


def sentence(text: str, section=Section.SUBJECTIVE) -> Sentence:
    return Sentence("s1", (section,), Span(0, len(text)), text)


@pytest.mark.parametrize(
    ("text", "harm"),
    [
        ("Risk low.", Harm.RISK),
        ("At low risk.", Harm.RISK),
        ("Client denies SI/HI.", Harm.RISK),
        ("Reports suicidal ideation 🙂 without plan.", Harm.RISK),
        ("Report to child protection today.", Harm.RISK),
        ("Adult protective services were called.", Harm.RISK),
        ("Therapist is a mandated reporter 🙂.", Harm.RISK),
        ("Protective of her child.", Harm.REST),
        ("Hi-fi is his hobby.", Harm.REST),
        ("Escitalopram raised to 20 mg.", Harm.TREATMENT),
        ("Meets criteria for generalized anxiety disorder.", Harm.TREATMENT),
        ("Will return in two weeks.", Harm.PLAN),
        ("Works as a baker.", Harm.REST),
    ],
)
def test_the_harm_is_read_from_the_words(text, harm) -> None:
    assert harm_of_sentence(sentence(text)) is harm


@pytest.mark.parametrize(
    "text",
    [
        "Denies suicidal thoughts.",
        "Sertraline raised to 100 mg.",
        "Provided psychoeducation on sleep.",
        "Therapist validated her anger.",
        "Continue weekly.",
        "Follow-up in two weeks.",
    ],
)
def test_nobody_is_advised_to_drop_risk_medication_intervention_plan_or_follow_up(text) -> None:
    assert never_to_cut(sentence(text))
    assert ranked_findings(evaluation_of([text], needs={0: NeedVerdict("", False, 0.1)})) == ()


@pytest.mark.parametrize("text", ["Letter to Dr. Hale about sleep.", "Phone outside the room after midnight 🙂."])
def test_nobody_is_advised_to_drop_a_sentence_of_the_plan(text) -> None:
    assert never_to_cut(sentence(text, Section.PLAN))
    assert not never_to_cut(sentence(text))


def test_each_class_of_harm_weighs_twice_the_next_and_a_grave_one_four_times_a_slight_one() -> None:
    one = Finding("", FindingKind.UNSUPPORTED, Harm.RISK, Severity.HIGH, 0.5, wrong())
    assert [replace(one, harm=harm).weight for harm in Harm] == [4.0, 2.0, 1.0, 0.5]
    shares = [replace(one, severity=severity).weight / one.weight for severity in Severity]
    assert dict(zip(Severity, shares, strict=True)) == {
        Severity.NONE: 0.25,
        Severity.LOW: 0.5,
        Severity.MEDIUM: 0.75,
        Severity.HIGH: 1.0,
    }
