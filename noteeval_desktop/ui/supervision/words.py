"""The words that several views of supervision share: for marks, dimensions, and how they were settled."""

from __future__ import annotations

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.review import HIGHEST, ClaimMark, Dimension, Settlement
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.present.vocabulary import RISK_NAMES, VERDICTS
from noteeval_desktop.ui.widgets.words import turn_list

DIMENSION_NAMES = {
    Dimension.RISK: tr("Risk"),
    Dimension.COMPLETENESS: tr("Completeness"),
    Dimension.CONCISENESS: tr("Conciseness"),
    Dimension.FAITHFULNESS: tr("Faithfulness"),
}
PRESENT, MISSING = tr("In the note"), tr("Missing")
NEEDED, NOT_NEEDED = tr("Needed"), tr("Not needed")
JUDGED = tr("Judged differently")
RISK_ANSWERS = {
    RiskAnswer.ADDRESSED: tr("The note addresses it"),
    RiskAnswer.LEFT_OUT: tr("Not in the note"),
    RiskAnswer.OPPOSITE: tr("The note says the opposite"),
    RiskAnswer.NO_DANGER: tr("Not about risk"),
}
ACCEPTANCE = tr("Would you accept this note into the record?")
NOTHING_JUDGED = tr(
    "No judge has checked this note yet, so there is nothing to compare. Open the case from the library, "
    "wait until it is checked, and open the review again."
)
EXPORT_NOW = tr("Export the encrypted file…")


def of_five(value: int) -> str:
    return tr("{value} of {highest}").format(value=value, highest=HIGHEST)


def comments(count: int) -> str:
    return counted(count, "comment") if count else tr("no comment")


def by_you(said: str) -> str:
    return tr("You: {said}").format(said=said)


def claim(mark: ClaimMark) -> str:
    """ "Misinterpreted · turns 3 and 8", "Judged otherwise"."""
    name = JUDGED if mark.judged else VERDICTS[mark.verdict].mark
    return f"{name} · {turn_list(mark.turns).lower()}" if mark.turns else name


# By dimension: the values that a difference may be settled at, as the marks name them, and what they are called.
_VALUES = {
    Dimension.RISK: {answer.value: name for answer, name in RISK_ANSWERS.items()},
    Dimension.COMPLETENESS: {"present": PRESENT, "missing": MISSING},
    Dimension.CONCISENESS: {"needed": NEEDED, "not needed": NOT_NEEDED},
    Dimension.FAITHFULNESS: {verdict.value: called.mark for verdict, called in VERDICTS.items()},
}


def value(dimension: Dimension, said: str) -> str:
    kinds = {kind.value: RISK_NAMES[kind] for kind in RiskKind} if dimension is Dimension.RISK else {}
    return (_VALUES[dimension] | kinds).get(said, said)


def values(dimension: Dimension) -> tuple[str, ...]:
    return tuple(_VALUES[dimension])


def decided(one: Settlement, judged: bool = False) -> str:
    """ "Supported: heard in the second half."; ``judged`` as ClaimMark has it."""
    said = JUDGED if judged and one.agreed == Verdict.CONTRADICTED else value(one.dimension, one.agreed)
    return f"{said}: {one.reason}" if one.reason else said
