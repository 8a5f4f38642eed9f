from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from noteeval_desktop.domain.findings import ranked_findings
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import Answer, AnswerKind, Comment, Dimension, Review, ReviewKind
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.store.errors import CaseNotFound, LibraryLocked
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import CaseQuery, Labels, NoteFile, ScoreRange, SortBy
from tests.factories import make_case, make_note, make_transcript
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review

LATER = make_note({Section.SUBJECTIVE: ["Sie träumt vom Fluß 🌊."], Section.PLAN: ["Nächste Woche."]})


def review_of(sha256: str, **changes: object) -> Review:
    values = {
        "id": "r1",
        "kind": ReviewKind.SUPERVISION,
        "rater": "Dr. Øst",
        "note_sha256": sha256,
        "started": datetime(2026, 3, 1, tzinfo=UTC),
    }
    return Review(**(values | changes))  # type: ignore[arg-type]


def test_a_case_comes_back_as_it_went_in(library: Library) -> None:
    case = make_case(label="Fall 7")
    case_id = library.cases.add(case)
    opened = library.cases.open(case_id)
    assert opened.transcript == case.transcript
    assert [revision.note for revision in opened.revisions] == [case.note]
    assert opened.summary.labels == Labels("Fall 7")
    assert opened.summary.status is CaseStatus.DRAFT
    assert opened.summary.judge is None


def test_an_evaluation_comes_back_whole_with_what_it_judged(library: Library) -> None:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case)
    library.cases.save_evaluation(case_id, evaluation)
    library.cases.save_transcript(case_id, evaluation.case.transcript.with_speaker_renamed("Therapist", "Dr. Å"))
    library.cases.save_note(case_id, LATER)
    opened = library.cases.open(case_id)
    assert opened.evaluations[0].evaluation == evaluation
    assert opened.evaluations[0].revision == opened.revisions[0].id
    assert opened.revisions[-1].note == LATER
    assert opened.summary.judge == f"{evaluation.judge.kind} {evaluation.judge.model}"
    assert opened.summary.figures[Dimension.FAITHFULNESS] == evaluation.scores.faithfulness.note


def test_plain_values_survive_and_misfits_are_refused() -> None:
    evaluation = sample_evaluation()
    assert from_plain(type(evaluation), to_plain(evaluation)) == evaluation
    plain = to_plain(make_note())
    assert from_plain(type(LATER), plain | {"unheard of": 1}) == make_note()
    for damaged in (None, [], {}, plain | {"text": 3}, plain | {"blocks": [[]]}, plain | {"format": None}):
        with pytest.raises(ValueError, match="not a Note"):
            from_plain(type(LATER), damaged)
    with pytest.raises(TypeError):
        to_plain({1: 2})


def test_saving_the_same_note_twice_makes_one_revision(library: Library) -> None:
    case_id = library.cases.add(make_case())
    first = library.cases.save_note(case_id, LATER)
    assert library.cases.save_note(case_id, LATER) == first
    library.cases.save_note(case_id, make_note())
    assert [revision.number for revision in library.cases.open(case_id).revisions] == [1, 2, 3]


def test_an_incomplete_evaluation_does_not_become_the_cases_score(library: Library) -> None:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case)
    library.cases.save_evaluation(case_id, replace(evaluation, complete=False))
    assert library.cases.summary(case_id).judge is None


def test_half_a_surrogate_pair_in_a_session_is_kept(library: Library) -> None:
    transcript = make_transcript((("client", "broken \ud83d text"),))
    case_id = library.cases.add(make_case(transcript=transcript))
    assert library.cases.open(case_id).transcript == transcript


def test_a_draft_is_kept_until_its_revision(library: Library) -> None:
    case_id = library.cases.add(make_case())
    assert library.cases.open(case_id).draft is None
    library.cases.save_draft(case_id, "halb fertig")
    library.cases.save_draft(case_id, "halb fertig 🌊")
    kept = library.cases.open(case_id).draft
    assert kept
    assert kept.text == "halb fertig 🌊"
    library.cases.save_evaluation(case_id, replace(sample_evaluation(), case=make_case()))
    assert library.cases.open(case_id).draft == kept
    library.cases.save_note(case_id, LATER)
    assert library.cases.open(case_id).draft is None
    library.cases.save_draft(case_id, "x")
    library.cases.drop_draft(case_id)
    assert library.cases.open(case_id).draft is None


