"""What a language model would leave out of the record: asked where that is wanted, over a real server on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from noteeval_desktop import cli
from noteeval_desktop.paths import resources
from noteeval_desktop.settings import Settings
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, Body, serve
from tests.sample_evaluation import beginning_of_sample

NOTE = """# Subjective
Client says she drinks at the weekend.
Her neighbour Tamsin Orbeley is said to have an affair.
Her brother was suicidal last year.
# Assessment
I felt irritated by her lateness.
The lateness may repeat her wish to be looked for.
"""
SCHEMA = json.loads((resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
ASKED = [(2, "gossip"), (3, "other-people"), (4, "own-feelings"), (5, "process")]


@pytest.fixture
def case(tmp_path: Path, lent_encoder: None) -> list[str]:
    (tmp_path / "note.md").write_text(NOTE, "utf-8")
    return ["evaluate", "--transcript", str(beginning_of_sample(tmp_path)), "--note", str(tmp_path / "note.md")]


def answering(said: list[object]):
    def behave(body: Body, _number: int) -> Behaviour:
        request = as_request(body)
        if '"why": "own-feelings"' in request.question:
            return Behaviour(json.dumps({"sentences": said.pop(0) if len(said) > 1 else said[0]}))
        return Behaviour(sound_for_any(request) if "response_format" in body else "Yes")

    return behave


def remarks(path: Path) -> list[tuple[str, str]]:
    data = json.loads(path.read_text("utf-8"))
    jsonschema.validate(data, SCHEMA)
    text = data["case"]["note_text"]
    own = (one for one in data["remarks"] if one["kind"] == "psychotherapy notes")
    return [(one["rule"], text[one["start"] : one["end"]]) for one in own]


def questions(bodies: list[Body]) -> list[str]:
    return [str(body) for body in bodies if "own-feelings" in str(body)]


@pytest.mark.usefixtures("another_computer")
@pytest.mark.parametrize("manner", [[], ["--quick-first"]])
def test_what_the_model_would_leave_out_becomes_remarks_and_danger_stays(
    case: list[str], manner: list[str], tmp_path: Path
) -> None:
    out, shown = tmp_path / "o.json", tmp_path / "shown.jsonl"
    answers = [{"n": n, "why": why} for n, why in ASKED]
    with serve(answering([[{"n": 9, "why": "gossip"}], answers])) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent", "--leave-out", *manner]
        assert cli.main([*case, *remote, "--preview", str(shown)]) == 0
        assert endpoint.requests == []
        assert cli.main([*case, *remote, "--json", str(out)]) == 0
        asked = questions(endpoint.requests)
    # Told beforehand; put once more because a number was wrong; the neighbour's name stays here.
    assert shown.read_text("utf-8").count("own-feelings: ") == 1
    assert len(asked) == 2
    assert "Her neighbour [" in asked[0]
    assert "Orbeley" not in asked[0]
    # By rule first, and not twice.
    assert remarks(out) == [
        ("own-feelings", "I felt irritated"),
        ("third-person", "neighbour Tamsin Orbeley"),
        ("asked-process", "The lateness may repeat her wish to be looked for."),
    ]


def test_nobody_is_asked_who_did_not_want_it(case: list[str], tmp_path: Path) -> None:
    with serve(answering([[]])) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*case, *remote, "--json", str(tmp_path / "o.json")]) == 0
        assert endpoint.requests
        assert questions(endpoint.requests) == []
    assert [rule for rule, _ in remarks(tmp_path / "o.json")] == ["own-feelings", "third-person"]


def test_a_model_that_gives_no_answer_leaves_the_rest_and_is_told(case: list[str], tmp_path: Path, capsys) -> None:
    with serve(answering(["no list"])) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent", "--leave-out"]
        assert cli.main([*case, *remote, "--json", str(tmp_path / "o.json")]) == 1
    assert "Not checked: what to leave out of the record." in capsys.readouterr().err
    assert [rule for rule, _ in remarks(tmp_path / "o.json")] == ["own-feelings", "third-person"]


def test_the_built_in_judge_is_not_asked(case: list[str], capsys) -> None:
    assert cli.main([*case, "--leave-out"]) == 2
    assert "--leave-out: needs a language model" in capsys.readouterr().err


def test_a_kind_that_is_silenced_everywhere_costs_nothing() -> None:
    assert [Settings().asks_private, Settings(private=True).asks_private] == [False, True]
    assert not Settings(private=True, silenced={"remark:psychotherapy notes": "2026-11-03"}).asks_private
