"""What is known of how far a judge agrees with people, beside what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QTabWidget, QWidget

from noteeval_desktop.domain import phrases
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.phrases import decimal, percent, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import tuned_as
from noteeval_desktop.domain.trust import Known, Level, Part, Trust
from noteeval_desktop.domain.verdicts import ItemVerdict
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.vocabulary import SECTION_NAMES
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.widgets.dialogs import Listing, line
from noteeval_desktop.ui.widgets.parts import Window, column
from noteeval_desktop.ui.widgets.plain import PlainLabel
from noteeval_desktop.ui.widgets.theme import UI_SIZE, zoomed

_FIGURES_OF = {
    "completeness": tr("Checklist"),
    "conciseness": tr("Sentences needed"),
    "faithfulness": tr("Statements supported"),
}
_NOTICED = tr("Errors that were added on purpose")
LITTLE = 0.4  # of moderate agreement
_ERROR_COLUMNS = ((tr("Kind of error"), 300), (tr("Sentences"), 110), (tr("Called wrong"), 190))
_COLUMNS = (
    (tr("About"), 300),
    (tr("Agrees"), 110),
    (tr("Agreement (95 % interval)"), 190),
    (tr("Between therapists"), 150),
    (tr("Marked"), 90),
)


class TrustWindow(Window):
    """``part`` is what was asked about; the rest of its dimension stands below it."""

    def __init__(self, known: Known, part: Part, rubric: Rubric, parent: QWidget) -> None:
        super().__init__(parent, tr("How far the judge agrees with therapists"), (900, 640))
        self._names = {item.id: item.name for item in rubric.items} | {s.value: n for s, n in SECTION_NAMES.items()}
        heading = PlainLabel(f"{self._name(part)}: {badge(known.level(part)).lower()}", wrap=True)
        heading.setFont(zoomed(self.font(), UI_SIZE + 4, heading.font().Weight.DemiBold))
        among = [found.therapists for _, found in known.agreements(part) if found.therapists is not None]
        said = [MEANS[known.level(part)]]
        if any(alpha < LITTLE for alpha in among):
            said[0] += f" {tr('Therapists disagree with each other on this, too.')}"
        if tuned_as(known.version):
            said.append(tr("Your judge is tuned to your reviews. The published figures are for the judge as it came."))
        self.tables: list[QWidget] = []
        self._tabs = QTabWidget()
        column(heading, *(PlainLabel(one, wrap=True) for one in said), (self._tabs, 1), on=self, margins=(2,))
        for trust, title in ((known.shipped, tr("In published data")), (known.own, tr("In your own reviews"))):
            if trust is not None:
                explained = PlainLabel(
                    tr(
                        "1 means full agreement, 0 no more than chance. Therapists do not fully agree with each other "
                        "either: compare the two columns. Strong: 0.6 or more. Moderate: 0.4 or more. Not known: too "
                        "few examples. (Krippendorff's alpha)"
                    ),
                    look="muted",
                    wrap=True,
                )
                self._page(title, [(trust.data, self._table(title, trust, part))], explained)
        if part[0] == "faithfulness" and known.shipped is not None and known.shipped.noticed:
            measured = tr("{data} Measured with version {version} of the judge.")
            made = []
            for one in known.shipped.noticed:
                shown = Listing(_NOTICED, _ERROR_COLUMNS)
                for name, count, found in (*one.kinds, (tr("True sentences (false alarms)"), *one.alarms)):
                    shown.addTopLevelItem(line((name, f"{count:,}", "–" if found is None else percent(found))))
                made.append((measured.format(data=one.data, version=one.version), shown))
            self._page(_NOTICED, made)

    def _page(self, title: str, tables: Sequence[tuple[str, QWidget]], below: QWidget | None = None) -> None:
        """``tables``: each under a line that says what it rests on."""
        page = QWidget()
        layout = column(on=page)
        for said, shown in tables:
            layout.addWidget(PlainLabel(said, look="muted", wrap=True))
            layout.addWidget(shown, 1)
            self.tables.append(shown)
        if below is not None:
            layout.addWidget(below)
        self._tabs.addTab(page, title)

    def _name(self, part: Part) -> str:
        dimension, name = part
        return f"{_FIGURES_OF[dimension]}, {self._names.get(name, name)}" if name else _FIGURES_OF[dimension]

    def _table(self, title: str, trust: Trust, part: Part) -> QWidget:
        shown = Listing(title, _COLUMNS)
        own = [key for key in trust.parts if key[0] == part[0]]
        for key in sorted(own, key=lambda key: (key != part, key[1] != "", key[1])):
            found = trust.parts[key]
            people = "–" if found.therapists is None else decimal(found.therapists)
            agreed = interval(found.alpha, found.low, found.high)
            shown.addTopLevelItem(line((self._name(key), found.level.value, agreed, people, f"{found.n:,}")))
        return shown


def interval(value: float | None, low: float | None, high: float | None) -> str:
    """ "0.42 (0.31 to 0.53)"."""
    if value is None:
        return "–"
    if low is None or high is None:
        return decimal(value)
    return f"{decimal(value)} ({phrases.interval(decimal(low), decimal(high))})"


_DIMENSIONS = {
    FindingKind.MISSING: "completeness",
    FindingKind.UNNEEDED: "conciseness",
    **dict.fromkeys(KIND_OF_CLAIM.values(), "faithfulness"),
}
MEANS = {
    Level.STRONG: tr("The judge and a therapist mostly agree here."),
    Level.MODERATE: tr("The judge and a therapist often agree here, but not always. Read the evidence."),
    Level.WEAK: tr("The judge and a therapist often disagree here. Treat a mark as a question, not an answer."),
    Level.UNKNOWN: tr("There are too few examples to say how far the judge agrees with therapists here."),
}


def badge(level: Level) -> str:
    return tr("Agrees with therapists: {level}").format(level=level.value)


def part_of(row: Row) -> Part | None:
    """What the row's verdict is about; None where nobody measured such verdicts."""
    return row.part or (_part_of_finding(row.finding) if row.finding is not None else None)


def _part_of_finding(finding: Finding) -> Part | None:
    if isinstance(finding.ranked.source, ItemVerdict):
        return "completeness", finding.ranked.source.item
    dimension, sentence = _DIMENSIONS.get(finding.kind), finding.sentence
    return (dimension, sentence.section.value) if dimension and sentence is not None else None


def level_of(row: Row, known: Known) -> Level | None:
    """None where there are no figures, or where a person marked it: then there is no badge."""
    part = None if row.finding is not None and row.finding.by else part_of(row)
    return known.level(part) if part is not None and known.agreements(part) else None


def is_weak(finding: Finding, known: Known) -> bool:
    """Whether judge and people often differ on such; a risk is never made quieter."""
    part = None if finding.by or _on_risk(finding) else _part_of_finding(finding)
    return part is not None and bool(known.agreements(part)) and known.level(part) is Level.WEAK


def with_trust(rows: Iterable[Row], known: Known) -> tuple[Row, ...]:
    """Where the judge and people often differ the row steps back; a risk never does. One line above them says why."""
    found = tuple(rows)
    back = [level_of(row, known) is Level.WEAK and not (row.finding and _on_risk(row.finding)) for row in found]
    told = tuple(replace(row, tone="muted") if grey else row for row, grey in zip(found, back, strict=True))
    why = tr("Gray: the judge and therapists often disagree on these. Treat a mark as a question.")
    return (Row(why, tone="muted", remark=True), *told) if told != found else found


def _on_risk(finding: Finding) -> bool:
    """What the session says of it, or the note."""
    return finding.is_risk or finding.pressing
