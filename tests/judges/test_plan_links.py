"""The goals that a note's sentences may speak to, by the encoder and the head that ships."""

from __future__ import annotations

import numpy as np
import pytest

from noteeval_desktop.documents import parse_note, parse_plan
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.judges.builtin.plan_links import features_of, find_thread, plan_head
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from tests.fake_embedder import FakeEmbedder

PLAN = parse_plan(
    "Goal 1: Sleep through the night\nObjective 1a: Seven hours on five nights\n"
    "Goal 2: Take the bus and the tram alone\nInterventions: sleep diary; exposure"
)
NOTE = parse_note(
    "Subjective:\nClient slept six hours on four nights. She took the tram to work twice.\n"
    "Her sister has bought a red car.\n\nPlan:\nNext session on Tuesday.\n"
)


@pytest.fixture(scope="module")
def lexicon():
    return claim_lexicon()


def test_sentences_are_asked_about_with_their_goal(encoder, lexicon):
    thread = find_thread(Case(Transcript(()), NOTE), PLAN, encoder, lexicon)
    goals = {(link.place, link.line.partition(".")[0]) for link in thread.note}
    assert {("s1", "g1"), ("s2", "g2")} <= goals
    assert not {place for place, _ in goals} & {"s3", "s4"}
    assert not any(link.certain for link in thread.note)
    assert not thread.read
    assert thread.untouched == ()


def test_the_head_learned_with_the_encoder_that_ships(encoder):
    assert plan_head().fingerprint == encoder.fingerprint


@pytest.mark.parametrize("text", ["", "Subjective:\n", "😀", "a " * 600 + "."])
def test_any_note_has_its_features(text, lexicon):
    note = parse_note(text)
    sentences = note.sentences
    fake = FakeEmbedder()
    find_thread(Case(Transcript(()), note), PLAN, fake, lexicon)
    own = [one.text for one in sentences]
    features, vectors = features_of(own, [one.section for one in sentences], PLAN, fake, lexicon)
    assert features.shape[:2] == (len(own), len(PLAN.lines))
    assert np.isfinite(features).all()
    assert len(vectors) == len(own)
