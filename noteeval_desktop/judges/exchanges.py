"""Which turns of a client open an exchange, and which turns of the therapist answer it. Everything else is neutral."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.exchanges import Reading, ScoredExchange
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import ResponseVerdict
from noteeval_desktop.judges.builtin.responses.features import Heard, lowered, response_lexicon, sentences_of
from noteeval_desktop.judges.protocol import CountsBehaviours, Judge, exchanges_of
from noteeval_desktop.measures.responses import bands_of

# On AnnoMI, AUC of the sessions' mean by how many turns one exchange takes: 0.80 with one, 0.83 with two, 0.82 with
# three, 0.78 with four (intervals about 0.1 either way). Three is what a reflection, a question and a summary need.
TURNS_A_EXCHANGE = 3
# While the danger is still talked of: asking about it takes more than three turns before help is named.
TURNS_IN_DANGER = 8
_FEWEST_WORDS, _SOME_WORDS, _MANY_WORDS = 5, 8, 25


class Disclosures:
    """Tells a disclosure from talk: a feeling, a danger, what is wanted or stands in the way, or a long account."""

    def __init__(self) -> None:
        self._heard = Heard()

    def dangerous(self, text: str) -> bool:
        return self._heard.crisis_among(sentences_of([text]))

    def discloses(self, text: str) -> bool:
        lexicon, plain, words = response_lexicon(), lowered(text), len(text.split())
        if words >= _MANY_WORDS:
            return True
        if words >= _FEWEST_WORDS and any(pattern.search(plain) for pattern in lexicon.emotions.values()):
            return True
        return words >= _SOME_WORDS and len(lexicon.wants.findall(plain)) > 1


def scored_exchanges(
    transcript: Transcript, verdicts: Sequence[ResponseVerdict], counts: MiCounts | None = None
) -> tuple[ScoredExchange, ...]:
    """In the order of the session. A danger opens an exchange of its own, whatever is being talked of."""
    by_turn = {verdict.turn: verdict for verdict in verdicts if verdict.turn is not None}
    does, tells = dict(counts.turns) if counts else {}, Disclosures()
    groups: list[tuple[list[Turn], list[ResponseVerdict], bool]] = []
    for turn in transcript.turns:
        if turn.role is Role.CLIENT:
            danger = tells.dangerous(turn.text)
            told, answers, dangerous = groups[-1] if groups else ([], [], False)
            full = not groups or len(answers) >= (TURNS_IN_DANGER if danger and dangerous else TURNS_A_EXCHANGE)
            if (danger and answers and not dangerous) or (full and (danger or tells.discloses(turn.text))):
                groups.append(([turn], [], danger))
            elif groups and not answers:
                told.append(turn)
                groups[-1] = (told, answers, dangerous or danger)
        elif turn.index in by_turn and groups:
            verdict, answers = by_turn[turn.index], groups[-1][1]
            if len(answers) < (TURNS_IN_DANGER if verdict.crisis else TURNS_A_EXCHANGE):
                answers.append(verdict)
    return tuple(
        ScoredExchange(
            tuple(turn.index for turn in told),
            tuple(answers),
            danger or any(answer.crisis for answer in answers),
            tuple(dict.fromkeys(one for answer in answers for one in does.get(answer.turn or 0, ()))),
        )
        for told, answers, danger in groups
        if answers
    )


def reading_of(
    transcript: Transcript, verdicts: Sequence[ResponseVerdict], counts: MiCounts | None = None
) -> Reading | None:
    """None where no response was judged."""
    judged = [v for v in verdicts if v.turn is not None and v.turn < len(transcript.turns)]
    if not judged:
        return None
    exchanges = scored_exchanges(transcript, judged, counts)
    answered = sum(len(exchange.answers) for exchange in exchanges)
    return Reading(exchanges, bands_of(exchanges, counts), len(judged) - answered)


def answered(
    judge: Judge, transcript: Transcript, cancel: threading.Event
) -> Iterator[ResponseVerdict | MiCounts | Reading]:
    """What ``judge`` says of the responses, then what they sum up to. Raises JudgeError, Cancelled."""
    verdicts = []
    for verdict in judge.respond(exchanges_of(transcript), cancel):
        verdicts.append(verdict)
        yield verdict
    counts = judge.behaviours(transcript, cancel) if isinstance(judge, CountsBehaviours) else None
    if counts is not None:
        yield counts
    reading = reading_of(transcript, verdicts, counts)
    if reading is not None:
        yield reading


def with_reading(evaluation: Evaluation) -> Evaluation:
    """Of an evaluation that was kept, with what its responses sum up to."""
    if not evaluation.responses or evaluation.reading is not None:
        return evaluation
    read = reading_of(evaluation.case.transcript, evaluation.responses, evaluation.behaviours)
    return replace(evaluation, reading=read)
