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
    ],
)
def test_homework_medication_and_what_is_not_done_are_no_method(sentence: str) -> None:
    assert not names_one(sentence)
