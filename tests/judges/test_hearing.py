"""Danger as the listener hears it: said plainly, round the corner, or in an answer that means nothing by itself."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.engines.reader import Logits
from noteeval_desktop.judges.builtin.risk.hearing import (
    KINDS,
    OUTPUTS,
    STANCES,
    Reading,
    hear,
    listens,
    pairs_of,
    said_before,
)  # fmt: skip
from noteeval_desktop.judges.builtin.risk.ledger import find_risks, with_stretches
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.sample_evaluation import sample_case

SMALL_TALK = (
    ("therapist", "Did you find the parking all right?"),
    ("client", "Yes, by the bakery. It has been raining since Monday."),
)


def ledger(turns: tuple[tuple[str, str], ...], encoder: LlamaEmbedder) -> tuple[RiskFinding, ...]:
    return find_risks(make_transcript(turns), make_note({}), encoder)


# None of these stands in what the listener learned from.
@pytest.mark.parametrize(
    "said",
    [
        "I want to die.",
        "I took an overdose on Thursday.",
        "I went in the toilets and hurt myself.",
        "I've thought about killing my ex's new man.",
        "My brother slaps Dad when he wets the bed.",
        "My boyfriend locks my little boy in the shed when he cries.",
        "I cut again on Tuesday.",
        "If he touches my kid again I will end him.",
    ],
)
def test_what_is_said_plainly_is_warned_of(said: str, encoder: LlamaEmbedder) -> None:
    (finding,) = ledger((("therapist", "How have you been?"), ("client", said)), encoder)
    assert finding.certain
    assert finding.citation.quote == said
    assert finding.stance is Stance.CURRENT


@pytest.mark.parametrize(
    ("before", "after"), [((), ()), (SMALL_TALK, ()), ((), SMALL_TALK), (SMALL_TALK, SMALL_TALK)], ids=str
)
@pytest.mark.parametrize("who", ["client", "other"])
def test_it_is_heard_wherever_it_stands_and_whoever_says_it(
    before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...], who: str, encoder: LlamaEmbedder
) -> None:
    (finding,) = ledger((*before, (who, "I want to die."), *after), encoder)
    assert finding.kind is RiskKind.SUICIDE
    assert finding.certain


@pytest.mark.parametrize(
    ("question", "answer", "kind", "stance"),
    [
        ("Are you thinking of ending your life?", "Yes. I am.", RiskKind.SUICIDE, Stance.CURRENT),
        ("Were you thinking of killing yourself?", "For about ten minutes.", RiskKind.SUICIDE, Stance.CURRENT),
        ("Are you thinking of ending your life?", "No. Never.", RiskKind.SUICIDE, Stance.DENIED),
        ("Have you been drinking before driving?", "Twice.", RiskKind.IMPAIRED_DRIVING, Stance.CURRENT),
    ],
)
def test_an_answer_takes_its_danger_from_what_was_asked(
    question: str, answer: str, kind: RiskKind, stance: Stance, encoder: LlamaEmbedder
) -> None:
    found = ledger((("therapist", question), ("client", answer)), encoder)
    assert (kind, stance) in {(finding.kind, finding.stance) for finding in found}


def test_a_long_answer_that_denies_stands_for_the_question(encoder: LlamaEmbedder) -> None:
    answer = "Me? No. I want to sleep, I want to eat a sandwich without looking out a window. I'm not there."
    asked = "I want to ask about you. With all of this, have there been thoughts of ending your own life?"
    found = ledger((("therapist", asked), ("client", answer)), encoder)
    assert {(finding.kind, finding.stance) for finding in found} == {(RiskKind.SUICIDE, Stance.DENIED)}
    assert [finding.citation.quote for finding in found] == [answer]


def test_that_a_therapist_names_a_service_is_no_mention_of_danger(encoder: LlamaEmbedder) -> None:
    named = "The elder abuse people, then. I can put the referral in now. They'd ring you in the morning."
    assert ledger((("client", "I don't know who to ask."), ("therapist", named), ("client", "Good.")), encoder) == ()


def test_what_follows_a_denial_is_not_taken_for_it(encoder: LlamaEmbedder) -> None:
    (finding,) = ledger(
        (
            ("therapist", "And the thoughts of death you told me about in October?"),
            ("client", "No. None since October. I don't want to die."),
            ("therapist", "Good. Shall we keep the walks and add the thought record?"),
            ("client", "Yes. I can do three a week."),
        ),
        encoder,
    )
    assert (finding.citation.turn, finding.stance) == (1, Stance.DENIED)


def test_the_plan_at_the_end_of_a_long_talk_is_no_danger_of_its_own(encoder: LlamaEmbedder) -> None:
    found = find_risks(sample_case().transcript, make_note({}), encoder)
    talk = next(one for one in found if len(one.turns) > 2 and one.kind is RiskKind.SUICIDE)
    assert (talk.stance, talk.certain) == (Stance.CURRENT, True)
    assert not [one for one in found if one.stance is Stance.HYPOTHETICAL]


def test_the_same_answer_to_another_question_tells_of_no_danger(encoder: LlamaEmbedder) -> None:
    assert ledger((("therapist", "Do you sleep through?"), ("client", "For about ten minutes.")), encoder) == ()


@pytest.mark.parametrize(
    "said",
    [
        "I died up there, honestly. Then everybody clapped.",
        "I look at my phone.",
        "This job is killing me.",
        "I could murder a sandwich.",
        "I slept badly and the garden is a mess.",
    ],
)
def test_what_only_sounds_like_danger_is_not_listed(said: str, encoder: LlamaEmbedder) -> None:
    assert ledger((("therapist", "How was your week?"), ("client", said)), encoder) == ()


def test_of_every_turn_it_is_told_how_likely_which_and_how_meant(encoder: LlamaEmbedder) -> None:
    reading = hear(make_transcript((*SMALL_TALK, ("client", "I want to die."))).turns, (), encoder)
    assert reading.danger.shape == (3,)
    assert reading.kinds.shape == (3, len(KINDS))
    assert reading.stances.sum(axis=1).tolist() == pytest.approx([1, 1, 1])
    assert reading.danger.argmax() == 2
    assert KINDS[reading.kinds[2].argmax()] is RiskKind.SUICIDE
    assert STANCES[reading.stances[2].argmax()] is Stance.CURRENT


class Hears(FakeEmbedder):
    """Danger where an overdose is spoken of, and what was read."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def listen(self, pairs: Sequence[tuple[str, str]], cancel: threading.Event | None = None) -> Logits:
        self.heard += [own for _, own in pairs]
        return np.array([[5.0 if "overdose" in own else -5.0] * OUTPUTS for _, own in pairs], np.float32)


