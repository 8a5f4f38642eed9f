"""A clause of a claim beside something said near it: do they speak of the same, and does one deny the other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from noteeval_desktop.domain.note import Section
from noteeval_desktop.judges.builtin import opposites
from noteeval_desktop.judges.builtin.alignment import RECALL_WEIGHT, Claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, Reading
from noteeval_desktop.judges.builtin.said import DEADLY, SOMEONE, Floats, Key, Said, said_in, said_of
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.statements import Statement, Subject, Tense, statements
from noteeval_desktop.judges.builtin.word_vectors import word_vectors
from noteeval_desktop.judges.builtin.words import Word

_CANDIDATES = 12
_SAME, _AKIN = 0.6, 0.5  # cosines of two words in their contexts
_AKIN_COUNTS = 0.7
# Two clauses that share words, and whose words are alike on the whole, speak of the same: from which share, how much
# alike, for how much that counts, and with how many words at least.
_PARTLY, _NEAR, _NEAR_COUNTS, _NEAR_WORDS = 0.45, 0.6, 0.7, 2
_MEANT = frozenset({"want", "will", "ready", "interest"})
_TAKEN_UP = 0.5  # of a word, that the "it" of a question stands for
_GOING = "going"
_QUITTING = frozenset((_GOING, "quit"))


@dataclass(frozen=True)
class Pair:
    """A clause of the claim beside something said at passage ``index``; ``sign`` -1 where one denies the other, 0 where
    that is left open.

    Shares, 0 to 1: ``covered`` of the clause that was said, ``focus`` of what the passage turns that the clause speaks
    of, ``narrow`` of what the denying side denies that the other speaks of, ``broad`` of the affirming side likewise.
    """

    index: int
    said: Said
    covered: float
    focus: float
    narrow: float
    broad: float
    sign: int


def clauses_of(reading: Reading, vectors: ClaimVectors, session: SessionIndex) -> list[Said]:
    """The claim's clauses that speak of something."""
    claim = reading.claim
    own = word_vectors(claim.text, claim.words, vectors.names, vectors.pieces)
    return [clause for clause in _clauses(claim, own, session) if clause.keys]


def told_near(reading: Reading, session: SessionIndex) -> list[tuple[int, Said]]:
    """What the nearest passages say, each with its passage's index."""
    return [(index, said) for index in _near(reading, session) for said in _said_once(index, session)]


def _said_once(index: int, session: SessionIndex) -> list[Said]:
    return session.once((said_in, index), lambda: said_in(index, session))


def _near(reading: Reading, session: SessionIndex) -> list[int]:
    """The nearest passages and those that follow them, which may be their answers."""
    alignment = reading.alignment
    score = np.maximum(alignment.similarity, 0.9 * alignment.window) + RECALL_WEIGHT * alignment.recall
    order = np.argsort(-score, kind="stable")[:_CANDIDATES]
    return sorted({near for at in order for near in (int(at), int(at) + 1) if near < len(session.passages)})


def _clauses(claim: Claim, vectors: Floats, session: SessionIndex) -> list[Said]:
    """What the claim states; in its plan everything is willed, "he" is the client, and who was named is meant on."""
    planned = frozenset({"will"} if Section.PLAN in claim.sentence.sections else ())
    found: list[Said] = []
    for statement in statements(claim.text, claim.words):
        called = [place for place in statement.keys if _is_client(claim.words[place], claim.text, session)]
        if called:
            named = tuple(place for place in statement.keys if place not in called)
            scope = tuple(place for place in statement.scope if place not in called)
            statement = replace(statement, keys=named, scope=scope, subject=Subject.SELF)
        said = said_of(statement, claim.text, claim.words, vectors)
        subject: Subject = Subject.SELF if said.subject is Subject.THIRD else said.subject
        if claim.words[statement.first].folded == "who":
            subject = Subject.KIN
        elif subject is Subject.OPEN and found and (not statement.fragment or _goes_on(claim, statement)):
            subject = found[-1].subject
        found.append(replace(said, stances=said.stances | planned, subject=subject))
    return found


def _is_client(word: Word, text: str, session: SessionIndex) -> bool:
    """A name that only the therapist says is the client's own."""
    shown, heard = word.span.of(text), session.by_stem.get(word.stem, ())
    return (
        shown[0].isupper()
        and bool(heard)
        and not any(session.clients[at] for at in heard)
        and all(shown in session.passages[at].text for at in heard)
    )


def _goes_on(claim: Claim, statement: Statement) -> bool:
    return claim.words[statement.first].folded in ("but", "and", "or")


def paired(clause: Said, index: int, said: Said) -> Pair | None:
    if said.statement.asked and not said.answer:
        return None
    covered = coverage(clause.keys, said.pool)
    if said.answer and said.statement.anaphoric and 0.0 < covered < 1.0:
        covered = min(1.0, covered + _TAKEN_UP / len(clause.keys))
    near = covered >= _PARTLY and _near_in_meaning(clause, said)
    if covered <= 0.0 or not _of_one_thing(clause, said) or (said.keys and not coverage(said.keys, clause.keys)):
        return None
    sign = -1 if _left_out(clause, said) else clause.sign * said.sign
    theirs = said.axes
    for axis, end in clause.axes.items():
        sign *= end * theirs.get(axis, end)
    denying, other = (clause, said) if clause.sign < 0 else (said, clause)
    narrow = coverage(denying.scope, other.pool)
    if (said.answer or not said.keys) and len(clause.keys) > 1:  # a question says more than it asks
        narrow = max(narrow, (narrow + covered) / 2)
    if said.sign < 0 and said.answer and _asked_the_same(clause, said):
        narrow = max(narrow, covered)
    floor = _NEAR_COUNTS if near else 0.0
    return Pair(
        index=index,
        said=said,
        covered=max(covered, floor),
        focus=max(coverage(said.scope, clause.keys), floor),
        narrow=max(narrow, floor),
        broad=max(coverage(other.keys, denying.pool), coverage(other.pool, denying.pool), floor),
        sign=sign,
    )


