"""What the faithfulness heads compute: lines, calibration, words of one's own, and long sessions."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.linear_model import LogisticRegression

from noteeval_desktop import paths
from noteeval_desktop.engines.embedder import FakeEmbedder
from noteeval_desktop.judges.builtin.features_raised import LENGTH, Raised
from noteeval_desktop.judges.builtin.fitting import fit_calibration, fit_forest, fit_line
from noteeval_desktop.judges.builtin.forest import Forest
from noteeval_desktop.judges.builtin.line import Line
from noteeval_desktop.judges.builtin.note_words import NoteWords, count_words
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support_heads import SupportHeads, calibrated, log_shares
from noteeval_desktop.judges.builtin.words import load_lexicon
from tests.factories import make_transcript

RNG = np.random.default_rng(7)


def constant(value: float) -> Forest:
    """A tree that gives one answer to everything."""
    return fit_forest(np.zeros((8, 2)), np.full(8, value), None, 0, 2)


def heads(usual: float, long: float, lengths: tuple[float, float] = (100, 400)) -> SupportHeads:
    return SupportHeads(
        names=("a", "b", LENGTH),
        words=NoteWords({}, 1),
        faithful_forest=constant(usual),
        long_forest=constant(long),
        lengths=lengths,
        calibration=(1.0, 1.0, 0.0),
        change_forests={},
        change_lines={},
        limits={},
    )


@pytest.mark.parametrize(("passages", "expected"), [(3, 0.8), (100, 0.8), (200.0, 0.6), (400, 0.4), (2000, 0.4)])
def test_the_longer_a_session_the_more_the_head_for_long_ones_is_heard(passages: float, expected: float) -> None:
    topic = np.array([[0.0, 0.0, np.log1p(passages)]])
    assert heads(0.8, 0.4).leaning(topic) == pytest.approx(expected, abs=0.01)


def test_a_calibration_that_changes_nothing_leaves_probabilities_as_they_are() -> None:
    raw = np.array([0.01, 0.3, 0.5, 0.99])
    assert calibrated(raw, (1.0, 1.0, 0.0)) == pytest.approx(raw)
    assert np.isfinite(calibrated(np.array([0.0, 1.0]), (1.4, 0.9, 0.3))).all()


def test_log_shares_sum_to_log_odds() -> None:
    raw = np.array([0.2, 0.5, 0.9])
    assert log_shares(raw).sum(axis=1) == pytest.approx(np.log(raw / (1 - raw)))


def test_calibration_finds_how_far_answers_were_drawn_to_the_middle() -> None:
    truth = RNG.uniform(0.02, 0.98, 4000)
    drawn = 1 / (1 + np.exp(-0.5 * np.log(truth / (1 - truth))))
    found = calibrated(drawn, fit_calibration(drawn, truth))
    assert np.abs(found - truth).max() < 0.01


def test_a_line_is_the_logistic_regression_that_was_fitted() -> None:
    inputs = RNG.normal(size=(300, 4))
    target = (inputs[:, 0] + 0.3 * RNG.normal(size=300) > 0).astype(float)
    line = fit_line(inputs, target, np.ones(300), 0.3)
    scaled = np.clip((inputs - line.centre) / line.scale, -3, 3)
    model = LogisticRegression(C=0.3, max_iter=1000).fit(scaled, target)
    assert line.predict(inputs) == pytest.approx(model.predict_proba(scaled)[:, 1], abs=1e-6)


def test_a_line_hears_no_more_than_three_scales() -> None:
    line = Line(np.zeros(1), np.ones(1), np.ones(1), np.array(0.0))
    assert line.predict(np.array([[3.0]])) == line.predict(np.array([[1e9]]))


def test_words_that_few_conversations_share_are_not_kept() -> None:
    words = count_words([{"client", "zebra"}, {"client", "café"}, {"client"}, {"client", "zebra"}], 4)
    assert words.holding == {"client": 4}
    common, own = words.rarity(["client", "zebra"])
    assert common < 0.1 < own
    assert words.rarity(["zebra"]) == words.rarity(["never seen 😀"])
    assert words.rarity([]).shape == (0,)


@pytest.fixture
def session() -> SessionIndex:
    turns = (
        ("client", "I feel angry."),
        ("therapist", "Angry at whom?"),
        ("client", "At my boss. Über and over."),
        ("therapist", "And at home?"),
        ("client", "No."),
        ("therapist", "Next week, would you be willing to try a walk?"),
        ("client", "Yes, I'll try."),
    )
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    return index_session(make_transcript(turns), FakeEmbedder(), lexicon)


def test_what_was_offered_and_agreed_to_at_the_end_is_counted(session: SessionIndex) -> None:
    found = Raised(session, NoteWords({}, 35)).features((), np.zeros((0, len(session.spoken[0]))), np.zeros(0))
    assert found["late_offers"] == 0.5
    assert found["late_commitments"] == 1.0
    assert found[LENGTH] == pytest.approx(np.log1p(len(session.passages)))
    assert found["specific"] == found["feelings"] == 0.0


def test_a_feeling_is_matched_with_what_the_client_said(session: SessionIndex) -> None:
    match = np.full((2, len(session.spoken[0])), 0.1, dtype=np.float32)
    theirs = int(np.flatnonzero(~session.clients[session.spoken[0]])[0])
    match[1, theirs] = 0.9
    found = Raised(session, NoteWords({}, 35)).features(("tired", "of"), match, np.ones(2))
    assert (found["feelings"], found["feeling_any"]) == (1.0, pytest.approx(0.1))
    match[0, theirs] = 0.8
    found = Raised(session, NoteWords({}, 35)).features(("tired", "of"), match, np.ones(2))
    assert found["feeling_any"] == pytest.approx(0.8)
    assert found["feeling_client"] == pytest.approx(0.1)


def test_a_session_of_one_turn_and_one_of_none_can_be_read() -> None:
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    for turns in ((("therapist", "Hello."),), ()):
        index = index_session(make_transcript(turns), FakeEmbedder(), lexicon)
        found = Raised(index, NoteWords({}, 35)).features(
            ("calm",), np.zeros((1, len(index.spoken[0])), dtype=np.float32), np.ones(1)
        )
        assert np.isfinite(list(found.values())).all()
