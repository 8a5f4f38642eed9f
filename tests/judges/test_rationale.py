from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin import rationale
from noteeval_desktop.judges.builtin.alignment import read_claim
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from tests.factories import make_transcript


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("thought", "thought", "thought"),
        ("Yes. I thought about it, often. Then I stopped.", "thought", "I thought about it, often"),
        (
            "I’ve slept, 🙂 mostly, on the sofa of a friend from work.",
            "slept",
            "I’ve slept, 🙂 mostly, on the sofa of…",
        ),
        ("We keep it, says Dr. Moss, for now. Yes.", "keep", "We keep it, says Dr. Moss, for now"),
        (
            "One two three four five six seven eight pain nine.",
            "pain",
            "…three four five six seven eight pain nine",
        ),
    ],
)
def test_a_reason_quotes_the_words_around_what_was_said(text: str, word: str, said: str) -> None:
    start = text.index(word)
    assert rationale._around(text, Span(start, start + len(word))) == said


SCHOOL: tuple[tuple[str, str], ...] = (
    ("therapist", "How was the week?"),
    ("client", "I went to school four out of five days. I had three panic attacks, two on the bus."),
    ("therapist", "Good to hear. Did the teacher know?"),
    ("client", "No, I didn't tell her."),
    ("therapist", "Any side effects?"),
    ("client", "A bit of nausea at first but that’s gone now 🙂."),
    ("therapist", "How many cups of coffee?"),
    ("client", "Five."),
    ("therapist", "Are you still taking the Lexapro?"),
    ("client", "Yes, ten milligrams."),
    ("client", "I don't enjoy the guitar anymore."),
    ("therapist", "Let's try the log this week."),
)


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(paths.resources() / "lexicons" / "claims.json")


def explained(
    text: str,
    lexicon: ClaimLexicon,
    close: tuple[int, ...] = (),
    verdict: Verdict = Verdict.SUPPORTED,
    finding: Finding | None = None,
    section: Section = Section.SUBJECTIVE,
) -> str:
    session = index_session(make_transcript(SCHOOL), FakeEmbedder(), lexicon)
    claim = read_claim(Sentence("s1", (section,), Span(0, len(text)), text), lexicon)
    return rationale.explain(verdict, claim, None, finding, session, True, close)


@pytest.mark.parametrize(
    ("claim", "close", "reason"),
    [
        ("Client did not tell her teacher.", (3,), "Asked about this, the client says “No, I didn't tell her”."),
        ("Client did not tell her teacher.", (2, 3), "Asked about this, the client says “No, I didn't tell her”."),
        (
            "Client told her teacher.",
            (3,),
            "The session speaks of this; asked about it, the client says “No, I didn't tell her”.",
        ),
        ("Client drinks five cups a day.", (6,), "Asked about this, the client says “Five”."),
        ("Client takes Lexapro.", (9,), "Asked about this, the client says “Yes, ten milligrams”."),
        (
            "Client is not taking Lexapro.",
            (8,),
            "The session speaks of this; asked about it, the client says “Yes, ten milligrams”.",
        ),
        ("Pt no longer enjoys the guitar.", (10,), "The client says “I don't enjoy the guitar anymore”."),
        ("Pt enjoys the guitar.", (10,), "The passage closest to this says “I don't enjoy the guitar anymore”."),
        ("Client attended school.", (1,), "The client says so."),
        (
            "Client and sister went for a walk; he enjoys it.",
            (10,),
            "The passage closest to this says “I don't enjoy the guitar anymore”.",
        ),
        (
            "Client had bus trouble, a cold, a fall and a quarrel.",
            (1,),
            "The client speaks of this: “I had three panic attacks, two on the bus”.",
        ),
        (
            "PHQ-9 fell to 12.",
            (3,),
            "The session as a whole fits this; closest is “No, I didn't tell her”.",
        ),
        ("Client will try the log.", (11,), "The therapist says so."),
        ("Client is coping.", (), "The session as a whole fits this; no one passage says it."),
    ],
)
def test_what_bears_a_claim_out_is_said_as_it_was_said(
    claim: str, close: tuple[int, ...], reason: str, lexicon: ClaimLexicon
) -> None:
    assert explained(claim, lexicon, close) == reason


@pytest.mark.parametrize(
    ("claim", "clash", "noted", "passage", "said", "reason"),
    [
        (
            "Client had four panic attacks.",
            Clash.NUMBER,
            "four",
            1,
            "three",
            "In the session: “I had three panic attacks, two on the bus”. The note says “four panic attacks”.",
        ),
        (
            "Client told the teacher, and is anxious.",
            Clash.AFFIRMATION,
            "teacher",
            3,
            None,
            "In the session this is denied: “Did the teacher know?” – “No, I didn't tell her”. The note states it.",
        ),
        (
            "Client does not take Lexapro.",
            Clash.NEGATION,
            "not",
            8,
            "Lexapro",
            "In the session: “Are you still taking the Lexapro” – “Yes, ten milligrams”. "
            "The note says “not take Lexapro”.",
        ),
        (
            "Client drinks six cups of coffee.",
            Clash.NUMBER,
            "six",
            7,
            "Five",
            "In the session: “How many cups of coffee?” – “Five”. The note says “six cups”.",
        ),
        (
            "Client denies thoughts of suicide and the like.",
            Clash.DENIAL,
            "denies",
            None,
            None,
            "The note says “denies thoughts of suicide”; nothing in the session says no to that.",
        ),
        (
            "Client is 34 years old.",
            Clash.NUMBER,
            "34",
            None,
            None,
            "The note says “34 years old”; the session gives no such number for this.",
        ),
        (
            "Client denies plan or intent.",
            Clash.DENIAL,
            "denies",
            None,
            None,
            "The note says “denies plan or intent”; nothing in the session says no to that.",
        ),
        (
            "Client denies symptoms of anxiety and worry.",
            Clash.TERM,
            "anxiety",
            None,
            None,
            "The session says nothing of “symptoms of anxiety and worry”.",
        ),
        (
            "Client's coworkers drink.",
            Clash.PERSON,
            "coworkers",
            None,
            None,
            "The session does not tie this to coworkers.",
        ),
        ("Client's aunt drinks.", Clash.PERSON, "aunt", None, None, "The session does not tie this to an aunt."),
        ("Client attends AA.", Clash.TERM, "AA", None, None, "“AA” does not come up in the session."),
    ],
)
def test_what_speaks_against_a_claim_is_told_with_its_passage(
    claim: str, clash: Clash, noted: str, passage: int | None, said: str | None, reason: str, lexicon: ClaimLexicon
) -> None:
    finding = Finding(clash, _place(claim, noted), passage, _place(SCHOOL[passage or 0][1], said) if said else None)
    assert explained(claim, lexicon, verdict=Verdict.CONTRADICTED, finding=finding) == reason


