"""The words of a text and phrases among them, with a dictionary small enough to be seen through."""

from __future__ import annotations

import pytest

from noteeval_desktop.privacy.lexicon import Lexicon
from noteeval_desktop.privacy.names import Phrases, words_of

LEXICON = Lexicon(
    times={word: 50_000 for word in ("i", "met", "in", "s", "house", "green", "valley")} | {"walmart": 50}
)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("I met Green Valley.", ["Green Valley"]),
        ("I met green valley.", []),
        ("I met green Valley.", ["green Valley"]),
        ("I met Green, Valley.", ["Green, Valley"]),
        ("I met Green - Valley.", []),
        ("Green Valley Green", ["Green Valley"]),
        ("in Green Valley's house", ["Green Valley"]),
    ],
)
def test_a_phrase_of_common_words_needs_a_capital_and_stands_together(text: str, spans: list[str]) -> None:
    phrases = Phrases(["Green Valley", "Green Valley Walmart"], LEXICON)
    assert [span.of(text) for span in phrases.find(words_of(text))] == spans


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Ann slept. Lee did.", [True, False, True, False]),
        ("I met “Ann” - Lee.", [True, False, True, True]),
        ("Ann-Lee", [True, False]),
        ("yes: No", [True, True]),
        ("yes\n No", [True, True]),
    ],
)
def test_where_a_sentence_begins(text: str, first: list[bool]) -> None:
    assert [word.first for word in words_of(text)] == first
