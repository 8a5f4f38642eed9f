"""Before anything is sent: what exactly, the lock, the keys' passphrase, and the user's yes to every byte of it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QInputDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.remarks import RemarkKind
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.llm.remote import RemoteJudge
from noteeval_desktop.judges.protocol import Exchange, Judge, case_of
from noteeval_desktop.present.vocabulary import HARM_NAMES, REMARK_NAMES
from noteeval_desktop.privacy import consent
from noteeval_desktop.privacy.consent import Agreement, Consent
from noteeval_desktop.privacy.deidentify import MOSTLY_HIDDEN
from noteeval_desktop.privacy.identifiers import Decisions
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.engaged import Go, PairsGate
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem, told
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, row, tick, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import SMALL_SIZE, sized
from noteeval_desktop.ui.widgets.words import CANCEL, CHECKLIST, CLAIMS, LEFT_OUT, RESPONSES, SENTENCES

_TOKEN = re.compile(r"\[[A-Z]+-\d+\]")


@dataclass(frozen=True, slots=True)
class Body:
    """One request: which question it belongs to, and its bytes. ``again``: sent only where an answer cannot be used."""

    question: str
    content: bytes
    again: bool = False

    @property
    def exact(self) -> str:
        """Every character that is sent."""
        return self.content.decode("utf-8")

    @property
    def readable(self) -> str:
        """The messages with their line breaks; what frames them is left out."""
        data = from_json(self.content)
        return "\n\n".join(str(message["content"]) for message in data["messages"])


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may be a name; ``hidden``: it is replaced before sending; ``suspected``: it would be by itself."""

    text: str
    count: int
    hidden: bool = True
    suspected: bool = False


@dataclass(frozen=True)
class Prepared:
    """``repairs``: what would be asked once more if no answer could be read. ``masked``: how many places hold a token
    now. ``undecided``: words that nobody has looked at yet. ``mostly_hidden``: little but tokens is left to judge."""

    case: Case
    bodies: tuple[Body, ...]
    repairs: tuple[Body, ...]
    words: tuple[Word, ...]
    masked: int
    undecided: bool
    mostly_hidden: bool = False
    decisions: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def bytes(self) -> int:
        return sum(len(body.content) for body in self.bodies)


def prepare(
    judge: RemoteJudge,
    case: Case,
    decided: Mapping[str, bool],
    found: Mapping[str, Word],
    exchanges: Sequence[Exchange] = (),
) -> Prepared:
    """What judging ``case`` would send, or, where there are ``exchanges``, judging these, whose words ``case`` holds.
    ``decided``: words to True (hide) or False (keep); ``found``: the words
    of the time before, since a decided word is no longer unknown.

    A word that nobody decided about is hidden.
    """
    judge.decide(_decisions(decided))
    unknown = {word.word: Word(word.word, word.count, suspected=word.hidden) for word in judge.unknown(case)}
    known = {**found, **unknown}
    everything = {word: decided.get(word, True) for word in {**known, **decided}}
    if unknown:
        judge.decide(_decisions(everything))
    first, again = judge.previews_of(exchanges) if exchanges else judge.previews(case)
    bodies = tuple(Body(question, body) for question, some in first.items() for body in some)
    repairs = tuple(Body(question, body, again=True) for question, some in again.items() for body in some)
    prepared = judge.prepared(case)
    masked = prepared.case
    texts = [*(turn.text for turn in masked.transcript.turns), masked.note.text, *masked.plan_texts]
    return Prepared(
        case=case,
        bodies=bodies,
        repairs=repairs,
        words=tuple(
            replace(known.get(word, Word(word, 1)), hidden=hidden) for word, hidden in sorted(everything.items())
        ),
        masked=sum(len(_TOKEN.findall(text)) for text in texts),
        undecided=bool(unknown),
        mostly_hidden=prepared.hidden_share >= MOSTLY_HIDDEN,
        decisions=MappingProxyType(everything),
    )


def _decisions(decided: Mapping[str, bool]) -> Decisions:
    return Decisions(
        mask=frozenset(word for word, hide in decided.items() if hide),
        keep=frozenset(word for word, hide in decided.items() if not hide),
    )


