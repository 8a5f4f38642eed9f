"""What the Responses tab lists: failures first, means second, how the therapist worked, the gap, then every turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.transcript import Citation, Transcript, Turn, cite
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.report.names import ATTRIBUTE_NAMES
from noteeval_desktop.ui import wording
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.widgets.plain import shortened

# Imported where they are needed: numpy takes longer to load than the window to show.
if TYPE_CHECKING:
    from noteeval_desktop.measures.responses import AttributeSummary

MOST_DRIVERS = 5


@dataclass(frozen=True, slots=True)
class ResponseRow(Row):
    """A row of one response; ``verdict`` is drawn as six small bars and told in full on its card."""

    verdict: ResponseVerdict | None = None


def response_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """Empty where no response was judged."""
    transcript = evaluation.case.transcript
    judged = [v for v in evaluation.responses or () if v.turn is not None and v.turn < len(transcript.turns)]
    if not judged:
        return ()
    from noteeval_desktop.measures.responses import summaries

    found = summaries(judged)
    return (
        *_failures(found, len(judged)),
        *_means(found, judged),
        *(behaviour_rows(evaluation.behaviours) if evaluation.behaviours else ()),
        *_drivers(judged, transcript),
        *_every(judged, transcript),
    )


def _failures(found: Sequence[AttributeSummary], responses: int) -> Iterator[Row]:
    yield Row("How often a score is 3 or less", aside=f"{responses} responses", heading=True)
    for summary in sorted(found, key=lambda s: -(s.failure_frequency or 0.0)):
        between = ""
        if summary.interval:
            low, high = (round(100 * limit) for limit in summary.interval)
            between = f"Between {low} and {high} % of such responses (95 % interval)"
        yield Row(
            ATTRIBUTE_NAMES[summary.attribute],
            aside=words.share_words(summary.failures, summary.judged),
            share=summary.failure_frequency,
            hint=between,
        )


def _means(found: Sequence[AttributeSummary], judged: Sequence[ResponseVerdict]) -> Iterator[Row]:
    yield Row("Means, of 5", heading=True)
    for name, values in ((words.CSS, [v.css for v in judged]), (words.ARS, [v.ars for v in judged])):
        known = [value for value in values if value is not None]
        yield Row(name, aside=f"{sum(known) / len(known):.1f}" if known else "not judged")
    names = ATTRIBUTE_NAMES
    said = [f"{names[s.attribute]} {s.mean:.1f}" for s in found if s.mean is not None]
    spread = [f"{names[s.attribute]} {s.spread:.1f}" for s in found if s.spread is not None]
    yield Row("Each attribute", " · ".join(said), hint=f"Spread (standard deviation): {' · '.join(spread)}")


def behaviour_rows(mi: MiCounts) -> tuple[Row, ...]:
    """Counts after motivational interviewing."""
    opened, closed = mi.count(Behaviour.OPEN_QUESTION), mi.count(Behaviour.CLOSED_QUESTION)
    simple, complex_ = mi.count(Behaviour.SIMPLE_REFLECTION), mi.count(Behaviour.COMPLEX_REFLECTION)
    ratio, talk = mi.reflections_to_questions, mi.talk_share
    return (
        Row("How the therapist worked", aside="motivational interviewing", heading=True),
        Row("Questions", aside=f"{opened} open · {closed} closed"),
        Row("Reflections", aside=f"{simple} simple · {complex_} complex"),
        Row("Reflections to each question", aside="no question" if ratio is None else f"{ratio:.1f}"),
        Row(
            "The therapist's share of the words",
            aside="nothing said" if talk is None else wording.percent(talk),
            share=talk,
        ),
    )


def _drivers(judged: Sequence[ResponseVerdict], transcript: Transcript) -> Iterator[Row]:
    flagged = [verdict for verdict in judged if "gap" in verdict.flags]
    flagged.sort(key=lambda verdict: -abs(verdict.gap or 0.0))
    if flagged:
        yield Row("The turns that drive the gap", aside=f"{len(flagged)} flagged", heading=True)
    for verdict in flagged[:MOST_DRIVERS]:
        turn = _turn(verdict, transcript)
        yield ResponseRow(
            f"{wording.turn_number(turn.index)}  {shortened(turn.text, 80)}",
            words.gap_words(verdict)[:1].upper() + words.gap_words(verdict)[1:],
            sign="▲" if (verdict.gap or 0.0) > 0 else "▼",
            tone="amber",
            citations=evidence_citations(verdict, turn),
            verdict=verdict,
        )


def _every(judged: Sequence[ResponseVerdict], transcript: Transcript) -> Iterator[Row]:
    """What deserves a look first stands first; then as the session went."""
    yield Row("Every response", aside="what deserves a look first", heading=True)
    for verdict in sorted(judged, key=lambda v: (not _urgent(v), v.turn or 0)):
        turn = _turn(verdict, transcript)
        flags = words.flag_words(verdict)
        yield ResponseRow(
            f"{wording.turn_number(turn.index)}  {shortened(turn.text, 120)}",
            "\n".join((words.summary(verdict), *flags)),
            sign="⚠" if _urgent(verdict) else "▾" if flags else "✓",
            tone="red" if _urgent(verdict) else "amber" if flags else "green",
            citations=evidence_citations(verdict, turn),
            hint=", ".join(f"{ATTRIBUTE_NAMES[a]} {words.score_words(s)}" for a, s in verdict.scores),
            verdict=verdict,
        )


def _turn(verdict: ResponseVerdict, transcript: Transcript) -> Turn:
    assert verdict.turn is not None
    return transcript.turns[verdict.turn]


def _urgent(verdict: ResponseVerdict) -> bool:
    return verdict.crisis or "critical:safety" in verdict.flags


def evidence_citations(verdict: ResponseVerdict, turn: Turn) -> tuple[Citation, ...]:
    """The words that the scores rest on, each once; all of the turn where there are none."""
    spans = dict.fromkeys(e.span for e in verdict.evidence if e.quote and e.span.of(turn.text) == e.quote)
    return tuple(cite(turn, span) for span in spans) or (cite(turn),)
