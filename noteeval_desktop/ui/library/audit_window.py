"""The library's audit log: what was done with it and with which case, checked and exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.phrases import counted, moment, tr
from noteeval_desktop.report.files import write_text
from noteeval_desktop.store.audit import Entry, Event, as_csv, as_json
from noteeval_desktop.store.errors import CaseNotFound
from noteeval_desktop.store.library import Library
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.words import exported

MOST_SHOWN = 1000
NAMES = {
    Event.CREATED: tr("Library created"),
    Event.UNLOCKED: tr("Unlocked"),
    Event.UNLOCK_FAILED: tr("⚠ Failed unlock"),
    Event.LOCKED: tr("Locked"),
    Event.KEYS_CHANGED: tr("Keys changed"),
    Event.OPENED: tr("Case opened"),
    Event.SENT: tr("Sent to an online AI service"),
    Event.EXPORTED: tr("Exported"),
    Event.IMPORTED: tr("Case imported"),
    Event.STATUS: tr("Status changed"),
    Event.DELETED: tr("Case deleted"),
    Event.BACKED_UP: tr("Backed up"),
    Event.BACKUP_TESTED: tr("Backup tested"),
    Event.RESTORED: tr("Backup restored"),
    Event.PUT_BACK: tr("⚠ Earlier copy found"),
    Event.LOG_DAMAGED: tr("⚠ Changes lost by the disk"),
}
_DETAILS = {
    "case-file": tr("as an encrypted case file"),
    "with-the-judges-marks": tr("with the judge's marks, not blind"),
    "encrypted-anew": tr("library and backups re-encrypted"),
    "keys": tr("the key file is older than the one used last"),
    "library": tr("the latest changes are missing"),
}


@dataclass(frozen=True, slots=True)
class AuditPage:
    """The latest entries, the newest first; ``labels`` of the cases that are still there, by id."""

    entries: tuple[Entry, ...]
    total: int
    first_broken: int | None
    failed: tuple[datetime, ...]
    labels: Mapping[str, str]


def read(library: Library) -> AuditPage:
    entries = library.audit.entries()
    latest = entries[: -MOST_SHOWN - 1 : -1]
    labels = {}
    for case_id in {entry.subject for entry in latest if entry.subject}:
        try:
            labels[case_id] = library.cases.summary(case_id).labels.label
        except CaseNotFound:
            # Deleted: its label went with it, and only its number is left to tell it by.
            continue
    failed = tuple(entry.at for entry in entries if entry.event is Event.UNLOCK_FAILED)
    return AuditPage(latest, len(entries), library.audit.first_broken(), failed, labels)


def export(library: Library, path: Path) -> None:
    """As JSON or, by any other ending, as CSV; that it was exported is in the next export. Raises InputError."""
    entries = library.audit.entries()
    json = path.suffix.lower() == ".json"
    write_text(path, as_json(entries, library.audit.first_broken()) if json else as_csv(entries))
    library.record(Event.EXPORTED, detail="audit-log.json" if json else "audit-log.csv")


def case_said(entry: Entry, labels: Mapping[str, str]) -> str:
    deleted = tr("(deleted, {number})").format(number=entry.subject[:8]) if entry.subject else ""
    return labels.get(entry.subject) or deleted


def detail_said(entry: Entry) -> str:
    if entry.event not in (Event.BACKED_UP, Event.BACKUP_TESTED, Event.RESTORED) or not entry.detail:
        return _DETAILS.get(entry.detail, entry.detail)
    made, _, count = entry.detail.partition(",cases=")
    said = moment(datetime.fromisoformat(made + "+00:00"))
    return f"{said} · {counted(int(count), 'case')}" if count else said


_Row = tuple[Entry, Mapping[str, str]]
_AUDIT_COLUMNS = (
    Column[_Row](tr("When"), 160, lambda row: moment(row[0].at)),
    Column[_Row](tr("What"), 190, lambda row: NAMES[row[0].event]),
    Column[_Row](tr("Case"), 220, lambda row: case_said(*row)),
    Column[_Row](tr("More"), 240, lambda row: detail_said(row[0])),
    Column[_Row](tr("Who (login)"), 120, lambda row: row[0].who),
)


class AuditWindow(Page):
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
        self.list = Rows(tr("Entries"), _AUDIT_COLUMNS)
        for part, stretch in ((self.chain, 0), (self.failed, 0), (self.list, 1)):
            self.body.addWidget(part, stretch)
        self.csv = self.button(tr("Export as CSV…"), lambda: self._export("csv"))
        self.json = self.button(tr("Export as JSON…"), lambda: self._export("json"))
        self.finish(880, 520)
        self.refresh()

    def refresh(self) -> None:
        self.run(read, self._show)

    def _show(self, page: AuditPage) -> None:
        chain = tr("Checked: {entries}, each sealed by the next. None was changed or taken out.")
        if page.first_broken is not None:
            chain = tr(
                "⚠ Entry {broken:,} was changed, or one before it was taken out. Ask whoever has access to this file."
            )
        self.chain.setText(chain.format(entries=counted(page.total, "entry", "entries"), broken=page.first_broken))
        failed = tr("No failed unlock.")
        if page.failed:
            unlocks, latest = counted(len(page.failed), tr("failed unlock")), moment(page.failed[-1])
            failed = tr("{unlocks}, the latest on {latest}.").format(unlocks=unlocks, latest=latest)
        self.failed.setText(failed)
        self.list.show_rows((entry, page.labels) for entry in page.entries)
        if len(page.entries) < page.total:
            self.said.say(tr("The latest {count:,} are shown; an export has them all.").format(count=len(page.entries)))

    def _export(self, kind: str) -> None:
        name = save_file(self, tr("Export the audit log"), f"audit-log.{kind}", f"{kind.upper()} (*.{kind})")
        if name:
            self.export_to(Path(name if Path(name).suffix else f"{name}.{kind}"))

    def export_to(self, path: Path) -> None:
        def done(_: object) -> None:
            self.refresh()
            self.said.say(exported(path.name))

        self.run(lambda library: export(library, path), done)
