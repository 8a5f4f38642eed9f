"""What speaks for and against a claim: one row of named numbers a claim, and where in the session it was found."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import SOAP, Sentence
from noteeval_desktop.domain.risk import RiskFinding, Stance
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support import amounts
from noteeval_desktop.judges.builtin.support.amounts import Amount
from noteeval_desktop.judges.builtin.text.note_lexicon import NAMES as WORDINGS
from noteeval_desktop.judges.builtin.text.note_lexicon import counts, expand
from noteeval_desktop.judges.builtin.text.observed import observation_in
from noteeval_desktop.judges.builtin.text.polarity import Answer, negated, strong_negations
from noteeval_desktop.judges.builtin.text.quantities import Quantity, quantities
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, Word, shared_words, word_lists

# Which windows of the talk could decide a claim, by meaning and shared words.
WINDOWS = 5
# Of which so many are read: two more cost as much again and find the deciding turn of three claims in a hundred.
READ = 3
# Of the corpus' claims a deciding turn is in the best three windows for 92 in 100, in five for 95; the meaning alone
# finds 86 and 91.
_PASSAGE_WEIGHT, _WORDS_WEIGHT = 0.3, 0.8
_SPEAKERS = {Role.CLIENT: "Client", Role.THERAPIST: "Therapist", Role.OTHER: "Other"}


@dataclass(frozen=True)
class Window:
    """Up to three passages in a row, around ``centre``; ``score`` is how near it comes to the claim."""

    centre: int
    passages: tuple[int, ...]
    score: float


def window_scores(vector: Floats, stems: Iterable[str], session: SessionIndex) -> tuple[Floats, Floats]:
    """(passages,) twice: how near the window around each passage comes to a claim whose ``vector`` is (dim,), of unit
    length, and the share of its words, weighted by rarity, that the window holds."""
    count = len(session.passages)
    held = np.zeros(count, dtype=np.float32)
    total = 1e-6
    for stem in frozenset(stems):
        places = session.by_stem.get(stem, ())
        weight = float(np.log1p(count / (1 + len(places))))
        total += weight
        around = np.zeros(count, dtype=bool)
        for step in (-1, 0, 1):
            there = np.asarray(places, dtype=np.int64) + step
            around[there[(there >= 0) & (there < count)]] = True
        held[around] += weight
    held /= total
    scores = session.windows @ vector + _PASSAGE_WEIGHT * (session.vectors @ vector) + _WORDS_WEIGHT * held
    return np.asarray(scores, dtype=np.float32), held


def best_windows(scores: Floats, count: int = WINDOWS) -> tuple[Window, ...]:
    """The ``count`` best, best first; centres are at least two passages apart."""
    chosen: list[int] = []
    for index in np.argsort(-scores, kind="stable").tolist():
        if all(abs(index - other) > 1 for other in chosen):
            chosen.append(index)
            if len(chosen) == count:
                break
    return tuple(Window(index, _around(index, len(scores)), float(scores[index])) for index in chosen)


def _around(centre: int, count: int) -> tuple[int, ...]:
    return tuple(range(max(0, centre - 1), min(count, centre + 2)))


def window_text(passages: Sequence[int], session: SessionIndex) -> str:
    """As the reader was taught: ``Client: … Therapist: …``."""
    own = (session.passages[index] for index in passages)
    return " ".join(f"{_SPEAKERS[passage.role]}: {passage.text}" for passage in own)


Floats = NDArray[np.float32]
_LATE = 0.75
_CLAUSE = re.compile(r"[;:,]\s+|\s+(?:and|but|because|although|though|while|which|so that|due to|after|when)\s+")
_CLAUSE_WORDS = 3
_LISTED = re.compile(r"\W{0,3}\d{1,2}[.)](?=\s+\S)")
_MOST_SPECIFIC = 3
_FEELINGS = word_lists("feelings.json")["feelings"]
_HEDGE = re.compile(
    r"\b(?:may|might|could|likely|possibl\w+|perhaps|potential(?:ly)?|suggest\w*|indicat\w+|appears? to|seems? to)\b",
    re.IGNORECASE,
)
_SHORTHAND = re.compile(
    r"\b(?:pt|cl|ct|hx|sx|dx|tx|w/o?|b/c|c/o|f/u|r/o|s/p|rtc|qhs|prn|bid|tid|si|hi)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Evidence:
    """A claim beside a session. ``windows`` are the best, best first; ``logits`` (read, 3) what the reader makes of the
    first; ``text`` is the sentence with shorthand written out, whose ``words`` they are; ``row`` the named numbers."""

    sentence: Sentence
    text: str
    words: tuple[Word, ...]
    windows: tuple[Window, ...]
    logits: Floats
    amounts: tuple[Amount, ...]
    row: Mapping[str, float]


def gather(
    sentences: Sequence[Sentence],
    session: SessionIndex,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    ledger: Sequence[RiskFinding] = (),
    cancel: threading.Event | None = None,
) -> list[Evidence]:
    """One a sentence, in order; for an empty session none has windows. ``ledger`` are the session's dangers, with the
    sentences that speak of each. Raises Cancelled, ModelError."""
    texts = [expand(sentence.text) for sentence in sentences]
    tokens = embedder.token_embeddings(texts, cancel)
    vectors = embedder.embed(texts, cancel)
    clauses = [_clauses(text) for text in texts]
    parts = embedder.embed([clause for own in clauses for clause in own], cancel)
    ends = np.cumsum([len(own) for own in clauses])
    found = []
    for text, vector in zip(texts, vectors, strict=True):
        scores, held = window_scores(vector, lexicon.content_stems(text), session)
        found.append((scores, held, best_windows(scores)))
    pairs = [
        (window_text(window.passages, session), text)
        for text, (_, _, windows) in zip(texts, found, strict=True)
        for window in windows[:READ]
    ]
    logits = embedder.read(pairs, cancel)
    starts = np.cumsum([0, *(len(windows[:READ]) for _, _, windows in found)])
    gathered = []
    for i, sentence in enumerate(sentences):
        scores, held, windows = found[i]
        own = logits[starts[i] : starts[i + 1]]
        claim = lexicon.words(texts[i])
        near = list(dict.fromkeys(index for one in windows for index in (one.centre, *one.passages)))
        claimed = claimed_quantities(texts[i], claim)
        told = tuple(amounts.compared(claimed, near, session))
        row = (
            _read(own, windows[:READ])
            | _closeness(vectors[i], scores, held, windows, session)
            | _parts(parts[ends[i] - len(clauses[i]) : ends[i]], session)
            | _pieces(*tokens[i], near, session)
            | _specific(*tokens[i], session)
            | amounts.features(told)
            | amounts.distances(claimed, claim, scores, near, session)
            | _words(claim, texts[i], near, session, lexicon)
            | _polarity(claim, near, session)
            | _wording(sentence, texts[i], claim)
            | _dangers([risk for risk in ledger if sentence.id in (*(risk.addressed_by or ()), *risk.near)], claim)
        )
        gathered.append(Evidence(sentence, texts[i], claim, windows, own, told, row))
    return gathered


def rows(evidence: Sequence[Evidence]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Names, and values of shape (claims, features)."""
    names = tuple(evidence[0].row) if evidence else ()
    return names, np.array([[one.row[name] for name in names] for one in evidence], dtype=np.float64)


