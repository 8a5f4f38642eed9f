"""What comes onto the desk and leaves it: the sample, pairs of files, recent cases, files that were mixed up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from noteeval_desktop import documents
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.present.headings import heading_for
from noteeval_desktop.store.drafts import RecentCase
from noteeval_desktop.ui.case.autosave import Autosave, now
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.empty_state import EmptyState
from noteeval_desktop.ui.case.files import Files, reads_as_note
from noteeval_desktop.ui.case.open_case import SAMPLE_LABEL, Source
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.case.workspace import Workspace
from noteeval_desktop.ui.editor.drafting import headings_for_unassigned
from noteeval_desktop.ui.editor.speakers_strip import ROLE_NAMES
from noteeval_desktop.ui.widgets.shell import Banner

_AS_SESSION = tr("Use it as the session")


class Opening(QObject):
    """``changed`` when something came onto the desk or left it; ``recent_changed`` carries the recent cases."""

    changed = Signal()
    recent_changed = Signal(object)

    def __init__(
        self,
        session: CaseSession,
        files: Files,
        autosave: Autosave,
        unsaved: Unsaved,
        workspace: Workspace,
        empty: EmptyState,
        banner: Banner,
        sample: tuple[Path, Path],
    ) -> None:
        super().__init__(session)
        self._session, self._files, self._autosave, self._unsaved = session, files, autosave, unsaved
        self._workspace, self._empty, self._banner, self._sample = workspace, empty, banner, sample
        self._session.transcript_opened.connect(self._on_transcript)
        self._session.note_opened.connect(self._on_note)
        self._session.failed.connect(self._on_failed)

    # Onto the desk

    def open_sample(self) -> None:
        if self._unsaved.settled():
            self._open_pair(*self._sample, SAMPLE_LABEL)

    def open_recent(self, case: RecentCase) -> None:
        if self._unsaved.settled():
            self._open_pair(case.transcript, case.note, "")

    def open_files(self, paths: list[Path]) -> None:
        """One file joins what is on the desk; two are a new case."""
        if len(paths) > 1:
            if not self._unsaved.settled():
                return
            self.close_unasked()
        self._files.open_several(paths)

    def open_clipboard(self) -> None:
        """The half of a case that the desk lacks, or else a new case."""
        text, session = QGuiApplication.clipboard().text(), self._session
        is_note = reads_as_note(text)
        if not text.strip():
            self._banner.say(tr("The clipboard contains no text. Copy the session or the note first."))
            return
        same_half = session.note_text if is_note else session.transcript
        if same_half is not None or session.ready:
            if not self._unsaved.settled():
                return
            self.close_unasked()
        (self._files.open_note if is_note else self._files.open_transcript)(text)

    def forget_recent(self) -> None:
        """The case on the desk is found in the library from now on, and by its label."""
        on_file = self._session.note_on_file
        if on_file is not None:
            self._autosave.find_recent(self.recent_changed.emit, lambda store: store.forget_recent(on_file[0]))

    def _open_pair(self, transcript: Source, note: Source, label: str) -> None:
        self.close_unasked()
        self._session.label = label
        self._files.read_transcript(transcript)
        self._session.open_note(note)

    def may_take(self, note: bool) -> bool:
        """Before another ``note``, or else another session, is opened: what it replaces may be unsaved, and the
        sample's other half must not stay. False: the writer stays."""
        sample = self._session.label == SAMPLE_LABEL
        if (sample or self._unsaved.lost_with(note)) and not self._unsaved.settled():
            return False
        if sample:
            self.close_unasked()
        return True

    def swap(self) -> None:
        """The transcript was opened as the note, and the other way round."""
        transcript, note = self._session.transcript_source, self._session.note_source
        if transcript is None or note is None:
            self._banner.say(tr("These two cannot be swapped. Open the transcript and the note again."))
        elif self._unsaved.settled():
            self._open_pair(note, transcript, self._session.label)

    # Off the desk

    def close_case(self) -> None:
        if self._unsaved.settled():
            self.close_unasked()

    def close_unasked(self, keep_draft: bool = False) -> None:
        """What was on the desk is kept elsewhere, with ``keep_draft`` as a draft."""
        self._session.close_case()
        self._workspace.clear()
        self._unsaved.kept(None, {})
        if not keep_draft:
            self._autosave.discard()
        self._empty.transcript.show_filled("")
        self._empty.note.show_filled("")
        self._banner.hide()
        self.changed.emit()

    # What was read

    def _on_transcript(self, transcript: Transcript) -> None:
        self._banner.let_pass()
        source = self._session.transcript_source
        names = ", ".join(transcript.speakers[:3])
        self._empty.transcript.show_filled(f"{counted(len(transcript.turns), 'turn')} · {names}")
        mixed_up = any(documents.MIXED_UP_WARNING in warning for warning in transcript.warnings)
        # Of pasted text; a file's reader says it in a warning.
        if source is not None and (mixed_up or (isinstance(source, str) and reads_as_note(source))):
            self._offer(tr("This looks like a note, not a session."), tr("Use it as the note"), self._to_note)
        elif transcript.warnings:
            self._banner.say(" ".join(transcript.warnings), self._ways_to_say_who(transcript))
        self._on_opened()

    def _ways_to_say_who(self, transcript: Transcript) -> list[tuple[str, Callable[[], object]]]:
        """Where all turns are of one nameless speaker no chip can tell them apart."""
        if len(transcript.speakers) != 1 or len(transcript.turns) < 2:
            return []
        pair = (Role.THERAPIST, Role.CLIENT)
        return [
            (tr("They take turns, therapist first"), partial(self._in_turn, transcript, pair)),
            (tr("They take turns, client first"), partial(self._in_turn, transcript, pair[::-1])),
        ]

    def _in_turn(self, transcript: Transcript, roles: tuple[Role, Role]) -> None:
        if self._session.transcript is not transcript:
            return
        named = [(turn, roles[number % 2]) for number, turn in enumerate(transcript.turns)]
        turns = tuple(replace(turn, role=role, speaker=ROLE_NAMES[role]) for turn, role in named)
        said = replace(transcript, turns=turns, warnings=())
        self._workspace.transcript.change(said)

    def _on_note(self, note: Note) -> None:
        self._banner.let_pass()
        source = self._session.note_source
        if self._session.note_path == self._sample[1]:
            # Saving must not write over the sample itself.
            self._session.note_path = None
        self._empty.note.show_filled(
            f"{counted(len(note.sentences), 'sentence')} · {note.format}" if note.text else tr("Written here")
        )
        mixed_up = any(documents.MIXED_UP_WARNING in warning for warning in note.warnings)
        if isinstance(source, str):
            mixed_up |= documents.looks_like_transcript(source) and not documents.looks_like_note(source)
        if source is not None and mixed_up:
            self._offer(tr("This looks like a session, not a note."), _AS_SESSION, self._to_session)
        elif headings_for_unassigned(note, SOAP[0]) is not None:

            def head(section: Section) -> None:
                place, editor = headings_for_unassigned(note, section), self._workspace.editor
                if place is not None and note.text == editor.note_text():
                    editor.insert_after(*place)

            places = {heading_for(note.format, s): s for s in reversed(SOAP)}
            choices = [(name, partial(head, s)) for name, s in reversed(places.items())]
            self._banner.say(tr("Some text has no heading. Where does it belong?"), choices)
        elif note.warnings:
            self._banner.say(" ".join(note.warnings))
        self._on_opened()

    def _offer(self, said: str, alone: str, use: Callable[[], object]) -> None:
        both = self._session.transcript_source is not None and self._session.note_source is not None
        self._banner.say(said, [(tr("Swap them"), self.swap) if both else (alone, use)])

    def _to_note(self) -> None:
        source = self._session.transcript_source
        if source is not None:
            self.close_unasked()
            self._session.open_note(source)

    def _to_session(self) -> None:
        """What was taken, or refused, as the note is opened as the session."""
        source = self._session.tried_note
        if source is not None:
            if self._session.note_source == source:
                self.close_unasked()
            self._files.read_transcript(source)

    def _on_failed(self, message: str) -> None:
        ways = [(_AS_SESSION, self._to_session)] if documents.NOT_A_NOTE in message else []
        self._banner.say(message, ways, passing=True)

    def _on_opened(self) -> None:
        session = self._session
        self.changed.emit()
        if session.ready:
            self._workspace.editor.setFocus()
            transcript, note = session.transcript_source, session.note_source
            if isinstance(transcript, Path) and isinstance(note, Path) and not session.label:
                opened = RecentCase(transcript, note, now())
                self._autosave.find_recent(self.recent_changed.emit, lambda store: store.remember(opened))


@dataclass(frozen=True)
class CaseDesk:
    session: CaseSession
    workspace: Workspace
    files: Files
    autosave: Autosave
    unsaved: Unsaved
    opening: Opening
