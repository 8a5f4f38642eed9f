"""The note beside a reference note of the same session: how far their wording agrees, and what each number says."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from noteeval_desktop import documents
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import EncoderMissing, NoteEvalError, unexpected
from noteeval_desktop.judges import making
from noteeval_desktop.judges.reference_scores import WINDOW, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.clinical_terms import clinical_terms
from noteeval_desktop.ui.case.files import NOTE_FILES
from noteeval_desktop.ui.widgets.choosing import open_file
from noteeval_desktop.ui.widgets.jobs import Emit, JobRunner, Lane
from noteeval_desktop.ui.widgets.parts import Window, button, column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.theme import HIT, UNIT

_COMPARE_WITH_REFERENCE = tr("Compare with a reference note")
_CHOOSE_REFERENCE = tr("Choose the reference note…")
SHOWN = {
    "ROUGE-1-F": (tr("Same words (ROUGE-1)"), tr("How many words the notes share. 1: all; 0: none.")),
    "ROUGE-2-F": (tr("Same word pairs (ROUGE-2)"), tr("The same, for two words in a row.")),
    "ROUGE-L-F": (tr("Same order (ROUGE-L)"), tr("How many words they share in the same order.")),
    "BLEU": (tr("Same phrases (BLEU)"), tr("How much of this note's phrasing, up to four words, is in the reference.")),
    "chrF": (tr("Same letters (chrF)"), tr("How many runs of letters they share. A changed number hardly shows.")),
    "Edit-Distance": (
        tr("Edits (edit distance)"),
        tr("How much would have to be retyped. 0: nothing; lower is closer."),
    ),
    "BERTScore-F": (
        tr("Similar words (BERTScore)"),
        tr("How close in meaning the words are. Unrelated notes score too."),
    ),
    "SBERTScore-F": (tr("Similar sentences (SBERTScore)"), tr("How close in meaning each sentence's best match is.")),
    "MIST": (
        tr("Clinical terms (MIST)"),
        tr("How far this note's clinical terms match the reference's. Above 1: this note has more of them."),
    ),
}
_NAME = "reference_metrics"


class ReferenceWindow(Window):
    """Nothing is read or computed before a reference is chosen. ``note_text``: the note as it stands by then."""

    def __init__(self, jobs: JobRunner, note_text: Callable[[], str], parent: QWidget) -> None:
        super().__init__(parent, _COMPARE_WITH_REFERENCE, (114 * UNIT, 58 * UNIT), once=True)
        self._jobs, self._note_text = jobs, note_text
        self.said = PlainLabel(
            tr("Choose another note of the same session, such as a colleague's or an earlier version."), wrap=True
        )
        self.choose = button(_CHOOSE_REFERENCE, self._on_choose, "primary")
        self.table = self._table()
        head = row((self.said, 1), self.choose)
        head.setAlignment(self.choose, Qt.AlignmentFlag.AlignTop)
        words = tr(
            "These numbers compare wording, not truth: a note can agree with the reference and still be wrong about "
            "the session. None of them reliably notices a made-up fact or a missing “not”."
        )
        left_out = tr("Not computed here: BLEURT and ClinicalBLEURT, whose weights do not come with NoteEval.")
        below = PlainLabel(words, wrap=True), PlainLabel(left_out, look="muted", wrap=True)
        column(head, (self.table, 1), *below, on=self, margins=(3, 2, 3, 2), spacing=1)
        self.finished.connect(lambda _: jobs.drop(_NAME))

    def _table(self) -> QTableWidget:
        table = QTableWidget(len(SHOWN), 3)
        table.setHorizontalHeaderLabels([tr("Measure"), tr("Value"), tr("What it says")])
        table.setAccessibleName(_COMPARE_WITH_REFERENCE)
        table.verticalHeader().hide()
        table.setWordWrap(True)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        for line, (name, meaning) in enumerate(SHOWN.values()):
            for place, text in enumerate((name, "", meaning)):
                table.setItem(line, place, QTableWidgetItem(text))
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for place in (0, 1):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.verticalHeader().setMinimumSectionSize(HIT)
        return table

    def _on_choose(self) -> None:
        if name := open_file(self, _CHOOSE_REFERENCE, NOTE_FILES):
            self.compare(Path(name))

    def compare(self, reference: Path) -> None:
        """With the note in this file; the values come when they are there."""
        self._show_values({})
        self.said.setText(tr("Comparing the two notes…"))
        self.choose.setEnabled(False)
        shown = tr("Compared with {name}.").format(name=shortened(reference.name, 60))
        note_text = self._note_text()

        def work(cancel: threading.Event, _emit: Emit) -> Scored:
            pair = NotePair(documents.parse_note(note_text), documents.read_note(reference, cancel))
            with ExitStack() as closing:
                terms = clinical_terms()
                scorer = ReferenceScorer(making.encoder(closing, WINDOW), terms, wanted=tuple(SHOWN))
                return scorer.score([pair], cancel)

        def show(scored: Scored) -> None:
            self.choose.setEnabled(True)
            missing = tr("The first six rows need packages that are not installed here. Install the extra “measure”.")
            self.said.setText(missing if scored.missing else shown)
            self._show_values(scored.values[0])

        self._jobs.submit(Lane.ASIDE, _NAME, work, show, self._on_failed, owner=self)

    def _on_failed(self, error: Exception) -> None:
        self.choose.setEnabled(True)
        said = str(error) if isinstance(error, NoteEvalError) else unexpected(error)
        if isinstance(error, EncoderMissing):
            said = tr("The built-in judge is not set up yet. Check the note once, then compare again.")
        self.said.setText(said)

    def _show_values(self, values: dict[str, float | None]) -> None:
        for line, metric in enumerate(SHOWN):
            item = self.table.item(line, 1)
            assert item is not None
            value = values.get(metric)
            item.setText("" if not values else "–" if value is None else f"{value:.2f}")
