"""A session's responses beside other sessions, in words: for the window and the scorecard."""

from __future__ import annotations

from noteeval_desktop.domain.exchanges import Band
from noteeval_desktop.domain.phrases import percent, tr

NOT_COMPARED = tr(
    "Not compared with other sessions: an exchange is unsafe, and that is to be looked at before anything else."
)
BAND_NAMES = {
    "affective": tr("Affective resonance, over the exchanges"),
    "cognitive": tr("Cognitive support, over the exchanges"),
    "reflections_to_questions": tr("Reflections to each question"),
    "complex_reflections": tr("Complex reflections, of all reflections"),
    "open_questions": tr("Open questions, of all questions"),
}


def beside(band: Band) -> str:
    """The session's value beside AnnoMI's sessions, and the usual thresholds."""
    said = tr("Higher than {good} of the good sessions and {weak} of the weak ones")
    said = said.format(good=percent(band.good), weak=percent(band.weak))
    if band.fair is None or band.strong is None:
        return said
    usual = tr("fair from {fair}, good from {strong}")
    return f"{said} · {usual.format(fair=_figure(band, band.fair), strong=_figure(band, band.strong))}"


def band_value(band: Band) -> str:
    """ "1.3, fair"; where there is no threshold, "3.4 of 5"."""
    if band.fair is None or band.strong is None:
        return tr("{value:.1f} of 5").format(value=band.value)
    grade = tr("good") if band.value >= band.strong else tr("fair") if band.value >= band.fair else tr("below fair")
    return f"{_figure(band, band.value)}, {grade}"


def _figure(band: Band, value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") if band.name == "reflections_to_questions" else percent(value)
