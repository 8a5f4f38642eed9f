"""Whether a scorecard is as it was exported, and of the case it is said to be of."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import SignerKnown
from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.report.fingerprints import NAMES, Check, Fingerprints, State, compare, fingerprints_from_json

SCHEMA = "noteeval.verification/1"
LIMITS = tr("This is not a signature: it shows accidental changes, not ones that somebody tried to hide.")
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
    from noteeval_desktop.report.pdf_seal import NO_PASSWORD, WRONG_PASSWORD, read_seal

    data, name = _bytes(path), path.name
    try:
        found = run_isolated(
            read_seal, data, password, name, seconds=_SECONDS, memory_mb=_MEMORY_MB, cancel=cancel, what=name
        )
    except InputError as error:
        if error.problem in (NO_PASSWORD, WRONG_PASSWORD):
            raise PasswordNeeded(error.what, error.problem, error.remedy) from None
        raise
    try:
        prints = fingerprints_from_json(found["fingerprints"])
    except ValueError as error:
        raise InputError(path.name, tr("its fingerprints are damaged"), tr("Ask for the file again.")) from error
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
        "limits": LIMITS,
    }


def rows(verification: Verification) -> list[list[str]]:
    """Lines of a table: what, how it compares (or what stands in the scorecard)."""
    if not verification.checks:
        known = verification.scorecard.prints.to_json()
        return [[NAMES[name], _short(value)] for name, value in known.items() if value]
    return [[NAMES[check.what], _compared(check)] for check in verification.checks if check.scorecard or check.case]


def verdict(verification: Verification) -> str:
    """A few sentences."""
    if not verification.scorecard.unaltered:
        return tr("This scorecard was changed after it was exported. Ask for it again.")
    prints = verification.scorecard.prints
    said = [tr("Nothing in this scorecard was changed since it was exported, as far as can be known.")]
    match verification.matches:
        case None:
            said.append(tr("It was not compared with a case."))
        case True:
            said.append(tr("It matches the case in everything that was compared."))
        case False:
            different = [NAMES[check.what] for check in verification.checks if check.state is State.DIFFERENT]
            said.insert(0, tr("This scorecard does not match the case: {what}.").format(what=", ".join(different)))
    if prints.review:
        said.append(_signed(prints.signer_known).format(signer=prints.signer))
    return " ".join(said)


def _signed(known: str) -> str:
    """Whether a scorecard's review is signed, with which key, and whether that key was known."""
    match known:
        case SignerKnown.OWN:
            return tr("Its review was made in the library that exported it. Its code, to compare: {signer}")
        case SignerKnown.COMPARED:
            return tr("Its review is signed with a key that had been compared with its owner: {signer}.")
        case SignerKnown.NOT_COMPARED:
            return tr("Its review is signed with a key that nobody had compared: {signer}.")
        case SignerKnown.NOT_SIGNED:
            return tr("Its review is not signed.")
        case SignerKnown.ANOTHER:
            return tr("⚠ The name on its review is not the signer's.")
    return tr("It does not say who signed its review.")


def _compared(check: Check) -> str:
    if check.state is not State.DIFFERENT:
        return tr("the same") if check.state is State.SAME else check.state.value
    said = tr("different: {scorecard} in the scorecard, {case} in the case")
    return said.format(scorecard=_short(check.scorecard), case=_short(check.case))


def _short(value: str) -> str:
    return value if len(value) <= _SHOWN + 1 else value[:_SHOWN] + "…"


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(path.name, tr("is too large for a scorecard"), tr("Choose another file."))
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        problem = tr("cannot be read ({reason})")
        reason = getattr(error, "strerror", None) or tr("its name cannot be used")
        raise InputError(path.name[:80], problem.format(reason=reason), tr("Check the name and the folder.")) from None
    if b"%PDF" not in data[:1024]:
        raise InputError(path.name, tr("is not a PDF"), tr("Choose a scorecard that was exported as PDF."))
    return data