def _clauses(text: str) -> tuple[str, ...]:
    """Pieces at commas and conjunctions; short ones stay with what went before."""
    pieces: list[str] = []
    for piece in _CLAUSE.split(text):
        if pieces and (len(piece.split()) < _CLAUSE_WORDS or len(pieces[-1].split()) < _CLAUSE_WORDS):
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    return tuple(piece.strip() for piece in pieces if piece.strip()) or (text,)


def claimed_quantities(text: str, words: Sequence[Word]) -> tuple[Quantity, ...]:
    """The quantities but for the number of a line in a list, "2. Call the school"."""
    listed = _LISTED.match(text)
    return tuple(one for one in quantities(text, words) if listed is None or one.span.start >= listed.end())


def _read(logits: Floats, windows: Sequence[Window]) -> dict[str, float]:
    """``entailed`` and ``denied`` are log-odds of either against the rest, in the best window and the strongest."""
    if not len(logits):
        logits = np.zeros((1, 3), np.float32)
    entailed = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    denied = logits[:, 2] - np.logaddexp(logits[:, 0], logits[:, 1])
    against = logits[:, 0] - logits[:, 2]
    scores = np.array([window.score for window in windows] or [0.0])
    near = np.exp(6 * (scores - scores.max()))
    near /= near.sum()
    return {
        "entailed_first": float(entailed[0]),
        "entailed_most": float(entailed.max()),
        "entailed_mean": float(near @ entailed),
        "denied_first": float(denied[0]),
        "denied_most": float(denied.max()),
        "denied_mean": float(near @ denied),
        "for_first": float(against[0]),
        "for_least": float(against.min()),
        "for_mean": float(near @ against),
        "denied_at_entailed": float(denied[entailed.argmax()]),
        "entailed_less_denied": float(entailed.max() - denied.max()),
    }


