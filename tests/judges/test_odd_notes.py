"""Notes as therapists should not write them, and short right ones that look odd: what the quick check makes of each."""

from __future__ import annotations

import threading

import pytest

from noteeval_desktop.documents import parse_note, parse_transcript
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.judges.builtin.risk.note import dangers_in, denies_ever

CRISIS = """Therapist: You wrote that you don't see the point any more. Are you having thoughts of killing yourself?
Client: Yes. Since Sunday. Every day.
Therapist: Have you ever tried to end your life before?
Client: When I was sixteen. I took a bunch of Tylenol and my mom found me.
Therapist: Are you sleeping at all?
Client: Maybe three hours a night. I just lie there."""
CALM = """Therapist: How has your mood been?
Client: Pretty even. I'd say a seven most days.
Therapist: And the walking group?
Client: Went on Thursday. We did the canal, and Janet brought flapjacks.
Therapist: Shall we space our meetings out a bit?
Client: I'd like that. Maybe once a month."""
DENIED = """Therapist: Any thoughts of killing yourself, or of suicide?
Client: No. Never.
Therapist: How is the sleep?
Client: Seven hours or so, I'm sleeping fine."""
COUPLE = """Therapist: Welcome back. How was the sleep?
Mark: Still awake at four, most days. I've started taking melatonin, three milligrams.
Priya: I sleep fine.
Therapist: And the fights, has anyone been pushed, hit or felt afraid?
Priya: No. Never.
Mark: No. I've slammed a door.
Therapist: What would you each like to try before next time?
Mark: I'll text when I leave late. Every time."""


def case(session: str, *sentences: str) -> Case:
    return Case(parse_transcript(session), parse_note("Subjective: " + " ".join(sentences)))


def claim(judge, session: str, sentence: str) -> ClaimVerdict:
    (verdict,) = judge.support(case(session, sentence), threading.Event())
    return verdict


@pytest.mark.parametrize(
    ("session", "sentence", "why"),
    [
        (CRISIS, "Denies SI/HI.", "The client mentioned suicide"),
        (CRISIS, "She denies suicidal ideation.", "The client mentioned suicide"),
        (CALM, "She denies suicidal ideation, homicidal ideation and self-harm.", "nobody spoke of it"),
        (CALM, "No SI/HI.", "nobody spoke of it"),
    ],
)
def test_a_denial_that_the_session_does_not_hold_is_shown(judge, session, sentence, why):
    verdict = claim(judge, session, sentence)
    assert verdict.verdict is Verdict.UNSUPPORTED
    assert why in verdict.rationale


def test_an_attempt_that_was_told_is_not_denied_away(judge):
    assert claim(judge, CRISIS, "She has never attempted suicide.").verdict is not Verdict.SUPPORTED


def test_a_denial_that_was_spoken_passes_and_is_vouched_for_by_none(judge):
    verdict = claim(judge, DENIED, "Denies SI.")
    assert (verdict.verdict, verdict.unvouched) == (Verdict.SUPPORTED, True)


@pytest.mark.parametrize(
    ("sentence", "others"),
    [
        ("He denies thoughts of harming himself.", False),
        ("He denies thoughts of harming others.", True),
        ("She has urges to hurt herself.", False),
        ("She has urges to hurt her sister.", True),
    ],
)
def test_harm_to_oneself_is_none_to_others(sentence, others):
    assert (RiskKind.HARM_TO_OTHERS in dangers_in(sentence)) is others


@pytest.mark.parametrize(
    ("sentence", "ever"),
    [
        ("No history of suicide attempts.", True),
        ("She has never attempted suicide.", True),
        ("Denies current or past self-harm.", True),
        ("Denies SI today.", False),
        ("Suicide attempt in 2015.", False),
    ],
)
def test_a_denial_for_all_time_is_told_from_one_for_now(sentence, ever):
    assert denies_ever(sentence) is ever


def test_a_quotation_that_nobody_says_is_to_be_checked(judge):
    wrong = claim(judge, CALM, 'She said "my mood has been wonderful and better than ever" most days.')
    right = claim(judge, CALM, 'Her mood is even; she said "I\'d say a seven most days".')
    assert (wrong.verdict, wrong.confidence) != (Verdict.SUPPORTED, Confidence.SURE)
    assert "in these words" not in right.rationale
    if wrong.verdict is Verdict.SUPPORTED:
        assert wrong.rationale.startswith("Nobody says “my mood has been wonderful and better than ever”")


def test_of_a_couple_it_is_said_whose_words_a_statement_rests_on(judge):
    wrong = claim(judge, COUPLE, "Priya reports waking at four and takes melatonin 3 mg.")
    right = claim(judge, COUPLE, "Mark reports waking at four and takes melatonin 3 mg.")
    assert wrong.confidence is not Confidence.SURE
    assert "is what Mark says; the note names Priya" in wrong.rationale
    assert "is meant" not in right.rationale


def test_what_was_denied_makes_no_present_danger_likely(judge):
    risks = list(judge.risks(case(COUPLE, "Mark slammed a door."), threading.Event()))
    assert not [risk for risk in risks if risk.certain and risk.stance == "current"]


def test_the_same_sentence_is_needed_once(judge):
    said = "Client reports waking at three most nights and sleeping about five hours."
    needs = list(judge.need(case(CRISIS, *[said] * 5), threading.Event()))
    assert [one.needed for one in needs] == [True] + [False] * 4
    assert {one.rationale for one in needs[1:]} == {"Repeats an earlier sentence."}


@pytest.mark.parametrize(
    "sentence",
    ["Provided empathic listening.", "Offered warmth and validation.", "Homework reviewed.", "Arrived late."],
)
def test_a_short_true_sentence_is_checked_like_any_other(judge, sentence):
    (need,) = judge.need(case(CRISIS, sentence), threading.Event())
    assert "reader" not in need.rationale
    assert "says nothing" not in need.rationale
