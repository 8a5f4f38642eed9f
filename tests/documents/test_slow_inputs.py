"""What is accepted is read in time that grows with its size, no faster."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from noteeval_desktop.documents import parse_note, read_note, read_transcript
from noteeval_desktop.documents.files import MOST_BYTES, MOST_NOTE_CHARACTERS
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.placeholders import is_unfinished
from noteeval_desktop.errors import InputError
from tests.growth import grows_in_step

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
    assert grows_in_step(lambda size: parse_note(f"Subjective\n{piece * (size // len(piece))}"), 240_000)


def test_sentences_that_run_on_are_joined_in_one_pass() -> None:
    """480,000 characters that are one sentence; joined piece by piece it took 14 s."""
    (sentence,) = parse_note("Dr. " * 120_000).sentences
    assert len(sentence.text) == 479_999


@pytest.mark.parametrize("piece", ["?", "?!", "…", "！.", ".)", "x", "\u0301", "“"])
def test_a_row_of_signs_before_a_letter(piece: str) -> None:
    assert grows_in_step(lambda size: parse_note(f"Subjective\n{piece * (size // len(piece))}x"), 90_000)


@pytest.mark.parametrize("piece", ["(", "[", "[finish ", "(finish ", "{{", "[your a ", "[to be finish ", "[ ", "_ "])
def test_a_sentence_of_openings_is_seen_to_be_finished(piece: str) -> None:
    assert grows_in_step(lambda size: is_unfinished(piece * (size // len(piece))), 90_000)


BIG: dict[str, tuple[int, Callable[[int], str]]] = {
    "a.json": (120_000, lambda n: json.dumps([{"speaker": "C", "text": "ok", "start": k} for k in range(n)])),
    "b.csv": (400_000, lambda n: "speaker,text\n" + "C,ok\nT,so\n" * n),
    "c.csv": (400_000, lambda n: "speaker,text\n" + 'C,"a"";b"\n' * n),
    "d.vtt": (30_000, lambda n: "WEBVTT\n\n" + "00:01.000 --> 00:02.000\nok\n\n" * n),
    "e.txt": (390_000, lambda n: "Client: " + "a: b " * n),
    "f.txt": (330_000, lambda n: ":\n" * n),
    "g.txt": (1_990_000, lambda n: "[" * n),
    "h.txt": (990_000, lambda n: "A\t" * n),
    "i.txt": (190_000, lambda n: "00:01 --> " * n),
    "j.vtt": (600_000, lambda n: "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * n),
    "k.txt": (600_000, lambda n: "Anna: " + "".join(random.Random(3).choices("ab:.[]()\n \t-–0123", k=n))),
    "l.txt": (600_000, lambda n: "a\u0301\u0302" * n),
}


@pytest.mark.parametrize("name", BIG)
def test_a_large_file_is_read_or_refused_in_time(name: str, tmp_path: Path) -> None:
    most, text = BIG[name]
    for pieces in (most, most // 8):
        (tmp_path / f"{pieces}{name}").write_text(text(pieces), "utf-8")
    assert (tmp_path / f"{most}{name}").stat().st_size <= MOST_BYTES
    for reader in (read_transcript, read_note):

        def read(pieces: int, reader: Callable[[Path], object] = reader) -> None:
            with suppress(InputError):
                reader(tmp_path / f"{pieces}{name}")

        assert grows_in_step(read, most)


def test_a_note_of_forty_pages_is_read(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(("Subjective\n" + "Client slept well. " * 6_000)[:MOST_NOTE_CHARACTERS])
    assert len(read_note(tmp_path / "long.txt").sentences) > 5_000
