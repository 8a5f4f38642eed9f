"""What the overview of many notes says. It describes notes, not the people who wrote them."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import are, counted, inside, percent
from noteeval_desktop.present.vocabulary import (
    CLAIMS_SUPPORTED,
    COMPLETENESS,
    CONCISENESS,
    FAITHFULNESS,
    ITEMS_COVERED,
    SENTENCES_NEEDED,
)

SCORES = (COMPLETENESS, CONCISENESS, FAITHFULNESS)
MEANINGS = (ITEMS_COVERED, SENTENCES_NEEDED, CLAIMS_SUPPORTED)
VERDICTS = {"contradicted": "Session says otherwise", "unsupported": "Not in the session"}
HARMS = {
    Harm.RISK.value: "risk",
    Harm.TREATMENT.value: "medication or diagnosis",
    Harm.PLAN.value: "plan",
    Harm.REST.value: "everything else",
}
NO_PAIRS = "The two sets share no session and no note name, so their notes cannot be compared in pairs."
PAIRS = "Pairs"
DIFFERENCE = "Difference"
INTERVAL = "95 % interval"
DIFFERS = "What differs"
TITLE = "Many notes at a glance"
SHEET = "Overview"
AS_A_TABLE = "As a table"
ALL_NOTES = "The notes, open risks first"
SAME_BELOW = "The table below says the same."
YES, NO = "yes", "no"
NO_NOTES = "No note has been checked yet."
SCORE, NOTES, CLAIMS, WHAT, ABOUT, DANGER = "Score", "Notes", "Statements", "What", "About", "Danger"
SECTION, CLINICIAN, WHOLE_NOTE = "Section", "Clinician", "Whole note"
BY_SECTION, BY_CLINICIAN, BY_MONTH, BY_SOURCE = "By section", "By clinician", "By month", "By note source"
MEAN_OF_ALL = "Mean of all notes."
NOT_THE_WRITER = "Mean of the notes in each group. Sessions differ too, so a difference need not come from the writer."
NOT_PEOPLE = "Mean of each clinician's notes. Clients and sessions differ: it describes notes, not people."
MANDATORY_TITLE, OTHERS_TITLE = "Not found most often: mandatory items", "Not found most often: other items"
CHECKLIST_ITEM, NOT_FOUND, CHECKED, SHARE = "Checklist item", "Not found", "Checked", "Share"
WRONG_TITLE = "Statements that the session does not support"
RISK_TITLE = "Risk that the note does not address"
LEAVE_OPEN = "Notes that do not address it"
SPENT_TITLE, HOW_MUCH = "Time and cost", "How much"
TOTAL_TIME, TIME_PER_NOTE = "Total time", "Time per note"
TOTAL_TOKENS, TOKENS_PER_NOTE = "Total tokens", "Tokens per note"
TOTAL_COST, COST_PER_NOTE = "Total cost", "Cost per note"
NO_COST, AS_COUNTED = "Checked on this computer: no tokens, no cost.", "As the service counted it."
MANDATORY_MISSING, NOT_SUPPORTED, RISKS_OPEN = (
    "Mandatory items not found",
    "Statements not supported",
    "Risks not addressed",
)
ALL_CHANCE = "Every difference may be chance."


def note_number(number: int) -> str:
    return f"Note {number}"


def risks_open(count: int, notes: int) -> str:
    return f"{count:,} of {counted(notes, 'note')} {are(count, 'leaves', 'leave')} a risk unaddressed."


def no_risk_open(notes: int) -> str:
    return f"No unaddressed risk was found in {counted(notes, 'note')}. A search can miss one."


def on_average(means: Sequence[tuple[str, float]]) -> str:
    """ "On average: checklist items covered 62 %, sentences needed 88 %."."""
    return f"On average: {', '.join(f'{what} {percent(mean)}' for what, mean in means)}."


def not_checked(count: int) -> str:
    verb = f"{are(count, 'was', 'were')} not checked and {are(count, 'counts', 'count')} in no figure"
    return f"{counted(count, 'note')} {verb}: {are(count, 'it stands', 'they stand')} first in the table."


def unfinished(count: int) -> str:
    verb = f"{are(count, 'has', 'have')} no result and {are(count)} not counted"
    return f"{counted(count, 'note')} of the set {verb}."


def partly(count: int) -> str:
    return f"{counted(count, 'note')} could only be checked in part."


def judges_differ(count: int) -> str:
    return f"{count} different judges checked these notes; their scores cannot be compared."


def middle(quarters: Sequence[float], several: bool) -> str:
    low, median, high = map(percent, quarters)
    if not several:
        return f"The typical note is at {median}."
    around = f"are at {median}" if low == high else f"lie between {low} and {high}"
    return f"The typical note is at {median}; half of the notes {'or more ' if low == high else ''}{around}."


def small_groups(least: int) -> str:
    return f" Clinicians with fewer than {least} notes are not shown on their own."


def other_clinicians(count: int) -> str:
    return f"{count} others"


def not_found_in(item: str, share: float) -> str:
    return f"{item}: not found in {percent(share)} of the notes."


def wrong(claims: int, notes: int) -> str:
    return f"{counted(claims, 'statement')} in {counted(notes, 'note')}. Please check each one: some may be right."


def risks_came_up(notes: int, open_: int) -> str:
    return (
        f"Risk came up in the sessions of {counted(notes, 'note')}; {open_:,} of them {are(open_, 'leaves', 'leave')} "
        "one unaddressed."
    )


def pair_of(first: str, second: str) -> str:
    return f"{first} and {second}"


def per_note(what: str) -> str:
    return f"{what}, per note"


def pairs(count: int) -> str:
    return f"{counted(count, 'pair')} of notes on the same session."


def without_partner(count: int) -> str:
    return f"{counted(count, 'note')} without a partner {are(count)} left out."


def how_to_read(second: str) -> str:
    return f"A mark to the right of the middle: higher in {second}. A line that crosses the middle may be chance."


def changed(name: str, higher: bool) -> str:
    return f"{inside(name)} {'higher' if higher else 'lower'}"


def verdict(second: str, changes: Sequence[str]) -> str:
    return f"In {second}: {', '.join(changes)}. The rest may be chance." if changes else ALL_CHANCE


def points(value: float) -> str:
    return f"{100 * value:+z.1f} points"


def time_taken(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def interval(low: str, high: str) -> str:
    return f"{low} to {high}"
