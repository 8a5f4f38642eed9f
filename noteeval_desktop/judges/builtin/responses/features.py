"""What a response to a client does, sentence by sentence: the marks from which the six attributes are scored."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.behaviours import Behaviour
from noteeval_desktop.domain.exchanges import HARMS
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.learned import Linear, arrays
from noteeval_desktop.judges.builtin.responses.behaviours import behaviour_heads
from noteeval_desktop.judges.builtin.risk.hearing import present, said_before, spoken
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.stance import stance_of
from noteeval_desktop.judges.builtin.text.in_context import sentence_spans, vectors_of
from noteeval_desktop.judges.protocol import Exchange

# Does the answer to a danger take it up, point to help or do harm: logistic heads over vectors and cues.
# Trained by ``python -m models.training.crisis``.
Floats = NDArray[np.float64]
CUES = (
    "service", "crisis_resource", "next_step", "at_once", "stays", "names_harm", "asks_where", "asks_safety", "asks_on",
    "refuses_help", "harmful", "minimising", "judging",
)  # fmt: skip
NOTIONS = ("takes_up", "helps", "harms")
_MOST, _CUE = 2, 0.2


def unit(vector: NDArray[Any]) -> Floats:
    return np.asarray(vector, dtype=float) / max(float(np.linalg.norm(vector)), 1e-9)


def answer_row(vectors: NDArray[Any], marks: Sequence[Mapping[str, object]]) -> Floats:
    """(dim + cues,) of an answer's sentences."""
    counts = [min(sum(cue in own for own in marks), _MOST) for cue in CUES]
    return np.concatenate([unit(vectors.sum(axis=0)), _CUE * np.array(counts)])


@dataclass(frozen=True)
class Answered:
    """The sentence that tells most (its number) of each of the NOTIONS that the answer shows; ``harm``: which."""

    telling: Mapping[str, int]
    harm: str = ""


UNANSWERED = Answered({})


@dataclass(frozen=True)
class DangerHeads:
    """``answers``: log-odds of the NOTIONS, then of each of the HARMS.

    ``limits`` (2, 2): from which log-odds of what is heard on a danger is taken as said, in a session and in a message
    on its own; the second of each where the answer itself does harm.
    """

    answers: Linear
    limits: NDArray[np.float64]
    fingerprint: str

    def hears(self, odds: float, answered: Answered, *, alone: bool) -> bool:
        """Who takes it up and points to help has heard a danger too."""
        sure, possible = self.limits[int(alone)].tolist()
        shown = answered.telling.keys()
        return {"takes_up", "helps"} <= shown or odds >= (possible if "harms" in shown else sure)


@cache
def danger_heads() -> DangerHeads:
    """The heads that ship with the program. Raises ModelError."""
    data = arrays(paths.resources() / "heads" / "danger.npz")
    return DangerHeads(Linear(data["weights"], data["bias"]), data["limits"], str(data["fingerprint"]))


def read_answer(vectors: NDArray[Any], marks: Sequence[Mapping[str, object]], heads: DangerHeads) -> Answered:
    if not marks:
        return UNANSWERED
    rows = [answer_row(vectors, marks), *(answer_row(v[None], [m]) for v, m in zip(vectors, marks, strict=True))]
    odds = heads.answers.values(np.array(rows))
    telling = {name: int(odds[1:, n].argmax()) for n, name in enumerate(NOTIONS) if odds[0, n] > 0}
    return Answered(telling, HARMS[int(odds[0, len(NOTIONS) :].argmax())])


