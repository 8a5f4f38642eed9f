"""Ready to submit: how many suggestions nobody has answered yet."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, explain


class ReadyLine(PlainLabel):
    """Empty while nothing has been checked."""

    def __init__(self, session: CaseSession) -> None:
        super().__init__("", look="muted")
        self._session = session
        self.setObjectName("ready")
        explain(
            self,
            tr(
                "A suggestion stays open until you change the note, confirm it, or dismiss it with a "
                "reason. You can submit with open suggestions."
            ),
        )
        session.findings_changed.connect(self.refresh)

    def refresh(self) -> None:
        session = self._session
        judged = session.evaluation is not None and session.evaluation.complete
        text = suggestions_left(len(session.findings())) if judged else ""
        if text != self.text():
            announce(self, text)
        self.setText(text)
        self.setAccessibleName(text)


def suggestions_left(count: int) -> str:
    '"43 suggestions left".'
    return (
        tr("{suggestions} left").format(suggestions=counted(count, "suggestion"))
        if count
        else tr("Ready to submit: no suggestions left")
    )
