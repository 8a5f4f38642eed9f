"""Ready to submit: what is still open among the findings, and what has been answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.widgets.plain import PlainLabel, tooltip

_EXPLAINED = (
    "A finding is open until the note is changed, or the finding is attested or dismissed with a reason. "
    "Open findings do not stop anything; they say what nobody has looked at yet."
)


@dataclass(frozen=True, slots=True)
class Ready:
    """Numbers of findings of the latest check."""

    open: int
    dismissed: int
    attested: int


def readiness(findings: Sequence[Finding], decisions: Mapping[str, Decision]) -> Ready:
    answers = [decisions[finding.key].kind for finding in findings if finding.key in decisions]
    attested = answers.count(DecisionKind.ATTEST)
    return Ready(len(findings) - len(answers), len(answers) - attested, attested)


def said(ready: Ready) -> str:
    start = f"{ready.open} open before submitting" if ready.open else "Ready to submit: nothing open"
    return f"{start} · {ready.dismissed} dismissed · {ready.attested} attested"


class ReadyLine(PlainLabel):
    """Empty while nothing has been checked."""

    def __init__(self, session: CaseSession) -> None:
        super().__init__("", look="muted")
        self._session = session
        self.setObjectName("ready")
        self.setToolTip(tooltip(_EXPLAINED))
        session.findings_changed.connect(self.refresh)

    def refresh(self) -> None:
        session = self._session
        judged = session.evaluation is not None and session.evaluation.complete
        text = said(readiness(session.all_findings, session.decisions)) if judged else ""
        self.setText(text)
        self.setAccessibleName(text)
