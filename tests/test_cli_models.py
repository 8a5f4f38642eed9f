"""`noteeval models`: what is listed, and a download that is checked, resumed or refused."""

from __future__ import annotations

import hashlib
import json
import socket
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.engines import download as fetching
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.known_models import KnownModels
from tests.engines.test_download import FileServer, serving
from tests.gguf_factory import make_chat_model
from tests.let_in import let_in
from tests.scripted_local import ScriptedLocal, speak_for_local_models


@pytest.fixture
def model(tmp_path: Path) -> bytes:
    return make_chat_model(tmp_path / "made.gguf").read_bytes()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def fetch(server: FileServer, *more: str) -> int:
    digest = hashlib.sha256(server.content).hexdigest()
    return cli.main(["models", "download", "--url", server.url, "--sha256", digest, *more])


def test_a_file_at_an_address_of_the_users_is_fetched_and_checked(
    home: Path, model: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(FileServer(content=model)) as server:
        assert fetch(server) == 0
    assert (home / "models" / "model.gguf").read_bytes() == model
    printed = capsys.readouterr()
    assert "its SHA-256 is correct" in printed.out
    assert "only the file's address is sent. It is fetched directly" in printed.err


def test_what_was_cut_is_continued_by_the_next_command(
    home: Path, model: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(FileServer(content=model, cuts=[1000, 0, 0, 0])) as server:
        assert fetch(server) == 1
        assert "the part downloaded is kept" in capsys.readouterr().err
        assert fetch(server) == 0
    assert server.asked[-1] == "bytes=1000-"
    assert (home / "models" / "model.gguf").read_bytes() == model


def test_a_download_that_is_stopped_says_how_it_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> Path:
        raise Cancelled

    monkeypatch.setattr(fetching, "download", stopped)
    assert fetch(FileServer(url="http://127.0.0.1:9/model.gguf")) == 130
    *_, kept, cancelled = capsys.readouterr().err.splitlines()
    assert "run the same command for the rest" in kept
    assert cancelled.endswith("cancelled.")


def test_another_file_than_named_is_not_kept(home: Path, model: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(FileServer(content=model)) as server:
        assert cli.main(["models", "download", "--url", server.url, "--sha256", "0" * 64]) == 1
    assert "SHA-256 differs" in capsys.readouterr().err
    assert list((home / "models").iterdir()) == []


def test_a_file_that_no_judge_can_use_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(FileServer(content=b"GGUF" + b"\x00" * 40)) as server:
        assert fetch(server) == 0
    assert "model.gguf" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name one of `noteeval models list`"),
        (["No-such-model"], "is not in the list of models"),
        (["--url", "https://models.example.org/m.gguf"], "without its SHA-256"),
        ([read_manifest().chat[0].name.lower(), "--url", "models.example.org"], "is not a web address"),
    ],
)
def test_what_cannot_be_fetched_says_how_to_go_on(
    arguments: list[str], said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["models", "download", *arguments]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert len(printed.splitlines()) == 1


def test_no_network_is_said_in_one_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/model.gguf"
    assert cli.main(["models", "download", "--url", url, "--sha256", "0" * 64]) == 1
    said = capsys.readouterr().err.splitlines()
    assert "Connect to the network and try again" in said[-1]
    assert len(said) == 2


def test_the_list_has_licence_size_and_memory_of_what_can_be_had(
    home: Path, model: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "models").mkdir(parents=True)
    (home / "models" / "own.gguf").write_bytes(model)
    assert cli.main(["models", "list"]) == 0
    printed = capsys.readouterr().out
    for entry in read_manifest().chat:
        row = next(line for line in printed.splitlines() if line.startswith(entry.name))
        assert f"{entry.bytes / 1e9:.1f} GB" in row
        assert f"about {entry.memory_gb:g} GB" in row
        assert entry.licence in row
    assert "own" in printed
    cli.main(["models", "check"])
    assert f"own.gguf: SHA-256 {hashlib.sha256(model).hexdigest()}" in capsys.readouterr().out


@pytest.mark.parametrize(("right", "code", "said"), [(6, 1, "no better than guessing"), (9, 0, "often be wrong")])
def test_a_model_is_believed_as_far_as_it_has_earned(
    right: int,
    code: int,
    said: str,
    home: Path,
    encoder_path: Path,
    lent_encoder: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    speak_for_local_models(monkeypatch, ScriptedLocal())
    (home / "models").mkdir(parents=True)
    (home / "models" / encoder_path.name).symlink_to(encoder_path)
    model = let_in(make_chat_model(tmp_path / "m.gguf"), right)
    out, case = tmp_path / "out.json", ["--transcript", str(tmp_path / "t.txt"), "--note", str(tmp_path / "n.txt")]
    (tmp_path / "t.txt").write_text("Therapist: How is it?\nClient: I sleep badly.\n", "utf-8")
    (tmp_path / "n.txt").write_text("Subjective\nClient sleeps badly.\n", "utf-8")
    ended = cli.main(["evaluate", *case, "--judge", "local", "--model", str(model), "--json", str(out)])
    err = capsys.readouterr().err
    assert f"This model answered {6 * right} of 72 test questions as expected" in err
    assert said in err
    assert out.exists() is (code == 0)
    if code:
        assert ended == code
        assert len(err.splitlines()) == 1
    else:
        assert [w for w in json.loads(out.read_text("utf-8"))["case"]["warnings"] if "54 of 72" in w]


def test_the_entrance_test_is_taken_anew_when_asked_for(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, kinds = list[bool](), dict.fromkeys(KINDS, (11, 12))

    def admit(model: Path, *, anew: bool, **_: object) -> Result:
        asked.append(anew)
        KnownModels.of_this_user().keep_speed(model, Speed(60.0, 11.0))
        return Result(kinds)

    monkeypatch.setattr(making, "admit", admit)
    model = make_chat_model(tmp_path / "m.gguf")
    assert cli.main(["models", "test", str(model)]) == 0
    printed = capsys.readouterr().out
    assert "This model answered 66 of 72 test questions as expected." in printed
    assert "11 of 12" in printed
    assert "minutes for a 50-minute session on this computer (measured on it)" in printed
    assert asked == [True]
    kinds |= dict.fromkeys(KINDS, (4, 12)) | {"left_out": (0, 0)}
    assert cli.main(["models", "test", str(model)]) == 1
    printed = capsys.readouterr().out
    assert "This model answered 20 of 60 test questions as expected. That is no better than guessing" in printed
    assert "left out" not in printed, "not asked any more"
    assert "50-minute session" not in printed
    assert cli.main(["models", "test", str(tmp_path / "none.gguf")]) == 2
