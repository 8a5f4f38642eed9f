"""What is said of a clinician's notes over time."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import counted, day
from noteeval_desktop.domain.progress import Count, Slot, Source
from noteeval_desktop.domain.review import SCORED, Dimension
from noteeval_desktop.ui.library.words import share as percent

ABOUT = (
    "How the notes of one clinician were marked, session by session. It describes notes, not people: a "
    "note depends on its session, and a trend over a few notes means little."
)
NOBODY = "No case has a clinician yet. Add one under “Labels…” in the library."
NOT_CHECKED = "No note of this clinician has been checked or reviewed yet."
NONE_MISSED = "No checklist item is missing in the latest revisions."
NAMES = {
    Dimension.COMPLETENESS: "Covered",
    Dimension.CONCISENESS: "Needed",
    Dimension.FAITHFULNESS: "Supported",
}
EDITED = "Edited since its review: only the judge has marked it as it reads now."
SOURCES = {Source.SUPERVISOR: "supervisor", Source.JUDGE: "judge"}


def said(slot: Slot) -> str:
    """ "12 Mar 2026, Fall 3, revision 2. Supervisor: covered 74 %, …. Judge: …"."""
    parts = [f"{day(slot.day)}, {slot.label or 'no label'}, revision {slot.revision}."]
    for source, name in SOURCES.items():
        shares = [
            f"{NAMES[dimension].lower()} {'≈ ' if slot.partly(source, dimension) else ''}{percent(share)}"
            for dimension in SCORED
            if (share := slot.share(source, dimension)) is not None
        ]
        if shares:
            parts.append(f"{name.capitalize()}: {', '.join(shares)}.")
    return " ".join([*parts, EDITED] if slot.edited else parts)


def described(slots: Sequence[Slot]) -> str:
    """The chart for those who do not see it."""
    if not slots:
        return NOT_CHECKED
    parts = [f"{marked_revisions(len(slots))}, {day(slots[0].day)} to {day(slots[-1].day)}."]
    for source, name in SOURCES.items():
        for dimension in SCORED:
            values = [share for slot in slots if (share := slot.share(source, dimension)) is not None]
            if values:
                parts.append(f"{NAMES[dimension]}, {name}: {percent(min(values))} to {percent(max(values))}.")
    return " ".join([*parts, "Left and Right go from note to note, Enter opens the case."])


def marked_revisions(count: int) -> str:
    return counted(count, "marked revision")


def missed(count: Count) -> str:
    return f"{count.missed} of {count.of}" if count.of else "–"
