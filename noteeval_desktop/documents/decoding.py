"""Bytes of a text file → text, with what had to be guessed said in warnings."""

from __future__ import annotations

import codecs

from noteeval_desktop.documents import words
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TEXT_CONTROLS = b"\t\n\x0b\x0c\r\x1b\x85"
_CONTROLS = bytes(set(range(32)) - set(_TEXT_CONTROLS))


def decode(data: bytes, what: str) -> tuple[str, tuple[str, ...]]:
    """Text and warnings. Raises InputError for what is no text in UTF-8, UTF-16, UTF-32 or Windows-1252."""
    mark, encoding = marked_encoding(data)
    if encoding:
        return _lenient(data.removeprefix(mark), encoding)
    if len(data.translate(None, _CONTROLS)) < len(data) * 0.99:
        raise InputError(what, tr("it is not text"), tr("Choose a text file, or export it again as TXT in UTF-8."))
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        return _legacy(data, what)


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """The mark that ``data`` begins with, and the encoding that ``decode`` reads the rest in."""
    mark, encoding = marked_encoding(data)
    if not encoding:
        encoding = "cp1252" if words.CP1252_WARNING in decode(data, "")[1] else "utf-8"
    return mark, encoding


def marked_encoding(head: bytes) -> tuple[bytes, str]:
    """The mark that ``head`` begins with and the encoding that it tells of, or UTF-16 without a mark; else ""."""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return bom, encoding
    return b"", _utf16_without_bom(head)


def _lenient(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    text = data.decode(encoding, "replace")
    bad = text.count("\ufffd") - data.count("\ufffd".encode(encoding))
    return text, (_unreadable(bad),) if bad > 0 else ()


def _utf16_without_bom(data: bytes) -> str:
    """Plain Latin text in UTF-16 has a zero in every other byte."""
    sample = data[:4_000]
    if len(sample) < 4 or len(data) % 2:
        return ""
    half = len(sample) // 2
    if sample[1::2].count(0) > 0.7 * half and sample[::2].count(0) < 0.05 * half:
        return "utf-16-le"
    if sample[::2].count(0) > 0.7 * half and sample[1::2].count(0) < 0.05 * half:
        return "utf-16-be"
    return ""


def _legacy(data: bytes, what: str) -> tuple[str, tuple[str, ...]]:
    """UTF-8 with a few broken bytes stays UTF-8; else Windows-1252, which the user is asked to check."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if sum(ord(character) > 127 for character in text) - bad >= 2 * bad:
        return text, (_unreadable(bad),)
    try:
        legacy = data.decode("cp1252")
    except UnicodeDecodeError:
        raise InputError(
            what, tr("its characters cannot be read"), tr("Choose a text file, or export it again as TXT in UTF-8.")
        ) from None
    letters = sum(character.isalpha() or character.isspace() for character in legacy)
    if letters < 0.5 * len(legacy) or not normalise(legacy).strip():
        raise InputError(what, tr("it is not text"), tr("Choose a text file, or export it again as TXT in UTF-8."))
    return legacy, (words.CP1252_WARNING,)


def _unreadable(characters: int) -> str:
    said = tr("{characters} could not be read and {are} shown as \ufffd.")
    return said.format(characters=counted(characters, "character"), are=are(characters))
