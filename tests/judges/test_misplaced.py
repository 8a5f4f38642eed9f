"""Each claim is put against a short session, with stand-in vectors: words are alike that share their stem."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.judges.builtin.alignment import align, read_claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, Reading
from noteeval_desktop.judges.builtin.findings import Checks, Clash, Finding
from noteeval_desktop.judges.builtin.misplaced import misplaced
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon

LEXICON = Path(__file__).parents[2] / "resources" / "lexicons" / "claims.json"
DIM = 4096


class StemEmbedder:
    """A word's vector is its stem's place among many, so that only words of one stem are alike."""

    dim = DIM

    def __init__(self, lexicon: ClaimLexicon) -> None:
        self._lexicon = lexicon

    def _pieces(self, text: str) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        words = self._lexicon.words(text)
        vectors = np.zeros((len(words), DIM), dtype=np.float32)
        for row, word in enumerate(words):
            vectors[row, sum(ord(letter) * 31**place for place, letter in enumerate(word.stem)) % DIM] = 1.0
        return tuple(word.folded for word in words), vectors

    def token_embeddings(
        self, texts: Sequence[str], cancel: object = None
    ) -> list[tuple[tuple[str, ...], NDArray[np.float32]]]:
        return [self._pieces(text) for text in texts]

    def embed(self, texts: Sequence[str], cancel: object = None) -> NDArray[np.float32]:
        sums = [self._pieces(text)[1].sum(axis=0) for text in texts]
        rows = np.array(sums, dtype=np.float32).reshape(len(texts), DIM)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(LEXICON)


def found(claim: str, session: str, lexicon: ClaimLexicon) -> list[tuple[Clash, str, str]]:
    """``session`` has a turn a line, the therapist's first, then in turns; "-" stands for nothing said."""
    embedder = StemEmbedder(lexicon)
    roles = (Role.THERAPIST, Role.CLIENT)
    lines = [line.strip() for line in session.strip().splitlines()]
    turns = tuple(Turn(i, roles[i % 2], roles[i % 2], line) for i, line in enumerate(lines))
    index = index_session(Transcript(turns), embedder, lexicon)  # type: ignore[arg-type]
    read = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim), lexicon)
    vector = embedder.embed([claim])[0]
    names, pieces = embedder.token_embeddings([claim])[0]
    own = ClaimVectors(vector, vector, vector[None], names, pieces, index.nearest(pieces))
    reading = Reading(read, align(read, vector, index), Checks((), {}))
    return [_shown(finding, claim, index.passages) for finding in misplaced(reading, own, index, lexicon)]


def _shown(finding: Finding, claim: str, passages: Sequence[object]) -> tuple[Clash, str, str]:
    assert finding.surely or finding.clash is Clash.PERSON
    assert finding.passage is not None
    text: str = passages[finding.passage].text  # type: ignore[attr-defined]
    return finding.clash, finding.noted.of(claim), finding.said.of(text) if finding.said else text


CALM = """Good to see you.
Hello."""


@pytest.mark.parametrize(
    ("claim", "session", "clash", "noted", "said"),
    [
        ("She fell asleep on the sofa on Friday.", "Did you nap?\nI fell asleep on the sofa on Tuesday.",
         Clash.TIME, "Friday", "Tuesday"),
        ("He started the new job in March.", "When did you start the new job?\nIn October, I think.",
         Clash.TIME, "March", "October"),
        ("He stopped lithium in 2019.", "Did you ever stop lithium?\nI stopped lithium in 2021.",
         Clash.TIME, "2019", "2021"),
        ("Onset of low mood was seven weeks ago.", "How long is the low mood?\nSeven months ago it began.",
         Clash.NUMBER, "seven", "Seven"),
        ("He was abstinent for a year.", "How long were you abstinent?\nFor about a month.",
         Clash.NUMBER, "a year", "a month"),
        ("Attends yoga twice a month.", "How often do you attend yoga?\nTwice a week.",
         Clash.NUMBER, "twice", "Twice"),
        ("Their baby is nine months old.", "How old is the baby?\nFour months.",
         Clash.NUMBER, "nine", "Four"),
        ("On drinking days he has six beers.",
         "You drank a six-pack.\nYes.\nHow many beers on drinking days?\nFour beers.",
         Clash.NUMBER, "six", "Four"),
        ("Client takes sertraline 50 mg.",
         "You take sertraline, still fifty mg?\nNo, they put sertraline up to a hundred.",
         Clash.NUMBER, "50", "hundred"),
        ("Takes Zoloft for mood.", "What do you take for your mood?\nLexapro.", Clash.TERM, "Zoloft", "Lexapro"),
        ("She takes the train to work.", "How do you get to work?\nI take the bus to work.",
         Clash.TERM, "train", "bus"),
        ("The attack on Monday occurred at the cinema.",
         "When were the attacks?\nAn attack on Monday in the supermarket.",
         Clash.TERM, "cinema", "supermarket"),
        ("RTC 4 wks.", "How was it?\nGood.\nSee you in two weeks, same time?\nSure.", Clash.NUMBER, "4", "two"),
        ("F/u Tues 3pm.", "How was it?\nGood.\nTell me.\nFine.\nNext Thursday at three?\nThursday, okay.",
         Clash.TIME, "Tues", "Thursday"),
        ("Next session on Monday.",
         "How was it?\nGood.\nTell me.\nFine.\nNext session on Monday?\nCan it be Wednesday?\nWednesday, good.\nYes.",
         Clash.TIME, "Monday", "Wednesday"),
        ("His mother lives in Denver.", "Where does your mother live?\nShe lives in Tucson.",
         Clash.TERM, "Denver", "Tucson"),
        ("Confidence rated 4/10.", "How confident are you, rated out of ten?\nEight.", Clash.NUMBER, "4", "Eight"),
        ("Client had a seizure once.", "Any seizures?\nMe? No. My dad did, once.", Clash.PERSON, "Client", "dad"),
        ("Pt drinks whisky.", "Do you drink?\nI don't drink. My brother does, he drinks whisky.",
         Clash.PERSON, "Pt", "he"),
        ("Client hit her partner.", "What happened?\nMy partner was drunk. He hit me.", Clash.PERSON, "Client", "He"),
        ("Her husband drove her home.", "Who drove you home?\nMy sister mostly. She drove me home.",
         Clash.PERSON, "husband", "She"),
        ("The argument arose because she bought a bike.", "What about?\nHe bought a bike without telling me.",
         Clash.PERSON, "she", "He"),
        ("Paul once threw a mug.", "Did Paul shout?\nNo, but I threw a mug at Paul once.", Clash.PERSON, "Paul", "I"),
        ("The child is taken to swimming by his mother.",
         "Good.\nYes.\nAnd swimming, the child?\nMy wife takes the child to swimming.",
         Clash.PERSON, "mother", "wife"),
    ],
)  # fmt: skip
def test_another_of_the_same_kind_is_misplaced(
    claim: str, session: str, clash: Clash, noted: str, said: str, lexicon: ClaimLexicon
) -> None:
    assert (clash, noted, said) in found(claim, session, lexicon)


