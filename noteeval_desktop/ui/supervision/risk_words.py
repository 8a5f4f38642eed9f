"""What is said in the pass over risk."""

from __future__ import annotations

from noteeval_desktop.domain.risk import RiskFinding, RiskKind
from noteeval_desktop.present.vocabulary import RISK_NAMES, STANCE_NAMES
from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import turn_list

A_RISK_NOT_LISTED = "A risk that is not listed? Select its turn in the session and press +, or right-click it."
CHOOSE_A_TURN = "Select the turn in the session first, then press +."


def explained(risk: RiskFinding) -> str:
    """ "Turn 54 · suicide, spoken of as present"."""
    return f"{turn_list((risk.citation.turn,))} · {RISK_NAMES[risk.kind]}, {STANCE_NAMES[risk.stance]}"


def which_kind(turn: int) -> str:
    return f"{turn_list((turn,))} · which danger is it?"


def not_written(kind: RiskKind | None, turn: int, quote: str, opposite: bool = False) -> str:
    """ "Abuse, turn 11: “That was frightening.” It is not in your note."; ``kind`` None where it is not known."""
    said = "Your note says the opposite." if opposite else "It is not in your note."
    where = turn_list((turn,))
    named = f"{RISK_NAMES[kind]}, {where.lower()}" if kind is not None else where
    return f"{named}: “{quote}” {said}" if quote else f"{named} is on risk. {said}"


def another_kind(turn: int) -> str:
    return f"{turn_list((turn,))} is:"


def add_as_a_risk(turn: int) -> str:
    return f"Add {turn_list((turn,)).lower()} as a risk:"


def it_is(kind: RiskKind, turn: int) -> str:
    where = turn_list((turn,)).lower()
    return f"Marked as {RISK_NAMES[kind].lower()}, {where}. {native('Ctrl+Z')} takes it back."


def risk_added(kind: RiskKind, turn: int) -> str:
    where = turn_list((turn,)).lower()
    return f"Added: {RISK_NAMES[kind].lower()}, {where}, marked as not in the note. {native('Ctrl+Z')} takes it back."
