"""JSON from outside is read in one place, which nothing that a file holds can bring down."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import noteeval_desktop
from noteeval_desktop.guarded_json import NestedTooDeeply, from_json

ROOT = Path(noteeval_desktop.__file__).parent
# What the program ships or has sealed itself.
OUR_OWN = re.compile(
    r"^(store/|judges/builtin/|judges/llm/entrance\.py|measures/(responses|clinical_terms)\.py|(app|paths)\.py)"
    r"|^(report/trust|commands/(run|self_test)|guarded_json)\.py"
)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "", "{", b"\xff", "9" * 10_000])
def test_whatever_it_is_given_it_raises_one_kind_of_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"Expecting|decode|digits|^$"):
        from_json(text)


def test_depth_is_said() -> None:
    with pytest.raises(NestedTooDeeply):
        from_json("[" * 100_000)


def test_nobody_else_reads_json_from_outside() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*.py"))
        if "json.loads(" in path.read_text("utf-8")
    ]
    assert [name for name in found if not OUR_OWN.match(name)] == []
