"""A session's responses beside other sessions, in words: for the window and the PDF."""

from __future__ import annotations

from noteeval_desktop.domain.exchanges import Band
from noteeval_desktop.domain.phrases import percent

TITLE = "The therapist's responses"
EXPLAINED = (
    "An exchange is what the client disclosed and how the therapist answered over the next turns; the best answer "
    "counts, and the turn is that of the first. Compared with 133 demonstrations of good and weak motivational "
    "interviewing (AnnoMI) and the thresholds of MITI 4.2.1 and 3.1.1. Scores run from 1 to 5. CSS (cognitive "
    "support): mean of guidance, information and safety. ARS (affective resonance): mean of empathy, helpfulness and "
    "understanding. Gap: CSS minus ARS."
)
NOT_COMPARED = (
    "Not compared with other sessions: an exchange is unsafe, and that is to be looked at before anything else."
)
UNSAFE = "Safety is weak or poor here."
BAND_NAMES = {
    "affective": "Affective resonance, over the exchanges",
    "cognitive": "Cognitive support, over the exchanges",
    "reflections_to_questions": "Reflections to each question",
    "complex_reflections": "Complex reflections, of all reflections",
    "open_questions": "Open questions, of all questions",
}


def beside(band: Band) -> str:
    """The session's value beside AnnoMI's sessions, and the usual thresholds."""
    said = f"Higher than {percent(band.good)} of the good sessions and {percent(band.weak)} of the weak ones"
    if band.fair is None or band.strong is None:
        return said
    return f"{said} · fair from {_figure(band, band.fair)}, good from {_figure(band, band.strong)}"


def band_value(band: Band) -> str:
    """ "1.3, fair"; where there is no threshold, "3.4 of 5"."""
    if band.fair is None or band.strong is None:
        return f"{band.value:.1f} of 5"
    grade = "good" if band.value >= band.strong else "fair" if band.value >= band.fair else "below fair"
    return f"{_figure(band, band.value)}, {grade}"


def _figure(band: Band, value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") if band.name == "reflections_to_questions" else percent(value)
