"""Why a claim was judged as it was: evidence that moved the decision, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support.evidence import Evidence
from noteeval_desktop.judges.builtin.text.observed import Observation
from noteeval_desktop.judges.builtin.text.polarity import Answer, negated, strong_negations

# The evidence as it would be if the claim were right in this one respect.
AMOUNTS_MATCH = {
    "amount_worst": 1.0, "amount_mean": 1.0, "amount_absent": 0.0, "amount_elsewhere": 0.0, "amount_differs": 0.0,
    "amount_gap": 0.0, "amount_rank": 0.0, "amount_shared": 0.0, "amount_nearly": 0.0, "amount_other_first": 0.0,
    "timed_missing": 0.0, "period_missing": 0.0, "period_far": 0.0, "period_gap": 0.0,
}  # fmt: skip
ALL_NAMED = {
    "terms_missing": 0.0, "medical_missing": 0.0, "names_missing": 0.0, "persons_missing": 0.0, "words_missing": 0.0,
}  # fmt: skip
_QUOTED_WORDS = 30
_NOT_NEAR = 0.15
_OPENING = 5
# A question and nothing else: a clinician states a finding and asks "okay?" after it.
_QUESTION = re.compile(r"[^.!?;]{1,120}(?<!okay)(?<!right)(?<!okay )(?<!right )\?", re.IGNORECASE)
_WELL = frozenset({"fine", "good", "normal", "okay", "ok", "regular", "same", "well"})

Reconsidered = Callable[[Mapping[str, float]], bool]
"""Would the claim pass, or be clearly more probable, if these values of its evidence were others?"""


def explain(
    verdict: Verdict,
    evidence: Evidence,
    observation: Observation | None,
    cited: int | None,
    session: SessionIndex,
    telling: Set[str],
    moved: Reconsidered,
) -> str:
    """``cited`` is the passage that is shown beside the verdict, None where none comes near; ``telling`` are words
    (medications, diagnoses, relatives) of which it says something that nobody said them."""
    if verdict is Verdict.OBSERVED and observation:
        if observation.stock:
            return f"A transcript cannot show “{observation.words}”. Confirm it if you checked."
        return f"Only someone in the room can know “{observation.words}”. Confirm it if you saw or heard it."
    nearest = None if cited is None else _quote(cited, session)
    if verdict is Verdict.SUPPORTED:
        if not says_it(evidence, cited):
            return "No single passage of the session says this."
        return f"Nearest passage: {nearest}"
    return _differs(evidence, session, telling, moved) or _otherwise(verdict, evidence, nearest)


def says_it(evidence: Evidence, cited: int | None) -> bool:
    """Is there a passage with words of the claim to show beside it?"""
    return cited is not None and evidence.row["words_near"] >= _NOT_NEAR


def only_asked(evidence: Evidence, session: SessionIndex) -> bool:
    """Is what comes nearest a clinician's question that was not answered as the claim has it? Of a claim that denies,
    what it denies is looked for; a statement with as many of the words stands by itself."""
    under = negated(evidence.words)
    denied = {word.stem for place, word in enumerate(evidence.words) if word.content and place in under}
    told = denied or {word.stem for word in evidence.words if word.content}
    near = {index for window in evidence.windows for index in window.passages if told & session.passages[index].stems}
    asked = {i for i in near if _QUESTION.fullmatch(session.passages[i].text.strip()) and not session.clients[i]}
    most = max((len(told & session.passages[i].stems) for i in near - asked), default=0)
    nearest = [i for i in asked if len(told & session.passages[i].stems) > most]
    return bool(nearest) and not any(_answered(i, bool(denied), session) for i in nearest)


def _answered(question: int, denies: bool, session: SessionIndex) -> bool:
    given = session.passages[question + 1] if question + 1 < len(session.passages) else None
    if given is None or not session.clients[question + 1]:
        return False
    if session.passages[question].negated:  # "So no pain?" "Right."
        return True
    if not denies:
        return given.answer is not Answer.NO
    well = given.answer is None and _WELL & {word.folded for word in given.words}
    return bool(well) or given.answer is Answer.NO or bool(strong_negations(given.words[:_OPENING]))


def _differs(evidence: Evidence, session: SessionIndex, telling: Set[str], moved: Reconsidered) -> str:
    doubted = [amount for amount in evidence.amounts if amount.level < 1.0]
    said_first = {"amount_first": evidence.row["amounts"], "timed_near": evidence.row["timed"]}
    if doubted and moved(AMOUNTS_MATCH | said_first):
        amount = min(doubted, key=lambda one: (not one.differs, one.level))
        if amount.passage is not None and amount.said is not None:
            passage = session.passages[amount.passage]
            said = amount.said.of(passage.text)
            return f"The note says “{amount.noted.shown}”; turn {passage.turn + 1} says “{said}”."
        return f"Nobody in the session says “{amount.noted.shown}” about this."
    unheard = _unheard(evidence, session, telling)
    if unheard and moved(ALL_NAMED):
        return f"Nobody in the session mentions “{unheard}”."
    return ""


def _unheard(evidence: Evidence, session: SessionIndex, telling: Set[str]) -> str:
    """A name, or else a word that is ``telling``, of the claim that nobody said. That nobody says "symptoms" tells
    nothing."""
    text = evidence.text
    missing = [word for word in evidence.words if word.content and word.stem not in session.by_stem]
    names = [word for word in missing if word.span.start and word.span.of(text)[:1].isupper()]
    found = names or [word for word in missing if word.folded in telling]
    return found[0].span.of(text) if found else ""


def _otherwise(verdict: Verdict, evidence: Evidence, nearest: str | None) -> str:
    if verdict is Verdict.CONTRADICTED and nearest is not None:
        return f"The session seems to say otherwise: {nearest}"
    if nearest is not None and evidence.row["words_near"] >= _NOT_NEAR:
        return f"The session does not say quite this. Nearest passage: {nearest}"
    if Section.PLAN in evidence.sentence.sections:
        return "The session does not mention this plan."
    return "Nothing in the session says this."


def _quote(index: int, session: SessionIndex) -> str:
    passage = session.passages[index]
    words: Sequence[str] = passage.text.split()
    text = " ".join(words[:_QUOTED_WORDS]) + ("…" if len(words) > _QUOTED_WORDS else "")
    return f"turn {passage.turn + 1}, “{text}”"
