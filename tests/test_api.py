"""What notebooks and other programs call."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noteeval_desktop
from noteeval_desktop import cli, paths
from noteeval_desktop.errors import InputError, ModelError
from tests.sample_evaluation import SAMPLE, sample_case, sample_judge

ROOT = Path(__file__).resolve().parent.parent
T, N = SAMPLE / "transcript.vtt", SAMPLE / "note.md"
LINES = "Therapist: How did you sleep?\nClient: Badly, and I drank twice this week.\n"


def _api() -> Any:
    return noteeval_desktop


def test_a_note_is_judged_as_by_the_command(tmp_path: Path) -> None:
    given = ["evaluate", "--transcript", str(T), "--note", str(N), "--json", str(tmp_path / "o.json")]
    assert cli.main(given, lambda *_: sample_judge(sample_case())) == 0
    written = json.loads((tmp_path / "o.json").read_bytes())
    for case in ((T, N), (T, N.read_text("utf-8"))):
        made = json.loads(json.dumps(_api().evaluate(*case, judge=sample_judge(sample_case()))))
        for one in (made, written):
            one["usage"]["seconds"] = 0
        assert made == written


def test_a_text_that_cannot_be_read_is_refused_without_its_words() -> None:
    judge = sample_judge(sample_case())
    with pytest.raises(InputError, match=r"^the note: ") as refused:
        _api().evaluate(LINES, "   ", judge=judge)
    assert "drank" not in str(refused.value)
    with pytest.raises(InputError, match=r"^nowhere\.txt: there is no such file"):
        _api().evaluate(Path("nowhere.txt"), N, judge=judge)


def test_a_judge_that_fails_is_told_in_what_comes_back() -> None:
    judge = sample_judge(sample_case())
    judge.failure, judge.fail_after = "The model stopped.", 30
    made = _api().evaluate(T, N, judge=judge)
    assert made["complete"] is False
    assert "The model stopped." in made["problems"][0]


def test_without_the_encoder_the_way_on_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTEEVAL_HOME", str(tmp_path))
    with pytest.raises(ModelError, match="noteeval models build"):
        _api().evaluate(T, N)


@pytest.mark.parametrize("before", ["", "import noteeval_desktop.evaluate; ", "import noteeval_desktop.batch; "])
def test_the_function_has_the_name_and_is_loaded_late(before: str) -> None:
    check = (
        f"import sys, noteeval_desktop; assert 'noteeval_desktop.evaluate' not in sys.modules; {before}"
        "from noteeval_desktop import evaluate; from noteeval_desktop.evaluate import ABOUT_NOTE;"
        "from noteeval_desktop import evaluate as again; assert callable(evaluate) and again is evaluate"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", check], cwd=ROOT, check=True, timeout=60)


@pytest.mark.usefixtures("lent_encoder")
def test_the_page_of_the_help_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (paths.resources() / "help" / "python.md").read_text("utf-8")
    names: dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, names)
    printed = capsys.readouterr().out.splitlines()
    assert re.match(r"(contradicted|unsupported) 0\.\d+ Drank four times this week to fall asleep\.", printed[1])
    assert len(names["result"]["sentences"]) == 3
    told, put_right = names["shares"]
    assert told < put_right
    assert set(names["scored"]["scores"]) >= {"empathy", "guidance", "safety"}
    start, end = (names["result"]["sentences"][1][name] for name in ("start", "end"))
    assert names["result"]["case"]["note_text"][start:end] == "Drank four times this week to fall asleep."
