"""Checking a scorecard: is it as it was exported, and does it match the case in the library or on the desk?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.report.fingerprints import of_case
from noteeval_desktop.report.verifying import (
    LIMITS,
    PasswordNeeded,
    Verification,
    read_scorecard,
    rows,
    verdict,
    verify,
)
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.dialogs import Listing, OnePassphrase, line
from noteeval_desktop.ui.widgets.jobs import Emit, Lane, told
from noteeval_desktop.ui.widgets.parts import Window, column, show_once
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import UNIT

_NAMES_WIDTH = 25 * UNIT


class CheckedWindow(Window):
    """What was found, first in a sentence, then part by part; ``against`` names the case that the scorecard was
    compared with, empty for none."""

    def __init__(self, name: str, found: Verification, against: str, parent: QWidget) -> None:
        super().__init__(parent, tr("Scorecard checked"), (680, 520))
        sign = "✓" if found.good else "⚠"
        self.verdict = PlainLabel(f"{sign} {verdict(found)}", look="heading", wrap=True)
        compared = tr("{name}, compared with {case}.") if against else tr("{name}. Open its case to compare them.")
        self.against = PlainLabel(compared.format(name=name, case=against), look="muted", wrap=True)
        self.parts = Listing(tr("Comparison"), ((tr("Part"), _NAMES_WIDTH), (tr("Scorecard and case"), _NAMES_WIDTH)))
        self.parts.addTopLevelItems([line(row) for row in rows(found)])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        limits = PlainLabel(LIMITS, look="muted", wrap=True)
        column(self.verdict, self.against, self.parts, limits, buttons, on=self, margins=(2,), spacing=1)


class Checking:
    """``library`` is the one that is open, if any."""

    def __init__(self, window: Shell, session: CaseSession, library: Callable[[], Library | None]) -> None:
        self._window, self._session, self._library = window, session, library

    def choose(self) -> None:
        name = open_file(self._window, tr("Check a scorecard"), tr("Scorecards (*.pdf)"))
        if name:
            self.check(Path(name))

    def check(self, path: Path, asks: OnePassphrase | None = None) -> None:
        """Shows what was found, or says what is wrong with the file; asks for its password where it has one."""
        password = asks.passphrase.text() if asks is not None else ""
        library, evaluation = self._library(), self._session.judged

        def work(cancel: threading.Event, emit: Emit) -> tuple[Verification, str]:
            return _checked(path, password, library, evaluation, cancel)

        def done(found: tuple[Verification, str]) -> None:
            if asks is not None:
                asks.accept()
            show_once(CheckedWindow(path.name, *found, self._window))

        def failed(error: Exception) -> None:
            said = told(error, tr("It could not be checked ({reason})."))
            if asks is not None:
                asks.show_problem(said)
            elif isinstance(error, PasswordNeeded):
                encrypted = tr("This scorecard is encrypted. Enter the password that it was exported with.")
                again = OnePassphrase(self._window, tr("Check a scorecard"), encrypted, tr("Check"))
                again.ask(lambda: self.check(path, again))
            else:
                self._window.banner.say(said)

        self._window.jobs.submit(Lane.DISK, "check a scorecard", work, done, failed)


def _checked(
    path: Path, password: str, library: Library | None, evaluation: Evaluation | None, cancel: threading.Event
) -> tuple[Verification, str]:
    """And which case it was compared with: of the library first, which knows every evaluation and review of its cases.
    Raises InputError, StoreError."""
    card = read_scorecard(path, password, cancel)
    for case_id in library.cases.with_note(card.prints.note) if library is not None else ():
        assert library is not None
        opened = library.cases.read(case_id)
        # Here, not above: only with a library open is the store there already.
        from noteeval_desktop.store.signing import fingerprint

        signers = [fingerprint(one.key) if one.key else "" for one in opened.provenance]
        case = of_case(card.prints, [one.evaluation for one in opened.evaluations], opened.reviews, signers)
        if case is not None:
            label = opened.summary.labels.label
            named = tr("“{label}” in the library").format(label=label)
            return verify(card, case), named if label else tr("a case in the library")
    case = of_case(card.prints, [evaluation]) if evaluation is not None else None
    return verify(card, case), tr("the open case") if case is not None else ""
