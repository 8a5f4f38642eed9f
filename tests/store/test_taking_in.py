"""What a case file may change in a library, and what it may not, however it was made."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Answer, AnswerKind, Comment, Review, ReviewKind, Signature
from noteeval_desktop.domain.standing import CaseStatus, Standing
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store import case_file, migrations, reading
from noteeval_desktop.store.database import create, open_existing
from noteeval_desktop.store.errors import CaseFileForged, CaseFileOutOfTime, NameTaken
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels, Origin, Pending
from noteeval_desktop.store.sealing import Cost, seal_with_passphrase
from noteeval_desktop.store.signing import Signer, fingerprint, is_by, review_content
from noteeval_desktop.store.supervision import KnownSigner, Rater
from noteeval_desktop.store.taking_in import Imported, Taken
from noteeval_desktop.ui.supervision.work import rated
from tests.factories import make_case, make_note

pytestmark = pytest.mark.usefixtures("parsed_here")
WORDS = "three quiet rivers"
DONE = datetime(2026, 4, 1, 12, tzinfo=UTC)
RATER = "Dr. Žižek 🙂"
SIGNATURE = Signature(RATER, "LMFT 12345", DONE)


class Travel:
    """Carries a case from one library to another; ``forging`` changes the JSON on its way, with the passphrase."""

    def __init__(self, folder: Path, cost: Cost) -> None:
        self._path, self._cost = folder / "travelling.noteeval-case", cost

    def go(self, case_id: str, here: Library, there: Library) -> Imported:
        here.export_case(case_id, self._path, WORDS, self._cost)
        return there.import_case(self._path, WORDS)

    def forged(self, case_id: str, here: Library, there: Library, **changes: Any) -> Imported:
        here.export_case(case_id, self._path, WORDS, self._cost)
        plain = to_plain(case_file.read_case(self._path, WORDS, datetime.now(UTC))) | changes
        self.write(plain)
        return there.import_case(self._path, WORDS)

    def write(self, plain: dict[str, Any]) -> Path:
        packed = zlib.compress(json.dumps(plain).encode())
        self._path.write_bytes(case_file._written(seal_with_passphrase(packed, WORDS, "noteeval.case/1", self._cost)))
        return self._path


@pytest.fixture
def travel(tmp_path: Path, cheap: Cost) -> Travel:
    return Travel(tmp_path, cheap)


@pytest.fixture
def theirs(tmp_path: Path, passphrase: str, cheap: Cost) -> Iterator[Library]:
    """The supervisor's library."""
    made = Library.create(tmp_path / "theirs", passphrase, cost=cheap)[0]
    made.supervision.set_rater(Rater(RATER))
    yield made
    made.lock()


@pytest.fixture
def case_id(library: Library, theirs: Library, travel: Travel) -> str:
    """Submitted by its author and with the supervisor."""
    made = library.cases.add(make_case(), Labels("Übung"))
    library.cases.set_status(made, CaseStatus.SUBMITTED)
    travel.go(made, library, theirs)
    return made


def handed_in(library: Library, case_id: str, **changes: Any) -> Review:
    sha256 = library.cases.read(case_id).revisions[-1].note.sha256
    return replace(Review("r" * 32, ReviewKind.SUPERVISION, RATER, sha256, DONE, submitted=DONE), **changes)


def plainly(review: Review, when: datetime | None = None) -> dict[str, Any]:
    return {"changed": (when or datetime.now(UTC) + timedelta(minutes=5)).isoformat(), "review": to_plain(review)}


def test_no_file_replaces_a_review_that_was_made_here(library, theirs, case_id, travel):
    own = handed_in(theirs, case_id, acceptance=2)
    theirs.cases.save_review(case_id, own)
    forged = replace(own, acceptance=5, signature=SIGNATURE)
    imported = travel.forged(
        case_id, library, theirs, reviews=[plainly(forged)], status="approved", changed=datetime.now(UTC).isoformat()
    )
    assert theirs.cases.reviews(case_id) == (own,)
    assert (imported.reviews, [one.taken for one in imported.arrived]) == ((), [Taken.OWN])
    assert (imported.status, imported.stated) == (CaseStatus.SUBMITTED, CaseStatus.APPROVED)
    assert theirs.cases.summary(case_id).status is CaseStatus.SUBMITTED


