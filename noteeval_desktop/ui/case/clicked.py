"""A click on a sentence of the note that carries no mark: what is known of it, without leaving the tab or the place."""

from __future__ import annotations

from PySide6.QtCore import QObject

from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane
from noteeval_desktop.ui.findings.pane import FindingsPane
from noteeval_desktop.ui.findings.rows import Row, row_of_sentence


class ClickedSentence(QObject):
    """The card tells the nearest passage or that nothing is flagged, and the session shows the passage."""

    def __init__(
        self, session: CaseSession, editor: NoteEditor, findings: FindingsPane, transcript: TranscriptPane
    ) -> None:
        super().__init__(editor)
        self._session, self._editor, self._findings, self._transcript = session, editor, findings, transcript
        editor.sentence_asked.connect(self._show)

    def _show(self, offset: int) -> None:
        evaluation = self._session.evaluation
        # After an edit the places are those of another text, until it is checked again.
        if evaluation is None or evaluation.case.note.text != self._editor.note_text():
            return
        inside = (s for s in evaluation.case.note.sentences if s.span.start <= offset < s.span.end)
        if (sentence := next(inside, None)) is not None:
            self._tell(row_of_sentence(sentence, evaluation, self._findings.known_findings))

    def _tell(self, row: Row) -> None:
        self._findings.card.show_row(row)
        if row.citations:
            self._transcript.show_citations(row.citations)
