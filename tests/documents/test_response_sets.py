from __future__ import annotations

import json
from pathlib import Path

import pytest

from noteeval_desktop.documents.response_sets import MOST_RESPONSES, Pair, read_response_set
from noteeval_desktop.errors import InputError


@pytest.mark.parametrize(
    ("name", "text", "pairs"),
    [
        (
            "set.csv",
            '\ufeffID,Context,Response\nx7,"I am, well, tired. 🙂","Sleep.\nA lot."\n,Down.,Tell me.\n',
            (Pair("x7", "I am, well, tired. 🙂", "Sleep.\nA lot."), Pair("2", "Down.", "Tell me.")),
        ),
        ("set.csv", "query,answer\nΓεια,Καλά\n", (Pair("1", "Γεια", "Καλά"),)),
        ("set.json", '[{"client": "Down.", "response": "Tell me.", "id": 3}]', (Pair("3", "Down.", "Tell me."),)),
    ],
)
def test_pairs_are_read_with_their_names_or_numbers(
    tmp_path: Path, name: str, text: str, pairs: tuple[Pair, ...]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert read_response_set(tmp_path / name) == pairs


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("gone.csv", None, "cannot be read"),
        ("empty.csv", b"", "holds no response"),
        ("head.csv", b"context,response\n", "holds no response"),
        ("half.csv", b"context,response\nDown.,\n", "entry 1 has no response"),
        ("other.csv", b"a,b\n1,2\n", "entry 1 has no context"),
        ("latin.csv", b"context,response\n\xe9,\xe9\n", "not in UTF-8"),
        ("one.json", b'{"context": "a"}', "entry 1 has no response"),
        ("deep.json", b"[" * 100_000, "something other than a JSON object"),
        ("entry.json", b'["a"]', "something other than a JSON object"),
        ("null.json", b'[{"context": null, "response": "a"}]', "entry 1 has no context"),
        ("many.json", json.dumps([{"context": "a", "response": "b"}] * (MOST_RESPONSES + 1)).encode(), "more than"),
    ],
)
def test_what_is_no_set_says_which_entry_and_never_its_words(
    tmp_path: Path, name: str, data: bytes | None, problem: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=problem) as raised:
        read_response_set(tmp_path / name)
    assert "Down" not in str(raised.value)
