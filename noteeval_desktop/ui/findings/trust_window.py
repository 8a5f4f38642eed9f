"""One page of figures: how far the judge agrees with people on this, how that was measured, and what it cannot say."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QTabWidget, QVBoxLayout, QWidget

from noteeval_desktop.domain.phrases import decimal
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import tuned_as
from noteeval_desktop.domain.trust import Known, Noticed, Part, Trust
from noteeval_desktop.report.words import SECTION_NAMES
from noteeval_desktop.ui.findings import score_words as words
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, UNIT, open_at, zoomed

LITTLE = 0.4  # of moderate agreement
_ERROR_COLUMNS = ((words.KIND_OF_ERROR, 300), (words.MADE_WRONG, 110), (words.CALLED_WRONG, 190))
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
        if tuned_as(known.version):
            layout.addWidget(PlainLabel(words.TUNED, wrap=True))
        self.tables: list[QWidget] = []
        self._tabs = QTabWidget()
        layout.addWidget(self._tabs, 1)
        for trust, title in ((known.shipped, words.PUBLISHED), (known.own, words.OWN_REVIEWS)):
            if trust is not None:
                explained = PlainLabel(words.HOW_TO_READ_ALPHA, look="muted", wrap=True)
                self._page(title, [(trust.data, self._table(title, trust, part))], explained)
        if part[0] == "faithfulness" and known.shipped is not None and known.shipped.noticed:
            made = [(words.measured_with(one.data, one.version), _errors(one)) for one in known.shipped.noticed]
            self._page(words.NOTICED, made)
        open_at(self, 900, 640)

    def _page(self, title: str, tables: Sequence[tuple[str, QWidget]], below: QWidget | None = None) -> None:
        """``tables``: each under a line that says what it rests on."""
        page = QWidget()
        layout = QVBoxLayout(page)
        for said, shown in tables:
            layout.addWidget(PlainLabel(said, look="muted", wrap=True))
            layout.addWidget(shown, 1)
            self.tables.append(shown)
        if below is not None:
            layout.addWidget(below)
        self._tabs.addTab(page, title)

    def _name(self, part: Part) -> str:
        dimension, name = part
        return f"{words.DIMENSIONS[dimension]}, {self._names.get(name, name)}" if name else words.DIMENSIONS[dimension]

    def _table(self, title: str, trust: Trust, part: Part) -> QWidget:
        shown = table(title, _COLUMNS)
        own = [key for key in trust.parts if key[0] == part[0]]
        for key in sorted(own, key=lambda key: (key != part, key[1] != "", key[1])):
            found = trust.parts[key]
            people = "–" if found.therapists is None else decimal(found.therapists)
            cells = (
                self._name(key),
                found.level.value,
                words.interval(found.alpha, found.low, found.high),
                people,
            )
            shown.addTopLevelItem(line((*cells, f"{found.n:,}")))
        return shown


def _errors(noticed: Noticed) -> QWidget:
    shown = table(words.NOTICED, _ERROR_COLUMNS)
    for name, count, found in (*noticed.kinds, (words.TRUE_ONES, *noticed.alarms)):
        shown.addTopLevelItem(line((name, f"{count:,}", words.share(found))))
    return shown
