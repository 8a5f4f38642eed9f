"""The revisions of a kept note: their scores, what changed between two, in words, and the window that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher

from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import day, tr
from noteeval_desktop.domain.revisions import Change, Finding, compare
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.present.scores import figure
from noteeval_desktop.present.vocabulary import KINDS
from noteeval_desktop.ui.widgets.parts import Window, choice, column, writing
from noteeval_desktop.ui.widgets.theme import UNIT


class HistoryWindow(Window):
    def __init__(self, revisions: tuple[Kept, ...], rubric: Rubric, parent: QWidget) -> None:
        """``revisions`` from the oldest to the newest, at least one."""
        super().__init__(parent, tr("Revisions"), (900, 520))
        self._revisions = revisions
        self._names = {item.id: item.name for item in rubric.items}
        names = [(_name(kept), number) for number, kept in enumerate(revisions)]
        name = tr("{name} this revision")
        start, end = tr("From"), tr("To")
        self.before, self.after = (choice(name.format(name=each), names, does=self._show) for each in (start, end))
        # One below the other: side by side their scores were cut.
        chosen = QFormLayout()
        chosen.setSpacing(UNIT)
        for label, box in ((start, self.before), (end, self.after)):
            box.setMinimumContentsLength(12)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            chosen.addRow(label, box)
        self.before.setCurrentIndex(max(len(revisions) - 2, 0))
        self.after.setCurrentIndex(len(revisions) - 1)
        self.shown = writing(tr("What changed"), read_only=True)
        column(chosen, (self.shown, 1), on=self, margins=(2,), spacing=1)
        self._show()

    def _show(self) -> None:
        if len(self._revisions) == 1:
            self.shown.setPlainText(
                tr(
                    "This is the only revision so far. Change the note and keep the case again: then you "
                    "see here what changed."
                )
            )
            return
        before, after = (self._revisions[box.currentIndex()] for box in (self.before, self.after))
        self.shown.setPlainText(difference(before, after, lambda item: self._names.get(item, item)))


def _name(kept: Kept) -> str:
    scores = tr(" · not checked")
    if kept.evaluation is not None:
        found = kept.evaluation.scores
        parts = ((found.completeness, "covered"), (found.conciseness, "needed"), (found.faithfulness, "supported"))
        scores = " · " + ", ".join(f"{figure(score)} {name}" for score, name in parts)
    return f"{kept.number} · {day(kept.saved.astimezone())}, {kept.saved.astimezone():%H:%M}{scores}"


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
        old, new = ([sentence.text for sentence in one.note.sentences] for one in (before, after))
        steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        changed = [_sentences(old[i1:i2], new[j1:j2]) for tag, i1, i2, j1, j2 in steps if tag != "equal"]
        return "\n\n".join([UNCHECKED, *changed])
    comparison = compare(first, second)
    parts = [
        "\n".join([_sentences([s.text for s in one.before], [s.text for s in one.after]), *_findings(one, item_name)])
        for one in comparison.changes
    ]
    if elsewhere := _findings(comparison.elsewhere, item_name):
        parts.append("\n".join([tr("Elsewhere in the note"), *elsewhere]))
    return "\n\n".join(parts) or SAME


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
