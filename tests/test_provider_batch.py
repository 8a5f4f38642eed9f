"""Many notes through a provider's batch API: paid once, whatever happens in between."""

from __future__ import annotations

import argparse
import io
import json
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.commands import provider as command
from noteeval_desktop.commands.provider_state import STATE_FILE, State
from noteeval_desktop.commands.run import Run
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote import provider_batch as provider
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.engines.remote.provider_batch import encoded, key_of
from noteeval_desktop.platform.locks import PassingLock
from noteeval_desktop.privacy import consent
from tests.batch_server import Provider, serving
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Body
from tests.sample_evaluation import SAMPLE, beginning_of_sample
from tests.scripted_judge import ScriptedJudge

READY = '{"ready": true}'


def sound(body: Body) -> str:
    return READY if "Are you ready?" in json.dumps(body) else sound_for_any(as_request(body))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "POLL_SECONDS", 0.01)


@pytest.fixture
def out(tmp_path: Path, lent_encoder: None) -> Path:
    """A folder for results; beside it a list of two notes about one session."""
    second = tmp_path / "second.md"
    second.write_text("# Plan\nMeet again next week.\n", "utf-8")
    session = beginning_of_sample(tmp_path)
    rows = f"id,transcript,note\na,{session},{SAMPLE / 'note.md'}\nb,{session},{second}\n"
    (tmp_path / "pairs.csv").write_text(rows, "utf-8")
    return tmp_path / "out"


def batch(served: Provider, out: Path, *more: str) -> int:
    remote = ["--judge", "remote", "--base-url", served.url, "--model", "m", "--consent", "--provider-batch", *more]
    return cli.main(["batch", "--pairs", str(out.parent / "pairs.csv"), "--out-dir", str(out), *remote])


def result(out: Path, name: str) -> dict:
    return json.loads((out / f"{name}.json").read_text("utf-8"))


def unlike_ready(bodies: list[Body]) -> list[Body]:
    return [body for body in bodies if "Are you ready?" not in json.dumps(body)]


def test_all_notes_are_judged_by_one_batch_and_nothing_is_asked_directly(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Provider(sound, polls=3)) as served:
        assert batch(served, out) == 0
    assert len(served.batches) == 1
    assert unlike_ready(served.direct) == []
    assert served.polled > 3
    assert all(result(out, name)["complete"] for name in "ab")
    calls = sum(result(out, name)["usage"]["calls"] for name in "ab")
    assert calls == len(served.asked)
    uploaded = sum(len(encoded(body)) for body in served.asked)
    assert sum(result(out, name)["usage"]["bytes_sent"] for name in "ab") == uploaded
    assert not (out / STATE_FILE).exists()
    assert "questions handed to the provider's batch API" in capsys.readouterr().err
    sent = json.dumps(served.asked)
    assert "Moreno" not in sent
    assert "nights" in sent


def test_the_answers_are_those_of_direct_questions(out: Path) -> None:
    with serving(Provider(sound)) as served:
        assert batch(served, out) == 0
        direct = ["batch", "--pairs", str(out.parent / "pairs.csv"), "--out-dir", str(out.parent / "direct")]
        assert cli.main([*direct, "--judge", "remote", "--base-url", served.url, "--model", "m", "--consent"]) == 0
    for name in "ab":
        once, other = result(out, name), result(out.parent / "direct", name)
        assert once["scores"] == other["scores"]
        assert once["sentences"] == other["sentences"]
        assert sorted(once["checklist"], key=str) == sorted(other["checklist"], key=str)