_MARKS = (
    "validation", "reflection", "affirmation", "autonomy", "open_question", "advice", "referral", "education",
    "specifics", "pressure", "refusal", *CUES,
)  # fmt: skip
_ONLY_IN_QUESTIONS = frozenset({"open_question", "asks_safety", "asks_on"})
# "Why did you want to die?" asks about a danger: how it is put is no lapse beside that it is asked.
_NO_FAULT_OF_ASKING = frozenset({"minimising", "judging", "pressure"})
# "No need to ring the crisis line" names none of the help that it names.
_REFUSABLE = frozenset({"service", "crisis_resource", "referral", *CUES[2:7]})
_ADDRESSES_CLIENT = re.compile(r"\b(?:you|your|you're|you've|yours|yourself)\b")
_NEGATED_HARM = re.compile(r"\b(?:don't|do not|never|not|avoid|please don't|without|rather than|no) (?:\w+ ){0,3}$")
_ASIDE = re.compile(r"\[[^\]]*\]|<[^>]*>")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_FEWEST_WORDS = 4
_NOTHING = np.zeros((0, DIMENSIONS), dtype=np.float32)
_NO_PAIN = frozenset({"joy", "doubt"})
_URGENT = frozenset(
    {RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.HARM_TO_OTHERS, RiskKind.OVERDOSE, RiskKind.ABUSE,
     RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK}
)  # fmt: skip


@dataclass(frozen=True)
class ResponseLexicon:
    marks: Mapping[str, re.Pattern[str]]
    emotions: Mapping[str, re.Pattern[str]]
    wants: re.Pattern[str]
    backchannel: frozenset[str]


@cache
def response_lexicon() -> ResponseLexicon:
    """The lexicon that ships with the program (``resources/lexicons/responses.json``)."""
    data = paths.lexicon("responses.json")
    return ResponseLexicon(
        marks={name: re.compile("|".join(f"(?:{p})" for p in data[name])) for name in _MARKS},
        emotions={name: re.compile(pattern) for name, pattern in data["emotions"].items()},
        wants=re.compile(data["wants"]),
        backchannel=frozenset(data["backchannel"].split()),
    )


@dataclass(frozen=True)
class MarkedSentence:
    """``closeness`` is the cosine to the closest of the client's sentences (-1..1), None without a client."""

    span: Span
    text: str
    marks: Mapping[str, Span]
    question: bool
    emotions: frozenset[str]
    to_client: bool
    closeness: float | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """Probabilities (0..1): the turn reflects at all, reflects what lies behind the words, asks openly, informs."""

    reflecting: float
    deepening: float
    opening: float
    informing: float


@dataclass(frozen=True)
class ResponseFeatures:
    """``concern`` is the sentence with most feeling of what the client said last, empty where no feeling was voiced;
    ``concern_met`` tells how close the response comes to it (cosine), ``voiced`` what was felt in what was said last.

    ``does``: what the turn does; ``answered`` how a danger was met; ``alone``: the response is all there is, no turn
    of a session.
    """

    sentences: tuple[MarkedSentence, ...]
    client_emotions: frozenset[str]
    clear: bool
    crisis: bool
    concern: str
    concern_met: float
    does: Doing
    voiced: frozenset[str]
    answered: Answered
    alone: bool

    def meets(self, notion: str) -> bool:
        """A danger was said, and the response does this: one of NOTIONS."""
        return self.crisis and notion in self.answered.telling

    def having(self, mark: str) -> tuple[MarkedSentence, ...]:
        return tuple(sentence for sentence in self.sentences if mark in sentence.marks)

    def count(self, mark: str) -> int:
        return len(self.having(mark))

    @property
    def directed(self) -> tuple[MarkedSentence, ...]:
        """Sentences that speak to this client: they reflect, validate or ask; advice and teaching do not count."""
        return tuple(
            s
            for s in self.sentences
            if ("reflection" in s.marks or "validation" in s.marks or (s.question and s.to_client))
            and not {"advice", "judging", "minimising"} & s.marks.keys()
        )


def is_backchannel(response: str) -> bool:
    """Too little to judge: "Mm-hmm.", "Okay, right.", or a few words that only keep the talk going."""
    plain = _ASIDE.sub(" ", response.lower().replace("’", "'"))
    words = _WORD.findall(plain)
    content = [word for word in words if word not in response_lexicon().backchannel]
    return len(content) < 2 or (len(content) < _FEWEST_WORDS and "?" not in plain and len(words) <= 6)


