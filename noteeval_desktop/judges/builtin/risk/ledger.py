"""The risk ledger: lexicon and meaning together over every sentence of a session, questions paired with answers."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn, cite
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.risk.head import risk_head
from noteeval_desktop.judges.builtin.risk.lexicon import RiskLexicon, risk_lexicon
from noteeval_desktop.judges.builtin.risk.meaning import kinds_by_meaning
from noteeval_desktop.judges.builtin.risk.note import addressing_sentences
from noteeval_desktop.judges.builtin.risk.stance import is_question, opens_with_answer, stance_of, stance_of_answer
from noteeval_desktop.judges.builtin.text.in_context import sentence_spans

_WORST_FIRST = (Stance.CURRENT, Stance.PAST, Stance.OTHER_PERSON, Stance.ASKED, Stance.DENIED)
_SHORT_ANSWER_WORDS = 12
# "What you say stays between us, unless you are in danger or somebody is hurting you" is said to everybody.
_IN_CONFIDENCE = re.compile(
    r"\bconfiden\w+|\b(?:stays?|is|be|keep\w*|kept|remains?) (?:\w+ ){0,3}"
    r"(?:between (?:us|you and me)|private|in (?:this|the) room|in here)\b"
    r"|\b(?:have|required|obligated|obliged|need|got) to (?:\w+ )?"
    r"(?:report|break|tell (?:someone|somebody|your|the)|bring in|let (?:someone|somebody|your))|\bmandated report\w*"
)
_EXCEPTION = re.compile(r"\b(?:if|unless|except\w*|when|where|cases?|situations?|limits?|anytime|any time)\b")


@dataclass(frozen=True)
class _Said:
    """One sentence of a turn; ``folded`` is what the patterns see."""

    turn: Turn
    span: Span
    folded: str


@dataclass
class _Found:
    """One kind in one turn, while its sentences are gathered."""

    kind: RiskKind
    turn: Turn
    span: Span
    stance: Stance
    by_meaning: bool
    likely: bool = False
    folded: list[str] = field(default_factory=list)


def find_risks(
    transcript: Transcript, note: Note, embedder: Embedder | None, cancel: threading.Event | None = None
) -> tuple[RiskFinding, ...]:
    """``spoken_risks``, each with the sentences of the note that answer it. Raises Cancelled."""
    spoken = spoken_risks(transcript, embedder, cancel)
    return addressing_sentences(spoken, transcript, note, embedder, cancel)


def spoken_risks(
    transcript: Transcript, embedder: Embedder | None, cancel: threading.Event | None = None
) -> list[RiskFinding]:
    """Every passage that touches danger, in the session's order: at most one finding a turn and kind.

    The citation runs from the first to the last sentence that speaks of it. A therapist's question and the client's
    answer are one finding that cites the answer. Only the lexicon looks without an ``embedder``, and with one that the
    head was not trained for. Raises Cancelled.
    """
    lexicon = risk_lexicon()
    spellings: dict[str, str] = {}
    told = [(turn.text, sentence_spans(turn.text)) for turn in transcript.turns]
    said = [
        _Said(turn, span, lexicon.folded(span.of(turn.text), spellings))
        for turn, (_, spans) in zip(transcript.turns, told, strict=True)
        for span in spans
    ]
    if cancel is not None and cancel.is_set():
        raise Cancelled
    known = [_known(one.folded, lexicon) for one in said]
    meant: Sequence[tuple[RiskKind, bool] | None] = [None] * len(said)
    head = risk_head()
    if head is not None and embedder is not None:
        folded = [one.folded for one in said]
        open_ = [not words and not lexicon.benign.search(one) for one, words in zip(folded, known, strict=True)]
        meant = kinds_by_meaning(told, folded, open_, head, embedder, cancel)
    found = _merged(_spoken(said, known, meant))
    return _paired(transcript.turns, found, lexicon, spellings)


def ledger_by_words(case: Case, cancel: threading.Event) -> tuple[RiskFinding, ...]:
    """The risk ledger without an encoder."""
    return find_risks(case.transcript, case.note, None, cancel)


def _spoken(
    said: Sequence[_Said],
    known: Sequence[dict[RiskKind, re.Match[str]]],
    meant: Sequence[tuple[RiskKind, bool] | None],
) -> Iterator[_Found]:
    for one, words, meaning in zip(said, known, meant, strict=True):
        therapist = one.turn.role is Role.THERAPIST
        if therapist and _states_limits(one):
            continue
        for kind, match in words.items():
            stance = stance_of(one.folded, match, kind, therapist)
            yield _Found(kind, one.turn, one.span, stance, False, False, [one.folded])
        if meaning is not None:
            kind, likely = meaning
            stance = stance_of(one.folded, None, kind, therapist)
            yield _Found(kind, one.turn, one.span, stance, True, likely, [one.folded])


def _states_limits(one: _Said) -> bool:
    """Whether a therapist names the exceptions to confidentiality; a question is none of these."""
    spoken = one.turn.text.lower().replace("’", "'")
    return bool(
        _EXCEPTION.search(one.folded) and _IN_CONFIDENCE.search(spoken) and not is_question(one.folded, therapist=False)
    )


def _known(folded: str, lexicon: RiskLexicon) -> dict[RiskKind, re.Match[str]]:
    """The kinds in known words. "He hit her" is abuse, and no harm that the client means to do: the "hit her" in it
    is not counted again."""
    known = dict(lexicon.matches(folded))
    abuse, harm = known.get(RiskKind.ABUSE), known.get(RiskKind.HARM_TO_OTHERS)
    if abuse is not None and harm is not None and abuse.start() < harm.start() < abuse.end():
        del known[RiskKind.HARM_TO_OTHERS]
    return known


def _merged(spoken: Iterator[_Found]) -> list[_Found]:
    merged: dict[tuple[int, RiskKind], _Found] = {}
    for new in spoken:
        old = merged.setdefault((new.turn.index, new.kind), new)
        if old is not new:
            old.span = Span(old.span.start, new.span.end)
            old.stance = min(old.stance, new.stance, key=_WORST_FIRST.index)
            old.by_meaning = old.by_meaning and new.by_meaning
            old.likely = old.by_meaning and (old.likely or new.likely)
            old.folded += new.folded
    return list(merged.values())


def _paired(
    turns: Sequence[Turn], found: Sequence[_Found], lexicon: RiskLexicon, spellings: dict[str, str]
) -> list[RiskFinding]:
    """Findings, with a question about danger and its answer made one."""
    own = {(one.turn.index, one.kind) for one in found}
    answered: set[tuple[int, RiskKind]] = set()
    findings = []
    for one in found:
        if (one.turn.index, one.kind) in answered:
            continue
        finding = RiskFinding(
            (one.turn.index,), cite(one.turn, one.span), one.kind, one.stance, one.by_meaning, likely=one.likely
        )
        answer = _answer_to(one, turns)
        if answer is not None:
            question, words = one.folded[-1], lexicon.folded(answer.text, spellings)
            repeats = (answer.index, one.kind) in own
            if repeats or len(words.split()) <= _SHORT_ANSWER_WORDS or opens_with_answer(words):
                stance = stance_of_answer(question, words)
                if repeats:
                    answered.add((answer.index, one.kind))
                    own_words = next(f for f in found if (f.turn.index, f.kind) == (answer.index, one.kind))
                    stance = own_words.stance
                    by_meaning = one.by_meaning and own_words.by_meaning
                    likely = by_meaning and (one.likely or own_words.likely)
                    finding = replace(finding, by_meaning=by_meaning, likely=likely)
                finding = replace(finding, turns=(one.turn.index, answer.index), citation=cite(answer), stance=stance)
        findings.append(finding)
    return findings


def _answer_to(one: _Found, turns: Sequence[Turn]) -> Turn | None:
    """The client's next turn, behind a therapist's question about danger."""
    if one.turn.role is not Role.THERAPIST or not is_question(one.folded[-1], therapist=True):
        return None
    following = turns[one.turn.index + 1 : one.turn.index + 2]
    return next((turn for turn in following if turn.role is not Role.THERAPIST and turn.text.strip()), None)
