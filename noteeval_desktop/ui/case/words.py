"""What is said of the case on the desk: before there is one, of its session, and of the words in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

# The first screen reads its words here.
if TYPE_CHECKING:
    from noteeval_desktop.domain.case import Case
    from noteeval_desktop.domain.evaluation import Evaluation
    from noteeval_desktop.judges.notices import Notice

SAMPLE_LABEL = "Sample case (fictional)"
OWN_LABEL = "Case"
DROP_TRANSCRIPT = "TXT, MD, VTT, SRT, DOCX, JSON or CSV, as Zoom, Teams, Meet, Otter, Rev or Whisper save it"
DROP_NOTE = "TXT, MD, DOCX, PDF or JSON, in SOAP, DAP, BIRP or GIRP"
CLIPBOARD_EMPTY = "The clipboard holds no text. Copy the session or the note first."
PRIVACY = "Everything stays on this computer. Nothing is sent anywhere."
PRIVACY_REMOTE = "An online AI service checks this note. You see what would be sent, and decide."


def warning(case: Case) -> str:
    """Says where a passage tries to steer the judge and whether the session may be another; empty where all is well."""
    # Here, not above: it loads the built-in judge, which the first screen does not need.
    from noteeval_desktop.judges.notices import another_session, notices

    return " ".join([*another_session(case), *_steering(notices(case))])


def unheard(evaluation: Evaluation) -> str:
    """Says which turns were not judged, or not wholly, and that no warning told of before; empty where all were."""
    from noteeval_desktop.judges.notices import unheard_turns
    from noteeval_desktop.ui import wording

    turns = unheard_turns(evaluation)
    if not turns:
        return ""
    return f"{wording.turn_list(turns)}: what seems to address the reviewer was not judged there."


def doubts_session(said: str) -> bool:
    """Of a banner's text: does it ask whether the session is the note's?"""
    from noteeval_desktop.judges.notices import ANOTHER_SESSION

    return ANOTHER_SESSION in said


def without_doubt(said: str) -> str:
    from noteeval_desktop.judges.notices import ANOTHER_SESSION

    return said.replace(ANOTHER_SESSION, "").strip()


def _steering(found: Sequence[Notice]) -> Iterator[str]:
    from noteeval_desktop.ui import wording

    if not found:
        return
    places = ["the note" if n.turn is None else f"turn {wording.turn_number(n.turn)}" for n in found]
    where = ", ".join(dict.fromkeys(places))
    kinds = {notice.kind.value for notice in found}
    said = [text for kind, text in _NOTICES.items() if kind in kinds]
    yield f"Look at {where}: some words {' and some '.join(said)}. They were given to the judge as text, not obeyed."


_NOTICES = {
    "instruction": "read like an instruction to the judge",
    "marker": "hold a control marker of a language model",
    "hidden": "hold invisible characters",
}
