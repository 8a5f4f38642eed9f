"""The checks behind a verdict, on synthetic sessions: numbers, negations, persons, terms, answers, observations."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.alignment import align, read_claim
from noteeval_desktop.judges.builtin.contradiction import check
from noteeval_desktop.judges.builtin.findings import Checks, Clash
from noteeval_desktop.judges.builtin.observed import observation_in
from noteeval_desktop.judges.builtin.plain_wording import plain_wording
from noteeval_desktop.judges.builtin.polarity import Answer, answer_of
from noteeval_desktop.judges.builtin.quantities import is_no_range, quantities
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from tests.factories import make_transcript

Session = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(paths.resources() / "lexicons" / "claims.json")


def checked(text: str, session: Session, lexicon: ClaimLexicon) -> tuple[Checks, SessionIndex]:
    embedder = FakeEmbedder()
    index = index_session(make_transcript(session), embedder, lexicon)
    claim = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(text)), text), lexicon)
    alignment = align(claim, embedder.embed([text])[0], index)
    return check(claim, alignment, index, lexicon), index


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


@pytest.mark.parametrize(
    ("claim", "clash"),
    [
        ("Client drinks four times a week.", Clash.NUMBER),
        ("Client drinks seventeen beers.", Clash.NUMBER),
        ("Client's mother hates that he drinks beers.", Clash.PERSON),
        ("Client takes sertraline.", Clash.TERM),
        ("Client attends AA.", Clash.TERM),
        ("Client denies drinking beers twice a week.", Clash.DENIAL),
        ("Client does not drink beers.", Clash.NEGATION),
        ("Client has trouble sleeping.", Clash.AFFIRMATION),
    ],
)
def test_what_the_session_says_otherwise_is_found(claim: str, clash: Clash, lexicon: ClaimLexicon) -> None:
    checks, _ = checked(claim, DRINKS, lexicon)
    assert clash in {finding.clash for finding in checks.findings}


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
    checks, index = checked(claim, WEEKS, lexicon)
    found = [(f.noted.of(claim), f.said.of(index.passages[f.passage].text)) for f in checks.findings
             if f.clash is Clash.NUMBER and f.passage is not None and f.said is not None]  # fmt: skip
    assert (noted, said) in found


@pytest.mark.parametrize(
    ("claim", "surely"),
    [("PHQ-9 score was 16 today 🙂.", True), ("Score was 11 today.", False), ("Score was 12 today.", False)],
)
def test_a_number_said_of_nothing_beside_another_of_the_same_thing(
    claim: str, surely: bool, lexicon: ClaimLexicon
) -> None:
    checks, _ = checked(claim, WEEKS, lexicon)
    assert any(finding.surely for finding in checks.findings) is surely


@pytest.mark.parametrize(
    "claim",
    ["Drank twice last week.", "He had four beers on Saturday.", "Score of 11 today.", "Slept 5 hours.", "Scored 16."],
)
def test_the_same_number_of_the_same_thing_bears_a_claim_out(claim: str, lexicon: ClaimLexicon) -> None:
    checks, _ = checked(claim, WEEKS, lexicon)
    assert Clash.NUMBER not in {finding.clash for finding in checks.findings}


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
    checks, _ = checked(claim, ASKED, lexicon)
    assert checks.numbers["number_mean"] == pytest.approx(mean)


@pytest.mark.parametrize(
    ("text", "is_none"),
    [
        ("has 5-4 drinks", True),
        ("a five or five out of ten", True),
        ("from 4 to 4 cups ☕", True),
        ("on a scale of 2 to 10", True),
        ("has 3-4 drinks, or six", False),
        ("from 6 to 3", False),
        ("on a scale of 0 to 10", False),
        ("4 weeks ago he had 4", False),
        ("24-7, 50-50, 120-80, on 10-5-2023, in a 9-5 job", False),
        ("", False),
    ],
)
def test_numbers_that_make_no_range(text: str, is_none: bool, lexicon: ClaimLexicon) -> None:
    assert is_no_range(text, quantities(text, lexicon.words(text))) is is_none


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("His brother's financial support helps.", None),
        ("He had beers at his brother's on Saturday.", "cousin's"),
    ],
)
def test_another_relative_is_named_only_where_the_session_tells_the_same_of_them(
    claim: str, said: str | None, lexicon: ClaimLexicon
) -> None:
    checks, index = checked(claim, WEEKS, lexicon)
    (finding,) = [f for f in checks.findings if f.clash is Clash.PERSON]
    assert (
        finding.said and finding.passage is not None and finding.said.of(index.passages[finding.passage].text)
    ) == said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Client denies drinking.", "Client reports drinking."),
        ("Client does not want to quit.", "Client wants to quit."),
        ("Patient did not feel bloated.", "Patient felt bloated."),
        ("She isn’t sleeping.", "She is sleeping."),
        ("He is unable to work.", "He is able to work."),
        ("Drinks 4 times a week.", "Drinks twelve times a week."),
        ("Café visits daily 😀.", "Café visits weekly 😀."),
        ("", ""),
    ],
)
def test_plain_wording_hides_numbers_and_negations(one: str, other: str, lexicon: ClaimLexicon) -> None:
    assert plain_wording(one, lexicon) == plain_wording(other, lexicon)


@pytest.mark.parametrize(
    "text", ["Client reports drinking.", "Explored ambivalence.", "Rated by his wife 😀.", "F12.20"]
)
def test_plain_wording_leaves_other_words_alone(text: str, lexicon: ClaimLexicon) -> None:
    assert plain_wording(text, lexicon) == text


@pytest.mark.parametrize(
    "claim",
    [
        "Client drinks twice a week.",
        "Client drinks 2-3 beers, 2x a week.",
        "Client's wife hates his drinking.",
        "Client denies trouble sleeping.",
        "Client's sibling is seen sometimes.",
    ],
)
def test_what_the_session_says_too_is_no_clash(claim: str, lexicon: ClaimLexicon) -> None:
    checks, _ = checked(claim, DRINKS, lexicon)
    assert not {f.clash for f in checks.findings} & {Clash.NUMBER, Clash.PERSON, Clash.TERM, Clash.DENIAL}


def test_a_finding_points_at_words_of_claim_and_passage(lexicon: ClaimLexicon) -> None:
    claim = "Client drinks four times a week."
    checks, index = checked(claim, DRINKS, lexicon)
    finding = checks.worst
    assert finding is not None
    assert finding.passage is not None
    assert finding.said is not None
    assert finding.noted.of(claim) == "four"
    assert finding.said.of(index.passages[finding.passage].text) == "twice"


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
        assert 0 < len(passage.text.split()) <= 61
    assert " ".join(p.text for p in index.passages if p.turn == 0).split() == text.split()


def test_an_empty_session_has_nothing_to_align_with(lexicon: ClaimLexicon) -> None:
    checks, index = checked("Client drinks 4 beers with his wife.", (), lexicon)
    assert index.passages == ()
    assert checks.numbers["number_absent"] == 1


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


def test_the_worst_of_some_kinds_leaves_out_the_others(lexicon: ClaimLexicon) -> None:
    checks, _ = checked("Client denies drinking nine beers with his mother.", DRINKS, lexicon)
    assert checks.worst is not None
    assert checks.worst.clash in {Clash.NUMBER, Clash.PERSON}
    denial = checks.worst_of({Clash.DENIAL})
    assert denial is not None
    assert denial.clash is Clash.DENIAL
    assert checks.worst_of({Clash.OPPOSITE}) is None


@pytest.mark.parametrize(
    ("text", "spoken"),
    [("Hi Maria, hi.", False), ("Denies SI/HI.", True), ("denies si and hi", True), ("No HI today", True)],
)
def test_a_greeting_is_no_homicidal_ideation(text: str, spoken: bool, lexicon: ClaimLexicon) -> None:
    assert ("homicidal" in {word.folded for word in lexicon.words(text)}) is spoken