@pytest.mark.parametrize(
    ("passage", "said", "quote"),
    [
        (10, SCHOOL[10][1], "I don't enjoy the guitar anymore"),
        (1, "school", "I went to school four out of five days"),
        (1, "five days", "…went to school four out of five days. I had three panic attacks, two on the bus"),
    ],
)
def test_what_is_surely_not_so_is_quoted_with_what_gives_it_sense(
    passage: int, said: str, quote: str, lexicon: ClaimLexicon
) -> None:
    claim = "Client does not go."
    finding = Finding(Clash.NEGATION, _place(claim, "not go"), passage, _place(SCHOOL[passage][1], said), surely=True)
    reason = f"In the session: “{quote}”. The note says that it is not so."
    assert explained(claim, lexicon, verdict=Verdict.CONTRADICTED, finding=finding) == reason


def test_a_doubted_claim_is_told_with_what_comes_closest(lexicon: ClaimLexicon) -> None:
    closest = "The session does not say quite this; closest is “I went to school four out of five days”."
    assert explained("His wife went to school.", lexicon, (1,), Verdict.UNSUPPORTED) == closest
    assert explained("RTC.", lexicon, (), Verdict.UNSUPPORTED, section=Section.PLAN) == (
        "The session does not speak of this plan."
    )


@pytest.mark.parametrize(
    ("text", "number", "shown"),
    [
        ("I had three panic attacks, two at work", "three", "three panic attacks"),
        ("20 mg every morning", "20", "20 mg every morning"),
        ("twice last year", "twice", "twice"),
        ("PHQ-9 was 14/27 today", "14", "14/27"),
        ("a 34-year-old man", "34", "34-year-old"),
        ("four times a week", "four", "four times a week"),
        ("two was enough", "two", "two"),
        ("scored 8 out of 10", "8", "8 out of 10"),
        ("Ten 🙂 pills", "Ten", "Ten"),
    ],
)
def test_a_number_is_shown_with_what_it_counts(text: str, number: str, shown: str) -> None:
    assert rationale._with_unit(text, _place(text, number)) == shown


def _place(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


FAMILY: tuple[tuple[str, str], ...] = (
    ("therapist", "So practise every Sunday, whatever the week was. What word do you want to use?"),
    ("client", "Garage. Let's say garage 🙂."),
    ("therapist", "What about breathing practice at home?"),
    ("client", "Without him in the room?"),
    ("therapist", "How did it go?"),
    ("client", "It was good. She cried. We talked about the miscarriage, the whole evening."),
)


@pytest.mark.parametrize(
    ("claim", "close", "speakers", "reason"),
    [
        ("Practise every Sunday, whatever the week.", (0,), {}, "The therapist says so."),
        ("Breathing practice at home.", (2,), {}, "The therapist says so."),
        ("Talked about the miscarriage the whole evening.", (5,), {5: "Marcus"}, "Marcus says so."),
        ("Use the word “garage”.", (0,), {1: "Tanya"}, "Asked about this, Tanya says “Garage. Let's say garage 🙂”."),
        (
            "Miscarriage, evening alone, mourned apart by wife and husband.",
            (5,),
            {},
            "The client speaks of this: “We talked about the miscarriage, the whole evening”.",
        ),
        (
            "Miscarriage mourned apart by wife, husband, mother, father, brother.",
            (5,),
            {},
            "The session as a whole fits this; closest is “We talked about the miscarriage, the whole evening”.",
        ),
    ],
)
def test_a_reason_names_who_speaks_and_takes_no_reply_for_an_answer_to_something_else(
    claim: str, close: tuple[int, ...], speakers: dict[int, str], reason: str, lexicon: ClaimLexicon
) -> None:
    session = index_session(make_transcript(FAMILY), FakeEmbedder(), lexicon)
    read = read_claim(Sentence("s1", (Section.PLAN,), Span(0, len(claim)), claim), lexicon)

    assert rationale.explain(Verdict.SUPPORTED, read, None, None, session, True, close, speakers) == reason


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Mood, school, five days abstinent.", "The session gives “five days”, but not plainly of this."),
        ("Six days at school.", "The note says “Six days”; the session gives no such number for this."),
    ],
)
def test_a_number_that_was_said_is_not_called_unsaid(claim: str, reason: str, lexicon: ClaimLexicon) -> None:
    session = index_session(make_transcript((("client", "I went five days."),)), FakeEmbedder(), lexicon)
    read = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim), lexicon)
    span = next(quantity.span for quantity in read.quantities)

    assert rationale.explain(Verdict.UNSUPPORTED, read, None, Finding(Clash.NUMBER, span), session, False) == reason
