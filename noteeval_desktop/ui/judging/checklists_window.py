"""Checklists: the one in use, ready-made ones and the practice's own; made, changed, imported and exported here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QSplitter, QWidget

from noteeval_desktop import checklists, documents
from noteeval_desktop.documents.checklists import Imported, checklist_bytes, new_id
from noteeval_desktop.documents.item_rules import RULES
from noteeval_desktop.domain.case import Visit
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.phrases import counted, sentence, tr
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem, section_name
from noteeval_desktop.errors import InputError
from noteeval_desktop.platform.files import write_private
from noteeval_desktop.present.vocabulary import IMPORTANCE_NAMES, PLACE_NAMES
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.widgets import words
from noteeval_desktop.ui.widgets.choosing import open_file, save_file
from noteeval_desktop.ui.widgets.dialogs import Asking, Column, Rows
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, problem
from noteeval_desktop.ui.widgets.parts import Window, button, choice, column, row, show_once, sure, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel, announce
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, open_at


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
            raise InputError(name, tr("this checklist no longer exists"), tr("Choose one under “Checklists…”."))
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
            said = tr("Checked again with the checklist “{now}”; before, it was “{before}”.")
            now, then = evaluation.rubric.titled, before[1].titled
            self._window.banner.say(said.format(now=now, before=then), [(f"{TITLE}…", self.show)], passing=True)


TITLE = tr("Checklists")
_FILES = tr("Checklists and tables (*.json *.csv *.xlsx *.md)")
_CHECKLIST_FILES = tr("NoteEval checklist (*.json)")
_NEW, _IN_USE = tr("New checklist"), tr("It is in use. Choose another checklist first.")
_TO_A_JUDGE = tr("A judge reads the name and what must be there: say what you would accept, and what you would not.")
_PLACES = {section_name(section): section for section in (*SOAP, None)}
_VISITS = {Visit.ANY: tr("every session"), Visit.FIRST: tr("first session"), Visit.LATER: tr("later sessions")}


@dataclass(frozen=True, slots=True)
class Listed:
    """``own``: the practice's, to be changed."""

    rubric: Rubric
    kind: str
    own: bool = False


def _judged_by(item: RubricItem, learned: frozenset[str]) -> str:
    if item.rule:
        return tr("rule: {rule}").format(rule=RULES[item.rule].looks_for)
    return tr("quick check and language model") if item.id in learned else tr("language model only")


def _item_columns(learned: frozenset[str]) -> tuple[Column[RubricItem], ...]:
    return (
        Column(tr("Item"), 210, lambda item: item.name),
        Column(tr("Importance"), 115, lambda item: IMPORTANCE_NAMES[item.importance]),
        Column(tr("Where"), 95, lambda item: PLACE_NAMES[item.section]),
        Column(tr("Judged by"), 240, lambda item: _judged_by(item, learned)),
        Column(tr("What must be there"), 400, lambda item: item.more),
    )


