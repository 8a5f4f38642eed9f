"""What a session holds and its note leaves out: dangers first, then the subjects that the note most surely lacks."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding, Stance
from noteeval_desktop.domain.transcript import Citation, Role, cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.learned import Forest, arrays
from noteeval_desktop.judges.builtin.omissions.features import (
    KINDS,
    Flags,
    Said,
    Talk,
    Units,
    joined,
    read_said,
    read_units,
)
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, patterns
from noteeval_desktop.judges.protocol import Ledger

Floats = NDArray[np.float32]
_WORDS = patterns("speech_cues.json")
MOST = 5
PASSAGES = 3
_SAME_TOPIC = 0.6
_RELATED = 0.35
_AS_SURELY = 2.0
_FEWEST_STEMS = 4


@dataclass(frozen=True)
class Topic:
    """``lead`` is the passage that says it: where a question is most surely missing, an answer that says something.
    ``others`` go with it, in the session's order; ``score`` is the log-odds of what is most surely missing."""

    lead: int
    others: tuple[int, ...]
    score: float

    @property
    def passages(self) -> tuple[int, ...]:
        return (self.lead, *self.others)


def topics(scores: Floats, talk: Talk, threshold: float, most: int = MOST) -> list[Topic]:
    """From the highest score down to ``threshold``, none close in meaning to a lead before it. ``scores`` is
    (passages,), minus infinity for what is not to be shown."""
    open_, used = np.where(_tells(talk), scores, -np.inf).astype(np.float64), set[int]()
    found: list[Topic] = []
    while len(found) < most and len(open_):
        lead = int(open_.argmax())
        if not np.isfinite(open_[lead]) or open_[lead] < threshold:
            break
        score, others = float(open_[lead]), _companions(lead, open_, talk, used)
        own = {lead, *others}
        if talk.questions[lead] and lead + 1 in own and _answers(talk, lead + 1):
            lead += 1
        found.append(Topic(lead, tuple(sorted(own - {lead})), score))
        used |= own
        open_[list(own)] = -np.inf
        open_[talk.alike(lead) >= _SAME_TOPIC] = -np.inf
    return found


def _companions(lead: int, scores: NDArray[np.float64], talk: Talk, used: Set[int]) -> tuple[int, ...]:
    """A question's answer or a short answer's question, then what is nearly as surely missing and related."""
    half = _other_half(lead, talk)
    picked = [] if half is None or half in used else [half]
    related = talk.related(lead)
    for other in np.argsort(-(scores + related), kind="stable").tolist():
        if len(picked) == PASSAGES - 1:
            break
        if not _enough(talk, other):
            continue
        if other not in (lead, *picked) and related[other] >= _RELATED and scores[other] >= scores[lead] - _AS_SURELY:
            picked.append(other)
    return tuple(sorted(picked))


def _tells(talk: Talk) -> NDArray[np.bool_]:
    """(passages,) Worth reading by itself: four words that carry content, a figure, or an answer beside its question.
    What is shorter is mostly greeting, thanks and half-sentences. A therapist's greeting tells nothing, nor do a
    question for leave to speak and the yes to it."""
    units, passages = talk.units, talk.units.session.passages
    leave = [bool(_WORDS["leave"].search(passage.text)) for passage in passages]
    found = []
    for number, passage in enumerate(passages):
        answering = units.answers[number] and bool(passage.stems) and not leave[number - 1]
        greets = passage.role is Role.THERAPIST and bool(_WORDS["greeting"].match(passage.text))
        polite = (talk.questions[number] and leave[number]) or greets
        found.append((_enough(talk, number) and not polite) or answering)
    return np.array(found, dtype=bool)


def _enough(talk: Talk, number: int) -> bool:
    passage = talk.units.session.passages[number]
    return len(passage.stems) >= _FEWEST_STEMS or bool(passage.quantities)


def _other_half(number: int, talk: Talk) -> int | None:
    if talk.units.answers[number]:
        return number - 1
    return number + 1 if talk.questions[number] else None


def _answers(talk: Talk, number: int) -> bool:
    """More than a yes."""
    passage = talk.units.session.passages[number]
    return len(passage.stems) > 1 or bool(passage.quantities)


