"""What each verdict and each kind of finding is called, and how it looks: in the window, on paper, to a second judge.

One row a verdict and one a kind: everything that names or marks one takes it from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import sentence
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict

# What the built-in judge says first of a statement on risk that it does not flag: none is vouched for.
CHECK_ON_RISK = "Please check what it says about risk."
# Of a judgement, as the assessment has them, that whoever reviews the note does not share.
JUDGED_OTHERWISE = "the supervisor judges otherwise"


def unvouched(claim: ClaimVerdict | None) -> bool:
    """Whether it passed, is on risk and is to be checked all the same."""
    return claim is not None and claim.unvouched and claim.verdict is Verdict.SUPPORTED


# Of a supported statement that is no report of what was said.
INFERRED = "A conclusion that the session's facts carry: please check that it is yours"


def session_has(claim: ClaimVerdict) -> str:
    """ "Session: Denise (turn 10)": what the session has for the wrong words, which are named where they are several;
    and what it has not. Empty where no words are named."""
    told = [
        (one, f"{one.instead or one.said.quote} (turn {turn_number(one.said.turn)})") for one in claim.wrong if one.said
    ]
    said = [text if len(claim.wrong) == 1 else f"for “{one.words}” {text}" for one, text in told]
    unheard = [f"“{one.words}”" for one in claim.wrong if one.said is None]
    has = f"Session: {', '.join(said)}" if said else ""
    return ". ".join(filter(None, (has, f"Not in the session: {', '.join(unheard)}" if unheard else "")))


@dataclass(frozen=True, slots=True)
class Called:
    """``says``: what it says of the session. ``key`` chooses it where a person marks by hand; ``mark``: its name there;
    ``means``: what the name stands for."""

    says: str
    key: str
    mark: str
    means: str


VERDICTS = {
    Verdict.SUPPORTED: Called("the session says so", "S", "Supported", "the session says so"),
    Verdict.CONTRADICTED: Called("the session says otherwise", "M", "Misinterpreted", "it says otherwise"),
    Verdict.UNSUPPORTED: Called("not found in the session", "U", "Not in the session", "nobody says it"),
    Verdict.OBSERVED: Called("only someone in the room can know this", "O", "Observed", "seen in the room only"),
}

Line = Literal["wave", "dashes", "dots"]


@dataclass(frozen=True, slots=True)
class Look:
    """``name``: within a sentence. ``tone``: one of the theme's colours. ``line``: under a sentence of the note; None
    where it marks none. ``heading``: over a list of such. ``reason``: where the judge gives none."""

    name: str
    sign: str
    tone: str
    line: Line | None
    heading: str
    reason: str = ""


def _of_claim(verdict: Verdict, sign: str, tone: str, line: Line, reason: str) -> Look:
    says = VERDICTS[verdict].says
    return Look(says, sign, tone, line, sentence(says), reason)


# Where marks overlap the one that comes first here is drawn last, and seen.
KINDS = {
    FindingKind.CONTRADICTED: _of_claim(
        Verdict.CONTRADICTED, "✗", "red", "wave", "A passage of the session says something else."
    ),
    FindingKind.UNSUPPORTED: _of_claim(
        Verdict.UNSUPPORTED, "?", "amber", "dashes", "No passage of the session says this."
    ),
    FindingKind.OBSERVED: Look(
        "only you can know", "◉", "blue", "dots", "For the clinician to confirm",
        "Only someone in the room can know this; a transcript cannot show it.",
    ),
    FindingKind.UNNEEDED: Look(
        "not needed", "–", "grey", "dots", "Sentences that match no checklist item",
        "It matches no checklist item of its section.",
    ),
    FindingKind.MISSING: Look(
        "missing from the note", "○", "red", None, "Checklist items not covered or not recognised"
    ),
    FindingKind.OMISSION: Look("left out", "+", "amber", None, "In the session, not in the note"),
}  # fmt: skip
MARKED = tuple(kind for kind, look in KINDS.items() if look.line)
