"""A danger that a note states and the client denied, or denies and the client told of; now or ever.

Each danger for itself, in clear words alone: what is merely close in meaning would accuse too many notes. What the
client said both ways condemns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.danger_heard import heard
from noteeval_desktop.judges.builtin.danger_noted import Noted, Tense, dangers_noted
from noteeval_desktop.judges.builtin.danger_time import When
from noteeval_desktop.judges.builtin.danger_turns import Blow, Heard, Topic
from noteeval_desktop.judges.builtin.danger_words import Danger
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, Reading
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon

_THINKING = frozenset({Danger.SUICIDE, Danger.DEATH_WISH, Danger.HARM_THOUGHT})
# Denying one of these denies the danger; telling of one of those bears it out.
_DENIED_WITH: Mapping[Topic, frozenset[Danger]] = {
    Danger.SUICIDE: _THINKING,
    Danger.PLAN: frozenset({Danger.PLAN, Danger.SUICIDE}),
    Danger.INTENT: frozenset({Danger.INTENT, Danger.SUICIDE}),
}
_ALL_OF_IT = _THINKING | {Danger.PLAN, Danger.INTENT, Danger.ATTEMPT}
_BORNE_OUT_BY: Mapping[Topic, frozenset[Danger]] = {
    Danger.SUICIDE: _ALL_OF_IT,
    Danger.DEATH_WISH: _ALL_OF_IT,
    Danger.HARM_THOUGHT: _ALL_OF_IT | {Danger.SELF_HARM},
    Danger.ATTEMPT: frozenset({Danger.ATTEMPT, Danger.OVERDOSE}),
    Danger.OVERDOSE: frozenset({Danger.ATTEMPT, Danger.OVERDOSE}),
    Danger.INTENT: frozenset({Danger.INTENT, Danger.ATTEMPT}),
}
_TOLD_BY: Mapping[Topic, frozenset[Danger]] = {
    Danger.SUICIDE: frozenset({Danger.SUICIDE, Danger.PLAN}),
}
_PARTNER = re.compile(r"\b(?:husband|wife|partner|boyfriend|girlfriend|spouse|fianc[eé]e?)\b", re.IGNORECASE)
_MOTHER, _FATHER = re.compile(r"\b(?:mother|mum|mom)"), re.compile(r"\b(?:father|dad)")
_CALLED: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("mother", "mom", "mum", "mother-in-law"), _MOTHER),
    **dict.fromkeys(("father", "dad", "father-in-law"), _FATHER),
}
_BACK = 5


def endangered(reading: Reading, vectors: ClaimVectors, session: SessionIndex, lexicon: ClaimLexicon) -> list[Finding]:
    """At most one finding: the first danger that the session tells of otherwise."""
    for noted in dangers_noted(reading.claim.text):
        against = _against(noted, heard(session), session)
        if against is not None:
            clash = Clash.AFFIRMATION if noted.is_so else Clash.NEGATION
            return [Finding(clash, noted.span, against.passage, against.span, surely=True)]
    return []


def vouched_for(text: str, session: SessionIndex) -> list[Span]:
    """The clauses of a sentence of a note whose dangers the client told of, or denied, just as the note has it."""
    all_noted = list(dangers_noted(text))
    doubted = {noted.clause for noted in all_noted if not _told_alike(noted, heard(session), session)}
    return list(dict.fromkeys(noted.clause for noted in all_noted if noted.clause not in doubted))


def _told_alike(noted: Noted, all_heard: Sequence[Heard], session: SessionIndex) -> bool:
    if _against(noted, all_heard, session) is not None:
        return False
    own = [
        one
        for one in all_heard
        if not one.faint
        and any(_is_of(one.topic, topic, {} if one.is_so else _DENIED_WITH) for topic in noted.topics)
        and _same_person(noted, one, session)
    ]
    alike = [one for one in own if one.is_so is noted.is_so]
    if noted.is_so:
        return any(noted.tense is not Tense.NOW or one.when is When.NOW for one in alike)
    lasting = noted.tense is Tense.PAST
    return any(not lasting or one.when is When.EVER for one in alike) and not any(
        one.is_so and (lasting or one.when is When.NOW) for one in own
    )


def _against(noted: Noted, all_heard: Sequence[Heard], session: SessionIndex) -> Heard | None:
    found: Heard | None = None
    for topic in sorted(noted.topics, key=str):  # a statement needs all of them denied; a denial, one of them told
        near = [one for one in all_heard if _same_person(noted, one, session) or (one.is_so and noted.is_so)]
        own = _stated_against(noted, topic, near) if noted.is_so else _denied_against(noted, topic, near)
        if own is None and noted.is_so:
            return None
        found = found or own
    return found


def _stated_against(noted: Noted, topic: Topic, all_heard: Sequence[Heard]) -> Heard | None:
    """A denial of what the note states, unless the client also told of it."""
    bearing = [one for one in all_heard if one.is_so and _is_of(one.topic, topic, _BORNE_OUT_BY)]
    denying = [one for one in all_heard if not one.is_so and _is_of(one.topic, topic, _DENIED_WITH)]
    if noted.tense is Tense.NOW:
        last = max((one.passage for one in denying if one.topic == topic), default=-1)
        bearing = [one for one in bearing if one.when is not When.PAST and not (one.loose and one.passage <= last)]
        own = {one.topic for one in bearing}
        if topic in _THINKING and any(one.when is When.NOW for one in denying if one.topic == topic):
            own -= {Danger.ATTEMPT}
        return _plainest(denying, topic) if not own else None
    if noted.tense is Tense.PAST:
        denying = [one for one in denying if one.when is When.EVER]
    return _plainest(denying, topic) if not bearing else None


def _plainest(denying: Sequence[Heard], topic: Topic) -> Heard | None:
    """The first that denies this danger itself, or that its like ever was."""
    return min(denying, key=lambda one: (one.topic != topic, one.when is not When.EVER), default=None)


def _denied_against(noted: Noted, topic: Topic, all_heard: Sequence[Heard]) -> Heard | None:
    """What the client told of plainly; of what is denied for now, unless they denied it, too."""
    told = [one for one in all_heard if one.is_so and not one.faint and _is_of(one.topic, topic, _TOLD_BY)]
    if noted.tense is Tense.PAST:
        never = any(not one.is_so and one.when is When.EVER and one.topic == topic for one in all_heard)
        told += [one for one in all_heard if one.is_so and one.when is When.PAST and one.topic == topic and not never]
        return told[0] if told else None
    if noted.in_reach and any(one.topic is Danger.LOCK for one in all_heard):  # at home, and another has the key
        return None
    told = [one for one in told if one.when is When.NOW]
    denied = [one for one in all_heard if not one.is_so and one.topic == topic]
    if isinstance(topic, Blow):  # "he's never hit me, but he shoves"
        denied = [one for one in denied if all(one.passage != other.passage for other in told)]
    return told[0] if told and not denied else None


def _is_of(one: Topic, topic: Topic, kin: Mapping[Topic, frozenset[Danger]]) -> bool:
    if isinstance(topic, Blow) or isinstance(one, Blow):
        return (
            isinstance(topic, Blow)
            and isinstance(one, Blow)
            and all(a == b or "any" in (a, b) for a, b in zip(one, topic, strict=True))
        )
    return one in kin.get(topic, frozenset()) or one is topic


def _same_person(noted: Noted, one: Heard, session: SessionIndex) -> bool:
    """A blow is told of the person whom the note names, as far as one was named near it."""
    if not isinstance(one.topic, Blow) or not noted.who:
        return True
    near = " ".join(passage.text for passage in session.passages[max(0, one.passage - _BACK) : one.passage + 1]).lower()
    if _CALLED.get(noted.who.lower(), re.compile(re.escape(noted.who.lower()))).search(near):
        return True
    return bool(_PARTNER.search(noted.who) and _PARTNER.search(near))
