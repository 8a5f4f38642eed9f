"""Files on disk: encodings, DOCX and PDF through the child process, sessions, warnings."""

from __future__ import annotations

import codecs
import hashlib
import io
import threading
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement

from noteeval_desktop.documents import CP1252_WARNING, list_sessions, read_note, read_transcript
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.errors import Cancelled, InputError
from tests.pdf_factory import pdf_of

TALK = "Therapist: Wie geht’s, Zoë?\nClient: Così così – naïve café.\n"


def saved(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def document(*paragraphs: str) -> docx.document.Document:
    made = docx.Document()
    for paragraph in paragraphs:
        made.add_paragraph(paragraph)
    return made


def docx_file(path: Path, made: docx.document.Document) -> Path:
    buffer = io.BytesIO()
    made.save(buffer)
    return saved(path, buffer.getvalue())


def pdf_file(path: Path, *pages: list[str]) -> Path:
    return saved(path, pdf_of(*pages))


def by_section(note: Note) -> dict[str, list[str]]:
    return {section: [s.text for s in note.sentences_in(section)] for section in Section if note.sentences_in(section)}


@pytest.mark.parametrize(
    ("data", "warnings"),
    [
        (TALK.encode(), ()),
        (codecs.BOM_UTF8 + TALK.encode(), ()),
        (codecs.BOM_UTF16_LE + TALK.encode("utf-16-le"), ()),
        (codecs.BOM_UTF16_BE + TALK.encode("utf-16-be"), ()),
        (codecs.BOM_UTF32_LE + TALK.encode("utf-32-le"), ()),
        (TALK.encode("utf-16-le"), ()),
        (TALK.encode("utf-16-be"), ()),
        (TALK.replace("\n", "\r\n").encode("cp1252"), (CP1252_WARNING,)),
    ],
    ids=["utf-8", "utf-8 bom", "utf-16 le bom", "utf-16 be bom", "utf-32", "utf-16 le", "utf-16 be", "cp1252"],
)
def test_encoding_is_told_from_the_bytes(tmp_path: Path, data: bytes, warnings: tuple[str, ...]) -> None:
    transcript = read_transcript(saved(tmp_path / "talk.txt", data))
    assert [turn.text for turn in transcript.turns] == ["Wie geht’s, Zoë?", "Così così – naïve café."]
    assert transcript.warnings == warnings
    assert transcript.source_sha256 == hashlib.sha256(data).hexdigest()


def test_one_broken_byte_does_not_turn_utf8_into_cp1252(tmp_path: Path) -> None:
    path = saved(tmp_path / "talk.txt", TALK.encode() + b"Therapist: ok\xff\n")
    transcript = read_transcript(path)
    assert transcript.turns[1].text == "Così così – naïve café."
    assert transcript.warnings == ("1 character could not be read and is shown as \ufffd.",)


@pytest.mark.parametrize("name", ["note.txt", "note.md", "NOTE.TXT", "note", "notiz – Zoë.txt"])
def test_text_note(tmp_path: Path, name: str) -> None:
    note = read_note(saved(tmp_path / name, "## Subjective\nDenies SI.\n## Plan\nMeet."))
    assert by_section(note) == {"subjective": ["Denies SI."], "plan": ["Meet."]}
    assert note.warnings == ()


def test_note_in_windows_1252_asks_to_check_accents(tmp_path: Path) -> None:
    note = read_note(saved(tmp_path / "note.txt", "Subjective: Zoë slept.".encode("cp1252")))
    assert note.warnings == (CP1252_WARNING,)
    assert "Zoë" in note.text


def test_docx_note_with_table_line_breaks_and_tracked_insertion(tmp_path: Path) -> None:
    made = document("Subjective", "Client slept.\nDenies SI.")
    inserted = OxmlElement("w:ins")
    run = made.add_paragraph("Ate ").add_run("well.")
    run._r.addprevious(inserted)
    inserted.append(run._r)
    table = made.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Plan", "Meet 🙂."
    note = read_note(docx_file(tmp_path / "note.docx", made))
    assert by_section(note) == {"subjective": ["Client slept.", "Denies SI.", "Ate well."], "plan": ["Meet 🙂."]}


def test_pdf_note_is_unwrapped_and_loses_its_page_numbers(tmp_path: Path) -> None:
    path = pdf_file(
        tmp_path / "note.pdf",
        [
            "SUBJECTIVE",
            "Client reports drinking four times a week and sleeping badly since the spring with",
            "no other changes. Denies SI.",
            "1 of 2",
        ],
        ["PLAN", "- Meet on Friday", "- Call Dr. Ode", "2 of 2"],
    )
    assert by_section(read_note(path)) == {
        "subjective": [
            "Client reports drinking four times a week and sleeping badly since the spring with no other changes.",
            "Denies SI.",
        ],
        "plan": ["- Meet on Friday", "- Call Dr. Ode"],
    }


def test_file_under_a_wrong_extension_is_read_for_what_it_is(tmp_path: Path) -> None:
    note = read_note(pdf_file(tmp_path / "note.txt", ["Plan: rest."]))
    assert by_section(note) == {"plan": ["rest."]}
    assert note.warnings == ("The file is named .txt but is a PDF.",)
    note = read_note(saved(tmp_path / "note.docx", "Plan: rest."))
    assert by_section(note) == {"plan": ["rest."]}
    assert note.warnings == ("The file is named DOCX but holds plain text.",)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            '{"subjective": "Slept. Denies SI.", "plan": "Meet."}',
            {"subjective": ["Slept.", "Denies SI."], "plan": ["Meet."]},
        ),
        ('{"Plan": "Meet.", "SUBJECTIVE": "Slept."}', {"subjective": ["Slept."], "plan": ["Meet."]}),
        ('{"S": "Slept.", "p": "Meet."}', {"subjective": ["Slept."], "plan": ["Meet."]}),
        ('{"subjective": ["Slept.", "Ate."], "plan": null}', {"subjective": ["Slept.", "Ate."]}),
        ('{"note": {"plan": "Meet 🙂."}}', {"plan": ["Meet 🙂."]}),
        ('{"other": "Z", "plan": "Meet."}', {"unassigned": ["other: Z"], "plan": ["Meet."]}),
        (
            '{"subjective": {"mood": "low", "sleep": ["4 h", "broken"]}}',
            {"subjective": ["mood: low", "sleep: 4 h", "broken"]},
        ),
        (
            '{"Data": "Slept.", "Assessment": "Ok.", "Plan": "Meet."}',
            {"subjective": ["Slept."], "objective": ["Slept."], "assessment": ["Ok."], "plan": ["Meet."]},
        ),
    ],
)
def test_json_note(tmp_path: Path, data: str, expected: dict[str, list[str]]) -> None:
    assert by_section(read_note(saved(tmp_path / "note.json", data))) == expected


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("note.json", "# Subjective\nSlept well 🙂.\n", "named JSON but holds plain text"),
        ("NOTE.JSON", "S: Slept.", "named JSON but holds plain text"),
        ("note.json", '```json\n{"plan": "Meet."}\n```', "named JSON but holds plain text"),
        ("note.json", '"Slept."', "the JSON is not a single note"),
        ("note.json", "[1, 2]", "the JSON is not a single note"),
        ("note.json", '{"plan": "Me', "not valid JSON"),
        ("note.txt", '{"schema": "noteeval.evaluation/1", "responses": []}', "a result of this program"),
    ],
)
def test_what_is_no_json_note_is_refused(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_note(saved(tmp_path / name, text))


def test_a_transcript_named_json_that_is_text_says_so(tmp_path: Path) -> None:
    transcript = read_transcript(saved(tmp_path / "t.json", "Therapist: Hi.\nClient: Hello.\n"))
    assert "The file is named JSON but holds plain text." in transcript.warnings


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            '{"assessment_and_plan": "Ok.", "subjective": "Slept."}',
            {"subjective": ["Slept."], "assessment": ["Ok."], "plan": ["Ok."]},
        ),
        (
            '{"subjective": "Plan: to move.\\nSlept.\\nObjective: none.", "plan": "Meet."}',
            {"subjective": ["Plan: to move.", "Slept.", "Objective: none."], "plan": ["Meet."]},
        ),
        (
            '{"objective": "Calm.", "plan": "Plan: meet.\\nNext steps: call."}',
            {"objective": ["Calm."], "plan": ["meet.", "call."]},
        ),
    ],
    ids=["underscores", "headings of other sections", "headings of its own"],
)
def test_a_json_note_says_itself_what_belongs_where(tmp_path: Path, data: str, expected: dict[str, list[str]]) -> None:
    assert by_section(read_note(saved(tmp_path / "note.json", data))) == expected


