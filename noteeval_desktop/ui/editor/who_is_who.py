"""The question who a speaker is, where the roles were guessed."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QToolButton

from noteeval_desktop.documents import role_by_label
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import PARTS, Role, Transcript
from noteeval_desktop.ui.editor.speakers_strip import MOST_CHIPS, PART_NAMES
from noteeval_desktop.ui.widgets.parts import column, row, tool
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import HIT, UNIT

_MAY_BE = tuple(part for part, role in PARTS.items() if role is Role.CLIENT)


class WhoIsWho(QFrame):
    """One question at a time, which nobody has to answer. ``part_chosen(speaker, part)``, of PARTS."""

    part_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("who_is_who")
        self._open: list[str] = []
        self._asked = PlainLabel("", wrap=True)
        below = QGridLayout()
        close = tool("✕", self.hide)
        close.setMinimumWidth(HIT)
        close.setAccessibleName(tr("Close the question"))
        below.setSpacing(UNIT // 2)
        self.buttons: dict[str, QToolButton] = {}
        # Two in a row, so that none is cut in a narrow pane.
        for number, part in enumerate(_MAY_BE):
            self.buttons[part] = button = tool(PART_NAMES[part], partial(self._choose, part), "chip")
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            below.addWidget(button, *divmod(number, 2))
        column(row((self._asked, 1), close), below, on=self, margins=(2, 0, 1, 0.5), spacing=0)
        self.hide()

    @property
    def text(self) -> str:
        return self._asked.text() if not self.isHidden() else ""

    def _choose(self, part: str) -> None:
        self.part_chosen.emit(self._open[0], part)

    def ask(self, transcript: Transcript) -> None:
        self._open = _in_question(transcript)
        self._show()

    def answered(self, speaker: str) -> None:
        self._open = [one for one in self._open if one != speaker]
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._open))
        if self._open:
            self._asked.setText(tr("Who is {speaker}? The roles were guessed.").format(speaker=self._open[0]))
            for part, button in self.buttons.items():
                button.setAccessibleName(f"{self._open[0]}: {PART_NAMES[part]}")


def _in_question(transcript: Transcript) -> list[str]:
    """Not who says most beside the therapist, nor members of a group, nor whose label tells it."""
    clients = [speaker for speaker in transcript.speakers if transcript.part_of(speaker) == Role.CLIENT]
    if not transcript.roles_guessed or not 1 < len(clients) < MOST_CHIPS:
        return []
    said = {speaker: 0 for speaker in clients}
    for turn in transcript.turns:
        if turn.speaker in said:
            said[turn.speaker] += len(turn.text.split())
    most = max(clients, key=said.__getitem__)
    return [speaker for speaker in clients if speaker != most and role_by_label(speaker) is Role.OTHER]
