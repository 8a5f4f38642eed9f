"""Passages that try to steer a judge, for a banner: they change no verdict, and a person should see them.

Hidden characters that no script needs are taken out, counted and told when a file is read (``Case.warnings``);
here are those that some script needs and that stand where none does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin import reader
from noteeval_desktop.judges.llm.prompts import CONTROL_MARKER


class NoticeKind(StrEnum):
    INSTRUCTION = "instruction"
    MARKER = "marker"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Notice:
    """``span`` points into the text of turn number ``turn``, or into the note's text where that is None."""

    kind: NoticeKind
    turn: int | None
    span: Span

    @property
    def words(self) -> str:
        """One line for a banner or a terminal, without the passage itself."""
        where = "in the note" if self.turn is None else f"in turn {self.turn} of the session"
        return f"A passage {where} {_SAYS[self.kind]} It changes no verdict."


_SAYS = {
    NoticeKind.INSTRUCTION: "reads like an instruction to the judge.",
    NoticeKind.MARKER: "holds a control marker of a chat model.",
    NoticeKind.HIDDEN: "holds invisible characters within plain words.",
}
_PATTERNS = {
    NoticeKind.INSTRUCTION: re.compile(
        r"(?<!to )\b(?:ignore|disregard|forget)\b.{0,30}?\b(?:instruction|rubric|previous|above|prompt)s?\b"
        r"|\b(?:system prompt|as an ai|you are now an?\b|assistant:)"
        r"|\b(?:score|rate|mark|grade|label) (?:(?:this|my|the) (?:note|record|documentation|text|section|summary)"
        r"|every \w+|each \w+|all \w+|everything)\b.{0,40}?"
        r"\b(?:5/5|5 out of 5|100 ?%|full marks|all items|as supported|as present)",
        re.IGNORECASE | re.DOTALL,
    ),
    NoticeKind.MARKER: CONTROL_MARKER,
    # Joiners and variation selectors: at home in emoji, Arabic or Indic scripts, not between Latin letters.
    NoticeKind.HIDDEN: re.compile("(?<=[A-Za-z])[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]+(?=[A-Za-z])"),
}


def notices(case: Case) -> tuple[Notice, ...]:
    """Every such passage, the session's first, each in the order of the text."""
    found = [notice for turn in case.transcript.turns for notice in _in_text(turn.text, turn.index)]
    return (*found, *_in_text(case.note.text, None))


def _in_text(text: str, turn: int | None) -> Iterator[Notice]:
    matches = [(match.span(), kind) for kind, pattern in _PATTERNS.items() for match in pattern.finditer(text)]
    taken = [span for span, _ in matches]
    matches += [
        ((start, end), NoticeKind.INSTRUCTION)
        for start, end in reader.known_passages(text)
        if all(end <= own[0] or own[1] <= start for own in taken)
    ]
    for (start, end), kind in sorted(matches):
        yield Notice(kind, turn, Span(start, end))
