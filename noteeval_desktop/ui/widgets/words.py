"""What parts that several packages use say."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain import transcript
from noteeval_desktop.domain.phrases import sentence

CLOSE_THE_MESSAGE = "Close the message"
ONE_MOMENT = "One moment…"


def turn_number(index: int) -> str:
    return str(transcript.turn_number(index))


def turn_list(turns: Sequence[int]) -> str:
    """ "Turns 8, 21 and 40"."""
    return sentence(transcript.turn_list(turns))
