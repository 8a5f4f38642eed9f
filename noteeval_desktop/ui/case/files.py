"""Opening, saving and exporting: dialogs in front, jobs behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QInputDialog, QMessageBox, QWidget

from noteeval_desktop import documents
from noteeval_desktop.documents import CP1252_WARNING, SessionInfo
from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import counted, long_day, tr
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.open_case import Source
from noteeval_desktop.ui.scorecard.pdf_dialog import PdfChoice
from noteeval_desktop.ui.widgets.choosing import open_file, open_files, save_file
from noteeval_desktop.ui.widgets.jobs import Lane, told
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, sure, writing
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import CANCEL, EXPORT, exported, saved

_ONLY_SESSIONS = (".vtt", ".srt", ".csv")
CASE_SUFFIX = ".noteeval-case"
WRITTEN = (".md", ".txt", ".docx")
CASE_FILES = tr("Encrypted cases (*.noteeval-case)")
TRANSCRIPT_FILES = ";;".join(
    (
        tr("Session transcripts (*.txt *.md *.vtt *.srt *.docx *.json *.csv)"),
        tr("Session and note together (*.txt *.md *.vtt *.srt *.docx *.json *.csv *.pdf)"),
        CASE_FILES,
        tr("All files (*)"),
    )
)
NOTE_FILES = ";;".join((tr("Notes (*.txt *.md *.docx *.pdf *.json)"), CASE_FILES, tr("All files (*)")))
Settle = Callable[[Evaluation], Evaluation]
Export = Callable[[Evaluation, Path, tuple[Decision, ...], PdfChoice, Settle], None]
WriteNote = Callable[[Path, str, tuple[Path, str] | None], None]
Say = Callable[[str], None]
T = TypeVar("T")


class Files(QObject):
    """``exports`` maps a file ending (pdf, json, csv) to what writes it, which gets what was chosen for a PDF too;
    ``write_note`` gets the file, the text and the session's ``note_on_file``. ``exported(str)``: the ending of a file
    that was written.

    ``may_open`` is asked before another note (or else session) joins what is on the desk; ``open_together`` gets
    files that were chosen at once, ``take_case`` a case file of another's library. ``keep_file`` makes what a job calls
    with the file and the text that it has written.
    """

    exported = Signal(str)

    def __init__(
        self,
        window: Shell,
        session: CaseSession,
        exports: Mapping[str, Export],
        write_note: WriteNote,
        looks_like_note: Callable[[Path], bool],
        may_open: Callable[[bool], bool],
        open_together: Callable[[list[Path]], object],
        take_case: Callable[[Path], object],
        keep_file: Callable[[], Callable[[Path, str], object]],
    ) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._exports, self._write_note = exports, write_note
        self._looks_like_note, self._take_case = looks_like_note, take_case
        self._may_open, self._open_together, self._keep_file = may_open, open_together, keep_file

    def choose_transcript(self) -> bool:
        """Whether a file was chosen."""
        return self._choose(
            tr("Open session transcript (or choose session and note together)"), TRANSCRIPT_FILES, self.open_transcript
        )

    def choose_note(self) -> bool:
        return self._choose(tr("Open note (or choose session and note together)"), NOTE_FILES, self.open_note)

    def choose_case(self) -> None:
        """That somebody sent."""
        if chosen := open_file(self._window, tr("Open case file"), CASE_FILES):
            self._take_case(Path(chosen))

    def _choose(self, title: str, kinds: str, open_one: Callable[[Source], object]) -> bool:
        """Two files that are chosen together are a session and its note, whichever of them was asked for."""
        chosen = open_files(self._window, title, kinds)
        if len(chosen) > 1:
            self._open_together(chosen)
        elif chosen:
            open_one(chosen[0])
        return bool(chosen)

    def open_transcript(self, source: Source) -> None:
        if not self._took_case(source) and self._may_open(False):
            self.read_transcript(source)

    def open_note(self, source: Source) -> None:
        """Text was pasted: it is cleaned of what a record system puts into it."""
        if not self._took_case(source) and self._may_open(True):
            self._session.open_note(documents.clean_pasted(source) if isinstance(source, str) else source)

    def _took_case(self, source: Source) -> bool:
        """An encrypted case is neither: it goes into the library."""
        if isinstance(source, str) or source.suffix.lower() != CASE_SUFFIX:
            return False
        self._take_case(source)
        return True

    def read_transcript(self, source: Source) -> None:
        """A file that holds several sessions asks which."""
        if isinstance(source, str):
            self._session.paste_transcript(source)
            return

        def listed(sessions: tuple[SessionInfo, ...]) -> None:
            if not sessions:
                self._session.open_transcript(source)
                return
            named = tr("{id}: {title} ({turns})")
            names = [named.format(id=one.id, title=one.title, turns=counted(one.turns, "turn")) for one in sessions]
            asked = tr("This file contains {sessions}. Which one?").format(sessions=counted(len(sessions), "session"))
            name, agreed = QInputDialog.getItem(self._window, tr("Choose a session"), asked, names, 0, False)
            if agreed:
                self._session.open_transcript(source, sessions[names.index(name)].id)

        self._session.list_sessions(source, listed)

    def paste_transcript(self) -> None:
        text = ask_text(self._window, tr("Paste the session transcript"), tr("Therapist: …\nClient: …"))
        if text:
            self.open_transcript(text)

    def paste_note(self) -> None:
        text = ask_text(self._window, tr("Paste the note"), tr("Subjective: …\nObjective: …\nAssessment: …\nPlan: …"))
        if text:
            self.open_note(text)

    def open_several(self, paths: list[Path]) -> None:
        """Files that were dropped or named at the start: the first that looks like a note is the note. Where none of
        two does, the later that can be one: the session must not be lost under the note's text."""

        def sorted_out(found: list[bool]) -> None:
            others = [n for n in (1, 0) if len(found) > 1 and paths[n].suffix.lower() not in _ONLY_SESSIONS]
            note = found.index(True) if True in found else next(iter(others), None)
            for number, path in enumerate(paths[:2]):
                if number == note:
                    self.open_note(path)
                else:
                    self.open_transcript(path)
            if len(paths) > 2:
                self._window.banner.say(tr("Only two files were opened. A case is one session and one note."))

        self._ask("sort_files", lambda: list(map(self._looks_like_note, paths[:2])), sorted_out)

    def save_note(self, text: str, done: Callable[[], object], failed: Say | None = None) -> None:
        """Onto the file it came from when that is text or DOCX; otherwise asks. ``failed`` gets what went wrong, where
        that is not said in the banner."""
        path = self._session.note_path
        if path is None or path.suffix.lower() not in WRITTEN:
            self.save_note_as(text, done, failed)
            return
        self._write(path, text, done, failed)

    def beside_library(
        self, text: str, done: Callable[[], object] = lambda: None, failed: Say | None = None
    ) -> Callable[[], object]:
        """To be called once the library has taken the case: saves onto the file that the note comes from now, where
        that can be written. Says in one line what was saved and what was not; ``failed`` gets the latter."""
        path, model = self._session.note_path, self._session.note_on_file

        def not_written(problem: str) -> None:
            said = tr("Saved in the library, but not in its file. {problem}")
            (failed or self._window.banner.say)(said.format(problem=problem))

        def save() -> None:
            if path is None or path.suffix.lower() not in WRITTEN:
                said = tr("Saved in the library. No file was written: “Save note as…” writes a text file.")
                if path is not None:
                    said = tr("Saved in the library. {file} was not changed: “Save note as…” writes a text file.")
                    said = said.format(file=path.name)
                self._window.banner.tell(said)
                done()
            elif self._session.note_on_file is model:
                said = tr("Saved in the library and in {file}.").format(file=path.name)
                self._write(path, text, done, not_written, said)

        return save

    def save_note_as(self, text: str, done: Callable[[], object], failed: Say | None = None) -> None:
        came_from = self._session.note_path or Path(note_file(self.title))
        word = came_from.suffix.lower() == ".docx" and self._session.note_on_file is not None
        start, kinds = came_from.with_suffix(".md").name, tr("Text (*.md *.txt)")
        if word:
            start, kinds = came_from.name, tr("Word document (*.docx);;Text (*.md *.txt)")
        chosen = save_file(self._window, tr("Save note"), start, kinds)
        if chosen:
            self._write(Path(chosen), text, done, failed, chosen=True)

    def _write(
        self,
        path: Path,
        text: str,
        done: Callable[[], object],
        failed: Say | None,
        said: str = "",
        chosen: bool = False,
    ) -> None:
        """``chosen``: in a dialog, which asks before a file is replaced, whatever that says."""
        word = path.suffix.lower() == ".docx"
        model, keep = self._session.note_on_file if word or not chosen else None, self._keep_file()

        def write() -> None:
            self._write_note(path, text, model)
            keep(path, text)

        def written(_: object) -> None:
            self._session.note_path, self._session.note_on_file = path, (path, text)
            done()
            self._window.banner.tell(said or saved(path.name))

        self._ask("save", write, written, failed)

    def export(self, kind: str) -> None:
        evaluation = self._session.judged
        if evaluation is None:
            return
        title = self.title
        chosen = save_file(self._window, EXPORT, scorecard_file(title, kind), f"{kind.upper()} (*.{kind})")
        if chosen and kind == "pdf":
            # Here, not above: the dialog is not needed for the first screen.
            from noteeval_desktop.ui.scorecard.pdf_dialog import ask_pdf

            def export(choice: PdfChoice) -> None:
                page = Path(chosen).with_suffix(".html")

                def go(taken: bool) -> None:
                    # The file dialog asked about the PDF only.
                    kept = taken and not may_replace(self._window, page.name)
                    told = evaluation if choice.masked else titled(evaluation, title)
                    self.export_to(told, Path(chosen), kind, replace(choice, page=False) if kept else choice)

                self._ask("look_for_the_page", lambda: choice.page and page.exists(), go)

            ask_pdf(self._window, export, tr("Add the therapist's responses") if evaluation.responses else "")
        elif chosen:
            self.export_to(titled(evaluation, title), Path(chosen), kind)

    @property
    def title(self) -> str:
        """What the case on the desk is called."""
        return case_title(self._session.label, self._session.note_path, date.today())

    def export_to(self, evaluation: Evaluation, path: Path, kind: str, choice: PdfChoice | None = None) -> None:
        decisions, settle = self._session.decisions_for_export, self._session.settled.on_paper
        write = partial(self._exports[kind], evaluation, path, decisions, choice or PdfChoice(), settle)

        def done(_: object) -> None:
            self._window.banner.tell(exported(path.name))
            self.exported.emit(kind)

        self._ask(f"export {kind}", write, done)

    def _ask(self, name: str, act: Callable[[], T], done: Callable[[T], object], failed: Say | None = None) -> None:
        otherwise = tr("The file could not be written ({reason}). Choose another folder and try again.")
        self._window.jobs.call(
            Lane.DISK, name, act, done, lambda error: (failed or self._window.banner.say)(told(error, otherwise))
        )


