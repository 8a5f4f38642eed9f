"""Old cases that the library's rules would archive or delete.

Nothing is archived or deleted before someone has seen the list and agreed.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QSpinBox, QTreeWidgetItem, QWidget

from noteeval_desktop.domain.phrases import counted, day, listed, sentence, tr
from noteeval_desktop.store.cases import now
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseSummary
from noteeval_desktop.store.retention import Due, Rules, due
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.dialogs import number_field
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.parts import sure
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import CLIENT


def still_in_backups(names: Sequence[str]) -> str:
    return tr("Deleted. Damaged backups could not be changed and may still contain it, encrypted: {names}.").format(
        names=", ".join(names)
    )


def archived_and_deleted(archive: int, delete: int, ending: str = "") -> str:
    """ "archive 3 cases and delete 1 case"; empty for none."""
    parts = [tr("archive {cases}").format(cases=counted(archive, "case"))] * bool(archive)
    parts += [tr("delete {cases}{ending}").format(cases=counted(delete, "case"), ending=ending)] * bool(delete)
    return listed(parts)


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
                "Your own rules for cases that nobody has changed for long. Nothing is archived or "
                "deleted before you have seen the list and agreed."
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
