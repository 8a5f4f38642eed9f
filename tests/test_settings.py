from __future__ import annotations

import json
from pathlib import Path

import pytest

from noteeval_desktop import settings
from noteeval_desktop.settings import Settings


def test_settings_come_back(tmp_path: Path) -> None:
    changed = Settings(theme="dark", font_size=20, local_model="/models/ä.gguf")
    settings.save(changed, tmp_path / "new" / "settings.json")
    assert settings.load(tmp_path / "new" / "settings.json") == (changed, None)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["settings.json"]


def test_no_file_means_the_usual_settings(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "settings.json") == (Settings(), None)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000])
def test_a_damaged_file_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    found, warning = settings.load(path)
    assert found == Settings()
    assert "kept as settings.damaged.json" in (warning or "")
    assert (tmp_path / "settings.damaged.json").read_bytes() == content
    assert not path.exists()


@pytest.mark.parametrize(
    ("content", "misfit"),
    [
        ('{"theme": "pink", "font_size": 18}', "theme"),
        ('{"font_size": 400}', "font_size"),
        ('{"font_size": true}', "font_size"),
        ('{"judge": ["local"]}', "judge"),
        ('{"marks": "yes"}', "marks"),
    ],
)
def test_a_value_that_does_not_fit_is_set_back_and_said(tmp_path: Path, content: str, misfit: str) -> None:
    (tmp_path / "settings.json").write_text(content)
    found, warning = settings.load(tmp_path / "settings.json")
    assert getattr(found, misfit) == getattr(Settings(), misfit)
    assert misfit in (warning or "")


def test_settings_of_a_newer_version_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"theme": "dark", "hologram": 3}')
    assert settings.load(tmp_path / "settings.json") == (Settings(theme="dark"), None)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("asked_about_old_cases", "2026-03-01", "2026-03-01"),
        ("asked_about_old_cases", "last week", ""),
        ("archive_after_months", 12, 12),
        ("archive_after_months", -1, 0),
        ("delete_after_years", 101, 0),
    ],
)
def test_rules_for_old_cases_that_make_no_sense_are_set_back(
    tmp_path: Path, name: str, value: object, kept: object
) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({name: value}), "utf-8")
    loaded, warning = settings.load(file)
    assert getattr(loaded, name) == kept
    assert (warning is None) == (value == kept)
