"""One clinician's notes over time: the chart, what is missed again and again, and both as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from noteeval_desktop.domain.phrases import counted, day, tr
from noteeval_desktop.domain.progress import Count, Miss, Progress
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.ui.library import trainee
from noteeval_desktop.ui.library.access import Access
from noteeval_desktop.ui.library.page import Page
from noteeval_desktop.ui.library.trainee_chart import TraineeChart
from noteeval_desktop.ui.widgets.choosing import save_file
from noteeval_desktop.ui.widgets.dialogs import Column, Rows
from noteeval_desktop.ui.widgets.parts import row
from noteeval_desktop.ui.widgets.plain import PlainLabel, name_choice
from noteeval_desktop.ui.widgets.theme import HIT, Theme
from noteeval_desktop.ui.widgets.words import CLINICIAN, EXPORT, JUDGE, exported


def _missed(count: Count) -> str:
    return tr("{missed} of {of}").format(missed=count.missed, of=count.of) if count.of else "–"


def _last_seen(miss: Miss) -> str:
    return day(max(count.last for count in (miss.supervisor, miss.judge) if count.last is not None))


_COLUMNS = (
    Column[Miss](
        tr("Missing checklist item"),
        310,
        lambda m: tr("{name} (mandatory)").format(name=m.name) if m.mandatory else m.name,
    ),
    Column[Miss](tr("Section"), 110, lambda miss: miss.section),
    Column[Miss](tr("Supervisor"), 100, lambda miss: _missed(miss.supervisor)),
    Column[Miss](JUDGE, 100, lambda miss: _missed(miss.judge)),
    Column[Miss](tr("Last seen"), 120, _last_seen),
)


class TraineeWindow(Page):
    """``open_asked(str)``: a case's id; ``shown`` after each reading."""

    open_asked = Signal(str)
    shown = Signal()

    def __init__(self, access: Access, rubric: Rubric, theme: Theme, parent: QWidget) -> None:
        about = tr(
            "How the notes of one clinician were marked, session by session. It describes notes, not people: a note "
            "depends on its session, and a trend over a few notes means little."
        )
        super().__init__(access, tr("A clinician over time"), about, parent)
        self._rubric = rubric
        self.progress: Progress | None = None
        self.clinician = QComboBox()
        name_choice(self.clinician, CLINICIAN)
        self.clinician.setMinimumHeight(HIT)
        self.clinician.activated.connect(lambda _: self.refresh())
        self.body.addLayout(row(PlainLabel(CLINICIAN), (self.clinician, 1)))
        self.chart = TraineeChart(theme)
        self.chart.slot_chosen.connect(self._show_slot)
        self.chart.open_asked.connect(self.open_asked.emit)
        self.body.addWidget(self.chart)
        self.slot = PlainLabel("", look="muted", wrap=True)
        self.slot.setMinimumHeight(2 * self.slot.fontMetrics().lineSpacing())
        self.body.addWidget(self.slot)
        self.misses = Rows(tr("Checklist items that are often missing"), _COLUMNS)
        self.body.addWidget(self.misses, 1)
        # Where there is nothing to show, the words stay together at the top.
        self.body.addStretch()
        self.open_it = self.button(tr("Open the case"), self._open)
        self.as_pdf = self.button(tr("Export as PDF…"), lambda: self._choose_file("pdf"))
        self.as_csv = self.button(tr("Export as CSV…"), lambda: self._choose_file("csv"))
        self.finish(820, 760)
        self._enable()
        self.refresh()

    def refresh(self) -> None:
        chosen, rubric = self.clinician.currentText(), self._rubric
        self.run(lambda library: trainee.load(library, chosen, rubric), self._show)

    def _show(self, found: trainee.Trainee) -> None:
        self.progress = found.progress
        self.clinician.clear()
        self.clinician.addItems(found.clinicians)
        self.clinician.setCurrentText(found.chosen)
        self.clinician.setEnabled(bool(found.clinicians))
        slots = found.progress.slots
        self.chart.show_slots(slots)
        self.chart.setVisible(bool(slots))
        self.misses.show_rows(found.progress.misses)
        self.misses.setVisible(bool(slots))
        self.slot.setText(_first_words(found))
        self._enable()
        self.shown.emit()

    def _enable(self) -> None:
        some = self.progress is not None and bool(self.progress.slots)
        self.as_pdf.setEnabled(some)
        self.as_csv.setEnabled(some)
        self.open_it.setEnabled(self.chart.at >= 0)

    def _show_slot(self, number: int) -> None:
        self.slot.setText(trainee.said(self.chart.slots[number]))
        self._enable()

    def _open(self) -> None:
        if self.chart.at >= 0:
            self.open_asked.emit(self.chart.slots[self.chart.at].case)

    def _choose_file(self, kind: str) -> None:
        name = save_file(self, EXPORT, f"notes-over-time.{kind}", f"{kind.upper()} (*.{kind})")
        if name:
            self.export_to(Path(name), kind)

    def export_to(self, path: Path, kind: str) -> None:
        assert self.progress is not None
        write = _writer(self.progress, self.clinician.currentText(), self._rubric, kind)

        def written(_: object) -> None:
            self.access.note_export(f"notes-over-time.{kind}")
            self.say(exported(path.name))

        self.run(lambda _: write(path), written)


def _writer(progress: Progress, clinician: str, rubric: Rubric, kind: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        # Here, not above: laying out a PDF loads a library that the window does without.
        from noteeval_desktop.report.csv_layout import write_progress_csv
        from noteeval_desktop.report.draw_pdf import write_pdf
        from noteeval_desktop.report.progress_page import progress_page

        if kind == "pdf":
            write_pdf(progress_page(progress, clinician), path)
        else:
            write_progress_csv(progress, path, rubric)

    return write


def _first_words(found: trainee.Trainee) -> str:
    if not found.clinicians:
        return tr("No case has a clinician yet. Add one under “Labels…” in the library.")
    if not found.progress.slots:
        return trainee.NOT_CHECKED
    said = counted(len(found.progress.slots), tr("marked revision"))
    return said + ("." if found.progress.misses else tr(". No checklist item is missing in the latest revisions."))
