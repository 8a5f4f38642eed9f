"""What a supervisor's library hides until the blind review is in, and what the author's own never hides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.review import Dimension, Review, ReviewKind, Signature
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store import case_file, migrations
from noteeval_desktop.store.audit import Event
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, Labels, Pending, ScoreRange
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.supervision import Rater
from tests.factories import make_note
from tests.sample_evaluation import sample_evaluation

pytestmark = pytest.mark.usefixtures("parsed_here")
WORDS = "three quiet rivers"
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
RATER = "Dr. Žižek 🙂"


@pytest.fixture
def theirs(tmp_path: Path, passphrase: str, cheap: Cost) -> Iterator[Library]:
    """The supervisor's library."""
    made = Library.create(tmp_path / "theirs", passphrase, cost=cheap)[0]
    made.supervision.set_rater(Rater(RATER))
    yield made
    made.lock()


@pytest.fixture
def case_id(library: Library) -> str:
    evaluation = sample_evaluation()
    made = library.cases.add(evaluation.case, Labels("Übung", "Ruth Alden"))
    library.cases.save_evaluation(made, evaluation)
    return made


@pytest.fixture
def travel(tmp_path: Path, cheap: Cost):
    def go(case_id: str, here: Library, there: Library) -> None:
        path = tmp_path / "one.noteeval-case"
        here.export_case(case_id, path, WORDS, cheap)
        there.import_case(path, WORDS)

    return go


def _note(library: Library, case_id: str) -> Note:
    return library.cases.read(case_id).revisions[-1].note


def _review(library: Library, case_id: str, done: bool, rater: str = RATER, review_id: str = "r" * 32) -> Review:
    sha256 = _note(library, case_id).sha256
    return Review(review_id, ReviewKind.SUPERVISION, rater, sha256, NOW, submitted=NOW if done else None)


def _unseen(library: Library) -> None:
    """As though nobody had seen what was judged here."""
    with library._database.writing() as db:
        db.execute("DELETE FROM seen_note")


def _hidden(library: Library, case_id: str) -> Pending | None:
    """As the summary says it, the list, the search by scores and the trainee's figures, which have to agree."""
    summary = library.cases.summary(case_id)
    blank = not any(share is not None for share in summary.figures.values())
    query = CaseQuery(score=ScoreRange(Dimension.COMPLETENESS))
    assert library.cases.find() == (summary,)
    assert blank is (summary.pending is not None)
    assert library.cases.count(query) == (0 if blank else 1)
    marked = library.cases.revision_marks(CaseQuery())
    assert bool(marked) is not (blank and len(library.cases.read(case_id).revisions) == 1)
    return summary.pending


@pytest.mark.parametrize(
    ("status", "pending"),
    [
        ((), None),
        ((CaseStatus.SUBMITTED,), Pending.WAITING),
        ((CaseStatus.SUBMITTED, CaseStatus.RETURNED), None),
        ((CaseStatus.SUBMITTED, CaseStatus.RETURNED, CaseStatus.RESUBMITTED), Pending.WAITING),
        ((CaseStatus.SUBMITTED, CaseStatus.APPROVED), None),
    ],
)
def test_a_case_that_came_to_be_reviewed_hides_its_scores_and_the_authors_own_does_not(
    library, theirs, case_id, travel, status, pending
):
    for step in status:
        if step in (CaseStatus.RETURNED, CaseStatus.APPROVED):
            signed = replace(_review(library, case_id, done=True, rater="Kim"), signature=Signature("Kim", "LMFT", NOW))
            library.cases.save_review(case_id, signed)
        library.cases.set_status(case_id, step)
    travel(case_id, library, theirs)
    assert _hidden(theirs, case_id) is pending
    assert _hidden(library, case_id) is None


def test_a_review_that_is_handed_in_uncovers_and_a_new_revision_covers_again(library, theirs, case_id, travel):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    theirs.cases.save_review(case_id, _review(theirs, case_id, done=False))
    assert _hidden(theirs, case_id) is Pending.UNDER_WAY
    theirs.cases.save_review(case_id, _review(theirs, case_id, done=True))
    assert _hidden(theirs, case_id) is None
    theirs.cases.set_status(case_id, CaseStatus.RETURNED)
    travel(case_id, theirs, library)
    assert _hidden(library, case_id) is None
    library.cases.save_note(case_id, make_note({Section.PLAN: ["Something else. 🙂"]}))
    library.cases.set_status(case_id, CaseStatus.RESUBMITTED)
    assert _hidden(library, case_id) is None
    travel(case_id, library, theirs)
    assert theirs.cases.summary(case_id).pending is Pending.WAITING


def test_another_raters_review_does_not_uncover(library, theirs, case_id, travel):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    theirs.cases.save_review(case_id, _review(theirs, case_id, done=True, rater="Kim"))
    assert _hidden(theirs, case_id) is Pending.WAITING
    theirs.supervision.set_rater(Rater("Kim"))
    assert _hidden(theirs, case_id) is None
    theirs.cases.save_review(case_id, _review(theirs, case_id, done=False, review_id="s" * 32))
    assert _hidden(theirs, case_id) is Pending.UNDER_WAY


def test_an_unfinished_review_of_an_older_revision_hides_nothing(library, case_id):
    _unseen(library)
    library.cases.save_review(case_id, _review(library, case_id, done=False))
    assert _hidden(library, case_id) is Pending.UNDER_WAY
    library.cases.save_note(case_id, make_note({Section.PLAN: ["Something else. 🙂"]}))
    assert _hidden(library, case_id) is None


