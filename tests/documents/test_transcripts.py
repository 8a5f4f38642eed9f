"""Each layout in its own words: who said what, when, and what was said about what could not be read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noteeval_desktop.documents import looks_like_note, looks_like_transcript, parse_note, parse_transcript
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.errors import InputError

Talk = list[tuple[str, str, float | None]]


def talk(transcript: Transcript) -> Talk:
    return [(turn.speaker, turn.text, turn.start) for turn in transcript.turns]


PLAIN: list[tuple[str, str, Talk]] = [
    ("roles", "Therapist: Hi.\nClient: Hello.", [("Therapist", "Hi.", None), ("Client", "Hello.", None)]),
    ("letters", "T: Hi.\nC: Hello.", [("T", "Hi.", None), ("C", "Hello.", None)]),
    ("short", "Th: Hi.\nPt: Hello.\nCl: No.", [("Th", "Hi.", None), ("Pt", "Hello.", None), ("Cl", "No.", None)]),
    ("titles", "Counsellor: Hi.\nInterviewer: Ok.", [("Counsellor", "Hi.", None), ("Interviewer", "Ok.", None)]),
    ("bold", "**Therapist:** Hi.\n\n**Client:** Hello.", [("Therapist", "Hi.", None), ("Client", "Hello.", None)]),
    ("bold inside", "**Therapist**: Hi.\n**Client**: Yo.", [("Therapist", "Hi.", None), ("Client", "Yo.", None)]),
    ("brackets", "[Ana] Hi.\n[Bo] Hello.", [("Ana", "Hi.", None), ("Bo", "Hello.", None)]),
    ("name", "[Dana] Hi.\n[Client] Hello.", [("Dana", "Hi.", None), ("Client", "Hello.", None)]),
    ("brackets, colon", "[Ana]: Hi.\n[Bo]: Yo.", [("Ana", "Hi.", None), ("Bo", "Yo.", None)]),
    ("names", "Ana Ruiz: Hi.\nBo O'Neil: Yo.", [("Ana Ruiz", "Hi.", None), ("Bo O'Neil", "Yo.", None)]),
    (
        "accents",
        "Zoë: Hi.\n李医生: 你好。\nZoë: Ok.\n李医生: 好",
        [("Zoë", "Hi.", None), ("李医生", "你好。", None), ("Zoë", "Ok.", None), ("李医生", "好", None)],
    ),
    ("numbers", "Speaker 1: Hi.\nClient 2: Yo.", [("Speaker 1", "Hi.", None), ("Client 2", "Yo.", None)]),
    (
        "continues",
        "Therapist: Hi.\nHow are you?\n\nClient: Ok.",
        [("Therapist", "Hi. How are you?", None), ("Client", "Ok.", None)],
    ),
    (
        "sounds stay",
        "T: Hi.\nC: (crying) I\n[inaudible]\n[laughs] no",
        [("T", "Hi.", None), ("C", "(crying) I [inaudible] [laughs] no", None)],
    ),
    (
        "not a label",
        "T: Hi.\nThe thing is: no.\nC: Ok.\nWell: yes",
        [("T", "Hi. The thing is: no.", None), ("C", "Ok. Well: yes", None)],
    ),
    ("own line", "Therapist\nHi.\nClient\nHello.", [("Therapist", "Hi.", None), ("Client", "Hello.", None)]),
    ("same again", "T: Hi.\nT: And?\nC: Ok.", [("T", "Hi. And?", None), ("C", "Ok.", None)]),
    (
        "time behind",
        "Therapist [00:01:02]: Hi.\nClient (01:05): Yo.",
        [("Therapist", "Hi.", 62.0), ("Client", "Yo.", 65.0)],
    ),
    (
        "time before",
        "[00:01:02] Therapist: Hi.\n00:01:05 Client: Yo.",
        [("Therapist", "Hi.", 62.0), ("Client", "Yo.", 65.0)],
    ),
    (
        "time after name",
        "Therapist 00:01:02: Hi.\nClient 00:01:05: Yo.",
        [("Therapist", "Hi.", 62.0), ("Client", "Yo.", 65.0)],
    ),
    ("no space", "T:Hi.\nC:Yo.", [("T", "Hi.", None), ("C", "Yo.", None)]),
    ("clock in talk", "T: At?\nC: 10:30 works.", [("T", "At?", None), ("C", "10:30 works.", None)]),
    ("dash", "Therapist - Hi.\nClient – Yo - yo.", [("Therapist", "Hi.", None), ("Client", "Yo - yo.", None)]),
    ("tab", "Therapist\tHi.\nClient\tYo.", [("Therapist", "Hi.", None), ("Client", "Yo.", None)]),
    ("numbered", "1. Ana: Hi.\n2. Bo: Yo.", [("Ana", "Hi.", None), ("Bo", "Yo.", None)]),
    ("quoted", "> Ana: Hi.\n> Bo: Yo.", [("Ana", "Hi.", None), ("Bo", "Yo.", None)]),
    ("title", "# Session 3\n\n**Ana:** Hi.\n\n---\n\n**Bo:** Yo.", [("Ana", "Hi.", None), ("Bo", "Yo.", None)]),
    ("from to", "00:12 - 00:15 Ana: Hi.\nBo 00:16 - 00:17\nYo.", [("Ana", "Hi.", 12.0), ("Bo", "Yo.", 16.0)]),
    ("one space", "Ana Lee 0:12\nHi.\nBo Lee 0:15\nYo.", [("Ana Lee", "Hi.", 12.0), ("Bo Lee", "Yo.", 15.0)]),
    ("time of day", "[10:02:15] Ana: Hi.\n[10:02:25] Bo: Yo.", [("Ana", "Hi.", 0.0), ("Bo", "Yo.", 10.0)]),
    ("times only", "[00:12] hi there\n[00:15] yo", [("Speaker", "hi there", 12.0), ("Speaker", "yo", 15.0)]),
    (
        "time in talk",
        "T: When?\nC: We met\nat Ana's at 3:15\n10:30 is fine: ok",
        [("T", "When?", None), ("C", "We met at Ana's at 3:15 10:30 is fine: ok", None)],
    ),
    ("astral", "T: 🙂 ok\nC: 👩‍👩‍👧 e\u0301", [("T", "🙂 ok", None), ("C", "👩‍👩‍👧 é", None)]),
    ("right to left", "T: ok\nC: شكرا لك", [("T", "ok", None), ("C", "شكرا لك", None)]),
]
SERVICES: list[tuple[str, str, Talk]] = [
    (
        "Zoom TXT",
        "[Ana Ruiz] 10:02:15\nHi.\n\n[Bo] 10:03:15\nYo.\nOk.\n",
        [("Ana Ruiz", "Hi.", 0.0), ("Bo", "Yo. Ok.", 60.0)],
    ),
    ("Zoom TXT past midnight", "[Ana] 23:59:50\nHi.\n[Bo] 00:00:10\nYo.", [("Ana", "Hi.", 0.0), ("Bo", "Yo.", 20.0)]),
    (
        "Zoom TXT with tabs",
        "10:02:15\tAna Ruiz:\tHi.\n10:02:20\tBo:\tYo.",
        [("Ana Ruiz", "Hi.", 0.0), ("Bo", "Yo.", 5.0)],
    ),
    (
        "Zoom VTT",
        "WEBVTT\n\n1\n00:02:24.720 --> 00:02:32.850\nSam Zhu: gotcha\n\n2\n"
        "00:02:33.000 --> 00:02:34.000\nSam Zhu: one: two\n\n"
        "3\n00:02:35.000 --> 00:02:36.000\nAna: 10\n",
        [("Sam Zhu", "gotcha one: two", 144.72), ("Ana", "10", 155.0)],
    ),
    (
        "Teams VTT",
        "WEBVTT\n\n001ec368-0a0a-4b4b-8c8c-0123456789ab/8-0\n00:00:01.000 --> 00:00:02.000\n"
        "<v Carlos Far&#237;as>No\nway.</v>\n\n"
        "001ec368-0a0a-4b4b-8c8c-0123456789ab/18-0\n00:00:03.000 --> 00:00:04.000\n<v Ann (Guest)>Ye\n\n"
        "001ec368-0a0a-4b4b-8c8c-0123456789ab/18-1\n00:00:04.000 --> 00:00:05.000\n<v Ann (Guest)>s &amp; no.</v>\n",
        [("Carlos Farías", "No way.", 1.0), ("Ann (Guest)", "Ye s & no.", 3.0)],
    ),
    (
        "Teams document",
        "Check-in\nJuly 10, 2026, 8:42PM\n31m 5s\nAna Ruiz started transcription\nAna Ruiz   0:03\nHi.\n"
        "How?\nBo Lee   1:00:04\nOk.\n"
        "Ana Ruiz stopped transcription",
        [("Ana Ruiz", "Hi. How?", 3.0), ("Bo Lee", "Ok.", 3604.0)],
    ),
    (
        "Teams document, older",
        "0:0:3.4 --> 0:0:5.1\nAna Ruiz\nHi.\n0:0:6.0 --> 0:0:7.1\nBo\nYo.",
        [("Ana Ruiz", "Hi.", 3.4), ("Bo", "Yo.", 6.0)],
    ),
    (
        "Otter",
        "Sidney  55:21  \nHi there.\n\n  55:30  \nWho?\n\nUnknown Speaker  1:00:00  \nMe.\nToo.\n\n"
        "Transcribed by https://otter.ai",
        [("Sidney", "Hi there.", 3321.0), ("Speaker", "Who?", 3330.0), ("Speaker", "Me. Too.", 3600.0)],
    ),
    (
        "SRT",
        "1\n00:00:01,000 --> 00:00:04,000\nSam: Let's\n\n2\n00:00:05,500 --> 00:00:06,000\nAna: go\n",
        [("Sam", "Let's", 1.0), ("Ana", "go", 5.5)],
    ),
    (
        "SRT without speakers",
        "1\n00:00:01,000 --> 00:00:04,000\n<i>Hi</i>\n\n2\n00:00:05,500 --> 00:00:06,000\nyo\n",
        [("Speaker", "Hi", 1.0), ("Speaker", "yo", 5.5)],
    ),
    (
        "WhisperX SRT",
        "1\n00:00:01,000 --> 00:00:04,000\n[SPEAKER_00]: Hi\n\n2\n00:00:05,000 --> 00:00:06,000\nyo\n",
        [("SPEAKER_00", "Hi", 1.0), ("Speaker", "yo", 5.0)],
    ),
    (
        "WhisperX VTT",
        "WEBVTT\n\n00:01.000 --> 00:04.000\n[SPEAKER_01]: Hi\n\n00:05.000 --> 00:06.000\n[SPEAKER_00]: yo\n",
        [("SPEAKER_01", "Hi", 1.0), ("SPEAKER_00", "yo", 5.0)],
    ),
    (
        "VTT notes and styles",
        "WEBVTT - x\n\nNOTE made by hand\nfor us\n\nSTYLE\n::cue {}\n\n"
        "00:01.000 --> 00:04.000 align:start\nT: Hi\n\nNOTE end\n\n00:05.000 --> 00:06.000\nC: yo",
        [("T", "Hi", 1.0), ("C", "yo", 5.0)],
    ),
    (
        "Meet",
        "Check-in (2026-07-10) - Transcript\nAttendees\nAna Ruiz, Bo Lee\nTranscript\n00:05:00\n"
        "Ana Ruiz: Hi.\nBo Lee: Yo.\n(00:10:00)\nAna Ruiz: Ok?\n"
        "Ana Ruiz's Presentation\nTranscription ended after 00:11:00\n"
        "This editable transcript was computer generated and might contain errors.",
        [("Ana Ruiz", "Hi.", 300.0), ("Bo Lee", "Yo.", None), ("Ana Ruiz", "Ok?", 600.0)],
    ),
    (
        "Meet with Gemini's notes",
        "📝 Notes\nSummary\nAna: sleeps well\nDetails: none\n📖 Transcript\nJuly 10\n00:00:00\n"
        "Ana Ruiz: Hi.\nBo Lee: Yo.\nTranscription ended after 00:11:00",
        [("Ana Ruiz", "Hi.", 0.0), ("Bo Lee", "Yo.", None)],
    ),
    (
        "Rev TXT",
        "Speaker 1 (00:12): Hi.\nSpeaker 2 (00:15):\nYo.\n",
        [("Speaker 1", "Hi.", 12.0), ("Speaker 2", "Yo.", 15.0)],
    ),
    (
        "Rev bold",
        "**Speaker 1 (00:12):** Hi.\n**Ana** (00:15):\nYo.\n",
        [("Speaker 1", "Hi.", 12.0), ("Ana", "Yo.", 15.0)],
    ),
    ("CSV", 'Speaker,Start,Text\nT,0:05,Hi\nC,7.5,"Yo, you"', [("T", "Hi", 5.0), ("C", "Yo, you", 7.5)]),
    ("CSV with semicolons", "speaker;text\nT;Hi\nC;Yo", [("T", "Hi", None), ("C", "Yo", None)]),
]
JSONS: list[tuple[str, object, Talk]] = [
    (
        "list",
        [
            {"speaker": "therapist", "time": "00:00:13", "text": "Hi"},
            {"speaker": "client", "time": "00:01:00", "text": "Yo"},
        ],
        [("therapist", "Hi", 13.0), ("client", "Yo", 60.0)],
    ),
    ("transcript", {"id": 1, "transcript": [{"speaker": "T", "text": "Hi"}]}, [("T", "Hi", None)]),
    (
        "Whisper",
        {
            "text": "Hi Yo",
            "segments": [{"start": 0.0, "end": 3.1, "text": " Hi"}, {"start": 3.1, "end": 4, "text": " Yo"}],
        },
        [("Speaker", "Hi", 0.0), ("Speaker", "Yo", 3.1)],
    ),
    (
        "Whisper pipeline",
        [{"timestamp": [0, 3.16], "text": " Hi"}, {"timestamp": [4, None], "text": "Yo"}],
        [("Speaker", "Hi", 0.0), ("Speaker", "Yo", 4.0)],
    ),
    (
        "Whisper pipeline, chunks",
        {"text": "Hi", "chunks": [{"timestamp": [0, 3.16], "text": " Hi"}]},
        [("Speaker", "Hi", 0.0)],
    ),
    (
        "whisper.cpp",
        {
            "transcription": [
                {"offsets": {"from": 1200, "to": 3000}, "timestamps": {"from": "00:00:01,200"}, "text": " Hi"}
            ]
        },
        [("Speaker", "Hi", 1.2)],
    ),
    (
        "WhisperX",
        {
            "segments": [
                {"start": 0.5, "text": "Hi", "speaker": "SPEAKER_00"},
                {"start": 2, "text": "Yo"},
                {"start": 3, "text": "Ok", "speaker": "SPEAKER_00"},
            ]
        },
        [("SPEAKER_00", "Hi", 0.5), ("Speaker", "Yo", 2.0), ("SPEAKER_00", "Ok", 3.0)],
    ),
    (
        "Rev",
        {
            "speakers": [{"id": 0, "name": "Ana"}],
            "monologues": [
                {
                    "speaker": 0,
                    "elements": [
                        {"type": "text", "value": "Hi", "ts": 0.5, "end_ts": 0.7},
                        {"type": "punct", "value": " "},
                        {"type": "text", "value": "you"},
                        {"type": "punct", "value": "."},
                    ],
                },
                {"speaker": 1, "elements": [{"type": "text", "value": "Yo", "ts": 2}]},
            ],
        },
        [("Ana", "Hi you.", 0.5), ("Speaker 1", "Yo", 2.0)],
    ),
]


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in PLAIN + SERVICES], ids=[case[0] for case in PLAIN + SERVICES]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_layout(text: str, expected: Talk, line_end: str) -> None:
    assert talk(parse_transcript(text.replace("\n", line_end))) == expected


@pytest.mark.parametrize(("data", "expected"), [case[1:] for case in JSONS], ids=[case[0] for case in JSONS])
def test_json_layout(data: object, expected: Talk) -> None:
    assert talk(parse_transcript(json.dumps(data))) == expected
    assert talk(parse_transcript("\ufeff" + json.dumps(data, indent=1, ensure_ascii=False))) == expected


SAID: list[tuple[str, str]] = [
    (
        "WEBVTT\n\n00:01.000 --> 00:02.000\nT: a\n\n00:0x.000 --> 00:04.000\nC: b\n\n00:05.000 --> 99\nC: c",
        "2 of 3 cues had no valid time.",
    ),
    (
        "1\n00:00:01,000 --> 00:00:04,000\nSam: Let's\n\n2\n00:00:05,000 --> 00:00:06,000\ngo\n\n3\n"
        "00:00:07,000 --> 00:00:09,000\nAna: Ok",
        "1 cue without a speaker was taken as the speaker's before.",
    ),
    ("so then\ni went home", "The transcript does not say who speaks: say who is the therapist and who the client."),
    (
        '{"segments": [{"start": 1, "text": "a", "speaker": "S1"}, {"start": 2, "text": "b"}]}',
        "1 turn had no speaker and is shown as “Speaker”.",
    ),
    ("Session three\n\nT: Hi.\nC: Yo.", "1 line before the first speaker was kept as talk of an unknown speaker."),
    (
        "Ana  0:01  \nHi.\n\nTranscribed by https://otter.ai",
        "1 line was a title or remark, not talk, and left out.",
    ),
    ("Attendees\nAna, Bo\nAna: Hi.\nBo: Yo.", "2 lines before the first speaker were left out as title and attendees."),
    ("📝 Notes\nSlept.\n📖 Transcript\nAna: Hi.\nBo: Yo.", "3 lines of summary before the transcript were left out."),
    (
        '[{"speaker": "T", "time": "soon", "text": "a"}, {"speaker": "C", "time": 1, "text": "b"}, 5]',
        "1 of 3 segments had no valid time.",
    ),
    ('[{"speaker": "T", "text": "a"}, 5]', "1 of 2 segments had no words and was left out."),
    ("speaker,time,text\nT,soon,a\nC,1:00,b", "1 of 2 rows had no valid time."),
    ("speaker,text\nT,a\nC,", "1 row held no words and was left out."),
    ("T: a\u200bb\nC: c", "1 hidden character was taken out of the transcript."),
]


@pytest.mark.parametrize(("text", "warning"), SAID)
def test_what_could_not_be_read_is_counted_and_said(text: str, warning: str) -> None:
    assert warning in parse_transcript(text).warnings


def test_cue_with_a_broken_time_keeps_its_words() -> None:
    transcript = parse_transcript("WEBVTT\n\n00:0x.000 --> 00:04.000\nT: hello\n")
    assert talk(transcript) == [("T", "hello", None)]


def test_unlabelled_lines_are_turns_of_nobody_known() -> None:
    transcript = parse_transcript("so then i went home\nand slept\n\nwhat about you")
    assert [turn.text for turn in transcript.turns] == ["so then i went home", "and slept", "what about you"]
    assert {turn.role for turn in transcript.turns} == {Role.OTHER}
    assert not transcript.roles_guessed


def test_sha_is_that_of_the_pasted_text() -> None:
    text = "T: Zoë\nC: 🙂"
    assert parse_transcript(text).source_sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_json_lines() -> None:
    transcript = parse_transcript('{"speaker": "T", "text": "Hi"}\n{"speaker": "C", "text": "Yo"}\n')
    assert talk(transcript) == [("T", "Hi", None), ("C", "Yo", None)]


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\u200b"])
def test_nothing_pasted_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="The pasted transcript: it is empty"):
        parse_transcript(text)


NOTE_TEXT = "Subjective:\nClient slept.\nObjective:\nCalm.\nAssessment:\nBetter.\nPlan:\nMeet."


@pytest.mark.parametrize(
    "text", [NOTE_TEXT, "S: a\nO: b\nA: c\nP: d", "## Data\nx\n## Plan\ny", '{"Subjective": "", "Plan": ""}']
)
def test_note_is_told_from_a_transcript(text: str) -> None:
    assert looks_like_note(text)
    assert not looks_like_transcript(text)


@pytest.mark.parametrize(
    "text", [case[1] for case in SERVICES if "without" not in case[0]] + ["T: Hi.\nC: Yo.\nT: Ok."]
)
def test_transcript_is_told_from_a_note(text: str) -> None:
    assert looks_like_transcript(text)
    assert not looks_like_note(text)


@pytest.mark.parametrize("text", ["", "hello there", "Client slept.", "Mood: low\nSleep: poor\nAppetite: fair"])
def test_text_that_is_neither(text: str) -> None:
    assert not looks_like_note(text)
    assert not looks_like_transcript(text)


PIECES = st.sampled_from(
    [
        "T: ",
        "C:",
        "[Ana] ",
        "10:02",
        "00:00:01.000 --> 00:00:02.000",
        "WEBVTT\n\n",
        "\n",
        "\n\n",
        "<v Bo>",
        "</v>",
        "  ",
        "\t",
        "[",
        "{",
        '"text":',
        "Ana  0:03  ",
        "hello",
        "患者",
        "🙂",
        ",",
        "speaker,text\n",
        "(",
        ")",
    ]
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=30).map("".join))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    try:
        transcript = parse_transcript(text)
    except InputError:
        return
    assert all(turn.text and turn.speaker for turn in transcript.turns)


@given(
    st.lists(st.text(st.characters(categories=["L", "N", "Zs"]), min_size=1).filter(str.strip), min_size=1, max_size=8)
)
def test_no_word_of_labelled_talk_is_lost(lines: list[str]) -> None:
    text = "\n".join(f"{'T' if n % 2 else 'C'}: {line}" for n, line in enumerate(lines))
    said = " ".join(turn.text for turn in parse_transcript(text).turns)
    assert "".join(said.split()) == "".join("".join(parse_note(line).text.split()) for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "T: " + "word " * 2_000_000,
        "x" * 10_000_000,
        ":" * 1_000_000,
        "[" * 1_000_000,
        "<v a" * 250_000,
        "WEBVTT\n\n" + "00:01.000 --> 00:02.000\n" * 40_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v a>" * 100_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<i " * 300_000,
        "-->" * 300_000,
        "1:" * 500_000,
        "A B " * 500_000 + ":",
        "T: a\n" * 100_000,
        "".join(f"Ab{n}: x\n" for n in range(100_000)),
        "\n" * 1_000_000 + "T: a",
        "**" * 500_000,
        " " * 3_000_000 + "T: a",
    ],
    ids=range(16),
)
def test_hostile_text_is_read_in_seconds(text: str) -> None:
    begin = time.process_time()
    with contextlib.suppress(InputError):
        parse_transcript(text)
    assert time.process_time() - begin < 8
