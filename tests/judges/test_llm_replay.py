"""The published LLM judges' own answers, played back by an endpoint, give the published scores."""

from __future__ import annotations

import json
import re
import threading

import pytest

from noteeval_desktop.engines.chat import ChatModel, Request
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.dialect import Dialect
from noteeval_desktop.evaluate import Question, evaluate, final
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import as_data, load_prompts
from noteeval_desktop.measures.tn_eval import LLM_JUDGES, LabelledNote
from noteeval_desktop.paths import resources
from tests.openai_server import Behaviour, Body, serve
from tests.sample_evaluation import sample_rubric
from tests.scripted_chat import ScriptedChat


class Replay:
    """Answers as one published judge did about the note that is being judged."""

    def __init__(self, judge: str) -> None:
        self.judge = judge
        self.note: LabelledNote | None = None
        items = json.loads((resources() / "rubrics" / "tn-eval.json").read_text("utf-8"))["items"]
        self._item_of = {
            (i["section"], f"{i['name']}: {i['description']} {i.get('scope', '')}".rstrip()): i["id"] for i in items
        }

    def __call__(self, body: Body, number: int) -> Behaviour:
        assert self.note is not None
        question = body["messages"][1]["content"]
        asked = question.rsplit("<<", 1)[1].split("\n")[1]
        section = re.search(r"The (\w+)(?: section)?", question)[1]
        if "belong to at least one entry" in question:
            found = [
                s for s in self.note.sentences if s.sentence.section == section and as_data(s.sentence.text) == asked
            ]
            return Behaviour("Yes" if found[0].llm_needed[self.judge] else "No")
        item = self._item_of.get((section, asked))
        return Behaviour("Yes" if item and self.note.llm_present[self.judge][item] else "No")


def check(replay: Replay, note: LabelledNote, chat: ChatModel) -> None:
    rubric = sample_rubric()
    prompts = load_prompts(resources() / "prompts")
    judge = LlmJudge(chat, rubric, prompts, retriever=None, manner=Manner.PUBLISHED)
    replay.note = note
    evaluation = final(evaluate(note.case, judge, (Question.COVER, Question.NEED), threading.Event())).evaluation
    assert evaluation.complete, evaluation.problems
    present = note.llm_present[replay.judge]
    assert {i.item: int(bool(i.present)) for i in evaluation.checklist if i.section} == dict(present)
    assert evaluation.scores.completeness.note == pytest.approx(sum(present.values()) / 23)
    needed = [s.llm_needed[replay.judge] for s in note.sentences]
    assert evaluation.scores.conciseness.note == pytest.approx(sum(needed) / len(needed))


@pytest.mark.parametrize("judge_id", LLM_JUDGES)
def test_replayed_answers_give_the_published_scores_of_every_note(
    judge_id: str, published_notes: tuple[LabelledNote, ...]
) -> None:
    replay = Replay(judge_id)

    def answer(request: Request) -> str:
        return replay(Dialect().parameters("m", request), 0).content

    for note in published_notes:
        check(replay, note, ScriptedChat(answer))
    assert len(published_notes) == 105


# Every tenth note over HTTP: all of them take two minutes and pass (seen by hand), the path is the same.
@pytest.mark.parametrize("judge_id", LLM_JUDGES)
def test_replayed_answers_give_the_published_scores_over_http(
    judge_id: str, published_notes: tuple[LabelledNote, ...]
) -> None:
    replay = Replay(judge_id)
    with serve(replay) as endpoint:
        chat = RemoteChat(endpoint.url, judge_id, jobs=4)
        for note in published_notes[::10]:
            check(replay, note, chat)
        chat.close()
