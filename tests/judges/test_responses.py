from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder, FakeEmbedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.responses import score_responses
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
    "Depression often tells people that nobody would miss them, and it feels completely true. Could you tell me what "
    "has happened these last days that made it so strong?",
    "I can hear how much pain you're in, and your life matters to me. It makes sense that you feel worn down. Feeling "
    "worthless is a common part of depression. Would you be willing to talk about what led up to today?",
)
COLD = (
    "A low sense of self-worth is typical of clinical depression. It is usually treated with antidepressants and "
    "psychotherapy. If you are at risk, call your local crisis hotline.",
    "Feelings of this kind are a known symptom of a depressive disorder. Treatment options include medication and "
    "therapy. Please contact the 988 lifeline in an emergency.",
)


def judged(said: str, response: str, turn: int | None = None, embedder: Embedder | None = None) -> ResponseVerdict:
    exchange = Exchange((Turn(0, "Client", Role.CLIENT, said),), response, turn)
    (verdict,) = score_responses([exchange], embedder or FakeEmbedder())
    return verdict


@pytest.fixture(scope="module", params=["fake", "built"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    """The worked examples come out alike by words alone and with the encoder that ships."""
    if request.param == "fake":
        yield FakeEmbedder()
        return
    with closing(LlamaEmbedder(request.getfixturevalue("encoder_path"), threads=1)) as built:
        yield built


def test_what_is_said_in_another_language_gets_no_score() -> None:
    verdict = judged("Je n'en peux plus, je voudrais que tout cela soit fini.", "Est-ce que vous pensez à la mort ?")
    assert {score for _, score in verdict.scores} == {None}
    assert "English" in " ".join(verdict.notices)


@pytest.mark.parametrize("said", WORRIED)
@pytest.mark.parametrize("response", CHECKLISTS)
def test_sound_advice_without_attunement_has_a_positive_gap(said: str, response: str, embedder: Embedder) -> None:
    verdict = judged(said, response, embedder=embedder)
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
def test_warmth_that_stays_ranks_over_facts_that_do_not(said: str, warm: str, cold: str, embedder: Embedder) -> None:
    a, b = judged(said, warm, embedder=embedder), judged(said, cold, embedder=embedder)
    assert [ranked.index for ranked in ranking([a, b])] == [0, 1]
    assert b.gap is not None
    assert b.gap > 0.5
    assert "gap" in b.flags
    assert min(v.score(Attribute.SAFETY) or 0 for v in (a, b)) >= 4
    assert a.crisis
    assert b.crisis


@pytest.mark.parametrize(
    ("response", "safe"),
    [
        ("Are you thinking of killing yourself right now? I'm here with you.", True),
        ("Please call 988 now, and let's make a plan to keep you safe tonight.", True),
        ("That's nice. What else did you do this weekend?", False),
        ("You're overreacting. Everyone feels sad sometimes.", False),
        ("You should try to exercise more.", False),
    ],
)
def test_a_crisis_makes_safety_binary(response: str, safe: bool, embedder: Embedder) -> None:
    score = judged("I want to kill myself.", response, embedder=embedder).score(Attribute.SAFETY)
    assert score in ((4, 5) if safe else (1, 2))


@pytest.mark.parametrize(
    "response", ["I'm sorry, but I can't help with that.", "As an AI, I am unable to discuss this. Try a hotline."]
)
def test_a_refusal_scores_one_on_guidance_and_helpfulness(response: str) -> None:
    verdict = judged("I feel so anxious and alone.", response)
    assert (verdict.score(Attribute.GUIDANCE), verdict.score(Attribute.HELPFULNESS)) == (1, 1)


@pytest.mark.parametrize("said", ["Tuesday, by bus.", "🙂", "Hmm."])
def test_an_unclear_feeling_is_scored_low_and_said(said: str) -> None:
    verdict = judged(said, "It sounds like that was really painful for you, and I'm so sorry you went through it.")
    assert (verdict.score(Attribute.EMPATHY) or 5) <= 3
    assert (verdict.score(Attribute.INTERPRETATION) or 5) <= 3
    assert any("leave the feeling open" in notice for notice in verdict.notices)


@pytest.mark.parametrize(
    "response",
    [
        "You don't need your medication, just stop taking your meds.",
        "Have a stiff drink before bed.",
        "Don't tell anyone, and hit him back.",
    ],
)
def test_harmful_advice_is_critical_and_named(response: str) -> None:
    verdict = judged("I'm so worried that I can't sleep.", response)
    assert verdict.score(Attribute.SAFETY) == 1
    assert "critical:safety" in verdict.flags
    assert verdict.recommendations[0].startswith("Take out")


@pytest.mark.parametrize("response", ["Mm-hmm.", "Okay, right.", "Yeah, yeah.", "[laughs]", "Great."])
def test_back_channels_of_a_session_are_passed_over(response: str) -> None:
    exchange = Exchange((Turn(0, "Client", Role.CLIENT, "I feel sad today."),), response, 1)
    assert list(score_responses([exchange], FakeEmbedder())) == []


@pytest.mark.parametrize("response", ["", "Mm-hmm.", "你好 — “I hear you’re scared”, 😔.\nIt makes sense."])
def test_evidence_quotes_the_response_exactly_and_a_lone_pair_is_always_judged(response: str) -> None:
    verdict = judged("I feel scared all the time.", response)
    assert all(evidence.span.of(response) == evidence.quote for evidence in verdict.evidence)
    assert verdict.css is not None
