"""The review of many notes: pairs are found, each is checked and kept before it is told, and what comes is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QMessageBox

from noteeval_desktop.batch import Pair
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.errors import Cancelled, NoteEvalError, unexpected
from noteeval_desktop.report.many.figures import Overview
from noteeval_desktop.store.sets import KeptSet
from noteeval_desktop.ui.case.engaged import Engaged
from noteeval_desktop.ui.many import work
from noteeval_desktop.ui.many.queue import Queue
from noteeval_desktop.ui.many.run_store import Entry, RunStore, State
from noteeval_desktop.ui.many.window import ManyWindow
from noteeval_desktop.ui.many.work import Matched
from noteeval_desktop.ui.widgets.choosing import open_file, open_folder, save_file
from noteeval_desktop.ui.widgets.jobs import Emit, Lane
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import bring_up
from noteeval_desktop.ui.widgets.words import EXPORT, exported

_READ, _SUM, _COMPARE = "read_many", "sum_up_many", "compare_many"


@dataclass(frozen=True)
class Around:
    """What the window does for this room: ``open_pair`` and ``open_evaluation`` put a case on the desk, ``exported``
    takes the kind of a file that was written."""

    engaged: Callable[[], Engaged]
    looks_like_note: Callable[[Path], bool]
    open_pair: Callable[[Path, Path], object]
    open_evaluation: Callable[[Evaluation], object]
    exported: Callable[[str], object]


class ManyDesk(QObject):
    """Owned by the GUI thread; its window is made when it is first asked for, and lives until it is closed."""

    def __init__(self, shell: Shell, store: RunStore, around: Around) -> None:
        super().__init__(shell)
        self._shell, self._jobs, self._store, self._around = shell, shell.jobs, store, around
        self.queue = Queue(shell.jobs, around.engaged, store, lambda: tuple(shell.settings.silenced), self)
        self.queue.changed.connect(self._on_changed)
        self.queue.moved.connect(self._on_moved)
        self.queue.failed.connect(self._say)
        self._redraw = QTimer(self, singleShot=True, interval=1200)
        self._redraw.timeout.connect(self.sum_up)
        self.window: ManyWindow | None = None

    def show(self) -> ManyWindow:
        if self.window is None:
            self.window = window = ManyWindow(self._shell, lambda: self.queue.running)
            window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self._connect(window)
            self._list_earlier()
        bring_up(self.window)
        return self.window

    def take(self, paths: Sequence[Path]) -> None:
        """A folder was dropped on the main window."""
        self.show()
        self.open_paths(paths)

    def _connect(self, window: ManyWindow) -> None:
        start, notes = window.start, window.notes
        start.dropped.connect(self.open_paths)
        start.folder_asked.connect(lambda: self._choose_folder(self.open_paths))
        start.table_asked.connect(self._choose_table)
        start.results_asked.connect(lambda: self._choose_folder(lambda paths: self.open_results(paths[0])))
        start.earlier_asked.connect(self.open_earlier)
        start.delete_asked.connect(self._delete)
        window.match.settled.connect(self.begin)
        window.match.given_up.connect(lambda: window.pages.setCurrentWidget(start))
        window.go.clicked.connect(self._toggle)
        window.another.clicked.connect(self._another)
        window.names.toggled.connect(notes.show_names)
        window.names.toggled.connect(lambda _: self.sum_up())
        window.export_asked.connect(self._choose_export)
        window.finished.connect(self._on_closed)
        notes.open_asked.connect(self.open_case)
        notes.stop_asked.connect(self.queue.stop)
        notes.retry_asked.connect(self.queue.retry)
        window.compare.asked.connect(self._compare)
        window.compare.other_asked.connect(lambda: self._choose_folder(self._read_other))

    def _on_closed(self) -> None:
        """What was checked is kept; the rest goes on when the set is opened again."""
        self.queue.pause()
        self._redraw.stop()
        for job in (_READ, _SUM, _COMPARE):
            self._jobs.drop(job)
        self.window = None

    def close(self) -> None:
        if self.window is not None:
            self.window.close()

    def judge_changed(self) -> None:
        if self.queue.running:
            self.queue.pause()
            self._say(tr("Paused: the judge was changed. “Go on” checks the rest with the new one."))

    # Finding a set

    def _choose_folder(self, take: Callable[[list[Path]], object]) -> None:
        assert self.window is not None
        if name := open_folder(self.window, tr("Choose a folder…")):
            take([Path(name)])

    def _choose_table(self) -> None:
        assert self.window is not None
        tables = tr("Tables (*{TABLE})").format(TABLE=work.TABLE)
        if name := open_file(self.window, tr("Choose a table…"), tables):
            self.open_paths([Path(name)])

    def open_paths(self, paths: Sequence[Path]) -> None:
        """A table, a folder, or files."""
        looks_like_note = self._around.looks_like_note
        self._say(tr("Reading the files…"))

        def found(matched: Matched) -> None:
            self._say("")
            assert self.window is not None
            if not matched.told:
                self.window.match.show_found(matched)
                self.window.pages.setCurrentWidget(self.window.match)
            else:
                self.begin(matched.pairs)

        self._run(_READ, lambda *_: work.find_pairs(paths, looks_like_note), found)

    def begin(self, pairs: tuple[Pair, ...]) -> None:
        """They are kept, then checked."""
        store = self._store

        def kept(run: str) -> None:
            self._take(run, tuple(Entry(pair) for pair in pairs))
            self._toggle()

        self._run(_READ, lambda *_: store.begin(pairs), kept, Lane.DISK)

    def open_earlier(self, kept: KeptSet) -> None:
        store = self._store

        def show(entries: tuple[Entry, ...]) -> None:
            self._take(kept.id, entries, kept.folder)

        self._run(_READ, lambda *_: store.entries(kept.id), show, Lane.DISK)

    def open_results(self, folder: Path) -> None:
        """They come in chunks, and are shown as they come."""
        self._take("", ())

        def take(chunk: object) -> None:
            assert isinstance(chunk, tuple)
            self.queue.entries += chunk
            if self.window is not None:
                self.window.notes.model.add(chunk)
                self.window.notes.show_count()
                self._on_moved()

        def failed(error: Exception) -> None:
            self._another()
            self._fail(error)

        read = partial(work.read_results, folder)
        self._run(_READ, read, lambda _: self.sum_up(), event=take, failed=failed)

    def _take(self, run: str, entries: tuple[Entry, ...], folder: str = "") -> None:
        if self.window is None:
            return
        self.queue.take(run, entries, folder)
        window = self.window
        window.notes.model.clear()
        window.notes.model.know([entry.pair.clinician for entry in entries if entry.pair is not None])
        window.notes.model.add(entries)
        window.compare.forget()
        window.save_results.setEnabled(bool(run))
        window.pages.setCurrentWidget(window.review)
        window.notes.table.setFocus()
        self._say("")
        window.privacy.setText(_kept(self._store.guarded) if run else "")
        self._on_moved()
        self.sum_up()

    def _another(self) -> None:
        self.queue.pause()
        self._list_earlier()
        if self.window is not None:
            self.window.pages.setCurrentWidget(self.window.start)

    def _list_earlier(self) -> None:
        def show(kept: tuple[KeptSet, ...]) -> None:
            if self.window is not None:
                self.window.start.show_earlier(kept)
                self.window.privacy.setText(_kept(self._store.guarded))

        self._run("earlier_sets", lambda *_: self._store.kept(), show, Lane.DISK)

    def _delete(self, kept: KeptSet) -> None:
        asked = tr("Delete this set with its results? The sessions and notes themselves stay where they are.")
        title = tr("Review many notes")
        if QMessageBox.question(self.window, title, asked) == QMessageBox.StandardButton.Yes:
            throw_away = self._store.throw_away
            self._run("delete_a_set", lambda *_: throw_away(kept.id), lambda _: self._list_earlier(), Lane.DISK)

    # Checking

    def _toggle(self) -> None:
        if self.queue.running:
            self.queue.pause()
        elif self._around.engaged().lane is Lane.REMOTE:
            self._say(
                tr(
                    "The online AI service takes one case at a time, since you see what is sent before it is. "
                    "Choose another judge for many notes."
                )
            )
        else:
            self._say("")
            self.queue.start()

    def _on_changed(self, place: int, entry: Entry) -> None:
        if self.window is not None:
            self.window.notes.model.change(place, entry)
            self.window.notes.enable()
            if entry.row is not None and not self._redraw.isActive():
                self._redraw.start()

    def _on_moved(self) -> None:
        if self.window is not None:
            total, left = len(self.queue.entries), self.queue.left
            failed = sum(entry.state is State.FAILED for entry in self.queue.entries)
            said = _left_to_check(total - left, failed, total, self.queue.seconds_left if self.queue.running else None)
            share = (total - left) / total if total else 0.0
            self.window.show_progress(said, share, self.queue.running, bool(left and self.queue.run))

    # Showing

    def sum_up(self) -> None:
        if self.window is None:
            return
        entries, names = tuple(self.queue.entries), self.window.names.isChecked()
        self.window.notes.show_count()  # and the columns that have something in them by now

        def show(made: Overview) -> None:
            if self.window is not None:
                self.window.overview.show_overview(made)
                self.window.compare.show_entries(entries)

        self._run(_SUM, lambda *_: work.overview_of(entries, names), show)

    def _compare(self, a: Sequence[Entry], b: Sequence[Entry], names: tuple[str, str]) -> None:
        def show(made: Overview) -> None:
            if self.window is not None:
                self.window.compare.page.show_overview(made)

        self._run(_COMPARE, lambda *_: work.compare(a, b, names), show)

    def _read_other(self, paths: Sequence[Path]) -> None:
        folder = paths[0]

        def read(cancel: threading.Event, emit: Emit) -> tuple[Entry, ...]:
            entries: list[Entry] = []
            work.read_results(folder, cancel, lambda chunk: entries.extend(chunk))  # type: ignore[arg-type]
            return tuple(entries)

        def show(entries: tuple[Entry, ...]) -> None:
            if self.window is not None:
                self.window.compare.add_other(folder.name, entries)

        self._run(_READ, read, show)

    def open_case(self, place: int) -> None:
        entry, run, store = self.queue.entries[place], self.queue.run, self._store

        def look(*_: object) -> tuple[Path, Path] | Evaluation:
            """The files as they are now, where they still are; else what was kept of them."""
            pair = entry.pair
            if pair and pair.transcript and pair.note and pair.transcript.is_file() and pair.note.is_file():
                return pair.transcript, pair.note
            return work.evaluation(entry, store, run, place)

        def show(found: tuple[Path, Path] | Evaluation) -> None:
            if isinstance(found, tuple):
                self._around.open_pair(*found)
            else:
                self._around.open_evaluation(found)
            self._shell.raise_()
            self._shell.activateWindow()

        self._run(_READ, look, show)

    # Files

    def _choose_export(self, kind: str) -> None:
        if kind == "json":
            self._choose_folder(lambda paths: self.save_results(paths[0]))
            return
        assert self.window is not None
        if name := save_file(self.window, EXPORT, f"many-notes.{kind}", f"{kind.upper()} (*.{kind})"):
            self.export_to(Path(name if name.endswith(f".{kind}") else f"{name}.{kind}"))

    def export_to(self, path: Path) -> None:
        window = self.window
        assert window is not None
        compared = window.compare.page.overview
        entries, names = tuple(self.queue.entries), window.names.isChecked()
        more = [compared] if compared is not None and compared.figures else []

        def write(*_: object) -> None:
            work.write_overview([work.overview_of(entries, names), *more], path)

        def written(_: object) -> None:
            self._around.exported(f"many-notes{path.suffix}")
            self._say(exported(path.name))

        self._run("export_many", write, written, Lane.DISK)

    def save_results(self, folder: Path) -> None:
        store, run = self._store, self.queue.run
        # First: what is checked from now on is written by the queue, and what was checked before is in the store.
        self.queue.folder = str(folder)

        def written(number: int) -> None:
            self._around.exported("many-notes.json")
            said = tr("Saved {results} in {folder}. They are not encrypted.{coming}")
            coming = tr(" The others follow as they come.") if self.queue.left else ""
            self._say(said.format(results=counted(number, "result"), folder=folder.name, coming=coming))

        self._run("export_many", lambda *_: work.write_results(store, run, folder), written, Lane.DISK)

    # Around

    def _run(
        self,
        name: str,
        act: Callable[[threading.Event, Emit], Any],
        done: Callable[[Any], object],
        lane: Lane = Lane.ASIDE,
        *,
        event: Callable[[object], None] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        window = self.window
        if window is not None:
            self._jobs.submit(lane, name, act, done, failed or self._fail, event, owner=window)

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._say(str(error) if isinstance(error, NoteEvalError) else unexpected(error))

    def _say(self, said: str) -> None:
        if self.window is not None:
            self.window.say(said)
            self.window.start.said.say(said)


def _kept(guarded: bool) -> str:
    "``guarded``: the system's keychain holds the key of the results."
    how = tr("Results are kept encrypted until you delete the set.")
    if not guarded:
        how = tr(
            "Results are kept until you delete the set. This computer has no keychain to protect them: "
            "anyone who can open your files can read them."
        )
    return tr("Everything stays on this computer. {how}").format(how=how)


def _left_to_check(done: int, failed: int, total: int, seconds: float | None) -> str:
    '"37 of 105 checked, 2 could not be checked, about 12 min left". ``done``: with those that failed.'
    said = tr("{done:,} of {total:,} checked").format(done=done - failed, total=total)
    if failed:
        said += tr(", {failed:,} could not be checked").format(failed=failed)
    if seconds is None or done >= total:
        return said
    minutes = round(seconds / 60)
    left = tr("{said}, about {minutes} min left") if minutes else tr("{said}, less than a minute left")
    return left.format(said=said, minutes=minutes)
