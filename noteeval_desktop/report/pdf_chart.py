"""The charts: bars told apart by length, label and filling, not by colour. Drawn, so that they print sharp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable

from noteeval_desktop.domain.evaluation import DimensionScore
from noteeval_desktop.domain.phrases import inside, percent
from noteeval_desktop.report import words
from noteeval_desktop.report.pdf_fonts import BOLD, REGULAR

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
        left = max(_LABEL, *(stringWidth(label, REGULAR, _SIZE) + 6 for label, _ in self.sections))
        room = self.width - left - _VALUE
        for row, (label, share) in enumerate(self.sections):
            base = self.height - _ROW * (row + 1) + 3
            self.canv.setFont(REGULAR, _SIZE)
            self.canv.setFillColor(HexColor("#59636e"))
            self.canv.drawString(0, base, label)
            self.canv.drawRightString(self.width, base, "–" if share is None else percent(share))
            self.canv.setFillColor(HexColor("#e4e9ee"))
            self.canv.rect(left, base, room, _BAR, stroke=0, fill=1)
            if share:
                self.canv.setFillColor(HexColor("#0b6e75"))
                self.canv.rect(left, base, room * share, _BAR, stroke=0, fill=1)


@dataclass(frozen=True, slots=True)
class PairedScore:
    name: str
    mine: DimensionScore
    theirs: DimensionScore


def paired_scores(scores: Sequence[PairedScore], width: float) -> Drawing:
    """The supervisor's bar, filled, above the judge's, outlined: told apart in greyscale too. ``width`` in points."""
    group, left, right = 34.0, 78.0, 118.0
    drawing = Drawing(width, group * len(scores) + 4)
    room = width - left - right
    for row, score in enumerate(scores):
        top = drawing.height - group * row
        drawing.add(String(0, top - 18, score.name, fontName=BOLD, fontSize=9, fillColor=HexColor("#1f2328")))
        for line, (who, told) in enumerate(
            ((inside(words.SUPERVISOR), score.mine), (inside(words.JUDGE), score.theirs))
        ):
            base = top - 12 - 13 * line
            drawing.add(Rect(left, base, room, 9, fillColor=HexColor("#eef1f4"), strokeColor=None))
            share = told.note or 0.0
            if share:
                bar = Rect(left, base, room * share, 9, strokeColor=HexColor("#0b6e75"), strokeWidth=0.8)
                bar.fillColor = HexColor("#0b6e75") if line == 0 else HexColor("#ffffff")
                drawing.add(bar)
            said = words.scored(who, told)
            drawing.add(
                String(left + room + 8, base + 1, said, fontName=REGULAR, fontSize=8, fillColor=HexColor("#59636e"))
            )
    return drawing
