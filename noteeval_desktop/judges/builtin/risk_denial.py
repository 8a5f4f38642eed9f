"""Danger that a note denies and the client spoke of, or reports and the client said no to: what matters most."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.judges.builtin.danger_heard import heard_in
from noteeval_desktop.judges.builtin.danger_means import GUN
from noteeval_desktop.judges.builtin.danger_time import When
from noteeval_desktop.judges.builtin.danger_turns import HeardTurn, Topic
from noteeval_desktop.judges.builtin.danger_words import Danger, Voice, named, straight
from noteeval_desktop.judges.protocol import Ledger

_DENIAL = re.compile(r"\b(?:no|not|denie[sd]|denying|without|never|negative for|absence of)\b|n['’]t\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[;.]|\b(?:but|however|although|though|while)\b|,(?=\s*(?:and\s+)?(?:denie[sd]|denying|no|not|without)\b)"
    # "No intent, hx NSSI": what is told behind a comma is not denied with what stands before it.
    r"|,(?=\s*(?:and\s+)?(?:h/?x|h/o|history|past|prior|previous\w*|reports?|endors\w+|admits?|with|w/|has|had|passive"
    r"|fleeting|chronic|ongoing|recent|mitigated|positive)(?![\w-]))",
    re.IGNORECASE,
)
_KINDS = (
    (
        re.compile(
            r"\bsuicid\w*|\bself[- ]?harm\w*|\bnssi\b|\b(?:kill|hurt\w*|harm\w*) (?:him|her|them|one)sel\w+",
            re.IGNORECASE,
        ),
        frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE}),
    ),
    (re.compile(r"\bSI\b"), frozenset({RiskKind.SUICIDE})),
    (
        re.compile(r"\bhomicid\w*|\b(?:harm|hurt)\w* (?:to )?others\b", re.IGNORECASE),
        frozenset({RiskKind.HARM_TO_OTHERS}),
    ),
    (re.compile(r"\bHI\b"), frozenset({RiskKind.HARM_TO_OTHERS})),
    (
        re.compile(
            r"\b(?:partner|domestic|physical) violence\b|\bphysical (?:aggression|altercations?)\b|\bIPV\b"
            r"|\babus(?:e|ed|ive)\b"
            r"|\b(?:hit|hits|pushed|slapped|beaten|beat|choked) (?:her|him|them)"
            r"(?= (?:in|or|during|at|before|since)\b|[.,;]|\s*$)"
        ),
        frozenset({RiskKind.ABUSE}),
    ),
    (
        re.compile(r"\bpsycho(?:sis|tic)\b|\bhallucinat\w*|\bhear(?:s|ing)? voices|\ba/?vh\b", re.IGNORECASE),
        frozenset({RiskKind.PSYCHOSIS}),
    ),
)
# "Passive SI without plan" and "denies a suicidal plan" deny the plan alone; "SI/HI: denied" the danger.
_PLAN_ALONE = re.compile(r"^\W*(?:plan|intent|means)", re.IGNORECASE)
_BEHIND = re.compile(r"^[\w/ ,-]*\W+(?:denied|none|negative|absent)\b", re.IGNORECASE)
_PLAN_DENIED = re.compile(
    r"\b(?:denie[sd]|denying|no|without)\b[^.;]{0,40}\b(?:plans?|intent(?:ions?)?|means)\b", re.IGNORECASE
)
_NO_PLAN = re.compile(
    r"\b(?:no|not an?|not any|(?:don['’]t|haven['’]t|never) (?:have|had|made|got) an?y?|without an?y?)"
    r" (?:\w+ )?plans?\b|\b(?:wouldn['’]t|would never|won['’]t|not going to|never going to)"
    r" (?:ever )?(?:do|act on) (?:it|that|anything)\b",
    re.IGNORECASE,
)
_A_PLAN = re.compile(
    r"\b(?:have|['’]ve got|made|there(?:['’]s| is)) (?:a|the) (?:\w+ )?plan\b|\bhow i(?:['’]d| would|['’]ll) do it\b"
    r"|\b(?:picked|chosen|decided on) (?:a|the) (?:day|date|place|way)\b",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\b(?:current(?:ly)?|now|since|today|at (?:this time|present)|present(?:ly)?|recent(?:ly)?)\b", re.IGNORECASE
)
_SAFE = re.compile(
    r"(?<!not )\b(?:feels?|feeling|is|are) safe (?:at home|in (?:the|her|his|their) (?:home|relationship))",
    re.IGNORECASE,
)
_EVER = re.compile(r"\b(?:history|past|ever|never|lifetime)\b", re.IGNORECASE)
_HISTORY = re.compile(r"\b(?:any|no) (?:\w+ )?history\b|\bever\b|\bnever\b|\blifetime\b", re.IGNORECASE)
_REPORTS = re.compile(r"\b(?:report|endors|express|admit|disclos|describ|stat|experienc)\w*", re.IGNORECASE)
_NOT_OWN = re.compile(
    r"\b(?:history|past|previous\w*|family|mother|father|brother|sister|friend|son|daughter|partner|husband|wife"
    r"|fears?|worr\w+|concern\w*|if)\b",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"(?:unless|only if|if)\b", re.IGNORECASE)
_HEARD_AS: Mapping[RiskKind, frozenset[Topic]] = {
    RiskKind.SUICIDE: frozenset({Danger.SUICIDE, Danger.DEATH_WISH, Danger.HARM_THOUGHT, Danger.ATTEMPT}),
    RiskKind.SELF_HARM: frozenset({Danger.SELF_HARM, Danger.HARM_THOUGHT}),
    RiskKind.OVERDOSE: frozenset({Danger.OVERDOSE, Danger.ATTEMPT}),
    RiskKind.HARM_TO_OTHERS: frozenset({Danger.HARM_OTHERS}),
}
_OF_HARM_ALONE = re.compile(r"^(?!.*(?:suicid|\bSI\b)).*(?:self[- ]?harm|nssi|self[- ]?injur)", re.IGNORECASE)
_AKIN = frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM})


def denied_dangers(
    case: Case,
    sentences: Sequence[Sentence],
    ledger: Ledger,
    cancel: threading.Event,
    plainly_denied: Callable[[], Mapping[int, set[Topic]]],
) -> dict[str, RiskFinding]:
    """For each sentence that denies a danger spoken of as present: the first such passage, the client's own if any.

    A denial of any history contradicts abuse in the past as well.

    Only passages with known wording count; what is merely close in meaning would accuse too many notes.
    ``plainly_denied`` gives the session's ``denied_plainly``; it is asked only where a sentence denies something.
    """
    denied = {s.id: dangers_denied(s.text) for s in sentences}
    if not any(denied.values()):
        return {}
    spoken = [risk for risk in ledger(case, cancel) if not risk.by_meaning]
    ever = {s.id for s in sentences if _EVER.search(s.text)}
    roles = [turn.role for turn in case.transcript.turns]
    spoken.sort(key=lambda risk: roles[risk.citation.turn] is not Role.CLIENT)
    plainly = plainly_denied()
    found = {
        id_: [
            risk
            for risk in spoken
            if risk.kind in kinds
            and _stands_against(risk, id_ in ever)
            and not _taken_for_said(risk, plainly)
            and not _of_means_alone(risk)
        ]
        for id_, kinds in denied.items()
    }
    names = {s.id: s.text for s in sentences}
    return {id_: _named_first(risks, names[id_]) for id_, risks in found.items() if risks}


def _named_first(risks: Sequence[RiskFinding], text: str) -> RiskFinding:
    """ "Denies self-harm" is shown where the client tells of it, though thoughts of dying stand against it as well."""
    named = [risk for risk in risks if risk.kind is RiskKind.SELF_HARM] if _OF_HARM_ALONE.search(text) else []
    return (named or list(risks))[0]


def denied_plainly(transcript: Transcript) -> dict[int, set[Topic]]:
    """Of each turn of the client's: the dangers that it denies, now at least, and does not tell of."""
    turns = [HeardTurn(turn.role, ((turn.index, straight(turn.text)),)) for turn in transcript.turns]
    denied: dict[int, set[Topic]] = {}
    told: dict[int, set[Topic]] = {}
    for one in heard_in(turns):
        if not one.is_so:
            denied.setdefault(one.passage, set()).add(one.topic)
        elif one.when is When.NOW and not one.faint:
            told.setdefault(one.passage, set()).add(one.topic)
    return {turn: topics for turn, topics in denied.items() if not told.get(turn)}


