"""Scores of responses, put in words."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.verdicts import ResponseVerdict

CSS, ARS = tr("Cognitive support"), tr("Affective resonance")
_NAMES = {1: tr("poor"), 2: tr("weak"), 3: tr("fair"), 4: tr("good"), 5: tr("very good")}


def score_words(score: int | None) -> str:
    """ "4 good"; a score that was not given says so."""
    return tr("not judged") if score is None else f"{score} {_NAMES[score]}"


def mean_words(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def gap_words(verdict: ResponseVerdict) -> str:
    """ "gap +1.7, more fact than feeling" where it is flagged."""
    if verdict.gap is None:
        return tr("gap not known")
    said = tr("gap {gap:+.1f}").format(gap=verdict.gap)
    if "gap" not in verdict.flags:
        return said
    return f"{said}, {tr('more fact than feeling') if verdict.gap > 0 else tr('more feeling than fact')}"


def summary(verdict: ResponseVerdict) -> str:
    """ "Cognitive support 4.0 · affective resonance 2.3 · gap +1.7, more fact than feeling"."""
    return f"{CSS} {mean_words(verdict.css)} · {ARS.lower()} {mean_words(verdict.ars)} · {gap_words(verdict)}"
