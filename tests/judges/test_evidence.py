"""What the evidence on a claim rests on: amounts, answers, observations, passages."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.amounts import Amount
from noteeval_desktop.judges.builtin.support.evidence import gather
from noteeval_desktop.judges.builtin.text.observed import observation_in
from noteeval_desktop.judges.builtin.text.polarity import Answer, answer_of
from noteeval_desktop.judges.builtin.text.quantities import quantities
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, claim_lexicon
from tests.factories import make_transcript
from tests.fake_embedder import FakeEmbedder

Session = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return claim_lexicon()


def compared(claim: str, session: Session, lexicon: ClaimLexicon) -> tuple[SessionIndex, tuple[Amount, ...]]:
    """The claim's amounts beside those of the session."""
    embedder = FakeEmbedder()
    index = index_session(make_transcript(session), embedder, lexicon)
    sentence = Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim)
    return index, gather([sentence], index, embedder, lexicon)[0].amounts


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twice a week", [2.0]),
        ("4x per week, 3-4 drinks", [4.0, 3.0, 4.0]),
        ("twenty-five cigarettes", [25.0]),
        ("half a pack", [0.5]),
        ("$2,000", [2000.0]),
        ("a couple of beers", [2.0]),
        ("On one hand he likes it; one of the reasons", []),
        ("one drink", [1.0]),
        ("F12.20, oriented x3, PHQ-9", []),
        ("a 2-year-old son", [2.0]),
        ("80/100", [80.0, 100.0]),
        ("", []),
    ],
)
def test_numbers_are_read_in_words_and_digits(text: str, values: list[float], lexicon: ClaimLexicon) -> None:
    assert [quantity.value for quantity in quantities(text, lexicon.words(text))] == values


DRINKS: Session = (
    ("therapist", "How often do you drink?"),
    ("client", "I drink maybe twice a week, two or three beers. My wife hates it 😀."),
    ("therapist", "Any trouble sleeping?"),
    ("client", "No. I don't take any medication, either."),
    ("therapist", "Do you see your brother?"),
    ("client", "Sometimes."),
)


WEEKS: Session = (
    ("therapist", "Awake at three. How many nights a week is that?"),
    ("client", "So, twice last week. Saturday I had four beers, at my cousin's."),
    ("therapist", "Twice. When you first came, what was it?"),
    ("client", "Six nights out of seven 🍺, easily."),
    ("therapist", "You scored eleven today. Four weeks ago it was sixteen."),
    ("client", "I slept five hours, and my café opens at ten."),
)


@pytest.mark.parametrize(
    ("claim", "noted", "said"),
    [
        ("He reports drinking four times in the past week.", "four", "twice"),
        ("Drank 4x last week.", "4", "twice"),
        ("PHQ-9 score was 16 today.", "16", "eleven"),
        ("Sleeps seven hours.", "seven", "five"),
    ],
)
def test_a_number_of_something_else_nearby_does_not_bear_a_claim_out(
    claim: str, noted: str, said: str, lexicon: ClaimLexicon
) -> None:
    index, amounts = compared(claim, WEEKS, lexicon)
    found = [
        (one.noted.shown, one.said.of(index.passages[one.passage].text))
        for one in amounts
        if one.differs and one.passage is not None and one.said is not None
    ]
    assert (noted, said) in found


@pytest.mark.parametrize(
    "claim",
    ["Drank twice last week.", "He had four beers on Saturday.", "Score of 11 today.", "Slept 5 hours.", "Scored 16."],
)
def test_the_same_number_of_the_same_thing_bears_a_claim_out(claim: str, lexicon: ClaimLexicon) -> None:
    _, amounts = compared(claim, WEEKS, lexicon)
    assert not any(amount.differs for amount in amounts)


ASKED: Session = (
    ("therapist", "And how many glasses of wine is that on a usual night?"),
    ("client", "Three to four. Five, when it's a café 🍷."),
    ("therapist", "What do you do for work?"),
    ("client", "Nine to five, in a shop."),
)


