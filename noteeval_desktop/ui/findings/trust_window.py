"""One page of figures: how far the judge agrees with people on this, how that was measured, and what it cannot say."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.trust import Known, Part, Trust
from noteeval_desktop.report.names import SECTION_NAMES
from noteeval_desktop.ui.findings import score_words as words
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, UNIT, open_at, zoomed

LITTLE = 0.4  # of moderate agreement
_COLUMNS = (
    (words.ABOUT, 300),
    (words.AGREES, 110),
    (words.ALPHA, 190),
    (words.THERAPISTS, 150),
    (words.PLACES, 90),
)


class TrustWindow(QDialog):
    """``part`` is what was asked about; the rest of its dimension stands below it."""

    def __init__(self, known: Known, part: Part, rubric: Rubric, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(words.TRUST_TITLE)
        self._names = {item.id: item.name for item in rubric.items} | {s.value: n for s, n in SECTION_NAMES.items()}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        heading = PlainLabel(f"{self._name(part)}: {words.badge(known.level(part)).lower()}", wrap=True)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        layout.addWidget(heading)
        among = [found.therapists for _, found in known.agreements(part) if found.therapists is not None]
        too = f" {words.SO_DO_THERAPISTS}" if any(alpha < LITTLE for alpha in among) else ""
        layout.addWidget(PlainLabel(f"{words.MEANS[known.level(part)]}{too}", wrap=True))
        self.tables = []
        for trust, title in ((known.shipped, words.PUBLISHED), (known.own, words.OWN_REVIEWS)):
            if trust is not None:
                layout.addWidget(PlainLabel(title, look="heading"))
                layout.addWidget(PlainLabel(trust.data, look="muted", wrap=True))
                shown = self._table(title, trust, part)
                self.tables.append(shown)
                layout.addWidget(shown, 1)
        layout.addWidget(PlainLabel(words.HOW_TO_READ_ALPHA, look="muted", wrap=True))
        open_at(self, 900, 640)

    def _name(self, part: Part) -> str:
        dimension, name = part
        return f"{words.DIMENSIONS[dimension]}, {self._names.get(name, name)}" if name else words.DIMENSIONS[dimension]

    def _table(self, title: str, trust: Trust, part: Part) -> QWidget:
        shown = table(title, _COLUMNS)
        own = [key for key in trust.parts if key[0] == part[0]]
        for key in sorted(own, key=lambda key: (key != part, key[1] != "", key[1])):
            found = trust.parts[key]
            people = "–" if found.therapists is None else f"{found.therapists:.2f}"
            cells = (
                self._name(key),
                found.level.value,
                words.interval(found.alpha, found.low, found.high),
                people,
            )
            shown.addTopLevelItem(line((*cells, f"{found.n:,}")))
        return shown