def _taken_for_said(risk: RiskFinding, denied: Mapping[int, set[Topic]]) -> bool:
    """ "No. I thought about it at twenty-four, not since" speaks of a danger that there is not now."""
    if risk.stance is not Stance.CURRENT:
        return False
    if _UNLESS.match(risk.citation.quote):
        return True
    topics = set().union(*(denied.get(turn, set()) for turn in (*risk.turns, risk.turns[-1] + 1)))
    return any(topic in _HEARD_AS.get(risk.kind, ()) for topic in topics)


def _of_means_alone(risk: RiskFinding) -> bool:
    """A gun in the house is a danger, and no thought of using it."""
    said = straight(risk.citation.quote)
    return bool(GUN.search(said)) and not any(named(said, Voice.CLIENT))


def _stands_against(risk: RiskFinding, any_history: bool) -> bool:
    """Against a denial, or one of ``any_history``."""
    return risk.stance is Stance.CURRENT or (any_history and risk.kind is RiskKind.ABUSE and risk.stance is Stance.PAST)


def invented_dangers(
    case: Case, sentences: Sequence[Sentence], ledger: Ledger, cancel: threading.Event
) -> dict[str, RiskFinding]:
    """For each sentence by which the client reports a danger that they said no to and nobody spoke of: that answer."""
    stated = {s.id: kinds for s in sentences if (kinds := _reported(s.text))}
    if not stated:
        return {}
    spoken = list(ledger(case, cancel))
    answers = {}
    for id_, kinds in stated.items():
        akin = kinds | (_AKIN if kinds & _AKIN else frozenset())
        known = [risk for risk in spoken if risk.kind in akin and risk.certain]
        if known and all(risk.stance is Stance.DENIED for risk in known):
            answers[id_] = known[0]
    return answers


