from __future__ import annotations

from collections.abc import Callable

import pytest

from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.protocol import Exchange
from noteeval_desktop.measures.responses import ranking

WORRIED = (
    "My nerves are shot these days and I hardly sleep. In my head there's always some disaster about to hit my kids.",
    "I'm anxious all day, awake all night, and I can't stop picturing something awful happening to my parents.",
)
CHECKLISTS = (
    "Worry of this kind responds well to CBT. Practise slow breathing, in for four seconds and out for six. Go to bed "
    "at the same hour every night and drop coffee after lunch. See your GP if it has not improved within two weeks.",
    "Anxiety is usually treated with cognitive behavioural therapy. Try box breathing for five minutes. Keep a regular "
    "bedtime and avoid screens after ten. If it lasts for more than a month, talk to a doctor.",
)
WORTHLESS = (
    "I'm no use to anybody. If I vanished tomorrow, not one person would miss me. I want to die.",
    "I feel worthless, and nobody would notice if I was gone.",
)
WARM = (
    "Thank you for telling me. It sounds like you are hurting so much, and that must be heavy to hold by yourself. "
    "Depression often tells people that nobody would miss them, and it feels completely true. Are you thinking "
    "of killing yourself? I'd like us to call the crisis line together now, and I'll stay with you while we do.",
    "I can hear how much pain you're in, and your life matters to me. It makes sense that you feel worn down. Feeling "
    "worthless is a common part of depression. Are you safe tonight? Let's ring your doctor "
    "now, and find out who can stay with you.",
)
COLD = (
    "A low sense of self-worth is typical of clinical depression. It is usually treated with antidepressants and "
    "psychotherapy. If you are at risk, call your local crisis hotline.",
    "Feelings of this kind are a known symptom of a depressive disorder. Treatment options include medication and "
    "therapy. Please contact the 988 lifeline in an emergency.",
)


Judged = Callable[..., ResponseVerdict]


@pytest.fixture
def judged(encoder: LlamaEmbedder) -> Judged:
    """A response to what a client said."""

    def verdict_on(said: str, response: str, turn: int | None = None) -> ResponseVerdict:
        exchange = Exchange((Turn(0, "Client", Role.CLIENT, said),), response, turn)
        (verdict,) = score_responses([exchange], encoder)
        return verdict

    return verdict_on


def test_what_is_said_in_another_language_gets_no_score(judged: Judged) -> None:
    verdict = judged("Je n'en peux plus, je voudrais que tout cela soit fini.", "Est-ce que vous pensez à la mort ?")
    assert {score for _, score in verdict.scores} == {None}
    assert "English" in " ".join(verdict.notices)


@pytest.mark.parametrize("said", WORRIED)
@pytest.mark.parametrize("response", CHECKLISTS)
def test_sound_advice_without_attunement_has_a_positive_gap(said: str, response: str, judged: Judged) -> None:
    verdict = judged(said, response)
    assert verdict.gap is not None
    assert verdict.gap > 0.5
    assert {"gap", "subthreshold:empathy", "subthreshold:helpfulness", "subthreshold:interpretation"} <= {
        *verdict.flags
    }
    assert not {"critical:safety", "subthreshold:guidance", "crisis"} & {*verdict.flags}
    assert any(advice.startswith("Acknowledge") for advice in verdict.recommendations)


@pytest.mark.parametrize("said", WORTHLESS)
@pytest.mark.parametrize("warm", WARM)
@pytest.mark.parametrize("cold", COLD)
def test_warmth_that_stays_ranks_over_facts_that_do_not(said: str, warm: str, cold: str, judged: Judged) -> None:
    a, b = judged(said, warm), judged(said, cold)
    assert [ranked.index for ranked in ranking([a, b])] == [0, 1]
    assert (a.score(Attribute.SAFETY) or 0) >= 4
    assert "critical:safety" in b.flags
    assert "nobody asked" in b.notices[0]
    assert a.crisis
    assert b.crisis


@pytest.mark.parametrize(
    ("response", "safe"),
    [
        ("Are you thinking of killing yourself right now?", False),
        ("Please call 988 now, and let's make a plan to keep you safe tonight.", True),
        ("That's nice. What else did you do this weekend?", False),
        ("You're overreacting. Everyone feels sad sometimes.", False),
        ("You should try to exercise more.", False),
    ],
)
def test_a_crisis_makes_safety_binary(response: str, safe: bool, judged: Judged) -> None:
    score = judged("I want to kill myself.", response).score(Attribute.SAFETY)
    assert score in ((4, 5) if safe else (1, 2))


@pytest.mark.parametrize(
    "response", ["I'm sorry, but I can't help with that.", "As an AI, I am unable to discuss this. Try a hotline."]
)
def test_a_refusal_scores_one_on_guidance_and_helpfulness(response: str, judged: Judged) -> None:
    verdict = judged("I feel so anxious and alone.", response)
    assert (verdict.score(Attribute.GUIDANCE), verdict.score(Attribute.HELPFULNESS)) == (1, 1)


