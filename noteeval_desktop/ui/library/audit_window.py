"""The audit log: what was done with which case, when, and whether the log itself is whole."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.ui.library import audit_page, audit_words, words
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.audit_page import AuditPage
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import exported

_COLUMNS = ((words.WHEN, 160), (words.WHAT, 190), (words.CASE, 220), (words.MORE, 240), (words.WHO, 120))


class AuditWindow(Page):
    """``listed`` after each reading."""

    listed = Signal()

    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(access, words.AUDIT_LOG, words.ABOUT_THE_AUDIT_LOG, parent)
        self.chain, self.failed = PlainLabel("", wrap=True), PlainLabel("", wrap=True)
        self.list = table(words.ENTRIES, _COLUMNS)
        for part, stretch in ((self.chain, 0), (self.failed, 0), (self.list, 1)):
            self.body.addWidget(part, stretch)
        self.csv = self.button(words.EXPORT_AS_CSV, lambda: self._export("csv"))
        self.json = self.button(words.EXPORT_AS_JSON, lambda: self._export("json"))
        self.finish(880, 520)
        self.refresh()

    def refresh(self) -> None:
        self.run(audit_page.read, self._show)

    def _show(self, page: AuditPage) -> None:
        self.chain.setText(audit_words.chain(page.total, page.first_broken))
        self.failed.setText(audit_words.failures(page.failed))
        self.list.clear()
        self.list.addTopLevelItems([line(audit_words.cells(entry, page.labels)) for entry in page.entries])
        first = self.list.topLevelItem(0)
        if first is not None:
            self.list.setCurrentItem(first)
        if len(page.entries) < page.total:
            self.say(words.the_latest_are_shown(len(page.entries)))
        self.listed.emit()

    def _export(self, kind: str) -> None:
        name = save_file(self, words.EXPORT_THE_AUDIT_LOG, f"audit-log.{kind}", f"{kind.upper()} (*.{kind})")
        if name:
            self.export_to(Path(name if Path(name).suffix else f"{name}.{kind}"))

    def export_to(self, path: Path) -> None:
        def done(_: object) -> None:
            self.refresh()
            self.say(exported(path.name))

        self.run(lambda library: audit_page.export(library, path), done)
