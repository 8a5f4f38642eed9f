"""Fingerprints inside a PDF, a hash over what its pages show, and encryption.

The hash tells that a scorecard was changed after export. It is not a signature: whoever knows this format can
change a scorecard and make the hash anew.
"""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    ByteStringObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NullObject,
    StreamObject,
)

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.fingerprints import Fingerprints
from noteeval_desktop.report.pdf_password import checked

FORMAT = "noteeval.scorecard/1"
NO_PASSWORD, WRONG_PASSWORD = tr("it is protected by a password"), tr("the password does not open it")
MOST_PAGES = 2000
_NAMESPACE = "urn:noteeval:scorecard"
_MOST_METADATA = 100_000
# What a page shows depends on none of these; rewriting a PDF, or encrypting it, changes them.
_NOT_SHOWN = frozenset(
    ("/Parent", "/Length", "/Filter", "/DecodeParms", "/Metadata", "/Pages", "/Version", "/Extensions")
)


def sealed(pdf: bytes, prints: Fingerprints, password: str = "") -> bytes:
    """``pdf`` with its fingerprints, encrypted (AES-256, metadata too) where there is a ``password``.

    Raises InputError for a password that a PDF cannot have.
    """
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    data = prints.to_json()
    data |= {"format": FORMAT, "content": _content(writer, data)}
    members = "".join(f"\n   noteeval:{name}={quoteattr(value)}" for name, value in sorted(data.items()))
    writer.xmp_metadata = (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n <rdf:Description rdf:about=""'
        f'\n   xmlns:noteeval="{_NAMESPACE}"{members}/>\n</rdf:RDF></x:xmpmeta>\n<?xpacket end="r"?>'
    ).encode()
    stream = writer.root_object["/Metadata"].get_object()
    assert isinstance(stream, StreamObject)
    stream[NameObject("/Type")], stream[NameObject("/Subtype")] = NameObject("/Metadata"), NameObject("/XML")
    # Metadata came with 1.4, this way of encrypting with 2.0; reportlab says 1.3.
    writer.pdf_header = "%PDF-2.0" if password else "%PDF-1.7"
    if password:
        writer.encrypt(checked(password), algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def read_seal(pdf: bytes, password: str, what: str) -> dict[str, Any]:
    """``encrypted``, ``unaltered`` and the ``fingerprints`` of a scorecard, as plain values.

    Meant for a child process: other people's PDFs are read here. ``what`` names the file. Raises InputError for a
    damaged or foreign file, and for one whose password is missing or wrong.
    """
    try:
        return _read(pdf, password, what)
    except (InputError, MemoryError):
        raise
    # pypdf raises whatever Python does on a file that is not what it claims.
    except Exception:
        raise InputError(what, tr("the PDF is damaged"), tr("Ask for the file again.")) from None


def _read(pdf: bytes, password: str, what: str) -> dict[str, Any]:
    reader = PdfReader(io.BytesIO(pdf))
    if reader.is_encrypted and not reader.decrypt(password):
        problem = WRONG_PASSWORD if password else NO_PASSWORD
        raise InputError(what, problem, tr("Give the password it was exported with."))
    if len(reader.pages) > MOST_PAGES:
        problem = tr("it has more than {count} pages").format(count=MOST_PAGES)
        raise InputError(what, problem, tr("Choose a scorecard."))
    data = _metadata(reader)
    if data.get("format", "").rpartition("/")[0] != FORMAT.rpartition("/")[0]:
        problem = tr("it is not a scorecard with fingerprints")
        raise InputError(what, problem, tr("Choose a PDF that this program exported."))
    if data["format"] != FORMAT:
        raise InputError(what, tr("it was made by a newer version"), tr("Update the program."))
    stated = data.pop("content", "")
    del data["format"]
    return {
        "encrypted": reader.is_encrypted,
        "unaltered": bool(stated) and stated == _content(reader, data),
        "fingerprints": data,
    }


def _metadata(reader: PdfReader) -> dict[str, str]:
    """Our own members of the XMP; empty for a file without any."""
    stream = reader.root_object.get("/Metadata")
    stream = stream.get_object() if stream is not None else None
    if not isinstance(stream, StreamObject):
        return {}
    content = stream.get_data()
    # No entity is ever needed, and none is expanded.
    if len(content) > _MOST_METADATA or b"<!" in content:
        return {}
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        return {}
    own = f"{{{_NAMESPACE}}}"
    return {
        name.removeprefix(own): value
        for element in root.iter()
        for name, value in element.attrib.items()
        if name.startswith(own)
    }


def _content(pdf: PdfReader | PdfWriter, prints: dict[str, str]) -> str:
    """SHA-256 over the fingerprints, the title, and every page with all that it draws with, in the pages' order."""
    walk = _Walk()
    info = pdf.metadata
    titles = [str(getattr(info, name) or "") for name in ("title", "author", "subject")] if info else []
    whole = [
        FORMAT.encode(),
        json.dumps(prints, sort_keys=True).encode(),
        json.dumps(titles).encode(),
        walk.hashed(pdf.root_object),
        *(walk.hashed(page) for page in pdf.pages),
    ]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in whole)).hexdigest()


class _Walk:
    """Hashes PDF objects by what they say, not by how they are stored; shared ones once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bytes] = {}

    def hashed(self, value: Any) -> bytes:
        return hashlib.sha256(self._said(value)).digest()

    def _said(self, value: Any) -> bytes:
        if isinstance(value, IndirectObject):
            return self._shared(value)
        if isinstance(value, StreamObject):
            return b"stream" + self._members(value) + hashlib.sha256(value.get_data()).digest()
        if isinstance(value, DictionaryObject):
            return b"dict" + self._members(value)
        if isinstance(value, ArrayObject):
            return b"array" + b"".join(self.hashed(member) for member in value)
        return _scalar(value)

    def _members(self, value: DictionaryObject) -> bytes:
        names = sorted(name for name in value if name not in _NOT_SHOWN)
        return b"".join(hashlib.sha256(name.encode()).digest() + self.hashed(value.raw_get(name)) for name in names)

    def _shared(self, reference: IndirectObject) -> bytes:
        place = (reference.idnum, reference.generation)
        if place not in self._known:
            self._known[place] = b"again"  # for what refers back to itself
            self._known[place] = self.hashed(reference.get_object())
        return self._known[place]


def _scalar(value: Any) -> bytes:
    if value is None or isinstance(value, NullObject):
        return b"null"
    if isinstance(value, BooleanObject):
        return b"true" if value.value else b"false"
    if isinstance(value, NameObject):
        return b"name" + str(value).encode("utf-8", "surrogatepass")
    if isinstance(value, ByteStringObject | bytes):
        return b"bytes" + bytes(value)
    if isinstance(value, str):
        return b"text" + value.encode("utf-8", "surrogatepass")
    # Whole and decimal numbers are written either way by different programs.
    return b"number" + f"{float(value):.5f}".encode()
