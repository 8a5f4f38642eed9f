"""What is said of what a case file brought: who signed it, and what came of it, line by line."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import are, counted
from noteeval_desktop.domain.review import ReviewKind
from noteeval_desktop.store.records import Origin, Provenance
from noteeval_desktop.store.taking_in import Imported, ReviewArrived, Taken
from noteeval_desktop.ui.library import words
from noteeval_desktop.ui.widgets.plain import shortened

_TAKEN = {
    Taken.NEW: "{whose} {was} added",
    Taken.CHANGED: "{whose} {was} brought up to date",
    Taken.OWN: "⚠ {whose} {reads} differently in the file. Yours was kept: no file changes a review made here",
    Taken.OTHER_KEY: "⚠ {whose} {was} left as it is: the file's is not signed with the same key",
    Taken.STANDS: "⚠ {whose} {was} left as it is: the file changes marks that were handed in or signed",
}
_BY = {
    Origin.OWN: "signed by this library",
    Origin.KNOWN: "signed by {name}, as you have compared",
    Origin.UNKNOWN: "signed with a key that you have not compared yet",
    Origin.UNSIGNED: "not signed, so anyone with the file could have written it",
}
# A file may bring thousands, under names as long as its maker likes.
_NAME, _MOST_LINES = 60, 14
HOW_TO_COMPARE = (
    "You have not compared this sender's signature yet. Call them and ask for their library's fingerprint"
    " (“Passphrase and keys…” in the Library menu shows it). If it matches the one below, type their "
    "name."
)


def vouched(provenance: Provenance) -> str:
    """ "signed by Dr. Ünal, as you have compared"."""
    return _BY[provenance.origin].format(name=provenance.name)


def vouched_review(provenance: Provenance) -> str:
    """A sentence of its own under the name of whoever is said to have reviewed."""
    if provenance.origin is Origin.OWN:
        return "This review was made in this library."
    sign = "" if provenance.origin is Origin.KNOWN else "⚠ "
    return f"{sign}This review is {vouched(provenance)}."


def lines(imported: Imported) -> tuple[str, ...]:
    """Who sent it, what needs a look, then what came; what is too much for a window is counted."""
    found = []
    if imported.status_before is None:
        found.append("This case is new here.")
    if imported.session_changed:
        found.append("⚠ The session now reads as in the file: its words, speakers or roles have changed.")
    if imported.status_before is not None:
        found += _count(len(imported.revisions), "version of the note", "versions of the note")
        found += _count(len(imported.evaluations), "check")
    found += [_review(one) for one in imported.arrived]
    found += _status(imported)
    found.sort(key=lambda line: not line.startswith("⚠"))
    rest = len(found) - _MOST_LINES
    shown = [*found[:_MOST_LINES], f"And {rest} more."] if rest > 0 else found or ["It contains nothing new."]
    return (f"The file is {vouched(imported.sender)}.", *shown)


def _count(number: int, one: str, many: str = "") -> list[str]:
    return (
        [f"{counted(number, f'new {one}', many and f'new {many}')} {are(number, 'was', 'were')} added."]
        if number
        else []
    )


def _review(one: ReviewArrived) -> str:
    own = one.review.kind is ReviewKind.SELF
    whose = "The author's answers" if own else f"The review by {shortened(one.review.rater, _NAME)}"
    many = 2 if own else 1
    said = _TAKEN[one.taken].format(whose=whose, was=are(many, "was", "were"), reads=are(many, "reads", "read"))
    return f"{said} ({vouched(one.provenance)})." if one.taken in (Taken.NEW, Taken.CHANGED) else f"{said}."


def _status(imported: Imported) -> list[str]:
    name = words.STATUS_NAMES
    if imported.stated is not imported.status:
        now, stated = name[imported.status], name[imported.stated]
        if imported.status_before is not imported.status:
            return [
                f"⚠ The file calls the case “{stated}”. It is “{now}” here: no signed review of this note is in it."
            ]
        return [f"⚠ The file calls the case “{stated}”. It stays “{now}” here."]
    if imported.status_before not in (None, imported.status):
        return [f"Status: {name[imported.status_before]} → {name[imported.status]}."]
    return []
