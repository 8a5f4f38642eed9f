"""What can be mended in one click: put the session's words in, add the quote, remove the sentence.

Words where a model names all that are wrong and what the session has for each. Without a model a number alone: where
the note says it once, the session's counts the same or names nothing that it counts, and the words around it stay
grammatical; anything else is for the writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.domain.phrases import sentence as as_sentence
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.ui.widgets.plain import native, shortened
from noteeval_desktop.ui.widgets.words import turn_number

# As support/reasons.py says it of two amounts.
_AMOUNTS = re.compile(r"The note says “(?P<noted>[^”]+)”; turn (?P<turn>\d+) says “(?P<said>[^”]+)”")
_NUMERAL = re.compile(
    r"(?:\d[\d.,:/%]*|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
    r"(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?",
    re.IGNORECASE,
)
_TIMES = ("once", "twice")
# What a number counts: one unit goes by several words, and how many days or nights it was is how often.
_OFTEN = "often"
_UNITS = (
    (re.compile(r"times?|x|d|days?|nights?|evenings?|mornings?"), _OFTEN),
    (re.compile(r"mg|milligrams?"), "milligram"),
    (re.compile(r"hrs?|hours?"), "hour"),
    (re.compile(r"mins?|minutes?"), "minute"),
    (re.compile(r"wks?|weeks?"), "week"),
    (re.compile(r"yrs?|years?"), "year"),
    (re.compile(r"tabs?|tablets?|pills?"), "tablet"),
)
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[.,;:?!–—()/]")
# "Two of my tablets" are tablets; "two, on Friday", "two a week" and "two and I slept" name nothing.
_BESIDE = re.compile(r"of|my|your|his|her|their|our|the|those|these|about|more")
_NO_UNIT = re.compile(
    r"an?|and|at|because|but|each|every|for|from|ha[ds]|have|he|i|if|in|is|it|last|on|or|out|per|she|since|so|than|that|"
    r"them|then|they|this|to|until|was|we|were|when|while|with|you"
)
_MOST_BESIDE = 3
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
    if finding.span is None:
        return ()
    if isinstance(finding.ranked.source, Remark):
        return tuple(_of_remark(finding, finding.ranked.source, finding.span))
    return tuple(_mends(finding, finding.sentence.text, finding.span)) if finding.sentence is not None else ()


def _mends(finding: Finding, sentence: str, span: Span) -> Iterator[Mend]:
    swapped = _named(finding, sentence) or _number(finding, sentence)
    if swapped is not None:
        place, text, said = swapped
        yield Mend(
            tr("Use {words}").format(words=listed([f"“{one}”" for one in said])),
            _hint(tr("Put what the session says into the note. {keys} undoes it.")),
            Span(span.start + place.start, span.start + place.end),
            text,
        )
    elif finding.kind is FindingKind.UNSUPPORTED and finding.citations and not finding.pressing:
        # Of a risk told wrongly the passage says the opposite: behind the sentence it would not mend it.
        quote = finding.citations[0]
        added = tr(" (“{quote}”, turn {turn})").format(quote=shortened(quote.quote, 200), turn=turn_number(quote.turn))
        end = span.start + len(sentence.rstrip(".!? "))
        yield Mend(
            tr("Add the quote"),
            _hint(tr("Add the nearest passage after the sentence. {keys} undoes it.")),
            Span(end, end),
            added,
        )
    if finding.kind in (*_MENDABLE, FindingKind.UNNEEDED):
        yield _removal(span)


def _of_remark(finding: Finding, remark: Remark, span: Span) -> Iterator[Mend]:
    if remark.instead:
        yield Mend(
            tr("Use {words}").format(words=f"“{shortened(remark.instead, 40)}”"),
            _hint(tr("Replace the marked words with these. {keys} undoes it.")),
            span,
            remark.instead,
        )
    if remark.kind is RemarkKind.PROCESS and finding.sentence is not None:
        yield _removal(finding.sentence.span)


def _removal(span: Span) -> Mend:
    return Mend(tr("Remove ▾"), _hint(tr("Remove the sentence from the note. {keys} undoes it.")), span, "")


def _hint(said: str) -> str:
    return said.format(keys=native("Ctrl+Z"))


def _named(finding: Finding, sentence: str) -> tuple[Span, str, Sequence[str]] | None:
    """From the first wrong words to the last, with the session's in the place of each. None where one has none: the
    sentence would stay wrong, and what the program offered is doubted no more."""
    claim = finding.ranked.source
    wrong = claim.wrong if isinstance(claim, ClaimVerdict) else ()
    if not wrong or not all(one.instead for one in wrong):
        return None
    place = Span(wrong[0].span.start, wrong[-1].span.end)
    text, at = "", place.start
    for one in wrong:
        text += sentence[at : one.span.start] + one.instead
        at = one.span.end
    return place, text, [one.instead for one in wrong]


def _number(finding: Finding, sentence: str) -> tuple[Span, str, Sequence[str]] | None:
    """Where in ``sentence`` which words go. Whoever clicks has both sentences in front of them, and may undo it."""
    told = _AMOUNTS.search(f"{finding.what} {finding.why}")
    if told is None or finding.kind not in _MENDABLE:
        return None
    noted, said = told["noted"].strip(), told["said"].strip().rstrip(".,")
    places = _places(noted, sentence)
    heard = [
        _counts(one.quote, place)
        for one in finding.citations
        if turn_number(one.turn) == told["turn"]
        for place in _places(said, one.quote)
    ]
    if len(places) != 1 or not heard:
        return None
    own = _counts(sentence, places[0])
    if any(other and not other & own for other in heard):
        return None
    start, end = places[0].start, places[0].end
    said = as_sentence(said.lower()) if sentence[start].isupper() or not start else said.lower()
    if said.lower() in _TIMES:
        behind = re.match(r" times\b", sentence[end:])
        if behind is None and noted.lower() not in _TIMES:
            return None
        return Span(start, end + (behind.end() if behind else 0)), said, (said.lower(),)
    if _NUMERAL.fullmatch(said) and (_NUMERAL.fullmatch(noted) or noted.lower() in _TIMES):
        said = tr("{count} times").format(count=said) if noted.lower() in _TIMES else said
        return Span(start, end), said, (said,)
    return None


def _places(number: str, text: str) -> list[Span]:
    return [Span(*found.span()) for found in re.finditer(rf"(?<!\w){re.escape(number)}(?!\w)", text, re.IGNORECASE)]


def _counts(text: str, place: Span) -> frozenset[str]:
    """What the number at ``place`` counts, in the words that follow it; empty where it does not say."""
    if place.of(text).lower() in _TIMES:
        return frozenset({_OFTEN})
    found: list[str] = []
    for token in _TOKEN.finditer(text, place.end):
        word = token.group().lower()
        if _NO_UNIT.fullmatch(word) or not word.isalpha() or len(found) == _MOST_BESIDE:
            break
        if not _BESIDE.fullmatch(word):
            singular = re.sub(r"(?<=[sxh])es$|(?<!s)s$", "", word)
            found.append(next((unit for spelt, unit in _UNITS if spelt.fullmatch(word)), singular))
    return frozenset(found)


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
