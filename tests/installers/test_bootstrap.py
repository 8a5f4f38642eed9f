"""The two commands: what they plan, say and return."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installers import bootstrap, llama_wheel, system
from installers.environment import Environment
from installers.steps import SetupError, Step, Steps
from installers.system import Missing
from noteeval_desktop import paths
from tests.installers.screen import Screen

NOTHING = Missing({}, ())


@pytest.fixture
def home() -> Environment:
    return Environment(bootstrap.ROOT)


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which everything is there; a test takes away what it is about."""
    monkeypatch.setattr(Environment, "is_ready", lambda self, kind: True)
    monkeypatch.setattr(Environment, "is_usable", lambda self: True)
    monkeypatch.setattr(system, "find_missing", lambda wanted, builds: NOTHING)
    monkeypatch.setattr(llama_wheel, "has_cached_wheel", lambda root, cache: True)
    monkeypatch.setattr(paths, "model_folder", lambda: tmp_path)
    with (tmp_path / bootstrap.ENCODER["file"]).open("wb") as encoder:
        encoder.truncate(bootstrap.ENCODER["bytes"])


def titles(home: Environment) -> list[str]:
    return [step.title for step in bootstrap.plan(home, "run", Steps(Screen()), window=True)]


def test_nothing_is_planned_when_everything_is_there(home: Environment) -> None:
    assert titles(home) == []


def test_first_start_plans_environment_packages_llama_and_project(
    home: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Environment, "is_ready", lambda self, kind: False)
    monkeypatch.setattr(Environment, "is_usable", lambda self: False)
    planned = titles(home)
    assert [title.split()[0] for title in planned] == ["Making", "Installing", "Installing", "Installing"]
    assert "from the cache" in planned[2]


def test_a_system_that_nothing_is_made_for_is_told_at_the_first_start_only(
    home: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("musl", "1.2.5"))
    monkeypatch.setattr(bootstrap, "get_platform", lambda: "linux-x86_64")
    assert titles(home) == []
    monkeypatch.setattr(Environment, "is_ready", lambda self, kind: False)
    with pytest.raises(SetupError, match="musl"):
        titles(home)


def test_changed_locks_are_installed_into_the_environment_that_is_there(
    home: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Environment, "is_ready", lambda self, kind: False)
    assert not any(title.startswith("Making") for title in titles(home))


def test_llama_is_built_when_no_wheel_is_cached(home: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Environment, "is_ready", lambda self, kind: False)
    monkeypatch.setattr(llama_wheel, "has_cached_wheel", lambda root, cache: False)
    assert titles(home)[1].startswith("Building llama.cpp, once")


@pytest.mark.parametrize("bytes_there", [None, 0, 1000])
def test_missing_or_cut_encoder_is_built(home: Environment, tmp_path: Path, bytes_there: int | None) -> None:
    encoder = tmp_path / bootstrap.ENCODER["file"]
    encoder.unlink()
    if bytes_there is not None:
        encoder.write_bytes(b"x" * bytes_there)
    assert titles(home) == ["Building the sentence encoder, once (80 MB to fetch)"]


@pytest.mark.parametrize("allowed", [True, False])
def test_system_packages_are_installed_or_named(
    home: Environment, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    missing = Missing({"libEGL.so.1": "libegl1"}, ())
    monkeypatch.setattr(system, "find_missing", lambda wanted, builds: missing)
    monkeypatch.setattr(system, "may_install", lambda: allowed)
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "apt-get" else None)
    if allowed:
        assert titles(home) == ["Installing system packages: libegl1"]
    else:
        with pytest.raises(SetupError, match="sudo apt-get install -y libegl1"):
            titles(home)


