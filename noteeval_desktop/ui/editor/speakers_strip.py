"""Who is who: one chip a speaker, with a menu of the parts that one can have; it renames and merges too."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QSizePolicy, QToolButton, QWidget

from noteeval_desktop.documents import role_by_label
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.ui.widgets.parts import Fitted, MenuButton, empty, row
from noteeval_desktop.ui.widgets.plain import explain, in_font_of, menu_text
from noteeval_desktop.ui.widgets.theme import UNIT

MOST_CHIPS = 4
PART_NAMES = {
    "therapist": tr("Therapist"),
    "client": tr("Client"),
    "partner": tr("Partner"),
    "parent": tr("Parent"),
    "child": tr("Child"),
    "interpreter": tr("Interpreter"),
    "other": tr("Other"),
}
ROLE_NAMES = {role: PART_NAMES[role.value] for role in Role}
SHORTEST_NAME = "Ab…yz"


class SpeakersStrip(Fitted):
    """``part_chosen(speaker, part)``, of PARTS; ``renamed(old, new)``, where an existing name merges the two."""

    part_chosen = Signal(str, str)
    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._row = row(on=self, margins=(0,), spacing=0.5)
        self._row.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._transcript = Transcript(())
        self._chips: list[QToolButton] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_speakers(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._fill(self._room())

    def _room(self) -> int:
        """How many chips show their role whole; the others are in the menu of the last. Three and more share one
        button where there is no room for each: a chip or two of theirs would tell nobody who is who."""
        speakers, used = self._transcript.speakers, 0
        if len(speakers) > MOST_CHIPS:
            return 0
        for number, speaker in enumerate(speakers):
            role = self._shown_part(speaker)
            used += self.fontMetrics().horizontalAdvance(role) + 4 * UNIT + 2
            others = 7 * UNIT if number + 1 < len(speakers) else 0
            if number and used + others > self.width():
                return number if len(speakers) == 2 else 0
        return len(speakers)

    def _fill(self, count: int) -> None:
        empty(self._row)
        speakers = self._transcript.speakers
        self._chips = [self._chip(speaker) for speaker in speakers[:count]]
        for chip in self._chips:
            self._row.addWidget(chip)
        if len(speakers) > count:
            self._row.addWidget(self._more(speakers[count:]))
        in_font_of(self, self.findChildren(QToolButton))
        self._fit()

    def _chip(self, speaker: str) -> QToolButton:
        part = self._part(speaker)
        chip = MenuButton(look="chip")
        chip.setProperty("speaker", speaker)
        guessed = tr(" This was guessed.") if self._shown_part(speaker) != part else ""
        explain(
            chip,
            tr("{speaker}: {part}.{guessed} Click to change the role or the name.").format(
                speaker=speaker, part=part.lower(), guessed=guessed
            ),
        )
        chip.setAccessibleName(f"{speaker}, {part}")
        chip.setMenu(self._menu(speaker, chip))
        chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chip.customContextMenuRequested.connect(lambda _: chip.showMenu())
        return chip

    def _part(self, speaker: str) -> str:
        return PART_NAMES[self._transcript.part_of(speaker)]

    def _shown_part(self, speaker: str) -> str:
        """ "Client?" where that was guessed."""
        guessed = self._transcript.roles_guessed and role_by_label(speaker) is Role.OTHER
        return f"{self._part(speaker)}?" if guessed else self._part(speaker)

    def _more(self, speakers: tuple[str, ...]) -> QToolButton:
        more = MenuButton(look="chip")
        all_of_them = len(speakers) == len(self._transcript.speakers)
        more.setText(f"{counted(len(speakers), 'speaker')} ▾" if all_of_them else f"+{len(speakers)}")
        more.setAccessibleName(more.text() if all_of_them else tr("{count} more speakers").format(count=len(speakers)))
        menu = QMenu(more)
        for speaker in speakers:
            menu.addMenu(self._menu(speaker, more)).setText(menu_text(f"{speaker} · {self._part(speaker)}"))
        more.setMenu(menu)
        return more

    def _menu(self, speaker: str, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        for part, name in PART_NAMES.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(part == self._transcript.part_of(speaker))
            action.triggered.connect(lambda _=False, part=part: self.part_chosen.emit(speaker, part))
        menu.addSeparator()
        menu.addAction(tr("Rename…")).triggered.connect(lambda: self._rename(speaker))
        others = [other for other in self._transcript.speakers if other != speaker]
        if others:
            merge = menu.addMenu(tr("Same person as"))
            for other in others:
                action = merge.addAction(menu_text(other))
                action.triggered.connect(lambda _=False, other=other: self.renamed.emit(speaker, other))
        return menu

    def _rename(self, speaker: str) -> None:
        title, asked = tr("Rename the speaker"), tr("Name shown in the session:")
        new, agreed = QInputDialog.getText(self, title, asked, text=speaker)
        if agreed and new.strip() and new.strip() != speaker:
            self.renamed.emit(speaker, new.strip())

    def fit(self) -> None:
        in_font_of(self, self.findChildren(QToolButton))
        count = self._room()
        if count != len(self._chips):
            self._fill(count)
        else:
            self._fit()

    def _fit(self) -> None:
        """The role stays whole; where the pane is narrow the name is cut in its middle."""
        chips = self._chips
        others = 7 * UNIT if len(chips) < len(self._transcript.speakers) else 0
        room = max(0, (self.width() - others) // max(1, len(chips)) - 3 * UNIT)
        for chip in chips:
            speaker = str(chip.property("speaker"))
            role = self._shown_part(speaker)
            metrics = chip.fontMetrics()
            left = room - metrics.horizontalAdvance(f" · {role}")
            bare = speaker.removesuffix(f" ({self._part(speaker).lower()})")
            name = metrics.elidedText(" ".join(bare.split()), Qt.TextElideMode.ElideMiddle, max(0, left))
            named = speaker != self._part(speaker) and left >= metrics.horizontalAdvance(SHORTEST_NAME)
            text = f"{name} · {role}" if named else role
            if not named and sum(self._shown_part(other) == role for other in self._transcript.speakers) > 1:
                # Two chips that say "Client" tell nobody apart.
                text = metrics.elidedText(" ".join(bare.split()), Qt.TextElideMode.ElideMiddle, room)
            chip.setText(menu_text(text))
