"""How long a language model on this computer takes over a case: a guess from its size and its speed."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import counted
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.judges.protocol import exchanges_of

_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Size:
    """What a case costs to read: tokens of session and note, sentences, the therapist's responses."""

    session: int
    note: int
    sentences: int
    responses: int

    @classmethod
    def of(cls, case: Case) -> Size:
        session = sum(len(turn.text) + 12 for turn in case.transcript.turns) // _CHARACTERS_A_TOKEN
        responses = len(exchanges_of(case.transcript))
        return cls(session, len(case.note.text) // _CHARACTERS_A_TOKEN, len(case.note.sentences), responses)


FIFTY_MINUTES = Size(session=12_000, note=600, sentences=25, responses=90)
# So much of a session fits behind one question; of a longer one claims are read with the turns near to them.
_AT_ONCE = 6_000


def seconds(size: Size, speed: Speed, *, responses: bool = False) -> float:
    """By what the questions take: the session is read once for the search, and again in part where it is longer than
    fits at once; each question reads so many tokens beside that, and writes so many. ``responses``: asked about, too.
    """
    again = min(size.session - _AT_ONCE, _AT_ONCE) if size.session > _AT_ONCE else 0
    read = size.session + again + 1_000 + 5 * size.note + 26 * 60 + 100 * size.sentences
    written = 60 * size.sentences + 600
    if responses:
        read, written = read + 160 * size.responses, written + 150 * size.responses
    return speed.seconds(read, written)


def said(speed: Speed, *, measured: bool) -> str:
    """In plain words, for a session of 50 minutes."""
    minutes = seconds(FIFTY_MINUTES, speed) / 60
    taken = counted(max(1, round(minutes)), "minute") if minutes < 90 else f"{minutes / 60:.1f} hours"
    how = "measured on it" if measured else "estimated from its cores"
    return f"About {taken} for a 50-minute session on this computer ({how})."
