"""The one order of findings, and what is shown before signing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.decisions import risk_subject, sentence_subject
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, JudgeIdentity
from noteeval_desktop.domain.findings import (
    MOST_BEFORE_SIGNING,
    MOST_OF_A_DANGER,
    FindingKind,
    ItemState,
    before_signing,
    item_state,
    open_findings,
    ranked_findings,
    served,
    serving,
)
from noteeval_desktop.domain.harm import Harm, harm_of_sentence, never_to_cut
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
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
    values = {"checklist": ()} | changes
    return Evaluation(case, JudgeIdentity("builtin", "", "1"), sentences=judged, scores=score((), judged), **values)


def wrong(probability=0.3, severity=Severity.MEDIUM, verdict=Verdict.UNSUPPORTED) -> ClaimVerdict:
    return ClaimVerdict("", verdict, probability, Confidence.LIKELY, severity)


def risk(turn=1, kind=RiskKind.SUICIDE, **changes) -> RiskFinding:
    turns = make_transcript().turns
    return RiskFinding((turn,), cite(turns[turn]), kind, Stance.CURRENT, **changes)


def item(name="subjective-history", importance=Importance.MANDATORY, **changes) -> ItemVerdict:
    return ItemVerdict(name, Section.SUBJECTIVE, importance, **({"present": False, "probability": 0.05} | changes))


def sentence(text: str, section=Section.SUBJECTIVE) -> Sentence:
    return Sentence("s1", (section,), Span(0, len(text)), text)


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


def test_at_most_ten_are_shown_before_signing_and_a_danger_takes_three_places_at_most() -> None:
    many = [f"He has {n} dogs." for n in range(20)]
    transcript = make_transcript(tuple(("client", f"I want to die {n}.") for n in range(6)))
    risks = tuple(RiskFinding((n,), cite(transcript.turns[n]), RiskKind.SUICIDE, Stance.CURRENT) for n in range(6))
    evaluation = evaluation_of(many, dict.fromkeys(range(20), wrong()), risks=risks)
    evaluation = replace(evaluation, case=replace(evaluation.case, transcript=transcript))
    chosen = before_signing(ranked_findings(evaluation))
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
    ("text", "harm"),
    [
        ("Client denies SI/HI.", Harm.RISK),
        ("Reports suicidal ideation 🙂 without plan.", Harm.RISK),
        ("Hi-fi is his hobby.", Harm.REST),
        ("Escitalopram raised to 20 mg.", Harm.TREATMENT),
        ("Meets criteria for generalized anxiety disorder.", Harm.TREATMENT),
        ("Will return in two weeks.", Harm.PLAN),
        ("Works as a baker.", Harm.REST),
    ],
)
def test_the_harm_is_read_from_the_words(text, harm) -> None:
    assert harm_of_sentence(sentence(text)) is harm


@pytest.mark.parametrize(
    "text",
    [
        "Denies suicidal thoughts.",
        "Sertraline raised to 100 mg.",
        "Provided psychoeducation on sleep.",
        "Therapist validated her anger.",
        "Continue weekly.",
        "Follow-up in two weeks.",
    ],
)
def test_nobody_is_advised_to_drop_risk_medication_intervention_plan_or_follow_up(text) -> None:
    assert never_to_cut(sentence(text))
    assert ranked_findings(evaluation_of([text], needs={0: NeedVerdict("", False, 0.1)})) == ()


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
