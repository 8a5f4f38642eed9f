"""The client's treatment plan beside session and note: what speaks to each goal, and a person's word on every link."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QHeaderView,
    QInputDialog,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from noteeval_desktop import documents
from noteeval_desktop.compliance.goals import rule_of
from noteeval_desktop.domain.decisions import DecisionKind, link_subject
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import PlanLine, TreatmentPlan
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.errors import InputError
from noteeval_desktop.present.thread import ThreadRow, ThreadState, Told, thread_rows, thread_summary, thread_trust
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.dialogs import Asking
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, show_once, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, colour_of

Index = QModelIndex | QPersistentModelIndex
PLAN_FILES = ";;".join((tr("Treatment plans (*.txt *.md *.docx *.pdf)"), tr("All files (*)")))
_AS = tr("Goal 1: Sleep through the night\n  Objective 1a: Seven hours on five nights\nInterventions: sleep diary")


class _Wrapped(QStyledItemDelegate):
    """Text over as many lines as its column needs, none lower than what a finger hits."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        tree = self.parent()
        assert isinstance(tree, QTreeWidget)
        deep = 2 if index.parent().isValid() else 1
        room = tree.columnWidth(index.column()) - (deep * tree.indentation() if index.column() == 0 else 0) - 2 * UNIT
        wrapped = QFontMetrics(option.font).boundingRect(
            QRect(0, 0, max(room, 8 * UNIT), 0), int(Qt.TextFlag.TextWordWrap), str(index.data())
        )
        return QSize(super().sizeHint(option, index).width(), max(HIT, wrapped.height() + UNIT))


def _about(item: QTreeWidgetItem | None) -> ThreadRow | Told | None:
    return item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None


class PlanDialog(Asking):
    """Asks for a plan, typed, pasted or from a file; ``plan`` once it was given. ``used(plan)``, None to go without."""

    used = Signal(object)

    def __init__(self, parent: QWidget, jobs: JobRunner, plan: TreatmentPlan | None) -> None:
        explained = tr("Type or paste the goals, their objectives and the interventions, each on a line of its own.")
        super().__init__(parent, tr("Treatment plan"), explained, tr("Use this plan"))
        self._jobs = jobs
        self.text = writing(tr("Treatment plan"), plan.text if plan is not None else "", _AS)
        self.text.setMinimumHeight(260)
        self.form.addRow(self.text)
        self.side_button(0, tr("Open a file…"), self._choose)
        if plan is not None:
            self.side_button(1, tr("Continue without a plan"), lambda: self._use(None))
        self.asked.connect(self._read)

    def _choose(self) -> None:
        if chosen := open_file(self, tr("Open treatment plan"), PLAN_FILES):
            self.open_plan(Path(chosen))

    def open_plan(self, path: Path) -> None:
        """What the file says may be looked at and changed before it is used."""

        def read(plan: TreatmentPlan) -> None:
            self.text.setPlainText(plan.text)
            self.say("")

        def failed(error: Exception) -> None:
            self.show_problem(problem(error, tr("Type the plan in.")))

        self._jobs.call(Lane.DISK, "plan", lambda: documents.read_plan(path), read, failed, owner=self)

    def offer(self, plan: TreatmentPlan | None) -> None:
        """The one that the client's last note was checked with, unless something has been typed."""
        if plan is not None and not self.text.toPlainText().strip():
            self.text.setPlainText(plan.text)
            self.go.setFocus()
            self.say(tr("This is the plan that this client's last note was checked with."))

    def _read(self) -> None:
        try:
            self._use(documents.parse_plan(self.text.toPlainText()))
        except InputError as error:
            self.show_problem(str(error))

    def _use(self, plan: TreatmentPlan | None) -> None:
        self.used.emit(plan)
        self.accept()


