"""What opens the windows about the library itself, and asks about old cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.store.cases import now
from noteeval_desktop.store.retention import Due, Rules, due
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.audit_window import AuditWindow
from noteeval_desktop.ui.library.backups_window import BackupsWindow
from noteeval_desktop.ui.library.keys_window import KeysWindow
from noteeval_desktop.ui.library.old_cases_window import RetentionWindow, archived_and_deleted
from noteeval_desktop.ui.widgets.parts import show_once
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.words import SHOW_THEM

COMMANDS = ("library_keys", "backups", "audit_log", "old_cases")
_ASK_AGAIN_AFTER = timedelta(days=7)


class About(QObject):
    """Each window opens once the library is unlocked; ``shown`` is the latest. ``deleted(tuple of ids)``."""

    deleted = Signal(object)

    def __init__(self, window: Shell, access: Access, front: Callable[[], QWidget]) -> None:
        """``front``: what a window opens over. A dialog of the main window would open behind the list."""
        super().__init__(access)
        self._window, self._access, self._front = window, access, front
        self.shown: QDialog | None = None
        self._access.unlocked.connect(self._ask_about_old_cases)

    def show_keys(self) -> None:
        self._show(lambda parent: KeysWindow(self._access, parent))

    def show_backups(self) -> None:
        self._show(lambda parent: BackupsWindow(self._access, parent))

    def show_audit(self) -> None:
        self._show(lambda parent: AuditWindow(self._access, parent))

    def show_old_cases(self) -> None:
        def keep(rules: Rules) -> None:
            months, years = rules.archive_after_months, rules.delete_after_years
            kept = replace(self._window.settings, archive_after_months=months, delete_after_years=years)
            self._window.keep_settings(kept)

        def make(parent: QWidget) -> RetentionWindow:
            shown = RetentionWindow(self._access, self._rules(), parent)
            shown.rules_changed.connect(keep)
            shown.applied.connect(self.deleted)
            return shown

        self._show(make)

    def _show(self, make: Callable[[QWidget], QDialog]) -> None:
        """Once the library is unlocked."""

        def show() -> None:
            self.shown = show_once(make(self._front()), modal=False)

        self._access.use(show)

    # Old cases

    def _rules(self) -> Rules:
        settings = self._window.settings
        return Rules(settings.archive_after_months, settings.delete_after_years)

    def _ask_about_old_cases(self) -> None:
        rules, asked = self._rules(), self._window.settings.asked_about_old_cases
        if not rules.any or (asked and date.today() - date.fromisoformat(asked) < _ASK_AGAIN_AFTER):
            return
        moment = now()
        self._access.run(lambda library: due(library.cases, rules, moment), self._offer)

    def _offer(self, found: Due) -> None:
        if not len(found):
            return
        said = tr("Your rules for old cases would {do}. You see the list before they do.").format(
            do=archived_and_deleted(len(found.archive), len(found.delete))
        )

        def show() -> None:
            self._put_off()
            self.show_old_cases()

        self._window.banner.say(said, [(SHOW_THEM, show), (tr("Not this week"), self._put_off)])

    def _put_off(self) -> None:
        settings = self._window.settings
        self._window.keep_settings(replace(settings, asked_about_old_cases=date.today().isoformat()))
