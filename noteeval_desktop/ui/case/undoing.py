"""What "Undo" takes back: an answer to a finding, who was said to speak, or what was written in the note."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from noteeval_desktop.domain.decisions import Decision, DecisionKind, linked_to
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.ui.case import words
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane

_Decisions = dict[str, Decision]


class Undoing(QObject):
    """Undo is of what was done last; among the findings, of the last answer. ``answered(str)``: what was just decided,
    or nothing once it is not what was done last."""

    answered = Signal(str)

    def __init__(
        self,
        session: CaseSession,
        transcript: TranscriptPane,
        editor: NoteEditor,
        in_findings: Callable[[], bool],
        show: Callable[[str], object],
    ) -> None:
        """``show`` gets the key of a finding that is open again."""
        super().__init__(session)
        self._session, self._transcript, self._editor = session, transcript, editor
        self._in_findings, self._show = in_findings, show
        self._last: Callable[[], bool] = self._take_back
        self._before: _Decisions = {}
        self._steps: list[tuple[_Decisions, _Decisions]] = []
        self._taking_back = False
        for opened in (session.transcript_opened, session.note_opened):
            opened.connect(self._forget)
        session.findings_changed.connect(self._on_findings)
        session.decided.connect(self._on_decided)
        transcript.transcript_changed.connect(self._on_speakers)
        editor.note_edited.connect(self._on_typed)

    def _forget(self, _: object = None) -> None:
        self._steps, self._before = [], self._session.decisions
        self.answered.emit("")

    def _on_findings(self) -> None:
        if self._session.note_text is None:
            self._forget()

    def _on_decided(self) -> None:
        before, self._before = self._before, self._session.decisions
        if not self._taking_back and before != self._before:
            self._steps.append((before, self._before))
            self._last = self._take_back
            self.answered.emit(words.DECIDED[_done(*self._steps[-1])])

    def _on_speakers(self, transcript: Transcript) -> None:
        self._last = self._transcript.undo
        self._session.change_transcript(transcript)
        self.answered.emit("")

    def _on_typed(self) -> None:
        self._last = self._editor_undo
        self._session.edit_note(self._editor.note_text())
        self.answered.emit("")

    def _editor_undo(self) -> bool:
        self._editor.undo()
        return True

    @property
    def _next(self) -> Callable[[], bool]:
        return self._take_back if self._steps and self._in_findings() else self._last

    @property
    def name(self) -> str:
        """What an answer is called that is undone next; empty where it is none."""
        return words.UNDO_DECIDED[_done(*self._steps[-1])] if self._steps and self._next == self._take_back else ""

    def undo(self) -> None:
        if not self._next():
            self._editor.undo()

    def redo(self) -> None:
        if not (self._last == self._transcript.undo and self._transcript.redo()):
            self._editor.redo()

    def _take_back(self) -> bool:
        """Of the answers that stand now: what was said of other findings meanwhile stays."""
        if not self._steps:
            return False
        before, after = self._steps.pop()
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        kept = {key: decision for key, decision in self._session.decisions.items() if key not in changed}
        self._taking_back = True
        self._session.change_decisions(kept | {key: before[key] for key in changed & before.keys()})
        self._taking_back = False
        self.answered.emit("")
        for key in sorted(changed):
            self._show(key)
        return True


def _done(before: _Decisions, after: _Decisions) -> str:
    new = [decision for key, decision in after.items() if before.get(key) != decision]
    if not new:
        return "restored"
    if new[0].kind is DecisionKind.ATTEST:
        return "confirmed"
    return "linked" if linked_to(new[0].reason) else "dismissed"
