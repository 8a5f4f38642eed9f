"""Which checklist notes are judged by: kept in the settings, used by every judge, and told when it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject

from noteeval_desktop import checklists
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.errors import InputError
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.judging.checklists_window import TITLE, ChecklistsWindow
from noteeval_desktop.ui.widgets.parts import show_once
from noteeval_desktop.ui.widgets.shell import Shell


class ChecklistDesk(QObject):
    """Owned by the GUI thread; ``in_use`` is called in the judges' lanes, too."""

    def __init__(self, window: Shell, session: CaseSession, shipped: Rubric, changed: Callable[[], object]) -> None:
        """``changed``: judges are to be made anew, and what is open checked again."""
        super().__init__(window)
        self._window, self._shipped, self._changed = window, shipped, changed
        self._before: tuple[str, Rubric | None] | None = None
        session.evaluation_finished.connect(self._on_evaluation)

    def in_use(self) -> Rubric:
        """Reads the disk. Raises InputError where it is gone: no note is judged by less than was asked."""
        name = self._window.settings.checklist
        found = checklists.named(name) if name else self._shipped
        if found is None:
            raise InputError(name, tr("this checklist is not there any more"), tr("Choose one under “Checklists…”."))
        return checklists.with_items(found)

    def show(self) -> ChecklistsWindow:
        in_use = self._window.settings.checklist or self._shipped.name
        shown = ChecklistsWindow(self._window.jobs, self._shipped, in_use, self._window)
        shown.chosen.connect(self._use)
        return show_once(shown, modal=False)

    def _use(self, rubric: Rubric) -> None:
        name = "" if rubric.name == self._shipped.name else rubric.name
        self._window.keep_settings(replace(self._window.settings, checklist=name))
        self._changed()

    def _on_evaluation(self, evaluation: Evaluation) -> None:
        """Figures by two checklists cannot be compared: whoever sees the second is told."""
        # No evaluation is kept here: once the library is locked, no word of a case is in memory.
        before, self._before = self._before, (evaluation.case.note.sha256, evaluation.rubric)
        if before is None or before[0] != evaluation.case.note.sha256 or not before[1] or not evaluation.rubric:
            return
        if before[1].fingerprint != evaluation.rubric.fingerprint:
            said = tr("Checked again by the checklist “{now}”; before, it was “{before}”.")
            now, then = evaluation.rubric.titled, before[1].titled
            self._window.banner.say(said.format(now=now, before=then), [(f"{TITLE}…", self.show)], passing=True)
