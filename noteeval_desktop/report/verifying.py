"""Whether a scorecard is as it was exported, and of the case it is said to be of."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.report import sealing_words as words
from noteeval_desktop.report.fingerprints import (
    Check,
    Fingerprints,
    State,
    compare,
    fingerprints_from_json,
)

SCHEMA = "noteeval.verification/1"
_MOST_BYTES = 50_000_000
_SECONDS, _MEMORY_MB = 30.0, 700
_SHOWN = 16


class PasswordNeeded(InputError):
    """The scorecard is encrypted, and was asked for without its password or with another."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What a scorecard says of itself; ``unaltered``: nothing was changed since export, as far as can be known."""

    unaltered: bool
    encrypted: bool
    prints: Fingerprints


@dataclass(frozen=True, slots=True)
class Verification:
    """``checks`` is empty where there was no case to compare with."""

    scorecard: Scorecard
    checks: tuple[Check, ...]

    @property
    def matches(self) -> bool | None:
        """None where nothing could be compared."""
        states = {check.state for check in self.checks}
        return None if states <= {State.NOT_COMPARED} else State.DIFFERENT not in states

    @property
    def good(self) -> bool:
        return self.scorecard.unaltered and self.matches is not False


def read_scorecard(path: Path, password: str = "", cancel: threading.Event | None = None) -> Scorecard:
    """In a child process, since it may be anybody's PDF.

    Raises PasswordNeeded, InputError for a file that is missing, damaged or no scorecard, and Cancelled.
    """
    # Here, not above: it loads a PDF library, which the other commands do without.
    from noteeval_desktop.report.pdf_seal import read_seal

    data, name = _bytes(path), path.name
    try:
        found = run_isolated(
            read_seal, data, password, name, seconds=_SECONDS, memory_mb=_MEMORY_MB, cancel=cancel, what=name
        )
    except InputError as error:
        if error.problem in (words.NO_PASSWORD, words.WRONG_PASSWORD):
            raise PasswordNeeded(error.what, error.problem, error.remedy) from None
        raise
    try:
        prints = fingerprints_from_json(found["fingerprints"])
    except ValueError as error:
        raise InputError(path.name, *words.DAMAGED_PRINTS) from error
    return Scorecard(bool(found["unaltered"]), bool(found["encrypted"]), prints)


def verify(scorecard: Scorecard, case: Fingerprints | None) -> Verification:
    return Verification(scorecard, compare(scorecard.prints, case) if case is not None else ())


def to_json(verification: Verification) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "unaltered": verification.scorecard.unaltered,
        "matches": verification.matches,
        "encrypted": verification.scorecard.encrypted,
        "fingerprints": verification.scorecard.prints.to_json(),
        "checks": [
            {"what": check.what, "state": check.state.value, "scorecard": check.scorecard, "case": check.case}
            for check in verification.checks
        ],
        "limits": words.LIMITS,
    }


def rows(verification: Verification) -> list[list[str]]:
    """Lines of a table: what, how it compares (or what stands in the scorecard)."""
    if not verification.checks:
        known = verification.scorecard.prints.to_json()
        return [[words.NAMES[name], _short(value)] for name, value in known.items() if value]
    return [
        [words.NAMES[check.what], words.STATES[check.state] + _both(check)]
        for check in verification.checks
        if check.scorecard or check.case
    ]


def verdict(verification: Verification) -> str:
    """A few sentences."""
    if not verification.scorecard.unaltered:
        return words.CHANGED
    prints = verification.scorecard.prints
    signed = words.signed(prints.signer_known, prints.signer) if prints.review else ""
    match verification.matches:
        case None:
            return words.compared_with_none(signed)
        case True:
            return words.matches(signed)
    different = [words.NAMES[check.what] for check in verification.checks if check.state is State.DIFFERENT]
    return words.differs(different, signed)


def _both(check: Check) -> str:
    if check.state is State.DIFFERENT:
        return words.both(_short(check.scorecard), _short(check.case))
    return ""


def _short(value: str) -> str:
    return value if len(value) <= _SHOWN + 1 else value[:_SHOWN] + "…"


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(path.name, *words.TOO_LARGE)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or words.NO_NAME
        raise InputError(path.name[:80], *words.cannot_be_read(reason)) from None
    if b"%PDF" not in data[:1024]:
        raise InputError(path.name, *words.NOT_A_PDF)
    return data
