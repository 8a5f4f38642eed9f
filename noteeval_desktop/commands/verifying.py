"""`noteeval verify`: whether a scorecard is as it was exported, and of which case."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop import documents
from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD, known_password
from noteeval_desktop.commands.run import DONE, Run, check_outputs, finish
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.report.fingerprints import Fingerprints, fingerprints_in, fingerprints_of, of_case
from noteeval_desktop.report.json_layout import SCHEMA, evaluation_from_json
from noteeval_desktop.report.terminal import table
from noteeval_desktop.report.verifying import LIMITS, PasswordNeeded, Scorecard, read_scorecard, rows, to_json, verdict
from noteeval_desktop.report.verifying import verify as verified

if TYPE_CHECKING:
    from noteeval_desktop.store.records import Bundle, BundledReview

DIFFERENT = 1
_MOST_BYTES = 200_000_000
_CASE_FILE = ".noteeval-case"


def verify(run: Run) -> int:
    """0: unaltered, and nothing differs from what it was compared with; 1: altered or different."""
    options = run.options
    inputs = (options.scorecard, options.transcript, options.note, options.case)
    check_outputs({"--json": options.json}, inputs)
    found = _scorecard(options.scorecard, run)
    result = verified(found, _case(run, found))
    finish(run, to_json(result), f"{table(rows(result))}\n{verdict(result)}\n{LIMITS}")
    return DONE if result.good else DIFFERENT


def _scorecard(path: Path, run: Run) -> Scorecard:
    try:
        return read_scorecard(path, cancel=run.cancel)
    except PasswordNeeded as error:
        password = known_password(PDF_PASSWORD, tr("Password of {name}").format(name=path.name))
        if not password:
            raise InputError(
                path.name, error.problem, tr("Set {variable}, or run it in a terminal.").format(variable=PDF_PASSWORD)
            ) from None
    return read_scorecard(path, password, run.cancel)


def _case(run: Run, found: Scorecard) -> Fingerprints | None:
    """From the files given; None for none."""
    options = run.options
    if options.case is None and options.transcript is None and options.note is None:
        return None
    prints = _kept(options.case, found.prints) if options.case is not None else Fingerprints()
    if options.note is not None:
        prints = replace(prints, note=documents.read_note(options.note, run.cancel).sha256)
    if options.transcript is not None:
        transcript = documents.read_transcript(options.transcript, options.session, run.cancel)
        prints = replace(prints, transcript=transcript.source_sha256)
    return prints


def _kept(path: Path, scorecard: Fingerprints) -> Fingerprints:
    if path.name.endswith(_CASE_FILE):
        return _of_case_file(path, scorecard)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(path.name, tr("is too large for an evaluation"), tr("Choose another file."))
        data = from_json(path.read_bytes())
    except OSError as error:
        raise InputError(
            path.name, tr("cannot be read ({reason})").format(reason=error.strerror), tr("Check the path after --case.")
        ) from error
    except ValueError as error:
        raise InputError(path.name, tr("is not JSON"), tr("Choose what `noteeval evaluate --json` wrote.")) from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(path.name, tr("is not an evaluation"), tr("Choose what `noteeval evaluate --json` wrote."))
    if "note_text" in data.get("case", ()):
        return fingerprints_of(evaluation_from_json(data))
    return fingerprints_in(data)


def _signer(case: Bundle, one: BundledReview) -> str:
    """The fingerprint of the key, or that the signature in the case file is none."""
    from noteeval_desktop.store.signing import fingerprint, seal_holds

    return fingerprint(one.signer) if seal_holds(case, one) else tr("no valid signature")


def _of_case_file(path: Path, scorecard: Fingerprints) -> Fingerprints:
    # Here, not above: every other command does without the library's database.
    from noteeval_desktop.store.case_file import evaluations_in, read_case

    passphrase = known_password(CASE_PASSPHRASE, tr("Passphrase of {what}: ").format(what=path.name))
    if not passphrase:
        raise InputError(
            path.name,
            tr("is encrypted"),
            tr("Set {variable}, or run it in a terminal.").format(variable=CASE_PASSPHRASE),
        )
    bundle = read_case(path, passphrase, datetime.now(UTC))
    signers = [_signer(bundle, one) for one in bundle.reviews]
    prints = of_case(scorecard, evaluations_in(bundle), [one.review for one in bundle.reviews], signers)
    if prints is None:
        raise InputError(path.name, tr("holds no evaluation"), tr("Choose a case that was checked."))
    return prints
