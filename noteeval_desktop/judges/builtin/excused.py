"""Which kinds of change no head need be asked of: what looks odd in a claim for a reason that a rule knows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.judges.builtin.features_claim import Reading
from noteeval_desktop.judges.builtin.findings import Clash
from noteeval_desktop.judges.builtin.misplaced_classes import drugs_in
from noteeval_desktop.judges.builtin.polarity import is_negation
from noteeval_desktop.judges.builtin.risk import states_limits
from noteeval_desktop.judges.builtin.risk_denial import denial_borne_out, names_only
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support_heads import KINDS
from noteeval_desktop.measures.changes import ChangeKind

_NAMES = (ChangeKind.TERM, ChangeKind.FACT)
_FEWEST_TURNS = 3
_CALLED = frozenset({"client", "patient", "cl", "pt", "c", "p"})
# What a note calls by its clinical name and a client by another.
_SAID_AS = {
    r"caffeine": r"coffees?|espressos?|lattes?|teas?|energy drinks?|sodas?|colas?|red bulls?",
    r"alcohol|etoh": r"drink\w*|drank|drunk|beers?|wine|vodka|whiske?y|liquor|booze|cocktails?|shots?|bourbon|rum|gin",
    r"nicotine|tobacco": r"smok\w+|cigarettes?|vap\w+|juul\w*|cigars?|chew\w*",
    r"cannabis|marijuana|thc": r"weed|pot|joints?|edibles?|gumm(?:y|ies)|bongs?|stoned|dabs?",
    r"cocaine": r"coke|crack|blow",
    r"opioids?|opiates?": r"oxy\w*|perc\w*|heroin|fent\w*|vicodin|norco|pain ?(?:pills?|killers?)|methadone|suboxone",
    r"methamphetamines?|amphetamines?": r"meth|crystal|speed|adderall|ritalin|vyvanse",
    r"benzodiazepines?|benzos?": r"xanax|klonopin|ativan|valium|alprazolam|clonazepam|lorazepam|diazepam",
    r"gambling": r"gambl\w+|bets?|betting|casinos?|slots?|poker|scratch\w*",
}
_SAID = tuple(
    (re.compile(name, re.IGNORECASE), re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for name, words in _SAID_AS.items()
)
_TOLD = (Stance.CURRENT, Stance.PAST)
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_CONDITION = re.compile(r"\b(?:if|unless|should)\b[^:;,.]{0,160}(?=[:;,])", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_CONFIDENCE = re.compile(r"\bconfidential\w*", re.IGNORECASE)


def excused(
    readings: Sequence[Reading], spoken: Sequence[RiskFinding], transcript: Transcript, session: SessionIndex
) -> NDArray[np.bool_]:
    """(readings, ``KINDS``): what looks changed and is not. ``spoken`` is the session's ledger.

    The session speaks of that danger or of none; it names the thing as people do; or it has several clients, each of
    whom is somebody's husband or mother and says "I", so that nobody's turn tells whom the note means.
    """
    heard = frozenset(risk.kind for risk in spoken if not risk.by_meaning)
    told = frozenset(risk.kind for risk in spoken if not risk.by_meaning and risk.stance in _TOLD)
    limits, crowd = states_limits(transcript), several_clients(transcript)
    found = np.zeros((len(readings), len(KINDS)), dtype=bool)
    for number, reading in enumerate(readings):
        claim = reading.claim.text
        if _names_what_was_heard(reading, heard):
            found[number, [KINDS.index(kind) for kind in _NAMES]] = True
        if _named_otherwise(reading, session):
            found[number, KINDS.index(ChangeKind.TERM)] = True
        if (limits and _CONFIDENCE.search(claim)) or names_only(claim, told):
            found[number, KINDS.index(ChangeKind.FACT)] = True
        if denial_borne_out(claim, spoken) or _denies_nothing_itself(reading, session):
            found[number, KINDS.index(ChangeKind.NEGATION)] = True
        found[number, KINDS.index(ChangeKind.PERSON)] = crowd
    return found


def several_clients(transcript: Transcript) -> bool:
    """A couple, a family, a parent beside a child, a friend who is called in: besides the therapist, more than one
    speaker who says more than a word in passing."""
    turns = Counter(turn.speaker for turn in transcript.turns if turn.role is not Role.THERAPIST and turn.text.strip())
    return sum(count >= _FEWEST_TURNS for count in turns.values()) > 1


def told_apart(transcript: Transcript) -> dict[int, str]:
    """Who speaks in each of the clients' turns, by the turn's number, where there are several; else empty."""
    if not several_clients(transcript):
        return {}
    return {
        turn.index: turn.speaker
        for turn in transcript.turns
        if turn.role is not Role.THERAPIST and turn.speaker.lower() not in _CALLED
    }


def _denies_nothing_itself(reading: Reading, session: SessionIndex) -> bool:
    """Whether each "not" of the claim stands in the client's own words, quoted, or in what is to be done if."""
    claim = reading.claim
    quotes = [found for found in _QUOTED.finditer(claim.text) if _said_just_so(found[1], session)]
    aside = [Span(*found.span()) for found in (*quotes, *_CONDITION.finditer(claim.text))]
    cues = [word.span for word in claim.words if is_negation(word)]
    return bool(cues) and all(any(part.contains(cue.start) for part in aside) for cue in cues)


def _said_just_so(quote: str, session: SessionIndex) -> bool:
    own = " ".join(_WORD.findall(quote.lower().replace("’", "'")))
    told = (" ".join(_WORD.findall(passage.text.lower().replace("’", "'"))) for passage in session.passages)
    return bool(own) and any(own in text for text in told)


def _names_what_was_heard(reading: Reading, heard: frozenset[RiskKind]) -> bool:
    """ "Self-harm" is the clinician's name for what the client called cutting: no word of it need come up."""
    unheard = _unheard(reading)
    return bool(unheard) and all(names_only(words, heard) for words in unheard)


def _named_otherwise(reading: Reading, session: SessionIndex) -> bool:
    """ "Caffeine" is the coffee that was spoken of, "sertraline" the Zoloft; not where a rule tells what was said in
    its place."""
    unheard = _unheard(reading)
    if any(finding.surely and finding.clash is Clash.TERM for finding in reading.checks.findings):
        return False
    named = {span.of(reading.claim.text): keys for span, keys in drugs_in(reading.claim.words)}
    return bool(unheard) and all(
        any(name.fullmatch(word) and _comes_up(words, session) for name, words in _SAID)
        or named.get(word, frozenset()) & _drugs_said(session)
        for word in unheard
    )


def _comes_up(words: re.Pattern[str], session: SessionIndex) -> bool:
    return session.once((_comes_up, words), lambda: any(words.search(passage.text) for passage in session.passages))


def _drugs_said(session: SessionIndex) -> frozenset[str]:
    def said() -> frozenset[str]:
        return frozenset(key for passage in session.passages for _, keys in drugs_in(passage.words) for key in keys)

    return session.once(_drugs_said, said)


def _unheard(reading: Reading) -> list[str]:
    return [finding.noted.of(reading.claim.text) for finding in reading.checks.findings if finding.clash is Clash.TERM]
