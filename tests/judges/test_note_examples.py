"""The taught examples are ours: none comes near a sentence of the sample note, so that the sample shows something."""

import re

import pytest

pytest.importorskip("sklearn")

from models.training.notes import EXAMPLES
from noteeval_desktop import paths
from noteeval_desktop.documents import parse_note

_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "a an the and or of to is was for with that her his she he they their has have had be been are were it its at "
        "by in on as this from not no will would client patient therapist one",
    )
)


def content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9']+", text.lower())) - _EMPTY


def overlap(one: str, other: str) -> float:
    """Shared words of content as a share of the shorter sentence; a single shared word is no likeness."""
    shared = content(one) & content(other)
    return len(shared) / min(len(content(one)), len(content(other))) if len(shared) > 1 else 0.0


@pytest.mark.parametrize("kind", EXAMPLES)
def test_no_taught_example_is_near_a_sentence_of_the_sample(kind):
    sample = parse_note((paths.resources() / "sample" / "note.md").read_text(encoding="utf-8"))
    near = [
        (example, sentence.text)
        for example in EXAMPLES[kind]
        for sentence in sample.sentences
        if overlap(example, sentence.text) >= 0.5
    ]
    assert not near


def test_a_near_copy_would_be_found():
    assert overlap("It was a pleasure to see this client.", "It was a pleasure to see him today.") >= 0.5