@pytest.mark.parametrize(
    ("claim", "mean"), [("Drinks 3-5 glasses a night.", 1.0), ("He has five glasses.", 1.0), ("Nine glasses.", 0.9)]
)
def test_a_bare_number_counts_what_the_question_asked_for(claim: str, mean: float, lexicon: ClaimLexicon) -> None:
    _, amounts = compared(claim, ASKED, lexicon)
    assert sum(amount.level for amount in amounts) / len(amounts) == pytest.approx(mean)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Sometimes.", Answer.PARTLY),
        ("No. Not since the spring.", Answer.NO),
        ("Not really.", Answer.NO),
        ("Yeah, I guess.", Answer.YES),
        ("I don't.", Answer.NO),
        ("It rained all week.", None),
        ("", None),
    ],
)
def test_yes_and_no_and_between_are_told_apart(text: str, answer: Answer | None, lexicon: ClaimLexicon) -> None:
    assert answer_of(lexicon.words(text)) is answer


@pytest.mark.parametrize(
    ("text", "stock"),
    [
        ("Calm and oriented x3.", True),
        ("Mood and affect WNL.", True),
        ("Shows good insight and judgment.", True),
        ("Client maintained eye contact.", False),
        ("Speech was clear and coherent.", False),
        ("Pt appeared tearful.", False),
        ("Smell of alcohol noted on breath.", False),
        ("Casual dress, well-nourished 🙂.", False),
    ],
)
def test_what_only_the_room_shows_is_observed(text: str, stock: bool) -> None:
    observation = observation_in(text)
    assert observation is not None
    assert observation.stock is stock
    assert observation.words in text


@pytest.mark.parametrize("text", ["Client reports drinking.", "Client will return on Tuesday.", "Discussed coping."])
def test_what_was_said_is_not_observed(text: str) -> None:
    assert observation_in(text) is None


def test_long_turns_are_cut_into_passages_that_lie_in_them(lexicon: ClaimLexicon) -> None:
    text = "  " + "I slept badly again, you know, and 😀 then… " * 60 + "word " * 500
    transcript = make_transcript((("client", text), ("therapist", "   "), ("client", "Ok.")))
    index = index_session(transcript, FakeEmbedder(), lexicon)
    assert len(index.passages) > 10
    for passage in index.passages:
        assert passage.span.of(transcript.turns[passage.turn].text) == passage.text
        assert 0 < len(passage.text.split()) <= 43
    assert " ".join(p.text for p in index.passages if p.turn == 0).split() == text.split()


def test_an_empty_session_has_nothing_to_align_with(lexicon: ClaimLexicon) -> None:
    index, amounts = compared("Client drinks 4 beers with his wife.", (), lexicon)
    assert index.passages == ()
    assert [amount.level for amount in amounts] == [0.0]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("two to three days a week", ["per week", "per week"]),
        ("3-5 glasses of wine 4 nights a week", ["glas", "glas", "per week"]),
        ("I am probably a two. I-I have not", [""]),
        ("a 2 on a scale of 1 to 10", ["", "scale", "scale"]),
        ("8 out of 10 😀", ["", "scale"]),
        ("my two-year-old son", ["year"]),
        ("five or six in the evening", ["day", "day"]),
        ("within the next two, three months 😀", ["month", "month"]),
        ("wants to be active in daily life, and drinks daily", ["day"]),
    ],
)
def test_what_a_number_counts(text: str, units: list[str], lexicon: ClaimLexicon) -> None:
    assert [quantity.unit for quantity in quantities(text, lexicon.words(text))] == units


@pytest.mark.parametrize(("text", "value"), [("a couple of grand", 2000), ("$2,000", 2000), ("two hundred beers", 200)])
def test_large_amounts_in_words(text: str, value: float, lexicon: ClaimLexicon) -> None:
    assert [quantity.value for quantity in quantities(text, lexicon.words(text))] == [value]


@pytest.mark.parametrize(
    ("text", "spoken"),
    [("Hi Maria, hi.", False), ("Denies SI/HI.", True), ("denies si and hi", True), ("No HI today", True)],
)
def test_a_greeting_is_no_homicidal_ideation(text: str, spoken: bool, lexicon: ClaimLexicon) -> None:
    assert ("homicidal" in {word.folded for word in lexicon.words(text)}) is spoken
