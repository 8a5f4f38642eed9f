"""Why a claim was judged as it was, in a sentence or two about the passage that it rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges.builtin.alignment import Claim
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.observed import Observation
from noteeval_desktop.judges.builtin.polarity import Answer
from noteeval_desktop.judges.builtin.quantities import alike
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex

_NOBODY: Mapping[int, str] = MappingProxyType({})
_A_PERIOD = r"(?:hour|day|night|morning|evening|week|weekend|month|year|session)"
_HOW_OFTEN = rf"(?:[\s/-]*(?:an?|per|each|every|/)\s*{_A_PERIOD}\b)?"
_MEASURE = (
    r"(?:mg|mcg|ml|kg|lbs?|pounds?|percent|%|[ap]\.?m\b\.?|o['’]clock|x|hrs?|mins?|wks?|yrs?"
    r"|year[- ]olds?|years? old|y/o|times?|(?:minute|hour|day|week|month|year)s?)"
)
_NO_THING = (
    r"(?:last|past|in|at|on|for|with|to|and|or|of|the|this|about|from|today|now|is|was|does|has|his|its|as|us|yes|if"
    r"|but|because|before|after|since|by|than|that|who|which|i|you|he|she|we|they)"
)
# What is counted, as far as it follows at once and is a thing: "four times a week", "three panic attacks", not "twice
# last" and not "three panic".
_UNIT = re.compile(
    rf"[\s-]*(?:out of \w+|/\s?\d+|(?:{_MEASURE})(?![^\W\d_])|(?:(?!{_NO_THING}\b)[^\W\d_]+\s+){{0,2}}?"
    rf"(?!{_NO_THING}\b)[^\W\d_]+(?<!s)s\b){_HOW_OFTEN}|{_HOW_OFTEN}",
    re.IGNORECASE,
)

_STOP = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)[.?!;]+(?:\s+|$)")
_TITLES = frozenset({"Dr.", "Mr.", "Ms.", "Mrs."})
_LAST_WORDS = re.compile(r"(?:\S+\s+){0,6}\S*$")
_FIRST_WORDS = re.compile(r"\S*(?:\s+\S+){0,6}")
_CLAUSE_END = re.compile(r"[.?!;,]+(?:\s+|$)|\s(?:but|however|although|though|while)\s")
_PHRASE = re.compile(r"\S*(?:\s+\S+){0,3}")
_HANGING = re.compile(
    r"(?:\s+(?:or|and|of|the|an?|to|with|in|on|at|for|about|her|his|their|how|was|is|were|as))+$", re.IGNORECASE
)
# What leads to a term and belongs to it ("criteria for bipolar disorder"), but not who reports or denies it.
_BEFORE = re.compile(
    r"(?:(?!(?:client|patient|pt|cl|he|she|they|and|or|report\w*|den\w+|stat\w+|endors\w+)\b)[^\s,;.():]+\s+){0,2}$",
    re.IGNORECASE,
)
_OPENING_WORDS = 12
_SHORT_ANSWER = 8
_FEWEST_WORDS = 2
_FRAGMENT = 3
_HARD = (Clash.NUMBER, Clash.TIME, Clash.TERM, Clash.PERSON)
# The rest of a sentence and the next, a few words of it.
_SENTENCE = re.compile(r"[.!?]\s+\S+(?:\s+[^\s.!?]+){0,7}")
# One word of a claim may be negated by the way; two tell that it is spoken of.
_SHARED = 2
_WHO = {Role.CLIENT: "the client", Role.THERAPIST: "the therapist"}
# The share of a claim's words from which on a passage, with its question, says so and does not merely speak of it.
_SAYS_SO = 0.4
# Below this share a passage has a word of the claim by chance.
_SPEAKS = 0.15


def explain(
    verdict: Verdict,
    claim: Claim,
    observation: Observation | None,
    finding: Finding | None,
    session: SessionIndex,
    plainly: bool,
    close: Sequence[int] = (),
    speakers: Mapping[int, str] = _NOBODY,
) -> str:
    """``finding`` is the rule's, where one condemned the claim; ``plainly``: supported beyond much doubt; ``close`` are
    the passages that come near the claim, the nearest first; ``speakers`` names who speaks in turns where a role does
    not tell, as in a couple's session."""
    if verdict is Verdict.SUPPORTED:
        return _borne_out(claim, session, plainly, close, speakers)
    if verdict is Verdict.OBSERVED and observation:
        if observation.stock:
            return (
                f"“{observation.words}” is a stock phrase and the transcript cannot show it; attest it if you checked."
            )
        return f"Only someone in the room can know “{observation.words}”; attest it if you saw or heard it."
    if finding is not None:
        return _otherwise(claim, finding, session)
    if close:
        return f"The session does not say quite this; closest is “{_nearest_words(claim, close[0], session)}”."
    if Section.PLAN in claim.sentence.sections:
        return "The session does not speak of this plan."
    return "Nothing in the session says this."


