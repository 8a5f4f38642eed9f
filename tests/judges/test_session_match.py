"""A note beside another session than its own is told; one beside its own is not, however much of it is wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from models.training import spoken_rates as counting
from models.training.spoken_rates import held_out, visits
from noteeval_desktop import documents, paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.evaluate import Memory, evaluate, final
from noteeval_desktop.judges.builtin.text import spoken_rates
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from noteeval_desktop.judges.notices import ANOTHER_SESSION, with_warnings
from noteeval_desktop.judges.session_match import LIMIT, WRONG_SESSION, matcher, may_be_another
from noteeval_desktop.measures.tn_eval import LabelledNote
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.research.composed import load_composed
from tests.factories import make_case, make_note, make_transcript
from tests.other_session import NOTE, SESSION
from tests.sample_evaluation import sample_case
from tests.scripted_judge import ScriptedJudge

FORM = """
Mental status
Psychomotor activity normal, hygiene adequate, impulse control adequate, perception free of hallucinations.
Telehealth session via compliant video platform; location and identity verified; verbal consent obtained; CPT 90834.
Diagnosis: F41.1 generalized anxiety disorder; rule out F33.1 major depressive disorder, recurrent, moderate.
Treatment plan reviewed; medical necessity criteria continue to be met for outpatient psychotherapy.
Prognosis guarded given chronicity and limited psychosocial supports. After-hours line reviewed.
"""
GERMAN = "Er schläft seit Wochen schlecht und macht sich große Sorgen um seine Arbeit und die Tochter in der Schule. "


def _other() -> Case:
    return Case(documents.parse_transcript(SESSION), documents.parse_note(NOTE))


def _crossed() -> tuple[Case, Case]:
    one, other = sample_case(), _other()
    return Case(one.transcript, other.note), Case(other.transcript, one.note)


def _joined(transcripts: Sequence[Transcript]) -> Transcript:
    turns = [turn for transcript in transcripts for turn in transcript.turns]
    return Transcript(tuple(replace(turn, index=index) for index, turn in enumerate(turns)))


def _vouching(case: Case) -> ScriptedJudge:
    return ScriptedJudge(claims=[ClaimVerdict(sentence.id, Verdict.SUPPORTED) for sentence in case.note.sentences])


def _said(text: str, times: int = 1) -> Transcript:
    return make_transcript((("client", text * times),))


def test_the_session_of_another_client_is_told() -> None:
    for case in (sample_case(), _other()):
        assert with_warnings(case).note == case.note
    for case in _crossed():
        warned = with_warnings(case)
        assert warned.note.warnings == (ANOTHER_SESSION,)
        assert with_warnings(warned) == warned


def test_beside_the_session_of_another_client_no_statement_is_judged_until_somebody_says_that_it_is_right() -> None:
    for case in _crossed():
        judge = _vouching(case)
        evaluation = final(evaluate(case, judge)).evaluation
        claims = [judged.claim for judged in evaluation.sentences]
        assert {claim and claim.verdict for claim in claims} == {None}
        assert {claim.rationale for claim in claims if claim} == {WRONG_SESSION}
        scores = evaluation.scores.faithfulness
        assert (scores.done, scores.total, scores.note) == (0, 0, None)
        assert (evaluation.complete, scores.unjudged) == (False, len(claims))
        assert [line for line in evaluation.problems if line.endswith(WRONG_SESSION)]
        assert {row["verdict"] for row in evaluation_to_json(evaluation)["sentences"]} == {None}
        assert Verdict.SUPPORTED not in evaluation_to_csv(evaluation)
        kept = final(evaluate(replace(case, right_session=True), judge)).evaluation
        assert all(judged.claim and judged.claim.verdict for judged in kept.sentences)


def test_what_was_not_judged_of_a_wrong_session_is_not_remembered_for_the_right_one() -> None:
    memory, case = Memory(), _crossed()[0]
    final(evaluate(case, _vouching(case), memory=memory))
    kept = final(evaluate(replace(case, right_session=True), _vouching(case), memory=memory)).evaluation
    assert all(judged.claim and judged.claim.verdict for judged in kept.sentences)


def test_notes_of_visits_are_told_from_those_of_other_visits(dev_data: Path) -> None:
    cases = [case for case in visits(dev_data.parent) if held_out(case.label)]
    assert sum(map(may_be_another, cases)) <= 0.02 * len(cases)
    others = [Case(one.transcript, other.note) for one, other in pairwise(cases)]
    asked = [found for case in others if (found := matcher().times_chance(case)) is not None]
    assert sum(found < LIMIT for found in asked) >= 0.95 * len(asked)


def test_a_longer_wrong_session_holds_no_more_than_chance() -> None:
    composed = load_composed(paths.resources() / "composed" / "training.json")
    for case in (sample_case(), _other()):
        wrong = _joined([session.case.transcript for session in composed[:6]])
        assert len(wrong.turns) > 200
        assert may_be_another(Case(wrong, case.note))
        assert not may_be_another(
            Case(_joined([*[s.case.transcript for s in composed[:3]], case.transcript]), case.note)
        )


def test_a_note_that_is_half_wrong_is_not_taken_for_that_of_another_session() -> None:
    composed = load_composed(paths.resources() / "composed" / "training.json")
    assert [session.name for session in composed if may_be_another(session.case)] == []
    others = [may_be_another(Case(one.case.transcript, other.case.note)) for one, other in pairwise(composed)]
    assert sum(others) >= 0.85 * len(others)


@pytest.mark.parametrize(
    "written",
    [
        str.lower,
        str.upper,
        lambda text: text.replace("'", "\u2019"),
        lambda text: unicodedata.normalize("NFD", text.replace("Daniel", "Dániel").replace("Harold", "Hårold")),
        lambda text: text + FORM,
        lambda text: text.replace("Client", "Pt").replace("She ", "Pt ") + " 🙂",
    ],
)
def test_how_a_note_is_written_does_not_matter(written: Callable[[str], str]) -> None:
    for case in (sample_case(), _other()):
        assert not may_be_another(replace(case, note=documents.parse_note(written(case.note.text))))
    for case in _crossed():
        assert may_be_another(replace(case, note=documents.parse_note(written(case.note.text))))


@pytest.mark.parametrize(
    ("transcript", "note"),
    [
        (_said("I slept well. ", 100), make_note({})),
        (_said("I slept well. ", 100), make_note()),
        (_said("I slept well. "), None),
        (Transcript(()), None),
        (_said(GERMAN, 20), None),
        (_said("I slept well. ", 100), make_note({Section.PLAN: [GERMAN.strip()] * 12})),
        (_said("I slept well. ", 100), make_note({Section.PLAN: ["PHQ-9 16, GAD-7 11, BDI 20, C-SSRS 0."] * 12})),
    ],
)
def test_too_little_to_tell_gives_no_warning(transcript: Transcript, note: Note | None) -> None:
    case = Case(transcript, note or sample_case().note)
    assert matcher().times_chance(case) is None
    assert not may_be_another(case)
    assert with_warnings(make_case()) == make_case()


def test_a_word_that_everybody_says_is_worth_less_than_one_that_nobody_does() -> None:
    rates = matcher().spoken
    stem = matcher().lexicon.stem
    assert rates[stem("sleep")] > rates[stem("greenhouse")] > rates[""] > 0
    assert stem("guanfacine") not in rates
    own = matcher().own_words(_other().note)
    assert own.words[stem("greenhouse")] > own.words[stem("next")] > 0
    assert stem("tearful") not in own.words
    assert not any(word[0].isdigit() for word in own.words)


def test_how_often_words_are_said_in_counselling() -> None:
    lexicon = claim_lexicon()
    table = counting.count([_said("Worried about the greenhouse. "), *[_said("I worry, I worry. ")] * 9], lexicon)
    assert (table.holding, table.sessions) == ({lexicon.stem("worry"): 10}, 10)
    assert 0 < table.rate(lexicon.stem("worry")) < 1
    assert table.rate(lexicon.stem("greenhouse")) == 0.0
    shipped = spoken_rates.load()
    assert shipped.rate(lexicon.stem("drinking")) > 3 * shipped.words**-1
    assert min(shipped.holding.values()) >= 4


def test_real_notes_are_told_from_those_of_other_sessions(published_notes: tuple[LabelledNote, ...]) -> None:
    cases = [note.case for note in published_notes]
    assert sum(map(may_be_another, cases)) <= 2
    sessions = [case.transcript for case in cases[::3]]
    wrong = [Case(sessions[(at // 3 + 5) % len(sessions)], case.note) for at, case in enumerate(cases)]
    assert sum(map(may_be_another, wrong)) >= 0.85 * len(wrong)
    long = [
        Case(_joined([sessions[(at // 3 + 5 * k) % len(sessions)] for k in (1, 2, 3, 4)]), c.note)
        for at, c in enumerate(cases)
    ]
    assert sum(map(may_be_another, long)) >= 0.8 * len(long)
    assert LIMIT > 1
