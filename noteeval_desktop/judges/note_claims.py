"""What a judge says of one note's sentences given another note, in place of a session.

The other note's sentences stand as turns of somebody who is neither therapist nor client. A sentence that stands in the
other note word for word is entailed by it, whatever the judge would say: a judge of sessions may call "casually
dressed" something that nobody can hear.
"""

from __future__ import annotations

import threading

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.protocol import Judge


def verdicts_given(judge: Judge, note: Note, given: Note | Transcript, cancel: threading.Event) -> dict[str, Verdict]:
    """Sentence id → verdict, for the sentences of ``note`` that make a claim.

    Raises JudgeError where a claim could not be judged: a share over the others would flatter. Raises Cancelled.
    """
    there: set[str] = set()
    if isinstance(given, Note):
        there = {_plain(sentence.text) for sentence in given.sentences}
        session = Transcript(
            tuple(Turn(n, "Note", Role.OTHER, sentence.text) for n, sentence in enumerate(given.sentences))
        )
    else:
        session = given
    known = {s.id: Verdict.SUPPORTED for s in note.sentences if _plain(s.text) in there}
    if len(known) == len(note.sentences):
        return known
    for claim in judge.support(Case(session, note), cancel):
        if claim.sentence in known or claim.set_aside:
            continue
        if claim.verdict is None:
            raise JudgeError(claim.rationale or "A statement could not be judged. Try again.")
        known[claim.sentence] = claim.verdict
    return known


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .;")
