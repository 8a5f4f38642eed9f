"""Facts of a note and of a reference, counted by a judge: each sentence that makes a claim is a fact."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import verdicts_given
from noteeval_desktop.research.facts import FactCounts


def count_facts(
    judge: Judge, note: Note, reference: Note, session: Transcript | None, cancel: threading.Event
) -> tuple[FactCounts, dict[Section, FactCounts]]:
    """Of the whole note, and of each SOAP section that the note or the reference has.

    A fact of the note is correct where the reference, or the session where there is one, supports it; incorrect where
    what was asked last contradicts it; else hallucinated. A fact of the reference is omitted where the whole note does
    not support it. A sentence under two headings counts in both sections, once in the whole. With sentences for facts a
    long one that is wrong in one word is wrong as a whole. Raises JudgeError, Cancelled.
    """
    own = dict(verdicts_given(judge, note, reference, cancel))
    if session is not None:
        heard = verdicts_given(judge, note, session, cancel)
        own |= {name: verdict for name, verdict in heard.items() if own.get(name) is not Verdict.SUPPORTED}
    theirs = verdicts_given(judge, reference, note, cancel)
    sections = {
        section: _counted(_of(own, note, section), _of(theirs, reference, section))
        for section in (*SOAP, Section.UNASSIGNED)
        if _of(own, note, section) or _of(theirs, reference, section)
    }
    return _counted(own, theirs), sections


def _of(verdicts: Mapping[str, Verdict], note: Note, section: Section) -> dict[str, Verdict]:
    return {s.id: verdicts[s.id] for s in note.sentences_in(section) if s.id in verdicts}


def _counted(own: Mapping[str, Verdict], theirs: Mapping[str, Verdict]) -> FactCounts:
    correct = sum(verdict is Verdict.SUPPORTED for verdict in own.values())
    incorrect = sum(verdict is Verdict.CONTRADICTED for verdict in own.values())
    found = sum(verdict is Verdict.SUPPORTED for verdict in theirs.values())
    return FactCounts(
        correct=correct,
        incorrect=incorrect,
        hallucinated=len(own) - correct - incorrect,
        omitted=len(theirs) - found,
        reference=len(theirs),
        found=found,
    )