def test_a_json_note_of_another_format_keeps_its_order(tmp_path: Path) -> None:
    note = read_note(saved(tmp_path / "note.json", '{"data": "Slept.", "assessment": "Ok.", "plan": "Meet."}'))
    assert note.text == "Data\nSlept.\n\nAssessment\nOk.\n\nPlan\nMeet."


def test_json_note_is_set_out_under_headings(tmp_path: Path) -> None:
    note = read_note(saved(tmp_path / "note.json", '{"plan": "Meet.", "subjective": "Slept.", "objective": ""}'))
    assert note.text == "Subjective\nSlept.\n\nObjective\n\n\nPlan\nMeet."


def test_teams_docx(tmp_path: Path) -> None:
    made = document("Check-in", "July 10, 2026, 8:42PM", "31m 5s", "Ana Ruiz started transcription")
    made.add_paragraph("Ana Ruiz   0:03\nHow does that make you feel?")
    made.add_paragraph("Bo Lee   0:09\nI feel ok.")
    transcript = read_transcript(docx_file(tmp_path / "teams.docx", made))
    assert [(turn.speaker, turn.role, turn.start) for turn in transcript.turns] == [
        ("Ana Ruiz", Role.THERAPIST, 3.0),
        ("Bo Lee", Role.CLIENT, 9.0),
    ]
    assert transcript.warnings == (
        "3 lines before the first speaker were left out as title and attendees.",
        "1 line with a title or remark, not speech, was left out.",
    )


