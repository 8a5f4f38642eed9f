"""An edited note → its file with what was changed changed, the rest as it was; of a DOCX in a child process."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Set
from copy import deepcopy
from difflib import SequenceMatcher
from itertools import product
from typing import Any

from noteeval_desktop.documents.decoding import decode, encoding_of
from noteeval_desktop.documents.docx_text import Line, Piece, W, docx_lines, fields_of, read_docx, related
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import LINE_BREAKS, normalise
from noteeval_desktop.errors import InputError

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
# Insertions, deletions and moves of text, cells, rows and XML around them; and changes of any property.
_TRACKED = re.compile(
    r"\{.*\}(?:ins|del|(?:conflict|cell)(?:Ins|Del)|cellMerge|move(?:From|To)(?:Range\w+)?|\w+Change"
    r"|customXml(?:Ins|Del|Move\w+|Conflict\w+)Range\w+)$"
)
# All that may go with the words of a paragraph: whatever else it holds stays, in a paragraph without words.
_PLAIN = {f"{W}{name}" for name in (
    *("pPr", "r", "rPr", "t", "tab", "br", "cr", "noBreakHyphen", "softHyphen", "proofErr", "lastRenderedPageBreak"),
    *("smartTag", "hyperlink"),
)}  # fmt: skip
# What a control of these kinds shows is chosen, or belongs to another part of the document.
_CHOSEN = ("dataBinding", "dropDownList", "comboBox", "date", "checkbox", "picture")
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_COPY_NOTE = tr("Save the note as text, or copy it with Copy note.")


def edited_docx(data: bytes, before: str, after: str, what: str) -> bytes:
    """``data`` with the note ``after`` in the place of ``before``, which is what it is known to say.

    Only the runs of lines that changed are touched; a new line looks like the one that it follows. Raises InputError
    where the file says something else by now, tracks changes, is protected or signed, or where the change stands in a
    footnote, a text box or a field.
    """
    document, lines, _ = read_docx(data, what)
    _refuse(document, data, what)
    if _said(line.text for line in lines) != _said(before.split("\n")):
        raise InputError(what, tr("it was changed in another program after you opened or saved it"), _COPY_NOTE)
    _Editing(lines, fields_of(document.element.body).within, what).run(after.split("\n"))
    made = _packed(data, document)
    if _said(docx_lines(made, what)[0]) != _said(after.split("\n")):
        raise _out_of_reach(what)
    return made


def _said(lines: Iterator[str] | list[str]) -> list[str]:
    return [line.rstrip() for text in lines for line in normalise(text).split("\n") if line.strip()]


def _out_of_reach(what: str) -> InputError:
    return InputError(what, tr("this change would harm its formatting"), _COPY_NOTE)


def _refuse(document: Any, data: bytes, what: str) -> None:
    settings = related(document.part, "/settings")
    tracks = settings is not None and _is_on(settings.find(f"{W}trackRevisions"))
    if tracks or any(_TRACKED.match(str(one.tag)) for one in document.element.body.iter()):
        raise InputError(
            what,
            tr("it tracks changes, and yours would not be tracked"),
            tr("Accept the changes and turn tracking off in your word processor, or copy the note with Copy note."),
        )
    protection = None if settings is None else settings.find(f"{W}documentProtection")
    if protection is not None and protection.get(f"{W}enforcement") in ("1", "true", "on"):
        raise InputError(what, tr("it is protected against changes"), _COPY_NOTE)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        if any(name.startswith("_xmlsignatures/") for name in package.namelist()):
            raise InputError(what, tr("it is signed, and a change would break the signature"), _COPY_NOTE)


def _is_on(switch: Any) -> bool:
    return switch is not None and switch.get(f"{W}val", "1") not in ("0", "false", "off")


def _packed(data: bytes, document: Any) -> bytes:
    """Every other part stays as it is, byte for byte."""
    from lxml import etree

    main, buffer = str(document.part.partname).lstrip("/"), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            own = part.filename == main
            tree = etree.tostring(document.element, xml_declaration=True, encoding="UTF-8", standalone=True)
            new.writestr(part, tree if own else old.read(part))
    return buffer.getvalue()


class _Editing:
    """``standing`` are the lines that the document holds so far, in order."""

    def __init__(self, lines: list[Line], fields: Set[Any], what: str) -> None:
        self._lines, self._fields, self._what = lines, fields, what
        self._standing: list[Line] = []
        self._of: dict[Any, list[Line]] = {}
        for line in lines:
            self._of.setdefault(line.paragraph, []).append(line)

    def run(self, new: list[str]) -> None:
        old = [normalise(line.text).rstrip() for line in self._lines]
        new = [line.rstrip() for line in new]
        for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                self._standing += self._lines[i1:i2]
                continue
            for number, text in _paired(old[i1:i2], new[j1:j2]):
                line = None if number is None else self._lines[i1 + number]
                if line is None:
                    following = self._lines[i2] if i2 < len(self._lines) else None
                    self._standing.append(self._insert(str(text), following))
                elif text is None:
                    self._delete(line)
                else:
                    self._rewrite(line, text)
                    self._standing.append(line)

    # A line that was changed

    def _rewrite(self, line: Line, text: str) -> None:
        chunks = _chunks(line)
        old = "".join(normal for _, _, normal in chunks)
        if old != normalise(line.text):
            raise _out_of_reach(self._what)
        owners = [(piece, "" if place else raw) for piece, raw, normal in chunks for place in range(len(normal))]
        told: dict[int, list[str]] = {number: [] for number in range(len(line.pieces))}
        for kind, i1, i2, added in _changes(old, text):
            for piece, raw in owners[i1:i2]:
                if kind == "equal":
                    told[piece].append(raw)
                elif self._is_fixed(line.pieces[piece].element):
                    raise _out_of_reach(self._what)
            if added:
                left = owners[i1 - 1][0] if i1 else None
                right = owners[i1][0] if i1 < len(owners) else None
                target = right if i2 > i1 else self._side(line, left, right)
                if target is not None and _holds_text(line.pieces[target]):
                    told[target].append(added)
                else:
                    self._add_text(line, left, right, added)
        for own, parts in zip(line.pieces, told.values(), strict=True):
            self._write(own, "".join(parts))

    def _side(self, line: Line, left: int | None, right: int | None) -> int | None:
        """Words that are added go on with those before them, but not with a label such as "Plan:", nor in a field."""
        if left is None or right is None:
            return right if left is None else left
        before = line.pieces[left]
        return right if before.text.rstrip().endswith(":") or self._is_fixed(before.element) else left

    def _write(self, piece: Piece, text: str) -> None:
        if text == piece.text:
            return
        if self._is_fixed(piece.element):
            raise _out_of_reach(self._what)
        if piece.element.tag == f"{W}t":
            _set_text(piece.element, text)
        else:
            piece.element.getparent().remove(piece.element)

    def _add_text(self, line: Line, left: int | None, right: int | None, text: str) -> None:
        """Where no text stands on either side: beside a tab or a break, or in an empty paragraph."""
        beside = line.pieces[left].element if left is not None else line.broken_by
        before = line.pieces[right].element if right is not None else None
        if line.paragraph is None or any(self._is_fixed(one) for one in (beside, before) if one is not None):
            raise _out_of_reach(self._what)
        if beside is None and before is None and not line.pieces:
            _add_run(line.paragraph, line.paragraph.find(f"{W}pPr/{W}rPr"), text)
        elif beside is not None:
            beside.addnext(_text_element(line.paragraph, text))
        elif before is not None:
            before.addprevious(_text_element(line.paragraph, text))
        else:
            raise _out_of_reach(self._what)

    # A line that went

    def _delete(self, line: Line) -> None:
        for piece in line.pieces:
            if piece.text:
                self._write(piece, "")
        together = self._of[line.paragraph]
        at = together.index(line)
        together.remove(line)
        if not together:
            self._remove(line.paragraph)
            return
        # The break that set it apart from the line before, or from the one after.
        apart = line if at else together[0]
        if apart.broken_by is not None:
            if self._is_fixed(apart.broken_by):
                raise _out_of_reach(self._what)
            apart.broken_by.getparent().remove(apart.broken_by)
        if not at:
            together[0].broken_by = None

    def _remove(self, paragraph: Any) -> None:
        """A cell needs a paragraph, and what is hidden or drawn in one stays: then it is left without its words."""
        if paragraph is None:
            raise _out_of_reach(self._what)
        parent = paragraph.getparent()
        alone = len(parent.findall(f"{W}p")) == 1 or (paragraph.getnext() is None and parent.tag == f"{W}tc")
        in_field = paragraph in self._fields
        if not alone and not in_field and all(map(_is_plain, paragraph)):
            parent.remove(paragraph)

    def _is_fixed(self, element: Any) -> bool:
        """Made up by the reader, told twice (a text box), or filled in from elsewhere."""
        if element is None or element in self._fields:
            return True
        for above in element.iterancestors(_CHOICE, f"{W}sdt", f"{W}fldSimple", f"{W}ruby"):
            if above.tag != f"{W}sdt" or _is_set(above):
                return True
        return False

    # A line that came

    def _insert(self, text: str, following: Line | None) -> Line:
        before = self._standing[-1] if self._standing else None
        within = before is not None and following is not None and before.paragraph is following.paragraph
        if before is not None and within:
            return self._insert_break(before, text)
        here = (line for line in self._lines if line.paragraph is not None and line.paragraph.getparent() is not None)
        beside = before or following or next(here, None)
        if beside is None or beside.paragraph is None or self._is_fixed(beside.paragraph):
            raise _out_of_reach(self._what)
        made = beside.paragraph.makeelement(f"{W}p")
        model = self._model(text, beside, following)
        run_look = None
        if model is not None:
            look = model.paragraph.find(f"{W}pPr")
            if look is not None:
                made.append(deepcopy(look))
                for section in made.findall(f"{W}pPr/{W}sectPr"):
                    section.getparent().remove(section)
            run_look = next((_look(one.element) for one in reversed(model.pieces) if _holds_text(one)), None)
        element = _add_run(made, run_look, text)
        beside.paragraph.addnext(made) if before is not None else beside.paragraph.addprevious(made)
        line = Line([Piece(text, element)], made)
        self._of[made] = [line]
        return line

    def _model(self, text: str, beside: Line, following: Line | None) -> Line | None:
        """The line that a new one shall look like: a heading like a heading, other text like the text above it."""
        heading = bool(text.strip()) and _is_heading(text)
        near = [*reversed(self._standing), *([following] if following is not None else [])]
        for line in near:
            same_place = line.paragraph is not None and line.paragraph.getparent() is beside.paragraph.getparent()
            if same_place and line.text.strip() and _is_heading(line.text, line.paragraph) == heading:
                return line
        return None

    def _insert_break(self, before: Line, text: str) -> Line:
        last = next((one.element for one in reversed(before.pieces) if one.element is not None), before.broken_by)
        if last is None or self._is_fixed(last):
            raise _out_of_reach(self._what)
        line_break, element = last.makeelement(f"{W}br"), _text_element(last, text)
        last.addnext(line_break)
        line_break.addnext(element)
        line = Line([Piece(text, element)], before.paragraph, line_break)
        together = self._of[before.paragraph]
        together.insert(together.index(before) + 1, line)
        return line


def _paired(old: list[str], new: list[str]) -> Iterator[tuple[int | None, str | None]]:
    """(number of an old line, its new text): None for a line that came, or for the text of one that went.

    In order, so that the lines of each pair are as alike as they can be, and as many as can be have one.
    """
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, j in product(reversed(range(len(old))), reversed(range(len(new)))):
        paired = best[i + 1][j + 1] + _likeness(old[i], new[j])
        best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(old) or j < len(new):
        alike = _likeness(old[i], new[j]) if i < len(old) and j < len(new) else 0.0
        if alike and best[i][j] == best[i + 1][j + 1] + alike:
            yield i, new[j]
            i, j = i + 1, j + 1
        elif j < len(new) and (i == len(old) or best[i][j] == best[i][j + 1]):
            yield None, new[j]
            j += 1
        else:
            yield i, None
            i += 1


def _likeness(old: str, new: str) -> float:
    if bool(old) != bool(new) or _is_heading(old) != _is_heading(new):
        return 0.0
    words, others = set(_TOKEN.findall(old.lower())), set(_TOKEN.findall(new.lower()))
    return 0.01 + len(words & others) / max(1, len(words | others))


def _changes(old: str, new: str) -> Iterator[tuple[str, int, int, str]]:
    """(kind, start, end, what is put there), word by word, of ``old``."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    starts = [0]
    for token in before:
        starts.append(starts[-1] + len(token))
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield kind, starts[i1], starts[i2], "" if kind == "equal" else "".join(after[j1:j2])


