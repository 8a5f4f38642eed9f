"""Names by their words, with a dictionary small enough to be seen through."""

from __future__ import annotations

import pytest

from noteeval_desktop.privacy.lexicon import Lexicon
from noteeval_desktop.privacy.names import Phrases, named, words_of

EVERY_DAY = (
    "i met at to in from the with my and slept well said can not is target working it ain walk walked is long long"
)
LEXICON = Lexicon(
    names=frozenset({"ann", "amy", "lee", "berg", "osei"}),
    given_words=frozenset({"mark", "grace"}),
    capitals=frozenset({"monday", "ssri"}),
    times={word: 50_000 for word in [*EVERY_DAY.split(), "mark", "grace", "green", "valley", "went"]} | {"walmart": 50},
)


def found(text: str, *, guessed: bool | None = None) -> list[str]:
    names = named(text, words_of(text), LEXICON, frozenset())
    return [name.identifier.text for name in names if guessed is None or name.guess is guessed]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met ann at Target.", ["ann", "Target"]),
        ("I met Mark Green.", ["Mark", "Green"]),
        ("With Zo and Zoq.", ["Zo", "Zoq"]),
        ("I met Ann van der Berg.", ["Ann", "van der Berg"]),
        ("I met Ann of la Valley.", ["Ann", "la Valley"]),
        ("I met Ann's sister.", ["Ann"]),
        ("I went to Target and it is long.", ["Target"]),
        ("Target is long.", []),
        ("Mark said it.", ["Mark"]),
        ("Mark is long.", []),
        ("It'll not, and Ain't not.", []),
        ("I slept well on Monday with SSRIs.", []),
        ("I met Анна.", ["Анна"]),
        ("I met Ann-Marie Valley.", ["Ann-Marie", "Valley"]),
        ("I, WITH ZORB, WENT.", ["ZORB"]),
        ("I met Ann and Osei-Walmart.", ["Ann", "Osei-Walmart"]),
    ],
)
def test_what_is_a_name_by_its_words(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_what_only_its_capital_speaks_for_is_a_guess() -> None:
    assert found("I met Ann at Target.", guessed=True) == ["Target"]
    assert found("I met Ann at Target.", guessed=False) == ["Ann"]


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
