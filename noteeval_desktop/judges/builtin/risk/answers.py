"""Which sentences of a note speak of a danger that the session holds."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.language import is_english
from noteeval_desktop.judges.builtin.risk.head import STANCES, RiskHead, risk_head
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from noteeval_desktop.judges.builtin.risk.talk import KINDS

Floats = NDArray[np.float64]
_RELATED = (
    frozenset({RiskKind.SUICIDE, RiskKind.SELF_HARM, RiskKind.OVERDOSE, RiskKind.ACCESS_TO_MEANS}),
    frozenset(
        {RiskKind.ABUSE, RiskKind.COERCIVE_CONTROL, RiskKind.CHILD_AT_RISK, RiskKind.ELDER_AT_RISK,
         RiskKind.HARM_TO_OTHERS, RiskKind.NEGLECT}
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

    By the trained head, or by words where there is no encoder that it knows. Whether a note in another language
    addresses anything is not known. Raises Cancelled.
    """
    if not findings or not note.sentences:
        return tuple(findings)
    texts = [sentence.text for sentence in note.sentences]
    if not is_english(" ".join(texts)):
        return tuple(replace(finding, addressed_by=None) for finding in findings)
    named = kinds_named(texts)
    head = risk_head()
    if embedder is None or head is None or head.answer is None or not head.reads(embedder):
        answered = np.array([[_by_words(finding, own) for own in named] for finding in findings])
    else:
        said = embedder.embed([passage(finding, transcript) for finding in findings], cancel)
        told = embedder.embed(texts, cancel)
        answered = head.answers(rows(findings, said, told, named, head)) >= head.answering
    return tuple(
        replace(finding, addressed_by=tuple(s.id for s, yes in zip(note.sentences, own, strict=True) if yes))
        for finding, own in zip(findings, answered, strict=True)
    )


def kinds_named(texts: Sequence[str]) -> list[dict[RiskKind, bool]]:
    """For each sentence of a note the kinds of danger that it names; True where it denies them."""
    lexicon, spellings = risk_lexicon(), dict[str, str]()
    found = []
    for text in texts:
        folded = lexicon.folded(text, spellings)
        own = {kind: match.start() for kind, match in lexicon.matches(folded)}
        for kind, words in lexicon.note.items():
            noted = words.search(folded)
            if noted:
                own[kind] = min(noted.start(), own.get(kind, noted.start()))
        found.append(
            {
                kind: bool(_DENIES.search(folded[:start]) or _DENIED_BEHIND.search(folded[start:]))
                for kind, start in own.items()
            }
        )
    return found


def rows(
    findings: Sequence[RiskFinding],
    said: NDArray[np.float32],
    told: NDArray[np.float32],
    named: Sequence[Mapping[RiskKind, bool]],
    head: RiskHead,
) -> Floats:
    """(findings, sentences, features): how near a sentence comes to a passage, and to what else is said of the same
    danger; what it names, denies and means by itself."""
    near = said @ told.T
    place = near.argsort(axis=1).argsort(axis=1) / max(1, len(told) - 1)
    back = near.argsort(axis=0).argsort(axis=0) / max(1, len(findings) - 1)
    kinds = np.array([KINDS.index(finding.kind) for finding in findings])
    alike = np.array([near[kinds == kind].max(axis=0) for kind in kinds])
    padded = np.zeros((len(told), head.first.kind.weights.shape[1]), dtype=np.float32)
    padded[:, : told.shape[1]] = told
    shares, means = head.first.kind.shares(padded), head.first.sentence.odds(told)[:, 0]
    found = np.zeros((len(findings), len(told), 16 + len(STANCES)))
    for row, finding in enumerate(findings):
        same = np.array([finding.kind in own for own in named], dtype=float)
        kin = np.array([_related(finding.kind, own) for own in named], dtype=float)
        denied = np.array([_denied(finding.kind, own) for own in named], dtype=float)
        current = float(finding.stance is Stance.CURRENT)
        unsaid = float(finding.stance in (Stance.DENIED, Stance.ASKED))
        columns = (
            near[row], np.maximum(near[row] - 0.4, 0), alike[row], place[row], back[row], same, kin,
            np.array([bool(own) for own in named], dtype=float), denied * current, denied * unsaid, same * near[row],
            means, np.log(shares[:, kinds[row]] + 1e-3), same * place[row], means * near[row],
            np.full(len(told), len(told) / 20),
        )  # fmt: skip
        found[row, :, : len(columns)] = np.column_stack(columns)
        found[row, :, len(columns) + STANCES.index(finding.stance)] = 1
    return found


def _by_words(finding: RiskFinding, own: Mapping[RiskKind, bool]) -> bool:
    """A sentence that names the danger addresses it, but for one that denies what the client affirms. What was asked or
    denied is addressed by what is said of its relatives: they are asked about in one breath."""
    if finding.stance is Stance.CURRENT and _denied(finding.kind, own):
        return False
    in_one = finding.stance in (Stance.DENIED, Stance.ASKED) and _related(finding.kind, own)
    return finding.kind in own or in_one


def _denied(kind: RiskKind, own: Mapping[RiskKind, bool]) -> bool:
    """Does the sentence deny this danger, or, where it does not name it, one of its relatives?"""
    return own[kind] if kind in own else any(denied for other, denied in own.items() if _related(kind, (other,)))


def _related(kind: RiskKind, others: Iterable[RiskKind]) -> bool:
    return any(kind in group and group.intersection(others) for group in _RELATED)


def passage(finding: RiskFinding, transcript: Transcript) -> str:
    """What was said of it: the question with its answer, or the passage."""
    before = finding.citation.turn - 1
    asked = f"{transcript.turns[before].text} " if before in finding.turns else ""
    return asked + finding.citation.quote