def _borne_out(
    claim: Claim, session: SessionIndex, plainly: bool, close: Sequence[int], speakers: Mapping[int, str]
) -> str:
    """A passage that says no, or yes, is quoted: a reader sees at once whether it is what the note makes of it."""
    if not close:
        return "The session as a whole fits this; no one passage says it."
    nearest = _reply_to(close[0], claim, session)
    passage = session.passages[nearest]
    denied = bool(claim.negations)
    shared = _shared(claim, nearest, session)
    if len(shared) < _SPEAKS * len(claim.stems) or not shared:
        return f"The session as a whole fits this; closest is “{_nearest_words(claim, nearest, session)}”."
    who = _who(passage, speakers)
    if _answers(nearest, claim, session):
        answered = f"{who} says “{_opening(passage.text)}”."
        if passage.answer in (Answer.NO, Answer.YES) and denied is (passage.answer is Answer.YES):
            return f"The session speaks of this; asked about it, {answered}"
        if passage.answer is not None or len(passage.words) <= _SHORT_ANSWER:
            return f"Asked about this, {answered}"
    negated = _negated_of(claim, passage, 1 if denied or len(shared) < _SHARED else _SHARED)
    if negated is not None:
        quote = _around(passage.text, negated)
        return f"{_capitalised(who)} says “{quote}”." if denied else f"The passage closest to this says “{quote}”."
    if len(shared) < _SAYS_SO * len(claim.stems):
        return f"{_capitalised(who)} speaks of this: “{_nearest_words(claim, nearest, session)}”."
    return f"{_capitalised(who)} says so." if plainly else f"{_capitalised(who)} says something close to this."


def _shared(claim: Claim, index: int, session: SessionIndex) -> frozenset[str]:
    """The words that the claim has of the passage, or of the question that it answers."""
    own = session.passages[index].stems
    said = own | session.passages[index - 1].stems if _is_reply(index, session) else own
    return said & frozenset(claim.stems)


def _nearest_words(claim: Claim, index: int, session: SessionIndex) -> str:
    """The sentence of the passage that shares most with the claim, else the longest: "Yep." tells nothing."""
    stems = frozenset(claim.stems)
    passage = session.passages[index]
    starts = [0, *(found.end() for found in _STOP.finditer(passage.text) if found.end() < len(passage.text))]
    parts = [Span(start, end) for start, end in pairwise((*starts, len(passage.text)))]

    def told(part: Span) -> tuple[int, int]:
        words = [word.stem for word in passage.words if part.contains(word.span.start)]
        return len(stems & frozenset(words)), len(words)

    return _opening(_with_what_follows(passage.text, max(parts, key=told)).of(passage.text).strip())


def _answers(index: int, claim: Claim, session: SessionIndex) -> bool:
    """Whether the passage answers a question that speaks of what the claim does, or does so itself."""
    if not _is_reply(index, session) or session.passages[index].text.rstrip().endswith("?"):
        return False
    stems, question = frozenset(claim.stems), session.passages[index - 1]
    asked = question.text.rfind(_ending(question.text).lstrip("…"))
    asking = frozenset(word.stem for word in question.words if word.span.start >= asked and word.content)
    return bool(stems & (asking | session.passages[index].stems))


def _reply_to(index: int, claim: Claim | None, session: SessionIndex) -> int:
    """The answer, where the passage at ``index`` is a question, of what the ``claim`` tells, that somebody else
    answers."""
    follows = index + 1
    if session.passages[index].text.rstrip().endswith("?") and _is_reply(follows, session):
        return follows if claim is None or _answers(follows, claim, session) else index
    return index


def _is_reply(index: int, session: SessionIndex) -> bool:
    if not 0 < index < len(session.passages):
        return False
    before, own = session.passages[index - 1], session.passages[index]
    return before.role is not own.role and before.text.rstrip().endswith("?")


def _negated_of(claim: Claim, passage: Passage, fewest: int) -> Span | None:
    """The first of the words of the claim that the passage says only under a negation, if it so says ``fewest``."""
    said = {word.stem for place, word in enumerate(passage.words) if place not in passage.negated}
    stems = set(claim.stems) - said
    places = [place for place in sorted(passage.negated) if passage.words[place].stem in stems]
    enough = len({passage.words[place].stem for place in places}) >= fewest
    return passage.words[places[0]].span if enough else None


def _otherwise(claim: Claim, finding: Finding, session: SessionIndex) -> str:
    if finding.passage is None:
        return _never_said(finding.clash, claim, finding.noted, session)
    said = finding.said
    if said is not None and finding.clash not in _HARD:
        said = _with_what_follows(session.passages[finding.passage].text, said)
    quote = _quoted(finding.passage, said, session)
    match finding.clash:
        case Clash.NUMBER:
            return f"In the session: {quote}. The note says “{_with_unit(claim.text, finding.noted)}”."
        case Clash.AFFIRMATION:
            return f"In the session this is denied: {quote}. The note states it."
        case Clash.DENIAL:
            return f"In the session: {quote}. The note says that it was denied."
        case Clash.NEGATION if finding.surely:
            return f"In the session: {quote}. The note says that it is not so."
        case Clash.NEGATION:
            return f"In the session: {quote}. The note says “{_phrase(claim.text, finding.noted)}”."
        case _:
            return f"In the session: {quote}. The note says “{_plain(finding.noted.of(claim.text))}”."


