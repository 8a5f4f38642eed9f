"""The only place that knows that Qt counts text in UTF-16 units.

The rest of the program counts code points of normalised text (domain.text).
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right

from noteeval_desktop.domain.text import Span, normalise

_IN_STEP = str.maketrans("\u2028\u2029\u00a0\u2007\u202f", "\n\n   ")


def utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


class Positions:
    """Translates between positions in a Qt document and offsets into its normalised text.

    ``raw`` is the document as Qt holds it (QTextDocument.toRawText(): blocks separated by U+2029, no-break
    spaces kept; toPlainText() would change them). ``text`` is ``normalise(raw)``.
    """

    def __init__(self, raw: str) -> None:
        self.text = normalise(raw)
        self._starts, self._documents = _anchors(raw, self.text)

    def to_document(self, offset: int) -> int:
        """The UTF-16 position of a code-point offset."""
        anchor = bisect_right(self._starts, offset) - 1
        position = self._documents[anchor] + offset - self._starts[anchor]
        if anchor + 1 < len(self._documents):
            return min(position, self._documents[anchor + 1])
        return position

    def to_text(self, position: int) -> int:
        """The code-point offset of a UTF-16 position; one inside a surrogate pair counts as before it."""
        anchor = bisect_right(self._documents, position) - 1
        offset = self._starts[anchor] + position - self._documents[anchor]
        if anchor + 1 < len(self._starts):
            following = self._starts[anchor + 1]
            pair = self._documents[anchor + 1] - self._documents[anchor] > following - self._starts[anchor]
            offset = min(offset, following - 1 if pair else following)
        return min(offset, len(self.text))

    def span_to_document(self, span: Span) -> tuple[int, int]:
        return self.to_document(span.start), self.to_document(span.end)


def _anchors(raw: str, text: str) -> tuple[list[int], list[int]]:
    """Pairs (offset in text, position in the document) between which both run in step."""
    if raw.translate(_IN_STEP) != text:
        return _anchors_of_clusters(raw, text)
    astral = [index for index, character in enumerate(text) if character > "\uffff"]
    starts = [0, *(index + 1 for index in astral)]
    return starts, [start + count for count, start in enumerate(starts)]


def _anchors_of_clusters(raw: str, text: str) -> tuple[list[int], list[int]]:
    """For a document that normalisation shortens: a typed combining accent, an invisible character."""
    starts, documents, offset, position = [0], [0], 0, 0
    for cluster in _clusters(raw):
        became = len(normalise(cluster))
        width = utf16_length(cluster)
        offset = min(offset + became, len(text))
        position += width
        if became != width:
            starts.append(offset)
            documents.append(position)
    return starts, documents


def _clusters(raw: str) -> list[str]:
    clusters: list[str] = []
    for character in raw:
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def utf16_ranges(text: str, spans: tuple[Span, ...]) -> list[tuple[int, int]]:
    """(start, length) in UTF-16 units of spans of a text that is laid out as it is."""
    astral = [index for index, character in enumerate(text) if character > "\uffff"]
    ranges = []
    for span in spans:
        start = span.start + bisect_left(astral, span.start)
        ranges.append((start, span.end + bisect_left(astral, span.end) - start))
    return ranges
