"""What a session holds and its note leaves out: coverage, then criticality, then a last look into the note."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskFinding, Stance
from noteeval_desktop.domain.transcript import Role, cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.omission_units import Units, read_units
from noteeval_desktop.judges.builtin.risk import find_risks
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
MOST = 8
# Over TN-Eval, with heads that had not seen the conversation and at 5 findings a complete note: 1 recalls 0.59 of what
# was taken out, 2 0.58, 4 0.54. Counting turns that supported claims cite as covered costs 0.07: a session's weighty
# turns are cited for more than one thing. The rest below was set by hand.
SAID_WEIGHT = 1.0
_SAME_TOPIC = 0.6
_WORDS_SAID = 0.8
_FEWEST_STEMS = 2
_SERIOUS = frozenset({OmissionKind.RISK, OmissionKind.MEDICATION, OmissionKind.SCALE})
_NOT_LEFT_OUT = frozenset({Stance.DENIED, Stance.ASKED, Stance.OTHER_PERSON})

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
    OmissionKind.SYMPTOM: "how the client is doing",
    OmissionKind.MEDICATION: "medication",
    OmissionKind.SUBSTANCE: "substance use",
    OmissionKind.HISTORY: "the client's history",
    OmissionKind.GOAL: "what the client wants",
    OmissionKind.HOMEWORK: "a task between sessions",
    OmissionKind.INTERVENTION: "what was done in the session",
    OmissionKind.PLAN: "what happens next",
    OmissionKind.SCALE: "a rating or a score",
}


@dataclass(frozen=True)
class OmissionHead:
    """Log-odds that therapists would want a passage in a note: ``weights`` (features), ``bias``, and the ``threshold``
    from which what is not said is reported."""

    weights: Floats
    bias: float
    threshold: float
    fingerprint: str

    def worth(self, units: Units) -> Floats:
        """(n,) log-odds."""
        return np.asarray(units.features @ self.weights + self.bias, dtype=np.float32)


@cache
def omission_head() -> OmissionHead | None:
    """The head that ships with the program, or None in a build without it."""
    path = paths.resources() / "heads" / "omissions.npz"
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as data:
        return OmissionHead(data["weights"], float(data["bias"]), float(data["threshold"]), str(data["fingerprint"]))


def find_omissions(
    case: Case,
    embedder: Embedder,
    session: SessionIndex,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None = None,
    head: OmissionHead | None = None,
) -> Iterator[Omission]:
    """Omissions, gravest first: dangers that no sentence answers, then at most ``MOST`` others, one a topic.

    ``head`` replaces the one that ships, for cross-validation. Raises Cancelled.
    """
    dangers = [finding for finding in find_risks(case.transcript, case.note, embedder, cancel) if _left_out(finding)]
    yield from (_of_danger(finding) for finding in dangers)
    if cancel is not None and cancel.is_set():
        raise Cancelled
    taken = {turn for finding in dangers for turn in finding.turns}
    units, head = read_units(session), head or omission_head()
    scores, threshold = _scores(case, embedder, units, head, lexicon, cancel)
    found = [
        _omission(case, units, number, scores[number] - threshold)
        for number in distinct(scores, units.vectors, threshold)
        if session.passages[number].turn not in taken
    ]
    order = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    yield from sorted(found, key=lambda omission: order.index(omission.severity))


def _scores(
    case: Case,
    embedder: Embedder,
    units: Units,
    head: OmissionHead | None,
    lexicon: ClaimLexicon,
    cancel: threading.Event | None,
) -> tuple[Floats, float]:
    trained = head is not None and head.fingerprint == embedder.fingerprint
    worth = head.worth(units) if head is not None and trained else _worth_by_words(units)
    threshold = head.threshold if head is not None and trained else 0.0
    note = embedder.embed([sentence.text for sentence in case.note.sentences], cancel)
    said = (units.vectors @ note.T).max(axis=1) if len(note) else np.zeros(len(worth), dtype=np.float32)
    scores = worth - SAID_WEIGHT * said
    stems = [frozenset(lexicon.content_stems(sentence.text)) for sentence in case.note.sentences]
    for number, passage in enumerate(units.session.passages):
        if (len(passage.stems) < _FEWEST_STEMS and not units.kinds[number]) or _in_the_note(passage, stems):
            scores[number] = -np.inf
    return scores, threshold


def _worth_by_words(units: Units) -> Floats:
    """Log-odds without a trained head: by what the words are about and how many they are."""
    kinds = np.array([len(found) for found in units.kinds], dtype=np.float32)
    return np.asarray(-1.5 + 0.6 * kinds + 0.4 * units.surface[:, 2], dtype=np.float32)


def _in_the_note(passage: Passage, sentences: Sequence[frozenset[str]]) -> bool:
    """One sentence holds nearly all the passage's words, numbers included."""
    if len(passage.stems) < 3:
        return False
    return any(len(passage.stems & own) >= _WORDS_SAID * len(passage.stems) for own in sentences)


def distinct(scores: Floats, vectors: Floats, threshold: float, most: int = MOST) -> list[int]:
    """Rows from the highest score down to ``threshold``, without those close in meaning to one already taken."""
    taken: list[int] = []
    for number in np.argsort(-scores, kind="stable").tolist():
        if scores[number] < threshold or len(taken) == most:
            break
        if all(float(vectors[number] @ vectors[other]) < _SAME_TOPIC for other in taken):
            taken.append(number)
    return taken


def _omission(case: Case, units: Units, number: int, margin: float) -> Omission:
    passage = units.session.passages[number]
    default = OmissionKind.INTERVENTION if passage.role is Role.THERAPIST else OmissionKind.SYMPTOM
    kinds = units.kinds[number]
    kind = next((k for k in kinds if passage.role is not Role.THERAPIST or k is not OmissionKind.SYMPTOM), default)
    severity = Severity.MEDIUM if kind in _SERIOUS or margin > 1 else Severity.LOW
    item = _ITEM[kind]
    if kind is OmissionKind.HOMEWORK and passage.role is not Role.THERAPIST:
        item = "subjective-homework"
    rationale = f"No sentence of the note says this about {_NAMED[kind]}."
    return Omission(cite(case.transcript.turns[passage.turn], passage.span), kind, severity, item, rationale)


def _left_out(finding: RiskFinding) -> bool:
    return not finding.addressed and finding.stance not in _NOT_LEFT_OUT


def _of_danger(finding: RiskFinding) -> Omission:
    says = finding.wording if finding.by_meaning else f"touches {finding.wording}"
    rationale = f"The session {says}, and no sentence of the note answers it."
    return Omission(finding.citation, OmissionKind.RISK, finding.severity, _ITEM[OmissionKind.RISK], rationale)
