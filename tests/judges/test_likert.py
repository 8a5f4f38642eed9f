"""Marks from 1 to 5: read as strictly as everything else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.paths import resources
from tests.factories import make_case, make_note, make_transcript
from tests.llm_answers import sound
from tests.scripted_chat import ScriptedChat

NEVER = threading.Event()


class FirstTurns:
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        return [tuple(range(count))] * len(texts)


def make_judge(answer: Callable[[Request], str]) -> tuple[LlmJudge, ScriptedChat]:
    chat = ScriptedChat(answer)
    return LlmJudge(chat, load_rubric(), load_prompts(resources() / "prompts"), FirstTurns()), chat


def test_each_written_section_and_the_note_are_marked() -> None:
    note = make_note({Section.SUBJECTIVE: ["Sleeps better."], Section.PLAN: ["Meet on Tuesday."]})
    judge, chat = make_judge(sound)
    ratings = list(judge.likert(make_case(note=note), NEVER))
    marks = {"completeness": 3, "conciseness": 4, "faithfulness": 5}
    assert {rating.section: rating.marks for rating in ratings} == {
        Section.SUBJECTIVE: marks,
        Section.PLAN: marks,
        None: {"acceptance": 4},
    }
    assert len({request.prefix for request in chat.requests}) == 1
    list(judge.likert(make_case(note=note), NEVER))
    assert len(chat.requests) == 3


@pytest.mark.parametrize("mark", ["0", "6", "7", '"4"', "4.0", "4.5", "true", "null", "NaN", '"4/5"', "[4]"])
def test_a_mark_off_the_scale_is_no_mark(mark: str) -> None:
    judge, chat = make_judge(lambda request: sound(request).replace(": 4", f": {mark}"))
    note = make_note({Section.PLAN: ["Meet on Tuesday."]})
    ratings = list(judge.likert(make_case(note=note), NEVER))
    assert [(rating.section, rating.marks) for rating in ratings] == [(Section.PLAN, {}), (None, {})]
    assert all(rating.problem for rating in ratings)
    assert len(chat.requests) == 4


def test_a_long_session_is_shown_in_its_closest_parts() -> None:
    long = make_transcript((("therapist", "Tell me more. " * 40), ("client", "twice a week now")) * 200)
    judge, chat = make_judge(sound)
    assert all(rating.marks for rating in judge.likert(make_case(transcript=long), NEVER))
    assert all(len(request.prefix) < 30_000 for request in chat.requests)


def test_nothing_is_asked_about_an_empty_note() -> None:
    judge, chat = make_judge(sound)
    assert list(judge.likert(make_case(note=make_note({})), NEVER)) == []
    assert chat.requests == []
