"""What the library says in the window."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from noteeval_desktop.domain.review import CaseStatus, Dimension
from noteeval_desktop.errors import NoteEvalError

WHY_A_PASSPHRASE = (
    "Kept cases go into an encrypted library on this computer. "
    "A passphrase of your own opens it, and nobody can read the cases without it. "
    "If you skip this, nothing is kept."
)
WHY_A_RECOVERY_KEY = (
    "If the passphrase is ever forgotten, only this recovery key opens the library. "
    "Print it or write it down now, and keep it away from this computer. It is not shown again."
)
WAS_LOCKED = "The library was locked. What was on the desk comes back."
NOTHING_KEPT = "Nothing was kept. The case stays on the desk until the window is closed."
STATUS_NAMES = {
    CaseStatus.DRAFT: "Draft",
    CaseStatus.SUBMITTED: "Submitted",
    CaseStatus.RETURNED: "Returned",
    CaseStatus.RESUBMITTED: "Resubmitted",
    CaseStatus.APPROVED: "Approved",
}
SHORT_NAMES = {
    Dimension.COMPLETENESS: "covered",
    Dimension.CONCISENESS: "needed",
    Dimension.FAITHFULNESS: "supported",
}


def problem(error: Exception) -> str:
    """Our own errors as they are; any other only by its type, since its text may quote the case."""
    if isinstance(error, NoteEvalError):
        return str(error)
    return f"Something went wrong inside the program ({type(error).__name__}). Nothing was lost; try again."


def share(known: float | None) -> str:
    """ "74 %"; empty where nothing was judged."""
    return "" if known is None else f"{known:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")


def day(known: date | None) -> str:
    """ "3 Mar 2026"; empty where there is none."""
    return f"{known.day} {known:%b %Y}" if known else ""


def judge(known: str) -> str:
    """``known`` is "kind model"."""
    kind, _, model = known.partition(" ")
    return "Built-in" if kind == "builtin" else model or kind


def shown(total: int) -> str:
    return "1 case" if total == 1 else f"{total:,} cases".replace(",", "\N{NARROW NO-BREAK SPACE}")


def still_in_backups(names: Sequence[str]) -> str:
    return f"Deleted. Damaged backups could not be changed and may still hold it, encrypted: {', '.join(names)}."