def _left_out(clause: Said, said: Said) -> bool:
    """Never missed, and missed twice."""
    one, other = clause.statement, said.statement
    return (one.kept and other.lapsed) or (one.lapsed and other.kept)


def _asked_the_same(clause: Said, said: Said) -> bool:
    """Of what somebody would do, or of suicide: a plain "no" to a longer question denies each part of it."""
    meant = bool(clause.statement.stances & _MEANT and said.stances & _MEANT)
    return meant or all(key.lemma == DEADLY for key in clause.keys)


def _near_in_meaning(clause: Said, said: Said) -> bool:
    """Whether the words of both are alike on the whole; a sister and a brother never are."""
    persons = [key for key in clause.keys if key.kin], [key for key in said.pool if key.kin]
    if all(persons) and not coverage(*persons):
        return False
    if min(len(clause.keys), len(said.keys)) < _NEAR_WORDS:
        return False
    return float(_middle(clause.keys) @ _middle(said.keys)) >= _NEAR


def _middle(keys: Sequence[Key]) -> Floats:
    total = np.sum([key.vector for key in keys], axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)


def _of_one_thing(clause: Said, said: Said) -> bool:
    """Whether they share more than an end of a pair of opposites, where the claim has more: sleep, not just "bad"."""
    named = [key for key in clause.keys if key.axis in ("", _GOING)]
    if not named:
        return clause.sign != said.sign or bool(set(clause.axes) & set(said.axes) & opposites.EITHER_OR)
    return coverage(named, said.pool) > 0.0


def coverage(keys: Sequence[Key], pool: Sequence[Key]) -> float:
    return sum(max((_alike(key, other) for other in pool), default=0.0) for key in keys) / max(len(keys), 1)


def _alike(key: Key, other: Key) -> float:
    if key.axis or other.axis:
        alike = key.axis == other.axis if key.axis and other.axis else key.stem == other.stem
        return float(alike or {key.axis or key.lemma, other.axis or other.lemma} == _QUITTING)
    if key.lemma == other.lemma or key.stem == other.stem:
        return 1.0
    if key.kin or other.kin:
        return float(key.kin and other.kin and SOMEONE in (key.lemma, other.lemma))
    close = float(key.vector @ other.vector)
    return 1.0 if close >= _SAME else _AKIN_COUNTS if close >= _AKIN else 0.0


def same_person(clause: Said, said: Said) -> bool:
    if clause.subject is Subject.SELF:
        return said.subject not in (Subject.THIRD, Subject.KIN)
    if clause.subject is Subject.OPEN and clause.statement.fragment and said.statement.other and not said.answer:
        return any(key.kin for key in clause.keys)
    if clause.subject is Subject.KIN and said.subject is Subject.OPEN:
        return said.answer or any(key.kin for key in said.pool)
    return clause.subject is not Subject.KIN or said.subject is not Subject.SELF


def comparable(clause: Said, said: Said) -> bool:
    """Whether both are meant alike: of the same person, wanted or done, then or now."""
    if not same_person(clause, said) or set(clause.axes) - set(said.axes) or not meant_alike(clause, said):
        return False
    if clause.sign < 0 and said.sign < 0 and not set(clause.axes) & opposites.EITHER_OR:
        return False
    if said.sign < 0 and said.statement.times - clause.statement.times and not said.statement.ceased:
        return False
    return _of_the_same_time(clause, said)


def meant_alike(clause: Said, said: Said) -> bool:
    if clause.stances == said.stances or (said.statement.fragment and bool(said.lent) and not said.stances):
        return True
    if not clause.stances and clause.sign > 0 and said.sign < 0 and clause.tense is not Tense.PAST:
        return said.stances == {"ready"} or (said.stances == {"will"} and not said.statement.progressive)
    if not clause.stances or not clause.stances <= _MEANT:
        return False
    if said.stances and said.stances <= _MEANT:
        return True
    return said.sign < 0 and (said.statement.progressive or said.statement.fragment)


def then_or_now(clause: Said, said: Said) -> bool:
    return Tense.OPEN in (clause.tense, said.tense) or clause.tense is said.tense


def _of_the_same_time(clause: Said, said: Said) -> bool:
    own = clause.statement
    if own.ceased:
        ongoing = said.tense is Tense.OPEN and said.subject is Subject.SELF and not said.statement.perfect
        return (said.tense is Tense.PRESENT or ongoing) and not own.tried
    if clause.sign > 0 and own.former and not said.statement.never:
        return not said.statement.ceased and (said.tense is Tense.PAST or (said.answer and said.tense is Tense.OPEN))
    if clause.sign > 0 and clause.tense is Tense.PAST:
        return not said.statement.ceased and (said.tense is not Tense.PRESENT or said.statement.perfect)
    return not (clause.sign < 0 and clause.tense is Tense.PRESENT and said.tense is Tense.PAST)
