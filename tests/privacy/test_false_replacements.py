"""How much of ordinary counselling talk is replaced that identifies nobody, on AnnoMI where it is there."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masking import Tokens, mask

MOST_PER_1000 = 3.0
# What one reader of every replaced string, in its place, judged to point to a person, a place or an institution. All
# else counts as false, new strings too, until somebody has read them: countries, brands, stammers, days of no one.
IDENTIFYING = frozenset(
    (Path(__file__).parents[1] / "golden" / "annomi_identifying.txt").read_text("utf-8").splitlines()
)


def test_less_than_three_in_a_thousand_words_of_talk_are_replaced_by_mistake(
    dev_data: Path, finder: IdentifierFinder
) -> None:
    path = dev_data.parent / "annomi_simple.csv"
    if not path.is_file():
        pytest.skip("annomi_simple.csv is not here")
    sessions = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sessions[row["transcript_id"]].append(row["utterance_text"])
    words, false = 0, Counter[str]()
    for texts in list(sessions.values())[::16]:  # of either half 0.7 to 0.9 in a thousand
        learnt = finder.learn(texts)
        for text in texts:
            words += len(text.split())
            replaced = [piece.original.of(text) for piece in mask(text, learnt.find(text), Tokens()).pieces]
            false.update(one for one in replaced if one not in IDENTIFYING)
    assert words > 9_000
    assert 1000 * false.total() / words < MOST_PER_1000, false.most_common(20)