# How surely a passage of the session is missing from a note: the trained head.
_CLOSEST_KINDS = 3


@dataclass(frozen=True)
class Worth:
    """What therapists want in notes, whatever the note at hand says: ``weights`` and ``bias`` of a logistic head over
    ``Units.features``, and ``kinds`` (n, dim), unit vectors of the kinds of sentences that notes hold."""

    weights: Floats
    bias: float
    kinds: Floats

    def of(self, units: Units) -> Floats:
        """(passages,) log-odds."""
        return np.asarray(units.features @ self.weights + self.bias, dtype=np.float32)

    def likeness(self, units: Units) -> Floats:
        """(passages,) mean cosine with the closest kinds of sentences."""
        ordered = -np.sort(-(units.vectors @ self.kinds.T), axis=1)
        return np.asarray(ordered[:, :_CLOSEST_KINDS].mean(axis=1), dtype=np.float32)


@dataclass(frozen=True)
class OmissionHead:
    """``rank``: how surely a passage is what a note lacks, over ``joined`` features; ``kind_weights`` (KINDS, inputs)
    and ``kind_bias`` (KINDS,): what it is about, over ``Units.features``; ``threshold``: log-odds from where it is
    reported."""

    worth: Worth
    rank: Forest
    kind_weights: Floats
    kind_bias: Floats
    threshold: float
    fingerprint: str

    def kinds(self, units: Units) -> list[OmissionKind]:
        """What each passage is about."""
        best = (units.features @ self.kind_weights.T + self.kind_bias).argmax(axis=1)
        return [KINDS[number] for number in best.tolist()]

    def scores(self, said: Said, kept: Flags) -> Floats:
        """(passages,) log-odds for the note of the sentences that are ``kept``; minus infinity for what is not worth
        reporting."""
        units = said.talk.units
        features = joined(said.talk, said.features(kept), self.worth.of(units), self.worth.likeness(units))
        share = np.clip(self.rank.predict(features.astype(np.float64)), 1e-3, 1 - 1e-3)
        scores = np.asarray(np.log(share / (1 - share)), dtype=np.float32)
        scores[said.unreportable(kept)] = -np.inf
        return scores


@cache
def omission_head() -> OmissionHead:
    """The head that ships with the program. Raises ModelError."""
    data = arrays(paths.resources() / "heads" / "omissions.npz")
    worth = Worth(data["weights"], float(data["bias"]), data["kinds"].astype(np.float32))
    rank = Forest(*(data[f"rank_{name}"] for name in ("roots", "feature", "threshold", "left", "value")))
    return OmissionHead(
        worth, rank, data["kind_weights"], data["kind_bias"], float(data["threshold"]), str(data["fingerprint"])
    )


_SERIOUS = frozenset({OmissionKind.RISK, OmissionKind.MEDICATION, OmissionKind.SCALE})
_NOT_LEFT_OUT = frozenset({Stance.DENIED, Stance.ASKED, Stance.OTHER_PERSON, Stance.HYPOTHETICAL})

_ITEM = {
    OmissionKind.RISK: "general-safety",
    OmissionKind.SYMPTOM: "subjective-symptoms",
    OmissionKind.MEDICATION: "subjective-history",
    OmissionKind.SUBSTANCE: "subjective-symptoms",
    OmissionKind.HISTORY: "subjective-history",
    OmissionKind.GOAL: "subjective-goals",
    OmissionKind.HOMEWORK: "plan-homework",
    OmissionKind.INTERVENTION: "objective-interventions",
    OmissionKind.PLAN: "plan-follow-up",
    OmissionKind.SCALE: "objective-assessment-tools",
}
_NAMED = {
    OmissionKind.RISK: "risk",
    OmissionKind.SYMPTOM: "how the client is doing",
    OmissionKind.MEDICATION: "medication",
    OmissionKind.SUBSTANCE: "substance use",
    OmissionKind.HISTORY: "the client's history",
    OmissionKind.GOAL: "the client's goals",
    OmissionKind.HOMEWORK: "homework",
    OmissionKind.INTERVENTION: "the therapist's interventions",
    OmissionKind.PLAN: "the plan",
    OmissionKind.SCALE: "a rating or a score",
}


