"""What two judges say of one thing, for the card: a line each, with who says it."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.two_witnesses import NOT_HEARD, QUICK
from noteeval_desktop.domain.verdicts import Opinion, confidence_of
from noteeval_desktop.ui.findings import words


def side_by_side(opinions: Sequence[Opinion]) -> tuple[tuple[str, str], ...]:
    """(who, what) a judge; none where only one was asked."""
    return tuple((words.QUICK_CHECK if o.judge == QUICK else words.MODEL, _said(o)) for o in opinions)


def _said(opinion: Opinion) -> str:
    if not opinion.says:
        return opinion.rationale or words.NOT_JUDGED
    if opinion.judge == QUICK:
        return f"{words.OPINIONS[opinion.says]}."
    sure = words.model_is_so_sure(confidence_of(opinion.probability))
    return f"{words.OPINIONS[opinion.says]} ({sure}). {opinion.rationale}".strip()


def by_model_alone(risk: RiskFinding) -> bool:
    """Whether the quick check did not hear it."""
    return any(opinion.judge == QUICK and opinion.says == NOT_HEARD for opinion in risk.opinions)


def cited_by_model(opinions: Sequence[Opinion], shown: Sequence[Citation]) -> tuple[Citation, ...]:
    """What the model rests on and is not shown already."""
    turns = {citation.turn for citation in shown}
    return tuple(c for o in opinions if o.judge != QUICK for c in o.citations if c.turn not in turns)
