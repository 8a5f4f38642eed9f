"""Sentences of one line of clinical prose, as spans that leave no visible character out."""

from __future__ import annotations

import re
from functools import lru_cache

from noteeval_desktop.domain.text import Span

# pySBD is worse than quadratic in places: 3.7 KB of nested list markers take it 4 s. Longer lines and
# lines with several list markers go to the plain splitter, which is linear.
LONGEST_LINE_FOR_PYSBD = 1_500
_LIST_MARKER = re.compile(r"(?:(?<=\s)|^)\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.)](?=\s)")
_MARKER_ALONE = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.)]")
_SOUP = re.compile(r"[^\w\s]{12}")
_QUOTES_AND_BRACKETS = re.compile("[\"'“”‘’()\\[\\]（）「」«»]")
_MOST_QUOTES = 60

# From the first of a row of signs, and never back: 33,000 question marks before a letter took 20 s.
_PLAIN_END = re.compile("(?<![.!?。！？…])[.!?。！？…]++[\"'”’)\\]]*+(?=\\s|$)|[。！？]++[”’」）]*+")
_ABBREVIATIONS = (
    "pt pts cl clt dr mr mrs ms prof st approx appt appts vs e.g i.e eg ie cf dx tx hx sx rx fx no nos min mins "
    "hr hrs wk wks mo mos yr yrs y.o a.m p.m b/c w/o dept ext incl esp est fig max med meds mg ml temp sess ex grp "
    "cont incr decr psych fam w q.d b.i.d t.i.d q.i.d q.h.s p.r.n p.o"
)
_CLINICAL = frozenset(_ABBREVIATIONS.split())
# Alone before a full stop these want their object: "Cont. Lexapro", "Pt. sleeps".
_WANT_MORE = frozenset(("pt", "cl", "dr", "no", "cont", "incr", "decr", "inc", "disc", "d/c", "rec", "sched"))
# "Breathing ex. BID": how often stands behind what is done.
_HOW_OFTEN = re.compile(r"(?:BID|TID|QID|QD|QHS|QAM|QPM|PRN|PO)\b")
# What stands before a name.
_TITLES = frozenset(("Dr", "Drs", "Mr", "Mrs", "Ms", "Prof"))
# How a couple's note names both: "when R. took a call". Before a capital it may as well be the end of "saw D."
_INITIAL = re.compile(r"[(\[\"'“‘]*[A-Z]")
_LAST_WORD = re.compile(r"(\S{1,12})\.\s*$")
_TAIL = 30


@lru_cache(maxsize=4_096)
def split_line(line: str, plain: bool = False) -> tuple[Span, ...]:
    """Spans of the sentences of ``line`` (no line breaks), trimmed; together they cover all that is not blank.

    ``plain`` leaves pySBD out. Cached by line, because typing changes one line of a note at a time.
    """
    if not line.strip():
        return ()
    ends = _plain_ends(line) if plain or not _fit_for_pysbd(line) else _pysbd_ends(line)
    spans = [trimmed(line, start, end) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    return tuple(_rejoined(line, [span for span in spans if span.start < span.end]))


def forget_lines() -> None:
    """No line that was split stays in memory."""
    split_line.cache_clear()


def _fit_for_pysbd(line: str) -> bool:
    return (
        len(line) <= LONGEST_LINE_FOR_PYSBD
        and line.isprintable()
        and len(_LIST_MARKER.findall(line)) < 3
        and len(_QUOTES_AND_BRACKETS.findall(line)) <= _MOST_QUOTES
        and not _SOUP.search(line)
    )


def _pysbd_ends(line: str) -> list[int]:
    """pySBD's pieces found again in ``line``; where it changed the text, the plain splitter decides."""
    # Imported late: pySBD compiles rules for twenty languages, and most commands never split a sentence.
    import pysbd

    ends, position = [], 0
    # One a line, for half a microsecond: it keeps the line while it works, and threads that shared one split 167 of
    # 300 notes otherwise.
    for piece in pysbd.Segmenter(language="en", clean=False).segment(line):
        found = line.find(piece.strip(), position)
        if found < 0:
            return _plain_ends(line)
        position = found + len(piece.strip())
        ends.append(position)
    return [*ends[:-1], len(line)]


def _plain_ends(line: str) -> list[int]:
    ends = [match.end() for match in _PLAIN_END.finditer(line)]
    return ends if ends and not line[ends[-1] :].strip() else [*ends, len(line)]


def trimmed(text: str, start: int, end: int) -> Span:
    """``text[start:end]`` without the blanks around it; nothing, at its start, where it is blank."""
    piece = text[start:end]
    stripped = piece.strip()
    start += len(piece) - len(piece.lstrip()) if stripped else 0
    return Span(start, start + len(stripped))


def _rejoined(line: str, spans: list[Span]) -> list[Span]:
    """Join what does not stand alone: stray punctuation to its sentence, ``Pt.`` to what follows."""
    joined: list[Span] = []
    spoken = False
    for span in spans:
        after = span.of(line)
        speaks = any(map(_speaks, after))
        # Only the end of what was joined is looked at: 120,000 times "Dr. " is one sentence.
        before = line[max(joined[-1].start, joined[-1].end - _TAIL) : joined[-1].end] if joined else ""
        if joined and (not speaks or not spoken or _runs_on(before, after)):
            joined[-1] = Span(joined[-1].start, span.end)
            spoken = spoken or speaks
        else:
            joined.append(span)
            spoken = speaks
    return joined


def _speaks(character: str) -> bool:
    return character.isalnum() or ord(character) > 0x2FFF


def _runs_on(before: str, after: str) -> bool:
    """``before``: the last ``_TAIL`` characters of what stands before ``after``."""
    if _MARKER_ALONE.fullmatch(before):
        return True
    if before.rstrip(". ").lower() in _WANT_MORE:
        return before.rstrip().endswith(".")
    if before.rstrip()[-1:].isalnum() and after[0].islower() and not _LIST_MARKER.match(after):
        return True  # no sentence ends in the midst of "at 10 p.m."
    last = _LAST_WORD.search(before[-20:])
    if last is not None and last[1] in _TITLES and after[0].isupper():
        return True
    if last is not None and _INITIAL.fullmatch(last[1]) and after[0].islower() and not _LIST_MARKER.match(after):
        return True
    if last is None or last[1].lower().lstrip("(\"'") not in _CLINICAL:
        return False
    if _HOW_OFTEN.match(after):
        return True
    return after[0].islower() or after[0].isdigit()
