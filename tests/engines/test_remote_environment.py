"""Nothing of this computer reaches a request: neither what the environment holds nor what the computer is."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import RemoteChat, models_at
from noteeval_desktop.engines.remote.provider_batch import ProviderBatches, line
from noteeval_desktop.errors import NoteEvalError
from tests.openai_server import Behaviour, serve, then_well

QUESTION = Request("system", "prefix", "question", schema={"type": "object"})
ALLOWED = {
    *("host", "accept", "accept-encoding", "connection", "content-type", "content-length"),
    *("authorization", "user-agent"),
}
VARIABLES = {
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer stolen\nX-Clinic: Seaside\nCookie: a=b\nUser-Agent: x\nHost: evil\n"
    "content-type: multipart/form-data; boundary=evil\nAccept-Encoding: gzip",
    "OPENAI_API_KEY": "sk-environment",
    "OPENAI_ADMIN_KEY": "sk-environment",
    "OPENAI_ORG_ID": "org-environment",
    "OPENAI_ORGANIZATION": "org-environment",
    "OPENAI_PROJECT_ID": "proj-environment",
    "OPENAI_PROJECT": "proj-environment",
    "OPENAI_WEBHOOK_SECRET": "environment",
    "OPENAI_LOG": "debug",
    "HTTPX_LOG_LEVEL": "debug",
}


@pytest.fixture
def hostile_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login environment password environment\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))


@pytest.mark.usefixtures("hostile_environment")
@pytest.mark.parametrize("key", ["secret", ""])
def test_no_variable_reaches_a_request(key: str) -> None:
    with serve(then_well()) as endpoint:
        chat = RemoteChat(endpoint.url, "m", key)
        dict(chat.ask([QUESTION], threading.Event()))
        ProviderBatches(chat).submit(line(chat, QUESTION), "mark")
        chat.close()
        models_at(endpoint.url, key)
    assert len(endpoint.headers) >= 3
    assert endpoint.headers[0]["content-type"] == "application/json"
    assert endpoint.requests[0]["messages"][0]["content"] == "system"
    for headers in endpoint.headers:
        assert set(headers) <= ALLOWED
        assert headers["user-agent"] == "NoteEval"
        assert headers["accept-encoding"] == "identity"
        assert headers.get("authorization") == ("Bearer secret" if key else None)
        assert headers["host"] == endpoint.url.split("/")[2]
        told = str(headers).lower()
        assert not [word for word in ("environment", "stolen", "seaside", "evil", "python") if word in told]


def test_proxies_and_addresses_of_the_environment_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda body, number: Behaviour("stolen")) as thief, serve(then_well()) as endpoint:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, thief.url.removesuffix("/v1"))
        monkeypatch.setenv("OPENAI_BASE_URL", thief.url)
        chat = RemoteChat(endpoint.url, "m")
        assert dict(chat.ask([QUESTION], threading.Event()))[0].text == "fine"
        chat.close()
    assert thief.headers == []


def test_no_variable_makes_a_log_of_what_is_sent(tmp_path: Path) -> None:
    """The client tells of each request when a variable asks for it."""
    with serve(then_well()) as endpoint:
        script = (
            "import threading, sys\n"
            "from noteeval_desktop.engines.chat import Request\n"
            "from noteeval_desktop.engines.remote.chat import RemoteChat\n"
            f"chat = RemoteChat({endpoint.url!r}, 'm')\n"
            "dict(chat.ask([Request('s', 'p', 'my client sleeps badly')], threading.Event()))\n"
        )
        keys = tmp_path / "keys.txt"
        asked = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "SSLKEYLOGFILE": str(keys)} | VARIABLES,
            capture_output=True,
            check=True,
        )
    assert len(endpoint.requests) == 1
    assert (asked.stdout, asked.stderr) == (b"", b"")
    assert not keys.exists()


def test_what_a_server_sets_does_not_come_back_to_it() -> None:
    with serve(lambda body, number: Behaviour("fine", headers={"Set-Cookie": "you=known"})) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        dict(chat.ask([QUESTION] * 3, threading.Event()))
        chat.close()
    assert not any("cookie" in headers for headers in endpoint.headers)


@pytest.mark.parametrize("key", ["schlüssel", "a\nX-Evil: 1", "a b", "\x00"])
def test_a_key_that_no_header_takes_is_said(key: str) -> None:
    with pytest.raises(NoteEvalError, match="The key contains characters that a key cannot have"):
        RemoteChat("https://host/v1", "m", key)


def test_white_space_around_a_key_is_no_part_of_it() -> None:
    with serve(then_well()) as endpoint:
        chat = RemoteChat(endpoint.url, "m", " secret\n")
        dict(chat.ask([QUESTION], threading.Event()))
        chat.close()
    assert endpoint.headers[0]["authorization"] == "Bearer secret"
