"""What a person must judge, what is accepted from the judge, and what stands once it is settled."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain import asked
from noteeval_desktop.domain.asked import asked_dangers, asked_items, asked_sentences, rest_on_risk, risk_added
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import ItemState, item_state, ranked_findings, serving
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.review import (
    ClaimMark,
    Dimension,
    ItemMark,
    NeedMark,
    Review,
    ReviewKind,
    Settlement,
)
from noteeval_desktop.domain.reviewed import accepted_marks, differences, settled_evaluation
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind, RiskState, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.verdicts import Confidence, Omission, OmissionKind, Severity, Verdict
from tests.sample_evaluation import sample_evaluation, sample_rubric

EVALUATION = sample_evaluation()
NOTE = EVALUATION.case.note
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
DONE = Review("r", ReviewKind.SUPERVISION, "Dr. Ž", NOTE.sha256, NOW, acceptance=4, submitted=NOW)
ITEMS = {v.item: v for v in EVALUATION.checklist}
MISSING = next(v.item for v in EVALUATION.checklist if v.present is False and v.section is not None)
WRONG = next(j.sentence.id for j in EVALUATION.sentences if j.claim and j.claim.verdict is Verdict.CONTRADICTED)


@pytest.mark.parametrize(
    ("sentence", "is_asked"),
    [
        ("Denies suicidal ideation.", True),
        ("Sertraline was raised to 100 mg.", True),
        ("Meets criteria for generalized anxiety disorder.", True),
        ("Access to means: deer rifle locked in the shed.", True),
        ("Reports the knife is in the kitchen.", True),
        ("Sister was raped at nineteen.", True),
        ("He arrived after circling the block.", False),
        ("His daughter asked about breakfast.", False),
    ],
)
def test_a_person_is_asked_about_risk_medication_and_diagnosis(sentence: str, is_asked: bool) -> None:
    note = parse_note(f"## Subjective\n{sentence}\n\n## Plan\nNext week.\n")
    assert [one.text for one in asked_sentences(note)] == [*([sentence] if is_asked else []), "Next week."]


def test_what_harm_finds_is_not_listed_once_more() -> None:
    note = parse_note("## Subjective\n" + "\n".join(re.findall("[A-Za-z]{4,}", asked._ALSO_ASKED.pattern)))
    assert len(note.sentences) > 40
    found = {one.text: harm_of_sentence(one) for one in note.sentences}
    assert [word for word, harm in found.items() if harm in (Harm.RISK, Harm.TREATMENT)] == []


def test_of_the_items_the_mandatory_ones_are_asked() -> None:
    found = [item.id for item in asked_items(sample_rubric())]
    assert (found[0], found[-1], len(found)) == ("subjective-chief-complaint", "plan-follow-up", 8)


def test_a_danger_is_asked_about_once_a_turn_and_a_guess_not_at_all() -> None:
    def risk(turn: int, *, guess: bool = False) -> RiskFinding:
        return RiskFinding((turn,), Citation(turn, Span(0, 1), "x"), RiskKind.SUICIDE, Stance.CURRENT, by_meaning=guess)

    assert [one.turns for one in asked_dangers((risk(9), risk(3), risk(3), risk(5, guess=True)))] == [(3,), (9,)]


def test_what_was_not_asked_may_stay_open() -> None:
    begun = replace(DONE, submitted=None)
    with pytest.raises(ValueError, match="still open"):
        begun.submit(NOTE, sample_rubric(), NOW)
    with pytest.raises(ValueError, match="still open"):
        begun.submit(NOTE, sample_rubric(), NOW, {MISSING})
    assert begun.marked(ItemMark(MISSING, False)).submit(NOTE, sample_rubric(), NOW, {MISSING}).submitted == NOW


def test_where_nothing_was_marked_the_judge_stands() -> None:
    assert settled_evaluation(EVALUATION, DONE) == EVALUATION


def test_settled_marks_stand_in_the_scores_and_the_verdicts() -> None:
    review = replace(DONE, items=(ItemMark(MISSING, True),), claims=(ClaimMark(WRONG, Verdict.SUPPORTED, (1,)),))
    shown = settled_evaluation(EVALUATION, review)
    before, after = EVALUATION.scores, shown.scores
    assert after.completeness.done == before.completeness.done + 1
    assert after.faithfulness.done == before.faithfulness.done + 1
    assert [c.turn for c in shown.judged(WRONG).claim.citations] == [1]
    taken = Settlement(Dimension.COMPLETENESS, MISSING, "missing")
    assert settled_evaluation(EVALUATION, replace(review, settled=(taken,))).scores.completeness == before.completeness


def test_what_a_person_calls_supported_is_to_be_checked_no_more() -> None:
    passed = next(j for j in EVALUATION.sentences if j.claim and j.claim.verdict is Verdict.SUPPORTED)
    narrow = replace(passed, claim=replace(passed.claim, confidence=Confidence.UNSURE, unvouched=True))
    sentences = tuple(narrow if one is passed else one for one in EVALUATION.sentences)
    narrowly = replace(EVALUATION, sentences=sentences)
    looked = replace(DONE, claims=(ClaimMark(passed.sentence.id, Verdict.SUPPORTED),))
    left, settled = (settled_evaluation(narrowly, review) for review in (DONE, looked))
    claims = [shown.judged(passed.sentence.id).claim for shown in (left, settled)]
    assert [(claim.barely, claim.unvouched) for claim in claims] == [(True, True), (False, False)]
    assert settled.scores.faithfulness.barely == 0


def test_a_sentence_that_a_person_needs_is_needed() -> None:
    one = next(j.sentence.id for j in EVALUATION.sentences if j.need and j.need.needed is False)
    shown = settled_evaluation(EVALUATION, replace(DONE, needs=(NeedMark(one, ("subjective-symptoms",)),)))
    assert shown.judged(one).need.needed


def test_a_passage_in_which_a_person_sees_no_danger_is_none() -> None:
    risk = EVALUATION.risks[0]
    turn = risk.turns[-1]
    gone = settled_evaluation(EVALUATION, replace(DONE, items=(ItemMark(f"no-risk:{turn}", True),)))
    assert risk not in gone.risks
    missing = settled_evaluation(EVALUATION, replace(DONE, items=(ItemMark(f"risk:{turn}", False),)))
    assert missing.risks[0].addressed_by == ()


def settled_risks(
    *risks: RiskFinding, items: tuple[ItemMark, ...] = (), claims: tuple[ClaimMark, ...] = ()
) -> Evaluation:
    unsafe = tuple(replace(v, present=False) if v.item == SAFETY_ITEM else v for v in EVALUATION.checklist)
    left_out = Omission(Citation(4, Span(0, 1), "x"), OmissionKind.RISK, Severity.HIGH)
    judged = replace(EVALUATION, checklist=unsafe, risks=risks, omissions=(left_out,))
    return settled_evaluation(judged, replace(DONE, items=items, claims=claims))


def danger(*turns: int, kind: RiskKind = RiskKind.SUICIDE, doubted: tuple[str, ...] = ()) -> RiskFinding:
    said = EVALUATION.case.transcript.turns[turns[-1]]
    return RiskFinding(turns, cite(said), kind, Stance.CURRENT, doubted=doubted)


def pressing(shown: Evaluation) -> list[str]:
    return [finding.key for finding in ranked_findings(shown) if finding.pressing and not finding.sentence]


def test_a_danger_that_the_supervisor_found_addressed_is_open_nowhere() -> None:
    assert pressing(settled_risks(danger(4)))
    shown = settled_risks(danger(4), items=(ItemMark("risk:4", True),))
    assert [risk.addressed for risk in shown.risks or ()] == [True]
    assert pressing(shown) == []
    assert next(v.present for v in shown.checklist if v.item == SAFETY_ITEM) is True


def test_a_danger_that_the_supervisor_found_left_out_is_meant_by_no_sentence() -> None:
    near = replace(danger(4), near=(EVALUATION.sentences[0].sentence.id,))
    asked_of, left_out = settled_risks(near), settled_risks(near, items=(ItemMark("risk:4", False),))
    assert [risk.state for risk in (*(asked_of.risks or ()), *(left_out.risks or ()))] == [
        RiskState.NEAR,
        RiskState.OPEN,
    ]


def test_what_was_left_out_goes_with_the_danger_that_was_none() -> None:
    shown = settled_risks(danger(3, 4), items=(ItemMark("no-risk:4", True),))
    assert (shown.risks, shown.omissions, pressing(shown)) == ((), (), [])
    # What else the note says on safety the judge no longer knows.
    assert next(v.present for v in shown.checklist if v.item == SAFETY_ITEM) is None


def test_a_sentence_on_risk_counts_as_the_supervisor_settled_it() -> None:
    doubted = danger(4, doubted=(WRONG,))
    assert pressing(settled_risks(doubted))
    assert pressing(settled_risks(doubted, claims=(ClaimMark(WRONG, Verdict.SUPPORTED),))) == []
    right = next(j.sentence.id for j in EVALUATION.sentences if j.claim and j.claim.verdict is Verdict.SUPPORTED)
    answered = replace(danger(4), addressed_by=(right,))
    assert pressing(settled_risks(answered)) == []
    assert pressing(settled_risks(answered, claims=(ClaimMark(right, Verdict.CONTRADICTED),)))


def test_each_passage_of_a_stretch_of_talk_is_asked_about() -> None:
    """Its mark goes by the turn that is quoted: one that is not asked about stayed open for good."""
    own, other = (
        danger(3, 4),
        replace(danger(3, 4, kind=RiskKind.OVERDOSE), citation=cite(EVALUATION.case.transcript.turns[3])),
    )
    assert [risk.citation.turn for risk in asked_dangers((own, other))] == [3, 4]


def test_unsure_is_no_missing() -> None:
    unsure = tuple(replace(v, confidence=Confidence.UNSURE) if v.item == MISSING else v for v in EVALUATION.checklist)
    evaluation = replace(EVALUATION, checklist=unsure)
    review = replace(DONE, items=(ItemMark(MISSING, True),))
    assert differences(review, EVALUATION)
    assert not differences(review, evaluation)
    assert MISSING not in {mark.item for mark in accepted_marks(DONE, evaluation).items}


def test_only_what_was_left_is_accepted() -> None:
    left = accepted_marks(replace(DONE, items=(ItemMark(MISSING, True),)), EVALUATION)
    judged = {v.item for v in EVALUATION.checklist if v.section is not None and v.present is not None}
    assert {mark.item for mark in left.items} <= judged - {MISSING}
    assert WRONG in {mark.sentence for mark in left.claims}


def test_what_nobody_was_asked_about_stays_wrong_on_risk() -> None:
    doubted = danger(4, kind=RiskKind.ABUSE, doubted=(WRONG,))
    for mark in ("risk:4", "no-risk:4"):
        shown = settled_risks(doubted, items=(ItemMark(mark, mark == "no-risk:4"),))
        assert WRONG in {f.sentence.id for f in ranked_findings(shown) if f.pressing and f.sentence}, mark
    asked = settled_risks(doubted, items=(ItemMark("risk:4", False),), claims=(ClaimMark(WRONG, Verdict.SUPPORTED),))
    told = {f.sentence.id for f in ranked_findings(asked) if f.pressing and f.sentence}
    assert WRONG not in told, "the supervisor vouched for it"


def test_what_a_danger_rests_on_is_asked() -> None:
    plain = parse_note("## Subjective\nHer husband pushed her.\nShe walks.\n")
    pushed = plain.sentences[0].id
    assert asked_sentences(plain) == ()
    assert [one.id for one in asked_sentences(plain, {pushed})] == [pushed]
    unvouched = tuple(
        replace(one, claim=replace(one.claim, unvouched=True)) if one.sentence.id == WRONG else one
        for one in EVALUATION.sentences
    )
    bare = replace(EVALUATION, risks=(), wrong_on_risk=())
    assert rest_on_risk(bare) == frozenset()
    assert rest_on_risk(replace(bare, sentences=unvouched)) == {WRONG}
    named = replace(danger(4, doubted=("s2",)), addressed_by=("s1",))
    assert rest_on_risk(replace(bare, risks=(named,))) == {"s1", "s2"}


def test_a_risk_that_a_supervisor_added_is_in_the_ledger_as_settled() -> None:
    added = risk_added(RiskKind.ABUSE, 4)
    shown = settled_risks(danger(2), items=added)
    assert [(risk.kind, risk.turns, risk.pressing) for risk in shown.risks or ()] == [
        (RiskKind.SUICIDE, (2,), True),
        (RiskKind.ABUSE, (4,), True),
    ]
    assert len(settled_risks(danger(4, kind=RiskKind.ABUSE), items=added).risks or ()) == 1
    none_meant = (added[0], ItemMark("no-risk:4", True))
    assert [risk.kind for risk in settled_risks(danger(2), items=none_meant).risks or ()] == [RiskKind.SUICIDE]


@pytest.mark.parametrize("confidence", [Confidence.UNSURE, Confidence.LIKELY, Confidence.SURE])
@pytest.mark.parametrize("judged", [True, False])
def test_what_a_person_calls_missing_is_missing_whatever_the_judge_doubted(confidence, judged) -> None:
    item = next(v.item for v in EVALUATION.checklist if v.present and v.sentences and v.section is not None)
    doubted = replace(
        EVALUATION,
        checklist=tuple(
            replace(v, present=judged, confidence=confidence) if v.item == item else v for v in EVALUATION.checklist
        ),
        sentences=tuple(replace(j, need=j.need and replace(j.need, items=(item,))) for j in EVALUATION.sentences),
    )
    shown = settled_evaluation(doubted, replace(DONE, items=(ItemMark(item, False),)))
    settled = next(v for v in shown.checklist if v.item == item)
    assert item_state(settled, shown) is ItemState.MISSING
    assert serving(item, shown) == ()
    assert [j.need and j.need.needed for j in shown.sentences] == [j.need and j.need.needed for j in doubted.sentences]
