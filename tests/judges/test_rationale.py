from __future__ import annotations

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin import rationale


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("thought", "thought", "thought"),
        ("Yes. I thought about it, often. Then I stopped.", "thought", "I thought about it, often"),
        (
            "I’ve slept, 🙂 mostly, on the sofa of a friend from work.",
            "slept",
            "I’ve slept, 🙂 mostly, on the sofa of…",
        ),
        (
            "One two three four five six seven eight pain nine.",
            "pain",
            "…three four five six seven eight pain nine",
        ),
    ],
)
def test_a_reason_quotes_the_words_around_what_was_said(text: str, word: str, said: str) -> None:
    start = text.index(word)
    assert rationale._around(text, Span(start, start + len(word))) == said
