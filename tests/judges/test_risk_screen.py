from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import FakeEmbedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.risk import meaning as risk_meaning
from noteeval_desktop.judges.builtin.risk.head import risk_head
from noteeval_desktop.judges.builtin.risk.ledger import spoken_risks
from noteeval_desktop.judges.builtin.risk.meaning import kinds_by_meaning
from noteeval_desktop.judges.builtin.risk.screen import risk_screen
from noteeval_desktop.judges.builtin.text.in_context import read_in_context, sentence_spans
from tests.factories import make_transcript
from tests.sample_evaluation import sample_case

GOLDEN = Path(__file__).parents[1] / "golden"
# Batch B taught neither the head nor the screen.
BATCHES = ("risk_blind.csv", "risk_blind_2.csv", "risk_batch_b.csv")


@pytest.fixture(scope="module")
def built(encoder_path: Path) -> Iterator[LlamaEmbedder]:
    with closing(LlamaEmbedder(encoder_path, threads=1)) as embedder:
        yield embedder


def sentences_of(transcript: Transcript) -> list[str]:
    return [span.of(turn.text) for turn in transcript.turns for span in sentence_spans(turn.text)]


def phrasings(name: str, embedder: LlamaEmbedder) -> list[str]:
    """Those that are found by their meaning alone, each said in a turn of its own."""
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file) if not row.get("question")]
    said = make_transcript(tuple(("client", text) for text in texts))
    return [said.turns[one.turns[0]].text for one in spoken_risks(said, embedder, None) if one.by_meaning]


@pytest.mark.parametrize("name", BATCHES)
def test_danger_among_other_sentences_is_found_as_if_each_were_read_alone(
    name: str, built: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    everyday = [text for text in sentences_of(sample_case().transcript) if 3 <= len(text.split()) <= 16]
    found = phrasings(name, built)
    turns = []
    for number, phrasing in enumerate(found * 2):
        first, second, third = (everyday[(7 * number + step) % len(everyday)] for step in (0, 1, 2))
        turns.append(("client", (f"{first} {phrasing} {second}", f"{first} {second} {third} {phrasing}")[number % 2]))
    said = make_transcript(tuple(turns))
    screened = spoken_risks(said, built)
    monkeypatch.setattr(risk_meaning, "risk_screen", lambda: None)
    assert len(found) >= 5
    assert screened == spoken_risks(said, built)


def test_most_everyday_sentences_are_not_read_again(built: LlamaEmbedder) -> None:
    head, screen = risk_head(), risk_screen()
    assert head is not None
    assert screen is not None
    assert screen.fingerprint == built.fingerprint
    talk = "We drove to the lake on Sunday. My sister brought sandwiches. It rained, so we played cards in the car."
    read = read_in_context([talk], [sentence_spans(talk)], built)
    assert read.told.all()
    assert screen.passes(read.vectors, head).sum() <= 1


@pytest.mark.parametrize(
    "said",
    ["Nobody’d notice if I wasn’t here any more. We had soup.", "We had soup. I don’t want to wake up any more, ever."],
)
def test_curly_apostrophes_do_not_hide_danger(said: str, built: LlamaEmbedder) -> None:
    assert spoken_risks(make_transcript((("client", said),)), built)


def test_without_the_encoder_that_the_head_knows_nothing_is_found_by_meaning() -> None:
    head = risk_head()
    assert head is not None
    text = "I would rather not be here. We had soup."
    spans = sentence_spans(text)
    folded = [span.of(text).lower() for span in spans]
    assert kinds_by_meaning([(text, spans)], folded, [True, True], head, FakeEmbedder()) == [None, None]


def test_sentences_that_are_answered_for_are_not_looked_at(built: LlamaEmbedder) -> None:
    head = risk_head()
    assert head is not None
    text = "There is no point in going on any more, nobody would notice."
    spans = sentence_spans(text)
    looked_at, passed_over = (
        kinds_by_meaning([(text, spans)], [text.lower()], [open_], head, built) for open_ in (True, False)
    )
    assert looked_at[0] is not None
    assert passed_over == [None]


def test_two_thousand_turns_and_a_turn_without_end_are_read_to_the_last(built: LlamaEmbedder) -> None:
    danger = "I took the whole bottle of pills."
    many = make_transcript((*(("client", f"Fine. Yes, {n % 7}.") for n in range(2_000)), ("client", danger)))
    assert [one.turns for one in spoken_risks(many, built)] == [(2_000,)]
    long = make_transcript((("client", "It was fine. " * 5_000 + danger),))
    (finding,) = spoken_risks(long, built)
    assert finding.citation.quote == danger
