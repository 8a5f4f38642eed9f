"""What is accepted is read in time that grows with its size, no faster."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from noteeval_desktop.documents import parse_note, read_note, read_transcript
from noteeval_desktop.documents.files import MOST_BYTES, MOST_NOTE_CHARACTERS
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.placeholders import is_unfinished
from noteeval_desktop.errors import InputError

LIMIT = 10.0  # seconds of the processor, which other work does not lengthen; the slowest takes three
PIECES = (
    "Dr. ",
    "Pt. ",
    "U.S. ",
    "a.b.",
    "!? ",
    "... ",
    "1. ",
    "(a) ",
    "“x” ",
    "a: b ",
    "S: ",
    "- ",
    "\n",
    "A. \n",
    ". ",
)


@pytest.mark.parametrize("piece", PIECES)
def test_a_note_of_one_piece_over_and_over(piece: str) -> None:
    split_line.cache_clear()
    began = time.process_time()
    # Half of what a note may be, which what grows with the square of it takes a quarter of its time for.
    parse_note(f"Subjective\n{piece * (240_000 // len(piece))}")
    assert time.process_time() - began < LIMIT / 4


def test_sentences_that_run_on_are_joined_in_one_pass() -> None:
    """480,000 characters that are one sentence; joined piece by piece it took 14 s."""
    (sentence,) = parse_note("Dr. " * 120_000).sentences
    assert len(sentence.text) == 479_999


@pytest.mark.parametrize("piece", ["?", "?!", "…", "！.", ".)", "x", "\u0301", "“"])
def test_a_row_of_signs_before_a_letter(piece: str) -> None:
    began = time.process_time()
    parse_note(f"Subjective\n{piece * (90_000 // len(piece))}x")
    assert time.process_time() - began < LIMIT


@pytest.mark.parametrize("piece", ["(", "[", "[finish ", "(finish ", "{{", "[your a ", "[to be finish ", "[ ", "_ "])
def test_a_sentence_of_openings_is_seen_to_be_finished(piece: str) -> None:
    began = time.process_time()
    is_unfinished(piece * (90_000 // len(piece)))
    assert time.process_time() - began < LIMIT


BIG: dict[str, Callable[[], str]] = {
    "a.json": lambda: json.dumps([{"speaker": "C", "text": "ok", "start": n} for n in range(400_000)]),
    "b.csv": lambda: "speaker,text\n" + "C,ok\nT,so\n" * 1_200_000,
    "c.csv": lambda: "speaker,text\n" + 'C,"a"";b"\n' * 1_200_000,
    "d.vtt": lambda: "WEBVTT\n\n" + "00:01.000 --> 00:02.000\nok\n\n" * 60_000,
    "e.txt": lambda: "Client: " + "a: b " * 390_000,
    "f.txt": lambda: ":\n" * 990_000,
    "g.txt": lambda: "[" * 1_990_000,
    "h.txt": lambda: "A\t" * 990_000,
    "i.txt": lambda: "00:01 --> " * 190_000,
    "j.vtt": lambda: "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 600_000,
    "k.txt": lambda: "Anna: " + "".join(random.Random(3).choices("ab:.[]()\n \t-–0123", k=1_900_000)),
    "l.txt": lambda: "a\u0301\u0302" * 600_000,
}


@pytest.mark.parametrize("name", BIG)
def test_a_large_file_is_read_or_refused_in_time(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(BIG[name](), "utf-8")
    assert path.stat().st_size <= MOST_BYTES
    for reader in (read_transcript, read_note):
        began = time.process_time()
        with suppress(InputError):
            reader(path)
        assert time.process_time() - began < LIMIT


def test_a_note_of_forty_pages_is_read(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(("Subjective\n" + "Client slept well. " * 6_000)[:MOST_NOTE_CHARACTERS])
    assert len(read_note(tmp_path / "long.txt").sentences) > 5_000
