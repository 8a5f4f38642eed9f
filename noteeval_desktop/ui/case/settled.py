"""A supervisor's marks in the place of the judge's, on the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Review


@dataclass(frozen=True, slots=True)
class Settled:
    """``of``: what the ``review`` makes of a judge's evaluation, also of a note that was edited since. Without one the
    judge's own marks are shown."""

    review: Review | None = None
    of: Callable[[Evaluation], Evaluation] = lambda judged: judged

    @property
    def rater(self) -> str:
        return self.review.rater if self.review is not None else ""

    def about(self, judged: Evaluation | None) -> Review | None:
        """The review where it is of the very note that was judged."""
        same = self.review is not None and judged is not None and judged.case.note.sha256 == self.review.note_sha256
        return self.review if same else None
