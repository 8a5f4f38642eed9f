"""Each claim is put against a short session: are its numbers those that were said of what it tells?"""

from pathlib import Path

import pytest

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.alignment import align, read_claim
from noteeval_desktop.judges.builtin.counted import agreed_at_the_end, counted_too
from noteeval_desktop.judges.builtin.features_claim import Reading
from noteeval_desktop.judges.builtin.findings import Checks
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon

SESSION = (
    "How is the sleep?",
    "I'm asleep by, like, ten thirty. Six hours most nights.",
    "And the cigarettes?",
    "Seven a day now. It was eighteen in May.",
    "And the weight?",
    "Sixty-four kilos today. I was seventy-eight kilos in the summer.",
    "So we meet again on the third of June?",
    "Yes. I stopped the pills twelve days ago, and I walk twice a week.",
    "The guidelines say that adults should walk for forty minutes.",
    "Okay.",
)


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(Path(__file__).parents[2] / "resources" / "lexicons" / "claims.json")


@pytest.mark.parametrize(
    ("claim", "borne_out"),
    [
        ("Client is asleep by about half past ten.", True),
        ("Client is asleep by about half past eleven.", False),
        ("Smokes 7 cigarettes a day, down from 18.", False),  # eighteen of what, nobody said
        ("Client is down 14 kilos since the summer.", True),
        ("Client is down 12 kilos since the summer.", False),
        ("Client stopped the pills a little under two weeks ago.", True),
        ("Client stopped the pills a little under five weeks ago.", False),
        ("Client stopped the pills more than a week ago.", True),
        ("Next session June 3.", True),
        ("Next session June 13.", False),
        ("Sleeps 6 hours most nights.", True),
        ("Sleeps 6 hours most nights and walks twice a week.", True),
        ("Sleeps 6 hours most nights and walks twice a month.", False),
        ("Sleeps more than five hours.", True),
        ("Sleeps less than five hours.", False),
        ("Sleeps at least five hours.", False),
        ("Sleeps 6-5 hours.", False),
        ("Client walks for forty minutes.", False),
        ("Therapist gave the guidelines of forty minutes of walking.", True),
        ("Client sleeps.", False),
        ("Reviewed sleep, smoking, weight, pills, and walking twice a week; twelve days off pills, 64 kilos.", True),
        ("Reviewed sleep, smoking, weight, pills, and walking twice a week; twenty days off pills, 64 kilos.", False),
    ],
)
def test_numbers_are_borne_out_by_those_of_one_thing_said_near(
    claim: str, borne_out: bool, lexicon: ClaimLexicon
) -> None:
    embedder, roles = FakeEmbedder(), (Role.THERAPIST, Role.CLIENT)
    turns = tuple(Turn(i, roles[i % 2].value, roles[i % 2], text) for i, text in enumerate(SESSION))
    session = index_session(Transcript(turns), embedder, lexicon)
    read = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim), lexicon)
    reading = Reading(read, align(read, embedder.embed([claim])[0], session), Checks((), {}))
    assert counted_too(reading, session, lexicon) is borne_out


@pytest.mark.parametrize(
    ("last", "claim", "borne_out"),
    [
        ("Same time next week?", "F/u 1 wk.", True),
        ("Next Thursday then?", "RTC 1 week.", True),
        ("Same time next week?", "F/u 2 wks.", False),
        ("Take care then.", "F/u 1 wk.", False),
        ("Same time next week?", "Sick for 1 wk.", False),
    ],
)
def test_next_week_is_one_week(last: str, claim: str, borne_out: bool, lexicon: ClaimLexicon) -> None:
    embedder, roles = FakeEmbedder(), (Role.THERAPIST, Role.CLIENT)
    said = ("How was it?", "Fine, I slept.", "And work?", "Busy.", last, "Sure.")
    turns = tuple(Turn(i, roles[i % 2].value, roles[i % 2], text) for i, text in enumerate(said))
    session = index_session(Transcript(turns), embedder, lexicon)
    read = read_claim(Sentence("s1", (Section.PLAN,), Span(0, len(claim)), claim), lexicon)
    reading = Reading(read, align(read, embedder.embed([claim])[0], session), Checks((), {}))
    assert counted_too(reading, session, lexicon) is borne_out


END = (
    "How is the Effexor?",
    "One-fifty, every day. And one panic attack.",
    "Good.",
    "Yeah, it was the nineteenth of April when I started.",
    "So I'll see you both on the, it'll be the sixteenth, Monday, at five.",
    "Five's good.",
)


def _read(claim: str, lexicon: ClaimLexicon):  # type: ignore[no-untyped-def]
    embedder, roles = FakeEmbedder(), (Role.THERAPIST, Role.CLIENT)
    turns = tuple(Turn(i, roles[i % 2].value, roles[i % 2], text) for i, text in enumerate(END))
    session = index_session(Transcript(turns), embedder, lexicon)
    read = read_claim(Sentence("s1", (Section.PLAN,), Span(0, len(claim)), claim), lexicon)
    return Reading(read, align(read, embedder.embed([claim])[0], session), Checks((), {})), session


@pytest.mark.parametrize(
    ("claim", "borne_out"),
    [
        ("Effexor 150 mg every day.", True),
        ("Effexor 75 mg every day.", False),
        ("1 panic attack.", True),
        ("2 panic attacks.", False),
    ],
)
def test_numbers_told_in_other_words_bear_a_claim_out(claim: str, borne_out: bool, lexicon: ClaimLexicon) -> None:
    reading, session = _read(claim, lexicon)
    assert counted_too(reading, session, lexicon) is borne_out


@pytest.mark.parametrize(
    ("claim", "agreed"),
    [
        ("RTC 16th at 5 pm", True),
        ("Next appt Mon, 5:00", True),
        ("RTC on 17th at 5 pm", False),
        ("Next session Tues, 5 pm", False),
        ("RTC as needed", False),
        ("Call the school on the 16th", False),
        ("RTC 16th at 5 pm to review the log, the letter to the school, the sleep diary and the new medication", False),
    ],
)
def test_a_next_session_as_it_was_agreed_on_is_told(claim: str, agreed: bool, lexicon: ClaimLexicon) -> None:
    reading, session = _read(claim, lexicon)
    assert agreed_at_the_end(reading.claim, session, lexicon) is agreed