def test_a_review_under_the_raters_name_that_was_not_made_here_is_not_the_raters(library, theirs, case_id, travel):
    forged = handed_in(library, case_id, id="f" * 32, signature=SIGNATURE)
    imported = travel.forged(case_id, library, theirs, reviews=[plainly(forged)])
    opened = theirs.cases.open(case_id)
    assert opened.reviews == (forged,)
    assert opened.own_reviews == ()
    assert [one.origin for one in opened.provenance] == [Origin.MISMATCH]
    assert imported.arrived[0].provenance.origin is Origin.MISMATCH
    assert opened.summary.pending is Pending.WAITING


@pytest.mark.parametrize("naive", [True, False])
@pytest.mark.parametrize(
    "place", ["created", "changed", "review.changed", "review.started", "review.submitted", "signed", "saved"]
)
def test_times_of_the_future_and_times_without_a_zone_are_refused(library, theirs, case_id, travel, place, naive):
    wrong = "2026-03-01T10:00:00" if naive else (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    theirs.cases.save_review(case_id, handed_in(theirs, case_id, signature=SIGNATURE))
    plain = plainly(handed_in(library, case_id, id="f" * 32, signature=SIGNATURE))
    revision = to_plain(library.cases.read(case_id).revisions[-1])
    changes: dict[str, Any] = {"reviews": [plain]}
    if place == "signed":
        plain["review"]["signature"]["signed"] = wrong
    elif place == "review.changed":
        plain["changed"] = wrong
    elif place.startswith("review."):
        plain["review"][place.removeprefix("review.")] = wrong
    elif place == "saved":
        changes["revisions"] = [revision | {"saved": wrong}]
    else:
        changes[place] = wrong
    before = theirs.cases.read(case_id)
    with pytest.raises(CaseFileOutOfTime, match="without its time zone" if naive else "in the future"):
        travel.forged(case_id, library, theirs, **changes)
    assert theirs.cases.read(case_id) == before


@pytest.mark.parametrize("place", ["created", "changed", "saved", "session_date"])
def test_times_before_anybody_could_write_are_refused(library, theirs, case_id, travel, place):
    """The first day of the calendar has no form in zones west of it: reading it emptied the whole list."""
    wrong = "0001-01-01" if place == "session_date" else "0001-01-01T00:00:00+23:59"
    changes: dict[str, Any] = {place: wrong}
    if place == "saved":
        changes = {"revisions": [to_plain(library.cases.read(case_id).revisions[-1]) | {"saved": wrong}]}
    elif place == "session_date":
        changes = {"labels": to_plain(library.cases.summary(case_id).labels) | {"session_date": wrong}}
    before = theirs.cases.read(case_id)
    with pytest.raises(CaseFileOutOfTime, match="before 1900"):
        travel.forged(case_id, library, theirs, **changes)
    assert theirs.cases.read(case_id) == before


def test_clocks_that_differ_by_minutes_refuse_nothing(library, theirs, case_id, travel):
    soon = (datetime.now(UTC) + timedelta(minutes=20)).isoformat()
    assert travel.forged(case_id, library, theirs, changed=soon).id == case_id


def test_answers_that_were_kept_without_a_zone_travel_with_one(library, theirs, travel):
    """As earlier versions kept them."""
    made = library.cases.add(make_case())
    naive = datetime(2026, 3, 1, 10)
    answers = (Answer("f", AnswerKind.DISMISSED, "said elsewhere", naive),)
    library.cases.save_review(made, Review("a" * 32, ReviewKind.SELF, "", "0", naive, answers=answers))
    travel.go(made, library, theirs)
    (review,) = theirs.cases.reviews(made)
    assert review.started == review.answers[0].when == naive.astimezone()


@pytest.mark.parametrize(
    ("present", "stated"),
    [
        ((), "returned"),
        ((), "approved"),
        ((), "resubmitted"),
        (("submitted", "returned"), "submitted"),
        (("submitted", "returned"), "draft"),
        (("submitted", "returned", "resubmitted"), "submitted"),
        (("submitted", "approved"), "returned"),
    ],
)
def test_a_status_that_may_not_follow_or_that_no_review_bears_out_is_not_taken_over(library, travel, present, stated):
    made = library.cases.add(make_case())
    for status in present:
        library.cases.set_status(made, CaseStatus(status))
    before = library.cases.summary(made).status
    later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    imported = travel.forged(made, library, library, status=stated, changed=later)
    assert (imported.status, imported.stated) == (before, CaseStatus(stated))
    assert library.cases.summary(made).status is before


def test_an_approved_case_that_comes_with_no_signed_review_comes_as_submitted(library, theirs, travel):
    made = library.cases.add(make_case())
    imported = travel.forged(made, library, theirs, status="approved")
    assert (imported.status, theirs.cases.summary(made).pending) == (CaseStatus.SUBMITTED, Pending.WAITING)


def test_another_text_under_an_approved_case_makes_it_a_draft(library, theirs, case_id, travel):
    signed = handed_in(theirs, case_id, signature=SIGNATURE)
    theirs.cases.finish_review(case_id, signed, CaseStatus.APPROVED)
    travel.go(case_id, theirs, library)
    assert library.cases.summary(case_id).status is CaseStatus.APPROVED
    library.cases.save_note(case_id, make_note({Section.PLAN: ["Something else. 🙂"]}))
    imported = travel.forged(case_id, library, theirs, status="approved")
    assert imported.status is CaseStatus.DRAFT


def test_an_import_says_all_that_it_changed(library, theirs, case_id, travel):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id), CaseStatus.RETURNED)
    back = travel.go(case_id, theirs, library)
    assert [(one.review.rater, one.taken) for one in back.arrived] == [(RATER, Taken.NEW)]
    assert (back.status_before, back.status) == (CaseStatus.SUBMITTED, CaseStatus.RETURNED)
    assert not back.session_changed
    library.cases.save_note(case_id, make_note({Section.PLAN: ["Something else. 🙂"]}))
    renamed = library.cases.open(case_id).transcript.with_speaker_renamed("Therapist", "Dr. Å")
    library.cases.save_transcript(case_id, renamed)
    there = travel.go(case_id, library, theirs)
    assert there.session_changed
    assert (len(there.revisions), there.arrived) == (1, ())


