"""The revisions of a kept note: their scores, and what changed between two, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.revisions import Change, Finding, compare
from noteeval_desktop.present.vocabulary import KINDS

UNCHECKED = tr("One of the two was not checked, or a different judge checked it. Only the words are compared.")
SAME = tr("The two are the same.")


@dataclass(frozen=True, slots=True)
class Kept:
    """A revision with its latest complete evaluation, if any."""

    number: int
    saved: datetime
    note: Note
    evaluation: Evaluation | None


def difference(before: Kept, after: Kept, item_name: Callable[[str], str]) -> str:
    """Plain text: sentences taken out (−) and put in (+), and the findings that each change solved or caused."""
    first, second = before.evaluation, after.evaluation
    if first is None or second is None or first.judge != second.judge:
        return "\n\n".join([UNCHECKED, *_word_changes(before.note, after.note)])
    comparison = compare(first, second)
    parts = [_change(change, item_name) for change in comparison.changes]
    elsewhere = _findings(comparison.elsewhere, item_name)
    if elsewhere:
        parts.append("\n".join([tr("Elsewhere in the note"), *elsewhere]))
    return "\n\n".join(parts) or SAME


def _word_changes(before: Note, after: Note) -> Iterable[str]:
    old, new = [s.text for s in before.sentences], [s.text for s in after.sentences]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _sentences(old[i1:i2], new[j1:j2])


def _change(change: Change, item_name: Callable[[str], str]) -> str:
    words = _sentences([s.text for s in change.before], [s.text for s in change.after])
    return "\n".join([words, *_findings(change, item_name)])


def _sentences(old: Iterable[str], new: Iterable[str]) -> str:
    return "\n".join([*(f"− {text}" for text in old), *(f"+ {text}" for text in new)])


def _findings(change: Change, item_name: Callable[[str], str]) -> list[str]:
    solved = [tr("    solved: {finding}").format(finding=_finding(finding, item_name)) for finding in change.solved]
    return solved + [tr("    new: {finding}").format(finding=_finding(finding, item_name)) for finding in change.caused]


def _finding(finding: Finding, item_name: Callable[[str], str]) -> str:
    name = KINDS[finding.kind].name
    if finding.kind is FindingKind.MISSING:
        return f"“{item_name(finding.place)}” {name}"
    if finding.kind is FindingKind.UNNEEDED:
        return tr("a sentence that was not needed")
    return tr("something {name}").format(name=name)
