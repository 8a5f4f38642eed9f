"""The list's figures of a case: a column of table "case" each, nothing of it shown while a blind review is pending."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from noteeval_desktop.domain.evaluation import Evaluation

# Of the newest note that was judged, with the supervisor's marks where those hold of it, and the risks open in it.
FIGURES: Mapping[str, Callable[[Evaluation, int | None], float | None]] = {
    "completeness": lambda shown, open_risks: shown.scores.completeness.note,
    "conciseness": lambda shown, open_risks: shown.scores.conciseness.note,
    "faithfulness": lambda shown, open_risks: shown.scores.faithfulness.note,
    "open_risks": lambda shown, open_risks: open_risks,
}
