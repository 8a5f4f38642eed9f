"""A language model's recorded answers: found again by what is asked, weighed with the quick check, replayed by HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import cli
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges import builtin, making
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever, WholeSession
from noteeval_desktop.paths import resources
from noteeval_desktop.research.benchmark_recorded import (
    SUMMARIES,
    RecordedCase,
    RecordedChat,
    answers_in,
    key_of,
    model_alone,
    read_recorded,
    record_shown,
    run_recorded,
)
from tests.openai_server import serve
from tests.recorded import leaving_out
from tests.recorded.replay import Replay
from tests.sample_evaluation import SAMPLE, sample_rubric

RECORDED = Path(__file__).parents[1] / "recorded"


@pytest.fixture(scope="module")
def cases() -> dict[str, RecordedCase]:
    return {one.name: one for one in read_recorded(RECORDED)}


@pytest.fixture(scope="module")
def result(encoder: LlamaEmbedder, cases: dict[str, RecordedCase]) -> dict[str, Any]:
    prompts, rubric = load_prompts(resources() / "prompts"), sample_rubric()
    records = record_shown(RECORDED, making.entrance(), prompts)
    assert records is not None
    return run_recorded(
        list(cases.values()),
        builtin.load(encoder, rubric),
        lambda chat: model_alone(chat, rubric, prompts, EmbeddingRetriever(encoder)),
        records,
    )


def test_what_is_asked_today_was_answered(result: dict[str, Any]) -> None:
    """A prompt that has changed is to be answered anew: `python -m tests.recorded`."""
    assert result["requests_without_an_answer"] == 0
    assert result["cases"] == 5


def test_the_full_check_is_at_least_as_good_as_the_model_alone(result: dict[str, Any]) -> None:
    alone, both, quick = result["model alone"], result["full check"], result["built-in"]
    assert both["found"] >= alone["found"] - 0.04 > quick["found"]
    assert both["doubted"] <= alone["doubted"] + 0.02
    assert both["auc"] >= max(alone["auc"], quick["auc"]) - 0.01
    assert both["contradicted_right"] >= 0.95
    # Aim: .06. Prognosis, insight and a protective factor fit no item of the rubric, says whoever answered.
    assert both["clinical_called_unneeded"] <= 0.08
    assert both["wrong_words_named"] >= 0.9


def test_with_a_weaker_model_both_are_never_worse_than_either(result: dict[str, Any]) -> None:
    assert len(result["weakened"]) == 3
    for one in result["weakened"]:
        assert one["auc_both"] >= max(one["auc_model"], one["auc_built_in"]) - 0.005


def test_the_answers_replayed_over_http_mark_the_sample(
    lent_encoder: None, tmp_path: Path, cases: dict[str, RecordedCase]
) -> None:
    """Through the command line, as a clinician with a server on this computer would have it."""
    note = tmp_path / "note.json"
    sections: dict[str, str] = {}
    for one in cases["sample"].session.notes[0].sentences:
        sections[one.section.lower()] = f"{sections.get(one.section.lower(), '')} {one.text}".strip()
    note.write_text(json.dumps(sections), "utf-8")
    replay = Replay(cases["sample"].answers)
    out = tmp_path / "out.json"
    with serve(replay) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "recorded", "--consent", "--quick-first"]
        case = ["--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(note)]
        cli.main(["evaluate", *case, *remote, "--json", str(out)])
    data = json.loads(out.read_text("utf-8"))
    verdicts = {one["text"]: one for one in data["sentences"]}
    drinks = next(one for text, one in verdicts.items() if "drinking four times" in text)
    assert drinks["verdict"] == "contradicted"
    assert [data["case"]["note_text"][w["start"] : w["end"]] for w in drinks["wrong"]] == ["four times"]
    phq = next(one for text, one in verdicts.items() if "PHQ-9 score was 16" in text)
    assert phq["verdict"] == "contradicted"
    assert {one["kind"] for one in data["risks"]} >= {"suicide"}
    assert not [user for user in replay.unknown if '"claims"' in user]


def test_facts_of_summaries_follow_people_s_over_http(lent_encoder: None, tmp_path: Path) -> None:
    """As somebody with a server would ask: every request was read and answered, and r is what the help says."""
    replay, out = Replay(answers_in(RECORDED, SUMMARIES)), tmp_path / "out.json"
    with serve(replay) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "recorded", "--consent"]
        given = ["benchmark", "mts-dialog-facts", "--data", str(RECORDED / SUMMARIES), "--json", str(out)]
        assert cli.main([*given, *remote]) == 0
    found = json.loads(out.read_text("utf-8"))
    assert (replay.unknown, found["problems"], found["summaries"]) == ([], {}, 60)
    assert {name: round(one["r"], 2) for name, one in found["correlations"].items()} == {
        "FactualPrecision": 0.26,
        "FactualRecall": 0.59,
        "FactualF1": 0.47,
        "HallucinationRate": 0.26,
        "OmissionRate": 0.59,
    }


def test_what_to_leave_out_is_found_and_nothing_else_is_marked() -> None:
    """Of 36 notes by two authors; what a clinician would leave out, the words find seldom and a large model always."""
    chat = RecordedChat(answers_in(RECORDED, leaving_out.LEAVE_OUT))
    found = leaving_out.counts(
        model_alone(chat, sample_rubric(), load_prompts(resources() / "prompts"), WholeSession())
    )
    assert (chat.missing, chat.asked) == ([], 36)
    assert found["model"] == {
        "found": (39, 39), "process": (12, 12), "own-feelings": (10, 10), "other-people": (10, 10), "gossip": (7, 7),
        "kind": (37, 39), "wrong": (0, 436), "look_alikes": (0, 136),
    }  # fmt: skip
    assert found["words"] == {
        "found": (6, 39), "process": (0, 12), "own-feelings": (2, 10), "other-people": (4, 10), "gossip": (0, 7),
        "kind": (5, 6), "wrong": (0, 436), "look_alikes": (0, 136),
    }  # fmt: skip


def test_a_folder_without_cases_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no recorded cases"):
        read_recorded(tmp_path)


def test_the_key_is_of_the_text_whatever_its_fence() -> None:
    one, other = "a <<0123456789ab\nx\n0123456789ab>> b", "a <<ffff00001111\nx\nffff00001111>> b"
    assert key_of(one) == key_of(other) != key_of(other.replace("x", "y"))
