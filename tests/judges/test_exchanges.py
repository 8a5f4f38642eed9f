"""What opens an exchange, what answers it, and what is neutral and left out."""

from __future__ import annotations

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.exchanges import ScoredExchange
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.judges.exchanges import scored_exchanges
from tests.factories import make_transcript

T, C = "therapist", "client"


def verdict(turn: int, safety: int = 4) -> ResponseVerdict:
    return ResponseVerdict(turn, tuple((a, safety if a is Attribute.SAFETY else 3) for a in Attribute))


def found(*said: tuple[str, str], counts: MiCounts | None = None, **safety: int) -> tuple[ScoredExchange, ...]:
    verdicts = [verdict(n, safety.get(f"at{n}", 4)) for n, (role, _) in enumerate(said) if role == T]
    return scored_exchanges(make_transcript(said), verdicts, counts)


def test_small_talk_opens_no_exchange() -> None:
    assert found((C, "Tuesday, by bus."), (T, "Good. Shall we start?"), (C, "Sure."), (T, "How was the week?")) == ()


def test_a_disclosure_takes_the_next_turns_of_the_therapist() -> None:
    (one,) = found(
        (C, "I was so afraid that I could not leave the house."),
        (C, "Not once."),
        (T, "That sounds frightening."),
        (C, "Yes."),
        (T, "What happened then?"),
        (C, "I sat down."),
        (T, "And you got through it."),
        (C, "Mm."),
        (T, "Shall we look at the form?"),
    )
    assert (one.disclosed, one.turns) == ((0, 1), (2, 4, 6))


def test_a_danger_opens_an_exchange_of_its_own() -> None:
    first, second = found(
        (C, "I feel sad about my brother moving away."),
        (T, "You miss him."),
        (C, "I want to kill myself. I had the gun in my lap."),
        (T, "Was it loaded?"),
        at3=2,
    )
    assert (first.turns, first.danger) == ((1,), False)
    assert (second.turns, second.danger) == ((3,), True)


def test_a_safety_question_in_the_next_turns_answers_a_danger() -> None:
    (one,) = found(
        (C, "I want to kill myself."),
        (T, "Say that again?"),
        (C, "You heard."),
        (T, "Do you have a plan?"),
        at1=2,
        at3=5,
    )
    assert one.danger
    assert not one.unanswered


def test_what_the_therapist_did_is_said_once() -> None:
    counts = MiCounts((), None, ((1, (Behaviour.OPEN_QUESTION,)), (3, (Behaviour.OPEN_QUESTION, Behaviour.INPUT))))
    (one,) = found((C, "I feel so ashamed of it all."), (T, "What of?"), (C, "Me."), (T, "How so?"), counts=counts)
    assert one.did == (Behaviour.OPEN_QUESTION, Behaviour.INPUT)