@pytest.fixture
def filled(library: Library) -> dict[str, str]:
    ids = {}
    for name, labels in {
        "ana": Labels("Ana 1", "Dr. Weiß", "A-17", date(2026, 1, 5), ("intake", "risk")),
        "bo": Labels("bo 2", "Dr. Weiß", "B-03", date(2026, 2, 5), ("intake",)),
        "cy": Labels("Čy 3", "O'Hara", "C", None),
    }.items():
        ids[name] = library.cases.add(make_case(), labels)
    evaluation = sample_evaluation()
    library.cases.save_evaluation(ids["bo"], evaluation)
    library.cases.save_note(ids["cy"], LATER)
    library.cases.save_review(
        ids["cy"], review_of(LATER.sha256, comments=(Comment(Span(0, 2), "Su", "unklare Formulierung"),))
    )
    library.cases.set_status(ids["ana"], CaseStatus.SUBMITTED)
    return ids


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (CaseQuery(), "ana bo cy"),
        (CaseQuery(clinician="Dr. Weiß"), "ana bo"),
        (CaseQuery(client="C"), "cy"),
        (CaseQuery(tag="intake"), "ana bo"),
        (CaseQuery(tag="intake", clinician="O'Hara"), ""),
        (CaseQuery(judge="scripted script"), "bo"),
        (CaseQuery(statuses=(CaseStatus.SUBMITTED, CaseStatus.APPROVED)), "ana"),
        (CaseQuery(since=date(2026, 1, 6)), "bo"),
        (CaseQuery(until=date(2026, 1, 5)), "ana"),
        (CaseQuery(score=ScoreRange(Dimension.COMPLETENESS, 0.5, 1)), "bo"),
        (CaseQuery(score=ScoreRange(Dimension.COMPLETENESS, 0, 0.1)), ""),
        (CaseQuery(archived=True), ""),
        (CaseQuery(unchanged_since=datetime(2000, 1, 1, tzinfo=UTC)), ""),
        (CaseQuery(text="TRAUMT fluß"), "cy"),
        (CaseQuery(text="breathing exerc"), "ana bo cy"),
        (CaseQuery(text="unklare"), "cy"),
        (CaseQuery(text="cy"), "cy"),
        (CaseQuery(text="weiss OR"), ""),
        (CaseQuery(text='ana" OR "bo'), ""),
        (CaseQuery(text="* ^ ( NEAR"), ""),
        (CaseQuery(text="🌊"), ""),
        (CaseQuery(text="\ud800 ana"), "ana"),
        (CaseQuery(text="mentions a brother"), "bo"),
        (CaseQuery(text="risk"), "ana bo"),
        (CaseQuery(text="   "), "ana bo cy"),
    ],
)
def test_cases_are_found_by_words_and_filters(
    library: Library, filled: dict[str, str], query: CaseQuery, names: str
) -> None:
    found = {summary.id for summary in library.cases.find(query)}
    assert found == {filled[name] for name in names.split()}
    assert library.cases.count(query) == len(found)


@pytest.mark.parametrize(
    ("sort", "descending", "names"),
    [
        (SortBy.LABEL, False, "ana bo cy"),
        (SortBy.SESSION, False, "ana bo cy"),
        (SortBy.SESSION, True, "bo ana cy"),
        (SortBy.CREATED, True, "cy bo ana"),
        (SortBy.CHANGED, True, "ana cy bo"),
        ("faithfulness", False, "bo ana cy"),
    ],
)
def test_lists_are_sorted_with_missing_values_last(
    library: Library, filled: dict[str, str], sort: SortBy, descending: bool, names: str
) -> None:
    found = [summary.id for summary in library.cases.find(CaseQuery(sort=sort, descending=descending))]
    assert found == [filled[name] for name in names.split()]
    paged = [library.cases.find(CaseQuery(sort=sort, descending=descending), 1, at)[0].id for at in range(3)]
    assert paged == found


