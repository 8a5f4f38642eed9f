"""What is read of a language model's answer, and what is no answer."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from noteeval_desktop.judges.llm.answers import AnswerError, ClaimAnswers, NeedAnswers, SearchAnswers, read_answer
from tests.growth import reading_grows_in_step

ANSWER = '{"sentences": [{"n": 1, "items": [2]}]}'


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"\n```json\n{ANSWER}\n```\n",
        f"<think>Zoë … {{no}} 🙂\nIs it 2?</think>\n\n{ANSWER}",
        f"<think>\n\n</think>```json\n{ANSWER}\n```",
        f"Is it 2? It is.\n</think>\n\n{ANSWER}",
    ],
    ids=["bare", "fenced", "thought aloud", "thought nothing", "thought that the prompt opened"],
)
def test_an_answer_is_read(text: str) -> None:
    assert read_answer(NeedAnswers, text, finished=True).sentences[0].items == [2]


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is: {ANSWER}",
        f"{ANSWER}\n<think>or not?</think>",
        f"<think>{ANSWER}",
        f"<think>a</think> so: {ANSWER}",
        "<think>" * 100_000,
    ],
    ids=["prose", "thought after", "thought without an end", "thought and prose", "only thoughts"],
)
def test_prose_is_no_answer(text: str) -> None:
    with pytest.raises(AnswerError, match="it was not JSON"):
        read_answer(NeedAnswers, text, finished=True)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"a":' * 100_000,
        "1" * 5_000,
        "NaN",
        '"\\ud83d"',
        "\ud83d",
        "```\n" + "\n " * 1_000_000 + "```x```",
    ],
    ids=["deep", "deep objects", "a long number", "NaN", "half of a character", "half, written out", "white space"],
)
def test_what_a_reader_chokes_on_is_no_answer_and_soon_read(text: str) -> None:
    with pytest.raises(AnswerError, match="it was not JSON"):
        read_answer(NeedAnswers, text, finished=True)

    def read(text: str) -> None:
        with suppress(AnswerError):
            read_answer(NeedAnswers, text, finished=True)

    assert reading_grows_in_step(read, text)


@pytest.mark.parametrize(
    "entry",
    [
        {"n": 10**300, "items": []},
        {"n": 1, "items": [10**300]},
        {"n": 1, "items": [], "Mrs. Smith says " + "x" * 100_000: 1},
        {"n": 1.0, "items": []},
        {"n": True, "items": []},
        {"n": "1" * 100_000, "items": []},
    ],
    ids=["number", "item", "field", "float", "true", "text"],
)
def test_what_is_wrong_is_said_in_short_and_without_the_models_words(entry: dict[str, object]) -> None:
    with pytest.raises(AnswerError) as caught:
        read_answer(NeedAnswers, json.dumps({"sentences": [entry]}), finished=True)
    assert len(str(caught.value)) < 200
    assert "Smith" not in str(caught.value)


def test_a_number_that_nobody_asked_about_is_left_to_the_reader_of_its_question() -> None:
    entry = {"turn": -7, "quote": "x", "kind": "risk", "severity": "low", "reason": ""}
    assert read_answer(SearchAnswers, json.dumps({"dangers": [], "omissions": [entry]}), True).omissions[0].turn == -8


def test_words_are_of_one_line_that_reads_from_left_to_right() -> None:
    reason = "one\x00two\u202ethree\u2028four\nfive\x1b[31m"
    claim = {"n": 1, "label": "observed", "reason": reason, "severity": "none"}
    read = read_answer(ClaimAnswers, json.dumps({"claims": [claim]}), True)
    assert read.claims[0].reason == "one two three four five [31m"
