from __future__ import annotations

import random
import re

import pytest

from noteeval_desktop.measures.changes import FACTS as OWN_FACTS
from noteeval_desktop.measures.changes import ChangeKind
from noteeval_desktop.measures.second_hand import WAYS, reworded, reworded_ways
from noteeval_desktop.measures.second_hand_facts import FACTS
from noteeval_desktop.measures.second_hand_negations import bare

TEXTS = (
    "Client reports drinking 4 beers with his wife 🍺.",
    "She wants to quit, has a plan and is worried about her progress.",
    "Client does not see this as a problem, but has been thinking of it daily.",
    "Rated a 7 out of 10.",
    "The client's café visits continue with support.",
    "Therapist asked whether she agreed to two follow-up sessions.",
)
NOTE = " ".join(TEXTS)


def test_each_change_says_something_else_and_a_seed_repeats_it() -> None:
    changed = reworded(TEXTS, NOTE, 3)
    assert changed == reworded(TEXTS, NOTE, 3)
    assert changed != reworded(TEXTS, NOTE, 4)
    assert {kind for _, kind, _ in changed} == set(WAYS)
    assert all(text != TEXTS[index] for index, _, text in changed)
    assert len({text for _, _, text in changed}) == len(changed)


def test_ways_take_turns() -> None:
    ways = [way for seed in range(4) for _, kind, way, _ in reworded_ways(TEXTS, NOTE, seed)]
    assert {way.removesuffix(" again") for kind in WAYS.values() for way in kind} <= {
        way.removesuffix(" again") for way in ways
    }


@pytest.mark.parametrize(
    ("kind", "way", "text", "possible"),
    [
        ("negation", "auxiliary", "He is ready.", {
            "He is not ready.", "He is never ready.", "He is no longer ready.", "He is hardly ready.",
        }),
        ("negation", "contracted", "He is ready.", {"He isn't ready."}),
        ("negation", "does not", "He wants tea 😀.", {"He does not want tea 😀.", "He doesn't want tea 😀."}),
        ("negation", "does not", "She planned a trip.", {f"She {x} plan a trip." for x in ("did not", "didn't")}),
        ("negation", "denied", "Reports a fall.", {"Denies a fall.", "Disputes a fall.", "Rejects a fall."}),
        ("negation", "not to", "Wants to quit.", {"Wants not to quit.", "Wants never to quit."}),
        ("negation", "without", "Lives with Zoë.", {"Lives without Zoë."}),
        ("negation", "lack of", "Her interest grows.", {"Her lack of interest grows."}),
        ("person", "client to therapist", "The client's mood is low.", {
            "The therapist's mood is low.", "The clinician's mood is low.", "The counselor's mood is low.",
        }),
        ("person", "therapist to client", "Therapist asked why.", {"Client asked why."}),
        ("number", "next", "Drinks 4 beers.", {"Drinks 3 beers.", "Drinks 5 beers."}),
        ("number", "next", "Walks once a week.", {"Walks twice a week."}),
        ("number", "less", "Drinks six beers.", {"Drinks three beers.", "Drinks two beers.", "Drinks one beers."}),
        ("number", "other span", "Back in two weeks.", {
            f"Back in two {span}." for span in ("hours", "days", "months", "years")
        }),
    ],
)  # fmt: skip
def test_what_each_way_does(kind: str, way: str, text: str, possible: set[str]) -> None:
    made = {WAYS[ChangeKind(kind)][way](text, random.Random(seed), text) for seed in range(40)}
    assert made <= possible
    assert len(made) == len(possible)


def test_somebody_else_is_somebody_the_note_does_not_name() -> None:
    note = "Client lives with her mother and sister."
    for way in ("client's relative", "another relative"):
        made = {WAYS[ChangeKind.PERSON][way](note, random.Random(seed), note) for seed in range(60)}
        assert len(made) > 10
        assert not any(text is None or len(re.findall(r"\bmother", text)) > 1 for text in made)


@pytest.mark.parametrize(
    ("verb", "is_bare"),
    [
        ("wants", "want"), ("tries", "try"), ("expresses", "express"), ("has", "have"), ("felt", "feel"),
        ("reported", "report"), ("planned", "plan"), ("denied", "deny"), ("used", "use"), ("shared", "share"),
        ("described", "describe"), ("discussed", "discuss"), ("mentioned", "mention"), ("provided", "provide"),
        ("acknowledged", "acknowledge"), ("appeared", "appear"), ("agreed", "agree"), ("explored", "explore"),
    ],
)  # fmt: skip
def test_bare_forms(verb: str, is_bare: str) -> None:
    assert bare(verb) == is_bare


def test_the_upper_end_of_a_scale_stays() -> None:
    text = "Rated a 7 out of 10."
    for seed in range(20):
        numbers = [changed for _, kind, changed in reworded([text], text, seed) if kind is ChangeKind.NUMBER]
        assert numbers
        assert all(changed.endswith(" out of 10.") and not changed.startswith("Rated a 7 ") for changed in numbers)


@pytest.mark.parametrize("texts", [(), ("😀",)])
def test_a_sentence_without_a_place_is_left_alone(texts: tuple[str, ...]) -> None:
    assert all(kind is ChangeKind.FACT for _, kind, _ in reworded(texts, "", 0))


def test_no_made_up_fact_is_also_the_measured_generators() -> None:
    assert not set(FACTS) & set(OWN_FACTS)
    made = {text for _, kind, text in reworded(TEXTS, NOTE, 1) if kind is ChangeKind.FACT}
    assert made <= set(FACTS)
    assert len(made) == 3
