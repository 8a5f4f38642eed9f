"""What is said of what a case file brought: who signed it, and what came of it, line by line."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import are, counted, listed, tr
from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.domain.standing import CaseStatus, Standing
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.store.records import Origin, Provenance
from noteeval_desktop.store.signing import fingerprint
from noteeval_desktop.store.taking_in import Imported, ReviewArrived, Taken
from noteeval_desktop.ui.widgets.plain import shortened

_TAKEN = {
    Taken.NEW: tr("{whose} {was} added"),
    Taken.CHANGED: tr("{whose} {was} brought up to date"),
    Taken.OWN: tr("⚠ {whose} {reads} differently in the file. Yours was kept: no file changes a review made here"),
    Taken.OTHER_KEY: tr("⚠ {whose} {was} left as it is: the one in the file is not signed with the same key"),
    Taken.STANDS: tr("⚠ {whose} {was} left as it is: the file changes marks that were handed in or signed"),
}
_BY = {
    Origin.OWN: tr("signed by this library"),
    Origin.KNOWN: tr("signed by {name}, whose code you have compared"),
    Origin.UNKNOWN: tr("signed, but you have not compared the sender's code yet"),
    Origin.UNSIGNED: tr("not signed, so anyone with the file could have written it"),
    Origin.MISMATCH: tr("signed with a different key than this name has here"),
}
# A file may bring thousands, under names as long as its maker likes.
_NAME, _MOST_LINES = 60, 14


def how_to_compare(imported: Imported) -> str:
    """Of a file whose sender is not known: by whom it says that it is, and how to tell."""
    own = [one.review.rater for one in imported.arrived if one.provenance.key == imported.sender.key]
    named = listed([shortened(name, _NAME) for name in dict.fromkeys(own) if name]) or tr("the person you expect")
    return tr(
        "NoteEval cannot tell yet that this file is really from {named}. Compare the code "
        "below by telephone, once: “Passphrase and keys…” in the sender's Library menu shows "
        "it. If it is the same there, type the sender's name."
    ).format(named=named)


def vouched(provenance: Provenance) -> str:
    """ "signed by Dr. Ünal, as you have compared"."""
    by = _BY[provenance.origin].format(name=provenance.name)
    return (
        by if provenance.with_session else tr("{by}; sealed without the session, by an earlier version").format(by=by)
    )


def vouched_review(provenance: Provenance) -> str:
    """A sentence of its own under the name of whoever is said to have reviewed."""
    if provenance.origin is Origin.OWN:
        return tr("This review was made in this library.")
    sign = "" if provenance.origin is Origin.KNOWN else "⚠ "
    return tr("{sign}This review is {vouched}.").format(sign=sign, vouched=vouched(provenance))


def under_another_name(review: Review, provenance: Provenance) -> str:
    """An alarm: the name over the review is not that of whoever signed it."""
    names = dict.fromkeys(filter(None, (review.rater, review.signature.name if review.signature else "")))
    said = listed([f"“{shortened(name, _NAME)}”" for name in names])
    if provenance.name:
        by = tr("{name} signed it").format(name=shortened(provenance.name, _NAME))
    else:
        by = (
            tr("it is signed with a different key than this name has here")
            if provenance.key
            else tr("it is not signed")
        )
    code = (
        tr(" The code of that key: {fingerprint}.").format(fingerprint=fingerprint(provenance.key))
        if provenance.key
        else ""
    )
    return tr(
        "⚠ A review says that it is by {said}, but {by}. It is not counted anywhere. Ask whoever sent it.{code}"
    ).format(said=said, by=by, code=code)


def lines(imported: Imported) -> tuple[str, ...]:
    """Who sent it, what needs a look, then what came; what is too much for a window is counted."""
    found = []
    if imported.status_before is None:
        found.append(tr("This case is new here."))
    if imported.session_changed:
        found.append(tr("⚠ The session now reads as in the file: its words, speakers or roles have changed."))
    if imported.status_before is not None:
        found += _count(len(imported.revisions), tr("version of the note"), tr("versions of the note"))
        found += _count(len(imported.evaluations), "check")
    found += [_review(one, imported.sender) for one in imported.arrived]
    found += _status(imported)
    found.sort(key=lambda line: not line.startswith("⚠"))
    rest = len(found) - _MOST_LINES
    shown = (
        [*found[:_MOST_LINES], tr("And {rest} more.").format(rest=rest)]
        if rest > 0
        else found or [tr("It contains nothing new.")]
    )
    # Of a sender who is not known ``how_to_compare`` tells.
    known = imported.sender.origin is not Origin.UNKNOWN
    return (tr("The file is {vouched}.").format(vouched=vouched(imported.sender)), *shown) if known else tuple(shown)


def _count(number: int, one: str, many: str = "") -> list[str]:
    return (
        [
            tr("{counted} {are} added.").format(
                counted=counted(number, tr("new {one}").format(one=one), many and tr("new {many}").format(many=many)),
                are=are(number, "was", "were"),
            )
        ]
        if number
        else []
    )


def _review(one: ReviewArrived, sender: Provenance) -> str:
    if one.provenance.origin is Origin.MISMATCH and one.taken in (Taken.NEW, Taken.CHANGED):
        return under_another_name(one.review, one.provenance)
    own = one.review.kind is ReviewKind.SELF
    whose = (
        tr("The author's answers")
        if own
        else tr("The review by {rater}").format(rater=shortened(one.review.rater, _NAME))
    )
    many = 2 if own else 1
    said = _TAKEN[one.taken].format(whose=whose, was=are(many, "was", "were"), reads=are(many, "reads", "read"))
    as_the_file = one.provenance.origin is Origin.UNKNOWN and one.provenance.key == sender.key
    told = one.taken in (Taken.NEW, Taken.CHANGED) and not as_the_file
    return f"{said} ({vouched(one.provenance)})." if told else f"{said}."


def _status(imported: Imported) -> list[str]:
    name = {status: STANDING_NAMES[Standing(status.value)] for status in CaseStatus}
    if imported.stated is not imported.status:
        now, stated = name[imported.status], name[imported.stated]
        if imported.status_before is not imported.status:
            return [
                tr(
                    "⚠ The file calls the case “{stated}”. It is “{now}” here: no signed review of this note is in it."
                ).format(stated=stated, now=now)
            ]
        return [tr("⚠ The file calls the case “{stated}”. It stays “{now}” here.").format(stated=stated, now=now)]
    if imported.status_before not in (None, imported.status):
        return [
            tr("Status: {name} → {name_2}.").format(name=name[imported.status_before], name_2=name[imported.status])
        ]
    return []