def test_opening_with_the_judges_marks_hides_nothing_more_and_is_told_in_the_log(library, theirs, case_id, travel):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    assert theirs.cases.open(case_id).seen == frozenset()
    assert _hidden(theirs, case_id) is Pending.WAITING
    opened = theirs.cases.open(case_id, spoiling=True)
    assert opened.seen == {opened.revisions[-1].note.sha256}
    assert opened.summary == theirs.cases.summary(case_id)
    assert _hidden(theirs, case_id) is None
    details = [one.detail for one in theirs.audit.entries() if one.event is Event.OPENED]
    assert details == ["", "with-the-judges-marks"]


def test_scores_that_are_hidden_do_not_show_in_the_order_of_the_list(library, case_id):
    others = [library.cases.duplicate(case_id) for _ in range(2)]
    _unseen(library)
    library.cases.save_review(others[0], _review(library, others[0], done=False))
    found = library.cases.find(CaseQuery(sort="completeness"))
    assert found[-1].id == others[0]
    assert [one.pending for one in found] == [None, None, Pending.UNDER_WAY]


def test_ones_own_case_that_was_deleted_and_comes_home_hides_nothing(library, case_id, tmp_path, cheap):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    library.export_case(case_id, tmp_path / "own", WORDS, cheap)
    library.delete(case_id)
    library.import_case(tmp_path / "own", WORDS)
    assert _hidden(library, case_id) is None


@pytest.mark.parametrize("shown", [False, True])
def test_what_was_hidden_or_shown_is_so_after_deleting_and_importing_anew(library, theirs, case_id, travel, shown):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    theirs.cases.open(case_id, spoiling=shown, shown=shown)
    theirs.delete(case_id)
    travel(case_id, library, theirs)
    assert theirs.cases.summary(case_id).imported
    assert _hidden(theirs, case_id) is (None if shown else Pending.WAITING)
    note = _note(theirs, case_id).sha256
    assert (note in theirs.cases.read(case_id).seen) is shown


def test_whoever_judged_the_note_has_seen_its_marks(library, case_id):
    """Judged here, or handed in a review of it, also under another name and of a copy."""
    note = _note(library, case_id).sha256
    assert library.cases.read(case_id).seen == {note}
    assert library.cases.read(library.cases.duplicate(case_id)).seen == {note}
    _unseen(library)
    assert library.cases.read(case_id).seen == frozenset()
    library.cases.show_marks(note)
    assert library.cases.read(case_id).seen == {note}


def test_a_library_from_before_knows_whose_marks_were_shown_in_it(library, theirs, case_id, travel):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    for made, seen in ((library, 1), (theirs, 0)):
        with made._database.writing() as db:
            db.execute("DROP TABLE seen_note")
            migrations._11_seen_notes(db)
        assert len(made.cases.read(case_id).seen) == seen


def test_unfinished_reviews_do_not_travel(library, theirs, case_id, travel, monkeypatch):
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    own = Review("o" * 32, ReviewKind.SELF, "", _note(library, case_id).sha256, NOW)
    done = _review(theirs, case_id, done=True, rater="Kim", review_id="k" * 32)
    for review in (own, done, _review(theirs, case_id, done=False)):
        theirs.cases.save_review(case_id, review)
    travel(case_id, theirs, library)
    assert library.cases.reviews(case_id) == (own, done)
    # They are not in the file either: whoever has its passphrase could read them there.
    theirs.export_case(case_id, Path(library._folder) / "new", WORDS, Cost(memory_kib=64, passes=1, lanes=1))
    written = case_file.read_case(Path(library._folder) / "new", WORDS, datetime.now(UTC)).reviews
    assert {one.review.id for one in written} == {own.id, done.id}
    with monkeypatch.context() as before:
        before.setattr(case_file, "_without_unfinished", lambda bundle: bundle)
        theirs.export_case(case_id, Path(library._folder) / "old", WORDS, Cost(memory_kib=64, passes=1, lanes=1))
    library.import_case(Path(library._folder) / "old", WORDS)
    assert library.cases.reviews(case_id) == (own, done)
    assert len(theirs.cases.reviews(case_id)) == 3


def test_a_library_from_before_learns_what_was_imported_and_how_far_reviews_are(
    library, theirs, case_id, travel, tmp_path, passphrase
):
    """The columns are emptied and the step is done again."""
    library.cases.set_status(case_id, CaseStatus.SUBMITTED)
    travel(case_id, library, theirs)
    theirs.cases.set_status(case_id, CaseStatus.RETURNED)
    travel(case_id, theirs, library)
    library.cases.save_review(case_id, _review(library, case_id, done=False, rater="half a pair \ud83d"))
    for made in (library, theirs):
        made.cases.save_review(case_id, replace(_review(made, case_id, done=True, review_id=f"{id(made):032x}")))
        with made._database.writing() as db:
            before = _rows(db)
            for column in ("imported", "seen"):
                db.execute(f'ALTER TABLE "case" DROP COLUMN {column}')
            for column in ("rater", "note_sha256", "stage"):
                db.execute(f"ALTER TABLE review DROP COLUMN {column}")
            migrations._7_blind(db)
            assert _rows(db) == before
    assert (_imported(library), _imported(theirs)) == (0, 1)


def _rows(db) -> list[tuple[object, ...]]:
    return [
        *db.execute('SELECT id, imported, seen FROM "case"').fetchall(),
        *db.execute("SELECT id, rater, note_sha256, stage FROM review").fetchall(),
    ]


def _imported(library: Library) -> int:
    with library._database.reading() as db:
        return db.execute('SELECT imported FROM "case"').fetchone()[0]