_WHAT_IS_SENT = tr("What is sent")
_QUESTIONS = {
    "risks": HARM_NAMES[Harm.RISK],
    "checklist": CHECKLIST,
    "sentences": SENTENCES,
    "claims": CLAIMS,
    "omissions": LEFT_OUT,
    "goals": tr("Treatment plan"),
    "private": REMARK_NAMES[RemarkKind.PROCESS],
    "responses": RESPONSES,
    "marks": tr("Marks"),
}
_AGREEMENTS = (
    (tr("Choose an answer"), None),
    (tr("Yes"), Agreement.YES.value),
    (tr("No"), Agreement.NO.value),
    (tr("I do not know"), Agreement.UNKNOWN.value),
)


class ConsentDialog(Window):
    """``words_decided(dict)``: words to True (hide) or False (send as they are). Until ``show_prepared`` answers,
    nothing can be sent: what is sent is what is shown."""

    words_decided = Signal(object)

    def __init__(self, settings: Settings, prepared: Prepared, agreed: Consent | None, parent: QWidget | None) -> None:
        super().__init__(parent, tr("Before anything is sent"), (960, 700))
        self.prepared = prepared
        self._settings = settings
        self._showing = False
        self._ready = True
        self._summary = PlainLabel("", wrap=True)
        self._about_words = PlainLabel("", look="muted", wrap=True)
        found = QListWidget()
        found.setAccessibleName(tr("Capitalised words that no rule knows; ticked words are hidden"))
        found.itemChanged.connect(self._on_word)
        self.word_list = found
        self.request_chooser = choice(tr("Which request is shown"))
        exact = tr("Show the exact request that is sent, not only its text")
        self.byte_for_byte = tick(tr("Exact request"), hint=exact)
        self.request_view = view = writing(_WHAT_IS_SENT, read_only=True)
        view.setFont(sized(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), SMALL_SIZE))
        self.repair_hint = PlainLabel(
            tr(
                "Sent only once, and only if an answer cannot be used. The last lines say what was "
                "wrong with the answer and what is asked again."
            ),
            look="muted",
            wrap=True,
        )
        asked = tr("Do you have an agreement with this service (such as a BAA)?")
        given = agreed.agreement.value if agreed is not None else None
        self.agreement_chooser = choice(asked, _AGREEMENTS, given)
        self.send_button = button(tr("Send"), self.accept, "primary")
        who = PlainLabel(
            tr("This case goes to {host}").format(host=status.host(self._settings.base_url)), look="heading", wrap=True
        )
        who.setFont(sized(self.font(), 17, who.font().Weight.DemiBold))
        where = tr("{address} · model {model}").format(
            address=self._settings.base_url, model=self._settings.remote_model
        )
        about = PlainLabel(where, look="muted", wrap=True)
        middle = row((self._left(), 2), (self._right(), 5), spacing=2)
        question = PlainLabel(asked, wrap=True)
        question.setBuddy(self.agreement_chooser)
        self.agreement_chooser.currentIndexChanged.connect(lambda _: self._enable())
        cancel = button(CANCEL, self.reject)
        cancel.setDefault(True)
        bottom = row((question, 1), self.agreement_chooser, cancel, self.send_button, spacing=1)
        column(who, about, self._summary, (middle, 1), bottom, on=self, margins=(3, 3, 3, 2), spacing=1)
        self.show_prepared(prepared)

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.agreement_chooser.currentData())

    def _left(self) -> QVBoxLayout:
        rules = tr(
            "Dates are moved by a secret number of weeks, and moved back in the answers. The "
            "rules find many identifiers, never all of them. Read what is sent."
        )
        heading, foot = PlainLabel(tr("Words to decide about"), look="heading"), PlainLabel(rules, "muted", True)
        return column(heading, self._about_words, (self.word_list, 1), None, foot)

    def _right(self) -> QVBoxLayout:
        self.request_chooser.currentIndexChanged.connect(lambda _: self._show_body())
        self.byte_for_byte.toggled.connect(lambda _: self._show_body())
        head = row(PlainLabel(_WHAT_IS_SENT, look="heading"), None, self.byte_for_byte, self.request_chooser)
        return column(head, (self.request_view, 1), self.repair_hint)

    def show_prepared(self, prepared: Prepared) -> None:
        """What would be sent now; from here on it may be."""
        self.prepared, self._ready, self._showing = prepared, True, True
        if self.word_list.count() != len(prepared.words):
            self.word_list.clear()
            for word in prepared.words:
                often = f"  ({word.count})" if word.count > 1 else ""
                named = f"{word.text}{often}{tr('  · may be a name') if word.suspected else ''}"
                item = QListWidgetItem(named, self.word_list)
                item.setData(Qt.ItemDataRole.UserRole, word.text)
        for number, word in enumerate(prepared.words):
            state = Qt.CheckState.Checked if word.hidden else Qt.CheckState.Unchecked
            self.word_list.item(number).setCheckState(state)
        self.word_list.setVisible(bool(prepared.words))
        self._about_words.setText(
            tr(
                "NoteEval is not sure about these words. Ticked words are hidden; untick those that "
                "identify nobody. “May be a name” marks likely names."
            )
            if prepared.words
            else tr("None: NoteEval is sure about every word of this case.")
        )
        at = max(0, self.request_chooser.currentIndex())
        self.request_chooser.clear()
        for body, name in _names(prepared):
            self.request_chooser.addItem(name, body)
        self.request_chooser.setCurrentIndex(min(at, self.request_chooser.count() - 1))
        self._showing = False
        self._summary.setText(_summary(prepared, self._settings))
        self._show_body()
        self._enable()

    def _show_body(self) -> None:
        body = self.request_chooser.currentData()
        if self._showing or not isinstance(body, Body):
            return
        self.repair_hint.setVisible(body.again)
        self.request_view.setPlainText(body.exact if self.byte_for_byte.isChecked() else body.readable)

    def _on_word(self, item: QListWidgetItem) -> None:
        if not self._showing:
            self._ready = False
            self._enable()
            hidden = item.checkState() == Qt.CheckState.Checked
            self.words_decided.emit({item.data(Qt.ItemDataRole.UserRole): hidden})

    def _enable(self) -> None:
        answered = self.agreement_chooser.currentData() is not None
        self.send_button.setEnabled(self._ready and answered)
        self.send_button.setToolTip("" if answered else tr("First answer the question about an agreement"))


