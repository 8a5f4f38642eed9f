"""Why a claim was judged as it was, in one sentence about the note."""

from __future__ import annotations

import re

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.judges.builtin.alignment import Claim
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.observed import Observation
from noteeval_desktop.judges.builtin.session_index import SessionIndex

# What is counted, as far as it follows at once: "four times a week", "two beers", but not "twice last".
_UNIT = re.compile(
    r"[\s-]*(?:out of \w+|times?(?: (?:an?|per) \w+)?|per \w+|an? \w+"
    r"|(?!(?:last|past|in|at|on|for|with|to|and|or|of|the|this|about|from|today|now)\b)[^\W\d_]+)?"
)

_STOP = re.compile(r"[.?!;]+(?:\s+|$)")
_LAST_WORDS = re.compile(r"(?:\S+\s+){0,6}\S*$")
_FIRST_WORDS = re.compile(r"\S*(?:\s+\S+){0,6}")


def explain(
    verdict: Verdict,
    claim: Claim,
    observation: Observation | None,
    finding: Finding | None,
    session: SessionIndex,
    plainly: bool,
) -> str:
    """``finding`` is the rule's, where one condemned the claim; ``plainly``: supported beyond much doubt."""
    if verdict is Verdict.SUPPORTED:
        return "The session says so." if plainly else "The session says something close to this."
    if verdict is Verdict.OBSERVED and observation:
        if observation.stock:
            return (
                f"“{observation.words}” is a stock phrase and the transcript cannot show it; attest it if you checked."
            )
        return f"Only someone in the room can know “{observation.words}”; attest it if you saw or heard it."
    if finding is not None:
        return _otherwise(claim, finding, session)
    if Section.PLAN in claim.sentence.sections:
        return "The session does not speak of this plan."
    return "Nothing in the session says this."


def _otherwise(claim: Claim, finding: Finding, session: SessionIndex) -> str:
    noted = finding.noted.of(claim.text)
    if finding.passage is None or finding.said is None:
        return _never_said(finding.clash, noted)
    passage = session.passages[finding.passage]
    said = finding.said.of(passage.text)
    match finding.clash:
        case Clash.NUMBER:
            counted = _with_unit(passage.text, finding.said)
            return f"The session says {counted}; the note says {_with_unit(claim.text, finding.noted)}."
        case Clash.NEGATION:
            return f"In the session: “{_around(passage.text, finding.said)}”. The note says “{noted}”."
        case Clash.AFFIRMATION:
            return f"In the session this is denied: “{_around(passage.text, finding.said)}”. The note states it."
        case Clash.DENIAL:
            return f"In the session: “{_around(passage.text, finding.said)}”. The note says that it was denied."
        case _:
            return f"The session says {_plain(said)}; the note says {_plain(noted)}."


def _never_said(clash: Clash, noted: str) -> str:
    match clash:
        case Clash.NUMBER:
            return f"The note says {noted}; the session does not say that about it."
        case Clash.PERSON:
            return f"The session does not tie this to a {_plain(noted.lower())}."
        case Clash.NEGATION | Clash.DENIAL:
            return f"The note says “{noted}”; the session does not say no to it."
        case _:
            return f"“{noted}” does not come up in the session."


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


def _plain(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def _with_unit(text: str, span: Span) -> str:
    match = _UNIT.match(text, span.end)
    return text[span.start : match.end() if match else span.end].strip()
