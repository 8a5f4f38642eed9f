"""A supervisor's marks in the place of the judge's, on the desk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from noteeval_desktop.domain.carrying import settled_of
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import Review
from noteeval_desktop.ui.case import words


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

    def on_paper(self, judged: Evaluation) -> Evaluation:
        """As ``of``, and it says whose marks they are, unless the paper tells of the review itself."""
        if self.review is None or self.about(judged) is not None:
            return judged
        shown = self.of(judged)
        note = replace(shown.case.note, warnings=(*shown.case.note.warnings, words.settled_before(self.rater)))
        return replace(shown, case=replace(shown.case, note=note))

    def about(self, judged: Evaluation | None) -> Review | None:
        """The review where it is of the very note that was judged."""
        same = self.review is not None and judged is not None and judged.case.note.sha256 == self.review.note_sha256
        return self.review if same else None
