"""A draft sentence says what was said and by whom, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.ui.findings.omission_draft import draft_of, named_as, question_before
from tests.factories import make_transcript


def drafted(*turns: tuple[str, str], lead: int = 0, also: tuple[int, ...] = ()) -> str:
    transcript = make_transcript(turns)
    cited = [cite(transcript.turns[number]) for number in (lead, *also)]
    return draft_of(Omission(cited[0], OmissionKind.SYMPTOM, Severity.LOW, also=tuple(cited[1:])), transcript)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Well, I-I drink, um, five beers every weekend.", "they drink five beers every weekend"),
        ("I'm not sleeping, you know, at night.", "they are not sleeping at night"),
        ("Yeah, I don’t want to lose my family over smoking.", "they don't want to lose their family over smoking"),
        ("My wife left me.", "their wife left them"),
        ("I was 14 when my dad died.", "they were 14 when their dad died"),
        ("Okay, I’ve been hurting myself [sighs] since May.", "they have been hurting themselves since May"),
    ],
)
def test_what_can_be_told_is_told_without_fillers(said: str, told: str) -> None:
    assert drafted(("client", said)) == f"Client reports that {told} (turn 1)."


@pytest.mark.parametrize(
    "said",
    [
        "I told her that I'd quit.",  # would or had
        "I asked you for help.",
        "They told me I should stop.",
        "We argue every night.",
        "Why do I always do this?",
        "I've been wanting this for-for years, like-",
        "I think. Sometimes I cry.",
        "Sometimes at night.",
        "Je ne dors plus, 眠れない 🙂",
        "I " + "drink " * 40,
    ],
)
def test_what_could_change_its_meaning_is_quoted(said: str) -> None:
    draft = drafted(("client", said))
    assert draft.startswith("Client reports: “")
    assert said.split()[0] in draft


def test_a_short_answer_stands_with_its_question() -> None:
    turns = (("therapist", "Do you think about ending your life?"), ("client", "Sometimes."))
    draft = drafted(*turns, lead=1, also=(0,))
    assert draft == "Asked “Do you think about ending your life?”, the client answered “Sometimes.” (turn 2)."


@pytest.mark.parametrize(
    ("said", "draft"),
    [
        ("Try the breathing exercise at home.", "Therapist said: “Try the breathing exercise at home.” (turn 1)."),
        ("How are you?", "Therapist asked: “How are you?” (turn 1)."),
    ],
)
def test_the_therapists_words_are_quoted_as_the_therapists(said: str, draft: str) -> None:
    assert drafted(("therapist", said)) == draft


def test_another_speaker_is_not_made_the_client() -> None:
    assert not drafted(("other", "I am tired.")).startswith("Client")


def test_a_question_further_back_or_a_long_answer_is_no_pair() -> None:
    transcript = make_transcript(
        (("therapist", "How are you?"), ("client", "Mm."), ("client", "I " + "walk " * 20), ("therapist", "Really?"))
    )
    cited = [cite(turn) for turn in transcript.turns]
    for lead, question in ((2, 0), (2, 3), (1, 3)):
        omission = Omission(cited[lead], OmissionKind.SYMPTOM, Severity.LOW, also=(cited[question],))
        assert question_before(omission, transcript) is None


def test_with_a_couple_it_is_said_who() -> None:
    turns = [("Lee", "Do you ever hit her?"), ("Ben (partner)", "Once, at New Year 🙁."), ("Ana", "I'm scared of him.")]
    made = make_transcript(tuple(("therapist" if name == "Lee" else "client", said) for name, said in turns))
    named = [replace(turn, speaker=name) for turn, (name, _) in zip(made.turns, turns, strict=True)]
    session = replace(made, turns=tuple(named))
    told, answered = (
        Omission(cite(session.turns[turn]), OmissionKind.RISK, Severity.HIGH, also=tuple(map(cite, also)))
        for turn, also in ((2, ()), (1, session.turns[:1]))
    )
    assert draft_of(told, session) == "Ana reports that they are scared of him (turn 3)."
    assert "Ben (partner) answered “Once, at New Year 🙁.”" in draft_of(answered, session)


@pytest.mark.parametrize(
    ("speaker", "note", "called"),
    [
        ("Daniel Moreno", "D.M. sleeps badly.", "D.M."),
        ("Daniel Moreno", "DM sleeps badly.", "DM"),
        ("Daniel Moreno", "The client sleeps badly.", "D.M."),
        ("Daniel Moreno", "Daniel sleeps badly.", "Daniel"),
        ("Daniel Moreno (partner)", "D. M. came along.", "D. M. (partner)"),
        ("Mother", "J.T. sleeps badly.", "Mother"),
        ("Speaker 2", "J.T. sleeps badly.", "Speaker 2"),
        ("Ana", "J.T. and Ana came.", "Ana"),
    ],
)
def test_a_draft_calls_people_as_the_note_does(speaker: str, note: str, called: str) -> None:
    assert named_as(speaker, note) == called
