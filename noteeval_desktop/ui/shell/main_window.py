"""The window's frame: what stands before its rooms are built, and stays around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QIcon, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QStackedWidget, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.settings import Settings
from noteeval_desktop.ui.case.empty_state import EmptyState, Recent, dropped_files, recent_name
from noteeval_desktop.ui.shell.actions import Menus, fill_menus, make_actions, name_keys, set_keys, show_recent_menu
from noteeval_desktop.ui.widgets.jobs import JobRunner, Lane, at_the_end, told
from noteeval_desktop.ui.widgets.parts import MenuButton, column, grounded, progress_bar, row
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel, menu_text, shortened
from noteeval_desktop.ui.widgets.shell import Banner, Shell, StatusLine
from noteeval_desktop.ui.widgets.theme import (
    HIT,
    READING_SIZE,
    READING_SIZES,
    THEME,
    UI_SIZE,
    UNIT,
    bring_up,
    icon,
    open_at,
    sized,
)

if TYPE_CHECKING:
    from noteeval_desktop.ui.case.autosave import Autosave
    from noteeval_desktop.ui.case.case_session import CaseSession
    from noteeval_desktop.ui.case.checking import Checking
    from noteeval_desktop.ui.case.files import Files
    from noteeval_desktop.ui.case.left_drafts import LeftDrafts
    from noteeval_desktop.ui.case.opening import Opening
    from noteeval_desktop.ui.case.unsaved import Unsaved
    from noteeval_desktop.ui.case.workspace import Workspace
    from noteeval_desktop.ui.findings.glance_row import GlanceRow
    from noteeval_desktop.ui.findings.risk_banner import RiskBanner
    from noteeval_desktop.ui.judging.checklists_window import ChecklistDesk
    from noteeval_desktop.ui.judging.desk import JudgeDesk
    from noteeval_desktop.ui.judging.encoder_setup import EncoderSetup
    from noteeval_desktop.ui.library.desk import LibraryDesk
    from noteeval_desktop.ui.many.desk import ManyDesk
    from noteeval_desktop.ui.shell.outside import Outside
    from noteeval_desktop.ui.supervision.desk import SupervisionDesk

_ICON = QSize(16, 16)


class Header(QWidget):
    """Its icons come with ``draw``: until then there is room for them."""

    def __init__(self, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        grounded(self, "header")
        self._name = PlainLabel("NoteEval")
        self._name.setObjectName("program")
        self._case = ElidedLabel("", look="muted")
        nothing = QPixmap(_ICON)
        nothing.fill(Qt.GlobalColor.transparent)
        self._no_icon = QIcon(nothing)
        self._drawn: list[tuple[QToolButton, str]] = []
        self.judge_button = self._button(tr("Judge: Built-in ▾"), "judge")
        name_keys(self.judge_button, actions["choose_judge"])
        self.judge_button.clicked.connect(actions["choose_judge"].trigger)
        recheck, export = self._button(actions["recheck"].text(), "recheck"), MenuButton(look="")
        name_keys(recheck, actions["recheck"])
        recheck.clicked.connect(actions["recheck"].trigger)
        self._button(tr("Export ▾"), "export", export)
        menu = QMenu(export)
        for name in ("preview", "export_pdf", "export_json", "export_csv"):
            menu.addAction(actions[name])
        export.setMenu(menu)
        for button, action in ((recheck, actions["recheck"]), (export, actions["export_pdf"])):
            action.enabledChanged.connect(button.setEnabled)
            button.setEnabled(action.isEnabled())
        parts = self._name, (self._case, 1), self.judge_button, recheck, export
        row(*parts, on=self, margins=(2, 0.5, 1, 0.5), spacing=0.5).insertSpacing(1, UNIT)

    def _button(self, text: str, drawn: str, made: QToolButton | None = None) -> QToolButton:
        button = made or QToolButton()
        button.setText(f" {text}")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(_ICON)
        button.setIcon(self._no_icon)
        button.setMinimumHeight(HIT)
        button.setAccessibleName(text.removesuffix(" ▾"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._drawn.append((button, drawn))
        return button

    def show_judge(self, name: str) -> None:
        said = tr("Judge: {name}").format(name=name)
        self.judge_button.setText(menu_text(f" {said} ▾"))
        self.judge_button.setAccessibleName(said)

    def show_case(self, label: str) -> None:
        self._case.setText(label)

    def draw(self) -> None:
        for button, name in self._drawn:
            button.setIcon(icon(name))


_NOT_SAVED = tr("The settings could not be saved ({reason}). They apply until you close the window.")
_LARGEST_AROUND = 20


class MainWindow(Shell):
    """``painted`` once it is on the screen, ``built`` when its rooms are there; whoever asks for one of them
    earlier waits for all."""

    painted = Signal()
    built = Signal()
    resized = Signal()
    _recent: Recent = ()
    _kept: Recent = ()
    outside: Outside
    session: CaseSession
    workspace: Workspace
    files: Files
    autosave: Autosave
    unsaved: Unsaved
    opening: Opening
    left_drafts: LeftDrafts
    checking: Checking
    glance_row: GlanceRow
    risk_banner: RiskBanner
    judging: JudgeDesk
    checklists: ChecklistDesk
    encoder: EncoderSetup
    library: LibraryDesk
    supervision: SupervisionDesk
    many: ManyDesk

    def __init__(
        self,
        jobs: JobRunner,
        settings: Settings,
        apply_theme: Callable[[QWidget, str], object],
        save_settings: Callable[[Settings], object],
        menus: Menus,
        load_rooms: Callable[[], Callable[[MainWindow], Iterator[None]]],
        outside: Callable[[], Outside],
    ) -> None:
        """``apply_theme`` takes the window and system, light or dark; ``save_settings`` raises OSError where they
        cannot be kept. Once the frame is shown ``load_rooms`` is called, off the GUI thread first, for what builds
        them, and ``outside`` for what they need."""
        super().__init__()
        self.setWindowTitle("NoteEval[*]")
        self.setAcceptDrops(True)
        self.jobs, self.settings, self._apply_theme = jobs, settings, apply_theme
        apply_theme(self, settings.theme)
        self.banner = Banner()
        self.save_settings = save_settings
        self._table = [command for menu in menus.values() for command in menu]
        self.commands = make_actions(self, self._table, lambda command: command.does(self.build()))
        set_keys(self.commands, self._table, settings.keys)
        self._load_rooms = load_rooms
        self._steps: Iterator[None] | None = self._building(outside)
        self._begun = self._shown = False
        self.empty = EmptyState(self.commands)
        self.header = Header(self.commands)
        self.status = StatusLine()
        named = ("cancel", "previous_finding", "next_finding")
        for button, name in zip((self.status.cancel, *self.status.steps), named, strict=True):
            name_keys(button, self.commands[name])
        self.progress = progress_bar(tr("Progress of the check"), thin=True)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        body = QWidget()
        parts = self.header, self.progress, self.banner, (self.pages, 1), self.status
        self.column = column(*parts, on=body, margins=(0,), spacing=0)
        self.setCentralWidget(body)
        self.status.hide()
        self.recent_menu = fill_menus(self.menuBar(), menus, self.commands)
        self._tick_theme()
        open_at(self, 1280, 800)
        self.restoreGeometry(QByteArray.fromHex(self.settings.layout.partition(":")[0].encode()))
        empty, build = self.empty, self.build
        empty.transcript.dropped.connect(lambda path: build().files.open_transcript(path))
        empty.note.dropped.connect(lambda path: build().files.open_note(path))
        empty.note.write_asked.connect(lambda: build().files.open_note(""))
        # Not on the header: a transcript or a note can be pasted at once.
        self.empty.setFocus()

    # Building

    def _building(self, outside: Callable[[], Outside]) -> Iterator[None]:
        build = self._load_rooms()
        self.header.draw()
        THEME.changed.connect(self.header.draw)
        yield
        self.outside = outside()
        yield
        yield from build(self)

    def build(self) -> MainWindow:
        """Now, what is left of it."""
        while self._step():
            pass
        return self

    def build_soon(self) -> None:
        """The code is loaded off the GUI thread, the rooms are set up in idle steps. Once; later calls do nothing."""
        if self._begun:
            return
        self._begun = True
        # What cannot be loaded raises once more where it can be told.
        self.jobs.call(Lane.ASIDE, "load the rooms", self._load_rooms, self._step_on, self._step_on)

    def _step_on(self, _: object = None) -> None:
        if self._step():
            QTimer.singleShot(0, self._step_on)

    def _step(self) -> bool:
        """Whether there is more to do."""
        steps, self._steps = self._steps, None
        if steps is None:
            return False
        for _ in steps:
            self._steps = steps
            return True
        self.built.emit()
        return False

    # Around the rooms

    def take(self, paths: list[Path]) -> None:
        """Files from outside: a session and a note, one of them, or a folder of many."""
        window = self.build()

        def go(many: bool) -> None:
            (window.many.take if many else window.opening.open_files)(paths)

        # A folder of the network may take long to answer.
        folders = partial(any, map(Path.is_dir, paths))
        window.jobs.call(Lane.DISK, "look_at_dropped", folders, go, lambda _: go(False))

    def come_to_front(self) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        bring_up(self)

    def show_recent(self, cases: object) -> None:
        assert isinstance(cases, tuple)
        self._recent = [(recent_name(case), partial(self.opening.open_recent, case)) for case in cases]
        self._show_recent()

    def show_kept(self, cases: Sequence[tuple[str, str]]) -> None:
        """Of the open library: the id and the label of each, the newest first."""
        self._kept = [(shortened(label, 30), partial(self.library.open_case, case_id)) for case_id, label in cases]
        self._show_recent()

    def offer_kept(self, unlock: Callable[[], object]) -> None:
        """There are kept cases, which show once the library is unlocked."""
        self._kept = [(tr("Unlock to see kept cases…"), unlock)]
        self._show_recent()

    def _show_recent(self) -> None:
        for show in (self.empty.show_recent, partial(show_recent_menu, self.recent_menu)):
            show([*self._kept, *self._recent])

    def keep_settings(self, settings: Settings) -> None:
        self.settings = settings
        # A newer choice takes the place of one that is not yet written.
        self.jobs.call(
            Lane.DISK,
            "settings",
            lambda: self.save_settings(settings),
            lambda _: None,
            lambda error: self.banner.say(told(error, _NOT_SAVED)),
        )

    def choose_theme(self, name: str) -> None:
        self.keep_settings(replace(self.settings, theme=name))
        self.retheme()

    def retheme(self) -> None:
        """As the settings say, and the system where they leave it to that."""
        self._apply_theme(self, self.settings.theme)
        self._tick_theme()

    def _tick_theme(self) -> None:
        for name in ("light", "dark", "system"):
            self.commands[name].setCheckable(True)
            self.commands[name].setChecked(name == self.settings.theme)

    def choose_keys(self, changed: dict[str, str]) -> None:
        self.keep_settings(replace(self.settings, keys=changed))
        set_keys(self.commands, self._table, changed)

    def set_size(self, pixels: int) -> None:
        size = min(max(pixels, READING_SIZES[0]), READING_SIZES[1])
        self.keep_settings(replace(self.settings, font_size=size))
        self.show_size()

    def show_size(self) -> None:
        """What is read all day follows the reading size; what frames it never gets smaller than usual."""
        size = self.settings.font_size
        # Not without end: on a small screen the note needs the room, and the window must not outgrow it.
        around = sized(self.font(), min(max(UI_SIZE, round(UI_SIZE * size / READING_SIZE)), _LARGEST_AROUND))
        frame = (self.glance_row, self.risk_banner, self.banner, self.header, self.status, self.menuBar())
        for part in (*frame, self.workspace):
            part.setFont(around)
        self.workspace.set_reading_size(size)

    # Events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event)
        if paths:
            event.acceptProposedAction()
            self.take(paths)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._shown:
            self._shown = True
            QTimer.singleShot(0, self.painted.emit)  # when what stands in it is painted too

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.build()
        if not self.unsaved.settled() or not self.library.locking.may_close():
            event.ignore()
            return
        parts = (self.saveGeometry(), self.workspace.saveState())
        layout = ":".join(bytes(part.toHex().data()).decode("ascii") for part in parts)
        self.library.access.stop_backing_up()
        self.many.close()
        self.jobs.shut_down()
        at_the_end(lambda: self.save_settings(replace(self.settings, layout=layout)), _NOT_SAVED)
        self.judging.close()
        self.supervision.close()
        self.library.close()
        self.autosave.finish()
        event.accept()


TOGETHER_MS = 150


class Arrivals(QObject):
    """Files that come to the window from outside, by another start or by macOS."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._files = window, list[Path]()
        # Of files that are opened together, systems start a program for each, or tell of one after the other.
        self._soon = QTimer(self, singleShot=True, interval=TOGETHER_MS)
        self._soon.timeout.connect(self._open)

    def take(self, files: list[Path]) -> None:
        self._window.come_to_front()
        self._files += files
        self._soon.start()

    def _open(self) -> None:
        """As a drop is, which a dialog keeps waiting as well."""
        if QApplication.activeModalWidget() is not None:
            self._soon.start()
        elif self._files:
            files, self._files = self._files, []
            self._window.take(files)
