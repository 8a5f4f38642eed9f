"""What the Responses tab lists: moments worth watching again, the session beside others, then every exchange."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import ASKED, HELPED, Reading, ScoredExchange
from noteeval_desktop.domain.phrases import counted, percent, tr
from noteeval_desktop.domain.transcript import Citation, Transcript, cite
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.present.scores import BAND_NAMES, NOT_COMPARED, band_value, beside
from noteeval_desktop.present.vocabulary import NOT_CHECKED
from noteeval_desktop.ui.findings.rows import Row, group
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_list, turn_number

CSS, ARS = tr("Cognitive support"), tr("Affective resonance")
_NAMES = {1: tr("poor"), 2: tr("weak"), 3: tr("fair"), 4: tr("good"), 5: tr("very good")}


def score_words(score: int | None) -> str:
    """ "4 good"; a score that was not given says so."""
    return NOT_CHECKED if score is None else f"{score} {_NAMES[score]}"


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


TRIAGE = tr("Pointers for a qualified reviewer. They can be wrong, and they judge nobody.")
_THRESHOLDS = {
    "reflections_to_questions": tr(
        "Thresholds: MITI 4.2.1. In the sessions compared here, good and weak ones do not differ in this."
    ),
    "complex_reflections": tr("Thresholds: MITI 4.2.1. Simple and complex reflections are told apart only roughly."),
    "open_questions": tr("Thresholds: MITI 3.1.1."),
}


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
    moments = [_row(one.exchange, transcript, good=one.good, advised=not one.good) for one in reading.moments]
    return (
        *group(tr("Worth rereading"), moments, tr("good ones first")),
        *_bands(reading),
        *(_counts(evaluation.behaviours) if evaluation.behaviours else ()),
        *_every(reading, transcript),
    )


def _bands(reading: Reading) -> Iterator[Row]:
    unsafe = not reading.bands and any(exchange.unsafe for exchange in reading.exchanges)
    if reading.bands or unsafe:
        others, source = tr("133 demonstration sessions"), tr("Source: AnnoMI")
        yield Row(tr("Beside other sessions"), aside=others, heading=True, hint=source)
    if unsafe:
        yield Row(NOT_COMPARED, sign="⚠", tone="amber")
    for band in reading.bands:
        hint = _THRESHOLDS.get(band.name, "")
        yield Row(BAND_NAMES[band.name], beside(band), aside=band_value(band), share=band.good, hint=hint)


def _counts(mi: MiCounts) -> tuple[Row, ...]:
    opened, closed = mi.count(Behaviour.OPEN_QUESTION), mi.count(Behaviour.CLOSED_QUESTION)
    simple, complex_ = mi.count(Behaviour.SIMPLE_REFLECTION), mi.count(Behaviour.COMPLEX_REFLECTION)
    talk = mi.talk_share
    return (
        Row(tr("Motivational interviewing"), aside=tr("a rough count"), heading=True),
        Row(tr("Questions"), aside=tr("{opened} open · {closed} closed").format(opened=opened, closed=closed)),
        Row(tr("Reflections"), aside=tr("{simple} simple · {complex} complex").format(simple=simple, complex=complex_)),
        Row(tr("The therapist's share of the words"), aside=tr("nothing said") if talk is None else percent(talk)),
    )


def _every(reading: Reading, transcript: Transcript) -> tuple[Row, ...]:
    """What nobody answered stands first; then as the session went."""
    said = tr("{count}, {turns} left out") if reading.neutral else "{count}"
    turns = counted(reading.neutral, tr("neutral turn"))
    aside = said.format(count=len(reading.exchanges), turns=turns)
    in_order = sorted(reading.exchanges, key=lambda one: (not one.unanswered, one.disclosed))
    heading = Row(tr("Every exchange"), aside=aside, heading=True)
    return (heading, *(_row(exchange, transcript) for exchange in in_order))


def _row(exchange: ScoredExchange, transcript: Transcript, *, good: bool = False, advised: bool = False) -> Row:
    turn, mean = transcript.turns[exchange.disclosed[0]], exchange.mean
    sign, tone = ("★", "accent") if good else ("·", "text")
    if exchange.danger:
        sign, tone = ("⚠", "amber") if exchange.unanswered else ("✓", "green")
    return ResponseRow(
        f"{turn_number(turn.index)}  “{shortened(turn.text, 110)}”",
        _what_followed(exchange),
        sign=sign,
        tone=tone,
        aside=mean_words(mean),
        citations=citations(exchange, transcript),
        hint=summary(exchange.verdict),
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


_CREDITED = {
    ASKED: tr("the danger taken up"),
    HELPED: tr("help in the danger"),
    "takes the feeling seriously": tr("the feeling taken seriously"),
    "affirms": tr("an affirmation"),
    "leaves the choice with the client": tr("the choice left with the client"),
}
_DID = {
    Behaviour.OPEN_QUESTION: tr("an open question"),
    Behaviour.CLOSED_QUESTION: tr("a closed question"),
    Behaviour.SIMPLE_REFLECTION: tr("a simple reflection"),
    Behaviour.COMPLEX_REFLECTION: tr("a complex reflection"),
    Behaviour.INPUT: tr("information or advice"),
}


def _what_followed(exchange: ScoredExchange) -> str:
    """What the therapist did over the next turns, safety first; where a danger came up, whether it was met."""
    evidence = {one.comment for answer in exchange.answers for one in answer.evidence}
    did = [said for comment, said in _CREDITED.items() if comment in evidence and not exchange.unsafe]
    did = [*did, *(_DID[behaviour] for behaviour in exchange.did)][:4]
    turns = turn_list(exchange.turns)
    followed = f"{turns}: {', '.join(did)}" if did else turns
    followed = followed[:1].upper() + followed[1:]
    return f"{exchange.headline}\n{followed}" if exchange.danger else followed
