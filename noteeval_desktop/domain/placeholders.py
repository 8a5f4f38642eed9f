"""Sentences of a draft that their writer has not finished, or fields that were left empty."""

from __future__ import annotations

import re
from dataclasses import replace

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.text import Span

UNFINISHED = "Not finished yet: it is left empty, or still holds a placeholder."
# "[finish this sentence]", "[insert date]", "[…]", "___", "TBD", "***" (Epic's wildcard), "{{goal}}". Words that
# stand in brackets for good ("[inaudible]", "[sic]", "[PERSON-1]" of a de-identified note) are none.
# A placeholder is short: what looks further than this takes minutes over 20,000 brackets.
_TO_DO = r"(?:finish|complete|fill|insert|add|describe|specify|enter|write|edit|choose|select|elaborate|explain)"
_STATE = r"(?:tbd|tbc|todo|to do|to come|unfinished|incomplete|placeholder|your(?: \w{1,30}){1,6} here)"
_PLACEHOLDER = re.compile(
    rf"[\[<{{]\W{{0,9}}(?:please )?{_TO_DO}(?: [^\]>}}]{{0,200}})?[\]>}}]"
    r"|\((?:please )?(?:finish|complete this|insert|fill in)\b[^)]{0,200}\)"
    rf"|[\[<{{(]\W{{0,9}}(?:to be|not yet|needs to be) {_TO_DO}[^\]>}})]{{0,200}}[\]>}})]"
    rf"|[\[<{{(]\W{{0,9}}{_STATE}\W{{0,9}}[\]>}})]"
    r"|\[\s{0,9}(?:\.{2,}|…|_+|\?+)\s{0,9}\]|_{3,}|\*{3,}|\?{3,}|\{\{.{0,200}?\}\}|\blorem ipsum\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\b(?:TBD|TBC|TODO|FIXME|XXX+)\b")
# "-", "N/A", "None.": the form's line stands there, and nothing in it.
_EMPTY = re.compile(r"[\W_]*(?:(?:n[/.]?a|none|nil|not applicable|(?:see|as) (?:above|below)|x)[\W_]*)?", re.IGNORECASE)


def placeholder(text: str) -> Span | None:
    """Where one stands; None where nothing is left to write."""
    found = _PLACEHOLDER.search(text) or _CAPITALS.search(text)
    return Span(*found.span()) if found else None


def is_unfinished(text: str) -> bool:
    return placeholder(text) is not None or _EMPTY.fullmatch(text) is not None


def finished(case: Case) -> tuple[Case, tuple[Sentence, ...]]:
    """The case without the sentences of its note that are placeholders or say nothing, and those."""
    open_ = tuple(sentence for sentence in case.note.sentences if is_unfinished(sentence.text))
    if not open_:
        return case, ()
    kept = tuple(sentence for sentence in case.note.sentences if sentence not in open_)
    return replace(case, note=replace(case.note, sentences=kept)), open_
