"""The session: speakers told apart, times, the cited turn marked and scrolled into view, search."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Transcript
from noteeval_desktop.ui.editor.search_bar import SearchBar, places
from noteeval_desktop.ui.editor.speakers_strip import SpeakersStrip
from noteeval_desktop.ui.editor.turn_list import TurnDelegate, TurnList, TurnModel
from noteeval_desktop.ui.editor.who_is_who import WhoIsWho
from noteeval_desktop.ui.widgets.parts import Fitted, column, grounded, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, READING_SIZE, UNIT
from noteeval_desktop.ui.widgets.words import SESSION

MEASURE_SECONDS = 0.012


class TranscriptPane(Fitted):
    """Shows a transcript; ``transcript_changed`` carries the transcript with the change made."""

    transcript_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pane")
        self.setMinimumWidth(25 * UNIT)
        self._transcript = Transcript(())
        self._found: list[tuple[int, Span]] = []
        self._at = -1
        # The row that keeps its place while heights are measured, and its top in pixels (None: to be centred).
        self._kept: tuple[int, int | None] | None = None
        self.model = TurnModel(self)
        self.view = TurnList(self.model)
        self.view.copy_asked.connect(self.copy_selected)
        self.view.resizing.connect(self._measure_anew)
        self.delegate = TurnDelegate(READING_SIZE, self.view)
        self.view.setItemDelegate(self.delegate)
        self._measuring = QTimer(self, interval=0)
        self._measuring.timeout.connect(self._measure)
        self.strip = SpeakersStrip()
        self.who_is_who = WhoIsWho()
        for asked in (self.strip, self.who_is_who):
            asked.part_chosen.connect(self._give_part)
        self.strip.renamed.connect(lambda old, new: self.change(self._transcript.with_speaker_renamed(old, new)))
        self.search = SearchBar(tr("Search the session"))
        self.search.search_changed.connect(self._search)
        self.search.step_asked.connect(self._step)
        self.search.closed.connect(self.view.setFocus)
        head = grounded(QWidget(), "pane_head")
        head.setMinimumHeight(HIT + 2 * UNIT)
        self._title = PlainLabel(SESSION, look="heading")
        row(self._title, (self.strip, 1), on=head, margins=(2, 0.5, 1, 0.5))
        column(head, self.who_is_who, self.search, (self.view, 1), on=self, margins=(0,), spacing=0)

    def fit(self) -> None:
        """In a narrow pane who is who needs the room more than the title does; a couple or a family shares a button."""
        shared = self.strip.isHidden() or len(self._transcript.speakers) > 2
        self._title.setVisible(shared or self.width() >= 34 * UNIT)

    # Content

    def show_transcript(self, transcript: Transcript) -> None:
        same_turns = [turn.text for turn in transcript.turns] == [turn.text for turn in self._transcript.turns]
        scrolled = self.view.verticalScrollBar().value()
        self._transcript = transcript
        self.model.show_turns(transcript.turns)
        self.strip.show_speakers(transcript)
        before: QWidget = self.view
        for chip in (chip for chip in self.strip.findChildren(QToolButton) if not chip.isHidden()):
            self.setTabOrder(before, chip)
            before = chip
        self._kept = None
        self._measuring.start()
        if same_turns:
            self.view.verticalScrollBar().setValue(scrolled)
        else:
            self.who_is_who.ask(transcript)
            self.start_over()
            self.fit()

    def start_over(self) -> None:
        """At the top, without the marks of another note or another session."""
        self._kept = None
        self.show_citations(())
        self.search.close_search()
        self.view.selectionModel().clear()
        self.view.scrollToTop()

    def clear(self) -> None:
        self.search.close_search()
        self._found = []
        self.show_transcript(Transcript(()))
        self.delegate.forget()

    def _give_part(self, speaker: str, part: str) -> None:
        self.who_is_who.answered(speaker)
        self.change(replace(self._transcript.with_part(speaker, part), roles_guessed=False))

    def change(self, transcript: Transcript) -> None:
        """Who is who was said anew."""
        self.show_transcript(transcript)
        self.transcript_changed.emit(transcript)

    def show_citations(self, citations: tuple[Citation, ...], scroll: bool = True) -> None:
        """Mark cited turns and passages; scroll to the first."""
        self.model.show_citations(citations)
        if citations and scroll:
            self.scroll_to(citations[0].turn)

    def scroll_to(self, turn: int) -> None:
        index = self.model.index(turn)
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
            if self._measuring.isActive():
                self._kept = (turn, None)

    # Search and copying

    def _search(self, sought: str) -> None:
        self._found = [(turn.index, span) for turn in self._transcript.turns for span in places(turn.text, sought)]
        self.model.show_found(tuple(self._found))
        self._at = -1
        if self._found:
            self._step(1)
        else:
            self.search.show_count(0, 0)

    def _step(self, step: int) -> None:
        if self._found:
            self._at = (self._at + step) % len(self._found)
            self.scroll_to(self._found[self._at][0])
            self.search.show_count(self._at, len(self._found))

    def copy_selected(self) -> None:
        rows = sorted(index.row() for index in self.view.selectedIndexes())
        turns = [self._transcript.turns[row] for row in rows]
        QGuiApplication.clipboard().setText("\n".join(f"{turn.speaker}: {turn.text}" for turn in turns))

    # Looks

    def set_reading_size(self, pixels: int) -> None:
        self.delegate.set_reading_size(pixels)
        self._measure_anew()

    def _measure_anew(self) -> None:
        if not self._measuring.isActive():
            self._kept = self._looked_at()
            self._measuring.start()

    def _looked_at(self) -> tuple[int, int | None] | None:
        view = self.view
        index = view.currentIndex()
        if not index.isValid() or not view.viewport().rect().intersects(view.visualRect(index)):
            index = view.indexAt(QPoint(2 * UNIT, 2 * UNIT))
        return (index.row(), view.visualRect(index).top()) if index.isValid() else None

    def _measure(self) -> None:
        """A little at a time; then the list is laid out, and the turn that was looked at stays where it was."""
        if not self.delegate.measure(self._transcript.turns, self.view.font(), MEASURE_SECONDS):
            return
        self._measuring.stop()
        kept, self._kept = self._kept or self._looked_at(), None
        self.view.doItemsLayout()
        if kept is None:
            return
        turn, top = kept
        if top is None:
            self.scroll_to(turn)
        else:
            bar = self.view.verticalScrollBar()
            bar.setValue(bar.value() + self.view.visualRect(self.model.index(turn)).top() - top)
