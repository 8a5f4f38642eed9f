from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.errors import InputError
from noteeval_desktop.store import case_file
from noteeval_desktop.store.errors import (
    CaseFileDamaged,
    CaseFileNewer,
    CaseNotFound,
    LibraryUnreachable,
    WrongPassphrase,
)
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels, NoteFile
from noteeval_desktop.store.sealing import Cost, seal_with_passphrase
from tests.factories import make_case, make_note
from tests.sample_evaluation import sample_evaluation

pytestmark = pytest.mark.usefixtures("parsed_here")
WORDS = "three quiet rivers"
NOW = datetime.now(UTC)


@pytest.fixture
def other(tmp_path: Path, passphrase: str, cheap: Cost) -> Library:
    """The supervisor's library."""
    return Library.create(tmp_path / "other", passphrase, cost=cheap)[0]


@pytest.fixture
def sent(library: Library, tmp_path: Path, cheap: Cost) -> tuple[str, Path]:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case, Labels("Übung", tags=("t",)))
    library.cases.save_evaluation(case_id, evaluation)
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    library.export_case(case_id, tmp_path / "sent.noteeval-case", WORDS, cheap)
    return case_id, tmp_path / "sent.noteeval-case"


def test_a_case_travels_whole(library: Library, other: Library, sent: tuple[str, Path]) -> None:
    case_id, path = sent
    imported = other.import_case(path, WORDS)
    assert (imported.id, imported.status_before, imported.status) == (case_id, None, CaseStatus.SUBMITTED)
    theirs, ours = other.cases.open(case_id), library.cases.open(case_id)
    assert replace(theirs, summary=ours.summary, seen=ours.seen) == ours
    assert theirs.summary.imported
    shown = replace(theirs.summary, figures=ours.summary.figures)
    assert replace(shown, pending=None, imported=False) == ours.summary


def test_a_reply_says_what_is_new_and_loses_nothing(
    library: Library, other: Library, sent: tuple[str, Path], tmp_path: Path, cheap: Cost
) -> None:
    case_id, path = sent
    other.import_case(path, WORDS)
    other.cases.save_evaluation(case_id, sample_evaluation())
    other.cases.set_status(case_id, CaseStatus.RETURNED)
    other.export_case(case_id, tmp_path / "reply", WORDS, cheap)
    library.cases.set_labels(case_id, Labels("mine"))
    own = library.cases.save_note(case_id, make_note())
    other.cases.set_status(case_id, CaseStatus.RESUBMITTED)
    other.export_case(case_id, tmp_path / "reply", WORDS, cheap)
    imported = library.import_case(tmp_path / "reply", WORDS)
    assert (imported.status_before, imported.status) == (CaseStatus.SUBMITTED, CaseStatus.RESUBMITTED)
    assert len(imported.evaluations) == 1
    assert imported.revisions == imported.reviews == ()
    opened = library.cases.open(case_id)
    assert own in [revision.id for revision in opened.revisions]
    assert opened.summary.labels.label == "mine"
    again = library.import_case(tmp_path / "reply", WORDS)
    assert again.evaluations == ()


def test_an_old_file_takes_nothing_back(library: Library, sent: tuple[str, Path], tmp_path: Path, cheap: Cost) -> None:
    case_id, path = sent
    note = library.cases.open(case_id).revisions[-1].note
    first = Review("r" * 32, ReviewKind.SELF, "", note.sha256, datetime(2026, 3, 1, tzinfo=UTC))
    library.cases.save_review(case_id, first)
    library.export_case(case_id, path, WORDS, cheap)
    later = replace(first, acceptance=4)
    library.cases.save_review(case_id, later)
    library.cases.set_status(case_id, CaseStatus.DRAFT)
    imported = library.import_case(path, WORDS)
    assert (imported.status_before, imported.status) == (CaseStatus.DRAFT, CaseStatus.DRAFT)
    assert imported.reviews == ()
    assert library.cases.reviews(case_id) == (later,)


def test_a_wrong_passphrase_is_told_from_damage(library: Library, sent: tuple[str, Path]) -> None:
    _, path = sent
    with pytest.raises(WrongPassphrase):
        library.import_case(path, "three quiet river")
    good, chance = path.read_bytes(), random.Random(5)
    for _ in range(100):
        damaged = bytearray(good)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises((CaseFileDamaged, CaseFileNewer)):
            library.import_case(path, WORDS)
    for other in (b"", good[:-1], good[:20], b"PK\x03\x04", b"noteeval.case/1\n{}\n"):
        path.write_bytes(other)
        with pytest.raises(CaseFileDamaged):
            library.import_case(path, WORDS)
    assert library.cases.count() == 1