def titled(evaluation: Evaluation, title: str) -> Evaluation:
    """For a file: what is judged has a label only where somebody gave it one, since a label is taken for a name."""
    return replace(evaluation, case=replace(evaluation.case, label=title))


def case_title(label: str, note: Path | None, day: date) -> str:
    """What a case is called: by its ``label``, else by the file of its note, else by the day."""
    return label or (note.stem if note is not None else tr("Note of {day}").format(day=long_day(day)))


def scorecard_file(title: str, kind: str) -> str:
    return tr("{title} scorecard.{kind}").format(title=_file_name(title), kind=kind).strip()


def note_file(title: str) -> str:
    return f"{_file_name(title) or 'note'}.md"


def case_file(title: str, suffix: str) -> str:
    return f"{_file_name(title) or 'case'}{suffix}"


def _file_name(title: str) -> str:
    """Without what no system takes in the name of a file."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "-", title).strip(" .-")


def reads_as_note(text: str) -> bool:
    return documents.looks_like_note(text) and not documents.looks_like_transcript(text)


def ask_text(parent: QWidget, title: str, example: str) -> str:
    """A dialog to paste into; empty when it was cancelled."""
    dialog = Window(parent, title, (80 * UNIT, 60 * UNIT))
    field = writing(title, hint=example)
    use = button(tr("Use this text"), dialog.accept, "primary")
    told = PlainLabel(tr("{title} below. It stays on this computer.").format(title=title), look="muted")
    column(told, field, row(None, button(CANCEL, dialog.reject), use), on=dialog, margins=(2,))
    given = field.toPlainText() if dialog.exec() == QDialog.DialogCode.Accepted else ""
    # With what was pasted: nothing of a case stays behind.
    dialog.deleteLater()
    return given


_MOST_WORDS = 8


def unusual_words(text: str) -> tuple[str, ...]:
    """The first words of ``text`` with characters that a wrong reading would spoil."""
    found = re.findall(r"\S*[^\x00-\x7f]\S*", text)
    return tuple(shortened(word, 30) for word in dict.fromkeys(found))[:_MOST_WORDS]


def may_replace(parent: QWidget, name: str) -> bool:
    asked = tr("{file} is already there, beside the PDF.").format(file=name)
    return sure(parent, asked, "", tr("Replace it"), tr("Keep it, export only the PDF"))


def agreed(parent: QWidget, opened: Transcript | Note) -> bool:
    """Asks when ``opened`` was read by guess; True when it was not, or when it looks right to the reader."""
    if not any(CP1252_WARNING in warning for warning in opened.warnings):
        return True
    text = opened.text if isinstance(opened, Note) else "\n".join(turn.text for turn in opened.turns)
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Do these words look right?"))
    box.setInformativeText(
        "  ".join(unusual_words(text))
        + tr(
            "\n\nThis file does not name its text encoding, so it was read as Windows-1252. If accents look wrong, "
            "save it as UTF-8 and open it again."
        )
    )
    yes = box.addButton(tr("They look right"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Do not open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(yes)
    box.exec()
    box.deleteLater()
    return box.clickedButton() is yes