@pytest.mark.parametrize(
    ("claim", "session"),
    [
        ("She fell asleep on the sofa on Tuesday.", "Did you nap?\nI fell asleep on the sofa on Tuesday."),
        ("She slept badly at the weekend.", "How did you sleep?\nI slept badly on Saturday."),
        ("They may argue about money.", "Do you argue?\nIn March we argued about money."),
        ("He was dry for two months.", "How long were you dry?\nEight weeks."),
        ("He cried for 90 minutes.", "How long did you cry?\nAn hour and a half."),
        ("He drank six nights a week.", "How often?\nTwice now.\nAnd at first?\nSix nights out of seven."),
        ("He smokes half a pack a day.", "How much do you smoke a day?\n1/2 pack."),
        ("Sleep has increased from four to six hours.", "How many hours of sleep?\nSix hours. It was four."),
        ("The diary was kept on six of seven days.", "And the diary?\nI missed one day. Six out of seven."),
        ("Drinks five to six drinks on each occasion.",
         "The guidelines say up to four drinks on one occasion.\nI have five or six drinks."),
        ("Takes Zoloft for mood.", "What do you take for your mood?\nSertraline."),
        ("Started an antidepressant for mood.", "What do you take for your mood?\nLexapro."),
        ("Drinks alcohol at parties.", "What do you drink at parties?\nBeer at parties."),
        ("Client is 34 years old.", "How old are you?\nThirty-four. My kid is five."),
        ("Client smiled.", CALM),
        ("She lost 14 kg.", "How is your weight?\nI lost weight. Sixty-four kilos now, I was seventy-eight kilos."),
        ("Smokes fewer than ten cigarettes.", "How many cigarettes do you smoke?\nSeven cigarettes."),
        ("Her nine-year-old son saw it.", "Your son saw it?\nMy son saw it. He's nine, it took two minutes."),
        ("Will call on the seventeenth.", "When will you call?\nNot the sixteenth, the day after I call."),
        ("Next session on Wednesday.",
         "How was it?\nGood.\nTell me.\nFine.\nNext session on Monday?\nCan it be Wednesday?\nWednesday, good.\nYes."),
        ("Client drinks heavily.", "Do you drink?\nMy brother drinks. I drink heavily too."),
        ("Her sister drove her home.", "Who drove you home?\nMy sister mostly. She drove me home."),
        ("Client was hit by her partner.", "What happened?\nMy partner was drunk. He hit me."),
        ("Client has returned to the office.", "Are you at the office?\nMy boss let me return to the office."),
        ("Paul asked for twenty minutes.", "What did Paul do?\nPaul said, I need twenty minutes."),
        ("Her husband was away because he had to work.", "And your husband?\nI had to work."),
        ("Client enjoys traveling.", "Will your wife help you to go traveling?\nYes."),
    ],
)  # fmt: skip
def test_what_the_session_says_in_its_own_way_is_not(claim: str, session: str, lexicon: ClaimLexicon) -> None:
    assert found(claim, session, lexicon) == []


def test_an_empty_session_says_nothing_else(lexicon: ClaimLexicon) -> None:
    assert found("She fell asleep on Tuesday.", "-", lexicon) == []


@pytest.mark.parametrize(
    ("claim", "session"),
    [
        (
            "Use the code word garage for the cycle at home, with time-outs of 30 minutes.",
            "So for the next two weeks, when the cycle begins at home, use the code word garage for the cycle.\n"
            "Garage works.\nAnd for a time-out?\nI take thirty minutes.",
        ),
        ("BP 160/95 at pharmacy.", "And the blood pressure?\nIt was one-sixty over ninety-five at the pharmacy."),
        (
            "PDSS 13.",
            "Four things. And you filled out the PDSS outside?\nI did. Here.\nLet me add this up.\nTake your time.\n"
            "So, thirteen.\nHuh.",
        ),
    ],
)
def test_what_the_session_gives_is_not_set_against_a_number_of_something_else(
    claim: str, session: str, lexicon: ClaimLexicon
) -> None:
    assert found(claim, session, lexicon) == []
