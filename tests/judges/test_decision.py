"""What follows from a claim's two probabilities, and how the evidence's forests become them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.learned import Forest, logit
from noteeval_desktop.judges.builtin.support.decision import Calibrated, Decision, load

S, C, U, O = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.OBSERVED  # noqa: E741

# Two trees over two columns: the first column tells 0.2 from 0.8 at 1.0, the other tree always says 0.4.
FOREST = Forest(
    roots=np.array([0, 3], np.int32),
    feature=np.array([0, -1, -1, -1], np.int16),
    threshold=np.array([1.0, 0, 0, 0], np.float32),
    left=np.array([1, 0, 0, 0], np.int32),
    value=np.array([0, 0.2, 0.8, 0.4], np.float32),
)
DECISION = Decision(
    names=("near", "far"),
    borne_out=Calibrated(FOREST, 1.0, 0.0),
    said_otherwise=Calibrated(FOREST, 1.0, 0.0),
    otherwise=0.6,
    sure=0.9,
    likely=0.7,
    encoder="",
)


@pytest.mark.parametrize(
    ("borne_out", "otherwise", "observed", "verdict"),
    [
        # Borne out at even chances, whatever else speaks against it.
        (0.5, 0.9, True, S),
        (0.499, 0.9, True, O),
        (0.499, 0.6, False, C),
        (0.499, 0.599, False, U),
    ],
)
def test_the_verdict_follows_from_two_probabilities_and_the_wording(
    borne_out: float, otherwise: float, observed: bool, verdict: Verdict
) -> None:
    assert DECISION.verdict(borne_out, otherwise, observed) is verdict


@pytest.mark.parametrize(
    ("verdict", "borne_out", "confidence"),
    [
        (S, 0.9, Confidence.SURE),
        (S, 0.89, Confidence.LIKELY),
        (S, 0.7, Confidence.LIKELY),
        (S, 0.69, Confidence.UNSURE),
        # That the session says otherwise, or only the room could, is never said for sure.
        (C, 0.0, Confidence.LIKELY),
        (C, 0.49, Confidence.LIKELY),
        (U, 0.29, Confidence.LIKELY),
        (U, 0.31, Confidence.UNSURE),
        (O, 0.29, Confidence.LIKELY),
        (O, 0.31, Confidence.UNSURE),
    ],
)
def test_the_word_for_how_sure_follows_from_the_same_probability(
    verdict: Verdict, borne_out: float, confidence: Confidence
) -> None:
    assert DECISION.confidence(verdict, borne_out) is confidence


def test_an_error_is_unsure_at_the_edge_of_likely() -> None:
    assert replace(DECISION, likely=0.75).confidence(U, 0.25) is Confidence.UNSURE


def test_a_forest_answers_with_the_mean_of_its_trees() -> None:
    """At the threshold a row goes left; the deeper tree and the one that is a leaf end at different times."""
    rows = np.array([[1.0, 9.0], [1.001, -9.0]])
    assert FOREST.predict(rows) == pytest.approx([(0.2 + 0.4) / 2, (0.8 + 0.4) / 2])


def test_calibration_stretches_and_moves_the_log_odds() -> None:
    rows = np.array([[0.0, 0.0], [2.0, 0.0]])
    assert Calibrated(FOREST, 1.0, 0.0)(rows) == pytest.approx([0.3, 0.6])
    odds = np.array([0.3 / 0.7, 0.6 / 0.4])
    assert Calibrated(FOREST, 1.0, 0.0).leaning(rows) == pytest.approx(np.log(odds))
    assert Calibrated(FOREST, 2.0, 0.0)(rows) == pytest.approx(odds**2 / (1 + odds**2))
    assert Calibrated(FOREST, 1.0, np.log(2))(rows) == pytest.approx(2 * odds / (1 + 2 * odds))


def test_no_forest_is_quite_certain() -> None:
    assert logit(np.array([0.0, 1.0, 0.5])) == pytest.approx([np.log(0.005 / 0.995), np.log(0.995 / 0.005), 0.0])


@pytest.mark.parametrize("harm", ["no file", "no json", "no head", "no number", "no archive"])
def test_damaged_heads_are_said_and_judge_nothing(tmp_path: Path, harm: str) -> None:
    for name in ("support.json", "support.npz"):
        shutil.copyfile(paths.resources() / "heads" / name, tmp_path / name)
    described = tmp_path / "support.json"
    content = json.loads(described.read_text("utf-8"))
    assert load(tmp_path).names == tuple(content["names"])
    if harm == "no file":
        described.unlink()
    elif harm == "no json":
        described.write_text("{", "utf-8")
    elif harm == "no archive":
        (tmp_path / "support.npz").write_bytes(b"PK")
    else:
        content = {**content, "otherwise": None} if harm == "no number" else {**content, "borne_out": {}}
        described.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ModelError, match="Install again"):
        load(tmp_path)
