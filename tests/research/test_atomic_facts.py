"""Sentences split into atomic facts."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.research.atomic_facts import atomic_facts, in_facts
from tests.factories import make_note


@pytest.mark.parametrize(
    ("sentence", "facts"),
    [
        ("Noncontributory.", ["Noncontributory"]),
        ("Confusion and hallucinations.", ["Confusion", "hallucinations"]),
        ("He denies fever, chills, and cough.", ["He denies fever", "He denies chills", "He denies cough"]),
        ("She is 45 with diabetes and asthma.", ["She is 45 with diabetes", "She is 45 with asthma"]),
        ("Takes metformin 1,000 mg; she is allergic to penicillin, which causes hives.",
         ["Takes metformin 1,000 mg", "she is allergic to penicillin, which causes hives"]),
        ("Her mother died on March 3, 2010, of breast cancer.", ["Her mother died on March 3, 2010, of breast cancer"]),
        ("He was born in Rome, Italy.", ["He was born in Rome, Italy"]),
        ("He moved here (with his wife, and a dog).", ["He moved here (with his wife, and a dog)"]),
        ("Sleep is poor but appetite is good.", ["Sleep is poor", "appetite is good"]),
        ("Naïve 😴, tired.", ["Naïve 😴", "tired"]),
    ],
)  # fmt: skip
def test_a_sentence_tells_so_many_facts(sentence: str, facts: list[str]) -> None:
    assert list(atomic_facts(sentence)) == facts


def test_facts_stand_in_their_sections_and_at_their_places() -> None:
    note = in_facts(make_note({Section.SUBJECTIVE: ["Denies fever, chills."], Section.PLAN: ["Rest"]}))
    told = [(fact.id, fact.sections, fact.text) for fact in note.sentences]
    assert told == [
        ("s1.1", (Section.SUBJECTIVE,), "Denies fever."),
        ("s1.2", (Section.SUBJECTIVE,), "Denies chills."),
        ("s2.1", (Section.PLAN,), "Rest"),
    ]
    assert all(fact.span.of(note.text) == fact.text for fact in note.sentences)