def _chunks(line: Line) -> list[tuple[int, str, str]]:
    """(piece, characters, how they are normalised): a letter with the marks that it is written with is one."""
    made: list[tuple[int, str, str]] = []
    for number, piece in enumerate(line.pieces):
        for character in piece.text:
            if made and made[-1][0] == number and unicodedata.combining(character):
                raw = made[-1][1] + character
                made[-1] = (number, raw, normalise(raw))
            else:
                made.append((number, character, normalise(character)))
    return made


def _holds_text(piece: Piece) -> bool:
    return piece.element is not None and piece.element.tag == f"{W}t"


def _is_set(control: Any) -> bool:
    """Whether what a control shows is not for typing over: it is locked, was chosen from a list, or is bound."""
    properties = control.find(f"{W}sdtPr")
    if properties is None:
        return False
    lock = properties.find(f"{W}lock")
    locked = lock is not None and lock.get(f"{W}val", "").lower().endswith("contentlocked")
    return locked or any(str(one.tag).rpartition("}")[2] in _CHOSEN for one in properties)


def _is_plain(element: Any) -> bool:
    """Nothing but words and how they look: no equation, picture, field, bookmark, comment, break of sections, …"""
    if element.tag in (f"{W}pPr", f"{W}rPr"):
        return element.find(f"{W}sectPr") is None
    return element.tag in _PLAIN and all(map(_is_plain, element)) and not (element.tag == f"{W}t" and element.text)


def _is_heading(text: str, paragraph: Any = None) -> bool:
    style = None if paragraph is None else paragraph.find(f"{W}pPr/{W}pStyle")
    if style is not None and style.get(f"{W}val", "").startswith(("Heading", "Title")):
        return True
    return any(heading.span.end >= len(text.rstrip()) for heading in find_headings(text)[1])


def _look(element: Any) -> Any:
    run = next(element.iterancestors(f"{W}r"), None)
    return None if run is None else run.find(f"{W}rPr")


def _add_run(paragraph: Any, look: Any, text: str) -> Any:
    run = paragraph.makeelement(f"{W}r")
    if look is not None:
        run.append(deepcopy(look))
    element = _text_element(paragraph, text)
    run.append(element)
    paragraph.append(run)
    return element


def _text_element(beside: Any, text: str) -> Any:
    element = beside.makeelement(f"{W}t")
    _set_text(element, text)
    return element


def _set_text(element: Any, text: str) -> None:
    element.text = text
    element.set(_SPACE, "preserve")


# A text file, byte for byte but for the changed lines.
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
