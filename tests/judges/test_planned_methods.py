"""A plan that names a method for coming sessions covers "Future interventions", however short it is."""

from __future__ import annotations

import pytest

from noteeval_desktop.judges.builtin.completeness.checklist import names_one


@pytest.mark.parametrize(
    "sentence",
    [
        "Continue weekly CBT.",
        "Introduce behavioral activation next session.",
        "Next session we will begin exposure work with a fear hierarchy.",
        "Therapist will use motivational interviewing to explore ambivalence.",
        "Plan to practice grounding and paced breathing in session.",
        "Will continue EMDR processing of target memory.",
        "Apply cognitive restructuring to the three-o'clock thoughts.",
        "Teach sleep hygiene and stimulus control.",
        "Next week: role-play the conversation with her mother, then communication skills.",
        "Cont. supportive tx.",
        "Cont. ACT, values work.",
        "Start DBT distress tolerance module next visit.",
        "Next time we will go over the cost of avoidance and try a chair exercise with his inner critic.",
        "Will begin graded exposure to social gatherings once sleep has settled.",
        "Upcoming work: thought records, then behavioural experiments.",
        "In our next sessions we will look more closely at the belief that nobody wants him.",
        "We agreed to spend the coming sessions on grief for his father, using letter writing.",
        "Therapist will help the client build a hierarchy of avoided situations.",
        "Use Socratic questioning to test the thought of being unwanted.",
        "Interventions to come: pleasant-activity planning and graded tasks.",
        "Continue with cognitive work on self-criticism.",
        "Will continue to process feelings of abandonment.",
    ],
)
def test_a_method_for_coming_sessions_is_seen(sentence: str) -> None:
    assert names_one(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Continue sertraline 50 mg.",
        "Follow up in four weeks.",
        "Client will use deep breathing every evening.",
        "The client agreed to complete three thought records.",
        "HW: mindfulness app.",
        "He will leave his phone in the kitchen overnight and use the slow breathing when he wakes.",
        "No exposure work at this time.",
        "Discontinue EMDR until she is housed.",
        "Reduce exposure to news.",
        "Coordinate with PCP.",
        "Act on the referral.",
        "Client will practise saying so before the next session.",
        "Will practise breathing every evening.",
        "Bring the diary next time.",
        "Therapist will call the school and see her next week.",
        "Continue part-time work.",
        "Continue to discuss the decision making process.",
        "Use the stairs.",
    ],
)
def test_homework_medication_and_what_is_not_done_are_no_method(sentence: str) -> None:
    assert not names_one(sentence)
