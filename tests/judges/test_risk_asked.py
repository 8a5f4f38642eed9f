"""Denials of danger in a note, told with the question and the answer, or with the lack of a question."""

from __future__ import annotations

import pytest

from noteeval_desktop.judges.builtin.risk import spoken_risks
from noteeval_desktop.judges.builtin.risk_asked import Asked, asked_about
from tests.factories import make_transcript

ASKED = (
    ("therapist", "How was the week?"),
    ("client", "Fine, mostly 🙂."),
    ("therapist", "Any thoughts of killing yourself?"),
    ("client", "No. Nothing like that."),
)
TALK = (("therapist", "How was the week?"), ("client", "Fine, I slept and I went to work."))
OTHER_WORDS = (("therapist", "Do you feel safe with yourself?"), ("client", "Sure I do."))


def asked(session: tuple[tuple[str, str], ...], text: str) -> Asked | None:
    transcript = make_transcript(session)
    return asked_about(text, spoken_risks(transcript, None), transcript)


@pytest.mark.parametrize("text", ["Denies SI.", "Low acute risk, no SI.", "Client denied suicidal thoughts."])
def test_a_denial_is_shown_with_its_question_and_answer(text: str) -> None:
    found = asked(ASKED, text)

    assert found is not None
    assert not found.unasked
    assert [citation.turn for citation in found.citations] == [2, 3]
    assert found.rationale == "Asked about this, the client says “No. Nothing like that”."


@pytest.mark.parametrize("question", ["Any thoughts of killing yourself?", "Hi. Any thoughts of hurting yourself?"])
def test_what_was_not_asked_beside_what_was_is_pointed_out(question: str) -> None:
    found = asked((("therapist", question), ("client", "No. Nothing like that.")), "Denies SI/HI.")

    assert found is not None
    assert not found.unasked
    assert "Nothing in the session asks about harm to others" in found.rationale


@pytest.mark.parametrize(
    ("text", "unasked"),
    [
        ("Denies SI/HI.", True),
        ("No suicidal ideation.", True),
        ("Sleeping and eating well, back at work, seeing friends; denies suicidal thoughts.", False),
    ],
)
def test_a_bare_denial_that_nobody_asked_for_is_not_in_the_session(text: str, unasked: bool) -> None:
    found = asked(TALK, text)

    assert found is not None
    assert found.unasked is unasked
    assert found.citations == ()
    assert "keep the denial only if you asked" in found.rationale


@pytest.mark.parametrize(
    ("session", "text"),
    [(OTHER_WORDS, "Denies SI."), (TALK, "Reports suicidal thoughts."), (TALK, "Denies drinking.")],
)
def test_where_it_may_have_been_asked_in_other_words_nothing_is_said(
    session: tuple[tuple[str, str], ...], text: str
) -> None:
    assert asked(session, text) is None
