from __future__ import annotations

import pytest

from noteeval_desktop.domain.evaluation import JudgedSentence
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.scores import expected_faithfulness, score
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict, Severity, Verdict

PLAN, OBJECTIVE, ASSESSMENT = Section.PLAN, Section.OBJECTIVE, Section.ASSESSMENT


def item(section: Section | None, present: bool | None, probability: float | None = None) -> ItemVerdict:
    return ItemVerdict("any" if section else "general-any", section, Importance.MANDATORY, present, probability)


def judged(*sections: Section, need: NeedVerdict | None = None, claim: ClaimVerdict | None = None) -> JudgedSentence:
    return JudgedSentence(Sentence("s1", sections, Span(0, 3), "Any"), need, claim)


def test_completeness_is_over_all_section_items_whether_judged_or_not() -> None:
    checklist = [
        item(PLAN, True, 0.9),
        item(PLAN, False, 0.3),
        item(PLAN, None),
        item(OBJECTIVE, False),
        # General items are reported beside the score.
        item(None, True, 1.0),
    ]
    found = score(checklist, []).completeness
    assert (found.done, found.total, found.unjudged) == (1, 4, 1)
    assert found.note == pytest.approx(1 / 4)
    assert found.expected == pytest.approx(0.3)
    assert dict(found.sections) == {
        Section.SUBJECTIVE: None,
        OBJECTIVE: 0.0,
        ASSESSMENT: None,
        PLAN: pytest.approx(1 / 3),
    }


def test_what_a_practice_asks_of_the_whole_note_counts() -> None:
    whole = [ItemVerdict("note-place", None, Importance.MANDATORY, present) for present in (True, False)]
    found = score([*whole, item(PLAN, True), item(None, False)], []).completeness
    assert (found.done, found.total) == (2, 3)
    assert dict(found.sections)[PLAN] == 1.0


def test_conciseness_is_over_all_sentences_whether_judged_or_not() -> None:
    sentences = [
        judged(PLAN, need=NeedVerdict("s1", True, 0.8)),
        judged(ASSESSMENT, PLAN, need=NeedVerdict("s2", False, 0.1)),
        judged(PLAN, need=NeedVerdict("s3", False, 0.1, set_aside=True)),
        judged(PLAN, need=NeedVerdict("s4", None)),
        judged(PLAN),
    ]
    found = score([], sentences).conciseness
    assert (found.done, found.total, found.unjudged) == (1, 5, 2)
    assert found.expected == pytest.approx(0.2)
    # A sentence under "Assessment & Plan" counts for both, in the note once.
    assert dict(found.sections) == {Section.SUBJECTIVE: None, OBJECTIVE: None, ASSESSMENT: 0.0, PLAN: 0.2}


@pytest.mark.parametrize("unread", range(5))
def test_what_becomes_unreadable_never_raises_a_score(unread: int) -> None:
    """Every item or sentence of which the value is lost: the share can only fall."""
    values = [True, False, True, False, True, False]
    lost = [None if at == unread else value for at, value in enumerate(values)]

    def shares(given: list[bool | None]) -> tuple[float, float]:
        sentences = [judged(PLAN, need=NeedVerdict("s1", value)) for value in given]
        found = score([item(PLAN, value) for value in given], sentences)
        assert found.completeness.note is not None
        assert found.conciseness.note is not None
        return found.completeness.note, found.conciseness.note

    assert all(after <= before for after, before in zip(shares(lost), shares([*values]), strict=True))


def test_faithfulness_keeps_observed_claims_apart_and_reports_the_published_definition_beside() -> None:
    verdicts = [
        ClaimVerdict("s1", Verdict.SUPPORTED),
        ClaimVerdict("s2", Verdict.SUPPORTED),
        ClaimVerdict("s3", Verdict.CONTRADICTED, severity=Severity.HIGH),
        ClaimVerdict("s4", Verdict.UNSUPPORTED, severity=Severity.LOW),
        ClaimVerdict("s5", Verdict.OBSERVED, severity=Severity.LOW),
        ClaimVerdict("s6", None),
        ClaimVerdict("s7", None, set_aside=True),
    ]
    sections = [PLAN, PLAN, PLAN, ASSESSMENT, OBJECTIVE, OBJECTIVE, PLAN]
    found = score([], [judged(s, claim=claim) for s, claim in zip(sections, verdicts, strict=True)]).faithfulness
    assert (found.done, found.total, found.unjudged) == (2, 4, 1)
    assert found.published_definition == pytest.approx(2 / 5)
    assert (found.contradicted, found.unsupported, found.observed) == (1, 1, 1)
    # Only errors are counted by their severity, and an observed claim is none.
    assert dict(found.by_severity) == {"high": 1, "medium": 0, "low": 1}
    assert dict(found.sections)[PLAN] == pytest.approx(2 / 3)
    assert dict(found.sections)[OBJECTIVE] is None


def test_nothing_judged_is_no_score() -> None:
    found = score([], [judged(PLAN)])
    assert found.completeness.note is None
    assert (found.conciseness.note, found.conciseness.expected, found.conciseness.unjudged) == (None, None, 1)
    assert found.faithfulness.published_definition is None


def test_the_expected_share_takes_what_has_no_probability_at_its_word() -> None:
    assert score([item(PLAN, True, 0.9), item(PLAN, False, 0.3)], []).completeness.expected == pytest.approx(0.6)
    assert score([item(PLAN, True, 0.9), item(PLAN, True)], []).completeness.expected == pytest.approx(0.95)
    assert score([item(PLAN, True), item(PLAN, False)], []).completeness.expected is None


def claim(probability: float | None, verdict: Verdict = Verdict.SUPPORTED) -> ClaimVerdict:
    return ClaimVerdict("s1", verdict, probability=probability)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([], None),
        ([claim(None)], None),
        ([claim(0.5), claim(0.99)], 1.0),
        ([claim(0.25), claim(0.0)], 0.0),
        ([claim(0.375)], 0.5),
        ([claim(0.9, Verdict.CONTRADICTED)], 0.75),
        ([claim(0.9, Verdict.UNSUPPORTED), claim(0.9)], 0.875),
        ([claim(0.2, Verdict.OBSERVED), claim(0.9), claim(None)], 0.5),
    ],
)
def test_the_expected_share_hears_doubt_and_errors(claims: list[ClaimVerdict], expected: float | None) -> None:
    found = expected_faithfulness(claims)
    assert found is None if expected is None else found == pytest.approx(expected)


@pytest.mark.parametrize("probability", [0.35, 0.6, 0.95])
def test_a_claim_called_an_error_never_counts_for_more(probability: float) -> None:
    kept = expected_faithfulness([claim(probability), claim(0.5)])
    condemned = expected_faithfulness([claim(probability, Verdict.UNSUPPORTED), claim(0.5)])
    assert kept is not None
    assert condemned is not None
    assert condemned < kept