def stop_while_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with Ctrl+C, while the provider works."""
    fetch = command._fetch

    def fetch_and_stop(run, *rest):
        run.cancel.set()
        return fetch(run, *rest)

    monkeypatch.setattr(command, "_fetch", fetch_and_stop)


def test_a_stopped_run_is_fetched_later_and_paid_once(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Provider(sound, polls=2)) as served:
        with monkeypatch.context() as stopping:
            stop_while_waiting(stopping)
            assert batch(served, out) == 130
        paid = len(served.asked)
        state = (out / STATE_FILE).read_text("utf-8")
        assert "nights" not in state
        assert batch(served, out) == 0
    assert len(served.asked) == paid
    assert len(served.batches) == 1
    assert all(result(out, name)["complete"] for name in "ab")


def test_a_connection_lost_right_after_the_start_is_no_second_bill(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Provider(sound, lose=True)) as served:
        assert batch(served, out) == 1
        assert "nothing is paid for twice" in capsys.readouterr().err
        served.lose = False
        assert batch(served, out) == 0
    assert len(served.batches) == 1


def test_a_note_that_is_added_costs_its_own_questions_only(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Provider(sound, polls=1)) as served:
        with monkeypatch.context() as stopping:
            stop_while_waiting(stopping)
            assert batch(served, out) == 130
        first = len(served.asked)
        (out.parent / "third.md").write_text("# Plan\nCall the clinic on Monday.\n", "utf-8")
        with (out.parent / "pairs.csv").open("a", encoding="utf-8") as rows:
            rows.write(f"c,{out.parent / 'beginning.vtt'},{out.parent / 'third.md'}\n")
        assert batch(served, out) == 0
    assert len(served.batches) == 2
    assert 0 < len(served.asked) - first < first
    assert result(out, "c")["complete"]


def test_what_the_provider_left_out_is_not_judged_and_sent_again_next_time(out: Path) -> None:
    left_out = [True]

    def partly(body: Body) -> str | None:
        return None if left_out[0] and '"claims"' in json.dumps(body).replace("\\", "") else sound(body)

    with serving(Provider(partly, ends_as="expired")) as served:
        assert batch(served, out) == 1
        assert unlike_ready(served.direct) == []
        assert result(out, "a")["scores"]["faithfulness"]["note"] is None
        assert result(out, "a")["scores"]["completeness"]["note"] is not None
        first, left_out[0] = len(served.asked), False
        served.ends_as = "completed"
        assert batch(served, out) == 0
    again = served.asked[first:]
    assert again
    assert all('"claims"' in json.dumps(body).replace("\\", "") for body in again)
    assert result(out, "a")["complete"]


def test_an_answer_of_no_use_is_asked_once_more_directly(out: Path) -> None:
    def first_useless(body: Body) -> str:
        text = json.dumps(body)
        return (
            "I cannot say." if '"claims"' in text.replace("\\", "") and "could not be used" not in text else sound(body)
        )

    with serving(Provider(first_useless)) as served:
        assert batch(served, out) == 0
    assert unlike_ready(served.direct)
    assert all("could not be used" in json.dumps(body) for body in unlike_ready(served.direct))


def test_finished_notes_are_not_sent_again(out: Path) -> None:
    with serving(Provider(sound)) as served:
        assert batch(served, out) == 0
        paid = len(served.asked) + len(served.direct)
        assert batch(served, out, "--resume") == 0
    assert len(served.asked) + len(served.direct) == paid


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"has_batches": False}, 1, "has no batch API. Leave out --provider-batch"),
        ({"ends_as": "failed"}, 1, "ended early"),
    ],
)
def test_a_provider_that_cannot_says_so(
    changes: dict, code: int, said: str, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Provider(lambda body: READY if "Are you ready?" in json.dumps(body) else None, **changes)) as served:
        assert batch(served, out) == code
    assert said in capsys.readouterr().err


def test_a_second_run_beside_the_first_sends_nothing(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out.mkdir(exist_ok=True)
    with serving(Provider(sound)) as served:
        first = PassingLock(out / command.LOCK_FILE)
        assert batch(served, out) == 2
        assert "another run sends its questions" in capsys.readouterr().err
        assert not (out / STATE_FILE).exists()
        assert not served.asked + served.direct
        first.release()
        assert batch(served, out) == 0
    assert not (out / command.LOCK_FILE).exists()


def test_another_model_does_not_take_over_what_was_paid_for(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Provider(sound)) as served:
        with monkeypatch.context() as stopping:
            stop_while_waiting(stopping)
            assert batch(served, out) == 130
        paid = len(served.asked)
        assert batch(served, out, "--model", "other") == 2
        assert "Use another --out-dir" in capsys.readouterr().err
        (out / STATE_FILE).write_text("{}\n", "utf-8")
        assert batch(served, out) == 2
    assert len(served.asked) == paid


def test_nothing_is_sent_without_consent_or_under_the_lock(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Provider(sound)) as served:
        arguments = ["batch", "--pairs", str(out.parent / "pairs.csv"), "--out-dir", str(out), "--provider-batch"]
        assert cli.main([*arguments, "--judge", "remote", "--base-url", served.url, "--model", "m"]) == 2
        assert cli.main(arguments) == 2
        monkeypatch.setattr(consent, "load", lambda: consent.RemoteRules(locked=True))
        assert batch(served, out) == 2
    assert served.files == {}
    assert served.direct == []


class Killed(BaseException):
    """As with kill -9: nothing that would clean up knows it."""


class Killer:
    """Kills at the ``at``-th moment: before and after each exchange with the provider, and within each line that is
    written down."""

    def __init__(self, at: int, patch: pytest.MonkeyPatch) -> None:
        self.left = at
        asked, add = provider.ProviderBatches._asked, State._add

        def killed_around(batches, question, **more):
            self.moment()
            answer = asked(batches, question, **more)
            self.moment()
            return answer

        def killed_within(state, line):
            before = state._path.read_bytes() if state._path.exists() else b""
            add(state, line)
            if self.left == 1:
                whole = state._path.read_bytes()
                state._path.write_bytes(whole[: (len(before) + len(whole)) // 2])
            self.moment()

        patch.setattr(provider.ProviderBatches, "_asked", killed_around)
        patch.setattr(State, "_add", killed_within)

    def moment(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Killed


def test_wherever_a_run_is_killed_nothing_is_paid_twice_and_nothing_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "LARGEST", 4)
    questions = [Request("s", "p", f"Question {number}: é?") for number in range(10)]

    def sent_and_fetched(folder: Path, url: str) -> dict[str, bytes]:
        state = State.read(folder) or State(folder, "asker", "fence")
        run = Run(argparse.Namespace(), lambda *_: ScriptedJudge(), io.StringIO(), io.StringIO(), ExitStack())
        with closing(RemoteChat(url, "m", "")) as chat:
            return command.sent_and_fetched(run, chat, state, questions)[0]

    killed, at = True, 0
    while killed:
        at += 1
        (folder := tmp_path / f"{at}").mkdir()
        with serving(Provider(sound_ready, polls=0, a_page=2)) as served:
            with monkeypatch.context() as patch:
                Killer(at, patch)
                try:
                    sent_and_fetched(folder, served.url)
                    killed = False
                except Killed:
                    pass
            answers = sent_and_fetched(folder, served.url)
        assert sorted(answers) == sorted(map(key_of, questions)), at
        assert len(served.asked) == len(questions), at
        told = (folder / STATE_FILE).read_text("utf-8")
        assert all(told.count(key) <= (2 if "lost" in told else 1) for key in answers), at
    assert at > 15


def sound_ready(body: Body) -> str:
    return READY


def test_a_batch_is_no_larger_than_a_provider_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [Request("s", "p", "long " * (50 if number == 3 else 5)) for number in range(4)]
    questions = [Request("s", "p", f"{number} {question.question}") for number, question in enumerate(questions)]
    monkeypatch.setattr(provider, "LARGEST", 2)
    monkeypatch.setattr(provider, "LARGEST_BYTES", 700)
    run = Run(argparse.Namespace(), lambda *_: ScriptedJudge(), io.StringIO(), io.StringIO(), ExitStack())
    with serving(Provider(sound_ready, polls=0)) as served, closing(RemoteChat(served.url, "m", "")) as chat:
        command.sent_and_fetched(run, chat, State(tmp_path, "asker", "fence"), questions)
        sizes = [(data.count(b"\n"), len(data)) for name, data in served.files.items() if name.startswith("file-")]
    assert [lines for lines, _ in sizes] == [2, 1, 1]
    assert all(size <= 700 or lines == 1 for lines, size in sizes)


def test_a_question_has_the_same_key_whenever_it_is_asked() -> None:
    request = Request("s", "p", "q 🙂", {"b": 1, "a": 2}, 20)
    assert key_of(request) == key_of(Request("s", "p", "q 🙂", {"a": 2, "b": 1}, 20))
    assert key_of(request) != key_of(Request("s", "p", "q", {"a": 2, "b": 1}, 20))
