"""One page of figures: how far the judge agrees with people on this, how that was measured, and what it cannot say."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QTabWidget, QVBoxLayout, QWidget

from noteeval_desktop.domain import phrases
from noteeval_desktop.domain.phrases import decimal, percent, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import tuned_as
from noteeval_desktop.domain.trust import Known, Noticed, Part, Trust
from noteeval_desktop.present.vocabulary import SECTION_NAMES
from noteeval_desktop.ui.findings.trust import MEANS, badge
from noteeval_desktop.ui.widgets.dialogs import line, table
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, UNIT, open_at, zoomed

_DIMENSIONS = {
    "completeness": tr("Checklist"),
    "conciseness": tr("Sentences needed"),
    "faithfulness": tr("Statements supported"),
}
_NOTICED = tr("Errors that were made on purpose")
LITTLE = 0.4  # of moderate agreement
_ERROR_COLUMNS = ((tr("Kind of error"), 300), (tr("Sentences"), 110), (tr("Called wrong"), 190))
_COLUMNS = (
    (tr("About"), 300),
    (tr("Agrees"), 110),
    (tr("Agreement (95 % interval)"), 190),
    (tr("Between therapists"), 150),
    (tr("Marked"), 90),
)


class TrustWindow(QDialog):
    """``part`` is what was asked about; the rest of its dimension stands below it."""

    def __init__(self, known: Known, part: Part, rubric: Rubric, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("How far the judge agrees with therapists"))
        self._names = {item.id: item.name for item in rubric.items} | {s.value: n for s, n in SECTION_NAMES.items()}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        heading = PlainLabel(f"{self._name(part)}: {badge(known.level(part)).lower()}", wrap=True)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        layout.addWidget(heading)
        among = [found.therapists for _, found in known.agreements(part) if found.therapists is not None]
        too = (
            f" {tr('Therapists differ with each other on this, too.')}"
            if any(alpha < LITTLE for alpha in among)
            else ""
        )
        layout.addWidget(PlainLabel(f"{MEANS[known.level(part)]}{too}", wrap=True))
        if tuned_as(known.version):
            layout.addWidget(
                PlainLabel(
                    tr("Your judge is tuned to your reviews. The published figures are of the judge as it came."),
                    wrap=True,
                )
            )
        self.tables: list[QWidget] = []
        self._tabs = QTabWidget()
        layout.addWidget(self._tabs, 1)
        for trust, title in ((known.shipped, tr("In published data")), (known.own, tr("In your own reviews"))):
            if trust is not None:
                explained = PlainLabel(
                    tr(
                        "1 means always the same, 0 no more than luck. Therapists do not agree wholly with each "
                        "other either: compare the two columns. Strong: 0.6 and more. Moderate: 0.4 and more. Not "
                        "known: too few examples. (Krippendorff's alpha)"
                    ),
                    look="muted",
                    wrap=True,
                )
                self._page(title, [(trust.data, self._table(title, trust, part))], explained)
        if part[0] == "faithfulness" and known.shipped is not None and known.shipped.noticed:
            made = [
                (
                    tr("{data} Measured with version {version} of the judge.").format(
                        data=one.data, version=one.version
                    ),
                    _errors(one),
                )
                for one in known.shipped.noticed
            ]
            self._page(_NOTICED, made)
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
        return f"{_DIMENSIONS[dimension]}, {self._names.get(name, name)}" if name else _DIMENSIONS[dimension]

    def _table(self, title: str, trust: Trust, part: Part) -> QWidget:
        shown = table(title, _COLUMNS)
        own = [key for key in trust.parts if key[0] == part[0]]
        for key in sorted(own, key=lambda key: (key != part, key[1] != "", key[1])):
            found = trust.parts[key]
            people = "–" if found.therapists is None else decimal(found.therapists)
            cells = (
                self._name(key),
                found.level.value,
                interval(found.alpha, found.low, found.high),
                people,
            )
            shown.addTopLevelItem(line((*cells, f"{found.n:,}")))
        return shown


def interval(value: float | None, low: float | None, high: float | None) -> str:
    """ "0.42 (0.31 to 0.53)"."""
    if value is None:
        return "–"
    if low is None or high is None:
        return decimal(value)
    return f"{decimal(value)} ({phrases.interval(decimal(low), decimal(high))})"


def _errors(noticed: Noticed) -> QWidget:
    shown = table(_NOTICED, _ERROR_COLUMNS)
    for name, count, found in (*noticed.kinds, (tr("True sentences (false alarms)"), *noticed.alarms)):
        shown.addTopLevelItem(line((name, f"{count:,}", "–" if found is None else percent(found))))
    return shown
