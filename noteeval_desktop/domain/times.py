"""Times and days that any time zone can show: of others, arithmetic with a zone runs off the calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime

EARLIEST, LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def moment(text: str) -> datetime:
    """What is out of bounds is taken for the nearest that is not. Raises ValueError."""
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        return min(max(when, EARLIEST.replace(tzinfo=None)), LATEST.replace(tzinfo=None))
    return min(max(when, EARLIEST), LATEST)


def day(text: str) -> date:
    """As ``moment``."""
    return min(max(date.fromisoformat(text), EARLIEST.date()), LATEST.date())
