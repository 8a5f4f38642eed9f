"""The leave to send: the lock, the keys' passphrase, and what was agreed to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Exchange, Judge, case_of
from noteeval_desktop.privacy import consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.engaged import Go, PairsGate
from noteeval_desktop.ui.judging.consent_dialog import ConsentDialog
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.judging.prepared import Prepared, Word, prepare
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem, told

PASSPHRASE_THAT_PROTECTS = tr("Passphrase that protects your API keys:")
KEYS = tr("Keys")
Say = Callable[[str], object]
_PREPARE = "prepare"
Make = Callable[[Mapping[str, bool], Mapping[str, Word]], Prepared]


class Permission(QObject):
    """For one address. ``refused``: the user said no; ``locked``: nothing may be sent at all; ``sending(address)``:
    what was agreed to begins to be sent, whatever becomes of it; ``preparing(bool)``: what is to be shown is
    being made.

    ``ask`` runs on the GUI thread before each check; ``check`` in the judge's lane, right before a case is judged.
    """

    refused = Signal()
    sending = Signal(str)
    locked = Signal()
    preparing = Signal(bool)

    def __init__(
        self, window: QWidget, session: CaseSession, jobs: JobRunner, keys: Keys, settings: Settings, say: Say
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._jobs, self._keys, self._say = window, session, jobs, keys, say
        self._settings = settings
        self._decisions: dict[str, bool] = {}
        self._found: dict[str, Word] = {}
        self._seen = ""
        self._cleared: Case | None = None
        self.dialog: ConsentDialog | None = None

    def ask(self, go: Go) -> None:
        """Calls ``go`` when this case may be sent: at once where the user has seen it and agreed before."""
        if consent.load().locked:
            self.locked.emit()
            return
        passphrase = self._passphrase()
        if passphrase is None:
            self.refused.emit()
            return
        self._begin()
        self._prepare(lambda prepared: self._decide(prepared, go), passphrase)

    def forget(self) -> None:
        """The case that was shown, and the words that were decided about."""
        self._decisions, self._found, self._seen, self._cleared = {}, {}, "", None

    def _begin(self) -> None:
        """What was decided about another session is forgotten."""
        transcript = self._session.transcript
        if transcript is not None and self._asked_of(transcript) != self._seen:
            self._decisions, self._found, self._cleared = {}, {}, None

    def _maker(self) -> Make:
        """Makes what is to be shown; called in the judge's lane."""
        engaged, make_case = self._session.engaged, self._session.case_maker()
        responses = self._session.reads_responses

        def make(decided: Mapping[str, bool], found: Mapping[str, Word]) -> Prepared:
            judge = engaged.judge()
            assert isinstance(judge, RemoteJudge)
            judge.responses = responses
            return prepare(judge, make_case(), decided, found)

        return make

    def _was_shown(self, prepared: Prepared) -> bool:
        return self._asked_of(prepared.case.transcript) == self._seen

    def _asked_of(self, transcript: Transcript) -> str:
        """More is sent where the responses or a treatment plan are asked about too, so that is shown first."""
        plan = self._session.plan
        return f"{transcript.content_fingerprint}{self._session.reads_responses}{plan.text if plan is not None else ''}"

    def stop(self) -> None:
        """While what is to be shown is still being made: as if the user had said no."""
        if self.dialog is None and self._jobs.running(_PREPARE):
            self._jobs.drop(_PREPARE)
            self.preparing.emit(False)
            self.refused.emit()

    def check(self, case: Case) -> None:
        """Raises InputError where the lock is on, the address was not agreed to, or the case is not what was shown."""
        consent.load().check(self._settings.base_url)
        if case != self._cleared or case.plan != self._cleared.plan:
            raise InputError(tr("The case"), tr("is not the one that you agreed to send"), tr("Choose “Check again”."))

    def _passphrase(self) -> str | None:
        """Empty where none is needed; None where the user gave none."""
        if not self._keys.asks_passphrase:
            return ""
        given, entered = QInputDialog.getText(self._window, KEYS, PASSPHRASE_THAT_PROTECTS, QLineEdit.EchoMode.Password)
        return given if entered and given else None

    def _prepare(self, done: Callable[[Prepared], None], passphrase: str = "") -> None:
        make, keys = self._maker(), self._keys
        decided, found = dict(self._decisions), dict(self._found)

        def work() -> Prepared:
            if passphrase:
                keys.unlock(passphrase)
            return make(decided, found)

        def take(prepared: Prepared) -> None:
            self._decisions = dict(prepared.decisions)
            self._found = {word.text: word for word in prepared.words}
            self.preparing.emit(False)
            done(prepared)

        self.preparing.emit(True)
        self._jobs.call(Lane.REMOTE, _PREPARE, work, take, self._fail)

    def _fail(self, error: Exception) -> None:
        """Our own errors as they are; any other only by its type, since its text may quote the case."""
        self.preparing.emit(False)
        if self.dialog is not None:
            self.dialog.reject()
        if not isinstance(error, Cancelled):
            self._say(tr("Nothing was sent. {reason}").format(reason=problem(error, "")))

    def _decide(self, prepared: Prepared, go: Go) -> None:
        agreed = consent.load().consent_to(self._settings.base_url)
        if agreed is not None and self._was_shown(prepared) and not prepared.undecided:
            self._release(prepared, go)
            return
        dialog = ConsentDialog(self._settings, prepared, agreed, self._window)
        self.dialog = dialog
        dialog.words_decided.connect(self._on_words)
        dialog.accepted.connect(lambda: self._send(dialog, go))
        dialog.rejected.connect(self.refused)
        dialog.finished.connect(self._on_closed)
        dialog.open()

    def _release(self, prepared: Prepared, go: Go) -> None:
        self._cleared = prepared.case
        if prepared.bodies:
            self.sending.emit(self._settings.base_url)
        go()

    def _on_closed(self) -> None:
        self.dialog = None

    def _on_words(self, decisions: Mapping[str, bool]) -> None:
        def show_again(prepared: Prepared) -> None:
            if self.dialog is not None:
                self.dialog.show_prepared(prepared)

        self._decisions |= decisions
        self._prepare(show_again)

    def _send(self, dialog: ConsentDialog, go: Go) -> None:
        """Recorded first, off the GUI thread; sent only once the record is on the disk."""
        prepared, agreement, address = dialog.prepared, dialog.agreement, self._settings.base_url

        def record() -> None:
            consent.save(consent.load().agreed(address, agreement))

        def recorded(_: object) -> None:
            self._seen = self._asked_of(prepared.case.transcript)
            self._release(prepared, go)

        def failed(error: Exception) -> None:
            said = tr("Nothing was sent: your consent could not be recorded ({reason}). Free some space.")
            self._say(told(error, said))

        self._jobs.call(Lane.DISK, "consent", record, recorded, failed)


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
        def ask_about(exchanges: tuple[Exchange, ...], go: Go, say: Say, parent: object) -> None:
            assert isinstance(parent, QWidget)
            self._exchanges, self._tell, self._window = exchanges, say, parent
            self.ask(go)

        return PairsGate(ask_about, self.cleared)

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
