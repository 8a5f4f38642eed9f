"""Which sentences of a note speak of a danger that the session holds."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.text.language import is_english

_SAYS_THE_SAME = 0.62
# No word says which danger a stretch heard by its meaning is about; a sentence as near as this to any of its turns
# takes it up. Of 199 such stretches that were said to be unanswered in authors unseen, 4 were; so 59 are left.
_TAKEN_UP = 0.5
_RELATED = (
    frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE, RiskKind.ACCESS_TO_MEANS}),
    frozenset(
        {RiskKind.ABUSE, RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK, RiskKind.HARM_TO_OTHERS,
         RiskKind.COERCIVE_CONTROL, RiskKind.NEGLECT}
    ),
    frozenset({RiskKind.OVERDOSE, RiskKind.MEDICATION_MISUSE}),
)  # fmt: skip
# "SI without plan" affirms: a denial stands before the danger, or ends what is said of it ("SI/HI: denied.").
_DENIES = re.compile(r"\b(?:denie[sd]|denying|no|not|negative for|without|never)\b[^;.]{0,60}$")
_DENIED_BEHIND = re.compile(
    r"^[\w/-]+(?:[ :=&/–—-]+(?:ideations?|thoughts?|intent|plans?|risk|history|attempts?|behaviou?rs?|urges?|and|or|si|"
    r"hi|nssi|suicid\w*|homicid\w*|self-harm|harm|to|others|hallucinations?|delusions?|current(?:ly)?|recent|today|is|"
    r"was|were|are|has|have|been|both))*"
    r"[ :=–—-]+(?:\(-\)|(?:denie[sd]|none|no|nil|absent|negative|not (?:reported|endorsed|present|elicited))"
    r"(?: (?:reported|noted|endorsed|by client|today|currently|at this time|at present|in session))*(?=\W*$|[.;,]))"
)


def addressing_sentences(
    findings: Sequence[RiskFinding],
    transcript: Transcript,
    note: Note,
    embedder: Embedder | None,
    cancel: threading.Event | None,
) -> tuple[RiskFinding, ...]:
    """The findings with ``addressed_by`` filled in.

    A sentence addresses a finding when it speaks of the same kind of danger, or says much the same. One that denies
    the danger does not address what the client affirmed; "denies SI" also answers that self-harm was asked about and
    denied. Whether a note in another language does is not known.
    """
    if not findings or not note.sentences:
        return tuple(findings)
    if not is_english(" ".join(sentence.text for sentence in note.sentences)):
        return tuple(replace(finding, addressed_by=None) for finding in findings)
    kinds = [dangers_in(sentence.text) for sentence in note.sentences]
    close = np.zeros((len(findings), len(note.sentences)), dtype=bool)
    if embedder is not None:
        sentences = embedder.embed([sentence.text for sentence in note.sentences], cancel)
        for row, finding in enumerate(findings):
            if finding.by_meaning:
                turns = embedder.embed([transcript.turns[turn].text for turn in finding.turns], cancel)
                close[row] = (turns @ sentences.T).max(axis=0) > _TAKEN_UP
            elif any(finding.kind not in own and related(finding.kind, own) for own in kinds):
                # What a passage says only matters to sentences on a relative of its danger.
                passage = embedder.embed([_passage(finding, transcript)], cancel)
                close[row] = passage[0] @ sentences.T > _SAYS_THE_SAME
    result = []
    for finding, near in zip(findings, close, strict=True):
        ids = [
            sentence.id
            for sentence, own, same in zip(note.sentences, kinds, near, strict=True)
            if (
                finding.kind in own
                or (same and (finding.by_meaning or related(finding.kind, own)))
                or _told_in_one(finding, own)
            )
            and not (finding.stance is Stance.CURRENT and _denied(finding.kind, own))
        ]
        result.append(replace(finding, addressed_by=tuple(ids)))
    return tuple(result)


def with_told(
    findings: Iterable[RiskFinding], note: Note, claims: Mapping[str, ClaimVerdict]
) -> tuple[RiskFinding, ...]:
    """The findings, those without an answer addressed by what the session bears out of the note: a statement that cites
    the passage itself, or one on risk that cites a turn of its stretch. None that denies what is so now. ``claims``: by
    sentence."""
    resting = {
        sentence: {citation.turn for citation in claim.citations}
        for sentence in note.sentences
        if (claim := claims.get(sentence.id)) is not None and claim.verdict is Verdict.SUPPORTED
    }

    def tells(sentence: Sentence, finding: RiskFinding) -> bool:
        turns = resting[sentence]
        on_risk = harm_of_sentence(sentence) is Harm.RISK and not turns.isdisjoint(finding.turns)
        denied = finding.stance is Stance.CURRENT and _denied(finding.kind, dangers_in(sentence.text))
        return (finding.citation.turn in turns or on_risk) and not denied

    return tuple(
        replace(finding, addressed_by=tuple(sentence.id for sentence in resting if tells(sentence, finding)))
        if finding.addressed_by == ()
        else finding
        for finding in findings
    )


def dangers_in(text: str) -> dict[RiskKind, bool]:
    """The kinds of danger that a sentence of a note speaks of; True where it denies them."""
    lexicon = risk_lexicon()
    folded = lexicon.folded(text, {})
    found = {kind: match.start() for kind, match in lexicon.matches(folded)}
    for kind, words in lexicon.note.items():
        noted = words.search(folded)
        if noted:
            found[kind] = min(noted.start(), found.get(kind, noted.start()))
    return {
        kind: bool(_DENIES.search(folded[:start]) or _DENIED_BEHIND.search(folded[start:]))
        for kind, start in found.items()
    }


def named_in(quote: str) -> frozenset[RiskKind]:
    """The kinds of danger whose own words a passage of the session holds."""
    lexicon = risk_lexicon()
    return frozenset(kind for kind, _ in lexicon.matches(lexicon.folded(quote, {})))


def _told_in_one(finding: RiskFinding, own: Mapping[RiskKind, bool]) -> bool:
    """Thoughts of dying and of hurting oneself are asked in one breath; a note that tells of the one, or denies it,
    answers that the other was asked about and denied."""
    if finding.stance not in (Stance.DENIED, Stance.ASKED) or finding.kind not in _RELATED[0]:
        return False
    return bool(_RELATED[0].intersection(own))


def _denied(kind: RiskKind, own: Mapping[RiskKind, bool]) -> bool:
    """Does the sentence deny this danger, or, where it does not name it, one of its relatives?"""
    if kind in own:
        return own[kind]
    return any(denied for other, denied in own.items() if related(kind, (other,)))


def related(kind: RiskKind, others: Iterable[RiskKind]) -> bool:
    """Is any of the others so near to this danger that a note on it speaks of this one?"""
    return any(kind in group and group.intersection(others) for group in _RELATED)


def _passage(finding: RiskFinding, transcript: Transcript) -> str:
    """The question with its answer, or the passage."""
    if len(finding.turns) == 1:
        return finding.citation.quote
    return " ".join(transcript.turns[index].text for index in finding.turns)
