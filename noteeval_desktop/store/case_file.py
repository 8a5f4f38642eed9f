"""One case as one encrypted file under its own passphrase: how a case travels between two people.

A line that names the format, a line of JSON with what opening needs, then the sealed, compressed case.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlcipher3

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.text import HALF_PAIRS
from noteeval_desktop.errors import InputError
from noteeval_desktop.isolation import run_isolated
from noteeval_desktop.store import case_file_reading as child
from noteeval_desktop.store import reading
from noteeval_desktop.store.audit import Event, append
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import (
    CaseFileDamaged,
    CaseFileForged,
    CaseFileNewer,
    CaseFileOutOfTime,
    WrongFilePassphrase,
    told,
)
from noteeval_desktop.store.files import write_private
from noteeval_desktop.store.records import Bundle, with_texts
from noteeval_desktop.store.sealing import Cost, Sealed, checked, checksum, seal_with_passphrase, sealed_from_plain
from noteeval_desktop.store.signing import Signer, sealed
from noteeval_desktop.store.taking_in import Imported, take_in

SUFFIX = ".noteeval-case"
_MAGIC = b"noteeval.case/"
_HEAD_BYTES = 4096
_SECONDS, _MEMORY_MB = 60.0, 1536


def export_case(database: Database, case_id: str, path: Path, passphrase: str, cost: Cost) -> None:
    """Write the case with all that it holds but the draft and reviews that supervisors have not handed in.

    The library signs the file and the reviews that were made in it. Raises InputError, CaseNotFound or another
    StoreError.
    """
    checked(passphrase)
    with database.reading() as db:
        signer = reading.signer(db)
        own = reading.own_reviews(db, int(reading.case_row(db, case_id)["number"]))
        bundle = _without_unfinished(reading.bundle(db, case_id))
    # With every time in its zone, and the reviews that were made here signed.
    reviews = (
        sealed(signer, bundle, replace(one, review=_zoned(one.review))) if one.review.id in own else one
        for one in bundle.reviews
    )
    text = _signed(replace(bundle, reviews=tuple(reviews)), signer)
    if len(text) > child.MOST_BYTES:
        raise InputError(
            path.name, tr("would be too large for a case file"), tr("Duplicate the case, and send the copy.")
        )
    write_private(path, _written(seal_with_passphrase(zlib.compress(text, 6), passphrase, child.FORMAT, cost)))
    with database.writing() as db:
        append(db, Event.EXPORTED, case_id, "case-file")


def import_case(database: Database, path: Path, passphrase: str, now: datetime) -> Imported:
    """Take in a case, or what is new in a case that is here already (by its id); nothing that is here goes.

    Raises WrongPassphrase, CaseFileDamaged, CaseFileNewer, CaseFileForged, CaseFileOutOfTime or another StoreError,
    and then changes nothing.
    """
    bundle, sender = _read(path, passphrase, now)
    try:
        with database.writing() as db:
            imported = take_in(db, _without_unfinished(bundle), sender)
            append(db, Event.IMPORTED, bundle.id, "case-file")
    except sqlcipher3.IntegrityError as error:
        raise CaseFileDamaged(path.name) from error
    return imported


def read_case(path: Path, passphrase: str, now: datetime) -> Bundle:
    """What a case file holds, without a library. Raises as ``import_case`` does."""
    return _read(path, passphrase, now)[0]


def evaluations_in(bundle: Bundle) -> tuple[Evaluation, ...]:
    """With the texts that they judged, from the oldest to the newest."""
    sessions = {one.id: one.transcript for one in bundle.transcripts}
    notes = {one.id: one.note for one in bundle.revisions}
    return tuple(
        with_texts(one.kept.evaluation, sessions[one.transcript], notes[one.kept.revision])
        for one in bundle.evaluations
    )


def _without_unfinished(bundle: Bundle) -> Bundle:
    """Marks that are not handed in are their rater's alone."""
    return replace(bundle, reviews=tuple(one for one in bundle.reviews if not one.review.blind))


def _zoned(review: Review) -> Review:
    """Earlier versions kept the clinician's answers in local time without its zone."""
    answers = tuple(replace(one, when=one.when and _in_zone(one.when)) for one in review.answers)
    return replace(review, started=_in_zone(review.started), answers=answers)


def _in_zone(when: datetime) -> datetime:
    return when if when.tzinfo else when.astimezone()


def _signed(bundle: Bundle, signer: Signer) -> bytes:
    # Half of a surrogate pair, which earlier versions took in: one character for one, so that all offsets stand.
    text = HALF_PAIRS.sub("\ufffd", json.dumps(to_plain(bundle), ensure_ascii=False))
    plain: dict[str, Any] = json.loads(text)
    plain[child.SIGNED] = {"key": signer.public, "signature": signer.sign(child.signed_content(plain))}
    return json.dumps(plain, separators=(",", ":")).encode()


def _written(sealed: Sealed) -> bytes:
    head = sealed.to_plain()
    del head["box"]
    head |= {"checksum": checksum(json.dumps(head, sort_keys=True).encode() + sealed.box)}
    return child.FORMAT.encode() + b"\n" + json.dumps(head).encode() + b"\n" + sealed.box


def _read(path: Path, passphrase: str, now: datetime) -> tuple[Bundle, str]:
    """With the public key that signed it, or nothing."""
    with told(path.name):
        if path.stat().st_size > child.MOST_BYTES:
            raise InputError(path.name, tr("is too large for a case file"), tr("Ask for the right file."))
        content = path.read_bytes()
    box = _unwrapped(content, path.name)
    assert box.cost is not None
    cost = (box.cost.memory_kib, box.cost.passes, box.cost.lanes)
    parts = (box.nonce, box.box, box.salt, cost, passphrase, now.isoformat())
    try:
        found, text, signer = run_isolated(
            child.open_sealed, *parts, seconds=_SECONDS, memory_mb=_MEMORY_MB, what=path.name
        )
    except InputError as error:
        raise CaseFileDamaged(path.name) from error
    if found == child.READ:
        return from_plain(Bundle, json.loads(text)), signer
    if found == child.WRONG_PASSPHRASE:
        raise WrongFilePassphrase(path.name)
    if found == child.FORGED:
        raise CaseFileForged(path.name)
    if found == child.DAMAGED:
        raise CaseFileDamaged(path.name)
    raise CaseFileOutOfTime(path.name, found)


def _unwrapped(content: bytes, name: str) -> Sealed:
    magic, _, rest = content.partition(b"\n")
    if magic != child.FORMAT.encode():
        if magic.startswith(_MAGIC) and magic.removeprefix(_MAGIC).isdigit():
            raise CaseFileNewer(name)
        raise CaseFileDamaged(name)
    line, _, box = rest.partition(b"\n")
    try:
        if len(line) > _HEAD_BYTES:
            raise CaseFileDamaged(name)
        head = json.loads(line)
        stated = head.pop("checksum")
        if stated != checksum(json.dumps(head, sort_keys=True).encode() + box):
            raise CaseFileDamaged(name)
        sealed = sealed_from_plain(head | {"box": ""}).holding(box)
        if sealed.cost is None:
            raise CaseFileDamaged(name)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CaseFileDamaged(name) from error
    return sealed
