"""Which sentences of a note name a danger that the session holds, and which only come near it.

A danger is ticked by a sentence that names it in known words (``note`` in the lexicon) and agrees in meaning: what is
so now by an affirmation, a denial by a denial. What comes near is a question to the reader and closes nothing:
likeness ticked suicidal talk by "Worry about losing his job".
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.text.language import note_in_english
from noteeval_desktop.judges.builtin.text.words import patterns

_WORDS = patterns("risk_context.json")
# A sentence as near as this to what was said, or to the question before it, may be meant for it.
_NEAR = 0.5
_MOST_NEAR = 2
_RELATED = (
    frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE, RiskKind.ACCESS_TO_MEANS}),
    frozenset(
        {RiskKind.ABUSE, RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK, RiskKind.HARM_TO_OTHERS,
         RiskKind.COERCIVE_CONTROL, RiskKind.NEGLECT}
    ),
    frozenset({RiskKind.OVERDOSE, RiskKind.MEDICATION_MISUSE}),
)  # fmt: skip
_NO_ACCIDENT = frozenset({RiskKind.SELF_HARM, RiskKind.ABUSE})
OWN_DANGERS = (RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.HARM_TO_OTHERS)
"""What the client may mean to do, and is asked about."""
_OF_OTHERS = frozenset(_RELATED[1])
_THEIRS = frozenset({RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK})


# "Never attempted suicide", "denies any history of self-harm": a danger that is over is denied as well.
_EVER = re.compile(r"\b(?:n?ever|attempt\w*)\b")
# The dangers that a sentence names, and whether it denies what it says of safety (None where it says nothing).
_Named = tuple["tuple[Mention, ...]", bool | None]


@dataclass(frozen=True, slots=True)
class Mention:
    """A danger that a sentence of a note names: denied, long over, another person's, told as so now, asked about."""

    kind: RiskKind
    denied: bool
    past: bool
    others: bool
    so_now: bool
    asked: bool

    def agrees(self, stance: Stance, kind: RiskKind) -> bool:
        """Is it this danger, told as the session has it?"""
        if self.kind is not kind:
            return False
        own = kind in _OF_OTHERS or not self.others
        match stance:
            case Stance.CURRENT:
                return not self.denied and not self.past and own
            case Stance.PAST:
                return not self.denied and own and not self.so_now
            case Stance.OTHER_PERSON:
                return not self.denied and (self.others or kind in _THEIRS)
            case Stance.DENIED:
                return self.denied and own
            case Stance.HYPOTHETICAL:
                return not self.denied and own
            case Stance.ASKED:
                return own and self.asked


def mentions(text: str) -> tuple[Mention, ...]:
    """Every danger that a sentence of a note names, clause by clause."""
    lexicon = risk_lexicon()
    folded = lexicon.folded(text, {})
    found, asked = [], bool(_WORDS["note_asked"].search(folded))
    for clause in filter(None, _WORDS["note_clause"].split(folded)):
        dated = _WORDS["note_not_now"].sub(" ", clause)
        over, now = bool(_WORDS["note_past"].search(clause)), bool(_WORDS["note_now"].search(dated))
        past, so_now = over and not now, not over and (now or bool(_WORDS["note_goes_on"].search(clause)))
        for kind, words in lexicon.note.items():
            if kind in _NO_ACCIDENT and _WORDS["note_by_accident"].search(clause):
                continue
            for match in words.finditer(clause):
                before = clause[: match.start()]
                denied = bool(_WORDS["note_denied_behind"].search(clause[match.end() :])) or _denied_before(before)
                found.append(Mention(kind, denied, past, bool(_WORDS["note_anothers"].search(before)), so_now, asked))
    return tuple(dict.fromkeys(found))


def _denied_before(before: str) -> bool:
    told = [match.start() for match in _WORDS["note_tells"].finditer(before)]
    return bool(_WORDS["note_denies"].search(before[told[-1] :] if told else before))


def addressing_sentences(
    findings: Sequence[RiskFinding],
    transcript: Transcript,
    note: Note,
    embedder: Embedder | None,
    cancel: threading.Event | None,
) -> tuple[RiskFinding, ...]:
    """The findings with ``addressed_by`` (sentences that name the danger and agree) and ``near`` filled in.

    Whether a note in another language does is not known: then ``addressed_by`` is None.
    """
    if not findings or not note.sentences:
        return tuple(findings)
    if not note_in_english(note):
        return tuple(replace(finding, addressed_by=None) for finding in findings)
    named = [(mentions(sentence.text), _on_safety(sentence.text)) for sentence in note.sentences]
    close = np.zeros((len(findings), len(note.sentences)))
    if embedder is not None:
        sentences = embedder.embed([sentence.text for sentence in note.sentences], cancel)
        for row, finding in enumerate(findings):
            asked = [transcript.turns[turn].text for turn in finding.turns if turn == finding.citation.turn - 1]
            said = embedder.embed([finding.citation.quote, *asked], cancel)
            close[row] = (said @ sentences.T).max(axis=0)
    return tuple(
        _with_answers(finding, note.sentences, named, list(near)) for finding, near in zip(findings, close, strict=True)
    )