def _top(values: Floats, keep: NDArray[np.bool_] | None = None) -> float:
    values = values if keep is None else values[keep]
    return float(values.max()) if values.size else 0.0


def _closeness(
    vector: Floats, scores: Floats, held: Floats, windows: Sequence[Window], session: SessionIndex
) -> dict[str, float]:
    similarity, window = session.vectors @ vector, session.windows @ vector
    ranked = np.sort(similarity)[::-1]
    count = len(similarity)
    late = np.arange(count) >= _LATE * count
    first = session.passages[windows[0].centre].role if windows else Role.OTHER
    return {
        "near_best": _top(similarity),
        "near_three": float(ranked[:3].mean()) if count else 0.0,
        "near_eight": float(ranked[:8].mean()) if count else 0.0,
        "near_client": _top(similarity, session.clients),
        "near_therapist": _top(similarity, ~session.clients),
        "near_late": _top(similarity, late),
        "near_offer": _top(similarity, session.offers),
        "window_best": _top(window),
        "window_late": _top(window, late),
        "words_best": _top(held),
        "score_best": _top(scores),
        "score_second": windows[1].score if len(windows) > 1 else 0.0,
        "place": windows[0].centre / max(1, count - 1) if windows else 0.0,
        "by_therapist": float(first is Role.THERAPIST),
        "session_length": float(np.log1p(count)),
        "late_offers": float(session.offers[late].mean()) if late.any() else 0.0,
        "late_commitments": float(session.commitments[late].mean()) if late.any() else 0.0,
    }


def _parts(parts: Floats, session: SessionIndex) -> dict[str, float]:
    if not len(session.passages):
        return {"part_worst": 0.0, "part_mean": 0.0}
    best = np.maximum(parts @ session.vectors.T, parts @ session.windows.T).max(axis=1)
    return {"part_worst": float(best.min()), "part_mean": float(best.mean())}


