"""The library's keys: what opens it, what it signs with, and whose signatures the reader has compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QMenu, QPushButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store import signing
from noteeval_desktop.store.keys import NewKeys, SecretStore
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.rekeying import Rekeyed
from noteeval_desktop.store.supervision import KnownSigner
from noteeval_desktop.ui.library import work
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.key_dialogs import NO_KEYCHAIN, WHAT_A_KEYCHAIN_MEANS, ChangePassphrase, RecoveryKey
from noteeval_desktop.ui.widgets.dialogs import Asking, OnePassphrase
from noteeval_desktop.ui.widgets.jobs import problem, while_alive
from noteeval_desktop.ui.widgets.parts import MenuButton, button, column, show_once
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import CLOSE, PASSPHRASE

_USE_THE_KEYCHAIN = tr("Use the keychain…")
_A_NEW_RECOVERY_KEY = tr(
    "The recovery key opens the library if you forget the passphrase. A new one replaces the one "
    "you printed before, which then works only with an earlier copy of the key file."
)
_A_SIGNATURE = tr(
    "Case files and reviews made here are signed, so that others can tell that they are yours. When "
    "they open your first file, read them this code by phone or in person:"
)
_NO_SIGNERS = tr("You have not compared anybody's code yet. You will be asked when you import a signed case file.")
_USE_IT = tr("Use the keychain")
_TEXT = 56 * UNIT
T = TypeVar("T")


class KeysWindow(QDialog):
    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Passphrase and keys"))
        self._access = access
        self._keychain: SecretStore | None = None
        self._in_keychain, self._own = False, ""
        self._texts: list[PlainLabel] = []
        self.asking: Asking | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(3 * UNIT, 3 * UNIT, 3 * UNIT, 3 * UNIT)
        self._grid.setHorizontalSpacing(3 * UNIT)
        self._grid.setVerticalSpacing(2 * UNIT)
        self._grid.setColumnStretch(0, 1)
        self.change, _ = self._line(
            PASSPHRASE,
            tr("The passphrase opens the library. When you change it, you can also re-encrypt the library."),
            tr("Change…"),
            self._change,
        )
        self.recovery, _ = self._line(tr("Recovery key"), _A_NEW_RECOVERY_KEY, tr("New key…"), self._new_recovery)
        self.keychain, self.state = self._line(tr("Keychain"), "", _USE_THE_KEYCHAIN, self._switch_keychain)
        self.keychain.setEnabled(False)
        self.copy, self.fingerprint = self._line(tr("Signature"), _A_SIGNATURE, tr("Copy the code"), self._copy)
        self.copy.setEnabled(False)
        self.forget = MenuButton(tr("Forget…"))
        self.known = self._told(tr("Signatures of others"), _NO_SIGNERS, self.forget)
        self.forget.setMenu(QMenu(self.forget))
        self.forget.setEnabled(False)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setMinimumHeight(2 * self.said.fontMetrics().lineSpacing())
        self._grid.addWidget(self.said, self._grid.rowCount(), 0, 1, 2)
        self._grid.addWidget(button(CLOSE, self.reject), self._grid.rowCount(), 1)
        self.setFixedWidth(84 * UNIT)
        access.find_keychain(while_alive(self, self._on_keychain))
        self._read_signers()

    def _line(self, name: str, explained: str, text: str, does: Callable[[], object]) -> tuple[QPushButton, PlainLabel]:
        does_it = button(text, does)
        return does_it, self._told(name, explained, does_it)

    def _told(self, name: str, explained: str, does_it: QWidget) -> PlainLabel:
        row, said = self._grid.rowCount(), PlainLabel(explained, look="muted", wrap=True)
        said.setFixedWidth(_TEXT)
        self._texts.append(said)
        self._grid.addLayout(column(PlainLabel(name, look="heading"), said, spacing=0.5), row, 0)
        self._grid.addWidget(does_it, row, 1)
        return said

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Qt gives wrapped text less height than it takes."""
        for text in self._texts:
            text.setMinimumHeight(text.heightForWidth(_TEXT))
        self.adjustSize()

    def _on_keychain(self, keychain: SecretStore | None) -> None:
        library = self._access.library
        self._keychain = keychain
        self._in_keychain = library is not None and library.in_keychain
        state = tr("Off. {meaning}").format(meaning=WHAT_A_KEYCHAIN_MEANS) if keychain is not None else NO_KEYCHAIN
        if self._in_keychain:
            state = tr(
                "On: NoteEval does not ask for the passphrase when it starts. Anyone who uses this computer "
                "under your account can open the library."
            )
        self.state.setText(state)
        self.keychain.setText(tr("Stop using it") if self._in_keychain else _USE_THE_KEYCHAIN)
        self.keychain.setEnabled(keychain is not None)
        self._make_room()

    def _read_signers(self) -> None:
        self._access.run(
            lambda library: (library.supervision.public_key(), library.supervision.known_signers()),
            while_alive(self, self._show_signers),
        )

    def _show_signers(self, read: tuple[str, tuple[KnownSigner, ...]]) -> None:
        own, known = read
        self._own = signing.fingerprint(own)
        self.fingerprint.setText(f"{_A_SIGNATURE}\n{self._own}")
        self.copy.setEnabled(True)
        listed = "\n".join(f"{one.name} · {signing.fingerprint(one.key)}" for one in known)
        self.known.setText(listed or _NO_SIGNERS)
        self.forget.setEnabled(bool(known))
        menu = self.forget.menu()
        menu.clear()
        for one in known:
            menu.addAction(menu_text(one.name), partial(self._forget_signer, one))
        self._make_room()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._own)
        self.said.say(tr("Copied. The code is not secret."))

    def _forget_signer(self, signer: KnownSigner) -> None:
        def forgotten(_: object) -> None:
            self.said.say(tr("From now on, what {name} signs is shown as not compared.").format(name=signer.name))
            self._read_signers()

        self._access.run(lambda library: library.supervision.forget_signer(signer.key), while_alive(self, forgotten))

    def _change(self) -> None:
        asks, cost, keychain = ChangePassphrase(self), self._access.cost, self._keychain

        def change() -> None:
            current, new = asks.current.text(), asks.first.text()
            if asks.anew.isChecked():
                self._access.answer(
                    asks,
                    lambda library: work.confirmed(library, current).draw_keys(new, cost),
                    lambda drawn: self._show_to_come(
                        drawn, lambda library: library.rekey(drawn, keychain), self._say_rekeyed
                    ),
                )
            else:
                self._access.answer(
                    asks,
                    lambda library: work.confirmed(library, current).set_passphrase(new, cost),
                    lambda _: self.said.say(
                        tr(
                            "The passphrase was changed. The old one now works only with earlier copies of the key "
                            "file, if there are any."
                        )
                    ),
                )

        self.asking = asks.ask(change)

    def _new_recovery(self) -> None:
        asks = OnePassphrase(self, tr("New recovery key"), _A_NEW_RECOVERY_KEY, tr("New key"))

        def make() -> None:
            passphrase = asks.passphrase.text()
            self._access.answer(
                asks,
                lambda library: work.confirmed(library, passphrase).draw_recovery_key(),
                lambda drawn: self._show_to_come(
                    drawn,
                    lambda library: library.take_recovery_key(drawn),
                    lambda _: self._switched(
                        tr("The recovery key you printed before no longer opens the library here.")
                    ),
                ),
            )

        self.asking = asks.ask(make)

    def _say_rekeyed(self, rekeyed: Rekeyed) -> None:
        said = tr("The library and its backups were re-encrypted. The old passphrase and recovery key no longer work.")
        if rekeyed.left:
            left = tr(" These backups could not be, and stay as they were: {names}.")
            said += left.format(names=", ".join(rekeyed.left))
        if not rekeyed.keychain:
            said += tr(" The keychain does not hold the new key, so you need the passphrase at each start.")
        self._switched(said)

    def _show_to_come(self, drawn: NewKeys, act: Callable[[Library], T], done: Callable[[T], object]) -> None:
        """The key first, then the change: whatever stops that, the reader has what opens the library."""

        def take() -> None:
            def taken(result: T) -> None:
                shows.accept()
                done(result)

            def failed(error: Exception) -> None:
                shows.show_problem(
                    tr(
                        "{problem} Nothing has changed: the passphrase and recovery key from before still work, and "
                        "the new ones do not."
                    ).format(problem=problem(error))
                )

            self._access.run(act, while_alive(shows, taken), while_alive(shows, failed))

        shows = RecoveryKey(self, drawn.recovery, self._access.submit, take, to_come=True)
        self.asking = show_once(shows)

    def _switch_keychain(self) -> None:
        keychain = self._keychain
        if keychain is None:
            return
        if self._in_keychain:
            self._access.run_for(
                self,
                lambda library: library.forget_keychain(keychain),
                lambda _: self._switched(tr("The keychain no longer opens the library.")),
                self.said.say,
            )
            return
        asks = OnePassphrase(self, _USE_IT, WHAT_A_KEYCHAIN_MEANS, _USE_IT)

        def use() -> None:
            passphrase = asks.passphrase.text()
            self._access.answer(
                asks,
                lambda library: work.confirmed(library, passphrase).use_keychain(keychain),
                lambda _: self._switched(tr("From the next start on, the keychain opens the library.")),
            )

        self.asking = asks.ask(use)

    def _switched(self, said: str) -> None:
        self._on_keychain(self._keychain)
        self.said.say(said)
