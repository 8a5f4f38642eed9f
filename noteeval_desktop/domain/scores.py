"""The three scores, from verdicts. Definitions: Shah et al., TN-Eval (ACL 2025), section 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean
from typing import TypeVar

from noteeval_desktop.domain.evaluation import DimensionScore, FaithfulnessScore, JudgedSentence, Scores
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.rubric import is_scored
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, ItemVerdict, NeedVerdict, Severity, Verdict

T = TypeVar("T")
# Probabilities between these are in doubt; what lies above or below decides people, however far above or below.
_AS_GOOD_AS_NOT, _AS_GOOD_AS_SO = 0.25, 0.5
_OF_AN_ERROR = 0.75


def score(checklist: Sequence[ItemVerdict], sentences: Sequence[JudgedSentence]) -> Scores:
    """An item or a sentence that was not judged counts as not covered or not needed; a claim, in no share.

    Where nothing at all was judged there is no score. ``unjudged`` says how many there were.
    """
    return Scores(
        completeness=_completeness(checklist),
        conciseness=_conciseness(sentences),
        faithfulness=_faithfulness(sentences),
    )


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _by_section(
    values: Iterable[T], sections_of: Callable[[T], Iterable[Section | None]], good: Callable[[T], bool]
) -> tuple[tuple[Section, float | None], ...]:
    pairs = [(section, good(value)) for value in values for section in sections_of(value)]
    return tuple((section, _share([flag for own, flag in pairs if own is section])) for section in SOAP)


def _completeness(checklist: Sequence[ItemVerdict]) -> DimensionScore:
    items = [item for item in checklist if is_scored(item.item)]
    return _of_all([((item.section,), item.present, item.probability) for item in items])


def _conciseness(sentences: Sequence[JudgedSentence]) -> DimensionScore:
    needs = [(s.sentence.sections, s.need or NeedVerdict(s.sentence.id, None)) for s in sentences]
    return _of_all([(own, need.needed, need.probability) for own, need in needs])


def _of_all(answers: Sequence[tuple[Sequence[Section | None], bool | None, float | None]]) -> DimensionScore:
    """Over every answer, judged or not: where one could shrink the whole by being unreadable, less would score more."""
    unjudged = sum(value is None for _, value, _ in answers)
    counted = answers if unjudged < len(answers) else ()
    known = any(probability is not None for _, _, probability in counted)
    return DimensionScore(
        done=sum(value is True for _, value, _ in counted),
        total=len(counted),
        sections=_by_section(counted, lambda answer: answer[0], lambda answer: answer[1] is True),
        expected=mean(float(value is True) if p is None else p for _, value, p in counted) if known else None,
        unjudged=unjudged,
    )


def _faithfulness(sentences: Sequence[JudgedSentence]) -> FaithfulnessScore:
    claims = [(s.sentence, s.claim) for s in sentences if s.claim is not None and not s.claim.set_aside]
    judged = [pair for pair in claims if pair[1].verdict is not None]
    counts = Counter(claim.verdict for _, claim in judged)
    checkable = [pair for pair in judged if pair[1].verdict is not Verdict.OBSERVED]
    errors = [claim for _, claim in judged if claim.verdict in ERRORS]
    return FaithfulnessScore(
        done=counts[Verdict.SUPPORTED],
        total=len(checkable),
        sections=_by_section(
            checkable, lambda pair: pair[0].sections, lambda pair: pair[1].verdict is Verdict.SUPPORTED
        ),
        expected=expected_faithfulness([claim for _, claim in judged]),
        unsupported=counts[Verdict.UNSUPPORTED],
        contradicted=counts[Verdict.CONTRADICTED],
        observed=counts[Verdict.OBSERVED],
        by_severity=tuple(
            (severity.value, sum(claim.severity is severity for claim in errors))
            for severity in (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
        ),
        published_definition=_share([claim.verdict is Verdict.SUPPORTED for _, claim in judged]),
        unjudged=len(claims) - len(judged),
        barely=sum(claim.barely for _, claim in judged),
    )


def expected_faithfulness(claims: Iterable[ClaimVerdict]) -> float | None:
    """The share of a note's claims that therapists are expected to call faithful (0..1); None without a probability.

    A claim counts in full from a probability of 0.5 on, not at all up to 0.25, in between in proportion, and 0.75 times
    as much where it is called an error, so that a note that gets worse loses. The plain mean also hears how probable
    a claim is where nobody doubts it.
    """
    values = (_expected(claim) for claim in claims)
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _expected(claim: ClaimVerdict) -> float | None:
    if claim.probability is None:
        return None
    share = (claim.probability - _AS_GOOD_AS_NOT) / (_AS_GOOD_AS_SO - _AS_GOOD_AS_NOT)
    return min(1.0, max(0.0, share)) * (_OF_AN_ERROR if claim.verdict in ERRORS else 1.0)
