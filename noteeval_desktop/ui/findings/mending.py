"""What can be mended in one click: put the session's number in, add the quote, remove the sentence.

Only where the note says the number once and the words around it stay grammatical; anything else is for the writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.finding import Finding
from noteeval_desktop.ui.widgets.plain import shortened
from noteeval_desktop.ui.widgets.words import turn_number

# As support/reasons.py says it of two amounts.
_AMOUNTS = re.compile(r"The note says “(?P<noted>[^”]+)”; turn \d+ says “(?P<said>[^”]+)”")
_NUMERAL = re.compile(
    r"(?:\d[\d.,:/%]*|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?",
    re.IGNORECASE,
)
_TIMES = ("once", "twice")
_MENDABLE = tuple(FindingKind(verdict.value) for verdict in ERRORS)


@dataclass(frozen=True, slots=True)
class Mend:
    """``text`` in the place of ``span`` of the judged note; an empty text removes the sentence with its space."""

    label: str
    hint: str
    span: Span
    text: str


def mends(finding: Finding) -> tuple[Mend, ...]:
    """Empty for what does not stand in the note."""
    if finding.span is None or finding.ranked is None or finding.ranked.sentence is None:
        return ()
    return tuple(_mends(finding, finding.ranked.sentence.text, finding.span))


def _mends(finding: Finding, sentence: str, span: Span) -> Iterator[Mend]:
    swapped = _number(finding, sentence)
    # The passage says the opposite of a risk told wrongly: behind the sentence it would not mend it.
    told_wrongly = finding.ranked is not None and finding.ranked.pressing
    if swapped is not None:
        place, said = swapped
        yield Mend(words.use(said), words.USE_HINT, Span(span.start + place.start, span.start + place.end), said)
    elif finding.kind is FindingKind.UNSUPPORTED and finding.citations and not told_wrongly:
        quote = finding.citations[0]
        added = words.quoted(shortened(quote.quote, 200), turn_number(quote.turn))
        end = span.start + len(sentence.rstrip(".!? "))
        yield Mend(words.ADD_QUOTE, words.ADD_QUOTE_HINT, Span(end, end), added)
    if finding.kind in (*_MENDABLE, FindingKind.UNNEEDED):
        yield Mend(words.REMOVE, words.REMOVE_HINT, span, "")


def _number(finding: Finding, sentence: str) -> tuple[Span, str] | None:
    """Where in ``sentence`` which words go. Whoever clicks has both sentences in front of them, and may undo it."""
    told = _AMOUNTS.search(f"{finding.what} {finding.why}")
    if told is None or finding.kind not in _MENDABLE:
        return None
    noted, said = told["noted"].strip(), told["said"].strip().rstrip(".,")
    places = list(re.finditer(rf"(?<!\w){re.escape(noted)}(?!\w)", sentence, re.IGNORECASE))
    if len(places) != 1:
        return None
    start, end = places[0].span()
    if said.lower() in _TIMES:
        behind = re.match(r" times\b", sentence[end:])
        if behind is None and noted.lower() not in _TIMES:
            return None
        return Span(start, end + (behind.end() if behind else 0)), said.lower()
    if _NUMERAL.fullmatch(said) and (_NUMERAL.fullmatch(noted) or noted.lower() in _TIMES):
        return Span(start, end), words.times(said) if noted.lower() in _TIMES else said
    return None


def removal(text: str, span: Span) -> Span:
    """The sentence with the space behind it; its whole line where nothing else stands on it."""
    start, end = span.start, span.end
    while end < len(text) and text[end] in " \t":
        end += 1
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if not (text[line:start] + text[end:stop]).strip("-*•· \t"):
        return Span(line, min(stop + 1, len(text)))
    return Span(start, end)
