from __future__ import annotations

import pytest

from noteeval_desktop.measures.changes import FACTS as OWN_FACTS
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.second_hand import FACTS, reworded

TEXTS = (
    "Client reports drinking 4 beers with his wife 🍺.",
    "She wants to sleep and is worried.",
    "Client does not see this as a problem.",
    "Rated a 7 out of 10.",
    "Café visits continue.",
)


def test_each_change_says_something_else_and_a_seed_repeats_it() -> None:
    changed = reworded(TEXTS, " ".join(TEXTS), 3)
    assert changed == reworded(TEXTS, " ".join(TEXTS), 3)
    assert changed != reworded(TEXTS, " ".join(TEXTS), 4)
    assert {kind for _, kind, _ in changed} == {
        ChangeKind.NEGATION, ChangeKind.PERSON, ChangeKind.NUMBER, ChangeKind.FACT,
    }  # fmt: skip
    for index, kind, text in changed:
        assert text != TEXTS[index]
        assert (text in FACTS) is (kind is ChangeKind.FACT)


def test_the_upper_end_of_a_scale_stays() -> None:
    text = "Rated a 7 out of 10."
    for seed in range(20):
        assert all(
            changed.endswith(" out of 10.") and not changed.startswith("Rated a 7 ")
            for _, kind, changed in reworded([text], text, seed)
            if kind is ChangeKind.NUMBER
        )


@pytest.mark.parametrize("texts", [(), ("😀",)])
def test_a_sentence_without_a_place_is_left_alone(texts: tuple[str, ...]) -> None:
    assert all(kind is ChangeKind.FACT for _, kind, _ in reworded(texts, "", 0))


def test_no_made_up_fact_is_also_the_measured_generators() -> None:
    assert not set(FACTS) & set(OWN_FACTS)
