"""An edited note → its text file with the changed lines changed, the rest as it was, byte for byte."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

from noteeval_desktop.documents.decoding import decode, encoding_of
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import LINE_BREAKS, normalise
from noteeval_desktop.errors import InputError

_BREAK = re.compile(f"({LINE_BREAKS.pattern}|\n)")


def edited_text(data: bytes, before: str, after: str, what: str) -> bytes:
    """``data`` with the lines of ``after``, in its own encoding and with its own line ends.

    Windows-1252 becomes UTF-8, with a mark that says so, where a new character needs it. Raises InputError where the
    file no longer says ``before``, spaces aside, or holds what cannot be read and so could not be written either.
    """
    text, _ = decode(data, what)
    mark, encoding = encoding_of(data)
    if mark + text.removeprefix("\ufeff").encode(encoding, "surrogatepass") != data:
        raise InputError(
            what,
            tr("some of its characters cannot be read and would be lost"),
            tr("Choose “Save note as…” and give it another name."),
        )
    if normalise(text).split() != normalise(before).split():
        raise InputError(
            what,
            tr("it was changed in another program after you opened or saved it"),
            tr("Choose “Save note as…” and give it another name."),
        )
    pieces = _BREAK.split(text)
    lines, breaks = pieces[::2], pieces[1::2]
    usual = Counter(breaks).most_common(1)[0][0] if breaks else "\n"
    new, made = after.split("\n"), ""
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, [*map(normalise, lines)], new, autojunk=False).get_opcodes():
        for number in range(j2 - j1):
            old = i1 + number
            line = lines[old] if kind == "equal" else new[j1 + number]
            made += line + (breaks[old] if old < min(i2, len(breaks)) else usual)
    # Each line has one behind it by now; the last has none.
    made = made[: -len(_BREAK.findall(made)[-1])] if new else ""
    try:
        return mark + made.encode(encoding, "surrogatepass")
    except UnicodeEncodeError:
        return made.encode("utf-8-sig")