def _with_what_follows(text: str, said: Span) -> Span:
    """ "The thought records." tells nothing without the "Three again" behind it."""
    if len(said.of(text).split()) > _FRAGMENT:
        return said
    follows = _SENTENCE.match(text, len(text[: said.end].rstrip(" .!?")))
    return Span(said.start, follows.end()) if follows else said


def _quoted(index: int, said: Span | None, session: SessionIndex) -> str:
    """What was said, with the question or the short answer without which it means nothing."""
    passage = session.passages[index]
    shown = _opening(passage.text) if said is None else _around(passage.text, said)
    own = f"“{shown.rstrip('.')}”"
    if (said is None or len(own.split()) <= _FEWEST_WORDS) and _is_reply(index, session):
        return f"“{_ending(session.passages[index - 1].text)}” – {own}"
    answer = _reply_to(index, None, session)
    short = answer != index and len(session.passages[answer].words) <= _SHORT_ANSWER
    return f"{own} – “{_opening(session.passages[answer].text)}”" if short else own


def _never_said(clash: Clash, claim: Claim, noted: Span, session: SessionIndex) -> str:
    text = claim.text
    match clash:
        case Clash.NUMBER if _given_elsewhere(claim, noted, session):
            return f"The session gives “{_with_unit(text, noted)}”, but not plainly of this."
        case Clash.NUMBER:
            return f"The note says “{_with_unit(text, noted)}”; the session gives no such number for this."
        case Clash.PERSON:
            return f"The session does not tie this to {_somebody(_plain(noted.of(text).lower()))}."
        case Clash.NEGATION | Clash.DENIAL:
            return f"The note says “{_phrase(text, noted)}”; nothing in the session says no to that."
        case _ if noted.of(text).islower():
            return f"The session says nothing of “{_phrase(text, noted, before=True)}”."
        case _:
            return f"“{noted.of(text)}” does not come up in the session."


def _given_elsewhere(claim: Claim, noted: Span, session: SessionIndex) -> bool:
    own = [quantity for quantity in claim.quantities if quantity.span == noted]
    return any(
        one.unit == other.unit and alike(one, other)
        for one in own
        for passage in session.passages
        for other in passage.quantities
    )


def _around(text: str, span: Span) -> str:
    """The word in what was said about it: a word alone ("thought") tells a reader nothing."""
    start = max((match.end() for match in _STOP.finditer(text, 0, span.start)), default=0)
    stop = _STOP.search(text, span.end)
    before, after = text[start : span.start], text[span.end : stop.start() if stop else len(text)]
    kept_before, kept_after = _LAST_WORDS.search(before), _FIRST_WORDS.match(after)
    assert kept_before is not None
    assert kept_after is not None
    opening = "…" if before[: kept_before.start()].strip() else ""
    closing = "…" if after[kept_after.end() :].strip() else ""
    return f"{opening}{kept_before[0]}{text[span.start : span.end]}{kept_after[0]}{closing}".strip()


def _phrase(text: str, span: Span, before: bool = False) -> str:
    """The words at ``span`` with those that belong to them, up to the clause's end."""
    stop = _CLAUSE_END.search(text, span.end)
    after = _PHRASE.match(text[span.end : stop.start() if stop else len(text)])
    start = span.start
    if before:
        led = _BEFORE.search(text[:start])
        start = led.start() if led else start
    return _HANGING.sub("", (text[start : span.end] + (after[0] if after else "")).strip())


def _opening(text: str) -> str:
    """The first sentence, and the second after a mere "No."; twelve words at most."""
    words = text.split()
    kept: list[str] = []
    for word in words[:_OPENING_WORDS]:
        kept.append(word)
        if word[-1] in ".?!" and len(kept) > 2 and word not in _TITLES:
            break
    shown = " ".join(kept)
    return f"{shown}…" if len(kept) < len(words) and shown[-1] not in ".?!" else shown.rstrip(".")


def _ending(text: str) -> str:
    """The last sentence: a turn ends with its question."""
    starts = [match.end() for match in _STOP.finditer(text.rstrip()) if match.end() < len(text.rstrip())]
    words = text[starts[-1] if starts else 0 :].split()
    return ("…" if len(words) > _OPENING_WORDS else "") + " ".join(words[-_OPENING_WORDS:])


def _who(passage: Passage, speakers: Mapping[int, str]) -> str:
    return speakers.get(passage.turn) or _WHO.get(passage.role, "the session")


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _plain(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def _somebody(name: str) -> str:
    """ "An uncle", "a wife", but "colleagues"."""
    if name.endswith("s") or name in ("children", "people", "family"):
        return name
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"


def _with_unit(text: str, span: Span) -> str:
    match = _UNIT.match(text, span.end)
    return text[span.start : match.end() if match else span.end].strip()
