"""What a reader is told of the texts before they trust what was judged of them."""

from __future__ import annotations

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.judges.notices import ANOTHER_SESSION, another_session, foreign_turns, notices, unheard_turns
from noteeval_desktop.ui.widgets.words import turn_list

_NOTICES = {
    "instruction": tr("read like an instruction to the judge"),
    "marker": tr("contain control characters for an AI model"),
    "hidden": tr("contain invisible characters"),
}


def warning(case: Case) -> str:
    """Says where a passage tries to steer the judge, which turns are in another language and whether the session may be
    another; empty where all is well."""
    said, found = [*another_session(case), *foreign_turns(case)], notices(case)
    if found:
        places = [tr("the note") if n.turn is None else turn_list((n.turn,)).lower() for n in found]
        kinds = {notice.kind.value for notice in found}
        look = tr("Look at {where}: some words {what}. The judge read them as text, not as instructions.")
        what = tr(" and some ").join(text for kind, text in _NOTICES.items() if kind in kinds)
        said.append(look.format(where=", ".join(dict.fromkeys(places)), what=what))
    return " ".join(said)


def unheard(evaluation: Evaluation) -> str:
    """Says which turns were not judged, or not wholly, and that no warning told of before; empty where all were."""
    turns = unheard_turns(evaluation)
    if not turns:
        return ""
    return tr("{turns}: what seems to address the reviewer was not checked there.").format(turns=turn_list(turns))


def doubts_session(said: str) -> bool:
    """Of a banner's text: does it ask whether the session is the note's?"""
    return ANOTHER_SESSION in said


def without_doubt(said: str) -> str:
    return said.replace(ANOTHER_SESSION, "").strip()
