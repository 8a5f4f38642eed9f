"""The audit log: what was done with which case, when, and whether the log itself is whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import counted, moment, tr
from noteeval_desktop.store.audit import Entry
from noteeval_desktop.ui.library import audit_page
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.audit_page import AuditPage
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import exported

_Row = tuple[Entry, Mapping[str, str]]
_COLUMNS = (
    Column[_Row](tr("When"), 160, lambda row: moment(row[0].at)),
    Column[_Row](tr("What"), 190, lambda row: audit_page.NAMES[row[0].event]),
    Column[_Row](tr("Case"), 220, lambda row: audit_page.case_said(*row)),
    Column[_Row](tr("More"), 240, lambda row: audit_page.detail_said(row[0])),
    Column[_Row](tr("Who (login)"), 120, lambda row: row[0].who),
)


class AuditWindow(Page):
    """``listed`` after each reading."""

    listed = Signal()

    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(
            access,
            tr("Audit log"),
            tr(
                "What was done with the library and with which case. It names cases by their label "
                "and contains nothing that was said or written."
            ),
            parent,
        )
        self.chain, self.failed = PlainLabel("", wrap=True), PlainLabel("", wrap=True)
        self.list = Rows(tr("Entries"), _COLUMNS)
        for part, stretch in ((self.chain, 0), (self.failed, 0), (self.list, 1)):
            self.body.addWidget(part, stretch)
        self.csv = self.button(tr("Export as CSV…"), lambda: self._export("csv"))
        self.json = self.button(tr("Export as JSON…"), lambda: self._export("json"))
        self.finish(880, 520)
        self.refresh()

    def refresh(self) -> None:
        self.run(audit_page.read, self._show)

    def _show(self, page: AuditPage) -> None:
        self.chain.setText(_chain(page.total, page.first_broken))
        self.failed.setText(_failures(page.failed))
        self.list.show_rows((entry, page.labels) for entry in page.entries)
        if len(page.entries) < page.total:
            self.say(tr("The latest {count:,} are shown; an export has them all.").format(count=len(page.entries)))
        self.listed.emit()

    def _export(self, kind: str) -> None:
        name = save_file(self, tr("Export the audit log"), f"audit-log.{kind}", f"{kind.upper()} (*.{kind})")
        if name:
            self.export_to(Path(name if Path(name).suffix else f"{name}.{kind}"))

    def export_to(self, path: Path) -> None:
        def done(_: object) -> None:
            self.refresh()
            self.say(exported(path.name))

        self.run(lambda library: audit_page.export(library, path), done)


def _chain(total: int, first_broken: int | None) -> str:
    if first_broken is None:
        return tr("Checked: {entries}, each sealed by the next. None was changed or taken out.").format(
            entries=counted(total, "entry", "entries")
        )
    return tr(
        "⚠ Entry {first_broken:,} was changed, or one before it was taken out. Ask whoever can write this file."
    ).format(first_broken=first_broken)


def _failures(times: Sequence[datetime]) -> str:
    if not times:
        return tr("No failed unlock.")
    return tr("{unlocks}, the latest on {latest}.").format(
        unlocks=counted(len(times), tr("failed unlock")), latest=moment(times[-1])
    )
