"""What parts that several packages use say."""

from __future__ import annotations

CLOSE_THE_MESSAGE = "Close the message"
ONE_MOMENT = "One moment…"