def _with_answers(
    finding: RiskFinding, sentences: Sequence[Sentence], named: Sequence[_Named], close: Sequence[float]
) -> RiskFinding:
    # A question that was likely answered is told by the answer.
    meant = {finding.stance, *finding.or_meant} - {Stance.ASKED} or {Stance.ASKED}
    agree = [any(all(one.agrees(stance, finding.kind) for stance in meant) for one in own) for own, _ in named]
    ranked = sorted(
        (not any(related(finding.kind, (one.kind,)) for one in own), -closeness, place)
        for place, ((own, denies), closeness) in enumerate(zip(named, close, strict=True))
        if not agree[place] and _comes_near(finding, own, denies, closeness)
    )
    return replace(
        finding,
        addressed_by=tuple(one.id for one, agrees in zip(sentences, agree, strict=True) if agrees),
        near=tuple(sentences[place].id for _, _, place in ranked[:_MOST_NEAR]),
    )


def _on_safety(text: str) -> bool | None:
    """Is a sentence about safety (None where not), and does it deny?"""
    words = risk_lexicon().folded(text, {})
    found = risk_lexicon().near.search(words)
    return _denied_before(words[: found.start()]) if found else None


def _comes_near(finding: RiskFinding, named: Sequence[Mention], denies: bool | None, closeness: float) -> bool:
    """What denies an affirmed danger is nothing to confirm it with; ``denies`` as ``_on_safety``."""
    told = [one for one in named if related(finding.kind, (one.kind,))]
    if told and finding.stance is not Stance.DENIED:
        return any(not one.denied for one in told)
    if denies and finding.stance is not Stance.DENIED:
        return False
    return bool(told) or denies is not None or closeness > _NEAR


def with_told(
    findings: Iterable[RiskFinding], note: Note, claims: Mapping[str, ClaimVerdict]
) -> tuple[RiskFinding, ...]:
    """The findings that no sentence names, near to what the session bears out of the note: a statement on risk that
    cites a turn of its stretch ("Worry about losing his job" may well rest on one, too). ``claims``: by sentence."""
    on_risk = [
        (sentence.id, {cited.turn for cited in claim.citations}, any(one.denied for one in mentions(sentence.text)))
        for sentence in note.sentences
        if harm_of_sentence(sentence) is Harm.RISK
        and (claim := claims.get(sentence.id)) is not None
        and claim.verdict is Verdict.SUPPORTED
    ]

    def near(finding: RiskFinding) -> tuple[str, ...]:
        affirmed = finding.stance is not Stance.DENIED
        told = [name for name, turns, denies in on_risk if turns & set(finding.turns) and not (denies and affirmed)]
        return tuple(dict.fromkeys((*told, *finding.near)))[:_MOST_NEAR]

    return tuple(replace(one, near=near(one)) if one.addressed_by == () else one for one in findings)


def dangers_in(text: str) -> dict[RiskKind, bool]:
    """The kinds of danger that a sentence of a note names; True where it only denies them. "No safety concerns" denies
    each that the client may mean to do."""
    folded = risk_lexicon().folded(text, {})
    at_large = risk_lexicon().at_large.search(folded)
    denies = at_large is not None and _denied_before(folded[: at_large.start()])
    found: dict[RiskKind, bool] = dict.fromkeys(OWN_DANGERS, True) if denies else {}
    for one in mentions(text):
        found[one.kind] = found.get(one.kind, True) and one.denied
    return found


def denies_ever(text: str) -> bool:
    """Does a sentence of a note deny a danger for all time, and not only for now?"""
    ever = bool(_EVER.search(risk_lexicon().folded(text, {})))
    return any(one.denied and (ever or one.past) for one in mentions(text))


def named_in(quote: str) -> frozenset[RiskKind]:
    """The kinds of danger whose own words a passage of the session holds."""
    lexicon = risk_lexicon()
    return frozenset(kind for kind, _ in lexicon.matches(lexicon.folded(quote, {})))


def related(kind: RiskKind, others: Iterable[RiskKind]) -> bool:
    """Is any of the others this danger, or so near to it that a note on it may mean this one?"""
    return kind in (others := tuple(others)) or any(kind in group and group.intersection(others) for group in _RELATED)
