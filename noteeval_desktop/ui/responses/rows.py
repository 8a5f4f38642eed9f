"""What the Responses tab lists: moments worth watching again, the session beside others, then every exchange."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Reading, ScoredExchange
from noteeval_desktop.domain.phrases import percent
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.report.bands import BAND_NAMES, NOT_COMPARED, band_value, beside
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.responses import words
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number


@dataclass(frozen=True, slots=True)
class ResponseRow(Row):
    """A row of one exchange, told in full on its card; ``advised``: with what could have gone further."""

    exchange: ScoredExchange | None = None
    advised: bool = False

    @property
    def verdict(self) -> ResponseVerdict | None:
        return self.exchange.verdict if self.exchange else None


def response_rows(evaluation: Evaluation) -> tuple[Row, ...]:
    """Empty where no response was judged."""
    reading = evaluation.reading
    if reading is None:
        return ()
    transcript = evaluation.case.transcript
    return (
        *_moments(reading, transcript),
        *_bands(reading),
        *(_counts(evaluation.behaviours) if evaluation.behaviours else ()),
        *_every(reading, transcript),
    )


def _moments(reading: Reading, transcript: Transcript) -> Iterator[Row]:
    if reading.moments:
        yield Row(words.MOMENTS, aside=words.GOOD_ONES_FIRST, heading=True)
    for moment in reading.moments:
        yield _row(moment.exchange, transcript, good=moment.good, advised=not moment.good)


def _bands(reading: Reading) -> Iterator[Row]:
    if reading.bands:
        yield Row(words.BESIDE, aside=words.OTHERS, heading=True, hint=words.SOURCE)
    elif any(exchange.unsafe for exchange in reading.exchanges):
        yield Row(words.BESIDE, aside=words.OTHERS, heading=True, hint=words.SOURCE)
        yield Row(NOT_COMPARED, sign="⚠", tone="amber")
    for band in reading.bands:
        yield Row(
            BAND_NAMES[band.name],
            beside(band),
            aside=band_value(band),
            share=band.good,
            hint=words.BAND_HINTS.get(band.name, ""),
        )


def _counts(mi: MiCounts) -> tuple[Row, ...]:
    opened, closed = mi.count(Behaviour.OPEN_QUESTION), mi.count(Behaviour.CLOSED_QUESTION)
    simple, complex_ = mi.count(Behaviour.SIMPLE_REFLECTION), mi.count(Behaviour.COMPLEX_REFLECTION)
    talk = mi.talk_share
    return (
        Row(words.COUNTED, aside=words.A_ROUGH_COUNT, heading=True),
        Row(words.QUESTIONS, aside=words.questions(opened, closed)),
        Row(words.REFLECTIONS, aside=words.reflections(simple, complex_)),
        Row(words.THE_THERAPISTS_SHARE, aside=words.NOTHING_SAID if talk is None else percent(talk)),
    )


def _every(reading: Reading, transcript: Transcript) -> Iterator[Row]:
    """What nobody answered stands first; then as the session went."""
    yield Row(words.EXCHANGES, aside=words.left_out(reading), heading=True)
    for exchange in sorted(reading.exchanges, key=lambda one: (not one.unanswered, one.disclosed)):
        yield _row(exchange, transcript)


def _row(exchange: ScoredExchange, transcript: Transcript, *, good: bool = False, advised: bool = False) -> Row:
    turn, mean = transcript.turns[exchange.disclosed[0]], exchange.mean
    sign, tone = ("★", "accent") if good else ("·", "text")
    if exchange.danger:
        sign, tone = ("⚠", "amber") if exchange.unanswered else ("✓", "green")
    return ResponseRow(
        f"{turn_number(turn.index)}  “{shortened(turn.text, 110)}”",
        words.what_followed(exchange),
        sign=sign,
        tone=tone,
        aside=words.mean_words(mean),
        citations=citations(exchange, transcript),
        hint=words.summary(exchange.verdict),
        exchange=exchange,
        advised=advised,
    )


def citations(exchange: ScoredExchange, transcript: Transcript) -> tuple[Citation, ...]:
    """The disclosure, and in each answer the words that its scores rest on, each once; all of it where there are
    none."""
    cited = [cite(transcript.turns[index]) for index in exchange.disclosed]
    for answer in exchange.answers:
        turn = transcript.turns[answer.turn or 0]
        spans = dict.fromkeys(e.span for e in answer.evidence if e.quote and e.span.of(turn.text) == e.quote)
        cited += [cite(turn, span) for span in spans] or [cite(turn)]
    return tuple(cited)
