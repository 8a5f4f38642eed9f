"""Where the built wheel of llama-cpp-python is kept and when it is built."""

from __future__ import annotations

import venv
import zipfile
from pathlib import Path

import pytest

from installers import llama_wheel
from installers.environment import Environment
from installers.steps import SetupError, Steps
from tests.installers.screen import Screen

HOME = Path("home") / "Zoë"


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, HOME / ".cache" / "noteeval" / "wheels"),
        ("linux", {"XDG_CACHE_HOME": "elsewhere"}, Path("elsewhere") / "noteeval" / "wheels"),
        ("darwin", {}, HOME / "Library" / "Caches" / "NoteEval" / "wheels"),
        ("win32", {}, HOME / "AppData" / "Local" / "NoteEval" / "Cache" / "wheels"),
        ("win32", {"LOCALAPPDATA": "local"}, Path("local") / "NoteEval" / "Cache" / "wheels"),
    ],
)
def test_cache_is_where_the_system_keeps_caches(platform: str, variables: dict[str, str], folder: Path) -> None:
    assert llama_wheel.cache_folder(platform, HOME, variables) == folder


def test_portable_build_does_not_meet_the_native_one() -> None:
    native = llama_wheel.cache_folder("linux", HOME, {})
    portable = llama_wheel.cache_folder("linux", HOME, {"CMAKE_ARGS": "-DGGML_NATIVE=OFF"})
    assert portable.parent == native


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path / "data"))


@pytest.fixture
def home(tmp_path: Path) -> Environment:
    locks = tmp_path / "installers"
    locks.mkdir()
    (locks / "requirements-llama.lock").write_text(
        "llama-cpp-python==0.3.36 \\\n    --hash=sha256:00\n", encoding="utf-8"
    )
    return Environment(tmp_path)


@pytest.mark.parametrize(
    ("wheel", "cached"),
    [
        ("llama_cpp_python-0.3.36-py3-none-linux_x86_64.whl", True),
        ("llama_cpp_python-0.3.36-py3-none-macosx_14_0_arm64.whl", True),
        ("llama_cpp_python-0.3.35-py3-none-linux_x86_64.whl", False),
        (".build-1/llama_cpp_python-0.3.36-py3-none-linux_x86_64.whl", False),
    ],
)
def test_only_the_locked_version_counts_as_cached(home: Environment, tmp_path: Path, wheel: str, cached: bool) -> None:
    path = tmp_path / "wheels" / wheel
    path.parent.mkdir(parents=True)
    path.write_bytes(b"built here")
    llama_wheel._remember(path, "0.3.36")
    assert llama_wheel.has_cached_wheel(home.root, tmp_path / "wheels") is cached


def test_a_wheel_that_was_not_built_here_is_not_installed(home: Environment, tmp_path: Path) -> None:
    wheel = tmp_path / "wheels" / "llama_cpp_python-0.3.36-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as package:
        info = "llama_cpp_python-0.3.36.dist-info"
        package.writestr("llama_cpp.py", "def llama_backend_init(): pass\n")
        package.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: llama-cpp-python\nVersion: 0.3.36\n")
        package.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        package.writestr(f"{info}/RECORD", "")
    assert not llama_wheel.has_cached_wheel(home.root, wheel.parent)
    venv.create(home.folder, with_pip=True)
    other = tmp_path / "other.whl"
    other.write_bytes(b"built here")
    llama_wheel._remember(other, "0.3.36")
    assert not llama_wheel._install_from(wheel.parent, home)
    llama_wheel._remember(wheel, "0.3.36")
    assert llama_wheel.has_cached_wheel(home.root, wheel.parent)
    assert llama_wheel._install_from(wheel.parent, home)


def test_the_record_of_another_version_says_nothing(home: Environment, tmp_path: Path) -> None:
    wheel = tmp_path / "llama_cpp_python-0.3.36-py3-none-any.whl"
    wheel.write_bytes(b"built here")
    llama_wheel._remember(wheel, "0.3.35")
    assert not llama_wheel.has_cached_wheel(home.root, tmp_path)


@pytest.mark.parametrize(
    ("cached", "works", "builds"),
    [(True, [True], 0), (False, [True], 1), (True, [False, True], 1)],
    ids=["cached", "not cached", "cached for another machine"],
)
def test_wheel_is_built_when_none_in_the_cache_works(
    home: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bool, works: list[bool], builds: int
) -> None:
    built: list[Path] = []
    answers = iter(works)
    monkeypatch.setattr(llama_wheel, "has_cached_wheel", lambda *_: cached)
    monkeypatch.setattr(llama_wheel, "_install_from", lambda *_: next(answers))
    monkeypatch.setattr(llama_wheel, "_build", lambda _environment, cache, _steps: built.append(cache))
    llama_wheel.install(home, tmp_path, Steps(Screen()))
    assert built == [tmp_path] * builds


def test_built_wheel_that_does_not_start_is_an_error(
    home: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llama_wheel, "_install_from", lambda *_: False)
    monkeypatch.setattr(llama_wheel, "_build", lambda *_: None)
    with pytest.raises(SetupError, match="does not start"):
        llama_wheel.install(home, tmp_path, Steps(Screen()))
