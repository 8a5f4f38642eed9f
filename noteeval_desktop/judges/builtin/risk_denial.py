"""A note that denies a danger which the client spoke of: the contradiction that matters most."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.judges.protocol import Ledger

_DENIAL = re.compile(r"\b(?:no|not|denie[sd]|denying|without|never|negative for|absence of)\b|n['’]t\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[;.]|\b(?:but|however|although|though|while)\b|,(?=\s*(?:and\s+)?(?:denie[sd]|denying|no|not|without)\b)",
    re.IGNORECASE,
)
_KINDS = (
    (
        re.compile(
            r"\bsuicid\w*|\bself[- ]?harm\w*|\b(?:kill|hurt\w*|harm\w*) (?:him|her|them|one)sel\w+", re.IGNORECASE
        ),
        frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE}),
    ),
    (re.compile(r"\bSI\b"), frozenset({RiskKind.SUICIDE})),
    (
        re.compile(r"\bhomicid\w*|\b(?:harm|hurt)\w* (?:to )?others\b", re.IGNORECASE),
        frozenset({RiskKind.HARM_TO_OTHERS}),
    ),
    (re.compile(r"\bHI\b"), frozenset({RiskKind.HARM_TO_OTHERS})),
    (re.compile(r"\bpsycho(?:sis|tic)\b|\bhallucinat\w*", re.IGNORECASE), frozenset({RiskKind.PSYCHOSIS})),
)


def denied_dangers(
    case: Case, sentences: Sequence[Sentence], ledger: Ledger, cancel: threading.Event
) -> dict[str, RiskFinding]:
    """For each sentence that denies a danger spoken of as present: the first such passage, the client's own if any.

    Only passages with known wording count; what is merely close in meaning would accuse too many notes.
    """
    denied = {s.id: _denied(s.text) for s in sentences}
    if not any(denied.values()):
        return {}
    spoken = [risk for risk in ledger(case, cancel) if risk.stance is Stance.CURRENT and not risk.by_meaning]
    roles = [turn.role for turn in case.transcript.turns]
    spoken.sort(key=lambda risk: roles[risk.citation.turn] is not Role.CLIENT)
    found = {id_: [risk for risk in spoken if risk.kind in kinds] for id_, kinds in denied.items()}
    return {id_: risks[0] for id_, risks in found.items() if risks}


def dangers_named(text: str) -> frozenset[RiskKind]:
    """The kinds of danger that clinical words in ``text`` stand for."""
    return frozenset(kind for pattern, kinds in _KINDS if pattern.search(text) for kind in kinds)


def _denied(text: str) -> frozenset[RiskKind]:
    """Clause by clause: "Self-harm is ongoing; denies SI" denies one danger and states another."""
    clauses = [clause for clause in _CLAUSE.split(text) if _DENIAL.search(clause)]
    return frozenset(kind for clause in clauses for kind in dangers_named(clause))