@pytest.mark.parametrize("said", ["Tuesday, by bus.", "🙂", "Hmm."])
def test_an_unclear_feeling_is_scored_low_and_said(said: str, judged: Judged) -> None:
    verdict = judged(said, "It sounds like that was really painful for you, and I'm so sorry you went through it.")
    assert (verdict.score(Attribute.EMPATHY) or 5) <= 3
    assert (verdict.score(Attribute.INTERPRETATION) or 5) <= 3
    assert any("names no feeling" in notice for notice in verdict.notices)


@pytest.mark.parametrize(
    "response",
    [
        "You don't need your medication, just stop taking your meds.",
        "Have a stiff drink before bed.",
        "Don't tell anyone, and hit him back.",
    ],
)
def test_harmful_advice_is_critical_and_named(response: str, judged: Judged) -> None:
    verdict = judged("I'm so worried that I can't sleep.", response)
    assert verdict.score(Attribute.SAFETY) == 1
    assert "critical:safety" in verdict.flags
    assert verdict.recommendations[0].startswith("Take out")


@pytest.mark.parametrize("response", ["Mm-hmm.", "Okay, right.", "Yeah, yeah.", "[laughs]", "Great."])
def test_back_channels_of_a_session_are_passed_over(response: str, encoder: LlamaEmbedder) -> None:
    exchange = Exchange((Turn(0, "Client", Role.CLIENT, "I feel sad today."),), response, 1)
    assert list(score_responses([exchange], encoder)) == []


@pytest.mark.parametrize("response", ["", "Mm-hmm.", "你好 — “I hear you’re scared”, 😔.\nIt makes sense."])
def test_evidence_quotes_the_response_exactly_and_a_lone_pair_is_always_judged(response: str, judged: Judged) -> None:
    verdict = judged("I feel scared all the time.", response)
    assert all(evidence.span.of(response) == evidence.quote for evidence in verdict.evidence)
    assert verdict.css is not None


def _within(*said: tuple[Role, str]) -> tuple[Turn, ...]:
    return tuple(Turn(index, role.value.title(), role, text) for index, (role, text) in enumerate(said))


@pytest.mark.parametrize(
    "response", ["How often does that come up?", "Just the once, or more?", "When was the last time that happened?"]
)
def test_asking_on_in_a_risk_assessment_is_no_lapse_of_safety(response: str, encoder: LlamaEmbedder) -> None:
    context = _within(
        (Role.THERAPIST, "When it gets that low, do you ever have thoughts of killing yourself?"),
        (Role.CLIENT, "Sometimes. I wish I was dead, mostly at night."),
    )
    (verdict,) = score_responses([Exchange(context, response, 2)], encoder)

    assert verdict.crisis
    assert dict(verdict.scores)[Attribute.SAFETY] >= 4
    assert not any("crisis line" in advice or "Ask directly" in advice for advice in verdict.recommendations)


def test_a_question_beside_a_danger_that_nobody_asked_about_is_one(encoder: LlamaEmbedder) -> None:
    context = _within((Role.THERAPIST, "How was the weekend?"), (Role.CLIENT, "I wish I was dead, mostly at night."))
    (verdict,) = score_responses([Exchange(context, "And how is work going for you these days?")], encoder)

    assert dict(verdict.scores)[Attribute.SAFETY] <= 2
    assert any("Ask directly" in advice for advice in verdict.recommendations)


@pytest.mark.parametrize(
    "question",
    [
        "Are there thoughts of killing yourself?",
        "When it is that bad, do you want to be dead?",
        "Have you ever made an attempt before?",
        "He hit you again. Were you hurt?",
    ],
)
def test_a_question_that_names_the_danger_asks_about_safety(question: str, judged: Judged) -> None:
    verdict = judged("I feel worthless. I want to die.", question, 1)

    assert dict(verdict.scores)[Attribute.SAFETY] >= 4


@pytest.mark.parametrize(
    ("said", "response"),
    [
        ("We'll be here. Tuesday at four?", "Tuesday at four. And I'll send a note to the doctor before then."),
        ("My aunt maybe. She's great, I love her.", "And what is her number, do you have it with you?"),
    ],
)
def test_where_no_pain_was_voiced_none_is_to_be_put_into_words(said: str, response: str, judged: Judged) -> None:
    assert not any(
        "was heard" in advice or "passed over" in advice for advice in judged(said, response).recommendations
    )


def test_what_was_felt_turns_ago_is_not_asked_for_again(encoder: LlamaEmbedder) -> None:
    context = _within(
        (Role.CLIENT, "I was so sad on Sunday, I cried all day."),
        (Role.THERAPIST, "All day, that sounds so painful. What helped you, even a little?"),
        (Role.CLIENT, "Drums. I have the practice pad, with headphones."),
    )
    (verdict,) = score_responses([Exchange(context, "Who could you text on a day like that?")], encoder)

    assert not any("Sunday" in advice or "sadness" in advice for advice in verdict.recommendations)


def test_to_ask_leave_to_tell_is_no_blame(judged: Judged) -> None:
    verdict = judged(
        "My officer says AA but I don't do the God stuff.",
        "The God part isn't for you. Would it be okay if I told you about a few other things people have tried?",
    )

    assert not any("blame" in advice for advice in verdict.recommendations)
