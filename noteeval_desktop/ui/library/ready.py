"""Ready to submit: how many suggestions nobody has answered yet."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce, explain

_EXPLAINED = (
    "A suggestion stays open until you change the note, confirm the finding, or dismiss it with a reason."
    " You can submit with open suggestions."
)


def left(count: int) -> str:
    """ "43 suggestions left"."""
    return f"{counted(count, 'suggestion')} left" if count else "Ready to submit: no suggestions left"


class ReadyLine(PlainLabel):
    """Empty while nothing has been checked."""

    def __init__(self, session: CaseSession) -> None:
        super().__init__("", look="muted")
        self._session = session
        self.setObjectName("ready")
        explain(self, _EXPLAINED)
        session.findings_changed.connect(self.refresh)

    def refresh(self) -> None:
        session = self._session
        judged = session.evaluation is not None and session.evaluation.complete
        text = left(len(session.findings())) if judged else ""
        if text != self.text():
            announce(self, text)
        self.setText(text)
        self.setAccessibleName(text)
