"""The evidence that cross-validation learns from is found once, and found again by a run that was stopped."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")
from models.training import held_out
from models.training.datasets import Claim, ClaimSet
from models.training.support import Examples
from noteeval_desktop.domain.note import Section
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from tests.factories import make_transcript

SLEEP = make_transcript(
    (("client", "I sleep four hours a night."), ("therapist", "Since when?"), ("client", "Since May."))
)
BEER = make_transcript((("client", "I had two beers on Friday."), ("therapist", "And Saturday?"), ("client", "None.")))


def _set(name: str, session: Any, *claims: tuple[str, float]) -> ClaimSet:
    made = tuple(Claim(text, (Section.SUBJECTIVE,), target) for text, target in claims)
    return ClaimSet("tn-eval", name, name, session, made)


SOURCES = {
    "tn-eval": [
        _set("a", SLEEP, ("Client sleeps four hours.", 1.0), ("Client sleeps well.", 0.0)),
        _set("b", SLEEP, ("Sleeps badly since May.", 1.0)),
        _set("c", BEER, ("Drank two beers on Friday.", 1.0)),
        _set("nothing said", make_transcript(()), ("Client slept.", 1.0)),
    ],
    "corpus": [_set("d", BEER, ("Drank wine.", 0.0))],
}


def test_a_run_that_was_stopped_goes_on_and_gives_the_same(
    encoder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lexicon = claim_lexicon()
    names, whole = held_out.evidence(SOURCES, encoder, lexicon)
    steps: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        steps.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        held_out.evidence(SOURCES, encoder, lexicon, stop, tmp_path)
    assert steps == [(1, 3), (2, 3)]
    again: list[tuple[int, int]] = []
    found_names, found = held_out.evidence(SOURCES, encoder, lexicon, lambda *step: again.append(step), tmp_path)
    assert again == [(3, 3)]
    assert found_names == names
    for source, own in whole.items():
        for one in fields(Examples):
            np.testing.assert_array_equal(getattr(found[source], one.name), getattr(own, one.name))
    monkeypatch.setattr(held_out, "examples_of", None)  # all is kept now
    assert held_out.evidence(SOURCES, encoder, lexicon, None, tmp_path)[0] == names
    changed = {"corpus": [_set("d", BEER, ("Drank much wine.", 0.0))]}
    with pytest.raises(TypeError):
        held_out.evidence(changed, encoder, lexicon, None, tmp_path)