class ChecklistsWindow(Window):
    """``chosen``: the Rubric to be used from now on."""

    chosen = Signal(object)

    def __init__(self, jobs: JobRunner, shipped: Rubric, in_use: str, parent: QWidget) -> None:
        """``in_use``: its name."""
        super().__init__(parent, TITLE, (980, 640))
        self._jobs, self._shipped, self.in_use = jobs, shipped, in_use
        self._learned = frozenset(item.id for item in shipped.items)
        self._before: list[tuple[Rubric | None, Rubric | None]] = []
        self._versions: dict[str, str] = {}
        self.named: dict[str, Listed] = {}
        self.lists = Rows[Listed](
            TITLE,
            (
                Column(tr("Name"), 330, lambda one: one.rubric.name),
                Column(tr("Version"), 65, lambda one: one.rubric.version),
                Column(tr("Items"), 60, lambda one: str(len(one.rubric.items))),
                Column(tr("Kind"), 130, lambda one: one.kind),
                Column(tr("In use"), 70, lambda one: tr("✓ in use") if one.rubric.name == self.in_use else ""),
            ),
        )
        self.items = Rows[RubricItem](tr("Items"), _item_columns(self._learned))
        by_choice = tr(
            "Choose the checklist that fits the session. You can limit its items to certain note formats, and to first "
            "or later sessions if the client’s earlier notes are known."
        )
        self.source, self.said = PlainLabel("", look="muted", wrap=True), PlainLabel("", wrap=True)
        self.use = button(tr("Use this checklist"), self._use, "primary", height=HIT)
        self.copy = button(tr("Copy to change…"), self._copy, height=HIT)
        self.remove = button(tr("Delete"), self._remove, height=HIT)
        self.export = button(tr("Export…"), self.export_to, height=HIT)
        self.add = button(tr("Add item…"), lambda: self.edit(None), height=HIT)
        self.change = button(tr("Change item…"), lambda: self.edit(self.items.chosen()), height=HIT)
        self.drop = button(tr("Remove item"), self._drop, height=HIT)
        self.undo = button(tr("Undo"), self.take_back, height=HIT)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self, self.take_back)
        new = button(tr("New…"), self._new, height=HIT)
        imported = button(tr("Import…"), self._choose_import, height=HIT)
        upper, lower, split = QWidget(), QWidget(), QSplitter(Qt.Orientation.Vertical)
        above = row(new, imported, self.copy, self.export, self.remove, None, self.use)
        column(
            PlainLabel(by_choice, look="muted", wrap=True),
            (self.lists, 1),
            above,
            on=upper,
            margins=(0, 0, 0, 1),
            spacing=1,
        )
        below = row(self.add, self.change, self.drop, self.undo, None)
        column(self.source, (self.items, 1), below, on=lower, margins=(0, 1, 0, 0), spacing=1)
        for part in (upper, lower):
            split.addWidget(part)
        # Shares: with halves, what a low screen leaves of the lower one is its buttons and two items.
        split.setSizes([2 * UNIT * UNIT, 3 * UNIT * UNIT])
        close = button(words.CLOSE, self.reject, height=HIT)
        column((split, 1), row((self.said, 1), close), on=self, margins=(2,), spacing=1)
        self.lists.currentItemChanged.connect(lambda *_: self._show_items())
        self.items.itemActivated.connect(lambda *_: self.change.isEnabled() and self.edit(self.items.chosen()))
        self._load(in_use)

    # What is listed

    def _load(self, choose: str) -> None:
        def read() -> tuple[list[Listed], tuple[str, ...]]:
            own, problems = checklists.own_checklists()
            listed = [Listed(one, tr("your own"), own=True) for one in own]
            made = [Listed(one, tr("ready-made")) for one in checklists.ready_made()]
            return [Listed(self._shipped, tr("standard")), *listed, *made], problems

        def show(found: tuple[list[Listed], tuple[str, ...]]) -> None:
            self.lists.show_rows(found[0])
            self.named = {one.rubric.name.lower(): one for one in found[0]}
            for line in self.lists.findItems(choose, Qt.MatchFlag.MatchExactly):
                self.lists.setCurrentItem(line)
            self._show_items()
            if found[1]:
                self.say(" ".join(found[1]))

        self._run(read, show)

    def _run(self, work: Callable[[], object], done: Callable[..., object]) -> None:
        self._jobs.call(Lane.DISK, "checklists", work, done, lambda error: self.say(problem(error)), owner=self)

    def say(self, text: str) -> None:
        self.said.setText(text)
        announce(self.said, text)

    def _show_items(self) -> None:
        shown = self.lists.chosen()
        self.items.show_rows(shown.rubric.items if shown is not None else ())
        self.source.setText(shown.rubric.source if shown is not None else "")
        self.source.setVisible(bool(self.source.text()))
        own = shown is not None and shown.own
        for each in (self.add, self.change, self.drop, self.remove):
            each.setEnabled(own)
        self.use.setEnabled(shown is not None and bool(shown.rubric.items) and shown.rubric.name != self.in_use)
        self.undo.setEnabled(bool(self._before))

    # Using

    def _use(self) -> None:
        shown = self.lists.chosen()
        if shown is not None:
            self.in_use = shown.rubric.name
            self.chosen.emit(shown.rubric)
            self._load(self.in_use)

    # Changing

    def _put(self, before: Rubric | None, after: Rubric | None) -> None:
        """One own checklist becomes another; None: it is not there."""
        self._before.append((before, after))
        self._keep(before, after)

    def _keep(self, before: Rubric | None, after: Rubric | None) -> None:
        def work() -> None:
            if after is not None:
                checklists.keep_checklist(after, before.name if before is not None else "")
            elif before is not None:
                checklists.remove_checklist(before.name)

        def done(_: object) -> None:
            if after is not None and before is not None and before.name == self.in_use:
                self.in_use = after.name
                self.chosen.emit(after)
            self._load(after.name if after is not None else self.in_use)

        self._run(work, done)

    def take_back(self) -> None:
        """The last change of this window."""
        if not self._before:
            return
        before, after = self._before.pop()
        if before is None and after is not None and after.name == self.in_use:
            self._before.append((before, after))
            self.say(_IN_USE)
        else:
            self._keep(after, before)

    def _changed(self, rubric: Rubric, items: Sequence[RubricItem]) -> None:
        """In the next version, one for all changes before it is used: a case keeps the one that it was judged by."""
        if rubric.name == self.in_use:
            self._versions.pop(rubric.name, None)
        first = self._versions.setdefault(rubric.name, rubric.version)
        version = str(int(first) + 1) if first.isdecimal() else f"{first}.1"
        self._put(rubric, replace(rubric, version=version, items=tuple(items)))

    def edit(self, item: RubricItem | None) -> ItemDialog | None:
        """None: a new one."""
        shown = self.lists.chosen()
        if shown is None or not shown.own:
            return None
        rubric = shown.rubric
        others = [one for one in rubric.items if one != item]
        dialog = ItemDialog(self, item, others)

        def done() -> None:
            made = dialog.item([one.id for one in others] + list(self._learned))
            items = [made if one == item else one for one in rubric.items] + ([made] if item is None else [])
            dialog.accept()
            self._changed(rubric, items)

        dialog.ask(done)
        return dialog

    def _drop(self) -> None:
        shown, item = self.lists.chosen(), self.items.chosen()
        if shown is not None and item is not None:
            self._changed(shown.rubric, [one for one in shown.rubric.items if one != item])

    def _new(self) -> NameDialog:
        return self._named(Rubric("", "1", ()))

    def _copy(self) -> None:
        shown = self.lists.chosen()
        if shown is not None:
            name = tr("{name}, ours").format(name=shown.rubric.name)
            self._named(replace(shown.rubric, name=name, version="1"))

    def _named(self, rubric: Rubric) -> NameDialog:
        explained = tr("Give it a name. Its items can be changed afterwards.")
        dialog = NameDialog(self, _NEW, explained, words.SAVE, rubric.name, self.named)

        def done() -> None:
            dialog.accept()
            self._put(None, replace(rubric, name=dialog.name.text().strip()))

        dialog.ask(done)
        return dialog

    def _remove(self) -> None:
        shown = self.lists.chosen()
        if shown is None:
            return
        if shown.rubric.name == self.in_use:
            self.say(_IN_USE)
            return
        asked = tr("Delete “{name}”?").format(name=shown.rubric.name)
        if sure(self, asked, tr("Cases that were checked with it keep it. Undo brings it back."), tr("Delete")):
            self._put(shown.rubric, None)

    # Files

    def _choose_import(self) -> None:
        if chosen := open_file(self, tr("Import a checklist"), _FILES):
            self.import_from(Path(chosen))

    def import_from(self, path: Path) -> None:
        self._run(lambda: documents.read_checklist(path, self._shipped), self._preview)

    def _preview(self, found: Imported) -> None:
        dialog = ImportDialog(self, found, self._learned, self.named)
        self.preview = dialog

        def done() -> None:
            dialog.accept()
            name = dialog.name.text().strip()
            old = self.named.get(name.lower())
            version = found.rubric.version
            if old is not None and version == old.rubric.version and version.isdecimal():
                version = str(int(version) + 1)
            self._put(old.rubric if old else None, replace(found.rubric, name=name, version=version))

        dialog.ask(done)

    def export_to(self, path: Path | None = None) -> None:
        """As a file that colleagues import; ``path`` is asked for where it is None."""
        shown = self.lists.chosen()
        if shown is None:
            return
        chosen = path or save_file(self, tr("Export the checklist"), f"{shown.rubric.name}.json", _CHECKLIST_FILES)
        if chosen:
            target, content = Path(chosen).with_suffix(".json"), checklist_bytes(shown.rubric)
            said = words.exported(target.name)
            self._run(lambda: write_private(target, content), lambda _: self.say(said))


