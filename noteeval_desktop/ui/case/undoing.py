"""Undo and redo of what is done beside the note: answers, and who speaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.decisions import Decision, DecisionKind, linked_to
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane

# What was decided, and the name of undoing it.
_DISMISSED = tr("Dismissed."), tr("Undo dismissing")
_CONFIRMED = tr("Confirmed."), tr("Undo confirming")
_LINKED = tr("Linked."), tr("Undo linking")
_RESTORED = tr("Reopened."), tr("Undo reopening")
_NO_ANSWER = "", ""
_Decisions = dict[str, Decision]


@dataclass(frozen=True, slots=True)
class _Step:
    """What was done beside the note, and what it is called; ``depth``: how many steps the note's own stack had with
    it."""

    undo: Callable[[], object]
    redo: Callable[[], object]
    done: tuple[str, str]
    depth: int


class Undoing(QObject):
    """The order is kept by the note's own stack, in which each step beside it is a mark. ``answered(str)``: what was
    just decided, or nothing once it is not what was done last."""

    answered = Signal(str)

    def __init__(
        self, session: CaseSession, transcript: TranscriptPane, editor: NoteEditor, show: Callable[[str], object]
    ) -> None:
        """``show`` gets the key of a finding whose answer was changed back."""
        super().__init__(session)
        self._session, self._transcript, self._editor, self._show = session, transcript, editor, show
        self._steps: list[_Step] = []
        self._stand = 0  # so many of them, the others were undone
        self._going = False
        for opened in (session.transcript_opened, session.note_opened):
            opened.connect(self.forget)
        session.decided.connect(self._on_decided)
        transcript.transcript_changed.connect(self._on_speakers)
        editor.note_edited.connect(self._on_typed)
        editor.step_reached.connect(self._go_to)

    def forget(self, _: object = None) -> None:
        self._steps, self._stand = [], 0
        self._editor.forget_steps()
        self.answered.emit("")

    def _on_decided(self, before: _Decisions) -> None:
        after = self._session.decisions
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        if self._going or not changed:
            return

        def become(then: _Decisions) -> None:
            self._session.answer_as(changed, then)
            for key in sorted(changed):
                self._show(key)

        self._add(lambda: become(before), lambda: become(after), _done(before, after))

    def _on_speakers(self, transcript: Transcript) -> None:
        before, show = self._session.transcript, self._transcript.change
        if not self._going and before is not None:
            self._add(partial(show, before), partial(show, transcript), _NO_ANSWER)
        self._session.change_transcript(transcript)

    def _on_typed(self) -> None:
        self._session.edit_note(self._editor.note_text())
        self.answered.emit("")

    def _add(self, undo: Callable[[], object], redo: Callable[[], object], done: tuple[str, str]) -> None:
        self._stand += 1
        depth = self._editor.mark_step(self._stand)
        self._steps[self._stand - 1 :] = [_Step(undo, redo, done, depth)]
        self.answered.emit(done[0])

    def _go_to(self, stand: int) -> None:
        """The note's stack has gone back, or forth, over marks."""
        self._going = True
        while stand != self._stand:
            back = stand < self._stand
            step = self._steps[self._stand - 1 if back else self._stand]
            self._stand += -1 if back else 1
            (step.undo if back else step.redo)()
            self.answered.emit("" if back else step.done[0])
        self._going = False

    @property
    def name(self) -> str:
        """What an answer is called that is undone next; empty where it is none."""
        step = self._steps[self._stand - 1] if self._stand else None
        at_mark = step is not None and self._editor.document().availableUndoSteps() == step.depth
        return step.done[1] if step is not None and at_mark else ""


def _done(before: _Decisions, after: _Decisions) -> tuple[str, str]:
    new = [decision for key, decision in after.items() if before.get(key) != decision]
    if not new:
        return _RESTORED
    if new[0].kind is DecisionKind.ATTEST:
        return _CONFIRMED
    return _LINKED if linked_to(new[0].reason) else _DISMISSED
