from __future__ import annotations

import pytest

from noteeval_desktop.domain.text import Span, normalise
from noteeval_desktop.ui.editor.text_positions import Positions, utf16_length, utf16_ranges

TEXTS = (
    "",
    "plain",
    "a🙂b",
    "🙂🙂 two\u2029lines",
    "no\u00a0break\u2028soft",
    "e\u0301clair e\u0301",
    "zero\u200bwidth",
    "👩‍👩‍👧 family",
    "日本語 𠀋",
    "\u200b",
)


@pytest.mark.parametrize("raw", TEXTS)
def test_every_offset_comes_back_from_the_document(raw: str) -> None:
    positions = Positions(raw)
    assert positions.text == normalise(raw)
    for offset in range(len(positions.text) + 1):
        assert positions.to_text(positions.to_document(offset)) == offset
    assert positions.to_document(len(positions.text)) <= utf16_length(raw)


@pytest.mark.parametrize(
    ("raw", "offset", "position"),
    [("a🙂b", 2, 3), ("a🙂b", 1, 1), ("🙂🙂x", 2, 4), ("e\u0301x", 1, 2), ("ab\u200bc", 3, 4), ("x\u2029y", 2, 2)],
)
def test_offsets_count_code_points_and_positions_count_units(raw: str, offset: int, position: int) -> None:
    assert Positions(raw).to_document(offset) == position


def test_a_position_inside_a_surrogate_pair_is_before_the_character() -> None:
    assert Positions("a🙂b").to_text(2) == 1


def test_ranges_of_a_turn_skip_over_emoji() -> None:
    assert utf16_ranges("🙂 twice", (Span(2, 7),)) == [(3, 5)]
