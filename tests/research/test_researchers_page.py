"""What the page for researchers says can be asked for can be asked for."""

from __future__ import annotations

import re

import pytest

from noteeval_desktop import paths
from noteeval_desktop.commands.arguments import parser

PAGE = (paths.resources() / "help" / "research.md").read_text("utf-8")
OTHERS = ("score-response", "degrade-study", "evaluate", "benchmark")
ROWS = [row for row in PAGE.splitlines() if row.startswith("|") and ("`noteeval" in row or "`--" in row)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:50])
def test_every_option_that_the_table_names_is_known(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = set()
    # A row that names no command goes on with one of those above it.
    for command in dict.fromkeys(re.findall(r"`noteeval ([a-z-]+)", row)) or OTHERS:
        with pytest.raises(SystemExit) as stop:
            parser().parse_args([command, "--help"])
        assert stop.value.code == 0
        known |= set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"--[a-z-]+", row)) <= known
