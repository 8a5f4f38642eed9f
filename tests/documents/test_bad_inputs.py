"""What a user is told about files that cannot be used: one line, no traceback, no clinical text."""

from __future__ import annotations

import io
import json
import os
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from noteeval_desktop.documents import list_sessions, read_note, read_transcript
from noteeval_desktop.errors import InputError

NOISE = random.Random(7).randbytes(6_000)
TALK = "Therapist: How was the week?\nClient: Better.\n"
NOTE = "Subjective\nClient slept well.\nPlan\nMeet on Tuesday.\n"
CONTENT_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def zipped(parts: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return buffer.getvalue()


def package(document: str | bytes, types: str = CONTENT_TYPES, relations: str = RELATIONS) -> bytes:
    return zipped({"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document})


def good_docx(*paragraphs: str) -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def good_pdf(lines: list[str], pages: int = 1) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for _ in range(pages):
        for number, line in enumerate(lines):
            canvas.drawString(50, 800 - 15 * number, line)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def locked_pdf() -> bytes:
    writer = PdfWriter(PdfReader(io.BytesIO(good_pdf(["Subjective", "Slept."]))))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def flagged_as_encrypted() -> bytes:
    data = bytearray(zipped({"word/document.xml": "x"}))
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    return bytes(data)


def zip_that_declares_too_little() -> bytes:
    data = bytearray(package(f"<w:document {W}><w:body>{'<w:p/>' * 50_000}</w:body></w:document>"))
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<I", 500)
    return bytes(data)


def laughs(levels: int = 12) -> str:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))
    return (
        f'<!DOCTYPE w [<!ENTITY a0 "ha">{entities}]>'
        f"<w:document {W}><w:body><w:p><w:r><w:t>&a{levels - 1};</w:t></w:r></w:p></w:body></w:document>"
    )


def ole(extra: str = "") -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE[:2_000] + extra.encode("utf-16-le")


def csv_of(header: str, *rows: str) -> bytes:
    return "\n".join([header, *rows]).encode()


def cues(*times: str) -> bytes:
    return ("WEBVTT\n\n" + "\n\n".join(times)).encode()


ANNOMI = "transcript_id,interlocutor,utterance_text"

# name, bytes, words of the message
BOTH = [
    ("empty.txt", b"", "it is empty"),
    ("blank.txt", b" \n\t \r\n", "it is empty"),
    ("only-mark.txt", b"\xef\xbb\xbf", "it is empty"),
    ("only-nul.txt", b"\0" * 400, "it is empty"),
    ("noise.txt", NOISE, "it is not text"),
    ("noise.docx", NOISE, "it is not text"),
    ("noise.json", bytes(range(256)) * 8, "it is not text"),
    ("signs.txt", "§±¶°×÷".encode("cp1252") * 40, "it is not text"),
    ("text-with-nuls.txt", b"Client: yes\0\0\0\0\0\0" * 50, "it is not text"),
    ("picture.png", b"\x89PNG\r\n\x1a\n" + NOISE, "it is a picture"),
    ("picture.txt", b"\xff\xd8\xff\xe0" + NOISE, "it is a picture"),
    ("picture.gif", b"GIF89a" + NOISE, "it is a picture"),
    ("session.mp3", b"ID3\x04" + NOISE, "it is a recording"),
    ("session.wav", b"RIFF\x10\0\0\0WAVE" + NOISE, "recording"),
    ("session.m4a", b"\0\0\0\x20ftypM4A " + NOISE, "recording"),
    ("session.ogg", b"OggS" + NOISE, "it is a recording"),
    ("session.flac", b"fLaC" + NOISE, "it is a recording"),
    ("old.doc", ole(), "Word's old format"),
    ("old.docx", ole(), "Word's old format"),
    ("locked.docx", ole("EncryptedPackage"), "protected by a password"),
    ("letter.rtf", b"{\\rtf1\\ansi Client slept.}", "RTF document"),
    ("letter.txt", b"{\\rtf1\\ansi Client slept.}", "RTF document"),
    ("letter.odt", zipped({"mimetype": "application/vnd.oasis", "content.xml": "<x/>"}), "OpenDocument"),
    ("letter.pages", zipped({"Index/Document.iwa": "x"}), "Pages document"),
    ("table.xlsx", zipped({"xl/workbook.xml": "<x/>"}), "spreadsheet"),
    ("archive.zip", zipped({"note.txt": NOTE}), "zip archive"),
    ("archive.docx", zipped({"note.txt": NOTE}), "zip archive"),
    ("archive.gz", b"\x1f\x8b\x08" + NOISE, "compressed archive"),
    ("archive.7z", b"7z\xbc\xaf\x27\x1c" + NOISE, "compressed archive"),
    ("archive.rar", b"Rar!\x1a\x07" + NOISE, "compressed archive"),
    ("library.db", b"SQLite format 3\0" + NOISE, "it is a database"),
    ("program.exe", b"MZ\x90\0" + NOISE, "it is a program"),
    ("program", b"\x7fELF" + NOISE, "it is a program"),
    ("cut.docx", good_docx("Subjective")[:9_000], "DOCX is damaged"),
    ("hollow.docx", b"PK\x03\x04" + NOISE, "DOCX is damaged"),
    ("locked-parts.docx", flagged_as_encrypted(), "protected by a password"),
    ("liar.docx", zip_that_declares_too_little(), "damaged"),
    ("no-types.docx", zipped({"word/document.xml": "<x/>"}), "damaged"),
    ("no-relations.docx", zipped({"[Content_Types].xml": CONTENT_TYPES, "word/document.xml": "<x/>"}), "damaged"),
    ("bad-xml.docx", package("<w:document"), "damaged"),
    ("no-body.docx", package(f"<w:document {W}/>"), "damaged"),
    ("macro.docm", package("<x/>", types=CONTENT_TYPES.replace("document.main", "template.main")), "damaged"),
    ("laughs.docx", package(laughs()), "damaged"),
    ("blank.docx", good_docx("", "  "), "no text|empty"),
    ("bomb.docx", package(b"<w:p/>" + b" " * 80_000_000), "far too large"),
    ("many-parts.docx", zipped({f"part{n}": "" for n in range(5_001)}), "far too large"),
    ("large.txt", b"Client: yes.\n" * 2_000_000, "larger than 25 MB"),
    ("broken.json", b'{"subjective": "slept', "not valid JSON"),
    ("nan.json", b'{"segments": [{"start": NaN, "text": "hi"}]}', "NaN"),
    ("infinite.json", b'[{"start": -Infinity, "text": "hi"}]', "Infinity"),
    ("deep.json", b'{"plan":' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deeply"),
    ("number.json", b'{"plan": 3', "not valid JSON"),
    ("long-number.json", b'{"plan": ' + b"9" * 10_000 + b"}", "not valid JSON"),
]
TRANSCRIPTS = [
    ("empty-object.json", b"{}", "no transcript was found"),
    ("empty-list.json", b"[]", "no transcript was found"),
    ("list-of-numbers.json", b"[ {}, 1, 2]", "no transcript was found"),
    ("note.json", b'{"subjective": "a", "plan": "b"}', "no transcript was found"),
    ("silent.json", b'[{"speaker": "T", "text": "  "}]', "no conversation was found"),
    ("rev-empty.json", b'{"monologues": [1, {"speaker": 0}]}', "no conversation was found"),
    ("session.pdf", good_pdf(["Therapist: hello"]), "it is a PDF"),
    ("pdf-as.txt", good_pdf(["Therapist: hello"]), "it is a PDF"),
    ("silent.vtt", b"WEBVTT\n\n", "no conversation was found"),
    (
        "no-words.vtt",
        cues("00:00:01.000 --> 00:00:02.000\n", "00:00:03.000 --> 00:00:04.000\n"),
        "no conversation was found",
    ),
    ("no-words.srt", b"1\n00:00:01,000 --> 00:00:02,000\n\n", "no conversation was found"),
    ("no-speaker.csv", csv_of("time,utterance_text", "1,hello"), "no column speaker"),
    ("no-rows.csv", csv_of(ANNOMI), "no conversation was found"),
    ("no-words.csv", csv_of(ANNOMI, "1,therapist,"), "no conversation was found"),
    ("two-sessions.csv", csv_of(ANNOMI, "1,therapist,hi", "2,client,ho"), "holds 2 sessions.*--session 1"),
    ("said-as-session.csv", csv_of(ANNOMI, "I slept badly,client,a", "So I slept,client,b"), r"--session\)"),
    ("open-quote.csv", csv_of(ANNOMI, '1,therapist,"' + "x" * 200_000), "line 2 cannot be read as CSV"),
    ("crowd.txt", "".join(f"Ab{n}: x\n" for n in range(300)).encode(), "more than 200 speakers"),
    ("one-turn.txt", b"Client: " + b"I slept badly. " * 1_500_000, "longer than a session"),
    ("many-turns.txt", b"Client: hi\nTherapist: ho\n" * 900_000, "longer than a session"),
    ("turns.txt", b"Client: hi\nTherapist: ho\n" * 2_501, "more than 5,000 turns"),
    (
        "one-turn.json",
        b'[{"speaker": "C", "text": "' + b"I slept badly. " * 1_500_000 + b'"}]',
        "500,000 characters of",
    ),
    ("one-cell.csv", csv_of("speaker,text", *["C," + "I slept badly. " * 8_000] * 10), "500,000 characters of speech"),
    ("long.vtt", cues("00:00:01.000 --> 00:00:02.000\n" + "I slept badly. " * 40_000), "500,000 characters of speech"),
    ("only-remarks.txt", b"Transcribed by https://otter.ai\n", "no conversation was found"),
]
NOTES = [
    ("session.vtt", cues("00:00:01.000 --> 00:00:02.000\nAnna: hello"), "transcript, not a note"),
    ("session.srt", b"1\n00:00:01,000 --> 00:00:02,000\nhello", "transcript, not a note"),
    ("session.csv", csv_of(ANNOMI, "1,therapist,hi"), "transcript, not a note"),
    ("list.json", b'[{"speaker": "T", "text": "hi"}]', "not a single note"),
    ("strings.json", b'["Client slept."]', "not a single note"),
    ("other.json", b'{"name": "A", "age": 3}', "no note section"),
    ("all-empty.json", b'{"subjective": "", "plan": null, "objective": []}', "no text was found"),
    ("nested.json", json.dumps({"plan": [[[[[[[[[["x"]]]]]]]]]]}).encode(), "nested too deeply"),
    ("scan.pdf", good_pdf([]), "holds pictures of text"),
    ("locked.pdf", locked_pdf(), "protected by a password"),
    ("cut.pdf", good_pdf(["Subjective"])[:400], "PDF is damaged"),
    ("hollow.pdf", b"%PDF-1.7\n" + NOISE, "PDF is damaged"),
    ("hollow.txt", b"%PDF-1.7\n%%EOF", "PDF is damaged"),
    ("thick.pdf", good_pdf(["Subjective"], pages=201), "more than 200 pages"),
    ("endless.txt", b"Client slept. " * 40_000, "more than 100,000 characters"),
    ("only-headings.txt", b"Subjective:\n\nPlan:\n", "no text was found"),
]
CASES = [
    *((name, data, words, reader) for name, data, words in BOTH for reader in (read_transcript, read_note)),
    *((name, data, words, read_transcript) for name, data, words in TRANSCRIPTS),
    *((name, data, words, read_note) for name, data, words in NOTES),
]


def test_the_table_has_at_least_sixty_files() -> None:
    assert len({name for name, *_ in CASES}) >= 60


@pytest.mark.parametrize(
    ("name", "data", "words", "reader"), CASES, ids=[f"{case[3].__name__}-{case[0]}" for case in CASES]
)
def test_bad_file_is_refused_with_its_name_the_problem_and_the_way_on(
    tmp_path: Path, name: str, data: bytes, words: str, reader: Callable[[Path], object]
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        reader(path)
    error = caught.value
    assert error.what == name
    assert error.remedy.endswith(".")
    assert "\n" not in str(error)
    assert len(str(error)) < 240
    assert "slept" not in str(error)
    assert str(tmp_path) not in str(error)


@pytest.mark.parametrize("reader", [read_transcript, read_note, list_sessions])
class TestPaths:
    def test_missing_file(self, tmp_path: Path, reader: Callable[[Path], object]) -> None:
        with pytest.raises(InputError, match=r"^gone\.txt: there is no such file\. Check"):
            reader(tmp_path / "gone.txt")

    def test_folder(self, tmp_path: Path, reader: Callable[[Path], object]) -> None:
        with pytest.raises(InputError, match="it is a folder"):
            reader(tmp_path)

    def test_pipe_is_not_waited_for(self, tmp_path: Path, reader: Callable[[Path], object]) -> None:
        os.mkfifo(tmp_path / "pipe.txt")
        with pytest.raises(InputError, match="not an ordinary file"):
            reader(tmp_path / "pipe.txt")

    def test_forbidden_file(
        self, tmp_path: Path, reader: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "mine.txt"
        path.write_text(TALK)

        def forbid(self: Path) -> bytes:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "read_bytes", forbid)
        with pytest.raises(InputError, match="you have no permission to read it"):
            reader(path)

    @pytest.mark.parametrize(
        ("number", "code", "name", "said"),
        [
            (13, 32, "open.txt", "it is open in another program, such as Word. Close it there"),
            (22, 362, "away.txt", r"it is kept online \(OneDrive or similar\) and could not be fetched. Go online"),
            (2, 3, "deep" * 60 + ".txt", "its name and folders are too long for Windows. Shorten"),
        ],
    )
    def test_what_windows_keeps_back_is_said_with_the_way_on(
        self,
        tmp_path: Path,
        reader: Callable[[Path], object],
        monkeypatch,
        number: int,
        code: int,
        name: str,
        said: str,
    ) -> None:
        path = tmp_path / name
        path.write_text(TALK)

        def refuse(self: Path) -> bytes:
            error = OSError(number, "said in the language of the system")
            error.winerror = code  # type: ignore[attr-defined, unused-ignore]
            raise error

        monkeypatch.setattr(Path, "read_bytes", refuse)
        monkeypatch.setattr("noteeval_desktop.platform.files._MAX_PATH", 200)
        with pytest.raises(InputError, match=said):
            reader(path)

    def test_name_that_no_file_can_have(self, tmp_path: Path, reader: Callable[[Path], object]) -> None:
        with pytest.raises(InputError, match="could not be read"):
            reader(tmp_path / ("x" * 5_000))
        with pytest.raises(InputError, match="could not be read"):
            reader(tmp_path / "a\0b")


def test_external_entity_in_a_docx_is_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")
    document = (
        f'<!DOCTYPE w [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        f"<w:document {W}><w:body><w:p><w:r><w:t>Plan: walk &x;</w:t></w:r></w:p></w:body></w:document>"
    )
    path = tmp_path / "note.docx"
    path.write_bytes(package(document))
    assert "TOPSECRET" not in read_note(path).text


def test_missing_session_is_named_with_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_bytes(csv_of(ANNOMI, "1,therapist,hi", "2,client,ho"))
    with pytest.raises(InputError, match=r"no session “9” in it\. It has 1, 2\."):
        read_transcript(path, "9")


def test_session_of_a_file_that_holds_one(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(TALK)
    with pytest.raises(InputError, match="one session only"):
        read_transcript(path, "1")
