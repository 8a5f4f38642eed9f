"""Transcripts as people and services write them: a name, the text (or JSON), and what is to be read from it."""

from __future__ import annotations

Talk = list[tuple[str, str, float | None]]
"""Speaker, words and start in seconds of each turn."""

BY_HAND: list[tuple[str, str, Talk]] = [
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
        "SRT without blank lines",
        "1\n00:00:01,000 --> 00:00:04,000\nSam: One.\n2\n00:00:05,000 --> 00:00:06,000\nAna: Two.",
        [("Sam", "One.", 1.0), ("Ana", "Two.", 5.0)],
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