@pytest.mark.parametrize(
    ("known", "said", "read"),
    [
        ((), "It was mostly work.", []),
        ((0,), "It was mostly work.", ["Therapist: Did you find the parking all right?"]),
        ((), "I took an overdose.", ["Therapist: And then?"]),
    ],
)
def test_a_therapist_is_read_beside_what_may_tell_of_danger_and_where_known_words_are(
    known: tuple[int, ...], said: str, read: list[str]
) -> None:
    embedder = Hears()
    turns = make_transcript((*SMALL_TALK, ("therapist", "And then?"), ("client", said))).turns
    reading = hear(turns, known, embedder)
    assert [own for own in embedder.heard if own.startswith("Therapist")] == read
    assert bool(reading.danger[3] > 0.9) is ("overdose" in said)
    assert reading.danger[:3].max() < 0.1


@pytest.mark.parametrize(("who", "warned"), [("therapist", False), ("client", True), ("other", True)])
def test_what_a_therapist_alone_tells_is_listed_without_a_warning(who: str, warned: bool) -> None:
    turns = make_transcript((("client", "Sunday."), (who, "Then ring the elder service."), ("client", "I will."))).turns
    reading = Reading(np.array([0.1, 0.95, 0.1]), np.eye(len(KINDS))[[0, 7, 0]], np.eye(len(STANCES))[[0, 0, 0]])
    (finding,) = with_stretches(turns, reading, [], Hears())
    assert (finding.kind, finding.certain) == (RiskKind.ELDER_AT_RISK, warned)


def test_a_turn_is_read_behind_the_last_words_of_two() -> None:
    turns = make_transcript(
        (("client", "Not this."), ("therapist", "one " * 40 + "last"), ("other", "Mum’s here."), ("client", "Yes."))
    ).turns
    before = said_before(turns, 3)
    assert before.endswith("one last Client: Mum’s here.")
    assert len(before.split()) == 28
    assert said_before(turns, 0) == ""


def test_a_long_turn_is_read_passage_by_passage() -> None:
    long = " ".join(f"The garden has {number} beds, and we dig one a day." for number in range(20))
    pairs = list(pairs_of(make_transcript((("client", "Hello."), ("client", long))).turns))
    assert [place for place, _ in pairs][:2] == [0, 1]
    assert len(pairs) > 3
    assert all(before == "Client: Hello." for place, (before, _) in pairs if place)


def test_known_words_decide_alone_with_vectors_that_the_listener_does_not_know() -> None:
    assert not listens(FakeEmbedder())
    said = make_transcript((("client", "I want to die."), ("client", "I've found homes for the cats.")))
    (finding,) = find_risks(said, make_note({}), FakeEmbedder())
    assert (finding.turns, finding.by_meaning) == ((0,), False)
