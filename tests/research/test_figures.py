"""The check of quoted figures: what it calls stale, what it puts right, and that its table fits the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from noteeval_desktop.commands.arguments import parser
from noteeval_desktop.research import figures
from noteeval_desktop.research.figures_quoted import COMMANDS, QUOTED, Command, Quoted

RESULT = {"auc": 0.8149, "ends": [-0.041, 0.9], "share": 0.6, "n": 1301, "none": None, "kappa": [0.4, 0.6]}


@pytest.mark.parametrize(
    ("text", "template", "stale"),
    [
        ("AUC of 0.81 here", "AUC of {auc|.2f}", []),
        ("AUC of .81 here", "AUC of {auc|.2f}", []),
        ("AUC of 0.82 here", "AUC of {auc|.2f}", [("0.82", "0.81")]),
        ("AUC of .82 here", "AUC of {auc|.2f}", [(".82", ".81")]),
        ("(−0.04 to 0.90)", "({ends/0|.2f} to {ends/1|.2f})", []),
        ("(0.04 to\n0.90)", "({ends/0|.2f} to {ends/1|.2f})", [("0.04", "−0.04")]),
        ("60 % of 1,301 sentences", "{share|.0%} % of {n|,d} sentences", []),
        ("61 % of 1,300 sentences", "{share|.0%} % of {n|,d} sentences", [("61", "60"), ("1,300", "1,301")]),
        ("| α | 0.5 | 3 | – |", "| α | {kappa/mean|.1f} |…| {none|.2f} |", []),
        ("| α | 0.5 | 3 | 0.2 |", "| α | {kappa/mean|.1f} |…| {none|.2f} |", [("0.2", "–")]),
        ("nothing of the kind", "AUC of {auc|.2f}", [("AUC of {auc|.2f}", "")]),
    ],
)
def test_a_figure_is_stale_where_the_command_gives_another(
    text: str, template: str, stale: list[tuple[str, str]]
) -> None:
    found = figures.compare(text, Quoted("a.md", "annomi", template), RESULT)
    assert [(one.old, one.new) for one in found] == stale


def test_a_unit_of_the_last_place_is_forgiven_where_a_command_may_differ() -> None:
    quoted = Quoted("a.md", "annomi", "AUC of {auc|.2f}")
    assert not figures.compare("AUC of 0.82", quoted, RESULT, tolerance=1)
    assert figures.compare("AUC of 0.83", quoted, RESULT, tolerance=1)


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda quoted: f"{quoted.command}: {quoted.text[:40]}")
def test_every_quoted_stretch_stands_in_its_document(quoted: Quoted) -> None:
    text = (figures.ROOT / quoted.document).read_text("utf-8")
    assert re.search(figures.pattern(quoted.text), text)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_command_is_one_of_the_program_s(command: Command) -> None:
    parser().parse_args(
        [part.format(data="data", root="root", results="results") for part in command.arguments.split()]
    )


def test_what_is_stale_is_told_with_its_line_and_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "a.md"
    document.write_text("# Figures\n\nAn AUC of 0.82 and 50 %.\n", "utf-8")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "annomi.json").write_text('{"auc": 0.8149, "share": 0.6}', "utf-8")
    quoted = Quoted("a.md", "annomi", "AUC of {auc|.2f} and {share|.0%} %")
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "QUOTED", (quoted,))

    def run(option: str) -> int:
        return figures.main([option, "--only", "annomi", "--results", str(tmp_path / "results")])

    assert run("--check") == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("a.md:3: 0.82 is now 0.81 (noteeval benchmark annomi")
    assert second.startswith("a.md:3: 50 is now 60")
    assert run("--write") == 1
    assert document.read_text("utf-8") == "# Figures\n\nAn AUC of 0.81 and 60 %.\n"
    assert run("--check") == 0


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 2"):
        figures.produce(Command("x", "benchmark annomi --data {data}/none.csv", 1), tmp_path, tmp_path)
