"""What the faithfulness heads see of a claim: one row of numbers a sentence, each with a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.judges.builtin.alignment import Alignment, Claim, align
from noteeval_desktop.judges.builtin.contradiction import check
from noteeval_desktop.judges.builtin.features_raised import OFFERS, Raised
from noteeval_desktop.judges.builtin.findings import Checks
from noteeval_desktop.judges.builtin.negation_wording import negation_wording
from noteeval_desktop.judges.builtin.note_words import NoteWords
from noteeval_desktop.judges.builtin.observed import observation_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

Floats = NDArray[np.float32]
_LATE = 0.75
# Wordings, each with what it tells: who speaks, how sure, of what time.
_WORDINGS = {
    "hedged": r"\b(?:may|might|could|likely|possibl\w+|perhaps|"
    r"potential(?:ly)?|suggest\w*|indicat\w+|appears? to|seems? to)\b",
    "planned": r"\b(?:will|plan to|next session|next steps?|follow[- ]?up|continue to|going forward|future)\b",
    "goal": r"\b(?:short|long)[- ]term\b|\bgoals?\b",
    "imperative": r"^(?:\w+[- ]term goals?:? ?|\(?\d\)?\.? ?)?"
    r"(?:explore|develop|encourage|identify|provide|schedule|continue|"
    r"monitor|discuss|"
    r"assess|support|assist|help|work on|address|increase|improve|"
    r"review|refer|educate|build|practice|implement|establish|reduce)\b",
    "reported": r"\b(?:report\w*|state[sd]|mention\w*|express\w*|acknowledg\w*|admit\w*|"
    r"den(?:ies|ied)|shar(?:es|ed)|described?s?|says?|said|"
    r"rate[sd]|agree[sd]?|want(?:s|ed)|feels?|felt|thinks?|believes?|noted?s?|recogni[sz]e[sd]?)\b",
    "interpreted": r"\b(?:demonstrat\w*|exhibit\w*|display\w*|show(?:s|ed|ing)|"
    r"insight|awareness|readiness|motivat\w+|contemplat\w*|ambivalen\w*)\b",
    "based": r"\bbased on\b|\bdue to\b|\bas evidenced\b",
    "quoted": r"[\"“][^\"”]{4,}[\"”]|(?<![a-z])['‘][^'’]{6,}['’](?![a-z])",
    "therapist": r"\b(?:therapist|clinician|counsell?or|writer)\b|"
    r"^(?:provided|explored|encouraged|discussed|used|validated)\b",
    "technique": r"\b(?:strateg\w+|technique\w*|skills?|coping|"
    r"intervention\w*|mechanism\w*|resources?|underlying|patterns?|triggers?)\b",
    "treatment": r"\b(?:CBT|DBT|MI|therapy|treatment|cognitive|behaviou?ral|mindfulness|"
    r"motivational interviewing|diagnos\w+|disorder|criteria)\b",
}  # fmt: skip
_WORDING = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _WORDINGS.items()}
_OFFERS = re.compile(rf"\b(?:{OFFERS})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A claim against a session: what its row was made from, kept for verdict, rationale and citations."""

    claim: Claim
    alignment: Alignment
    checks: Checks


def read_against(
    claims: Sequence[Claim], vectors: Floats, session: SessionIndex, lexicon: ClaimLexicon
) -> list[Reading]:
    """``vectors`` is (claims, dim), of unit length."""
    readings = []
    for claim, vector in zip(claims, vectors, strict=True):
        alignment = align(claim, vector, session)
        readings.append(Reading(claim, alignment, check(claim, alignment, session, lexicon)))
    return readings


@dataclass(frozen=True)
class ClaimVectors:
    """Of one claim: the sentence's vector (dim,), that of its opposite (dim,), its clauses' (clauses, dim), its
    word pieces and theirs (pieces, dim), and how near the session comes to these, as ``SessionIndex.nearest`` gives it.
    The opposite is the sentence itself where it could not be turned round.
    """

    sentence: Floats
    opposite: Floats
    clauses: Floats
    names: Sequence[str]
    pieces: Floats
    near: Floats


