from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.text.in_context import read_in_context, sentence_spans, vectors_of
from tests.fake_embedder import FakeEmbedder

LONG = "and then we went on " * 20


@pytest.fixture(scope="module")
def built(encoder_path: Path) -> Iterator[LlamaEmbedder]:
    with closing(LlamaEmbedder(encoder_path, threads=1)) as embedder:
        yield embedder


@pytest.fixture(params=["llama", "fake"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.getfixturevalue("built") if request.param == "llama" else FakeEmbedder()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two?\nThree", ["One.", "Two?", "Three"]),
        ("Zoë said “no”. 你好。 😔 Fine!", ["Zoë said “no”.", "你好。", "😔 Fine!"]),
    ],
)
def test_sentences_of_a_turn_stand_where_their_spans_say(text: str, sentences: list[str]) -> None:
    assert [span.of(text) for span in sentence_spans(text)] == sentences


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I sleep badly. I eat little.", [True, True]),
        ("Ich schlafe schlecht — naïve, no? 😔 Fine! “Yes”.", [True, True, True]),
        ("I sleep badly.", [False]),
        (f"Well. {LONG}.", [False, False]),
        ("", []),
    ],
    ids=["two", "unicode", "alone in its passage", "longer than a passage", "empty"],
)
def test_a_sentence_among_others_has_a_vector_from_its_passage(embedder: Embedder, text: str, told: list[bool]) -> None:
    read = read_in_context([text], [sentence_spans(text)], embedder)
    assert read.told.tolist() == told
    np.testing.assert_allclose(np.linalg.norm(read.vectors, axis=1), [float(one) for one in told], atol=1e-5)


def test_a_sentence_in_its_passage_is_the_mean_of_its_own_word_pieces(embedder: Embedder) -> None:
    text = "I sleep badly. The nights are long; I'm awake at three."
    (pieces, rows), *_ = embedder.token_embeddings([text])
    count = len(embedder.pieces(["I sleep badly."])[0])
    assert pieces == [piece for part in embedder.pieces(["I sleep badly.", text[15:]]) for piece in part]
    expected = rows[:count].mean(axis=0)
    read = read_in_context([text], [sentence_spans(text)], embedder)
    np.testing.assert_allclose(read.vectors[0], expected / np.linalg.norm(expected), atol=1e-6)


def test_sentences_that_were_not_asked_for_do_not_shift_those_that_were(embedder: Embedder) -> None:
    text = "First one here. Second one there. Third one now."
    whole = read_in_context([text], [sentence_spans(text)], embedder)
    some = read_in_context([text], [sentence_spans(text)[1:]], embedder)
    np.testing.assert_array_equal(some.vectors, whole.vectors[1:])


def test_what_is_cut_off_at_the_encoders_limit_is_left_to_be_embedded(built: LlamaEmbedder) -> None:
    text = f"A short one. {'x1' * 600} here. And the end of it."
    read = read_in_context([text], [sentence_spans(text)], built)
    assert read.told.tolist()[0]
    assert not read.told.tolist()[-1]


def test_reading_in_context_leaves_passage_vectors_and_word_pieces_as_they_were(encoder_path: Path) -> None:
    texts = ["I sleep badly. I eat little.", "Nothing helps."]
    with (
        closing(LlamaEmbedder(encoder_path, threads=1)) as first,
        closing(LlamaEmbedder(encoder_path, threads=2)) as other,
    ):
        read_in_context(texts, [sentence_spans(text) for text in texts], first)
        np.testing.assert_array_equal(first.embed(texts), other.embed(texts))
        for (names, rows), (other_names, other_rows) in zip(
            first.token_embeddings(texts), other.token_embeddings(texts), strict=True
        ):
            assert names == other_names
            np.testing.assert_array_equal(rows, other_rows)


def test_every_sentence_has_a_unit_vector_at_last(embedder: Embedder) -> None:
    texts = ["I sleep badly. I eat little.", "Alone.", f"Well. {LONG}.", "", "Alone."]
    found = vectors_of(texts, embedder)
    assert {text: rows.shape for text, rows in found.items()} == {
        text: (len(sentence_spans(text)), DIMENSIONS) for text in texts
    }
    for rows in found.values():
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(found["Alone."], embedder.embed(["Alone."]))
    assert vectors_of([], embedder) == {}


def test_a_turn_of_thousands_of_sentences_is_read_once(embedder: Embedder) -> None:
    text = "We talked about the garden. " * 3_000
    spans = sentence_spans(text)
    read = read_in_context([text], [spans], embedder)
    assert len(spans) == 3_000
    assert read.told.mean() > 0.99
    assert spans[-1] == Span(len(text.rstrip()) - 27, len(text.rstrip()))
