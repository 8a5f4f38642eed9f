"""Leave to send responses that stand outside a session: every time what is sent is shown first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Exchange, Judge, case_of
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.engaged import Go, PairsGate
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.judging.permission import Make, Permission, Say
from noteeval_desktop.ui.judging.sending import Prepared, Word, prepare
from noteeval_desktop.ui.widgets.jobs import JobRunner

NOTHING_SENT = tr("Nothing was sent.")
LOCKED = tr("Nothing was sent: the online AI service is switched off in the settings.")


class PairsPermission(Permission):
    """Has a judge of its own: what is decided about words here must not reach a case that is being judged."""

    def __init__(
        self,
        window: QWidget,
        session: CaseSession,
        jobs: JobRunner,
        keys: Keys,
        settings: Settings,
        load: Callable[[], Judge],
    ) -> None:
        super().__init__(window, session, jobs, keys, settings, lambda said: self._tell(said))
        self._load, self._loaded, self._lock = load, list[RemoteJudge](), threading.Lock()
        self._exchanges: tuple[Exchange, ...] = ()
        self._tell: Say = str
        self.refused.connect(lambda: self._tell(NOTHING_SENT))
        self.locked.connect(lambda: self._tell(LOCKED))

    @property
    def gate(self) -> PairsGate:
        return PairsGate(self.ask_about, self.cleared)

    def ask_about(self, exchanges: tuple[Exchange, ...], go: Go, say: Say, parent: object) -> None:
        assert isinstance(parent, QWidget)
        self._exchanges, self._tell, self._window = exchanges, say, parent
        self.ask(go)

    def cleared(self, exchanges: tuple[Exchange, ...]) -> RemoteJudge:
        """The judge; raises InputError where these are not what was shown and agreed to."""
        self.check(case_of(exchanges))
        return self._judge()

    def _judge(self) -> RemoteJudge:
        with self._lock:
            if not self._loaded:
                judge = self._load()
                assert isinstance(judge, RemoteJudge)
                self._loaded.append(judge)
            return self._loaded[0]

    def forget(self) -> None:
        super().forget()
        self._exchanges = ()
        with self._lock:
            self._loaded.clear()

    def _begin(self) -> None:
        """What was decided about a word holds while the window is used; leave to send does not."""
        self._cleared = None

    def _maker(self) -> Make:
        exchanges = self._exchanges

        def make(decided: Mapping[str, bool], found: Mapping[str, Word]) -> Prepared:
            return prepare(self._judge(), case_of(exchanges), decided, found, exchanges)

        return make

    def _was_shown(self, prepared: Prepared) -> bool:
        return False
