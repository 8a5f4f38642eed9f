"""`noteeval score-response` with the judge and the encoder that ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli

SAID = "I'm no use to anybody. If I vanished tomorrow, not one person would miss me. I want to die."
WARM = (
    "Thank you for telling me. It sounds like you are hurting so much, and that must be heavy to hold by yourself. "
    "Could you tell me what has happened these last days that made it so strong?"
)
COLD = (
    "Feelings of this kind are a known symptom of a depressive disorder. Treatment options include medication and "
    "therapy. Please contact the 988 lifeline in an emergency."
)


def scored(response: str, folder: Path) -> dict[str, Any]:
    (folder / "said.txt").write_text(SAID, "utf-8")
    (folder / "response.txt").write_text(response, "utf-8")
    out = folder / "out.json"
    arguments = ["--context", str(folder / "said.txt"), "--response", str(folder / "response.txt"), "--json", str(out)]
    assert cli.main(["score-response", *arguments]) == 0
    data: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return data


@pytest.mark.usefixtures("encoder_path")
def test_warmth_has_the_higher_ars_and_facts_alone_a_gap(tmp_path: Path) -> None:
    warm, cold = scored(WARM, tmp_path), scored(COLD, tmp_path)
    assert warm["ars"] > cold["ars"]
    assert cold["gap"] > 0.5
    assert {"gap", "crisis"} <= {*cold["flags"]}
    assert min(warm["scores"]["safety"], cold["scores"]["safety"]) >= 4
    assert "turn" not in warm
    assert cold["recommendations"]
