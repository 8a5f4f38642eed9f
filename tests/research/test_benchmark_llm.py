"""The benchmark tn-eval with language models as the judge, over one conversation's three notes."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.dialect import Dialect
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.measures.tn_eval import LLM_JUDGES
from noteeval_desktop.measures.tn_eval_tables import tables
from noteeval_desktop.paths import resources
from noteeval_desktop.research.benchmark_tn_eval import all_judged
from noteeval_desktop.research.published import load_notes
from tests.gguf_factory import make_biased_model, make_chat_model
from tests.judges.test_llm_replay import Replay
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, serve
from tests.scripted_chat import ScriptedChat


@pytest.fixture
def three_notes(dev_data: Path, tmp_path: Path) -> Path:
    path = tmp_path / "three.json"
    path.write_text(json.dumps(json.loads(dev_data.read_text("utf-8"))[:1]), "utf-8")
    return path


def test_a_remote_judge_stands_beside_the_others(
    three_notes: Path, lent_encoder: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    with serve(lambda body, number: Behaviour(sound_for_any(as_request(body)))) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main(["benchmark", "tn-eval", "--data", str(three_notes), *remote, "--json", str(out)]) == 0
    data = json.loads(out.read_text("utf-8"))
    assert data["notes"] == 3
    assert data["usage"]["calls"] == len(endpoint.requests)
    for dimension in ("completeness", "conciseness", "faithfulness"):
        assert data[dimension]["judges"]["remote"]["auc"] is not None
    printed = capsys.readouterr().out
    assert "remote" in printed
    assert "Llama 3.1 70B" in printed


def test_a_local_judge_stands_beside_the_others(three_notes: Path, lent_encoder: None, tmp_path: Path) -> None:
    model = make_biased_model(tmp_path / "tiny.gguf", {"Yes": 3.0, "No": 1.0})
    out = tmp_path / "out.json"
    local = ["--judge", "local", "--model", str(model)]
    assert cli.main(["benchmark", "tn-eval", "--data", str(three_notes), *local, "--json", str(out)]) == 0
    data = json.loads(out.read_text("utf-8"))
    for dimension in ("completeness", "conciseness"):
        assert "local" in data[dimension]["judges"]


def test_a_local_model_that_evades_stands_in_no_row(three_notes: Path, lent_encoder: None, tmp_path: Path) -> None:
    model = make_chat_model(tmp_path / "tiny.gguf", layers=1, width=32, context=4096)
    out = tmp_path / "out.json"
    local = ["--judge", "local", "--model", str(model)]
    assert cli.main(["benchmark", "tn-eval", "--data", str(three_notes), *local, "--json", str(out)]) == 0
    data = json.loads(out.read_text("utf-8"))
    for dimension in ("completeness", "conciseness"):
        assert "local" not in data[dimension]["judges"]


@pytest.mark.parametrize("judge_id", LLM_JUDGES)
def test_a_published_judge_played_back_gets_its_own_row(three_notes: Path, judge_id: str) -> None:
    notes, replay = load_notes(three_notes), Replay(judge_id)
    replay.note = notes[0]

    def answer(request: Request) -> str:
        return replay(Dialect().parameters("m", request), 0).content

    def next_note(done: int, total: int) -> None:
        replay.note = notes[min(done, total - 1)]

    prompts = load_prompts(resources() / "prompts")
    judge = LlmJudge(ScriptedChat(answer), load_rubric(), prompts, None, Manner.PUBLISHED)
    result = tables(notes, all_judged(notes, judge, threading.Event(), None, next_note), rounds=20)
    for dimension in ("completeness", "conciseness"):
        rows = result[dimension]["judges"]
        assert rows["scripted"] == rows[LLM_JUDGES[judge_id]]
    assert "scripted" not in result["faithfulness"]["judges"]
