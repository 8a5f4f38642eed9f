"""The full check with a model at an address, which sees a case without identifiers while the built-in judge works."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.two_witnesses import Records
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.likert import Rating
from noteeval_desktop.judges.llm.private import PrivateJudge
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import AsksModel, Judge
from noteeval_desktop.privacy.deidentify import DeidentifiedCase
from noteeval_desktop.privacy.identifiers import Decisions


class RemoteFullCheck(FullCheck, RemoteJudge):
    """What would be sent is what ``remote`` alone would be sent, over one preparation."""

    def __init__(self, quick: Judge, remote: RemoteJudge, records: Records, tuned: Thresholds = SHIPPED) -> None:
        RemoteJudge.__init__(self, remote.llm, remote.chat, remote.finder)
        FullCheck.__init__(self, quick, remote, records, tuned, ahead=True)
        self._alone = remote

    def decide(self, decisions: Decisions) -> None:
        super().decide(decisions)
        self._alone.decide(decisions)

    def prepared(self, case: Case) -> DeidentifiedCase:
        return self._alone.prepared(case)

    def over(self, judge: AsksModel) -> PrivateJudge:
        return self._alone.over(judge)

    def likert(self, case: Case, cancel: threading.Event) -> Iterator[Rating]:
        return RemoteJudge.likert(self, case, cancel)
