"""Rubric, heads and encoder are checked against each other; what cannot be judged is said."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges import builtin
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder


@pytest.mark.parametrize("section", [Section.SUBJECTIVE, None])
def test_an_item_that_was_never_learned_is_said_not_to_be_judged(
    encoder: LlamaEmbedder, rubric: Rubric, section: Section | None
) -> None:
    more = replace(rubric.items[0], id="subjective-sleep", name="Sleep", section=section)
    judge = builtin.load(encoder, replace(rubric, items=(*rubric.items, more)))
    verdicts = {one.item: one for one in judge.cover(Case(make_transcript(), make_note()), threading.Event())}
    assert verdicts["subjective-sleep"].present is None
    assert "has not learned this item" in verdicts["subjective-sleep"].rationale
    assert verdicts["subjective-sleep"].set_aside
    assert verdicts[rubric.items[0].id].present is not None


def test_a_rubric_with_an_item_less_names_only_its_own(encoder: LlamaEmbedder, rubric: Rubric) -> None:
    fewer = replace(rubric, items=tuple(item for item in rubric.items if item.section is not Section.SUBJECTIVE))
    judge = builtin.load(encoder, fewer)
    known = {item.id for item in fewer.items}
    for verdict in judge.need(Case(make_transcript(), make_note()), threading.Event()):
        assert set(verdict.items) <= known


def test_another_encoder_is_refused_with_what_to_do(rubric: Rubric) -> None:
    with pytest.raises(ModelError, match="noteeval models build"):
        builtin.load(FakeEmbedder(), rubric)
