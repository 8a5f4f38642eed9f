"""The three scores, from verdicts. Definitions: Shah et al., TN-Eval (ACL 2025), section 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean
from typing import TypeVar

from noteeval_desktop.domain.evaluation import DimensionScore, FaithfulnessScore, JudgedSentence, Scores
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, Severity, Verdict

T = TypeVar("T")
_ERRORS = (Verdict.UNSUPPORTED, Verdict.CONTRADICTED)
# Probabilities between these are in doubt; what lies above or below decides people, however far above or below.
_AS_GOOD_AS_NOT, _AS_GOOD_AS_SO = 0.25, 0.5
_OF_AN_ERROR = 0.75


def score(checklist: Sequence[ItemVerdict], sentences: Sequence[JudgedSentence]) -> Scores:
    """Scores over what was judged; what was not judged is left out, never counted as an error."""
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


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _completeness(checklist: Sequence[ItemVerdict]) -> DimensionScore:
    items = [item for item in checklist if item.section is not None and item.present is not None]
    return DimensionScore(
        done=sum(item.present is True for item in items),
        total=len(items),
        sections=_by_section(items, lambda item: (item.section,), lambda item: item.present is True),
        expected=_mean(item.probability for item in items),
    )


def _conciseness(sentences: Sequence[JudgedSentence]) -> DimensionScore:
    given = [(s.sentence, s.need) for s in sentences if s.need is not None and not s.need.set_aside]
    judged = [(sentence, need) for sentence, need in given if need.needed is not None]
    return DimensionScore(
        done=sum(need.needed is True for _, need in judged),
        total=len(judged),
        sections=_by_section(judged, lambda pair: pair[0].sections, lambda pair: pair[1].needed is True),
        expected=_mean(need.probability for _, need in judged),
    )


def _faithfulness(sentences: Sequence[JudgedSentence]) -> FaithfulnessScore:
    judged = [(s.sentence, s.claim) for s in sentences if s.claim is not None and s.claim.verdict is not None]
    counts = Counter(claim.verdict for _, claim in judged)
    checkable = [pair for pair in judged if pair[1].verdict is not Verdict.OBSERVED]
    errors = [claim for _, claim in checkable if claim.verdict is not Verdict.SUPPORTED]
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
    )


def expected_faithfulness(claims: Iterable[ClaimVerdict]) -> float | None:
    """The share of a note's claims that therapists are expected to call faithful (0..1); None without a probability.

    A claim counts in full from a probability of 0.5 on, not at all up to 0.25, in between in proportion, and 0.75 times
    as much where it is called an error, so that a note that gets worse loses. The plain mean also hears how probable
    a claim is where nobody doubts it.
    """
    return _mean(_expected(claim) for claim in claims)


def _expected(claim: ClaimVerdict) -> float | None:
    if claim.probability is None:
        return None
    share = (claim.probability - _AS_GOOD_AS_NOT) / (_AS_GOOD_AS_SO - _AS_GOOD_AS_NOT)
    return min(1.0, max(0.0, share)) * (_OF_AN_ERROR if claim.verdict in _ERRORS else 1.0)