def feature_rows(
    readings: Sequence[Reading], vectors: Sequence[ClaimVectors], session: SessionIndex, words: NoteWords
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Names, and values of shape (claims, features); ``vectors`` has one entry a claim."""
    raised = Raised(session, words)
    offers = np.array([bool(_OFFERS.search(p.text)) for p in session.passages], dtype=bool) & ~session.clients
    rows = [
        _closeness(reading, session, offers)
        | _clause_closeness(own.clauses, session)
        | _piece_closeness(own, session, raised)
        | _opposite_closeness(reading, own, session)
        | _words(reading, session)
        | _wording(reading.claim)
        | _sections(reading.claim)
        | reading.checks.features()
        | negation_wording(reading.claim.text)
        for reading, own in zip(readings, vectors, strict=True)
    ]
    if not rows:
        return (), np.zeros((0, 0))
    names = tuple(rows[0])
    return names, np.array([[row[name] for name in names] for row in rows], dtype=np.float64)


def _top(values: Floats, keep: NDArray[np.bool_] | None = None) -> float:
    values = values if keep is None else values[keep]
    return float(values.max()) if values.size else 0.0


def _closeness(reading: Reading, session: SessionIndex, offers: NDArray[np.bool_]) -> dict[str, float]:
    similarity, window = reading.alignment.similarity, reading.alignment.window
    ranked = np.sort(similarity)[::-1]
    late = np.arange(len(similarity)) >= _LATE * len(similarity)
    return {
        "sim_best": _top(similarity),
        "sim_top3": float(ranked[:3].mean()) if ranked.size else 0.0,
        "sim_top8": float(ranked[:8].mean()) if ranked.size else 0.0,
        "sim_client": _top(similarity, session.clients),
        "sim_therapist": _top(similarity, ~session.clients),
        "sim_late_therapist": _top(similarity, late & ~session.clients),
        "sim_offer": _top(similarity, offers),
        "window_best": _top(window),
        "window_late": _top(window, late),
        "recall_best": _top(reading.alignment.recall),
    }


def _clause_closeness(clauses: Floats, session: SessionIndex) -> dict[str, float]:
    if not len(session.passages):
        return {"clause_worst": 0.0, "clause_mean": 0.0}
    best = np.maximum(clauses @ session.vectors.T, clauses @ session.windows.T).max(axis=1)
    return {"clause_worst": float(best.min()), "clause_mean": float(best.mean())}


def _piece_closeness(own: ClaimVectors, session: SessionIndex, raised: Raised) -> dict[str, float]:
    """How well the session's word pieces cover the claim's, rare ones counting more (after BERTScore's recall)."""
    names = (
        "piece_recall",
        "piece_mean",
        "piece_worst",
        "piece_passage",
        "piece_passages",
        "piece_client",
        "piece_therapist",
    )
    count = len(session.passages)
    weights = np.array([np.log((count + 1) / (1 + session.holding.get(name, 0))) + 0.1 for name in own.names])
    near = own.near
    beside = raised.features(own.names, near, weights)
    if not near.size:
        return dict.fromkeys(names, 0.0) | beside
    best = near.max(axis=1)
    by_passage = np.sort(weights @ near / weights.sum())
    by_client = session.clients[session.spoken[0]]
    sides = [near[:, side].max(axis=1) if side.any() else np.zeros(len(weights)) for side in (by_client, ~by_client)]
    values = (
        weights @ best / weights.sum(),
        best.mean(),
        np.sort(best)[: max(1, len(best) // 5)].mean(),
        by_passage[-1],
        by_passage[-3:].mean(),
        *(weights @ side / weights.sum() for side in sides),
    )
    return dict(zip(names, map(float, values), strict=True)) | beside


def _opposite_closeness(reading: Reading, own: ClaimVectors, session: SessionIndex) -> dict[str, float]:
    """How much closer the session is to the claim than to its opposite: the encoder hears a "not", if faintly."""
    nearest = list(reading.alignment.nearest[:3])
    if not nearest:
        return {"opposite_first": 0.0, "opposite_best": 0.0, "opposite_window": 0.0}
    turn = own.sentence - own.opposite
    gains = session.vectors[nearest] @ turn
    best = float((session.vectors @ own.sentence).max() - (session.vectors @ own.opposite).max())
    return {
        "opposite_first": float(gains[0]),
        "opposite_best": best,
        "opposite_window": float((session.windows[nearest] @ turn).mean()),
    }


def _words(reading: Reading, session: SessionIndex) -> dict[str, float]:
    weights = reading.alignment.weights
    total = sum(weight for _, weight in weights) or 1.0
    near = frozenset(stem for index in reading.alignment.nearby for stem in session.passages[index].stems)
    missing = [weight for stem, weight in weights if stem not in session.by_stem]
    return {
        "recall_session": 1.0 - sum(missing) / total,
        "recall_near": sum(weight for stem, weight in weights if stem in near) / total,
        "missing_words": float(len(missing)),
        "content_words": float(np.log1p(len(weights))),
    }


def _wording(claim: Claim) -> dict[str, float]:
    observed = observation_in(claim.text)
    return {name: float(bool(pattern.search(claim.text))) for name, pattern in _WORDING.items()} | {
        "observed": float(observed is not None and observed.certain),
        "observed_perhaps": float(observed is not None and not observed.certain),
    }


def _sections(claim: Claim) -> dict[str, float]:
    return {f"section_{section.value}": float(section in claim.sentence.sections) for section in SOAP}
