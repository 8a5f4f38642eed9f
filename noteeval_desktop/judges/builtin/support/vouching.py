"""Which claims the built-in judge cannot vouch for, and the turns that bear on each: what to ask a second judge about.

It vouches for what stands in the session nearly word for word, and for nothing on risk, medication, dose, plan, side of
the body, or on who did something: there a word decides, and the words around it are the same either way.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence

from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, Verdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.completeness.general_items import speaks_of_safety
from noteeval_desktop.judges.builtin.risk.note import dangers_in
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.support.retrieval import READ, Retriever
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.polarity import negated
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon
from noteeval_desktop.judges.protocol import Doubt

# Of the words that tell something, so many in a hundred stand in one window.
_NEARLY_ALL = 0.9
_DOSE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s*(?:mg|mcg|µg|ml|g|units?|tablets?|pills?|drops?)\b|\bdos(?:e|es|age)\b|"
    r"\b(?:medicat\w*|meds?|prescri\w*|taper\w*|titrat\w*|refills?|side effects?|adheren\w*|complian\w*)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|plans?|planned|agree[sd]?|homework|assign\w*|refer(?:red|ral|s)?|follow[- ]?up|next (?:session|week|"
    r"appointment|visit)|schedul\w*|return(?:s|ing)? in)\b",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"\b(?:left|right)[- ](?:sided?\b|(?:\w+ )?(?:arm|hand|wrist|leg|knee|foot|ankle|hip|shoulder|ear|eye|breast)\b)|"
    r"\b(?:bi|uni)lateral\w*",
    re.IGNORECASE,
)
_OTHER_DOER = re.compile(
    r"\b(?:therapist|clinician|counsell?or|provider|writer|doctor|psychiatrist|nurse)\b", re.IGNORECASE
)


def doubts(
    sentences: Sequence[Sentence],
    claims: Mapping[str, ClaimVerdict],
    session: SessionIndex,
    retriever: Retriever,
    embedder: Embedder,
    lexicon: ClaimLexicon,
    cancel: threading.Event,
) -> Iterator[Doubt]:
    """``claims`` by sentence; one that makes none is not asked about. Raises Cancelled, ModelError."""
    open_ = [s for s in sentences if s.id in claims and not claims[s.id].set_aside]
    for sentence, found in zip(open_, retriever(open_, session, embedder, lexicon, cancel), strict=True):
        windows = [window.passages for window in found[:READ]]
        text, claim = expand(sentence.text), claims[sentence.id]
        sure = claim.verdict is Verdict.SUPPORTED and claim.confidence is not Confidence.UNSURE
        if sure and not grave(sentence, lexicon) and any(_says(text, window, session, lexicon) for window in windows):
            continue
        turns = {session.passages[index].turn for window in windows for index in window}
        turns |= {citation.turn for citation in claim.citations}
        yield Doubt(sentence.id, tuple(sorted(turns)))


def grave(sentence: Sentence, lexicon: ClaimLexicon) -> bool:
    """Whether the sentence is on risk, medication, dose, plan, side, or on what another than the client does."""
    text = sentence.text
    words = {word.folded for word in lexicon.words(text)}
    on_terms = words & (lexicon.risk | lexicon.medications) or words & lexicon.relations.keys()
    patterns = (_DOSE, _PLAN, _SIDE, _OTHER_DOER)
    return (
        bool(on_terms)
        or Section.PLAN in sentence.sections
        or bool(dangers_in(text))
        or speaks_of_safety(text)
        or any(pattern.search(text) for pattern in patterns)
    )


def _says(text: str, window: Sequence[int], session: SessionIndex, lexicon: ClaimLexicon) -> bool:
    """Whether the passages hold nearly all words of the claim, every number, and deny as little as it does."""
    words = lexicon.words(text)
    told = {word.stem for word in words if word.content}
    if not told or negated(words):
        return False
    passages = [session.passages[index] for index in window]
    heard = {word.stem for p in passages for n, word in enumerate(p.words) if word.content and n not in p.negated}
    numbers = {word.stem for word in words if word.folded[:1].isdigit()}
    return len(told & heard) >= _NEARLY_ALL * len(told) and numbers <= heard
