"""What looks odd in a claim and is not: nobody is accused of it."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, Turn
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.alignment import align, read_claim
from noteeval_desktop.judges.builtin.excused import excused, told_apart
from noteeval_desktop.judges.builtin.features_claim import Reading
from noteeval_desktop.judges.builtin.findings import Checks, Clash, Finding
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.support_heads import KINDS
from noteeval_desktop.judges.builtin.words import load_lexicon
from noteeval_desktop.measures.changes import ChangeKind
from tests.factories import make_transcript

ALONE = make_transcript(
    (
        ("therapist", "What we say is confidential, unless you are in danger."),
        ("client", "Okay. I'm down to one coffee a day, and I still take the Zoloft 🙂."),
    )
)


def couple(turns: int) -> Transcript:
    said = [("Dr. Reyes", Role.THERAPIST), ("Ana", Role.CLIENT), *[("Ben", Role.CLIENT), ("Ana", Role.CLIENT)] * turns]
    return Transcript(tuple(Turn(at, who, role, "We argued again.") for at, (who, role) in enumerate(said)))


def kinds(claim: str, session: Transcript, *unheard: str, spoken: tuple[RiskFinding, ...] = ()) -> set[ChangeKind]:
    lexicon, embedder = load_lexicon(paths.resources() / "lexicons" / "claims.json"), FakeEmbedder()
    index = index_session(session, embedder, lexicon)
    read = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(claim)), claim), lexicon)
    starts = [claim.index(word) for word in unheard]
    found = tuple(Finding(Clash.TERM, Span(at, at + len(w))) for at, w in zip(starts, unheard, strict=True))
    reading = Reading(read, align(read, embedder.embed([claim])[0], index), Checks(found, {}))
    (row,) = excused([reading], spoken, session, index)
    return {kind for kind, is_so in zip(KINDS, row, strict=True) if is_so}


@pytest.mark.parametrize(
    ("claim", "unheard", "is_odd"),
    [
        ("Caffeine reduced to 1 cup/day.", ("Caffeine",), False),
        ("Continues sertraline.", ("sertraline",), False),
        ("Continues lithium.", ("lithium",), True),
        ("Nicotine use unchanged.", ("Nicotine",), True),
        ("Caffeine reduced, lithium continued.", ("Caffeine", "lithium"), True),
        ("Sleeps well.", (), True),
    ],
)
def test_a_clinical_name_for_what_was_said_is_no_odd_term(claim: str, unheard: tuple[str, ...], is_odd: bool) -> None:
    assert (ChangeKind.TERM not in kinds(claim, ALONE, *unheard)) is is_odd


@pytest.mark.parametrize(
    ("claim", "session", "is_odd"),
    [
        ("Reviewed limits of confidentiality.", ALONE, False),
        ("Reviewed limits of confidentiality.", couple(3), True),
        ("Reviewed the treatment plan.", ALONE, True),
    ],
)
def test_confidentiality_was_reviewed_where_its_limits_were_said(claim: str, session: Transcript, is_odd: bool) -> None:
    assert (ChangeKind.FACT not in kinds(claim, session)) is is_odd


@pytest.mark.parametrize(("session", "is_odd"), [(ALONE, True), (couple(1), True), (couple(3), False)])
def test_of_several_clients_none_is_told_from_the_other_by_the_word_husband(session: Transcript, is_odd: bool) -> None:
    assert (ChangeKind.PERSON not in kinds("Wife told husband that she is sad.", session)) is is_odd


@pytest.mark.parametrize(
    ("claim", "stance", "by_meaning", "is_odd"),
    [
        ("Passive SI.", Stance.CURRENT, False, False),
        ("Client reports suicidal ideation.", Stance.CURRENT, False, False),
        ("Hx of SI.", Stance.PAST, False, False),
        ("Passive SI.", Stance.CURRENT, True, True),
        ("Passive SI.", Stance.DENIED, False, True),
        ("SI and HI.", Stance.CURRENT, False, True),
        ("Sleeps well.", Stance.CURRENT, False, True),
    ],
)
def test_a_danger_that_the_client_told_of_is_not_made_up(
    claim: str, stance: Stance, by_meaning: bool, is_odd: bool
) -> None:
    spoken = RiskFinding((1,), Citation(1, Span(0, 4), "Okay"), RiskKind.SUICIDE, stance, by_meaning)
    assert (ChangeKind.FACT not in kinds(claim, ALONE, spoken=(spoken,))) is is_odd


QUOTING = make_transcript((("therapist", "How often?"), ("client", "I hardly ever want to, I can't sleep, though.")))


@pytest.mark.parametrize(
    ("claim", "is_odd"),
    [
        ('Item 10 "hardly ever".', False),
        ('Item 10 "never ever".', True),
        ("If unable to keep safe, call brother or go to ER.", False),
        ("Client is unable to sleep, will call.", True),
        ('Says "I can\'t sleep" but does not want to try.', True),
    ],
)
def test_a_not_that_is_quoted_or_provided_for_denies_nothing(claim: str, is_odd: bool) -> None:
    assert (ChangeKind.NEGATION not in kinds(claim, QUOTING)) is is_odd


def test_several_clients_are_called_by_their_names() -> None:
    assert told_apart(ALONE) == {}
    assert told_apart(couple(3))[2] == "Ben"
    assert 0 not in told_apart(couple(3))
