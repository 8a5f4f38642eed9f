"""What the window says about responses, as pure functions. A score is put in words beside its number."""

from __future__ import annotations

from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.report.names import ATTRIBUTE_NAMES

TRIAGE = "This is a triage for qualified reviewers, not a verdict."
SCORE_WORDS = {1: "poor", 2: "weak", 3: "not enough", 4: "good", 5: "very good"}
CSS, ARS = "Cognitive support", "Affective resonance"
CSS_SHORT, ARS_SHORT = "CSS", "ARS"


def score_words(score: int | None) -> str:
    """ "4 good"; a score that was not given says so."""
    return "not judged" if score is None else f"{score} {SCORE_WORDS[score]}"


def mean_words(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def gap_words(verdict: ResponseVerdict) -> str:
    """ "gap +1.7, more fact than feeling" where it is flagged."""
    if verdict.gap is None:
        return "gap not known"
    said = f"gap {verdict.gap:+.1f}"
    if "gap" not in verdict.flags:
        return said
    return f"{said}, {'more fact than feeling' if verdict.gap > 0 else 'more feeling than fact'}"


def summary(verdict: ResponseVerdict) -> str:
    """ "CSS 4.0 · ARS 2.3 · gap +1.7, more fact than feeling"."""
    return f"{CSS_SHORT} {mean_words(verdict.css)} · {ARS_SHORT} {mean_words(verdict.ars)} · {gap_words(verdict)}"


def flag_words(verdict: ResponseVerdict) -> tuple[str, ...]:
    """The flags in plain words, the gravest first."""
    flags, said = verdict.flags, []
    if "crisis" in flags:
        said.append("Crisis: the client's words hold a possible danger")
    if "critical:safety" in flags:
        said.append("Safety is critical: 3 or less")
    low = [
        ATTRIBUTE_NAMES[attribute].lower()
        for attribute in Attribute
        if f"subthreshold:{attribute}" in flags and attribute is not Attribute.SAFETY
    ]
    if low:
        said.append(f"3 or less: {', '.join(low)}")
    if "gap" in flags and verdict.gap is not None:
        outweighs = "Facts outweigh attunement" if verdict.gap > 0 else "Attunement outweighs facts"
        said.append(f"{outweighs} (gap {verdict.gap:+.1f})")
    return tuple(said)


def share_words(count: int, total: int) -> str:
    """ "4 of 12 (33 %)"."""
    return f"{count} of {total} ({round(100 * count / total)} %)" if total else "not judged"