def find_omissions(
    case: Case,
    embedder: Embedder,
    session: SessionIndex,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
    head: OmissionHead | None = None,
    ledger: Ledger | None = None,
) -> Iterator[Omission]:
    """Omissions, gravest first: dangers that no sentence answers, then the subjects that the note most surely lacks,
    with up to three passages each.

    ``head`` replaces the one that ships, for measuring; ``ledger`` is one to share. Raises Cancelled.
    """
    risks = (ledger or LocalReading(embedder))(case, cancel or threading.Event())
    # A passage may tell of two dangers; it is left out once.
    dangers = list({finding.citation: finding for finding in reversed(tuple(risks)) if _left_out(finding)}.values())[
        ::-1
    ]
    yield from (_of_danger(finding, case) for finding in dangers)
    if cancel is not None and cancel.is_set():
        raise Cancelled
    if not session.passages:
        return
    talk, head = Talk(read_units(session)), head or omission_head()
    said = read_said(talk, case.note.sentences, embedder, lexicon)
    scores = head.scores(said, np.ones(len(said.stems), dtype=bool))
    scores[np.isin(talk.turns, [turn for finding in dangers for turn in finding.turns])] = -np.inf
    scores[_in_ledger(risks, talk)] = -np.inf
    if cancel is not None and cancel.is_set():
        raise Cancelled
    kinds = head.kinds(talk.units)
    found = [
        _omission(case, talk, topic, topic.score - head.threshold, kinds[topic.lead])
        for topic in topics(scores, talk, head.threshold)
    ]
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    yield from sorted(found, key=lambda omission: order.index(omission.severity))


def _omission(case: Case, talk: Talk, topic: Topic, margin: float, kind: OmissionKind) -> Omission:
    passage = talk.units.session.passages[topic.lead]
    counted = kind is OmissionKind.SUBSTANCE and bool(passage.quantities)
    severity = Severity.MEDIUM if kind in _SERIOUS or counted or margin > 1 else Severity.LOW
    rationale = f"What was said here about {_NAMED[kind]} was not found in the note."
    cited, *others = [_cited(case, talk, number) for number in topic.passages]
    return Omission(cited, kind, severity, _item(kind, passage), rationale, tuple(others))


def _item(kind: OmissionKind, passage: Passage) -> str:
    if kind is OmissionKind.HOMEWORK and passage.role is not Role.THERAPIST:
        return "subjective-homework"
    if (
        kind is OmissionKind.GOAL
        and passage.role is Role.THERAPIST
        and not _WORDS["of_the_client"].search(passage.text)
    ):
        return "assessment-goals"
    if kind is OmissionKind.MEDICATION and _WORDS["changed"].search(passage.text):
        return "plan-adjustment"
    return _ITEM[kind]


def _cited(case: Case, talk: Talk, number: int) -> Citation:
    passage = talk.units.session.passages[number]
    return cite(case.transcript.turns[passage.turn], passage.span)


def _left_out(finding: RiskFinding) -> bool:
    """What its meaning only may point to stands in the ledger alone: there it displaces nothing."""
    return finding.pressing and finding.stance not in _NOT_LEFT_OUT


def _in_ledger(risks: Iterable[RiskFinding], talk: Talk) -> list[int]:
    """Passages that the ledger shows already, whether the note answers them or not, and questions that they answer.
    What its meaning only may point to is not settled there."""
    shown = [finding.citation for finding in risks if finding.certain]
    found = [
        number
        for number, passage in enumerate(talk.units.session.passages)
        for cited in shown
        if passage.turn == cited.turn and passage.span.meets(cited.span)
    ]
    return found + [number - 1 for number in found if number and talk.questions[number - 1]]


def _of_danger(finding: RiskFinding, case: Case) -> Omission:
    others = tuple(cite(case.transcript.turns[turn]) for turn in finding.quoted if turn != finding.citation.turn)
    return Omission(
        finding.citation, OmissionKind.RISK, finding.severity, _ITEM[OmissionKind.RISK], finding.came_up, others
    )
