"""A note's denials of danger against what was spoken of."""

from __future__ import annotations

import threading

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.judges.builtin.risk import spoken_risks
from noteeval_desktop.judges.builtin.risk_denial import (
    denial_borne_out,
    denied_dangers,
    denied_plainly,
    invented_dangers,
)
from tests.factories import make_note, make_transcript

PRESENT = (
    ("therapist", "Any thoughts of suicide?"),
    ("client", "Sometimes I want to kill myself. Not a plan or anything 😔."),
)
ABSENT = (("therapist", "Any thoughts of suicide, or of hurting yourself?"), ("client", "No, nothing like that."))
PLANNED = (("therapist", "Any thoughts of suicide?"), ("client", "I want to kill myself and I have a plan."))
LONG_AGO = (
    ("therapist", "Any thoughts about suicide?"),
    ("client", "Not now. In my twenties I took an overdose. Nothing since then 🙂."),
)
GENTLE = (("therapist", "Has it ever come to blows?"), ("client", "He's never laid a hand on me."))
HIT = (("client", "My husband hit me once, in January."), ("therapist", "Are you safe now?"))


def case_of(session: tuple[tuple[str, str], ...], claim: str) -> Case:
    return Case(make_transcript(session), make_note({Section.SUBJECTIVE: [claim]}))


@pytest.mark.parametrize(
    ("session", "claim", "denied"),
    [
        (PRESENT, "Client denies suicidal ideation.", True),
        (PRESENT, "SI: denied.", True),
        (PRESENT, "Passive SI without plan; children are a protective factor.", False),
        (PRESENT, "Reported passive suicidal ideation without plan or intent.", False),
        (PRESENT, "Denies current suicidal plan but endorsed passive thoughts.", False),
        (PRESENT, "Moderate risk: passive SI, no intent, hx NSSI, mitigated by family.", False),
        (PRESENT, "No plan or intent, reports suicidal thoughts at night.", False),
        (ABSENT, "Client denies suicidal ideation.", False),
        (HIT, "Client reports no history of intimate partner violence.", True),
        (HIT, "Client reports domestic violence.", False),
        (HIT, "Denies that her husband ever hit her.", True),
    ],
)
def test_a_denial_of_what_was_spoken_of_is_told(session: tuple[tuple[str, str], ...], claim: str, denied: bool) -> None:
    case = case_of(session, claim)
    found = denied_dangers(
        case,
        case.note.sentences,
        lambda case, cancel: spoken_risks(case.transcript, None, cancel),
        threading.Event(),
        lambda: denied_plainly(case.transcript),
    )
    assert bool(found) is denied


@pytest.mark.parametrize(
    ("session", "claim", "borne_out"),
    [
        (ABSENT, "Client denies SI.", True),
        (ABSENT, "Client denied any thoughts of self-harm.", True),
        (ABSENT, "Client denies hallucinations.", False),
        (ABSENT, "Client reports suicidal ideation.", False),
        (PRESENT, "Client denies SI.", False),
        (PRESENT, "Client denies plan or intent.", True),
        (PRESENT, "Passive SI without plan.", True),
        (PLANNED, "Client denies plan or intent.", False),
        (LONG_AGO, "Denies current suicidal ideation.", True),
        (LONG_AGO, "Denies suicidal ideation.", False),
        (GENTLE, "Denies that Paul has ever hit her.", True),
        (GENTLE, "Denies that she hit her son.", False),
        (HIT, "Denies that her husband ever hit her.", False),
    ],
)
def test_a_denial_that_the_client_made_too_is_borne_out(
    session: tuple[tuple[str, str], ...], claim: str, borne_out: bool
) -> None:
    spoken = tuple(spoken_risks(make_transcript(session), None, threading.Event()))
    assert denial_borne_out(claim, spoken) is borne_out


@pytest.mark.parametrize(
    ("session", "claim", "invented"),
    [
        (ABSENT, "Client reports suicidal ideation.", True),
        (ABSENT, "Client endorsed thoughts of self-harm 😔.", True),
        (ABSENT, "Client denies suicidal ideation.", False),
        (ABSENT, "Client reports a family history of suicide.", False),
        (ABSENT, "Therapist asked about suicide.", False),
        (ABSENT, "Client reports hearing voices.", False),
        (PRESENT, "Client reports suicidal ideation.", False),
    ],
)
def test_a_danger_that_the_client_said_no_to_is_told(
    session: tuple[tuple[str, str], ...], claim: str, invented: bool
) -> None:
    case = case_of(session, claim)
    found = invented_dangers(
        case, case.note.sentences, lambda case, cancel: spoken_risks(case.transcript, None, cancel), threading.Event()
    )
    assert bool(found) is invented
