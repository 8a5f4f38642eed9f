"""One case as one encrypted file under its own passphrase: how a case travels between two people.

A line that names the format, a line of JSON with what opening needs, then the sealed, compressed case.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import sqlcipher3

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import CaseStatus
from noteeval_desktop.errors import InputError
from noteeval_desktop.store import reading, writing
from noteeval_desktop.store.audit import Event, append
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import CaseFileDamaged, CaseFileNewer, WrongFilePassphrase, WrongPassphrase, told
from noteeval_desktop.store.files import write_private
from noteeval_desktop.store.records import Bundle, with_texts
from noteeval_desktop.store.sealing import (
    Cost,
    Sealed,
    checked,
    checksum,
    seal_with_passphrase,
    sealed_from_plain,
    unseal_with_passphrase,
)

SUFFIX = ".noteeval-case"
_MAGIC = b"noteeval.case/"
_FORMAT = "noteeval.case/1"
_MOST_BYTES = 256 << 20
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Imported:
    """What came with a case file: ids of what was not here before; ``status_before`` is None for a new case."""

    id: str
    status_before: CaseStatus | None
    status: CaseStatus
    revisions: tuple[str, ...]
    evaluations: tuple[str, ...]
    reviews: tuple[str, ...]


def export_case(database: Database, case_id: str, path: Path, passphrase: str, cost: Cost) -> None:
    """Write the case with all that it holds but the draft and reviews that supervisors have not handed in.

    Raises InputError, CaseNotFound or another StoreError.
    """
    checked(passphrase)
    with database.reading() as db:
        bundle = _without_unfinished(reading.bundle(db, case_id))
    text = json.dumps(to_plain(bundle), ensure_ascii=True, separators=(",", ":")).encode()
    sealed = seal_with_passphrase(zlib.compress(text, 6), passphrase, _FORMAT, cost)
    write_private(path, _written(sealed))
    with database.writing() as db:
        append(db, Event.EXPORTED, case_id, "case-file")


def import_case(database: Database, path: Path, passphrase: str) -> Imported:
    """Take in a case, or what is new in a case that is here already (by its id); nothing that is here goes.

    The labels of a case that is here stay as they are; its status and transcript follow a file that is newer.
    Raises WrongPassphrase, CaseFileDamaged, CaseFileNewer or another StoreError, and then changes nothing.
    """
    bundle = _without_unfinished(_read(path, passphrase))
    try:
        with database.writing() as db:
            imported = _take_in(database, bundle)
            append(db, Event.IMPORTED, bundle.id, "case-file")
    except sqlcipher3.IntegrityError as error:
        raise CaseFileDamaged(path.name) from error
    return imported


def read_case(path: Path, passphrase: str) -> Bundle:
    """What a case file holds, without a library. Raises WrongPassphrase, CaseFileDamaged, CaseFileNewer, StoreError."""
    return _read(path, passphrase)


def evaluations_in(bundle: Bundle) -> tuple[Evaluation, ...]:
    """With the texts that they judged, from the oldest to the newest."""
    sessions = {one.id: one.transcript for one in bundle.transcripts}
    notes = {one.id: one.note for one in bundle.revisions}
    return tuple(
        with_texts(one.kept.evaluation, sessions[one.transcript], notes[one.kept.revision])
        for one in bundle.evaluations
    )


def _take_in(database: Database, bundle: Bundle) -> Imported:
    with database.reading() as db:
        row = next(iter(db.query('SELECT * FROM "case" WHERE id = ?', [bundle.id])), None)
        before = reading.bundle(db, bundle.id) if row else None
        if row is None:
            # One that was here before, and was deleted, comes home.
            known = db.execute("SELECT 1 FROM audit WHERE subject = ? LIMIT 1", [bundle.id]).fetchone()
            writing.insert_bundle(db, bundle, imported=known is None)
        else:
            newer = datetime.fromisoformat(row["changed"]) < bundle.changed
            writing.add_rows(db, int(row["number"]), bundle, newer)
        after = reading.bundle(db, bundle.id)
    old_reviews = {one.review for one in before.reviews} if before else set()
    old = {one.id for one in before.revisions} | {one.kept.id for one in before.evaluations} if before else set()
    return Imported(
        id=bundle.id,
        status_before=before.status if before else None,
        status=after.status,
        revisions=tuple(one.id for one in after.revisions if one.id not in old),
        evaluations=tuple(one.kept.id for one in after.evaluations if one.kept.id not in old),
        reviews=tuple(one.review.id for one in after.reviews if one.review not in old_reviews),
    )


def _without_unfinished(bundle: Bundle) -> Bundle:
    """Marks that are not handed in are their rater's alone."""
    return replace(bundle, reviews=tuple(one for one in bundle.reviews if not one.review.blind))


def _written(sealed: Sealed) -> bytes:
    head = sealed.to_plain()
    del head["box"]
    head |= {"checksum": checksum(json.dumps(head, sort_keys=True).encode() + sealed.box)}
    return _FORMAT.encode() + b"\n" + json.dumps(head).encode() + b"\n" + sealed.box


def _read(path: Path, passphrase: str) -> Bundle:
    with told(path.name):
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(path.name, "is too large for a case file", "Ask for the right file.")
        content = path.read_bytes()
    sealed = _unwrapped(content, path.name)
    try:
        packed = unseal_with_passphrase(sealed, passphrase, _FORMAT)
    except WrongPassphrase:
        raise WrongFilePassphrase(path.name) from None
    try:
        bundle = from_plain(Bundle, json.loads(_unpacked(packed)))
        _fits_together(bundle)
    except (ValueError, zlib.error, RecursionError) as error:
        raise CaseFileDamaged(path.name) from error
    return bundle


def _unwrapped(content: bytes, name: str) -> Sealed:
    magic, _, rest = content.partition(b"\n")
    if magic != _FORMAT.encode():
        if magic.startswith(_MAGIC) and magic.removeprefix(_MAGIC).isdigit():
            raise CaseFileNewer(name)
        raise CaseFileDamaged(name)
    line, _, box = rest.partition(b"\n")
    try:
        head = json.loads(line)
        stated = head.pop("checksum")
        if stated != checksum(json.dumps(head, sort_keys=True).encode() + box):
            raise CaseFileDamaged(name)
        return sealed_from_plain(head | {"box": ""}).holding(box)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CaseFileDamaged(name) from error


def _unpacked(packed: bytes) -> bytes:
    """At most ``_MOST_BYTES``: a small file must not fill the memory."""
    inflater = zlib.decompressobj()
    text = inflater.decompress(packed, _MOST_BYTES)
    if not inflater.eof:
        raise ValueError("too large or cut short")
    return text


def _fits_together(bundle: Bundle) -> None:
    transcripts = {one.id for one in bundle.transcripts}
    revisions = {one.id for one in bundle.revisions}
    if not _ID.fullmatch(bundle.id):
        raise ValueError("not an id")
    if not transcripts or not revisions:
        raise ValueError("a case has a session and a note")
    for one in bundle.evaluations:
        if one.transcript not in transcripts or one.kept.revision not in revisions:
            raise ValueError("an evaluation of something else")
