"""Before anything is open: two places to drop files on, the sample case, recent cases, a word on privacy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.parts import button, column, empty, grounded, restyle, row, scrolling, tool
from noteeval_desktop.ui.widgets.plain import PlainLabel, menu_text
from noteeval_desktop.ui.widgets.theme import HIT, UI_SIZE, UNIT, sized

if TYPE_CHECKING:
    from noteeval_desktop.store.drafts import RecentCase


# What they are called, and what opens them.
Recent = Sequence[tuple[str, Callable[[], object]]]


def dropped_files(event: QDropEvent | QDragEnterEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


_PRIVATE = tr("Everything stays on this computer. Nothing is sent anywhere.")


class DropTarget(QFrame):
    """One of the two files; its buttons do what ``choose`` and ``paste`` do. ``dropped(Path)``."""

    dropped = Signal(object)
    write_asked = Signal()

    def __init__(self, title: str, takes: str, choose: QAction, paste: QAction, can_write: bool = False) -> None:
        super().__init__()
        self.setObjectName("drop_target")
        self.setAcceptDrops(True)
        self.setAccessibleName(title)
        self.setMinimumHeight(30 * UNIT)
        self.setMaximumHeight(36 * UNIT)
        heading = PlainLabel(title)
        heading.setFont(sized(self.font(), UI_SIZE + 5, QFont.Weight.DemiBold))
        heading.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._takes = takes
        self._said = PlainLabel(takes, look="muted", wrap=True)
        self._said.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._said.setMinimumHeight(2 * self._said.fontMetrics().lineSpacing())
        self.choose = button(tr("Choose file…"), choose.trigger)
        links = [tool(tr("Paste…"), paste.trigger, height=HIT + 4)]
        links += [tool(tr("Write here"), self.write_asked.emit, height=HIT + 4)] if can_write else []
        for way in (self.choose, *links):  # the other file's are called the same
            way.setAccessibleName(f"{title}: {way.text()}")
        ways = row(None, self.choose, *links, None)
        column(heading, self._said, None, ways, on=self, margins=(3,), spacing=1).insertSpacing(0, 4 * UNIT)

    def show_filled(self, said: str) -> None:
        """``said`` tells what was read; empty: nothing yet."""
        self._said.setText(f"✓ {said}" if said else self._takes)
        restyle(self, "state", "filled" if said else "")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Two files are the window's to take: a session and its note."""
        if len(dropped_files(event)) == 1:
            event.acceptProposedAction()
            restyle(self, "state", "over")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        restyle(self, "state", "")

    def dropEvent(self, event: QDropEvent) -> None:
        restyle(self, "state", "")
        files = dropped_files(event)
        if files:
            event.acceptProposedAction()
            self.dropped.emit(files[0])


class EmptyState(QWidget):
    """Its buttons are the window's ``commands``."""

    def __init__(self, commands: Mapping[str, QAction]) -> None:
        super().__init__()
        grounded(self, "pane").setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.transcript = DropTarget(
            tr("Session transcript"),
            tr("TXT, MD, VTT, SRT, DOCX, JSON or CSV, from Zoom, Teams, Meet, Otter, Rev or Whisper"),
            commands["open_transcript"],
            commands["paste_transcript"],
        )
        takes = tr("TXT, MD, DOCX, PDF or JSON, in SOAP, DAP, BIRP, GIRP or PIE")
        self.note = DropTarget(tr("Draft note"), takes, commands["open_note"], commands["paste_note"], can_write=True)
        tall = HIT + UNIT
        self.sample_button = button(tr("Try the sample case"), commands["open_sample"].trigger, "primary", height=tall)
        self.clipboard_button = button(tr("New from clipboard"), commands["open_clipboard"].trigger, height=tall)
        self.many_button = button(tr("Review many…"), commands["review_many"].trigger, height=tall)
        self.library_button = button(tr("Open the library"), commands["library"].trigger, height=tall)
        self.library_button.hide()
        self._recent = QHBoxLayout()
        self._recent.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.privacy = PlainLabel(_PRIVATE, look="muted", wrap=True)
        self.privacy.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = PlainLabel(tr("Check a note against its session"))
        title.setFont(sized(self.font(), UI_SIZE + 11, QFont.Weight.DemiBold))
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        targets = row((self.transcript, 1), (self.note, 1), spacing=3)
        buttons = self.library_button, self.sample_button, self.clipboard_button, self.many_button
        beginnings = row(*buttons, spacing=1)
        beginnings.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        inside = column((None, 2), title, targets, beginnings, self._recent, self.privacy, (None, 3), spacing=3)
        # On a small screen: its height must not be the least that the window can have with a case open.
        body = QWidget()
        body.setObjectName("pane")
        row(None, (inside, 8), None, on=body)
        column(scrolling(body, ""), on=self, margins=(0,))

    def show_privacy(self, remote: bool) -> None:
        """Of the judge in use: is it on another machine?"""
        self.privacy.setText(
            tr("An online AI service checks this note. You see what would be sent, and decide.") if remote else _PRIVATE
        )

    def offer_library(self, exists: bool) -> None:
        """Who has kept cases comes back for them: then the library comes before the sample."""
        self.library_button.setVisible(exists)
        for each, first in ((self.library_button, exists), (self.sample_button, not exists)):
            restyle(each, "look", "primary" if first else "")

    def show_recent(self, cases: Recent) -> None:
        empty(self._recent)
        if cases:
            self._recent.addWidget(PlainLabel(tr("Recent:"), look="muted"))
        for name, open_it in cases[:4]:
            self._recent.addWidget(tool(menu_text(name), open_it, "chip"))


def recent_name(case: RecentCase) -> str:
    """Files by when they were opened: their names may hold a client's, and a menu be seen over someone's shoulder."""
    return f"{case.opened:%a} {case.opened.day} {case.opened:%b, %H:%M}"
