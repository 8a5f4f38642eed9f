from __future__ import annotations

import pytest

from noteeval_desktop.documents import guess_roles
from noteeval_desktop.documents.roles import role_by_label
from noteeval_desktop.domain.transcript import Role, Transcript, Turn

THERAPIST, CLIENT, OTHER = Role.THERAPIST, Role.CLIENT, Role.OTHER


def spoken(*turns: tuple[str, str]) -> Transcript:
    return Transcript(tuple(Turn(n, speaker, OTHER, text) for n, (speaker, text) in enumerate(turns)))


def roles(transcript: Transcript) -> dict[str, Role]:
    return {speaker: transcript.role_of(speaker) for speaker in transcript.speakers}


@pytest.mark.parametrize(
    ("label", "role"),
    [
        *(
            (label, THERAPIST)
            for label in ("T", "Th", "Therapist", "therapist 1", "COUNSELOR", "Counsellor", "Dr. Lee")
        ),
        *(
            (label, THERAPIST)
            for label in ("Interviewer", "Ana Ruiz, LCSW", "Bo (Therapist)", "Clinician", "Ana Ode PhD")
        ),
        *(
            (label, CLIENT)
            for label in ("C", "Cl", "P", "Pt", "Client", "client 2", "PATIENT", "Client B", "Zoë (client)")
        ),
        *((label, CLIENT) for label in ("Mother", "Husband", "Interviewee")),
        *(
            (label, OTHER)
            for label in ("Ana", "Speaker 1", "SPEAKER_00", "Interpreter", "Supervisor", "李", "Speaker", "")
        ),
    ],
)
def test_label_says_the_role(label: str, role: Role) -> None:
    assert role_by_label(label) is role


QUESTIONS = ("How does that make you feel?", "Tell me more about that.", "What would you like to change?")
ANSWERS = ("I feel bad, I guess.", "My boss yells at me and I cry.", "I want to sleep.")


def test_talk_tells_therapist_from_client() -> None:
    turns = [turn for pair in zip(QUESTIONS, ANSWERS, strict=True) for turn in (("Bo", pair[0]), ("Ana", pair[1]))]
    guessed = guess_roles(spoken(*turns))
    assert roles(guessed) == {"Bo": THERAPIST, "Ana": CLIENT}
    assert guessed.roles_guessed


def test_labels_go_before_talk() -> None:
    guessed = guess_roles(spoken(("Client", "How are you?"), ("Therapist", "I feel fine.")))
    assert roles(guessed) == {"Client": CLIENT, "Therapist": THERAPIST}
    assert not guessed.roles_guessed


def test_couple_are_both_clients() -> None:
    turns = [("T", QUESTIONS[0]), ("Ana", ANSWERS[0]), ("Bo", ANSWERS[1]), ("T", QUESTIONS[1]), ("Ana", ANSWERS[2])]
    guessed = guess_roles(spoken(*turns))
    assert roles(guessed) == {"T": THERAPIST, "Ana": CLIENT, "Bo": CLIENT}
    assert guessed.roles_guessed


def test_named_therapist_beside_a_labelled_client() -> None:
    assert roles(guess_roles(spoken(("Ana", QUESTIONS[0]), ("Client", ANSWERS[0]))))["Ana"] is THERAPIST


def test_someone_who_looks_in_is_neither() -> None:
    turns = [("T", QUESTIONS[0]), ("Ana", " ".join(ANSWERS) * 20), ("Bo", "Sorry!"), ("T", QUESTIONS[1])]
    assert roles(guess_roles(spoken(*turns)))["Bo"] is OTHER


def test_nothing_is_guessed_about_nobody() -> None:
    transcript = spoken(("Speaker", "How are you?"), ("Speaker", "I feel fine."))
    assert guess_roles(transcript) == transcript
    assert not guess_roles(transcript).roles_guessed


def test_a_name_beside_nobody_known_may_be_either() -> None:
    for other in ("Speaker", "Interpreter"):
        guessed = guess_roles(spoken(("Ana", QUESTIONS[0]), (other, ANSWERS[0]), ("Ana", QUESTIONS[1])))
        assert roles(guessed) == {"Ana": OTHER, other: OTHER}
        assert not guessed.roles_guessed


def test_role_that_is_set_stays() -> None:
    transcript = spoken(("Ana", QUESTIONS[0]), ("Bo", ANSWERS[0])).with_role("Ana", CLIENT)
    assert roles(guess_roles(transcript)) == {"Ana": CLIENT, "Bo": THERAPIST}


def test_words_stay_as_they_are() -> None:
    transcript = spoken(("Ana", QUESTIONS[0]), ("Bo", "شكرا 🙂"))
    assert [turn.text for turn in guess_roles(transcript).turns] == [turn.text for turn in transcript.turns]


def test_a_relative_beside_the_client_is_not_silently_the_client() -> None:
    guessed = guess_roles(spoken(("T", QUESTIONS[0]), ("Client", ANSWERS[0]), ("Mother", ANSWERS[1])))
    assert [guessed.part_of(speaker) for speaker in guessed.speakers] == ["therapist", "client", "parent"]
    assert guessed.speakers[2] == "Mother (parent)"
    assert guessed.warnings == (
        "“Mother” is shown as a parent, not as the client. To change this, click the name above the session.",
    )
    assert guess_roles(guessed).warnings == guessed.warnings


def test_relatives_alone_with_the_therapist_are_the_clients() -> None:
    guessed = guess_roles(spoken(("T", QUESTIONS[0]), ("Wife", ANSWERS[0]), ("Husband", ANSWERS[1])))
    assert [guessed.part_of(speaker) for speaker in guessed.speakers] == ["therapist", "client", "client"]
    assert not guessed.warnings


@pytest.mark.parametrize(
    ("stray", "role"), [("Client", CLIENT), ("Therapist", THERAPIST), ("Th", THERAPIST), ("Patient", CLIENT)]
)
def test_a_stray_label_takes_no_role_from_whoever_spoke_all_along(stray: str, role: Role) -> None:
    said = [part for pair in zip(QUESTIONS, ANSWERS, strict=False) for part in zip(("Ana", "Bo"), pair, strict=True)]
    said = [*said, *said, *said]
    assert roles(guess_roles(spoken(*said, (stray, "Thanks.")))) == {"Ana": THERAPIST, "Bo": CLIENT, stray: role}
    both = roles(guess_roles(spoken(*said, ("Client", "Thanks."), ("Therapist", "Bye."))))
    assert (both["Ana"], both["Bo"]) == (THERAPIST, CLIENT)


def test_a_therapist_of_few_words_is_still_the_therapist() -> None:
    said = [("Ana", ANSWERS[0] * 3), ("Bo", ANSWERS[1] * 3), ("Therapist", "And how was that for you both?")]
    assert roles(guess_roles(spoken(*said))) == {"Ana": CLIENT, "Bo": CLIENT, "Therapist": THERAPIST}
