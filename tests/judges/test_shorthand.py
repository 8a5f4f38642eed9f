"""Clinical shorthand is written out before the encoder reads a sentence; ordinary words stay as they are."""

from __future__ import annotations

import pytest

from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.judges.builtin.text.language import is_foreign_sentence
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.shorthand import written_out
from tests.growth import grows_in_step


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("RTC 2 wks.", "Return to clinic 2 weeks."),
        ("F/u Tues 4pm.", "follow-up Tuesday 4pm."),
        ("Cont. Lexapro 10 mg", "Continue Lexapro 10 mg"),
        ("Lexapro 10 mg qhs prn", "Lexapro 10 mg at bedtime as needed"),
        ("Sertraline 50 mg bid.", "Sertraline 50 mg twice a day."),
        ("Breathing exercise BID", "Breathing exercise twice a day"),
        ("C/o insomnia s/p divorce b/c of worry", "complains of insomnia after divorce because of worry"),
        ("32 y/o client", "32 year old client"),
        ("D/c Zoloft next mo.", "discontinue Zoloft next month."),
        ("D/c from hospital, h/o falls", "discharge from hospital, history of falls"),
        ("MD to r/o thyroid problem", "doctor to rule out thyroid problem"),
        ("Walk 3x/wk x 6 wks", "Walk 3 times a week for 6 weeks"),
        ("Denies AVH.", "Denies auditory or visual hallucinations."),
        ("Appt. Thurs w/ husb.", "appointment Thursday w/ husband."),
        ("Mood ↓, anx ↑ 🙂", "Mood decreased, anxiety increased 🙂"),
        ("q 4 hrs", "every 4 hours"),
    ],
)
def test_shorthand_becomes_words(note: str, words: str) -> None:
    assert written_out(note) == words


@pytest.mark.parametrize(
    "text",
    [
        "They were wed in May.",
        "He bid on a house and sat quietly.",
        "RTC staff were kind to her.",
        "His/her choice and/or theirs, 24/7.",
        "Oriented x4, calm.",
        "HA! he said, laughing.",
        "She earns the minimum wage, says Ms. Content.",
        "Kontakt zu Müller 🙂",
        "",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert written_out(text) == text


def test_the_encoder_reads_the_words() -> None:
    assert expand("Pt c/o poor sleep x 3 wks w/ SI.") == (
        "patient complains of poor sleep for 3 weeks with  suicidal ideation."
    )


def test_a_line_of_shorthand_is_no_foreign_language() -> None:
    assert not is_foreign_sentence(expand("Pt is 32 y/o F. C/o HA."))


def test_long_text_takes_no_longer_than_it_is_long() -> None:
    assert grows_in_step(lambda times: written_out("3x/wk x 6 wks w/ Pt qhs prn " * times), 2_000)


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("Cont. Lexapro 10 mg. RTC 2 wks.", ["Cont. Lexapro 10 mg.", "RTC 2 wks."]),
        ("Breathing ex. BID. Walk daily.", ["Breathing ex. BID.", "Walk daily."]),
        ("Next sess. in 2 wks.", ["Next sess. in 2 wks."]),
        ("He will go on. Lexapro helps.", ["He will go on.", "Lexapro helps."]),
    ],
)
def test_an_order_stays_with_what_is_ordered(line: str, sentences: list[str]) -> None:
    assert [span.of(line) for span in split_line(line)] == sentences