def features_of(
    exchanges: Sequence[Exchange], embedder: Embedder, cancel: threading.Event | None = None
) -> list[ResponseFeatures]:
    """Features of each exchange; all texts are embedded in one call. Raises Cancelled."""
    groups = [marked(exchange.response) for exchange in exchanges]
    clients = [[turn.text for turn in one.context if turn.role is not Role.THERAPIST] for one in exchanges]
    responses = [exchange.response for exchange in exchanges]
    read = vectors_of([*responses, *(text for texts in clients for text in texts)], embedder, cancel)
    behaviours = _behaviours(responses, embedder, cancel)
    heads, heard = danger_heads(), Heard()
    odds = danger_said([one.context for one in exchanges], embedder, cancel)
    return [
        _features(exchange, group, turns, read, does, heard, heads, own)
        for exchange, group, turns, does, own in zip(exchanges, groups, clients, behaviours, odds, strict=True)
    ]


def _behaviours(responses: Sequence[str], embedder: Embedder, cancel: threading.Event | None) -> list[Doing]:
    table, order = behaviour_heads().probabilities(responses, embedder, cancel), list(Behaviour)
    simple, complex_, opening, informing = (
        table[:, order.index(b)].tolist()
        for b in (Behaviour.SIMPLE_REFLECTION, Behaviour.COMPLEX_REFLECTION, Behaviour.OPEN_QUESTION, Behaviour.INPUT)
    )
    return [
        Doing(1 - (1 - plain) * (1 - deep), deep, asks, informs)
        for plain, deep, asks, informs in zip(simple, complex_, opening, informing, strict=True)
    ]


def lowered(text: str) -> str:
    """As the lexicon's patterns have it."""
    return text.lower().replace("’", "'").replace("‘", "'")


def marked(response: str) -> list[MarkedSentence]:
    lexicon, found = response_lexicon(), []
    for span in sentence_spans(response):
        text = span.of(response)
        folded = lowered(text)
        question = "?" in text
        marks = {
            name: Span(span.start + match.start(), span.start + match.end())
            for name, pattern in lexicon.marks.items()
            if (question or name not in _ONLY_IN_QUESTIONS or folded.startswith(("tell me", "help me", "say more")))
            for match in [pattern.search(folded)]
            if match and not (name == "harmful" and _NEGATED_HARM.search(folded[: match.start()]))
        }
        if "asks_safety" in marks:
            marks = {name: where for name, where in marks.items() if name not in _NO_FAULT_OF_ASKING}
        if "refuses_help" in marks:
            marks = {name: where for name, where in marks.items() if name not in _REFUSABLE}
        if "refusal" in marks:
            marks = {"refusal": marks["refusal"]}
        emotions = frozenset(name for name, pattern in lexicon.emotions.items() if pattern.search(folded))
        to_client = bool(_ADDRESSES_CLIENT.search(folded))
        found.append(MarkedSentence(span, text, marks, question, emotions, to_client))
    return found


def said_last(turns: Sequence[Turn]) -> list[int]:
    """Places of what the client said since the therapist last spoke more than a back-channel."""
    said: list[int] = []
    for place, turn in reversed(list(enumerate(turns))):
        if turn.role is not Role.THERAPIST:
            said.append(place)
        elif said and not is_backchannel(turn.text):
            break
    return said


def danger_said(
    contexts: Sequence[Sequence[Turn]], embedder: Embedder, cancel: threading.Event | None = None
) -> list[float]:
    """Of each context the log-odds that the client said last of a danger that it is so now. Raises Cancelled."""
    own = [
        [(said_before(turns, p), spoken(turns[p].role, turns[p].text)) for p in said_last(turns)] for turns in contexts
    ]
    odds = iter(present([pair for pairs in own for pair in pairs], embedder, cancel).tolist())
    return [max((next(odds) for _ in pairs), default=-np.inf) for pairs in own]