def _pieces(names: Sequence[str], pieces: Floats, near: Sequence[int], session: SessionIndex) -> dict[str, float]:
    """How well the session's word pieces cover the claim's, rare ones counting more (after BERTScore's recall)."""
    keys = (
        "piece_recall", "piece_mean", "piece_worst", "piece_near", "piece_passage", "piece_client", "piece_late",
        "piece_offer",
    )  # fmt: skip
    if not len(names) or not len(session.pieces):
        return dict.fromkeys(keys, 0.0)
    count = len(session.passages)
    weights = np.array([np.log((count + 1) / (1 + session.holding.get(name, 0))) + 0.1 for name in names])
    weights /= weights.sum()
    alike = session.nearest(pieces)
    places = session.spoken[0]
    best = alike.max(axis=1)
    close = alike[:, np.isin(places, near)]
    late = places >= _LATE * count
    client = session.clients[places]
    sides = [
        alike[:, side].max(axis=1) if side.any() else np.zeros(len(weights))
        for side in (client, late, session.offers[places])
    ]
    values = (
        weights @ best,
        best.mean(),
        np.sort(best)[: max(1, len(best) // 5)].mean(),
        weights @ (close.max(axis=1) if close.size else best),
        (weights @ alike).max(),
        *(weights @ side for side in sides),
    )
    return dict(zip(keys, map(float, values), strict=True))


def _specific(names: Sequence[str], pieces: Floats, session: SessionIndex) -> dict[str, float]:
    """How much of its own the claim says, and whether a feeling that it names was named by the client."""
    rarity = shared_words().rarity(names)
    felt = [place for place, name in enumerate(names) if name.lower() in _FEELINGS]
    client = session.clients[session.spoken[0]] if len(session.pieces) else np.zeros(0, bool)
    heard = session.nearest(pieces[felt])[:, client] if felt and client.any() else np.zeros((0, 0), np.float32)
    return {
        "specific": float(rarity.mean()) if len(names) else 0.0,
        "specific_most": float(np.sort(rarity)[-_MOST_SPECIFIC:].mean()) if len(names) else 0.0,
        "feelings": float(len(felt)),
        "feeling_said": float(heard.max()) if heard.size else 0.5,
    }


def _words(
    words: Sequence[Word], text: str, near: Sequence[int], session: SessionIndex, lexicon: ClaimLexicon
) -> dict[str, float]:
    """Words, persons, names and clinical terms of the claim that nobody said, or not where it is spoken of."""
    count = len(session.passages)
    stems = {word.stem for word in words if word.content}
    weights = {stem: float(np.log1p(count / (1 + len(session.by_stem.get(stem, ()))))) for stem in stems}
    total = fsum(weights.values()) or 1.0
    close = frozenset(stem for index in near for stem in session.passages[index].stems)
    spoken = frozenset(word.folded for index in near for word in session.passages[index].words)
    persons = {lexicon.relations[word.folded] for word in words if word.folded in lexicon.relations}
    said = {lexicon.relations[word] for word in session.folded if word in lexicon.relations} | session.children
    said_near = {lexicon.relations[word] for word in spoken if word in lexicon.relations}
    ways = {person: {person} | lexicon.implied.get(person, frozenset()) for person in persons}
    terms = {word.stem for word in words if word.folded in lexicon.terms}
    medical = {word.stem for word in words if word.folded in lexicon.medications | lexicon.diagnoses}
    names = {
        word.stem
        for place, word in enumerate(words)
        if place > 0 and word.span.of(text)[:1].isupper() and word.folded not in lexicon.relations
    }
    missing = {stem for stem in stems if stem not in session.by_stem}
    return {
        "words_said": fsum(weights[stem] for stem in stems - missing) / total,
        "words_near": fsum(weights[stem] for stem in stems & close) / total,
        "words_missing": float(len(missing)),
        "words": float(np.log1p(len(stems))),
        "persons": float(len(persons)),
        "persons_missing": float(sum(not ways[person] & said for person in persons)),
        "persons_far": float(sum(not ways[person] & said_near for person in persons)),
        "names_missing": float(len(names & missing)),
        "terms": float(len(terms)),
        "terms_missing": float(len(terms & missing)),
        "terms_far": float(len(terms - missing - close)),
        "medical_missing": float(len(medical & missing)),
        "medical_far": float(len(medical - missing - close)),
    }


def _polarity(words: Sequence[Word], near: Sequence[int], session: SessionIndex) -> dict[str, float]:
    """Whether the claim denies, and what the passages near it deny of the same words."""
    cues, under = strong_negations(words), negated(words)
    denied: set[str] = set()
    affirmed: set[str] = set()
    for index in near:
        passage = session.passages[index]
        for place, word in enumerate(passage.words):
            if word.content:
                (denied if place in passage.negated else affirmed).add(word.stem)
        if passage.answer is Answer.NO and index:
            denied |= session.passages[index - 1].stems
    scope = {word.stem for place, word in enumerate(words) if word.content and place in under}
    plain = {word.stem for place, word in enumerate(words) if word.content and place not in under}
    return {
        "denials": float(len(cues)),
        "denials_unbacked": float(bool(scope) and not scope & denied),
        "denied_near": float(len(plain & denied - affirmed)) / max(1, len(plain)),
        "denies": float(any(words[place].folded.startswith("den") for place in cues)),
        "no_near": float(any(session.passages[index].answer is Answer.NO for index in near)),
    }


def _dangers(spoken_of: Sequence[RiskFinding], words: Sequence[Word]) -> dict[str, float]:
    """What the session says of the dangers that the claim speaks of, and whether the claim says no."""
    stances = {risk.stance for risk in spoken_of if not risk.by_meaning}
    told, denied = bool(stances & {Stance.CURRENT, Stance.PAST}), Stance.DENIED in stances
    denies = bool(strong_negations(words))
    return {
        "danger_told": float(told),
        "danger_denied": float(denied),
        "danger_told_and_noted_absent": float(Stance.CURRENT in stances and denies),
        "danger_denied_and_noted_present": float(denied and not told and not denies),
    }


def _wording(sentence: Sentence, text: str, words: Sequence[Word]) -> dict[str, float]:
    observed = observation_in(sentence.text)
    return {
        **{f"says_{name}": float(value) for name, value in zip(WORDINGS, counts(text), strict=True)},
        **{f"in_{section.value}": float(section in sentence.sections) for section in SOAP},
        "observed": float(observed is not None and observed.certain),
        "observed_perhaps": float(observed is not None and not observed.certain),
        "hedged": float(bool(_HEDGE.search(text))),
        "quoted": float(bool(re.search(r"[\"“][^\"”]{4,}[\"”]", text))),
        "shorthand": float(len(_SHORTHAND.findall(sentence.text))),
        "all_words": float(np.log1p(len(words))),
    }
