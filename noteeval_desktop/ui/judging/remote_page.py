"""Settings of the online service: address, model, key, prices, the network lock; and a test of the connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.engines import loopback
from noteeval_desktop.errors import Cancelled, NoteEvalError
from noteeval_desktop.privacy import consent
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.judging import status
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.parts import button, choice, field, form, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel, explain, shortened
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import STOP, STOPPED

if TYPE_CHECKING:
    from noteeval_desktop.engines.remote.abilities import Abilities

_QUESTIONS_AT_A_TIME = tr("Questions at once")
_KEY = tr("Key")
_AGREEMENTS = {"yes": tr("agreement in place"), "no": tr("no agreement"), "unknown": tr("agreement unknown")}
_MOST_LISTED = 500
_TEST_CONNECTION = "test_connection"
_AT_ONCE = (1, 2, 4, 8, 16, 32)


class RemotePage(QWidget):
    def __init__(self, settings: Settings, jobs: JobRunner, keys: Keys) -> None:
        super().__init__()
        self._jobs, self._keys = jobs, keys
        self._rules = consent.load()
        self._withdrawn: list[str] = []
        self._asks_for_key = ""
        self.lock = tick(tr("Never send anything (switch online AI services off)"), self._rules.locked)
        self.address = field(tr("Address"), settings.base_url, tr("https://…, often with /v1 at its end"))
        self.model = choice(tr("Model"))
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setEditText(settings.remote_model)
        kept, new = tr("Leave empty to keep the saved key"), tr("From your account; empty if the service needs none")
        self.key = field(_KEY, hint=kept if settings.base_url else new, secret=True)
        explain(self.key, tr("Kept in {where}, never in the settings").format(where=keys.where))
        self.forget_key = tick(tr("Forget the key"))
        self.forget_key.setVisible(bool(settings.base_url))
        self.test = button(tr("Test connection"), self._on_test, height=HIT)
        self.stop_test = button(STOP, self._on_stop_test, height=HIT)
        self.stop_test.setVisible(False)
        self.result = PlainLabel(
            tr(
                "Lists the models and asks the chosen one whether it is ready. Sends only the key, "
                "nothing from your cases."
            ),
            look="muted",
            wrap=True,
        )
        counts = ((str(count), count) for count in sorted({*_AT_ONCE, settings.remote_jobs}))
        self.jobs_at_once = choice(_QUESTIONS_AT_A_TIME, counts, settings.remote_jobs)
        self.prices = tuple(
            field(tr("Price of {name}").format(name=name), value, tr("unknown"))
            for name, value in (
                (tr("reading"), settings.price_input),
                (tr("writing"), settings.price_output),
                (tr("text sent again"), settings.price_cached),
            )
        )
        self._allowed = settings.unencrypted_address
        self.unencrypted = tick(tr("Send without encryption. Everyone on your network could read the case."))
        self.withdraw = button(tr("Withdraw consent"), self._on_withdraw, height=HIT)
        self._consented = PlainLabel("", look="muted", wrap=True)
        fields = form(self, margin=2)
        fields.addRow(
            PlainLabel(
                tr(
                    "An AI service on the internet, or your clinic's own server. Whoever runs it gives "
                    "you the address, a key and the name of a model; most services work "
                    "(“OpenAI-compatible”). Before anything is sent you see exactly what."
                ),
                wrap=True,
            )
        )
        fields.addRow(self.lock)
        fields.addRow(tr("Address"), self.address)
        fields.addRow("", self.unencrypted)
        fields.addRow(_KEY, _row(self.key, self.forget_key, stretch=0))
        fields.addRow(tr("Model"), self.model)
        fields.addRow("", _row(self.test, self.stop_test, self.result, stretch=2))
        fields.addRow(_QUESTIONS_AT_A_TIME, _row(self.jobs_at_once, QWidget(), stretch=1))
        parts: list[QWidget] = []
        for name, price in zip((tr("text sent"), tr("answers"), tr("sent again")), self.prices, strict=True):
            price.setToolTip(
                tr(
                    "As on the service's price list, per million tokens (pieces of words), to tell you "
                    "what a check costs"
                )
            )
            parts += [PlainLabel(name, look="muted"), price]
        fields.addRow(tr("Prices (optional)"), _row(*parts))
        fields.addRow(tr("Consent"), _row(self._consented, self.withdraw, stretch=0))
        self.address.textChanged.connect(lambda _: self._show_address())
        self.lock.toggled.connect(lambda _: self._show_testing(False))
        self.test.setEnabled(not self._rules.locked)
        self._show_address()

    def applied(self, settings: Settings) -> Settings:
        read, written, cached = (price.text().strip().replace(",", ".") for price in self.prices)
        return replace(
            settings,
            base_url=self.address.text().strip(),
            remote_model=self.model.currentText().strip(),
            remote_jobs=int(self.jobs_at_once.currentData()),
            price_input=read,
            price_output=written,
            price_cached=cached,
            unencrypted_address=self.address.text().strip() if self._may_be_unencrypted() else "",
        )

    def _may_be_unencrypted(self) -> bool:
        return self.unencrypted.isVisibleTo(self) and self.unencrypted.isChecked()

    def _show_address(self) -> None:
        """Whether to send without encryption is asked only where it matters; for another address it is asked again."""
        address = self.address.text().strip()
        self._show_consent(address)
        self.unencrypted.setVisible(address.startswith("http://") and not loopback.on_this_computer(address))
        self.unencrypted.setChecked(bool(address) and address == self._allowed)

    def problem(self) -> str:
        """What keeps these settings from being used; empty where nothing does."""
        from noteeval_desktop.engines.remote.transport import checked_address

        address = self.address.text().strip()
        try:
            if address:
                checked_address(address, unencrypted=self._may_be_unencrypted())
            prices = [float(price.text().replace(",", ".")) for price in self.prices if price.text().strip()]
        except NoteEvalError as error:
            return str(error)
        except ValueError:
            return tr("A price is not a number. Write it like 2.50, or leave it empty.")
        if any(not 0 <= price < 1e6 for price in prices):
            return tr("A price is below zero.")
        if address and address == self._asks_for_key and not self.key.text() and not self.lock.isChecked():
            return tr(
                "This service asks for a key. Enter the one from your account there, then test the connection again."
            )
        wants_model = address and not self.model.currentText().strip() and not self.lock.isChecked()
        return (
            tr("Choose a model, or type its name. “Test connection” lists the models of the service.")
            if wants_model
            else ""
        )

    def rules_keeper(self) -> Callable[[], None]:
        """Writes the lock and what was withdrawn, off the GUI thread; raises OSError."""
        locked, withdrawn = self.lock.isChecked(), tuple(self._withdrawn)

        def keep() -> None:
            before = consent.load()
            rules = replace(before, locked=locked)
            for address in withdrawn:
                rules = rules.withdrawn(address)
            if rules != before:
                consent.save(rules)

        return keep

    # Testing the connection

    def _on_test(self) -> None:
        address, entered, keys = self.address.text().strip(), self.key.text(), self._keys
        model, unencrypted = self.model.currentText().strip(), self._may_be_unencrypted()
        self._show_testing(True)
        self._asks_for_key = ""
        self.result.setText(tr("Asking {host}…").format(host=status.host(address)))

        def work(cancel: threading.Event, emit: Emit) -> object:
            from noteeval_desktop.engines.remote.abilities import check_endpoint
            from noteeval_desktop.engines.remote.chat import models_at

            consent.load().check_unlocked()
            key = entered or keys.read(address)
            if not model:
                return tuple(sorted(models_at(address, key, unencrypted=unencrypted)))
            return check_endpoint(address, model, key, cancel, unencrypted=unencrypted)

        failed = partial(self._test_failed, address)
        self._jobs.submit(Lane.REMOTE, _TEST_CONNECTION, work, self._tested, failed, owner=self)

    def _on_stop_test(self) -> None:
        """At once: a server that does not answer is left to its time-out."""
        self._jobs.drop(_TEST_CONNECTION)
        self._show_testing(False)
        self.result.setText(STOPPED)

    def _show_testing(self, testing: bool) -> None:
        self.test.setEnabled(not testing and not self.lock.isChecked())
        self.test.setVisible(not testing)
        self.stop_test.setVisible(testing)

    def _tested(self, found: object) -> None:
        """Of the endpoint with its model, or only the names of models where none was chosen."""
        from noteeval_desktop.engines.remote.abilities import Abilities

        self._show_testing(False)
        names = found.models if isinstance(found, Abilities) else found
        assert isinstance(names, tuple)
        now = self.model.currentText().strip()
        self.model.clear()
        self.model.addItems(list(names[:_MOST_LISTED]))
        self.model.setEditText(now or (names[0] if len(names) == 1 else ""))
        host = status.host(self.address.text())
        self.result.setText(_connection(host, now, found if isinstance(found, Abilities) else None, names))

    def _test_failed(self, address: str, error: Exception) -> None:
        from noteeval_desktop.engines.remote.chat import KeyRefused

        self._show_testing(False)
        if isinstance(error, KeyRefused):
            self._asks_for_key = address
        if isinstance(error, NoteEvalError) and not isinstance(error, Cancelled):
            self.result.setText(f"✗ {error}")
        else:
            self.result.setText(
                tr("✗ It did not answer as expected ({name}). Check the address.").format(name=type(error).__name__)
            )

    # Consent

    def _show_consent(self, address: str) -> None:
        given = self._rules.consent_to(address) if address else None
        self.withdraw.setEnabled(given is not None)
        if given is None:
            self._consented.setText(tr("Not given for this address. You will be asked before anything is sent."))
        else:
            self._consented.setText(
                tr("Given {day}; {agreement}.").format(
                    day=given.given[:10], agreement=_AGREEMENTS[given.agreement.value]
                )
            )

    def _on_withdraw(self) -> None:
        address = self.address.text().strip()
        self._rules = self._rules.withdrawn(address)
        self._withdrawn.append(address)
        self._show_consent(address)


def _row(*widgets: QWidget, stretch: int = -1) -> QWidget:
    """``stretch``: which of them takes the room."""
    made = QWidget()
    row(*((widget, int(number == stretch)) for number, widget in enumerate(widgets)), on=made, margins=(0,), spacing=1)
    return made


def _connection(host: str, model: str, found: Abilities | None, names: Sequence[str]) -> str:
    """The outcome of a connection test, a line for each thing found; ``found`` is None where no model was chosen."""
    said = [
        tr("✓ {host} answers and offers {models}.").format(host=host, models=counted(len(names), "model"))
        if names
        else tr("✓ {host} answers; it lists no models.").format(host=host)
    ]
    if found is None:
        return "\n".join([*said, tr("Choose a model and test again to test its answers too.")])
    listed = "" if model in names or not names else tr(" (not in its list)")
    took, form, others = found.words
    answers = tr("✓ {model}{listed} answers. {took}").format(model=shortened(model, 40), listed=listed, took=took)
    return "\n".join([*said, answers, f"{'✓' if found.sound else '✗'} {form}", others])
