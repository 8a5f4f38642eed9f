"""Saves 40 documents back, each line of each edited in turn, and tells what else changed: it should be nothing.

    .venv/bin/python -m tests.benchmarks.save_back [FOLDER]

FOLDER: documents of one's own, which are copied, not touched. What is refused has to stay as it was, byte for byte.
"""

from __future__ import annotations

import io
import re
import shutil
import stat
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import docx
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree
from reportlab.pdfgen.canvas import Canvas

from noteeval_desktop.documents import read_note
from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.errors import InputError
from noteeval_desktop.exports import write_note

MODE = 0o664
TEXT = (
    "Subjective\nClient slept badly and worries about “work”.\n\nObjective\nTearful, oriented.\n"
    "Assessment\nMood low.\nPlan\nMeet Tuesday at 10.\n"
)


def field(code: str, result: str) -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    inner = f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
    return f"{mark('begin')}{inner}{mark('separate')}{run(result)}{mark('end')}"


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*inner: str) -> Callable[[Any], None]:
    def add(made: Any) -> None:
        made.element.body.insert(2, parse_xml(f"<w:p {nsdecls('w', 'm', 'r')}>{''.join(inner)}</w:p>"))

    return add


def table(made: Any) -> None:
    grid = made.add_table(2, 2)
    for number, text in enumerate(("Mood", "Low", "Affect", "Flat")):
        grid.cell(number // 2, number % 2).text = text


def setting(name: str, **values: str) -> Callable[[Any], None]:
    def add(made: Any) -> None:
        element = OxmlElement(f"w:{name}")
        for key, value in values.items():
            element.set(qn(f"w:{key}"), value)
        made.settings.element.append(element)

    return add


def control(kind: str) -> Callable[[Any], None]:
    return paragraph(
        run("Seen: "), f"<w:sdt><w:sdtPr><w:{kind}/></w:sdtPr><w:sdtContent>{run('in person')}</w:sdtContent></w:sdt>"
    )


def tracked(tag: str) -> Callable[[Any], None]:
    return paragraph(run("Was "), f'<w:{tag} w:id="9" w:author="A">{run("changed")}</w:{tag}>', run(" here."))


WORD: dict[str, Callable[[Any], object]] = {
    "plain": lambda made: None,
    "table": table,
    "list": lambda made: made.add_paragraph("Walk daily.", style="List Bullet"),
    "header": lambda made: setattr(made.sections[0].header.paragraphs[0], "text", "Riverside Clinic"),
    "hidden": lambda made: setattr(made.paragraphs[1].add_run("BILLING 90834").font, "hidden", True),
    "many runs": paragraph(*(run(word, "<w:b/>" if n % 2 else "") for n, word in enumerate(("So", " ", "tired", ".")))),
    "break": lambda made: made.add_paragraph().add_run("Rest.\nWalk.\nCall sister."),
    "tabs": paragraph(run("Sleep"), "<w:r><w:tab/></w:r>", run("4 hours")),
    "equation": paragraph(run("Score "), "<m:oMath><m:r><m:t>x=12</m:t></m:r></m:oMath>", run(" today.")),
    "equation alone": paragraph("<m:oMath><m:r><m:t>y=3</m:t></m:r></m:oMath>"),
    "bookmark": paragraph('<w:bookmarkStart w:id="5" w:name="mood"/>', run("Calmer."), '<w:bookmarkEnd w:id="5"/>'),
    "comment": paragraph('<w:commentRangeStart w:id="3"/>', run("Eats."), '<w:commentRangeEnd w:id="3"/>'),
    "symbol": paragraph('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', run(" consent signed")),
    "link": paragraph(run("See "), f'<w:hyperlink w:anchor="mood">{run("above")}</w:hyperlink>', run(".")),
    **{
        f"field {code.split()[0]}": paragraph(run("Seen "), field(code, "filled in"), run(" here."))
        for code in ("DATE", "REF mood", "MERGEFIELD name", "FORMTEXT", 'HYPERLINK "https://a.test"', "PAGE")
    },
    "simple field": paragraph(run("By "), f'<w:fldSimple w:instr="AUTHOR">{run("Dr Quinn")}</w:fldSimple>'),
    **{f"control {kind}": control(kind) for kind in ("text", "dropDownList", "date", "dataBinding")},
    **{f"tracked {tag}": tracked(tag) for tag in ("ins", "moveTo")},
    "tracks": setting("trackRevisions"),
    "protected": setting("documentProtection", edit="readOnly", enforcement="1"),
}
ENCODED = {
    f"{name} {ending.encode()!r}": (mark + TEXT.replace("\n", ending).encode(encoding))
    for name, mark, encoding in (
        ("UTF-8", b"", "utf-8"),
        ("UTF-8 with a mark", b"\xef\xbb\xbf", "utf-8"),
        ("UTF-16", b"\xff\xfe", "utf-16-le"),
        ("cp1252", b"", "cp1252"),
    )
    for ending in ("\n", "\r\n")
}


def documents(folder: Path) -> Iterator[tuple[str, Path]]:
    for name, also in WORD.items():
        made = docx.Document()
        made.add_heading("Subjective", 2)
        made.add_paragraph("Client slept badly.")
        made.add_heading("Plan", 2)
        made.add_paragraph().add_run("Meet Tuesday.").italic = True
        also(made)
        path = folder / f"{name}.docx"
        made.save(str(path))
        yield f"Word: {name}", path
    for name, content in ENCODED.items():
        path = folder / f"{re.sub(r'[^A-Za-z0-9]+', ' ', name)}.{'md' if 'mark' in name else 'txt'}"
        path.write_bytes(content)
        yield f"text: {name}", path
    word = folder / "plain.docx"
    shutil.copy(word, folder / "Word inside.txt")
    yield "Word named .txt", folder / "Word inside.txt"
    (folder / "json.md").write_text('{"subjective": "Slept badly.", "plan": "Meet Tuesday."}')
    yield "JSON named .md", folder / "json.md"
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number, line in enumerate(("Plan", "Meet Tuesday.")):
        canvas.drawString(50, 800 - 20 * number, line)
    canvas.save()
    (folder / "pdf.txt").write_bytes(buffer.getvalue())
    yield "PDF named .txt", folder / "pdf.txt"
    (folder / "note.rtf").write_bytes(rb"{\rtf1\ansi Plan: meet.}")
    yield "RTF", folder / "note.rtf"


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def shape(tree: Any) -> Counter[str]:
    """How often each mark of the layout stands there, but for the texts and the runs that they stand in."""
    return Counter(str(one.tag) for one in tree.iter() if str(one.tag).split("}")[-1] not in ("t", "r"))


def changed_word(before: bytes, after: bytes) -> str:
    old, new = parts(before), parts(after)
    other = [name for name in {*old, *new} if old.get(name) != new.get(name) and name != "word/document.xml"]
    if other:
        return f"other parts: {other}"
    trees = [etree.fromstring(made["word/document.xml"]) for made in (old, new)]
    if shape(trees[0]) != shape(trees[1]):
        return "marks of the layout"
    paragraphs = [[etree.tostring(one, method="c14n") for one in tree.iter(qn("w:p"))] for tree in trees]
    differ = sum(a != b for a, b in zip(*paragraphs, strict=True))
    return "" if differ == 1 else f"{differ} paragraphs"


def changed_text(before: bytes, after: bytes) -> str:
    unit = 2 if before.startswith(b"\xff\xfe") else 1
    split = (b"\n" + b"\0" * (unit - 1)) if unit == 2 else b"\n"
    old, new = before.split(split), after.split(split)
    differ = sum(a != b for a, b in zip(old, new, strict=False)) + abs(len(old) - len(new))
    return "" if differ == 1 else f"{differ} lines"


def edits(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if found := list(re.finditer(r"[^\W\d_]{3,}", line)):
            word = found[-1]
            # A heading that is none any more would become text, and look like it.
            other = line.upper() if find_headings(line)[1] else f"{line[: word.start()]}otherwise{line[word.end() :]}"
            yield "\n".join([*lines[:number], other, *lines[number + 1 :]])


def main() -> int:
    counts, wrong = Counter[str](), []
    here = patch("noteeval_desktop.documents.files.run_isolated", lambda function, *args, **_: function(*args))
    with here, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        found = list(documents(folder))
        if len(sys.argv) > 1:
            found += [(one.name, Path(shutil.copy(one, folder))) for one in sorted(Path(sys.argv[1]).iterdir())]
        for name, path in found:
            path.chmod(MODE)
            before = path.read_bytes()
            try:
                note = read_note(path)
            except InputError:
                counts["not read, so never written"] += 1
                continue
            saved = 0
            for after in edits(note.text):
                try:
                    write_note(path, after, (path, note.text))
                except InputError:
                    counts["edits refused"] += 1
                    if path.read_bytes() != before:
                        wrong.append(f"{name}: refused, and changed")
                else:
                    saved += 1
                    now = path.read_bytes()
                    said = (changed_word if before.startswith(b"PK") else changed_text)(before, now)
                    if not said and read_note(path).text != after:
                        said = "it does not read as edited"
                    if not said and stat.S_IMODE(path.stat().st_mode) != MODE:
                        said = "its mode"
                    if said:
                        wrong.append(f"{name}: {said}")
                path.write_bytes(before)
            counts["edits saved"] += saved
            counts["documents saved back" if saved else "documents refused as a whole"] += 1
        left = list(folder.glob(".noteeval-*"))
    print(f"{len(found)} documents", *(f"{name}: {count}" for name, count in sorted(counts.items())), sep="\n")
    print(f"changed besides the edited line: {len(wrong)}; parts left behind: {len(left)}", *wrong, sep="\n")
    return 1 if wrong or left else 0


if __name__ == "__main__":
    sys.exit(main())