def test_a_newer_file_and_a_missing_one_are_told(library: Library, tmp_path: Path) -> None:
    (tmp_path / "new").write_bytes(b"noteeval.case/2\n{}")
    with pytest.raises(CaseFileNewer):
        library.import_case(tmp_path / "new", WORDS)
    with pytest.raises(LibraryUnreachable):
        library.import_case(tmp_path / "absent", WORDS)


def test_export_refuses_a_short_passphrase_and_an_unknown_case(library: Library, tmp_path: Path, cheap: Cost) -> None:
    case_id = library.cases.add(make_case())
    with pytest.raises(InputError):
        library.export_case(case_id, tmp_path / "x", "short", cheap)
    with pytest.raises(CaseNotFound):
        library.export_case("nonesuch", tmp_path / "x", WORDS, cheap)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "f" * 32},
        {"id": "a text about a client"},
        {"transcripts": []},
        {"revisions": []},
        {"status": "unheard of"},
        {"created": "yesterday"},
        {"labels": None},
    ],
)
def test_a_sealed_file_that_does_not_fit_is_refused(
    library: Library, sent: tuple[str, Path], cheap: Cost, changes: dict[str, object]
) -> None:
    """The first has the ids of rows that belong to another case."""
    case_id, path = sent
    _reseal(path, changes, cheap)
    before = library.cases.open(case_id)
    with pytest.raises(CaseFileDamaged):
        library.import_case(path, WORDS)
    assert library.cases.open(case_id) == before
    assert library.cases.count() == 1
    assert library.audit.first_broken() is None


def test_a_review_does_not_move_into_another_case(library: Library, sent: tuple[str, Path], cheap: Cost) -> None:
    case_id, path = sent
    review = Review("r1", ReviewKind.SELF, "A", "0", datetime(2026, 1, 1, tzinfo=UTC))
    other = library.cases.add(make_case())
    library.cases.save_review(other, review)
    theirs = replace(review, rater="B")
    _reseal(path, {"reviews": [{"changed": NOW.isoformat(), "review": to_plain(theirs)}]}, cheap)
    with pytest.raises(CaseFileDamaged):
        library.import_case(path, WORDS)
    assert library.cases.open(other).reviews == (review,)
    assert library.cases.open(case_id).reviews == ()


def test_an_older_file_changes_neither_status_nor_transcript(library: Library, sent: tuple[str, Path]) -> None:
    case_id, path = sent
    renamed = library.cases.open(case_id).transcript.with_speaker_renamed("Therapist", "Dr. Å")
    library.cases.save_transcript(case_id, renamed)
    library.cases.set_status(case_id, CaseStatus.RETURNED)
    assert library.import_case(path, WORDS).status is CaseStatus.RETURNED
    assert library.cases.open(case_id).transcript == renamed


def _reseal(path: Path, changes: dict[str, object], cost: Cost) -> None:
    """The same case file with other content, properly sealed."""
    plain = to_plain(case_file._read(path, WORDS, NOW)[0]) | changes
    sealed = seal_with_passphrase(zlib.compress(json.dumps(plain).encode()), WORDS, "noteeval.case/1", cost)
    path.write_bytes(case_file._written(sealed))


def test_where_the_notes_file_lies_does_not_travel(
    library: Library, other: Library, sent: tuple[str, Path], tmp_path: Path, cheap: Cost
) -> None:
    case_id, path = sent
    other.import_case(path, WORDS)
    library.cases.save_note_file(case_id, NoteFile("/srv/kim/Ünal.docx", "Plan: 🙂."))
    library.export_case(case_id, tmp_path / "again.noteeval-case", WORDS, cheap)
    assert "Ünal.docx" not in json.dumps(to_plain(case_file.read_case(tmp_path / "again.noteeval-case", WORDS, NOW)))
    theirs = NoteFile("/srv/lee/note.txt", "Plan: 🙂.")
    other.cases.save_note_file(case_id, theirs)
    other.import_case(tmp_path / "again.noteeval-case", WORDS)
    assert other.cases.open(case_id).note_file == theirs
    assert not any("Ünal.docx" in str(entry) for entry in library.audit.entries())