def test_meet_docx(tmp_path: Path) -> None:
    made = document("📝 Notes", "Ana: slept.", "📖 Transcript", "00:00:05", "Ana Ruiz: Hi.", "Bo Lee: Yo.")
    transcript = read_transcript(docx_file(tmp_path / "meet.docx", made))
    assert [(turn.speaker, turn.text) for turn in transcript.turns] == [("Ana Ruiz", "Hi."), ("Bo Lee", "Yo.")]


def test_rev_docx_in_bold(tmp_path: Path) -> None:
    made = docx.Document()
    for number in (1, 2):
        paragraph = made.add_paragraph()
        paragraph.add_run(f"Speaker {number} (00:1{number}):").bold = True
        paragraph.add_run(" Hi.")
    transcript = read_transcript(docx_file(tmp_path / "rev.docx", made))
    assert [(turn.speaker, turn.text, turn.start) for turn in transcript.turns] == [
        ("Speaker 1", "Hi.", 11.0),
        ("Speaker 2", "Hi.", 12.0),
    ]


SIMPLE = (
    "transcript_id,mi_quality,video_title,utterance_id,interlocutor,timestamp,utterance_text\n"
    'a,high,One,0,therapist,00:00:10,"Hi, you."\na,high,One,1,client,00:00:12,Yo.\na,high,One,2,client,00:00:14,Ok.\n'
    "b,low,Two,0,client,00:01:00,Hm.\nb,low,Two,1,therapist,00:01:05,Why?\n"
)
FULL = (
    "annotator_id,utterance_text,utterance_id,transcript_id,interlocutor,timestamp,subtype\n"
    "3,Hi.,0,a,therapist,00:00:10,open\n4,Hi.,0,a,therapist,00:00:10,closed\n3,Yo.,1,a,client,00:00:12,\n4,Yo.,1,a,client,00:00:12,\n"
)


def test_csv_with_several_sessions_has_a_picker(tmp_path: Path) -> None:
    path = saved(tmp_path / "annomi.csv", SIMPLE)
    assert [(info.id, info.title, info.turns) for info in list_sessions(path)] == [("a", "One", 2), ("b", "Two", 2)]
    transcript = read_transcript(path, "b")
    assert [(turn.role, turn.text, turn.time) for turn in transcript.turns] == [
        (Role.CLIENT, "Hm.", "00:01:00"),
        (Role.THERAPIST, "Why?", "00:01:05"),
    ]
    assert not transcript.roles_guessed
    assert [turn.text for turn in read_transcript(path, "a").turns] == ["Hi, you.", "Yo. Ok."]


def test_csv_with_several_annotators_has_every_utterance_once(tmp_path: Path) -> None:
    path = saved(tmp_path / "full.csv", FULL)
    assert list_sessions(path) == ()
    assert [turn.text for turn in read_transcript(path).turns] == ["Hi.", "Yo."]


def test_other_files_hold_no_sessions(tmp_path: Path) -> None:
    assert list_sessions(saved(tmp_path / "talk.txt", TALK)) == ()
    assert list_sessions(pdf_file(tmp_path / "note.pdf", ["Plan: rest."])) == ()


def test_swapped_files_are_noticed(tmp_path: Path) -> None:
    note = saved(tmp_path / "a.txt", "Subjective:\nSlept.\nObjective:\nCalm.\nPlan:\nMeet.")
    talk = saved(tmp_path / "b.txt", TALK)
    assert (
        "This looks like a progress note, not a transcript. Were the two files swapped?"
        in read_transcript(note).warnings
    )
    assert "This looks like a transcript, not a progress note. Were the two files swapped?" in read_note(talk).warnings


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    path = docx_file(tmp_path / "note.docx", document("Plan: rest."))
    for reader in (read_note, read_transcript):
        with pytest.raises(Cancelled):
            reader(path, cancel=cancel)