class NameDialog(Asking):
    """``taken``: what there is by name; an own one gives way where it ``may_replace`` it."""

    may_replace = False

    def __init__(
        self, parent: QWidget, title: str, explained: str, go: str, name: str, taken: Mapping[str, Listed]
    ) -> None:
        super().__init__(parent, title, explained, go)
        self._taken = taken
        self.name = self.field(tr("Name"), shown=name)

    def problem(self) -> str:
        name = self.name.text().strip().lower()
        if not name:
            return tr("Give the checklist a name.")
        if name in self._taken and not (self.may_replace and self._taken[name].own):
            return tr("There is already a checklist with this name. Choose another name.")
        return ""


class ImportDialog(NameDialog):
    """What was read, before it is kept: its items, what has to be put right, and what is not used."""

    may_replace = True

    def __init__(self, parent: QWidget, found: Imported, learned: frozenset[str], taken: Mapping[str, Listed]) -> None:
        many = counted(len(found.rubric.items), "item")
        explained = tr("This was read: {items}. Look through them before you import the checklist.").format(items=many)
        super().__init__(parent, tr("Import a checklist"), explained, words.IMPORT, found.rubric.name, taken)
        self.items = Rows[RubricItem](tr("Items"), _item_columns(learned))
        self.items.show_rows(found.rubric.items)
        self.items.setMinimumHeight(4 * HIT)
        self.form.addRow(self.items)
        alone = sum(not item.rule and item.id not in learned for item in found.rubric.items)
        left = tr("{items} will be judged by a language model only; the quick check says so and leaves them open.")
        notices = [*found.notices, left.format(items=counted(alone, "item"))] if alone else [*found.notices]
        said = "\n".join((*found.problems, *notices))
        self.told = writing(tr("What to know about this file"), said, read_only=True)
        self.told.setMaximumHeight(4 * HIT)
        self.told.setVisible(bool(said))
        self.form.addRow(self.told)
        open_at(self, 760, 620)
        if found.problems:
            self.go.setEnabled(False)
            rows = counted(len(found.problems), "row")
            self.say(tr("{rows} must be corrected first. Correct the file and import it again.").format(rows=rows))


