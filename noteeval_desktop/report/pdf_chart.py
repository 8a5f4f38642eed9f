"""The small chart under a score: one bar a section, told apart by length and label, not by colour."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable

from noteeval_desktop.report.pdf_fonts import REGULAR

_ROW, _LABEL, _VALUE, _BAR = 11.0, 52.0, 28.0, 5.0
_SIZE = 7.5


class SectionBars(Flowable):  # type: ignore[misc]
    """``sections``: label and share (0..1), None where nothing was judged; ``width`` in points."""

    def __init__(self, sections: tuple[tuple[str, float | None], ...], width: float) -> None:
        super().__init__()
        self.sections, self.width, self.height = sections, width, _ROW * len(sections)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        room = self.width - _LABEL - _VALUE
        for row, (label, share) in enumerate(self.sections):
            base = self.height - _ROW * (row + 1) + 3
            self.canv.setFont(REGULAR, _SIZE)
            self.canv.setFillColor(HexColor("#59636e"))
            self.canv.drawString(0, base, label)
            self.canv.drawRightString(self.width, base, "–" if share is None else f"{round(100 * share)} %")
            self.canv.setFillColor(HexColor("#e4e9ee"))
            self.canv.rect(_LABEL, base, room, _BAR, stroke=0, fill=1)
            if share:
                self.canv.setFillColor(HexColor("#0b6e75"))
                self.canv.rect(_LABEL, base, room * share, _BAR, stroke=0, fill=1)
