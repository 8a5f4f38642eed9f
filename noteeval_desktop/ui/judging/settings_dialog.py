"""The judges' settings: the local model, the online service, and what a full check may ask."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QLineEdit, QTabWidget, QWidget

from noteeval_desktop.domain.evaluation import REMOTE
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.judging.local_page import LocalPage
from noteeval_desktop.ui.judging.permission import KEYS, PASSPHRASE_THAT_PROTECTS
from noteeval_desktop.ui.judging.remote_page import RemotePage
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, told
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, row, scrolling, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import CANCEL, SAVE

_SHORTEST = 8
_MINUTES = (0, 2, 5, 10, 30)


class JudgeSettings(Window):
    """``settings_chosen(Settings)`` once everything is kept: the key in its place, the lock in its file.
    ``forget_asked``: the answers that language models gave before are to go."""

    settings_chosen = Signal(object)
    forget_asked = Signal()

    def __init__(self, settings: Settings, jobs: JobRunner, keys: Keys, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Judges"), (760, 640), once=True)
        self._settings, self._jobs, self._keys = settings, jobs, keys
        self.local, self.remote = LocalPage(settings, jobs), RemotePage(settings, jobs, keys)
        self.pages = QTabWidget()
        self.pages.addTab(self.local, tr("Local model"))
        self.pages.addTab(self.remote, tr("Online AI service"))
        self.said = PlainLabel("", wrap=True)
        self.save, cancel = button(SAVE, self._on_save, "primary"), button(CANCEL, self.reject)
        self.save.setDefault(True)
        self.forget = button(tr("Delete kept answers"), self.forget_asked.emit)
        self.forget.setToolTip(
            tr(
                "Answers of language models are kept, so that after a change only what is new is "
                "asked: in the encrypted library while it is unlocked, otherwise until NoteEval "
                "closes"
            )
        )
        self.marks = tick(tr("Also ask for ratings from 1 to 5, to compare with other tools"), settings.marks)
        leave_out = tr("Also ask what to leave out of the record (right on 36 made-up notes with a large model)")
        self.private = tick(leave_out, settings.private)
        alone = tr("Let the model judge alone, without the quick check beside it (misses more)")
        self.everything = tick(alone, settings.ask_everything)
        stop_after, most = tr("Stop the full check on this computer after"), settings.full_check_minutes
        minutes = [(counted(n, "minute") if n else tr("No limit"), n) for n in sorted({*_MINUTES, most})]
        self.minutes = choice(stop_after, minutes, most)
        limit = row(PlainLabel(stop_after), self.minutes, None)
        acts = row(self.forget, (self.said, 1), cancel, self.save)
        also = column(self.everything, self.marks, self.private, spacing=0)
        # On a low screen: what saves them is always in sight.
        chosen = QWidget()
        column((self.pages, 1), limit, also, on=chosen, margins=(0,))
        column((scrolling(chosen), 1), acts, on=self, margins=(2,))

    def show_page(self, kind: str) -> None:
        self.pages.setCurrentWidget(self.remote if kind == REMOTE else self.local)

    def ask_passphrase(self, question: str) -> str:
        """Empty where none was given."""
        given, entered = QInputDialog.getText(self, KEYS, question, QLineEdit.EchoMode.Password)
        return given if entered else ""

    def _on_save(self) -> None:
        problem = self.remote.problem()
        if problem:
            self.pages.setCurrentWidget(self.remote)
            self.said.setText(problem)
            return
        key = self.remote.key.text()
        if not key and not self.remote.forget_key.isChecked():
            self._keep()
            return
        passphrase = ""
        if self._keys.asks_passphrase_to_write:
            passphrase = self._new_or_known_passphrase()
            if not passphrase:
                return
        keys, address = self._keys, self.remote.address.text().strip()
        self.save.setEnabled(False)

        def work() -> None:
            if passphrase:
                keys.unlock(passphrase)
            keys.write(address, key)

        failed = partial(self._fail, tr("The key could not be kept ({reason})."))
        self._jobs.call(Lane.DISK, "write_key", work, lambda _: self._keep(), failed, owner=self)

    def _new_or_known_passphrase(self) -> str:
        if not self._keys.is_new_file:
            return self.ask_passphrase(PASSPHRASE_THAT_PROTECTS)
        first = self.ask_passphrase(
            tr(
                "This system has no keychain. Choose a passphrase that protects the key (at least "
                "{shortest} characters):"
            ).format(shortest=_SHORTEST)
        )
        if len(first) < _SHORTEST:
            short = tr("The key was not kept: the passphrase needs at least {shortest} characters.")
            self.said.setText(short.format(shortest=_SHORTEST))
            return ""
        if self.ask_passphrase(tr("Repeat passphrase:")) != first:
            self.said.setText(tr("The key was not saved: the two passphrases differ."))
            return ""
        return first

    def _keep(self) -> None:
        """The lock first, in a job; the settings once it is on the disk."""
        keep_rules = self.remote.rules_keeper()
        asked = replace(
            self._settings,
            marks=self.marks.isChecked(),
            private=self.private.isChecked(),
            ask_everything=self.everything.isChecked(),
            full_check_minutes=int(self.minutes.currentData()),
        )
        chosen = self.remote.applied(self.local.applied(asked))
        self.save.setEnabled(False)

        def kept(_: object) -> None:
            self.settings_chosen.emit(chosen)
            self.accept()

        failed = partial(self._fail, tr("The settings could not be kept ({reason})."))
        self._jobs.call(Lane.DISK, "write_rules", keep_rules, kept, failed, owner=self)

    def _fail(self, otherwise: str, error: Exception) -> None:
        self.save.setEnabled(True)
        self.said.setText(told(error, otherwise))