def denial_borne_out(text: str, spoken: Sequence[RiskFinding]) -> bool:
    """Whether ``text`` denies a danger that the client denied too, and that nobody spoke of as present; one that it
    denies for now where it was spoken of as past; or a plan alone, where the client says that there is none."""
    kinds = dangers_denied(text)
    if not kinds and _PLAN_DENIED.search(text):
        asked = [risk for risk in spoken if not risk.by_meaning and risk.kind in _AKIN]
        said = any(_A_PLAN.search(risk.citation.quote) for risk in asked if risk.stance is Stance.CURRENT)
        return not said and any(risk.stance is Stance.DENIED or _NO_PLAN.search(risk.citation.quote) for risk in asked)
    akin = kinds | (_AKIN if kinds & _AKIN else frozenset())
    known = [risk for risk in spoken if not risk.by_meaning and risk.kind in akin]
    enough = {Stance.DENIED, Stance.PAST} if _FOR_NOW.search(text) else {Stance.DENIED}
    against = {Stance.CURRENT, Stance.PAST} - enough if _HISTORY.search(text) else {Stance.CURRENT}
    return any(risk.stance in enough for risk in known) and not any(risk.stance in against for risk in known)


def names_only(text: str, told: frozenset[RiskKind]) -> bool:
    """Whether clinical words in ``text`` name dangers, each of which may be one of ``told``."""
    named = [kinds for pattern, kinds in _KINDS if pattern.search(text)]
    return bool(named) and all(kinds & told for kinds in named)


def _reported(text: str) -> frozenset[RiskKind]:
    return frozenset(
        kind
        for clause in _CLAUSE.split(text)
        for pattern, kinds in _KINDS
        for found in pattern.finditer(clause)
        if _REPORTS.search(clause[: found.start()]) and not _DENIAL.search(clause) and not _NOT_OWN.search(clause)
        for kind in kinds
    )


def dangers_denied(text: str) -> frozenset[RiskKind]:
    """Clause by clause: "Self-harm is ongoing; denies SI" denies one danger and states another."""
    named = {
        kind
        for clause in _CLAUSE.split(text)
        for pattern, kinds in _KINDS
        for found in pattern.finditer(clause)
        if _is_denied(clause[: found.start()], clause[found.end() :])
        for kind in kinds
    }
    return frozenset(named | ({RiskKind.ABUSE} if _SAFE.search(text) else set()))


def _is_denied(before: str, behind: str) -> bool:
    return bool((_DENIAL.search(before) and not _PLAN_ALONE.match(behind)) or _BEHIND.match(behind))