def test_the_marks_of_every_revision_are_read_without_opening_a_case(library: Library) -> None:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case, Labels("Fall 1", "Ö", session_date=date(2026, 1, 1)))
    library.cases.add(evaluation.case, Labels("not judged", "Ö"))
    other = library.cases.add(evaluation.case, Labels("other", "P"))
    library.cases.save_evaluation(other, evaluation)
    library.cases.save_evaluation(case_id, replace(evaluation, checklist=evaluation.checklist[:2]))
    library.cases.save_evaluation(case_id, evaluation)
    library.cases.save_evaluation(case_id, replace(evaluation, complete=False, checklist=()))
    second = make_case().note
    library.cases.save_note(case_id, second)
    blind, handed_in = sample_review(evaluation, handed_in=False), sample_review(evaluation)
    library.cases.save_review(case_id, replace(blind, id="1" * 32))
    library.cases.save_review(case_id, handed_in)
    audited = len(library.audit.entries())
    (row,) = library.cases.revision_marks(CaseQuery(clinician="Ö"))
    assert (row.case, row.label, row.session_date, row.revision) == (case_id, "Fall 1", date(2026, 1, 1), 1)
    assert row.items == tuple((item.item, item.present) for item in evaluation.checklist)
    assert dict(row.scores)[Dimension.COMPLETENESS] == evaluation.scores.completeness.note
    assert (row.reviews, row.note) == ((handed_in,), evaluation.case.note)
    assert len(library.audit.entries()) == audited


def test_an_earlier_state_that_is_checked_once_more_says_nothing_of_the_note(library: Library) -> None:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case)
    library.cases.save_evaluation(case_id, evaluation)
    later = replace(evaluation, case=replace(evaluation.case, note=make_case().note), checklist=(), sentences=())
    library.cases.save_evaluation(case_id, replace(later, scores=score((), ())))
    shown = library.cases.summary(case_id).figures
    library.cases.save_evaluation(case_id, evaluation)
    assert library.cases.summary(case_id).figures == shown
    library.cases.save_note(case_id, evaluation.case.note)
    library.cases.save_evaluation(case_id, evaluation)
    assert library.cases.summary(case_id).figures[Dimension.COMPLETENESS] == evaluation.scores.completeness.note


def test_a_review_belongs_to_the_last_revision_that_reads_so(library: Library) -> None:
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case, Labels("Fall 1", "Ö"))
    library.cases.save_note(case_id, make_case().note)
    library.cases.save_note(case_id, evaluation.case.note)
    library.cases.save_review(case_id, sample_review(evaluation))
    (row,) = library.cases.revision_marks(CaseQuery(clinician="Ö"))
    assert (row.revision, row.judge, row.items, len(row.reviews)) == (3, "", (), 1)


def test_choices_for_a_filter_are_those_in_use(library: Library, filled: dict[str, str]) -> None:
    assert library.cases.choices("clinician") == ("Dr. Weiß", "O'Hara")
    assert library.cases.choices("tag") == ("intake", "risk")
    assert library.cases.choices("judge") == ("scripted script",)


def test_a_list_holds_no_clinical_text(library: Library) -> None:
    library.cases.add(make_case())
    listed = repr(library.cases.find())
    for words in ("drink", "Calm", "Tuesday"):
        assert words not in listed


def test_what_is_no_longer_in_the_case_is_no_longer_found(library: Library) -> None:
    case_id = library.cases.add(make_case(), Labels("Zebra"))
    library.cases.set_labels(case_id, Labels("Okapi", tags=("neu", "neu")))
    assert library.cases.count(CaseQuery(text="zebra")) == 0
    assert library.cases.count(CaseQuery(text="okapi")) == 1
    assert library.cases.summary(case_id).labels.tags == ("neu",)
    library.cases.remove(case_id)
    assert library.cases.count(CaseQuery(text="okapi")) == 0


def test_archived_cases_leave_the_list_and_come_back(library: Library) -> None:
    case_id = library.cases.add(make_case())
    library.cases.set_archived(case_id, True)
    assert not library.cases.find()
    assert [summary.id for summary in library.cases.find(CaseQuery(archived=True))] == [case_id]
    library.cases.set_archived(case_id, False)
    assert library.cases.find()


def test_a_duplicate_lives_on_its_own(library: Library) -> None:
    evaluation = sample_evaluation()
    first = library.cases.add(evaluation.case, Labels("eins", tags=("t",)))
    library.cases.save_evaluation(first, evaluation)
    library.cases.save_review(first, review_of(evaluation.case.note.sha256))
    second = library.cases.duplicate(first)
    library.cases.save_note(second, LATER)
    library.cases.remove(first)
    opened = library.cases.open(second)
    assert opened.evaluations[0].evaluation == evaluation
    assert len(opened.revisions) == 2
    assert opened.reviews == ()
    assert opened.summary.labels.tags == ("t",)


def test_a_status_follows_only_those_that_may_precede_it(library: Library) -> None:
    case_id = library.cases.add(make_case())
    with pytest.raises(ValueError, match="does not follow"):
        library.cases.set_status(case_id, CaseStatus.APPROVED)
    for status in ("submitted", "returned", "resubmitted", "approved", "draft"):
        library.cases.set_status(case_id, CaseStatus(status))
    assert library.cases.summary(case_id).status is CaseStatus.DRAFT


