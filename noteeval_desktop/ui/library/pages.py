"""The windows about the library itself: its audit log, its backups, and the old cases that its rules would touch.

Nothing is archived or deleted before someone has seen the list and agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QPushButton, QSpinBox, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.phrases import counted, day, listed, moment, sentence, tr
from noteeval_desktop.report.files import write_text
from noteeval_desktop.store.audit import Entry, Event, as_csv, as_json
from noteeval_desktop.store.backup import Backup, BackupTest
from noteeval_desktop.store.cases import now
from noteeval_desktop.store.errors import CaseNotFound
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary
from noteeval_desktop.store.retention import Due, Rules, due
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.dialogs import number_field
from noteeval_desktop.ui.library.keys_window import KeysWindow
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.jobs import Lane, problem, while_alive
from noteeval_desktop.ui.widgets.parts import button, column, row, show_once, sure
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import HIT, open_at
from noteeval_desktop.ui.widgets.words import CLIENT, CLOSE, SHOW_THEM, exported


class Page(QDialog):
    def __init__(self, access: Access, title: str, explained: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.access = access
        self.body = column(PlainLabel(explained, wrap=True), on=self, margins=(2,), spacing=1)
        self.said = PlainLabel("", look="accent", wrap=True)
        self.said.setMinimumHeight(self.said.fontMetrics().lineSpacing())
        self.buttons = row(None, spacing=1)

    def finish(self, width: int, height: int) -> None:
        """After the parts of its own: the line that says what happened, the buttons, and Close."""
        self.body.addWidget(self.said)
        self.button(CLOSE, self.reject)
        self.body.addLayout(self.buttons)
        open_at(self, width, height)

    def button(self, text: str, does: Callable[[], object]) -> QPushButton:
        made = button(text, does)
        self.buttons.addWidget(made)
        return made

    def run(self, act: Callable[..., object], done: Callable[..., object], lane: Lane = Lane.DISK) -> None:
        """``act(library)`` off the GUI thread, then ``done``; a problem is said here."""
        self.access.run_for(self, act, done, self.said.say, lane)


def still_in_backups(names: Sequence[str]) -> str:
    return tr("Deleted. Damaged backups could not be changed and may still contain it, encrypted: {names}.").format(
        names=", ".join(names)
    )


def archived_and_deleted(archive: int, delete: int, ending: str = "") -> str:
    """ "archive 3 cases and delete 1 case"; empty for none."""
    parts = [tr("archive {cases}").format(cases=counted(archive, "case"))] * bool(archive)
    parts += [tr("delete {cases}{ending}").format(cases=counted(delete, "case"), ending=ending)] * bool(delete)
    return listed(parts)


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
                "What was done with the library and with which case. It names cases by their label and contains "
                "nothing that was said or written."
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


_BACKUPS = tr("Backups")
_Tested = tuple[Backup, BackupTest | None]


_BACKUP_COLUMNS = (
    Column[_Tested](tr("Made"), 190, lambda one: moment(one[0].made)),
    Column[_Tested](tr("Size"), 110, lambda one: tr("{mb:,.1f} MB").format(mb=max(one[0].size / 1e6, 0.1))),
    Column[_Tested](
        tr("Tested by restoring"),
        330,
        lambda one: f"{moment(one[1].at)} · {counted(one[1].cases, 'case')}" if one[1] else tr("not yet"),
    ),
)


class BackupsWindow(Page):
    def __init__(self, access: Access, parent: QWidget) -> None:
        super().__init__(
            access,
            _BACKUPS,
            tr(
                "The library is backed up on each day of use. Backups are encrypted like the library and tested by "
                "restoring them. NoteEval keeps 7 daily, 5 weekly and 12 monthly ones."
            ),
            parent,
        )
        self.list = Rows(_BACKUPS, _BACKUP_COLUMNS)
        self.list.itemSelectionChanged.connect(self._enable)
        self.body.addWidget(self.list, 1)
        self.make = self.button(tr("Back up now"), self._make)
        self.test = self.button(tr("Test by restoring"), self._test)
        self.restore = self.button(tr("Go back to this one…"), self._restore)
        self.finish(720, 420)
        self._enable()
        access.restored.connect(self._on_restored)
        self.refresh()

    def refresh(self) -> None:
        folder = self.access.folder

        def read(library: Library) -> list[_Tested]:
            tests = library.tested_backups()
            return [(backup, tests.get(backup.made)) for backup in Library.backups_in(folder)]

        def show(listed: list[_Tested]) -> None:
            self.list.show_rows(listed)
            self._enable()

        self.run(read, show)

    def chosen(self) -> Backup | None:
        chosen = self.list.chosen()
        return chosen[0] if chosen else None

    def _enable(self) -> None:
        for act in (self.test, self.restore):
            act.setEnabled(self.chosen() is not None)

    def _make(self) -> None:
        self.said.say(tr("Backing up…"))
        self.run(lambda library: library.back_up(), lambda _: self._done(tr("The library was backed up.")), Lane.ASIDE)

    def _test(self) -> None:
        if (backup := self.chosen()) is not None:
            self.said.say(tr("Restoring it to test it…"))
            self.run(
                lambda library: library.test_backup(backup),
                lambda test: self._done(
                    tr("The backup of {made} is complete: {cases}.").format(
                        made=moment(backup.made), cases=counted(test.cases, "case")
                    )
                ),
                Lane.ASIDE,
            )

    def _done(self, said: str) -> None:
        self.said.say(said)
        self.refresh()

    def _restore(self) -> None:
        backup = self.chosen()
        if backup is not None and sure(
            self,
            tr("Restore the library from {made}?").format(made=moment(backup.made)),
            tr(
                "Cases and changes since then leave the library. The present library is not lost: an encrypted copy is "
                "kept beside the backups."
            ),
            tr("Go back to it"),
            title=tr("Go back to a backup"),
        ):
            self.said.say(tr("Reading the backup…"))
            self.access.go_back_to(backup, while_alive(self, lambda error: self.said.say(problem(error))))

    def _on_restored(self) -> None:
        self._done(tr("The library was restored. The previous version is kept beside the backups."))


# A case, and what happens to it.
_Due = tuple[CaseSummary, str]
_DUE_COLUMNS = (
    Column[_Due](tr("Case"), 260, lambda due: due[0].labels.label),
    Column[_Due](CLIENT, 120, lambda due: due[0].labels.client),
    Column[_Due](tr("Last changed"), 130, lambda due: day(due[0].changed.astimezone())),
    Column[_Due](tr("What happens"), 150, lambda due: due[1]),
)
_ARCHIVE, _DELETE = tr("Archive"), tr("Delete for good")


class _Ticked(Rows[_Due]):
    def line(self, value: _Due) -> QTreeWidgetItem:
        item = super().line(value)
        item.setCheckState(0, Qt.CheckState.Checked)
        return item


class RetentionWindow(Page):
    """``rules_changed(Rules)``; ``applied(tuple of deleted ids)``."""

    rules_changed = Signal(object)
    applied = Signal(object)

    def __init__(self, access: Access, rules: Rules, parent: QWidget) -> None:
        super().__init__(
            access,
            tr("Old cases"),
            tr(
                "Your own rules for cases that nobody has changed for long. Nothing is archived or deleted before you "
                "have seen the list and agreed."
            ),
            parent,
        )
        self._timer = QTimer(self, singleShot=True, interval=200)
        self._timer.timeout.connect(lambda: self.rules_changed.emit(self.rules))
        self._timer.timeout.connect(self.refresh)
        self.archive = self._number(tr("Archive after"), rules.archive_after_months, 1200, "month", "months")
        self.delete = self._number(tr("Delete after"), rules.delete_after_years, 100, "year", "years")
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.addRow(tr("Archive cases that were not changed for"), self.archive)
        form.addRow(tr("Delete cases that were not changed for"), self.delete)
        self.body.addLayout(form)
        self.list = _Ticked(tr("Cases that match the rules now"), _DUE_COLUMNS)
        self.list.itemChanged.connect(lambda _: self._count())
        self.body.addWidget(self.list, 1)
        self.apply = self.button(tr("Apply"), self._apply)
        self.finish(720, 520)
        self._count()
        self.refresh()

    def _number(self, name: str, value: int, most: int, one: str, many: str) -> QSpinBox:
        spin = number_field(name)
        spin.setRange(0, most)
        spin.setSpecialValueText(tr("off"))
        spin.setFixedWidth(5 * HIT)

        def name_it(number: int) -> None:
            spin.setSuffix(f" {one if number == 1 else many}")

        spin.valueChanged.connect(name_it)
        spin.valueChanged.connect(lambda _: self._timer.start())
        spin.setValue(value)
        name_it(value)
        self._timer.stop()
        return spin

    @property
    def rules(self) -> Rules:
        return Rules(self.archive.value(), self.delete.value())

    def refresh(self) -> None:
        rules, moment = self.rules, now()

        def show(found: Due) -> None:
            if rules == self.rules:
                self._show(found)

        self.run(lambda library: due(library.cases, rules, moment), show)

    def _show(self, found: Due) -> None:
        both = ((found.delete, _DELETE), (found.archive, _ARCHIVE))
        self.list.show_rows((case, what) for cases, what in both for case in cases)
        self._count()
        if not len(found):
            self.said.say(
                tr("No case matches the rules now.") if self.rules.any else tr("Without a rule, every case is kept.")
            )
        else:
            self.said.say(tr("Untick a case to leave it alone."))

    def chosen(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of the ticked cases: to archive, and to delete."""
        items = [item for n in range(self.list.topLevelItemCount()) if (item := self.list.topLevelItem(n)) is not None]
        ticked = [
            item.data(0, Qt.ItemDataRole.UserRole) for item in items if item.checkState(0) == Qt.CheckState.Checked
        ]
        archive, delete = (tuple(case.id for case, does in ticked if does == what) for what in (_ARCHIVE, _DELETE))
        return archive, delete

    def _count(self) -> None:
        archive, delete = self.chosen()
        told = sentence(archived_and_deleted(len(archive), len(delete)))
        self.apply.setText(f"{told}…" if told else tr("Apply"))
        self.apply.setEnabled(bool(archive or delete))

    def _apply(self) -> None:
        archive, delete = self.chosen()
        if delete:
            means = tr(
                "Sessions, revisions, scores and reviews of these cases are deleted, from the backups too. This cannot "
                "be undone."
            )
        else:
            means = tr("They leave the list; you can restore them.")
        asked = sentence(archived_and_deleted(len(archive), len(delete), tr(" for good")))
        if not sure(self, f"{asked}?", means, tr("Continue"), title=tr("Old cases")):
            return

        def act(library: Library) -> tuple[str, ...]:
            for case_id in archive:
                library.cases.set_archived(case_id, True)
            return library.delete(*delete) if delete else ()

        def done(unchanged: tuple[str, ...]) -> None:
            self.applied.emit(delete)
            self.refresh()
            if unchanged:
                self.said.say(still_in_backups(unchanged))

        self.said.say(tr("One moment…"))
        self.run(act, done)


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