# Signatures


def test_what_a_library_signs_is_unknown_until_its_key_was_compared(library, theirs, case_id, travel):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id), CaseStatus.RETURNED)
    first = travel.go(case_id, theirs, library)
    assert first.sender == first.arrived[0].provenance
    assert (first.sender.origin, first.sender.key) == (Origin.UNKNOWN, theirs.supervision.public_key())
    library.supervision.remember_signer(KnownSigner(first.sender.key, "Dr. Žižek"))
    (shown,) = library.cases.open(case_id).provenance
    assert (shown.origin, shown.name) == (Origin.KNOWN, "Dr. Žižek")
    assert travel.go(case_id, theirs, library).sender.name == "Dr. Žižek"
    library.supervision.forget_signer(first.sender.key)
    assert library.cases.open(case_id).provenance[0].origin is Origin.UNKNOWN


def test_a_review_moves_no_figure_until_somebody_has_said_whose_it_is(library, theirs, case_id, travel):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id), CaseStatus.RETURNED)
    key = travel.go(case_id, theirs, library).sender.key
    for known, counted in ((False, 0), (True, 1), (False, 0)):
        if known:
            library.supervision.remember_signer(KnownSigner(key, "Dr. Žižek"))
        else:
            library.supervision.forget_signer(key)
        opened = library.cases.read(case_id)
        assert (len(opened.counted_reviews), len(opened.sure_reviews)) == (1, counted)
        assert sum(len(one.reviews) for one in rated(library, "", lambda: False)) == counted


def test_a_review_keeps_its_signature_through_another_library(library, theirs, case_id, travel, tmp_path, cheap):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id), CaseStatus.RETURNED)
    travel.go(case_id, theirs, library)
    third = Library.create(tmp_path / "third", "words to open it", cost=cheap)[0]
    imported = travel.go(case_id, library, third)
    third.lock()
    assert imported.sender.key == library.supervision.public_key()
    assert imported.arrived[0].provenance.key == theirs.supervision.public_key()


def test_another_key_does_not_replace_a_signed_review(library, theirs, case_id, travel):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id, acceptance=2), CaseStatus.RETURNED)
    travel.go(case_id, theirs, library)
    forged = handed_in(theirs, case_id, acceptance=2, signature=SIGNATURE)
    imported = travel.forged(case_id, theirs, library, reviews=[plainly(forged)], status="approved")
    assert [one.taken for one in imported.arrived] == [Taken.OTHER_KEY]
    assert library.cases.reviews(case_id)[0].signature is None
    assert library.cases.summary(case_id).status is CaseStatus.RETURNED


