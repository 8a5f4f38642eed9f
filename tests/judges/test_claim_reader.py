"""What rules make of a claim before a head is asked: the kinds of change that the session rules out."""

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.claim_reader import read_note
from noteeval_desktop.judges.builtin.note_words import NoteWords
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import load_lexicon
from noteeval_desktop.measures.changes import ChangeKind

SESSION = (
    "Any thoughts of suicide, or of hurting yourself?",
    "No. Nothing like that, ever.",
    "And how much do you smoke?",
    "Seven cigarettes a day.",
)


@pytest.mark.parametrize(
    ("claim", "borne_out"),
    [
        ("Client denies suicidal thoughts.", {ChangeKind.NEGATION}),
        ("Client reports suicidal thoughts.", set()),
        ("Client does not smoke.", set()),
        ("Client denies suicidal thoughts and does not smoke.", set()),
        ("Client smokes 7 cigarettes a day.", {ChangeKind.NUMBER}),
        ("Client smokes 9 cigarettes a day.", set()),
        ("Client denies suicidal thoughts and smokes 7 cigarettes a day.", {ChangeKind.NEGATION, ChangeKind.NUMBER}),
    ],
)
def test_what_the_client_said_just_so_is_asked_of_no_head(claim: str, borne_out: set[ChangeKind]) -> None:
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    embedder, roles = FakeEmbedder(), (Role.THERAPIST, Role.CLIENT)
    turns = tuple(Turn(i, roles[i % 2].value, roles[i % 2], text) for i, text in enumerate(SESSION))
    session = index_session(Transcript(turns), embedder, lexicon)
    sentence = Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim)
    read = read_note([sentence], session, embedder, lexicon, NoteWords({}, 35))
    assert read.readings[0].checks.borne_out == borne_out
