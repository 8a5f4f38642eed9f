"""The overview: its sentences, and its figures in two columns."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from noteeval_desktop.report.many.figures import Figure, Overview
from noteeval_desktop.ui.many.chart import FigureView
from noteeval_desktop.ui.widgets.parts import column, row
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, UNIT, Theme, zoomed


class FiguresPage(QScrollArea):
    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.overview: Overview | None = None
        self.views: list[FigureView] = []
        self.setWidgetResizable(True)
        self.setAccessibleName(name)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for view in self.views:
            view.chart.set_theme(theme)

    def show_overview(self, overview: Overview) -> None:
        """What was switched to a table stays one; the place in the page stays, too."""
        at = self.verticalScrollBar().value()
        tables = {view.figure.key for view in self.views if not view.table.isHidden()}
        self.overview = overview
        self.views = [FigureView(figure, self._theme) for figure in overview.figures]
        for view in self.views:
            if view.figure.key in tables:
                view.show_table(True)
        self.setWidget(self._laid_out(overview))
        self.verticalScrollBar().setValue(at)

    def _laid_out(self, overview: Overview) -> QWidget:
        body = QWidget()
        body.setObjectName("pane")
        labels = [PlainLabel(said, wrap=True) for said in overview.said]
        for first in labels[:1]:
            first.setFont(zoomed(self.font(), UI_SIZE + 4, first.font().Weight.DemiBold))
        heights = [0] * min(2, len(self.views))
        sides = [QVBoxLayout() for _ in heights]
        for view in self.views:
            side = heights.index(min(heights))
            sides[side].addWidget(view)
            heights[side] += _height(view.figure, view)
        for each in sides:
            each.addStretch(1)
        column(
            *labels, row(*((each, 1) for each in sides), margins=(0, 1, 0, 0), spacing=4), None, on=body, margins=(2,)
        )
        return body


def _height(figure: Figure, view: FigureView) -> int:
    return view.chart.sizeHint().height() + 10 * UNIT if figure.bars else 20 * UNIT
