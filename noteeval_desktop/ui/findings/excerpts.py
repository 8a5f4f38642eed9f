"""Short pieces of what was said: whole words that end with a sentence, or else with an ellipsis."""

from __future__ import annotations

import re

from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Turn
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon, straightened
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.ui.widgets.plain import shortened

_LONGEST = 200
_ENDS = re.compile(r"[.!?。！？…][\"'”’)\]]*$")
_CLAUSE_ENDS = re.compile(r"[,;:.!?–—…][\"'”’)\]]*$")
_LEAD_WORDS = 12


def excerpt(citation: Citation, turn: Turn) -> str:
    """Of a citation that stands in ``turn``."""
    before, behind = turn.text[: citation.span.start].strip(), turn.text[citation.span.end :].strip()
    said = shortened(citation.quote, _LONGEST)
    opening = "…" if before and not _ENDS.search(before) else ""
    return f"{opening}{said}{'…' if behind and not _ENDS.search(said) else ''}"


def quotes(finding: Finding) -> tuple[Citation, ...]:
    """What stands against it, of a danger without what was said before coming to it."""
    cut = {risk.citation.turn: at_the_danger(risk) for risk in finding.ranked.risks}
    return tuple(cut.get(citation.turn, citation) for citation in finding.citations)


def at_the_danger(risk: RiskFinding) -> Citation:
    """The passage without what a speaker who makes no full stops said before coming to it."""
    citation = risk.citation
    if len(citation.quote) <= _LONGEST:
        return citation
    folded, words = straightened(citation.quote), list(re.finditer(r"\S+", citation.quote))
    found = dict(risk_lexicon().matches(folded, (risk.kind,))).get(risk.kind)
    at = folded.count(" ", 0, found.start()) if found is not None else 0
    if at <= _LEAD_WORDS:
        return citation
    clauses = [n for n in range(at - _LEAD_WORDS, at + 1) if _CLAUSE_ENDS.search(words[n - 1].group())]
    start = words[clauses[-1] if clauses else at - _LEAD_WORDS].start()
    return Citation(citation.turn, Span(citation.span.start + start, citation.span.end), citation.quote[start:])