class Heard:
    """What the client's own words hold: a present danger, and how much asks to be answered. Remembered by sentence,
    for a turn stands before several responses."""

    def __init__(self) -> None:
        self._spellings: dict[str, str] = {}
        self._crises: dict[str, bool] = {}
        self._weights: dict[str, float] = {}

    def crisis_among(self, sentences: Iterable[str]) -> bool:
        return any(self._crisis(sentence) for sentence in sentences)

    def weight(self, sentence: str) -> float:
        """Its feelings first, then its length."""
        if sentence not in self._weights:
            lexicon, folded = response_lexicon(), lowered(sentence)
            feelings = sum(bool(pattern.search(folded)) for name, pattern in lexicon.emotions.items() if name != "joy")
            self._weights[sentence] = 2.0 * feelings + 3.0 * self._crisis(sentence) + min(len(folded.split()), 25) / 10
        return self._weights[sentence]

    def _crisis(self, sentence: str) -> bool:
        if sentence not in self._crises:
            lexicon = risk_lexicon()
            folded = lexicon.folded(sentence, self._spellings)
            self._crises[sentence] = any(
                stance_of(folded, match, kind, therapist=False) is Stance.CURRENT
                for kind, match in lexicon.matches(folded, _URGENT)
            )
        return self._crises[sentence]


def sentences_of(turns: Sequence[str]) -> list[str]:
    return [span.of(text) for text in turns for span in sentence_spans(text)]


def _features(
    exchange: Exchange,
    sentences: Sequence[MarkedSentence],
    turns: Sequence[str],
    read: Mapping[str, NDArray[np.float32]],
    does: Doing,
    heard: Heard,
    heads: DangerHeads,
    odds: float,
) -> ResponseFeatures:
    own, theirs = read[exchange.response], np.concatenate([_NOTHING, *(read[text] for text in turns)])
    lexicon = response_lexicon()
    client = sentences_of(turns)
    words = lowered(" ".join(client))
    emotions = frozenset(name for name, pattern in lexicon.emotions.items() if pattern.search(words))
    cosines = own @ theirs.T
    closeness = cosines.max(axis=1).tolist() if cosines.size else [None] * len(sentences)
    placed = tuple(replace(s, closeness=c) for s, c in zip(sentences, closeness, strict=True))
    just = [exchange.context[place].text for place in said_last(exchange.context)]
    last = sentences_of(just)
    felt = [i for i, sentence in enumerate(client) if sentence in last and _feelings(sentence)]
    weightiest = max(felt, key=lambda i: heard.weight(client[i]), default=None)
    answered = read_answer(own, [s.marks for s in sentences], heads)
    crisis = heard.crisis_among(last) or (bool(just) and heads.hears(odds, answered, alone=exchange.turn is None))
    content = [word for word in _WORD.findall(words) if word not in lexicon.backchannel]
    return ResponseFeatures(
        sentences=placed,
        client_emotions=emotions,
        clear=len(content) >= _FEWEST_WORDS and bool(emotions or len(lexicon.wants.findall(words)) > 1),
        crisis=crisis,
        concern="" if weightiest is None else client[weightiest],
        concern_met=float(cosines[:, weightiest].max()) if weightiest is not None and cosines.size else 0.0,
        does=does,
        voiced=frozenset(name for sentence in last for name in _feelings(sentence)),
        answered=answered,
        alone=exchange.turn is None,
    )


def _feelings(sentence: str) -> frozenset[str]:
    """What hurts: "I don't know" is seldom a doubt that asks for comfort, and joy asks for none."""
    folded = lowered(sentence)
    found = (name for name, pattern in response_lexicon().emotions.items() if pattern.search(folded))
    return frozenset(found) - _NO_PAIN
