"""The network lock and the record of consents."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from noteeval_desktop import cli
from noteeval_desktop.errors import InputError
from noteeval_desktop.privacy import consent
from noteeval_desktop.privacy.consent import Agreement, Consent, RemoteRules, load, recipient, save
from tests.openai_server import Behaviour, serve
from tests.sample_evaluation import SAMPLE

NOON = datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC)


def test_nothing_is_agreed_to_at_first(tmp_path: Path) -> None:
    rules = load(tmp_path / "remote.json")
    assert rules == RemoteRules()
    with pytest.raises(InputError, match="not agreed"):
        rules.check("https://api.example.org/v1")


@pytest.mark.parametrize("agreement", list(Agreement))
def test_a_consent_is_kept_with_its_time_and_agreement(tmp_path: Path, agreement: Agreement) -> None:
    file = tmp_path / "folder" / "remote.json"
    there = NOON.astimezone(timezone(timedelta(hours=-6)))
    save(RemoteRules().agreed("https://API.example.org/v1/", agreement, there), file)
    rules = load(file)
    assert rules.consents == (Consent("https://api.example.org/v1", "2026-03-01T12:00:00+00:00", agreement),)
    rules.check("https://api.example.org/v1")


def test_a_consent_is_for_one_address() -> None:
    rules = RemoteRules().agreed("https://api.example.org/v1", Agreement.YES, NOON)
    for other in ("https://api.example.com/v1", "https://api.example.org/other", "https://api.example.org:8443/v1"):
        with pytest.raises(InputError):
            rules.check(other)


def test_a_new_consent_replaces_the_old_and_can_be_withdrawn() -> None:
    address = "https://api.example.org/v1"
    rules = RemoteRules().agreed(address, Agreement.UNKNOWN, NOON).agreed(address + "/", Agreement.YES, NOON)
    assert [c.agreement for c in rules.consents] == [Agreement.YES]
    assert rules.withdrawn(address).consent_to(address) is None


def test_the_lock_overrules_every_consent(tmp_path: Path) -> None:
    rules = RemoteRules(locked=True).agreed("https://api.example.org/v1", Agreement.YES, NOON)
    save(rules, tmp_path / "remote.json")
    with pytest.raises(InputError, match="switched off"):
        load(tmp_path / "remote.json").check("https://api.example.org/v1")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff",
        b"[]",
        b"null",
        b"{}",
        b'{"locked": false}',
        b'{"locked": false, "consents": [{"address": "x"}]}',
        b'{"locked": false, "consents": [{"address": "x", "given": "y", "agreement": "perhaps"}]}',
        b'{"locked": "false", "consents": []}',
        b'{"locked": null, "consents": []}',
        b'{"locked": 0, "consents": []}',
        b'{"locked": false, "consents": []}' + b" " * 1_000_000,
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_locks(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "remote.json").write_bytes(content)
    assert load(tmp_path / "remote.json").locked


def test_the_file_holds_addresses_times_and_agreements_only(tmp_path: Path) -> None:
    save(RemoteRules().agreed("https://api.example.org/v1", Agreement.NO, NOON), tmp_path / "remote.json")
    data = json.loads((tmp_path / "remote.json").read_text("utf-8"))
    assert set(data) == {"locked", "consents"}
    assert set(data["consents"][0]) == {"address", "given", "agreement"}
    assert [path.name for path in tmp_path.iterdir()] == ["remote.json"]


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("HTTPS://Api.Example.org/v1/", "https://api.example.org/v1"),
        (" http://localhost:8000 ", "http://localhost:8000"),
        ("https://host/A/b", "https://host/A/b"),
    ],
)
def test_an_address_has_one_form(typed: str, address: str) -> None:
    assert recipient(typed) == address


def test_a_locked_program_sends_nothing_even_with_consent(
    lent_encoder: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(consent, "rules_file", lambda: tmp_path / "remote.json")
    save(RemoteRules(locked=True), tmp_path / "remote.json")
    with serve(lambda body, number: Behaviour()) as endpoint:
        arguments = ["evaluate", "--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*arguments, *remote]) == 2
    assert endpoint.requests == []
    assert "switched off" in capsys.readouterr().err
