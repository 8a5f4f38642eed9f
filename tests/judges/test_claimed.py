"""What the heads are told of a claim's persons, amounts, polarity and parts, on synthetic sessions."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.alignment import align, read_claim
from noteeval_desktop.judges.builtin.contradiction import check
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from tests.factories import make_transcript

SESSION = (
    ("therapist", "Do you drink at home?"),
    ("client", "No. I don't drink at home 😀. I have two, three beers a week at the café."),
    ("therapist", "How is your sister?"),
    ("client", "My sister worries about my health. She came to see me for 4 days."),
)


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(paths.resources() / "lexicons" / "claims.json")


def numbers(text: str, lexicon: ClaimLexicon, session: tuple[tuple[str, str], ...] = SESSION) -> dict[str, float]:
    embedder = FakeEmbedder()
    index = index_session(make_transcript(session), embedder, lexicon)
    claim = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(text)), text), lexicon)
    found = check(claim, align(claim, embedder.embed([text])[0], index), index, lexicon).features()
    return {name.removeprefix("claimed_"): value for name, value in found.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Client drinks at the café.", {"client_subject": 1, "therapist_lives": 0}),
        ("Therapist reports drinking.", {"therapist_subject": 1, "therapist_lives": 1}),
        ("The therapist's mood is low.", {"therapist_lives": 1, "therapist_subject": 0}),
        ("Client explored options with the client.", {"client_treats": 1, "client_helped": 1}),
        ("Therapist explored options with the client.", {"client_treats": 0, "client_helped": 0}),
        ("The client's mother drinks.", {"relative_owned": 1, "relative_first": 1, "persons": 1}),
        ("His friend's mood is stable.", {"relative_owns": 1}),
        ("The uncle of the client drinks.", {"relative_of": 1}),
        ("A nurse drinks at the café.", {"strangers": 1}),
        ("She drinks.", {"client_named": 0, "persons": 0}),
        ("Sleep hygiene 😴.", {"persons": 0}),
        ("", {"persons": 0, "numbers": 0, "part_unsaid": 0, "polarity_other": 0}),
    ],
)
def test_of_whom_a_claim_tells(text: str, expected: dict[str, float], lexicon: ClaimLexicon) -> None:
    found = numbers(text, lexicon)
    assert {name: found[name] for name in expected} == expected


def test_a_relative_who_was_named_is_nearer_than_one_who_was_not(lexicon: ClaimLexicon) -> None:
    near, nowhere = (numbers(f"Client's {who} worries about health.", lexicon) for who in ("sister", "uncle"))
    assert near["relative_gap"] < nowhere["relative_gap"]


@pytest.mark.parametrize(
    ("text", "said", "missing"),
    [
        ("Smokes less than her coworkers.", "I smoke less than people I work with.", 0),
        ("Smokes less than her coworkers.", "I smoke less than my café friends.", 1),
        ("Has trouble with a roommate.", "I want him to move out of my house 😀.", 0),
        ("Has trouble with a roommate.", "I want to sell my house.", 1),
    ],
)
def test_somebody_may_be_told_of_without_a_name(text: str, said: str, missing: float, lexicon: ClaimLexicon) -> None:
    assert numbers(text, lexicon, (("client", said),))["person_missing"] == missing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two to three beers.", {"ranges": 1, "range_said": 1, "range_down": 0}),
        ("Two to five beers.", {"range_said": 0, "range_half_said": 1}),
        ("Five to four beers.", {"range_down": 1, "range_half_said": 0}),
        ("Drinks every week.", {"periods": 1, "period_missing": 0, "numbers": 0}),
        ("Drank this month.", {"periods": 0}),
        ("Drinks every month.", {"periods": 1, "period_missing": 1}),
        ("Stayed for 4 days.", {"timed": 1, "timed_near": 1, "timed_missing": 0, "amount_rank": 0}),
        ("Stayed for 4 weeks.", {"timed": 1, "timed_missing": 1}),
        ("Stayed for 5 days.", {"timed_missing": 1, "near_miss": 1, "first_other": 1}),
        ("Stayed.", {"periods": 0, "numbers": 0, "amount_gap": 0}),
    ],
)
def test_where_a_claims_amounts_were_said(text: str, expected: dict[str, float], lexicon: ClaimLexicon) -> None:
    found = numbers(text, lexicon)
    assert {name: pytest.approx(found[name], abs=1e-6) for name in expected} == expected


def test_yes_and_no_are_held_against_the_clients_words_and_answers(lexicon: ClaimLexicon) -> None:
    said, denied = numbers("Client drinks at home.", lexicon), numbers("Client does not drink at home.", lexicon)
    assert said["polarity_other"] > denied["polarity_other"]
    assert denied["polarity_same"] > said["polarity_same"]
    assert said["polarity_denied"] > 0 == said["polarity_said"]


def test_a_made_up_clause_shows_behind_a_true_one(lexicon: ClaimLexicon) -> None:
    true = numbers("Client's sister worries about health", lexicon)
    longer = numbers("Client's sister worries about health, and moved to Portugal for surgery", lexicon)
    assert longer["part_unsaid"] > true["part_unsaid"]
    assert longer["unsaid_run"] >= 2 > true["unsaid_run"]


def test_a_session_without_a_word_says_nothing(lexicon: ClaimLexicon) -> None:
    found = numbers("Client's sister drinks 4 beers a week.", lexicon, ())
    assert found["relative_gap"] == found["first_person"] == found["polarity_same"] == 0