class ItemDialog(Asking):
    def __init__(self, parent: QWidget, item: RubricItem | None, others: Sequence[RubricItem]) -> None:
        super().__init__(parent, tr("Checklist item"), _TO_A_JUDGE, words.SAVE)
        self._item, self._others = item, others
        old = item or RubricItem("", None, Importance.MANDATORY, "", "")
        self.name = self.field(tr("Name"), shown=old.name)
        self.description = writing(tr("What must be there"), old.description)
        self.description.setMaximumHeight(4 * HIT)
        self.form.addRow(tr("What must be there"), self.description)
        places = {place: PLACE_NAMES[section] for place, section in _PLACES.items()}
        rules = {"": tr("a judge")} | {rule: sentence(known.looks_for) for rule, known in RULES.items()}
        self.section = self._choice(tr("Where"), places.items(), section_name(old.section))
        self.importance = self._choice(tr("Importance"), IMPORTANCE_NAMES.items(), old.importance)
        self.rule = self._choice(tr("Decided by"), rules.items(), old.rule)
        self.visit = self._choice(tr("Asked in"), _VISITS.items(), old.visit)
        self.formats = self.field(tr("Note formats (empty: all)"), shown=", ".join(old.formats))

    def _choice(self, name: str, options: Iterable[tuple[str, str]], chosen: str) -> QComboBox:
        made = choice(name, ((said, value) for value, said in options), chosen)
        self.form.addRow(name, made)
        return made

    def problem(self) -> str:
        name, section = self.name.text().strip().lower(), _PLACES[self.section.currentData()]
        if not name:
            return tr("The item has no text. Give it a name.")
        if any((one.name.lower(), one.section) == (name, section) for one in self._others):
            return tr("There is already an item with this name.")
        return ""

    def item(self, taken: Sequence[str]) -> RubricItem:
        """One that is asked in other words or elsewhere is another item: no earlier mark is about it."""
        name, section = self.name.text().strip(), _PLACES[self.section.currentData()]
        description = self.description.toPlainText().strip() or name
        old = self._item
        if old is None or (old.name, old.description, old.section) != (name, description, section):
            old = RubricItem(new_id(section, name, taken), section, Importance.MANDATORY, name, description)
        return replace(
            old,
            importance=Importance(self.importance.currentData()),
            rule=self.rule.currentData(),
            formats=tuple(self.formats.text().upper().replace(",", " ").split()),
            visit=Visit(self.visit.currentData()),
        )
