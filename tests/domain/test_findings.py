"""The one order of findings, and what is shown before signing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from noteeval_desktop.domain.decisions import item_subject, risk_subject, sentence_subject
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, JudgeIdentity
from noteeval_desktop.domain.findings import (
    MOST_BEFORE_SIGNING,
    MOST_OF_A_DANGER,
    Finding,
    FindingKind,
    ItemState,
    before_signing,
    item_state,
    open_findings,
    ranked_findings,
    served,
    serving,
)
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Severity,
    Verdict,
)
from tests.factories import make_case, make_note, make_transcript


def evaluation_of(sentences=(), claims=None, needs=None, **changes) -> Evaluation:
    """``claims`` and ``needs`` by the number of the sentence, from 0."""
    note = make_note({Section.SUBJECTIVE: list(sentences)} if sentences else None)
    case = make_case(note=note)
    judged = tuple(
        JudgedSentence(
            sentence,
            replace((needs or {})[n], sentence=sentence.id) if n in (needs or {}) else None,
            replace((claims or {})[n], sentence=sentence.id) if n in (claims or {}) else None,
        )
        for n, sentence in enumerate(note.sentences)
    )
    values: dict[str, Any] = {"checklist": (), "judge": JudgeIdentity("builtin", "", "1")} | changes
    return Evaluation(case, sentences=judged, scores=score((), judged), **values)


def wrong(probability=0.3, severity=Severity.MEDIUM, verdict=Verdict.UNSUPPORTED) -> ClaimVerdict:
    return ClaimVerdict("", verdict, probability, Confidence.LIKELY, severity)


def risk(turn=1, kind=RiskKind.SUICIDE, **changes) -> RiskFinding:
    turns = make_transcript().turns
    return RiskFinding((turn,), cite(turns[turn]), kind, Stance.CURRENT, **changes)


def item(name="subjective-history", importance=Importance.MANDATORY, **changes) -> ItemVerdict:
    values: dict[str, Any] = {"section": Section.SUBJECTIVE, "present": False, "probability": 0.05} | changes
    return ItemVerdict(name, importance=importance, **values)


def left_out(kind: OmissionKind, severity: Severity, **changes: Any) -> Omission:
    return Omission(cite(make_transcript().turns[1]), kind, severity, **changes)


def test_findings_go_by_what_they_could_harm_then_by_confidence() -> None:
    said = ["He likes tea.", "Next session on Tuesday.", "Sertraline 100 mg daily.", "He has a dog.", "Denies SI."]
    claims = {0: wrong(0.4), 1: wrong(), 2: wrong(), 3: wrong(0.1), 4: wrong()}
    ranked = ranked_findings(evaluation_of(said, claims))
    assert [finding.sentence.text for finding in ranked] == [said[4], said[2], said[1], said[3], said[0]]


def test_a_wrong_and_a_left_out_risk_stand_first_as_one_group() -> None:
    evaluation = evaluation_of(
        ["Sertraline 100 mg daily.", "He is safe."],
        {0: wrong(0.01, Severity.HIGH), 1: wrong(0.4, Severity.LOW, Verdict.CONTRADICTED)},
        risks=(risk(),),
        wrong_on_risk=("s2",),
    )
    first, second, third = ranked_findings(evaluation)
    assert {first.key, second.key} == {risk_subject(risk()), sentence_subject("contradicted", "He is safe.")}
    assert (first.pressing, second.pressing, third.pressing) == (True, True, False)


def test_a_statement_in_doubt_on_a_danger_that_was_told_is_a_wrong_statement_on_risk() -> None:
    evaluation = evaluation_of(["He feels fine."], {0: wrong(0.4)}, risks=(risk(doubted=("s1",)),))
    assert {finding.kind for finding in ranked_findings(evaluation) if finding.pressing} == {
        FindingKind.OMISSION,
        FindingKind.UNSUPPORTED,
    }


def test_a_dose_or_a_night_in_doubt_beside_misuse_is_no_statement_on_risk() -> None:
    said = ["Takes trazodone 100 mg.", "Six bad nights.", "Takes more than prescribed.", "Rifle is locked."]
    told = (
        risk(kind=RiskKind.MEDICATION_MISUSE, doubted=("s1", "s2", "s3")),
        risk(3, kind=RiskKind.ACCESS_TO_MEANS, doubted=("s4",)),
    )
    found = ranked_findings(evaluation_of(said, dict.fromkeys(range(4), wrong()), risks=told))
    harms = {one.sentence.text: (one.harm, one.pressing) for one in found if one.sentence}
    assert harms == {
        said[0]: (Harm.TREATMENT, False),
        said[1]: (Harm.REST, False),
        said[2]: (Harm.RISK, True),
        said[3]: (Harm.RISK, True),
    }


def test_what_is_to_be_confirmed_is_not_at_once_said_to_be_of_no_use() -> None:
    observed, needless = wrong(verdict=Verdict.OBSERVED), NeedVerdict("", False, 0.1)
    found = ranked_findings(evaluation_of(["A&O x4."], {0: observed}, {0: needless}))
    assert [one.kind for one in found] == [FindingKind.OBSERVED]
    assert [one.kind for one in ranked_findings(evaluation_of(["A&O x4."], {}, {0: needless}))] == [
        FindingKind.UNNEEDED
    ]


@pytest.mark.parametrize(
    ("reason", "stands"),
    [(None, False), ("Dismissed: not relevant here.", True), ("Addressed in the note: “Safe.”", False)],
)
def test_safety_that_lacks_stands_first_once_the_risks_themselves_are_dismissed(reason, stands) -> None:
    safety = item(SAFETY_ITEM, section=None)
    evaluation = evaluation_of(checklist=(safety,), risks=(risk(),))
    reasons = {} if reason is None else {risk_subject(risk()): reason}
    found = ranked_findings(evaluation, reasons)
    assert any(one.key == item_subject(SAFETY_ITEM) for one in found) is stands
    first = before_signing(open_findings(found, evaluation, reasons))
    assert any(one.key == item_subject(SAFETY_ITEM) for one in first) is stands


def test_at_most_ten_are_shown_before_signing_and_a_danger_takes_three_places_at_most() -> None:
    many = [f"He has {n} dogs." for n in range(20)]
    transcript = make_transcript(tuple(("client", f"I want to die {n}.") for n in range(6)))
    risks = tuple(RiskFinding((n,), cite(transcript.turns[n]), RiskKind.SUICIDE, Stance.CURRENT) for n in range(6))
    evaluation = evaluation_of(many, dict.fromkeys(range(20), wrong()), risks=risks)
    evaluation = replace(evaluation, case=replace(evaluation.case, transcript=transcript))
    chosen = before_signing(ranked_findings(evaluation))
    assert (MOST_BEFORE_SIGNING, MOST_OF_A_DANGER) == (10, 3)
    assert len(chosen) == MOST_BEFORE_SIGNING
    assert [finding.harm for finding in chosen].count(Harm.RISK) == MOST_OF_A_DANGER
    assert all(finding.harm is Harm.RISK for finding in chosen[:MOST_OF_A_DANGER])


def test_mentions_of_one_danger_with_one_meaning_are_one_entry_until_each_is_closed() -> None:
    lead, other, asked = risk(1), risk(3), replace(risk(2), stance=Stance.ASKED)
    evaluation = evaluation_of(risks=(lead, asked, other))
    ranked = ranked_findings(evaluation)
    assert len(ranked) == 3  # the list of files has them all
    first, second = open_findings(ranked, evaluation, ())
    assert (first.keys, second.keys) == ((risk_subject(lead), risk_subject(other)), (risk_subject(asked),))
    assert (first.risks, replace(first, source=wrong()).risks) == ((lead, other), ())
    # What was decided singly, by an earlier version, closes no other mention.
    left = open_findings(ranked, evaluation, {risk_subject(lead)})
    assert {finding.keys for finding in left} == {(risk_subject(other),), (risk_subject(asked),)}


def test_advice_and_what_only_may_be_close_wait_behind_the_first_view() -> None:
    turns = make_transcript().turns
    evaluation = evaluation_of(
        ["The lift was broken.", "Calm and oriented x3."],
        {1: wrong(0.1, Severity.NONE, Verdict.OBSERVED)},
        {0: NeedVerdict("", False, 0.1)},
        checklist=(item("subjective-goals", Importance.RECOMMENDED, suggested_turns=(1,)),),
        omissions=(
            Omission(cite(turns[5]), OmissionKind.GOAL, Severity.LOW),
            Omission(cite(turns[1]), OmissionKind.RISK, Severity.MEDIUM),
        ),
        risks=(risk(3, by_meaning=True),),
    )
    ranked = ranked_findings(evaluation)
    assert len(ranked) == 6
    assert before_signing(ranked) == ()
    assert ranked[-1].kind is FindingKind.UNNEEDED


def test_a_passage_that_is_not_what_the_turn_says_is_no_risk() -> None:
    other = replace(risk(), citation=Citation(1, Span(0, 3), "xyz"))
    assert ranked_findings(evaluation_of(risks=(other,))) == ()


def test_what_was_decided_is_open_no_more_and_makes_room() -> None:
    evaluation = evaluation_of([f"He has {n} dogs." for n in range(12)], dict.fromkeys(range(12), wrong()))
    ranked = ranked_findings(evaluation)
    left = open_findings(ranked, evaluation, {ranked[0].key})
    assert ranked[0] not in left
    assert before_signing(left) == ranked[1:11]


@pytest.mark.parametrize(
    ("present", "confidence", "state"),
    [
        (True, Confidence.UNSURE, ItemState.COVERED),
        (False, Confidence.SURE, ItemState.MISSING),
        (False, None, ItemState.MISSING),
        (False, Confidence.LIKELY, ItemState.NOT_RECOGNISED),
        (False, Confidence.UNSURE, ItemState.NOT_RECOGNISED),
        (None, None, ItemState.NOT_CHECKED),
    ],
)
def test_missing_is_said_only_where_the_judge_is_sure(present, confidence, state) -> None:
    verdict = item(present=present, confidence=confidence)
    assert item_state(verdict, evaluation_of(checklist=(verdict,))) is state


def test_checklist_and_sentences_say_the_same_of_an_item_that_a_sentence_serves() -> None:
    verdict = item(confidence=Confidence.SURE)
    need = NeedVerdict("", True, 0.9, items=("subjective-history",))
    evaluation = evaluation_of(["He grew up in Ohio."], needs={0: need}, checklist=(verdict,))
    assert item_state(verdict, evaluation) is ItemState.NOT_RECOGNISED
    assert [one.text for one in serving("subjective-history", evaluation)] == ["He grew up in Ohio."]
    assert served(evaluation.sentences[0], evaluation) == ("subjective-history",)


def test_a_sentence_that_carries_a_covered_item_is_not_called_not_needed() -> None:
    verdict = item(present=True, probability=0.9, sentences=("s1",))
    evaluation = evaluation_of(["He grew up in Ohio."], needs={0: NeedVerdict("", False, 0.4)}, checklist=(verdict,))
    assert ranked_findings(evaluation) == ()
    assert served(evaluation.sentences[0], evaluation) == ("subjective-history",)


def test_the_safety_item_does_not_say_again_what_the_risks_say() -> None:
    safety = ItemVerdict("general-safety", None, Importance.MANDATORY, False)
    assert [f.source for f in ranked_findings(evaluation_of(checklist=(safety,), risks=(risk(),)))] == [risk()]
    assert [f.harm for f in ranked_findings(evaluation_of(checklist=(safety,)))] == [Harm.RISK]


def test_only_a_needed_sentence_and_a_covered_item_serve() -> None:
    covered, missing = item("a", present=True, sentences=("s1",)), item("b", sentences=("s2",))
    needs = {2: NeedVerdict("", False, 0.1, items=("a",)), 3: NeedVerdict("", True, 0.9, items=("b",))}
    evaluation = evaluation_of(
        ["He bakes.", "He sings.", "He reads.", "He runs."], needs=needs, checklist=(covered, missing)
    )
    assert [one.id for one in serving("a", evaluation)] == ["s1"]
    assert [one.id for one in serving("b", evaluation)] == ["s2", "s4"]
    assert [served(judged, evaluation) for judged in evaluation.sentences] == [("a",), (), (), ("b",)]


def test_what_is_passed_over_hides_nothing_that_comes_after_it() -> None:
    turns = make_transcript().turns
    safety = ItemVerdict("general-safety", None, Importance.MANDATORY, False)
    evaluation = evaluation_of(
        checklist=(item("a", present=True), safety, item("b")), risks=(risk(addressed_by=("s1",)), risk(3))
    )
    assert [finding.source for finding in ranked_findings(evaluation)] == [risk(3), item("b")]
    light, grave = (
        Omission(cite(turns[n]), OmissionKind.MEDICATION, s) for n, s in ((1, Severity.LOW), (5, Severity.HIGH))
    )
    one = Finding("", FindingKind.OMISSION, Harm.REST, Severity.LOW, 0.5, light)
    dangers = [replace(one, source=risk(n), weighty=True) for n in range(MOST_OF_A_DANGER + 1)]
    listed = [one, *dangers, replace(one, source=grave, weighty=True)]
    assert before_signing(listed) == (*listed[1:-2], listed[-1])


def test_what_rests_on_no_turn_comes_before_what_rests_on_the_first() -> None:
    somewhere, nowhere = item("a", suggested_turns=(0,)), item("b")
    ranked = ranked_findings(evaluation_of(checklist=(somewhere, nowhere)))
    assert [finding.source for finding in ranked] == [nowhere, somewhere]


@pytest.mark.parametrize(
    ("confidence", "certainty"),
    [(Confidence.SURE, 0.9), (Confidence.LIKELY, 0.75), (Confidence.UNSURE, 0.55), (None, 0.7)],
)
def test_a_confidence_stands_for_a_probability_where_there_is_none(confidence, certainty) -> None:
    (finding,) = ranked_findings(evaluation_of(checklist=(item(probability=None, confidence=confidence),)))
    assert finding.certainty == certainty


R, T, P, REST = Harm.RISK, Harm.TREATMENT, Harm.PLAN, Harm.REST
ADVISED = Importance.RECOMMENDED


@pytest.mark.parametrize(
    ("changes", "harm", "severity", "certainty", "pressing", "weighty"),
    [
        ({"claims": {0: wrong(0.3, Severity.HIGH)}}, REST, Severity.HIGH, 0.7, False, True),
        ({"claims": {0: wrong(0.3, Severity.LOW)}}, REST, Severity.LOW, 0.7, False, False),
        ({"claims": {0: wrong(None)}}, REST, Severity.MEDIUM, 0.75, False, True),
        ({"claims": {0: wrong(0.3, Severity.HIGH, Verdict.OBSERVED)}}, REST, Severity.LOW, 0.7, False, False),
        ({"claims": {0: wrong(0.3, Severity.LOW)}, "wrong_on_risk": ("s1",)}, R, Severity.LOW, 0.7, True, True),
        ({"needs": {0: NeedVerdict("", False, 0.1)}}, REST, Severity.NONE, 0.9, False, False),
        ({"needs": {0: NeedVerdict("", False, None, Confidence.UNSURE)}}, REST, Severity.NONE, 0.55, False, False),
        ({"checklist": (item(),)}, REST, Severity.MEDIUM, 0.95, False, True),
        ({"checklist": (item("plan-follow-up", section=Section.PLAN),)}, P, Severity.MEDIUM, 0.95, False, True),
        ({"checklist": (item(confidence=Confidence.LIKELY),)}, REST, Severity.LOW, 0.95, False, False),
        (
            {"checklist": (item("plan-follow-up", ADVISED, section=Section.PLAN, suggested_turns=(1,)),)},
            *(REST, Severity.LOW, 0.95, False, False),
        ),
        ({"omissions": (left_out(OmissionKind.MEDICATION, Severity.HIGH),)}, T, Severity.HIGH, 0.8, False, True),
        ({"omissions": (left_out(OmissionKind.GOAL, Severity.MEDIUM),)}, REST, Severity.MEDIUM, 0.6, False, True),
        ({"omissions": (left_out(OmissionKind.GOAL, Severity.LOW),)}, REST, Severity.LOW, 0.4, False, False),
        ({"omissions": (left_out(OmissionKind.GOAL, Severity.NONE),)}, REST, Severity.NONE, 0.3, False, False),
        # The built-in judge's guess of a danger is warned of only where it is grave; a model's always.
        ({"omissions": (left_out(OmissionKind.RISK, Severity.HIGH),)}, R, Severity.HIGH, 0.8, True, True),
        ({"omissions": (left_out(OmissionKind.RISK, Severity.MEDIUM),)}, R, Severity.MEDIUM, 0.6, False, False),
        (
            {"omissions": (left_out(OmissionKind.RISK, Severity.LOW),), "judge": JudgeIdentity("local", "m", "1")},
            *(R, Severity.LOW, 0.4, True, True),
        ),
        ({"risks": (risk(),)}, R, Severity.HIGH, 0.95, True, True),
        ({"risks": (risk(by_meaning=True),)}, R, Severity.MEDIUM, 0.3, False, False),
    ],
)
def test_what_each_finding_could_harm_how_sure_it_is_and_whether_it_is_warned_of(
    changes: dict[str, Any], harm: Harm, severity: Severity, certainty: float, pressing: bool, weighty: bool
) -> None:
    (finding,) = ranked_findings(evaluation_of(["He has a dog."], **changes))
    assert (finding.harm, finding.severity, finding.pressing, finding.weighty) == (harm, severity, pressing, weighty)
    assert finding.certainty == pytest.approx(certainty)


def test_a_finding_names_the_turns_that_it_rests_on_each_once() -> None:
    turns = make_transcript().turns
    claim = replace(wrong(), citations=(cite(turns[5]), cite(turns[1], Span(0, 1)), cite(turns[1])))
    evaluation = evaluation_of(
        ["He has a dog."],
        {0: claim},
        checklist=(item(suggested_turns=(2, 4)),),
        omissions=(left_out(OmissionKind.GOAL, Severity.LOW, also=(cite(turns[3]),)),),
        risks=(replace(risk(), turns=(0, 1)),),
    )
    found = {type(finding.source): finding.turns for finding in ranked_findings(evaluation)}
    assert found == {ClaimVerdict: (5, 1), ItemVerdict: (2, 4), Omission: (1, 3), RiskFinding: (0, 1)}


def test_of_the_same_weight_the_one_that_stands_first_comes_first() -> None:
    said = ["He has a cat.", "He has a dog.", "He has a bird."]
    ranked = ranked_findings(evaluation_of(said, dict.fromkeys(range(3), wrong())))
    assert [finding.sentence.text for finding in ranked if finding.sentence] == said


def test_a_sentence_that_is_said_twice_is_one_finding_where_it_stands_first() -> None:
    (found,) = ranked_findings(evaluation_of(["He has a dog."] * 2, dict.fromkeys(range(2), wrong())))
    assert found.sentence is not None
    assert found.sentence.id == "s1"


def test_a_risk_is_answered_once_the_clinician_stands_by_the_sentence_on_it() -> None:
    told = "He denies suicidal thoughts."
    evaluation = evaluation_of([told], {0: wrong()}, risks=(risk(doubted=("s1",)),))
    ranked = ranked_findings(evaluation)
    assert len(open_findings(ranked, evaluation, ())) == 2
    assert open_findings(ranked, evaluation, {sentence_subject("unsupported", told)}) == ()


def test_a_danger_that_stands_in_the_ledger_is_not_listed_as_left_out_as_well() -> None:
    turns = make_transcript().turns
    same, other = (Omission(cite(turns[n]), OmissionKind.RISK, Severity.HIGH) for n in (1, 5))
    goal = Omission(cite(turns[1]), OmissionKind.GOAL, Severity.HIGH)
    evaluation = evaluation_of(risks=(risk(1),), omissions=(same, other, goal))
    assert [f.source for f in ranked_findings(evaluation)] == [risk(1), other, goal]


def test_an_item_that_is_neither_mandatory_nor_to_be_found_in_the_session_is_not_missed() -> None:
    recommended = item("subjective-goals", Importance.RECOMMENDED)
    assert ranked_findings(evaluation_of(checklist=(recommended, item(present=None), item(present=True)))) == ()
