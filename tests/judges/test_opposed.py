"""Opposites of what was said are condemned, in both directions, and what merely sounds like one is not."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges.builtin.alignment import read_claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, read_against
from noteeval_desktop.judges.builtin.findings import Clash
from noteeval_desktop.judges.builtin.opposed import opposed
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import load_lexicon
from tests.factories import make_transcript


@pytest.fixture(scope="module")
def find(encoder_path):
    """The finding, and the text of the passage that it names, for a claim and a session of alternating turns."""
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    embedder = LlamaEmbedder(encoder_path, threads=1)

    def found(text: str, *turns: str, section: Section = Section.SUBJECTIVE):
        session = index_session(
            make_transcript([(("therapist", "client")[at % 2], turn) for at, turn in enumerate(turns)]),
            embedder,
            lexicon,
        )
        claim = read_claim(Sentence("s1", (section,), Span(0, len(text)), text), lexicon)
        vector = embedder.embed([text])
        vectors = ClaimVectors(vector[0], vector[0], vector, *embedder.token_embeddings([text])[0])
        findings = opposed(read_against([claim], vector, session, lexicon)[0], vectors, session, lexicon)
        assert len(findings) <= 1
        return (findings[0], session.passages[findings[0].passage].text) if findings else (None, "")

    yield found
    embedder.close()


LOG = ("Did you get to try the exercise?", "I tried it on the bus. I didn't do the breathing log though, I forgot.")
NAUSEA = ("Any side effects?", "A bit of nausea at first but that's gone now.")
TEACHER = ("Did the teacher know?", "No, I didn't tell her.")
QUIT = ("Do you smoke as well?", "I quit smoking two years ago.")
RIFLE = ("Is there a gun at home?", "My dad's hunting rifle is in the garage. It's locked.")
HOUSE = ("What about the quarrel over the house?", "She wants me to sell it. I'm not selling it.")
CALL = ("Would you be willing to call the clinic?", "Sure, I'll call them tomorrow.")


@pytest.mark.parametrize(
    ("text", "turns", "clash"),
    [
        ("Client completed the breathing log.", LOG, Clash.AFFIRMATION),
        ("She reports that nausea persists as a side effect.", NAUSEA, Clash.AFFIRMATION),
        ("Client told her teacher.", TEACHER, Clash.AFFIRMATION),
        ("Pt currently smokes a pack a day.", QUIT, Clash.AFFIRMATION),
        ("There is no firearm in the home.", RIFLE, Clash.NEGATION),
        ("He has agreed to sell the house.", HOUSE, Clash.AFFIRMATION),
        ("Client declined to call the clinic.", CALL, Clash.NEGATION),
    ],
)  # fmt: skip
def test_the_opposite_of_what_was_said_is_found_with_where_it_was_said(find, text, turns, clash) -> None:
    finding, passage = find(text, *turns)
    assert finding is not None
    assert finding.surely
    assert (finding.clash, passage) == (clash, turns[1])
    assert finding.noted.of(text)
    assert finding.said.of(passage)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Client did not complete the breathing log.", LOG),
        ("Nausea has resolved.", NAUSEA),
        ("Client did not tell her teacher.", TEACHER),
        ("Pt quit smoking two years ago.", QUIT),
        ("Pt has a history of smoking.", QUIT),
        ("There is a firearm in the home.", RIFLE),
        ("He does not want to sell the house.", HOUSE),
        ("Client agreed to call the clinic.", CALL),
    ],
)
def test_what_was_said_is_left_alone(find, text, turns) -> None:
    assert find(text, *turns) == (None, "")