class PlanWindow(Window):
    """Stays beside the main window. Three columns: the plan, the session, the note; under each goal the sentences that
    speak to it. ``place_asked(Span)`` in the note, ``turn_asked(int)`` in the session."""

    place_asked = Signal(object)
    turn_asked = Signal(int)

    def __init__(self, session: CaseSession, jobs: JobRunner, parent: QWidget) -> None:
        super().__init__(parent, tr("Treatment plan"), (940, 560), once=True)
        self._session, self._jobs = session, jobs
        self.summary = PlainLabel("", look="heading", wrap=True)
        self.about = PlainLabel("", look="muted", wrap=True)
        self.tree = self._made_tree()
        self.yes = button(tr("Yes, it addresses this"), lambda: self._decide(DecisionKind.ATTEST))
        self.no = button(tr("No, it does not"), lambda: self._decide(DecisionKind.DISMISS))
        self.link = button(tr("Link a sentence…"), self._link)
        self.change = button(tr("Change the plan…"), self.ask_plan)
        answers = row(self.yes, self.no, self.link, None, self.change)
        column(self.summary, self.about, (self.tree, 1), answers, on=self, margins=(2,), spacing=1)
        session.findings_changed.connect(self._show)
        self._show()

    def _made_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderLabels([tr("Plan"), tr("Session"), tr("Note")])
        tree.setAccessibleName(tr("Treatment plan, session and note"))
        tree.setWordWrap(True)
        tree.setAllColumnsShowFocus(True)
        header = tree.header()
        header.setStretchLastSection(False)
        modes = QHeaderView.ResizeMode
        for number, mode in enumerate((modes.Stretch, modes.ResizeToContents, modes.Stretch)):
            header.setSectionResizeMode(number, mode)
        tree.setItemDelegate(_Wrapped(tree))
        # Lines wrap otherwise when a column gets another width.
        header.sectionResized.connect(lambda *_: tree.scheduleDelayedItemsLayout())
        tree.currentItemChanged.connect(lambda now, _: self._offer(now))
        tree.itemActivated.connect(lambda item, _: self._go_to(item))
        return tree

    def ask_plan(self) -> PlanDialog:
        asking = PlanDialog(self, self._jobs, self._session.plan)
        asking.used.connect(self._session.use_plan)
        return show_once(asking)

    def _show(self) -> None:
        evaluation, plan = self._session.evaluation, self._session.plan
        rows = thread_rows(evaluation, tuple(self._session.decisions.values())) if evaluation and plan else ()
        at = self._at(self.tree.currentItem())
        self.tree.clear()
        for each in rows:
            self.tree.addTopLevelItem(self._item(each))
        self.tree.expandAll()
        self._choose(at)
        trust = thread_trust(rows)
        self.summary.setText(thread_summary(rows) if rows else tr("No plan yet.") if plan is None else tr("Checking…"))
        asked = tr("Say whether each “?” is right, and link what is missing.")
        self.about.setText(f"{trust} {asked}" if trust else "")
        self.about.setVisible(bool(trust))
        self.link.setEnabled(bool(rows))
        self._offer(self.tree.currentItem())

    def _item(self, shown: ThreadRow) -> QTreeWidgetItem:
        look = shown.state.value
        item = QTreeWidgetItem([f"{shown.name}: {shown.line.text}", shown.session or "–", f"{look.sign} {shown.note}"])
        item.setData(0, Qt.ItemDataRole.UserRole, shown)
        item.setForeground(2, colour_of(look.tone))
        for told in shown.told:
            sure = ThreadState.IN_NOTE if told.link.certain else ThreadState.PERHAPS
            goes = f" ({told.progress})" if told.progress else ""
            aim = told.line.text if told.line.id != shown.line.id else ""
            child = QTreeWidgetItem([aim, "", f"{sure.value.sign} “{told.sentence.text}”{goes}"])
            child.setData(0, Qt.ItemDataRole.UserRole, told)
            child.setData(2, Qt.ItemDataRole.AccessibleTextRole, f"{sure.value.name}: {told.sentence.text}{goes}")
            item.addChild(child)
        return item

    # One line

    def _at(self, item: QTreeWidgetItem | None) -> tuple[str, str]:
        """The line of the plan and the sentence that an item is about; empty strings for neither."""
        about = _about(item)
        if isinstance(about, Told):
            return about.line.goal or about.line.id, about.sentence.id
        return (about.line.id, "") if isinstance(about, ThreadRow) else ("", "")

    def _choose(self, at: tuple[str, str]) -> None:
        """The same line, or where its sentence is gone the goal that it stood under."""
        tops = [self.tree.topLevelItem(n) for n in range(self.tree.topLevelItemCount())]
        items = [item for top in tops if top for item in (top, *(top.child(n) for n in range(top.childCount())))]
        for wanted in (at, (at[0], "")):
            if found := next((item for item in items if self._at(item) == wanted), None):
                self.tree.setCurrentItem(found)
                return

    def _offer(self, item: QTreeWidgetItem | None) -> None:
        about = _about(item)
        self.yes.setEnabled(isinstance(about, Told) and not about.link.certain)
        self.no.setEnabled(isinstance(about, Told))

    def _go_to(self, item: QTreeWidgetItem) -> None:
        about = _about(item)
        if isinstance(about, Told):
            self.place_asked.emit(about.sentence.span)
        elif isinstance(about, ThreadRow) and about.turns:
            self.turn_asked.emit(about.turns[0])

    def _decide(self, kind: DecisionKind) -> None:
        if isinstance(about := _about(self.tree.currentItem()), Told):
            self._keep(kind, about.line, about.sentence.text)

    def _keep(self, kind: DecisionKind, line: PlanLine, sentence: str) -> None:
        """With a link the remark that the note has none is answered."""
        linked = kind is DecisionKind.ATTEST
        said = (tr("Addresses “{line}”.") if linked else tr("Does not address “{line}”.")).format(line=line.text)
        self._session.decide(kind, link_subject(line.text, sentence), said)
        for finding in self._session.findings() if linked else ():
            source = finding.ranked.source
            if isinstance(source, Remark) and source.rule == rule_of(line.goal):
                self._session.decide(DecisionKind.DISMISS, finding.key, said)

    def _link(self) -> None:
        """A sentence of the note to the goal or intervention that is chosen, or the first."""
        item, evaluation = self.tree.currentItem() or self.tree.topLevelItem(0), self._session.evaluation
        shown = _about(item.parent() or item) if item is not None else None
        if evaluation is None or not isinstance(shown, ThreadRow):
            return
        sentences = [sentence.text for sentence in evaluation.case.note.sentences]
        asked = tr("Which sentence addresses “{line}”?").format(line=shown.line.text)
        chosen, agreed = QInputDialog.getItem(self, tr("Link a sentence"), asked, sentences, 0, False)
        if agreed:
            self._keep(DecisionKind.ATTEST, shown.line, chosen)