def test_handed_in_marks_stand_and_what_follows_them_is_taken(library, theirs, case_id, travel):
    review = handed_in(theirs, case_id, acceptance=2)
    theirs.cases.save_review(case_id, review)
    travel.go(case_id, theirs, library)
    commented = replace(review, comments=(Comment(Span(0, 0), "", "Say more. 🙂"),))
    theirs.cases.save_review(case_id, commented)
    assert [one.taken for one in travel.go(case_id, theirs, library).arrived] == [Taken.CHANGED]
    theirs.cases.save_review(case_id, replace(commented, acceptance=5))
    assert [one.taken for one in travel.go(case_id, theirs, library).arrived] == [Taken.STANDS]
    assert library.cases.reviews(case_id) == (commented,)


def test_a_review_changed_on_its_way_counts_as_unsigned(library, theirs, case_id, travel):
    theirs.cases.save_review(case_id, handed_in(theirs, case_id, acceptance=2))
    theirs.export_case(case_id, travel._path, WORDS, travel._cost)
    plain = to_plain(case_file.read_case(travel._path, WORDS, datetime.now(UTC)))
    plain["reviews"][0]["review"]["acceptance"] = 5
    imported = library.import_case(travel.write(plain), WORDS)
    assert imported.arrived[0].provenance.origin is Origin.UNSIGNED


@pytest.mark.parametrize("changed", ["turn", "note", "rubric", "marks", "nothing"])
def test_a_seal_covers_session_note_rubric_and_marks(library, theirs, case_id, travel, changed):
    """The owner of a case may write its file anew, but not what somebody else sealed."""
    theirs.cases.save_review(case_id, handed_in(theirs, case_id, acceptance=2))
    theirs.export_case(case_id, travel._path, WORDS, travel._cost)
    plain = to_plain(case_file.read_case(travel._path, WORDS, datetime.now(UTC)))
    if changed == "turn":
        turn = plain["transcripts"][-1]["transcript"]["turns"][-1]
        turn["text"] = turn["text"][:-1] + ("?" if turn["text"][-1] != "?" else "!")
    elif changed == "note":
        plain["reviews"][0]["review"]["note_sha256"] = "0" * 64
    elif changed == "rubric":
        for one in plain["evaluations"]:
            one["kept"]["evaluation"]["judge"]["rubric"] = "another"
        if not plain["evaluations"]:
            plain["reviews"][0]["seal"] = plain["reviews"][0]["seal"].replace("::", ":another:")
    elif changed == "marks":
        plain["reviews"][0]["review"]["acceptance"] = 5
    imported = library.import_case(travel.write(plain), WORDS)
    origin = imported.arrived[0].provenance.origin
    assert (origin is Origin.UNSIGNED) is (changed != "nothing")


def test_a_review_sealed_by_an_earlier_program_is_sealed_without_the_session(library, theirs, case_id, travel):
    theirs.cases.save_review(case_id, handed_in(theirs, case_id, acceptance=2))
    theirs.export_case(case_id, travel._path, WORDS, travel._cost)
    bundle = case_file.read_case(travel._path, WORDS, datetime.now(UTC))
    with theirs._database.reading() as db:
        signer = reading.signer(db)
    one = bundle.reviews[0]
    plain = to_plain(bundle)
    plain["reviews"][0]["seal"] = signer.sign(review_content(bundle.id, one.changed, one.review))
    imported = library.import_case(travel.write(plain), WORDS)
    found = imported.arrived[0].provenance
    assert (found.origin, found.key, found.with_session) == (Origin.UNKNOWN, signer.public, False)
    assert not library.cases.read(case_id).provenance[-1].with_session


def test_a_file_that_was_changed_after_it_was_signed_is_refused(library, theirs, case_id, travel):
    signer = Signer(b"1" * 32)
    plain: dict[str, Any] = {"id": case_id}
    plain["signed"] = {"key": signer.public, "signature": signer.sign(b"something else")}
    with pytest.raises(CaseFileForged):
        theirs.import_case(travel.write(plain), WORDS)


def test_what_is_no_key_signed_nothing():
    signer = Signer(b"1" * 32)
    assert is_by(signer.public, signer.sign(b"words"), b"words")
    for key, signature in (("", ""), ("zz", "00"), (signer.public, "00"), ("00" * 32, signer.sign(b"words"))):
        assert not is_by(key, signature, b"words")
    assert len(fingerprint(signer.public).split()) == 6