def _names(prepared: Prepared) -> Iterator[tuple[Body, str]]:
    """What is sent, then what may be sent after it, each with its name for the list."""
    for some in (prepared.bodies, prepared.repairs):
        kinds = [body.question for body in some]
        for number, body in enumerate(some):
            kind = kinds[number]
            part = (
                tr(" {number} of {total}").format(number=kinds[:number].count(kind) + 1, total=kinds.count(kind))
                if kinds.count(kind) > 1
                else ""
            )
            yield (
                body,
                f"{_QUESTIONS.get(kind, kind)}{part}{tr(', asked again') if body.again else ''}",
            )


def _summary(prepared: Prepared, settings: Settings) -> str:
    if not prepared.bodies:
        return tr("All answers are known already: this check sends nothing.")
    price = settings.price_input if settings.price_output else ""
    cost = tr("cost unknown")
    if price:
        reading = status.money(prepared.bytes // 4 * float(price) / 1e6)
        cost = tr("about {cost} for reading, answers on top").format(cost=reading)
    said = tr(
        "{requests}, {size:,.1f} kB of text ({cost}). Identifiers are replaced in {places}. An answer that cannot be "
        "used is requested again, as the list shows. Nothing else is sent."
    ).format(
        requests=counted(len(prepared.bodies), "request"),
        size=prepared.bytes / 1000,
        cost=cost,
        places=counted(prepared.masked, "place"),
    )
    if settings.unencrypted_address == settings.base_url:
        said += tr(" The connection is not encrypted: everyone on your network could read it.")
    if prepared.mostly_hidden:
        said += tr(
            " Most words of this case are hidden before sending, as happens when a session is not in English. Little "
            "is left to judge."
        )
    return said


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
