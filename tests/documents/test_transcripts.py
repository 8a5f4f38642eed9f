"""Each layout in its own words: who said what, when, and what was said about what could not be read."""

from __future__ import annotations

import contextlib
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noteeval_desktop.documents import looks_like_note, looks_like_transcript, parse_note, parse_transcript
from noteeval_desktop.domain.transcript import Role, Transcript
from noteeval_desktop.errors import InputError
from tests.documents.layouts import BY_HAND, JSONS, SERVICES, Talk
from tests.growth import reading_grows_in_step


def talk(transcript: Transcript) -> Talk:
    return [(turn.speaker, turn.text, turn.start) for turn in transcript.turns]


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in BY_HAND + SERVICES], ids=[case[0] for case in BY_HAND + SERVICES]
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
        "2 of 3 captions had no time that could be read.",
    ),
    (
        "WEBVTT\n\n00:01.000 --> 00:02.000\nT: a\n\n00:05.000 --> 00:99.000\nC: b",
        "1 of 2 captions had no time that could be read.",
    ),
    (
        "1\n00:00:01,000 --> 00:00:04,000\nSam: Let's\n\n2\n00:00:05,000 --> 00:00:06,000\ngo\n\n3\n"
        "00:00:07,000 --> 00:00:09,000\nAna: Ok",
        "1 caption without a speaker was given to the previous speaker.",
    ),
    (
        "so then\ni went home",
        "The transcript does not say who is speaking. Choose who is the therapist and who is the client.",
    ),
    (
        '{"segments": [{"start": 1, "text": "a", "speaker": "S1"}, {"start": 2, "text": "b"}]}',
        "1 turn had no speaker and is shown as “Speaker”.",
    ),
    ("Welcome in\n\nT: Hi.\nC: Yo.", "1 line before the first speaker was kept as said by an unknown speaker."),
    (
        "Ana  0:01  \nHi.\n\nTranscribed by https://otter.ai",
        "1 line with a title or remark, not speech, was left out.",
    ),
    ("Attendees\nAna, Bo\nAna: Hi.\nBo: Yo.", "2 lines before the first speaker were left out as title and attendees."),
    ("📝 Notes\nSlept.\n📖 Transcript\nAna: Hi.\nBo: Yo.", "3 lines of summary before the transcript were left out."),
    (
        '[{"speaker": "T", "time": "soon", "text": "a"}, {"speaker": "C", "time": 1, "text": "b"}, 5]',
        "1 of 3 passages had no time that could be read.",
    ),
    ('[{"speaker": "T", "text": "a"}, 5]', "1 of 2 passages had no words and was left out."),
    ("speaker,time,text\nT,soon,a\nC,1:00,b", "1 of 2 rows had no time that could be read."),
    ("speaker,text\nT,a\nC,", "1 of 2 rows had no words and was left out."),
    ("T: a\u200bb\nC: c", "1 hidden character was removed from the transcript."),
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


def test_a_name_with_its_time_and_no_colon_opens_a_turn() -> None:
    transcript = parse_transcript(
        "Session 7 – R. Castellano – 18 Nov 2026 – transcribed by DictaScribe\n"
        "Dr. Hale  [00:00:04] Hi Renee, come on in.\nRenee  [00:00:41] Fine. Raining.\n"
        "Dr. Hale  [00:01:18] I'm glad.\nRenee [00:01:55] We met at [10:30] or so."
    )
    talk = [(turn.speaker, turn.start, turn.text) for turn in transcript.turns]
    assert talk[:2] == [("Dr. Hale", 4, "Hi Renee, come on in."), ("Renee", 41, "Fine. Raining.")]
    assert talk[3:] == [("Renee", 115, "We met at [10:30] or so.")]
    assert transcript.warnings == ("1 line with a title or remark, not speech, was left out.",)


def test_a_title_over_unlabelled_talk_is_nobodys_turn() -> None:
    transcript = parse_transcript("Therapy session transcript\nHow was your week?\nLong.")
    assert [turn.text for turn in transcript.turns] == ["How was your week?", "Long."]


@pytest.mark.parametrize("first", ["Last session I had 2 drinks", "So about that recording.", "Sure"])
def test_talk_at_the_top_is_no_title(first: str) -> None:
    assert parse_transcript(f"{first}\nHow was your week?").turns[0].text == first


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
        "T: a\n" * 50_000,
        "".join(f"Ab{n}: x\n" for n in range(30_000)),
        "\n" * 1_000_000 + "T: a",
        "**" * 500_000,
        " " * 3_000_000 + "T: a",
    ],
    ids=range(16),
)
def test_hostile_text_takes_no_longer_than_it_is_long(text: str) -> None:
    def read(text: str) -> None:
        with contextlib.suppress(InputError):
            parse_transcript(text)

    assert reading_grows_in_step(read, text)
