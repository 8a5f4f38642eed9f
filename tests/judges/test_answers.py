"""What is read of a language model's answer, and what is no answer."""

from __future__ import annotations

import pytest

from noteeval_desktop.judges.llm.answers import AnswerError, NeedAnswers, read_answer

ANSWER = '{"sentences": [{"n": 1, "items": [2]}]}'


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"\n```json\n{ANSWER}\n```\n",
        f"<think>Zoë … {{no}} 🙂\nIs it 2?</think>\n\n{ANSWER}",
        f"<think>\n\n</think>```json\n{ANSWER}\n```",
    ],
    ids=["bare", "fenced", "thought aloud", "thought nothing"],
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