def test_run_without_display_says_how_to_go_on(
    home: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    screen = Screen()
    monkeypatch.setattr(system, "has_display", lambda platform, variables: False)
    assert bootstrap.run(home, Steps(screen), headless=False, out=tmp_path) == 0
    assert "There is no display here" in screen.getvalue()
    assert "run --headless" in screen.getvalue()


def test_run_opens_the_app_at_first_on_the_sample_case(
    home: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = []

    def start(command: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
        started.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(system, "has_display", lambda platform, variables: True)
    monkeypatch.setattr(subprocess, "run", start)
    assert bootstrap.run(home, Steps(Screen()), headless=False, out=tmp_path) == 0
    assert started == [home.module("noteeval_desktop", "--first")]


def write_results(_self: Steps, command: list[str], *_others: object) -> None:
    """Stands in for running a command: writes the files that it was told to write."""
    for option in ("--pdf", "--json", "--screenshot"):
        if option in command:
            Path(command[command.index(option) + 1]).write_bytes(b"result")


def test_headless_run_names_what_it_wrote(home: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    screen, out = Screen(), tmp_path / "Ergebnis ü"
    monkeypatch.setattr(Steps, "run", write_results)
    assert bootstrap.run(home, Steps(screen), headless=True, out=out) == 0
    assert {path.name for path in out.iterdir()} == {"scorecard.pdf", "evaluation.json", "window.png"}
    assert str(out) in screen.getvalue().splitlines()[-1]


def test_the_picture_does_not_depend_on_a_screen_that_is_not_there(
    home: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[list[str]] = []

    def run(steps: Steps, command: list[str], *others: object) -> None:
        ran.append(command)
        write_results(steps, command, *others)

    monkeypatch.setattr(Steps, "run", run)
    bootstrap.run(home, Steps(Screen()), headless=True, out=tmp_path)
    (picturing,) = (command for command in ran if "--screenshot" in command)
    assert picturing[picturing.index("--size") + 1] == "1280x800"


def test_headless_run_does_not_pass_off_earlier_results(
    home: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "scorecard.pdf").write_bytes(b"of an earlier run")
    monkeypatch.setattr(Steps, "run", lambda *_: None)
    with pytest.raises(SetupError, match=r"without writing scorecard\.pdf"):
        bootstrap.run(home, Steps(Screen()), headless=True, out=tmp_path)


@pytest.mark.parametrize(("codes", "exit_code"), [([0, 0], 0), ([0, 2], 1), ([1, 0], 1)])
def test_checks_all_run_and_one_failure_fails(
    home: Environment, monkeypatch: pytest.MonkeyPatch, codes: list[int], exit_code: int
) -> None:
    commands = [(f"check {code}", [sys.executable, "-c", f"raise SystemExit({code})"]) for code in codes]
    monkeypatch.setattr(bootstrap, "checks", lambda home, arguments: commands)
    screen = Screen()
    assert bootstrap.test(home, Steps(screen), []) == exit_code
    assert screen.getvalue().count("== check") == len(codes)


def test_the_whole_suite_runs_on_all_cores_and_a_part_as_asked(home: Environment) -> None:
    assert dict(bootstrap.checks(home, []))["pytest"] == home.module("pytest", "-n", "auto", "--dist", "worksteal")
    assert dict(bootstrap.checks(home, ["-k", "x"]))["pytest"] == home.module("pytest", "-k", "x")


def test_before_a_commit_everything_but_the_tests_is_run(monkeypatch: pytest.MonkeyPatch, home: Environment) -> None:
    run: list[list[str]] = []

    def note(command: list[str], **_options: object) -> subprocess.CompletedProcess[bytes]:
        run.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", note)
    assert bootstrap.main(["check"]) == 0
    assert run == [command for _name, command in bootstrap.checks(home, [])[:-1]]


def test_summary_names_what_failed() -> None:
    text = bootstrap.summary([("mypy", 0, 3.0), ("pytest", 1, 70.0)])
    assert text.splitlines()[-1] == "Failed: pytest."
    assert "1 min 10 s" in text


@pytest.mark.parametrize(
    ("arguments", "to_pytest"),
    [(["test"], []), (["test", "-k", "x", "tests/ui"], ["-k", "x", "tests/ui"]), (["test", "--", "-x"], ["-x"])],
)
def test_other_arguments_go_to_pytest(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], to_pytest: list[str]
) -> None:
    passed = []

    def take(_home: Environment, _steps: Steps, given: list[str]) -> int:
        passed.append(given)
        return 0

    monkeypatch.setattr(bootstrap, "test", take)
    assert bootstrap.main(arguments) == 0
    assert passed == [to_pytest]


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [(SetupError("The disk is full. Free 1 GB."), 1, "The disk is full"), (KeyboardInterrupt(), 130, "Stopped")],
)
def test_failure_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: BaseException, code: int, said: str
) -> None:
    def fail(*_arguments: object, **_options: object) -> list[Step]:
        raise raised

    monkeypatch.setattr(bootstrap, "plan", fail)
    assert bootstrap.main(["run"]) == code
    errors = capsys.readouterr().err
    assert said in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("arguments", [[], ["run", "--nonsense"], ["build"]])
def test_wrong_usage_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        bootstrap.main(arguments)


def test_older_python_is_told_what_it_needs() -> None:
    code = "import sys; sys.version_info = (3, 10, 4, 'final', 0); import runpy; runpy.run_path(sys.argv[1])"
    script = str(bootstrap.ROOT / "installers" / "bootstrap.py")
    result = subprocess.run([sys.executable, "-c", code, script], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "needs Python 3.11 or newer" in result.stderr
    assert "Traceback" not in result.stderr


def test_workflows_and_hooks_call_commands_of_this_project_only() -> None:
    workflow = (bootstrap.ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    hooks = (bootstrap.ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    commands = re.findall(r"^ *(?:- )?(?:run|entry): (.*)$", workflow + hooks, re.MULTILINE)
    assert len(commands) == 8
    assert {command.split(" --")[0] for command in commands} == {
        *(f"python installers/bootstrap.py {name}" for name in ("test", "run", "check")),
        "python installers/build.py",
        "sudo sh installers/linux/try_in_root.sh ${{ matrix.suite }} build/root build/tried",
    }


def test_ci_calls_the_test_command_only() -> None:
    lines = (bootstrap.ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "python" in line] == ["exec python3 installers/bootstrap.py test"]


@pytest.mark.parametrize("script", ["bootstrap.py", "build.py"])
def test_it_starts_where_no_package_is_installed_yet(script: str) -> None:
    command = [sys.executable, "-I", "-S", str(bootstrap.ROOT / "installers" / script), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout
