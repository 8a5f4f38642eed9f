"""The three panes, and how they speak to one another: findings, note and session show the same thing."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QInputDialog, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from noteeval_desktop.documents import for_the_clipboard
from noteeval_desktop.domain.decisions import DecisionKind, link_reason, with_answered, with_attested
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import inside, share_of, tr
from noteeval_desktop.domain.placeholders import placeholder
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.silencing import silences
from noteeval_desktop.domain.text import Span
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.undoing import Undoing
from noteeval_desktop.ui.editor.drafting import place_for_draft
from noteeval_desktop.ui.editor.highlights import highlights_of
from noteeval_desktop.ui.editor.note_editor import NoteEditor
from noteeval_desktop.ui.editor.search_bar import SearchBar, places
from noteeval_desktop.ui.editor.transcript_pane import TranscriptPane
from noteeval_desktop.ui.findings.mending import Mend, removal
from noteeval_desktop.ui.findings.omission_draft import draft
from noteeval_desktop.ui.findings.pane import FindingsPane
from noteeval_desktop.ui.findings.row_list import ListPage
from noteeval_desktop.ui.findings.rows import Row, row_of_sentence
from noteeval_desktop.ui.findings.trust import is_weak
from noteeval_desktop.ui.widgets.panes import Panes
from noteeval_desktop.ui.widgets.parts import column, grounded, row, sure, tool
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel, read_in_order, shortened
from noteeval_desktop.ui.widgets.theme import HIT, READING_SIZE, UNIT
from noteeval_desktop.ui.widgets.words import NOTE

# The note is the middle and the largest.
_SHARES = (300, 540, 440)
_NOTE_LEAST = 40 * UNIT
_SAID_MS = 2000


class Workspace(Panes):
    """``place_changed(str, bool)``: "3 of 9", and whether there is anywhere to step. ``copied(str)``: what is left.
    ``earlier_asked(Sentence)``: what it was copied from."""

    place_changed = Signal(str, bool)
    copied = Signal(str)
    earlier_asked = Signal(object)

    def __init__(self, session: CaseSession, rubric: Rubric, responses: ListPage) -> None:
        super().__init__(_SHARES, lambda: self.findings.comfortable_width)
        self._session = session
        self._note: Note | None = None
        self._at, self._found_at, self._mended = "", 0, False
        self.transcript = TranscriptPane()
        self.editor = NoteEditor()
        self.findings = FindingsPane(rubric, responses)
        self.note_search = SearchBar(tr("Search the note"))
        self._format = ElidedLabel("", look="muted")  # gives way first
        self.session_button = tool(tr("Session ▸"), lambda: self.want(0, True), "chip")
        self.session_button.hide()
        self.folded.connect(self.session_button.setVisible)
        self.folded.connect(lambda _: self._fit_note())
        for pane in (self.transcript, self._note_pane(), self.findings):
            self.addWidget(pane)
        read_in_order(self)
        self.setHandleWidth(1)
        self._connect()

    def _note_pane(self) -> QWidget:
        pane, head = QWidget(), QWidget()
        self._note_side, self._note_head = pane, head
        pane.setObjectName("pane")
        pane.setMinimumWidth(_NOTE_LEAST)
        grounded(head, "pane_head").setMinimumHeight(HIT + 2 * UNIT)
        everything = tr("Mark every suggestion in the note, not only what to look at before you sign")
        self.all_marks = tool(tr("All marks"), lambda: self.findings.toggle_more(), "chip", everything)
        self.all_marks.setCheckable(True)
        self.all_marks.hide()
        whole = tr("Copy the whole note, to paste it into the record system")
        self.copy_button = tool(tr("Copy note"), self.copy_note, "chip", whole)
        left = self.session_button, PlainLabel(NOTE, look="heading")
        row(*left, None, self._format, self.all_marks, self.copy_button, on=head, margins=(2, 0.5, 2, 0.5))
        column(head, self.note_search, self.editor, on=pane, margins=(0,), spacing=0)
        return pane

    def _connect(self) -> None:
        session, card = self._session, self.findings.card
        session.transcript_opened.connect(self.transcript.show_transcript)
        session.note_opened.connect(self._show_note)
        session.note_parsed.connect(self._show_parsed)
        session.findings_changed.connect(self._show_findings)
        self.editor.mark_activated.connect(self._on_mark)
        self.undoing = Undoing(session, self.transcript, self.editor, self.show_finding)
        self.editor.sentence_asked.connect(self._tell_of_sentence)
        self.findings.row_chosen.connect(self._on_row)
        self.findings.filters_changed.connect(self._show_marks)
        self.findings.tabs.currentChanged.connect(lambda _: self._tell_place())
        card.citation_asked.connect(lambda citation: self.show_turn(citation.turn))
        card.place_asked.connect(self._go_to)
        card.earlier_asked.connect(self.earlier_asked)
        card.draft_asked.connect(self.insert_draft)
        card.mend_asked.connect(self.mend)
        card.silence_asked.connect(session.silence)
        card.phrase_asked.connect(self._ask_phrase)
        self.findings.flag_again_asked.connect(session.flag_again)
        card.attested.connect(lambda key: self._decide(DecisionKind.ATTEST, key, tr("Confirmed: seen in the session.")))
        dismissed = tr("Dismissed: {why}.")
        card.dismissed.connect(
            lambda key, why: self._decide(DecisionKind.DISMISS, key, dismissed.format(why=inside(why)))
        )
        card.linked.connect(lambda key, sentence: self._decide(DecisionKind.DISMISS, key, link_reason(sentence)))
        card.restored.connect(session.bring_back)
        self.note_search.search_changed.connect(lambda _: self._search_note(0))
        self.note_search.step_asked.connect(self._search_note)
        self.note_search.closed.connect(lambda: self.editor.show_found(()))
        self.note_search.closed.connect(self.editor.setFocus)

    # What is changed

    def edit(self, act: str) -> bool:
        """``act`` is cut, copy, paste or selectAll, of what has the focus; False where that is no text."""
        focus = self.window().focusWidget()
        if isinstance(focus, QTextEdit | QPlainTextEdit | QLineEdit):
            getattr(focus, act)()
        elif focus is self.transcript.view and act in ("copy", "selectAll"):
            self.transcript.copy_selected() if act == "copy" else focus.selectAll()
        elif isinstance(focus, QAbstractItemView) and act == "copy" and focus.currentIndex().isValid():
            QGuiApplication.clipboard().setText(str(focus.currentIndex().data()))
        else:
            return False
        return True

    def copy_note(self) -> None:
        """For the record system: as plain and as formatted text."""
        text, copied = self.editor.note_text(), QMimeData()
        plain, html = for_the_clipboard(text)
        copied.setText(plain)
        copied.setHtml(html)
        QGuiApplication.clipboard().setMimeData(copied)
        self.copy_button.setText(tr("Copied ✓"))
        QTimer.singleShot(_SAID_MS, self.copy_button, lambda: self.copy_button.setText(tr("Copy note")))
        if (left := placeholder(text)) is not None:
            self.editor.select(left)
            self.editor.setFocus()
        self.copied.emit(left.of(text) if left is not None else "")

    # What is shown

    def clear(self) -> None:
        """No case is on the desk: nothing of the last one stays here, seen or unseen."""
        self._note, self._at = None, ""
        self.undoing.forget()
        self._format.setText("")
        self.note_search.close_search()
        self.editor.set_note_text("")
        self.transcript.clear()
        self.findings.clear()

    def _show_note(self, note: Note) -> None:
        self._at = ""
        self.transcript.start_over()
        self.editor.set_note_text(note.text)
        self._show_parsed(note)

    def _show_parsed(self, note: Note) -> None:
        self._note = note
        self._format.setText(note.format)
        self.editor.show_headings(note)

    def _show_findings(self) -> None:
        session = self._session
        evaluation = session.evaluation and with_attested(session.evaluation, session.decisions.values())
        evaluation = evaluation and with_answered(evaluation, session.decisions)
        self.findings.show_evaluation(evaluation, session.all_findings, session.set_aside, session.findings())
        self.findings.show_silenced(silences(session.set_aside), session.everywhere)
        self._show_marks()
        self._follow_mended(evaluation)

    def _follow_mended(self, evaluation: Evaluation | None) -> None:
        """What was mended has gone, and the card is the next one's: the session shows the same. The note stays."""
        row = self.findings.current_row()
        judged = evaluation.case.note.text if evaluation is not None and evaluation.complete else None
        if self._mended and row is not None and judged == self.editor.note_text():
            self._mended, self._at = False, row.key
            self.transcript.show_citations(row.citations)

    def open_findings(self) -> tuple[Finding, ...]:
        """Those that pass the filters, which the note marks."""
        shown = {row.key for rows in self.findings.lists for row in rows.rows.rows if row.key}
        return tuple(finding for finding in self._session.findings() if finding.key in shown)

    def _steps(self) -> list[str]:
        """Keys of what F8 goes through, and in which order."""
        steps = self.findings.steps
        if steps is None:
            return [finding.key for finding in self.open_findings()]
        to_see = {finding.key for finding in self._session.findings()} | self.findings.places
        return [key for key in steps if key in to_see]

    def _show_marks(self) -> None:
        evaluation: Evaluation | None = self._session.evaluation
        if evaluation is None:
            self.editor.clear_marks()
        elif evaluation.case.note.text == self.editor.note_text():
            known = self.findings.known
            marks = highlights_of(self.open_findings(), lambda finding: is_weak(finding, known))
            self.editor.show_marks(marks, self.findings.first_keys)
        self.all_marks.setVisible(evaluation is not None)
        self.all_marks.setChecked(self.findings.more)
        self._tell_place()

    def _tell_place(self) -> None:
        keys = self._steps()
        if self._session.evaluation is None:
            self.place_changed.emit("", False)
        else:
            at = keys.index(self._at) if self._at in keys else None
            # Where not all was judged, that nothing was found says nothing.
            sound = keys or self._session.evaluation.complete
            place = tr("None left") if not keys else tr("{count} shown").format(count=len(keys))
            if at is not None:
                place = share_of(at + 1, len(keys))
            self.place_changed.emit(place if sound else "", bool(keys))

    # Going from one to another

    def step(self, by: int) -> None:
        """F8 and Shift+F8."""
        keys = self._steps()
        if not keys:
            return
        at = keys.index(self._at) if self._at in keys else (-1 if by > 0 else 0)
        self.show_finding(keys[(at + by) % len(keys)])

    def _decide(self, kind: DecisionKind, key: str, reason: str) -> None:
        """Answer a finding; the next open one is chosen and has the focus, so that nobody looks for it."""
        keys = self._steps()
        at = keys.index(key) if key in keys else 0
        self._session.decide(kind, key, reason)
        left = self._steps()
        following = next((one for one in (*keys[at + 1 :], *keys[:at], *left) if one in left), None)
        if following is not None:
            self.show_finding(following)
        self.findings.lists[self.findings.tabs.currentIndex()].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_finding(self, key: str) -> None:
        """Choosing its row shows the rest."""
        self._at = key
        self.findings.choose(key)
        self._tell_place()

    def _on_mark(self, key: str) -> None:
        cursor = self.editor.textCursor()
        scrolled = self.editor.verticalScrollBar().value()
        self.show_finding(key)
        self.editor.setTextCursor(cursor)
        self.editor.verticalScrollBar().setValue(scrolled)

    def _tell_of_sentence(self, offset: int) -> None:
        """Of one without a mark, without leaving the tab or the place: the card tells the nearest passage, or that
        nothing is flagged, and the session shows the passage."""
        evaluation = self._session.evaluation
        # After an edit the places are those of another text, until it is checked again.
        if evaluation is None or evaluation.case.note.text != self.editor.note_text():
            return
        inside = (s for s in evaluation.case.note.sentences if s.span.start <= offset < s.span.end)
        if (sentence := next(inside, None)) is not None:
            row = row_of_sentence(sentence, evaluation, self.findings.known_findings)
            self.findings.card.show_row(row)
            self.editor.draw_asked(row.key)
            if row.citations:
                self.transcript.show_citations(row.citations)

    def _on_row(self, row: Row) -> None:
        self._mended = False
        if row.key:
            self._at = row.key
        spans = row.spans or ((row.finding.span,) if row.finding and row.finding.span else ())
        if spans:
            self._go_to(spans[0])
        else:
            self.editor.forget_passage()
        self.transcript.show_citations(row.citations)
        self._tell_place()

    def _go_to(self, span: Span) -> None:
        """Spans are of the text that was judged; after an edit the mark knows where the passage is now."""
        evaluation = self._session.evaluation
        if evaluation is not None and evaluation.case.note.text == self.editor.note_text():
            self.editor.reveal(span)
            return
        moved = self.editor.marked_spans().get(self._at)
        if moved is not None:
            self.editor.reveal(moved)

    def show_place(self, span: Span) -> None:
        """A place in the text that was judged, asked for from outside the panes."""
        self._at = ""
        self._go_to(span)

    def show_turn(self, turn: int) -> None:
        """Also where the session is hidden."""
        self.want(0, True)
        self.transcript.scroll_to(turn)

    def _ask_phrase(self, finding: Finding) -> None:
        """The words that are selected in the note, or the sentence's, to be cut down to what is meant."""
        selected = self.editor.textCursor().selectedText()
        given, agreed = QInputDialog.getText(
            self,
            tr("Stop flagging a phrase in this case"),
            tr("Sentences with these words are not flagged in this case. Statements about risk always are."),
            text=selected or (finding.sentence.text if finding.sentence else ""),
        )
        if agreed:
            self._session.silence_phrase(given)

    def mend(self, finding: Finding, mend: Mend) -> None:
        """One step to undo, checked again at once. A sentence on risk is not removed before that was meant; where the
        note was edited since, its mark says where it is now."""
        said = finding.sentence.text if finding.sentence else ""
        if not mend.text and self._is_on_risk(finding):
            may = tr("Without it the note may no longer say what was asked or heard about safety.")
            asked, explained = tr("Remove a sentence about risk?"), f"“{said}”\n\n{may}"
            if not sure(self, asked, explained, tr("Remove"), tr("Keep it")):
                return
        evaluation, text, span = self._session.evaluation, self.editor.note_text(), mend.span
        if evaluation is None or finding.span is None:
            return
        if evaluation.case.note.text != text:
            moved = self.editor.marked_spans().get(finding.key)
            if moved is None or moved.of(text) != finding.span.of(evaluation.case.note.text):
                return
            by = moved.start - finding.span.start
            span = Span(span.start + by, span.end + by)
        self.editor.replace_passage(span if mend.text else removal(text, span), mend.text)
        if mend.text:
            start, end = mend.span.start - finding.span.start, mend.span.end - finding.span.start
            self._session.took(f"{said[:start]}{mend.text}{said[end:]}")
        else:
            self.undoing.answered.emit(tr("Removed “{sentence}”.").format(sentence=shortened(said, 80)))
        self._mended = True
        self._session.recheck()

    def _is_on_risk(self, finding: Finding) -> bool:
        """By its words, or because the note addresses a risk with it."""
        sentence = finding.sentence
        risks = self._session.evaluation.risks or () if self._session.evaluation else ()
        addresses = sentence is not None and any(sentence.id in (risk.addressed_by or ()) for risk in risks)
        return addresses or finding.ranked.harm is Harm.RISK

    def insert_draft(self, finding: Finding) -> None:
        """One step to undo; the sentence carries the quote and is left for the writer to finish."""
        evaluation = self._session.evaluation
        if evaluation is None:
            return
        item, said = finding.item.id if finding.item else "", draft(finding, evaluation.case)
        offset, text = place_for_draft(self.editor.note_text(), self._note, finding.home, said, item)
        self.editor.insert_after(offset, text)
        self._session.took(said)

    # Search, focus, looks

    def open_search(self) -> None:
        """In the pane that has the focus; in the note otherwise."""
        if self.transcript.isAncestorOf(self.focusWidget() or self):
            self.transcript.search.open_search()
        else:
            self.note_search.open_search()

    def _search_note(self, step: int) -> None:
        text = self.editor.note_text()
        found = places(text, self.note_search.field.text())
        self.editor.show_found(found)
        self._found_at = (self._found_at + step) % len(found) if found and step else 0
        if found:
            self.editor.reveal(found[self._found_at])
        self.note_search.show_count(self._found_at, len(found))

    def next_pane(self) -> None:
        views = (self.transcript.view, self.editor, self.findings.lists[self.findings.tabs.currentIndex()])
        panes = [view for view in views if view.isVisible()]
        now = next((n for n, pane in enumerate(panes) if pane.hasFocus()), -1)
        panes[(now + 1) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def widen_pane(self, by: int) -> None:
        """The one with the focus; otherwise the note."""
        focus = self.window().focusWidget()
        panes = [pane for n in range(self.count()) if (pane := self.widget(n)) is not None]
        self.widen(next((n for n, pane in enumerate(panes) if focus and pane.isAncestorOf(focus)), 1), by)

    def set_reading_size(self, pixels: int) -> None:
        for part in (self.transcript, self.editor, self.findings):
            part.set_reading_size(pixels)
        self._fit_note()
        self.suit(pixels / READING_SIZE)

    def _fit_note(self) -> None:
        """No button above the note is cut, and none that is hidden keeps its room."""
        self._note_side.setMinimumWidth(max(_NOTE_LEAST, self._note_head.minimumSizeHint().width()))
