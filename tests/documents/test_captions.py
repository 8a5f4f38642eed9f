"""Captions as programs and people really make them: whose words they are, and that none is lost."""

from __future__ import annotations

import pytest

from noteeval_desktop.documents import parse_transcript

Talk = list[tuple[str, str]]


def talk(text: str) -> Talk:
    return [(turn.speaker, turn.text) for turn in parse_transcript(text).turns]


def captions(*cues: str) -> str:
    times = (f"00:00:{second:02}.000 --> 00:00:{second + 1:02}.000" for second in range(len(cues)))
    return "WEBVTT\n\n" + "\n\n".join(f"{n}\n{t}\n{cue}" for n, (t, cue) in enumerate(zip(times, cues, strict=True), 1))


CAPTIONS: list[tuple[str, str, Talk]] = [
    (
        "names with small words",
        captions("Jan de Vries: Hi.", "Maria dos Santos: Yo.", "Zoë d'Arc: Ok.", "Maria dos Santos: No."),
        [("Jan de Vries", "Hi."), ("Maria dos Santos", "Yo."), ("Zoë d'Arc", "Ok."), ("Maria dos Santos", "No.")],
    ),
    (
        "names of devices and accounts",
        captions("iPhone (2): Hi.", "b.ode@clinic.example: Yo.", "ella: Ok.", "iPhone (2): No."),
        [("iPhone (2)", "Hi."), ("b.ode@clinic.example", "Yo."), ("ella", "Ok."), ("iPhone (2)", "No.")],
    ),
    (
        "two speakers in a cue",
        captions("Therapist: How was it?\nClient: Bad.\nVery bad.", "Therapist: Oh."),
        [("Therapist", "How was it?"), ("Client", "Bad. Very bad."), ("Therapist", "Oh.")],
    ),
    (
        "a sentence with a colon is nobody's name",
        captions("Ana: I see.", "Bo: Well,", "the thing is: no.", "Ana: Yes."),
        [("Ana", "I see."), ("Bo", "Well, the thing is: no."), ("Ana", "Yes.")],
    ),
    ("words before the first tag", captions("so <v Ana>Hi.</v>"), [("Speaker", "so"), ("Ana", "Hi.")]),
    (
        "marks of a change",
        captions(">> THERAPIST: Hi.", ">> CLIENT: Yo.", ">> And you?"),
        [("THERAPIST", "Hi."), ("CLIENT", "Yo."), ("Speaker", "And you?")],
    ),
    (
        "dashes",
        captions("- How was it?\n- Bad.", "- 治 🙂\nok"),
        [("Speaker", "How was it?"), ("Speaker", "Bad."), ("Speaker", "治 🙂 ok")],
    ),
    (
        "an id with blanks",
        "WEBVTT\n\nfirst words\n00:01.000 --> 00:02.000\nT: Hi.\n\nsecond words\n00:03.000 --> 00:04.000\nC: Yo.",
        [("T", "Hi."), ("C", "Yo.")],
    ),
    (
        "an id of SubRip is a number, and talk stays",
        "1\n00:00:01,000 --> 00:00:02,000\nT: Hi.\n\nso it is\n00:00:03,000 --> 00:00:04,000\nC: Yo.",
        [("T", "Hi. so it is"), ("C", "Yo.")],
    ),
    (
        "one digit for the hour",
        "1\n0:00:01,500 --> 0:00:02,000\nT: Hi.\n\n2\n0:10:05,5 --> 0:10:06,00\nC: Yo.",
        [("T", "Hi."), ("C", "Yo.")],
    ),
    (
        "where old players put a line",
        "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Sam: Hi.\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\i1}Ana: Yo.{\\i0}",
        [("Sam", "Hi."), ("Ana", "Yo.")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CAPTIONS], ids=[case[0] for case in CAPTIONS])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_captions(text: str, expected: Talk, line_end: str) -> None:
    assert talk(text.replace("\n", line_end)) == expected


def test_a_marked_change_is_not_taken_as_the_speakers_before() -> None:
    assert parse_transcript(captions("T: Hi.", "C: Yo.", ">> Oh.")).warnings == (
        "1 turn had no speaker and is shown as “Speaker”.",
    )


def test_the_older_teams_document_beyond_ten_minutes_is_none_of_these() -> None:
    text = "0:9:3.4 --> 0:9:5.1\nAna Ruiz\nHi.\n0:10:16.12 --> 0:10:17.100\nBo\nYo."
    assert talk(text) == [("Ana Ruiz", "Hi."), ("Bo", "Yo.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[Ms. Anne-Marie d'Arc] Hi.\n[Bo] Yo.\n[sighs] No.\n[Ms. Anne-Marie d'Arc] Ok.",
            [("Ms. Anne-Marie d'Arc", "Hi."), ("Bo", "Yo. [sighs] No."), ("Ms. Anne-Marie d'Arc", "Ok.")],
        ),
        (
            "Maria do Carmo: Hi.\nAbu ibn Zuhr: Yo.\nMaria do Carmo: Ok.",
            [("Maria do Carmo", "Hi."), ("Abu ibn Zuhr", "Yo."), ("Maria do Carmo", "Ok.")],
        ),
        ("## Therapist\nHi.\n\n## Client 2\nYo.", [("Therapist", "Hi."), ("Client 2", "Yo.")]),
    ],
    ids=["in brackets", "before a colon", "as headings"],
)
def test_names_at_the_start_of_a_line(text: str, expected: Talk) -> None:
    assert talk(text) == expected


def test_segments_without_words_are_counted() -> None:
    transcript = parse_transcript('[{"speaker": "T", "text": "a"}, {"speaker": "T", "text": " "}]')
    assert "1 of 2 passages had no words and was left out." in transcript.warnings
