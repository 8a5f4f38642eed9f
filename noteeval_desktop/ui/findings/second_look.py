"""What two judges say of one thing, for the card: a line each, with who says it."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.domain.two_witnesses import HEARD, LEFT_OUT, NEEDED, NOT_HEARD, NOT_LEFT_OUT, PRESENT, QUICK
from noteeval_desktop.domain.verdicts import Opinion, confidence_of
from noteeval_desktop.present.vocabulary import CONFIDENCE_NAMES, VERDICT_NAMES

_SAYS = {
    **{verdict.value: name for verdict, name in VERDICT_NAMES.items()},
    NEEDED[True]: tr("Needed"),
    NEEDED[False]: tr("Not needed"),
    LEFT_OUT: tr("Left out"),
    NOT_LEFT_OUT: tr("In the note, or too small to add"),
    PRESENT[True]: tr("Present"),
    PRESENT[False]: tr("Missing"),
    HEARD: tr("Heard"),
    NOT_HEARD: tr("Not heard"),
}


def side_by_side(opinions: Sequence[Opinion]) -> tuple[tuple[str, str], ...]:
    """(who, what) a judge; none where only one was asked."""
    return tuple((tr("Quick check") if one.judge == QUICK else tr("Model"), _said(one)) for one in opinions)


def _said(opinion: Opinion) -> str:
    if not opinion.says:
        return opinion.rationale or tr("Not judged.")
    if opinion.judge == QUICK:
        return f"{_SAYS[opinion.says]}."
    # Many servers do not tell how likely an answer is, and nothing else says how sure a model is.
    known = confidence_of(opinion.probability)
    sure = tr("confidence: {name}").format(name=CONFIDENCE_NAMES[known] if known else tr("not known"))
    return f"{_SAYS[opinion.says]} ({sure}). {opinion.rationale}".strip()


def cited_by_model(opinions: Sequence[Opinion], shown: Sequence[Citation]) -> tuple[Citation, ...]:
    """What the model rests on and is not shown already."""
    turns = {citation.turn for citation in shown}
    return tuple(c for o in opinions if o.judge != QUICK for c in o.citations if c.turn not in turns)
