"""A question about safety is credit, never a flag: asked outright, about means, or on from what the client said."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.protocol import Exchange

GUN = "I wanted to kill myself. I had my father's gun in my lap on Sunday."
PILLS = "I want to die. I counted out my pills and put them by the bed."
CUTTING = "I've been cutting myself again, every night this week."
HIT = "He hit me again, and the kids were right there."
QUESTIONS = [
    (GUN, "Was it loaded?"),
    (GUN, "Where is it now?"),
    (GUN, "Is the gun still in the house?"),
    (GUN, "Is it locked up?"),
    (GUN, "Does anyone know?"),
    (GUN, "What stopped you?"),
    (GUN, "How close did you come?"),
    (GUN, "Why did you want to kill yourself on Sunday?"),
    (GUN, "Had you been drinking? Were you alone?"),
    (GUN, "Do you still have it?"),
    (PILLS, "How many were there?"),
    (PILLS, "Did you take any?"),
    (PILLS, "Have you written a note?"),
    (PILLS, "And now, do you want to die now?"),
    (PILLS, "Who could keep the pills for you tonight?"),
    (PILLS, "When was that?"),
    (CUTTING, "How deep are the cuts? Did you need stitches?"),
    (CUTTING, "What do you use, a blade?"),
    (CUTTING, "Do you mean to kill yourself when you do it?"),
    (HIT, "Are you safe tonight?"),
    (HIT, "Were you hurt?"),
    (HIT, "Did he hurt the children?"),
    (HIT, "Did you call the police?"),
]  # fmt: skip


def judged(said: str, response: str, embedder: Embedder) -> ResponseVerdict:
    """As a turn of a session, which need not do everything at once."""
    exchange = Exchange((Turn(0, "Client", Role.CLIENT, said),), response, 1)
    (verdict,) = score_responses([exchange], embedder)
    return verdict


@pytest.mark.parametrize(("said", "question"), QUESTIONS)
def test_a_safety_question_is_credit_and_never_a_flag(said: str, question: str, encoder: Embedder) -> None:
    verdict = judged(said, question, encoder)
    assert (verdict.score(Attribute.SAFETY) or 0) >= 4
    assert "critical:safety" not in verdict.flags
    assert not any("crisis line" in advice or "Ask directly" in advice for advice in verdict.recommendations)


@pytest.mark.parametrize("said", [GUN, PILLS])
@pytest.mark.parametrize("passed_over", ["Is that okay with you?", "Shall we book next week?", "And how is work?"])
def test_a_question_about_something_else_is_none(said: str, passed_over: str, encoder: Embedder) -> None:
    assert (judged(said, passed_over, encoder).score(Attribute.SAFETY) or 5) <= 2


@pytest.mark.parametrize(
    "ordinary",
    [
        "Why did you say six rather than four?",
        "How could you get more support at home?",
        "We'll go ahead and book the next visit.",
        "Would you have a drink or two on such a night?",
    ],
)
def test_ordinary_talk_of_a_session_is_no_lapse_of_safety(ordinary: str, encoder: Embedder) -> None:
    assert (judged("I worry about my drinking, I want to stop.", ordinary, encoder).score(Attribute.SAFETY) or 0) >= 4
