"""A supervisor's marks in the place of the judge's, on the desk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from noteeval_desktop.domain.asked import RISK_PLACE
from noteeval_desktop.domain.carrying import settled_of, still_held
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Comment, Review
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict
from noteeval_desktop.present.finding import Finding


@dataclass(frozen=True, slots=True)
class Settled:
    """A ``review`` of ``note`` that came back; without one the judge's own marks are shown."""

    review: Review | None = None
    note: Note | None = None

    def of(self, judged: Evaluation) -> Evaluation:
        """What the review makes of a judge's evaluation, also of a note that was edited since."""
        return judged if self.review is None else settled_of(judged, self.review, self.note)

    @property
    def rater(self) -> str:
        return self.review.rater if self.review is not None else ""

    def as_marked(self, findings: tuple[Finding, ...], judged: Evaluation) -> tuple[Finding, ...]:
        """What the supervisor marked as the supervisor's, with what was commented on it."""
        if self.review is None:
            return findings
        held = still_held(judged, self.review, self.note)
        return tuple(self._by_supervisor(one) if _is_marked(one, held) else one for one in findings)

    def _by_supervisor(self, finding: Finding) -> Finding:
        sentence = finding.sentence
        on_it = [] if self.review is None or sentence is None else _on(sentence.text, self.review.comments)
        return replace(finding, why="\n".join(f"“{text}”" for text in on_it), by=tr("Marked by the supervisor"))

    def on_paper(self, judged: Evaluation) -> Evaluation:
        """As ``of``, and it says whose marks they are, unless the paper tells of the review itself."""
        if self.review is None or self.about(judged) is not None:
            return judged
        shown = self.of(judged)
        said = tr(
            "The note was changed since {rater} reviewed it: {rater}'s marks are shown where it reads as before, the "
            "judge's elsewhere."
        )
        note = replace(shown.case.note, warnings=(*shown.case.note.warnings, said.format(rater=self.rater)))
        return replace(shown, case=replace(shown.case, note=note))

    def about(self, judged: Evaluation | None) -> Review | None:
        """The review where it is of the very note that was judged."""
        same = self.review is not None and judged is not None and judged.case.note.sha256 == self.review.note_sha256
        return self.review if same else None


def _is_marked(finding: Finding, held: Review) -> bool:
    items = {mark.item for mark in held.items}
    match finding.ranked.source:
        case ClaimVerdict() as claim:
            return any(mark.sentence == claim.sentence for mark in held.claims)
        case NeedVerdict() as need:
            return any(mark.sentence == need.sentence for mark in held.needs)
        case ItemVerdict() as item:
            return item.item in items
        case RiskFinding() as risk:
            return f"{RISK_PLACE}{risk.citation.turn}" in items
    return False


def _on(sentence: str, comments: Iterable[Comment]) -> list[str]:
    return [one.text for one in comments if one.quote and (one.quote in sentence or sentence in one.quote)]
