"""Ready to submit: how many suggestions nobody has answered yet."""

from __future__ import annotations

from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, explain


class ReadyLine(PlainLabel):
    """Empty while nothing has been checked."""

    def __init__(self, session: CaseSession) -> None:
        super().__init__("", look="muted")
        self._session = session
        self.setObjectName("ready")
        explain(self, words.READY_EXPLAINED)
        session.findings_changed.connect(self.refresh)

    def refresh(self) -> None:
        session = self._session
        judged = session.evaluation is not None and session.evaluation.complete
        text = words.suggestions_left(len(session.findings())) if judged else ""
        if text != self.text():
            announce(self, text)
        self.setText(text)
        self.setAccessibleName(text)