def test_a_review_takes_the_place_of_its_earlier_state(library: Library) -> None:
    case_id = library.cases.add(make_case())
    library.cases.save_review(case_id, review_of("a", acceptance=2))
    library.cases.save_review(case_id, review_of("a", acceptance=4))
    assert [review.acceptance for review in library.cases.open(case_id).reviews] == [4]


def test_a_case_that_is_gone_says_so(library: Library) -> None:
    cases = library.cases
    for act in (cases.open, cases.summary, cases.remove, cases.drop_draft, cases.duplicate):
        with pytest.raises(CaseNotFound):
            act("nonesuch")
    with pytest.raises(CaseNotFound):
        cases.save_note("nonesuch", LATER)


def test_a_change_that_fails_half_way_changes_nothing(library: Library) -> None:
    case_id = library.cases.add(make_case())
    before = library.cases.open(case_id)
    broken = replace(make_transcript(), warnings=(object(),))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        library.cases.save_transcript(case_id, broken)
    assert library.cases.open(case_id) == before


def test_after_locking_nothing_is_given_out(library: Library) -> None:
    case_id = library.cases.add(make_case())
    library.lock()
    for act in (library.cases.find, library.check, lambda: library.cases.open(case_id), library.audit.entries):
        with pytest.raises(LibraryLocked):
            act()


def test_threads_take_turns(library: Library) -> None:
    def work(name: str) -> None:
        for _ in range(10):
            library.cases.save_draft(library.cases.add(make_case(label=name)), name)

    threads = [threading.Thread(target=work, args=(str(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert library.cases.count() == 40


def test_roles_set_later_are_the_cases(library: Library) -> None:
    case_id = library.cases.add(make_case())
    changed = make_transcript().with_role("Client", Role.OTHER)
    library.cases.save_transcript(case_id, changed)
    assert library.cases.open(case_id).transcript == changed


def test_the_notes_file_is_known_again_and_goes_with_its_case(library: Library) -> None:
    first = library.cases.add(make_case())
    assert library.cases.open(first).note_file is None
    # As Linux names a file whose name is no UTF-8.
    files = [NoteFile("/srv/kim/Ünal 🙂 \udcff.docx", text) for text in ("Plan: früher.", "Plan: jetzt.")]
    for file in files:
        library.cases.save_note_file(first, file)
    assert library.cases.open(first).note_file == files[-1]
    assert library.cases.open(library.cases.duplicate(first)).note_file is None
    library.delete(first)
    with library._database.reading() as db:
        assert db.execute("SELECT count(*) FROM note_file").fetchone()[0] == 0


def test_the_list_counts_the_risks_that_are_open_as_the_window_does(library: Library) -> None:
    evaluation = sample_evaluation()
    pressing = [one.key for one in ranked_findings(evaluation) if one.pressing]
    bare, other = library.cases.add(make_case()), library.cases.add(evaluation.case)
    assert library.cases.summary(bare).figures["open_risks"] is None
    library.cases.save_evaluation(other, evaluation)
    assert library.cases.summary(other).figures["open_risks"] == len(pressing) > 0
    own = Review("2" * 32, ReviewKind.SELF, "", evaluation.case.note.sha256, datetime(2026, 4, 1, tzinfo=UTC))
    answer = Answer(pressing[0], AnswerKind.DISMISSED, "Documented elsewhere.")
    library.cases.save_review(other, replace(own, answers=(answer,)))
    assert library.cases.summary(other).figures["open_risks"] == len(pressing) - 1
    found = library.cases.find(CaseQuery(sort="open_risks", descending=True))
    assert [one.id for one in found] == [other, bare]


@pytest.mark.parametrize("held", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "nonsense", ""])
def test_a_case_that_cannot_be_shown_is_one_line_of_the_list(library: Library, held: str) -> None:
    """As an import of an earlier program left it."""
    good, bad = library.cases.add(make_case(label="good")), library.cases.add(make_case(label="bad"))
    with library._database.writing() as db:
        db.execute('UPDATE "case" SET created = ?, changed = ? WHERE id = ?', [held, held, bad])
    found = {one.id: one for one in library.cases.find()}
    assert set(found) == {good, bad}
    assert "bad" in found[bad].labels.label
    assert ("cannot be shown" in found[bad].labels.label) is (held in ("nonsense", ""))
    assert found[bad].changed.astimezone() is not None