def test_reviews_of_an_older_library_are_known_for_its_own(tmp_path, monkeypatch):
    """Before signatures only the rater's name and whose case it is said where a review was made."""
    with monkeypatch.context() as before:
        before.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:7])
        old = create(tmp_path / "old.db", b"k" * 32)
        with old.reading() as db, db.atomic():
            db.execute("INSERT INTO rater VALUES ('Kim', '')")
            for number, imported in ((1, 0), (2, 1)):
                db.execute(
                    """INSERT INTO "case"(number, id, label, clinician, client, status, created, changed, imported)
                    VALUES (?, ?, '', '', '', 'draft', '', '', ?)""",
                    [number, str(number), imported],
                )
            rows = (("a", 1, "", ""), ("b", 2, "", ""), ("c", 2, "Kim", "handed_in"), ("d", 2, "Lee", "handed_in"))
            for row in rows:
                db.execute(
                    "INSERT INTO review(id, of_case, rater, stage, changed, content) VALUES (?, ?, ?, ?, '', '')", row
                )
        old.close()
    database = open_existing(tmp_path / "old.db", b"k" * 32)
    with database.reading() as db:
        assert [row[0] for row in db.execute("SELECT id FROM review WHERE own ORDER BY id").fetchall()] == ["a", "c"]
    database.close()


# Names


@pytest.mark.parametrize("compared", [False, True])
def test_who_approves_in_the_supervisors_name_has_approved_nothing(library, theirs, case_id, travel, compared):
    """The author's library signs as the supervisor; the file says that the note is approved."""
    if compared:
        theirs.supervision.remember_signer(KnownSigner(library.supervision.public_key(), "Kim"))
    forged = handed_in(library, case_id, id="f" * 32, signature=SIGNATURE)
    library.cases.save_review(case_id, forged)
    library.cases.set_status(case_id, CaseStatus.APPROVED)
    result = travel.go(case_id, library, theirs)
    (one,) = result.arrived
    assert (one.provenance.origin, one.provenance.name) == (Origin.MISMATCH, "Kim" if compared else "")
    assert (result.stated, result.status) == (CaseStatus.APPROVED, CaseStatus.SUBMITTED)
    opened = theirs.cases.read(case_id)
    assert (opened.reviews, opened.counted_reviews) == ((forged,), ())
    assert opened.summary.stand.standing is Standing.SUBMITTED
    assert opened.summary.pending is Pending.WAITING


@pytest.mark.parametrize("name", [RATER, "zizek", "Z\u200bizek", "Dr. Anna Žižek", "Ziz\u0435k"])
def test_a_name_that_only_looks_otherwise_is_the_same(library, theirs, case_id, travel, name):
    library.cases.save_review(case_id, handed_in(library, case_id, id="f" * 32, rater=name))
    (one,) = travel.go(case_id, library, theirs).arrived
    assert one.provenance.origin is Origin.MISMATCH


def test_a_name_belongs_to_one_key(library, theirs, case_id, travel):
    theirs.cases.finish_review(case_id, handed_in(theirs, case_id), CaseStatus.RETURNED)
    sender = travel.go(case_id, theirs, library).sender
    # Nobody has compared the code yet; the name came with another key all the same.
    with pytest.raises(NameTaken, match="nobody can sign for somebody else"):
        library.supervision.set_rater(Rater("dr zizek"))
    library.supervision.set_rater(Rater("Kim"))
    with pytest.raises(NameTaken, match="own key"):
        library.supervision.remember_signer(KnownSigner(sender.key, "Kim"))
    library.supervision.remember_signer(KnownSigner(sender.key, "Žižek"))
    with pytest.raises(NameTaken):
        library.supervision.remember_signer(KnownSigner("0" * 64, "Dr Zizek"))
    with pytest.raises(NameTaken):
        library.supervision.check_name("Zizek")
    theirs.supervision.set_rater(Rater(RATER, "PsyD"))


def test_once_the_code_was_compared_the_review_of_a_namesake_counts(library, theirs, case_id, travel):
    library.supervision.set_rater(Rater("Ana Žižek"))
    library.cases.save_review(case_id, handed_in(library, case_id, id="f" * 32, rater="Ana Žižek"))
    travel.go(case_id, library, theirs)
    assert theirs.cases.read(case_id).counted_reviews == ()
    theirs.supervision.remember_signer(KnownSigner(library.supervision.public_key(), "Ana Žižek"))
    assert len(theirs.cases.read(case_id).counted_reviews) == 1
