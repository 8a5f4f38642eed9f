from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest

from noteeval_desktop.engines import models
from noteeval_desktop.engines.bert import DIMENSIONS
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.errors import Cancelled, ModelError
from tests.fake_embedder import FakeEmbedder

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "encoder"

ODD_TEXTS = [
    "",
    " \t\r\n\u00a0",
    "a" * 100_000,
    "word " * 20_000,
    "😀 happy 👩‍👩‍👧 e\u0301",
    "안녕하세요 세계",
    "नमस्ते दुनिया",
    "[CLS] ignore this [SEP][PAD]",
    "before\0after",
    "\ud800 alone",
    "\u200b\u202e\ufeff",
]


@pytest.fixture(scope="module")
def encoder() -> Iterator[LlamaEmbedder]:
    embedder = LlamaEmbedder(models.build_encoder(), threads=1)
    yield embedder
    embedder.close()


@pytest.fixture(params=["llama", "fake"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.getfixturevalue("encoder") if request.param == "llama" else FakeEmbedder()


def test_vectors_are_unit_rows_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["He sleeps badly.", "A much longer sentence about the week, the work and the weather.", "He sleeps badly."]
    vectors = embedder.embed(texts)
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors[0] == vectors[2]).all()
    assert (vectors[1] == embedder.embed(texts[1:2])[0]).all()


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)
    assert embedder.token_embeddings([]) == []


@pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: ascii(text[:12]))
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()
    pieces, vectors = embedder.token_embeddings([text])[0]
    assert vectors.shape == (len(pieces), DIMENSIONS)
    assert len(pieces) <= 254


def test_word_pieces_come_with_unit_vectors(embedder: Embedder) -> None:
    (pieces, vectors), (none, empty) = embedder.token_embeddings(["Client sleeps.", ""])
    assert pieces[0] == "client"
    assert pieces[-1] == "."
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert none == []
    assert empty.shape == (0, DIMENSIONS)


def test_shared_words_bring_texts_nearer(embedder: Embedder) -> None:
    base, near, far = embedder.embed(
        ["The client sleeps badly.", "The client sleeps very badly.", "Rent is due Friday."]
    )
    assert base @ near > base @ far + 0.2


def test_cancelling_stops_the_work(embedder: Embedder) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        embedder.embed(["a text that was never asked about before"], cancel)


def test_fingerprint_is_stable(embedder: Embedder) -> None:
    assert embedder.fingerprint
    assert embedder.fingerprint == embedder.fingerprint


@pytest.mark.parametrize("make", [lambda: LlamaEmbedder(models.encoder_path(), 1), FakeEmbedder], ids=["llama", "fake"])
def test_a_closed_encoder_says_so(make) -> None:
    embedder = make()
    embedder.close()
    embedder.close()
    with pytest.raises(ModelError, match="closed"):
        embedder.embed(["text"])


def test_what_two_hold_is_freed_with_the_last(encoder_path: Path) -> None:
    embedder = LlamaEmbedder(encoder_path, threads=1)
    with ExitStack() as held:
        other = embedder.hold(held)
        embedder.close()
        assert other.embed(["Slept well."]).shape == (1, 384)
    for closed in (lambda: other.embed(["Slept well."]), lambda: embedder.hold(ExitStack())):
        with pytest.raises(ModelError, match="closed"):
            closed()


def test_vectors_agree_with_an_independent_forward_pass(encoder: LlamaEmbedder) -> None:
    sentences = (GOLDEN / "sentences.txt").read_text(encoding="utf-8").splitlines()
    reference = np.load(GOLDEN / "vectors.npz")["vectors"]
    cosines = (encoder.embed(sentences) * reference).sum(axis=1)
    assert len(cosines) == 100
    assert cosines.min() >= 0.9999


def test_a_vector_depends_on_its_text_alone() -> None:
    texts = [f"Sentence {number} of the note{', and more' * (number % 7)}." for number in range(8)]
    first, second = LlamaEmbedder(models.encoder_path(), 1), LlamaEmbedder(models.encoder_path(), 1)
    together = first.embed(texts)
    alone = np.concatenate([second.embed([text]) for text in reversed(texts)])[::-1]
    assert (together == alone).all()
    first.close()
    second.close()


def test_texts_beyond_the_models_length_do_not_count(encoder: LlamaEmbedder) -> None:
    long = "sleep " * 254
    assert (encoder.embed([long])[0] == encoder.embed([long + "and a different end"])[0]).all()


def test_control_words_in_a_text_stay_text(encoder: LlamaEmbedder) -> None:
    assert encoder.token_embeddings(["[SEP]"])[0][0] == ["[", "sep", "]"]


def test_remembered_texts_are_not_computed_again(encoder: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["Once computed.", "Twice asked."]
    before, pieces = encoder.embed(texts), encoder.token_embeddings(texts)
    monkeypatch.setattr(
        encoder._bert, "states", lambda missing, cancel: iter([]) if not missing else pytest.fail("again")
    )
    assert (encoder.embed(texts) == before).all()
    assert (encoder.token_embeddings(texts)[1][1] == pieces[1][1]).all()


def test_a_text_in_other_capitals_is_not_computed_again(
    encoder: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = encoder.embed(["Dr. Patel SAID so."])
    monkeypatch.setattr(
        encoder._bert, "states", lambda missing, cancel: iter([]) if not missing else pytest.fail("again")
    )
    np.testing.assert_array_equal(encoder.embed(["dr. patel said so."]), vectors)


def test_memory_of_texts_is_bounded(encoder: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder._vectors, "_capacity", 3)
    texts = [f"bounded {number}" for number in range(8)]
    assert encoder.embed(texts).shape == (8, DIMENSIONS)
    assert len(encoder._vectors._values) == 3


def test_threads_take_turns(encoder: LlamaEmbedder) -> None:
    texts = [[f"thread {thread} text {number}" for number in range(25)] for thread in range(4)]
    found: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda n=number: found.update({n: encoder.embed(texts[n])})) for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(4):
        assert (found[number] == encoder.embed(texts[number])).all()


def test_texts_side_by_side_have_the_vectors_of_one_after_another(encoder: LlamaEmbedder) -> None:
    texts = [f"{'and ' * (number % 40)}text {number}" for number in range(80)]
    with closing(LlamaEmbedder(models.encoder_path(), threads=3)) as many:
        np.testing.assert_array_equal(many.embed(texts), encoder.embed(texts))


def test_a_failure_beside_others_is_told_and_the_next_call_works(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(LlamaEmbedder(models.encoder_path(), threads=2)) as many:
        with monkeypatch.context() as broken:
            broken.setattr(
                many._bert._seats[1], "_encode", lambda ids: (_ for _ in ()).throw(ModelError("no more memory"))
            )
            with pytest.raises(ModelError, match="no more memory"):
                many.embed([f"text {number}" for number in range(200)])
        assert many.embed(["one more"]).shape == (1, DIMENSIONS)


def test_waiting_for_another_thread_can_be_cancelled(encoder: LlamaEmbedder) -> None:
    cancel = threading.Event()
    with encoder._bert.turn():
        threading.Timer(0.05, cancel.set).start()
        with pytest.raises(Cancelled):
            encoder.embed(["behind a lock"], cancel)


def _missing(folder: Path) -> Path:
    return folder / "absent.gguf"


def _of_bytes(data: bytes):
    def make(folder: Path) -> Path:
        path = folder / "bad.gguf"
        path.write_bytes(data)
        return path

    return make


def _truncated(folder: Path) -> Path:
    return _of_bytes(models.encoder_path().read_bytes()[:1_000_000])(folder)


def _flipped(folder: Path) -> Path:
    data = bytearray(models.encoder_path().read_bytes())
    data[20_000_000] ^= 1
    path = folder / models.encoder_path().name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_missing, "Run `noteeval models build`"),
        (_of_bytes(b""), "llama.cpp cannot load it"),
        (_of_bytes(b"PK\x03\x04 not a model" * 100), "llama.cpp cannot load it"),
        (_of_bytes(b"GGUF\x03\x00\x00\x00"), "llama.cpp cannot load it"),
        (_truncated, "llama.cpp cannot load it"),
        (_flipped, "is damaged. Run `noteeval models build`"),
    ],
    ids=["missing", "empty", "not a model", "header only", "truncated", "one byte flipped"],
)
def test_unusable_files_are_refused_with_a_reason(make, reason: str, tmp_path: Path, capfd) -> None:
    with pytest.raises(ModelError, match=reason) as caught:
        LlamaEmbedder(make(tmp_path))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_wider_encoder_reads_what_the_usual_one_cuts_off(encoder: LlamaEmbedder, encoder_path: Path) -> None:
    """For metrics over whole notes: 512 tokens, the first of them as before only where nothing was cut."""
    long = "sleep " * 400
    wide = LlamaEmbedder(encoder_path, threads=1, max_tokens=512)
    ((pieces, vectors),) = wide.token_embeddings([long])
    ((fewer, _),) = encoder.token_embeddings([long])
    short, same = wide.embed(["He sleeps badly."]), encoder.embed(["He sleeps badly."])
    wide.close()
    assert (len(fewer), len(pieces), vectors.shape) == (254, 400, (400, 384))
    assert short == pytest.approx(same, abs=1e-5)
    assert wide.fingerprint != encoder.fingerprint


def test_a_claim_of_any_length_is_read_beside_a_window_of_any_length(encoder: LlamaEmbedder) -> None:
    window, claim = "Client: " + "I slept badly. " * 200, "Client slept badly. " * 200
    logits = encoder.read([(window, claim), ("", ""), (window, "Client slept."), ("Client: No.", claim)])
    assert logits.shape == (4, 3)
    assert np.isfinite(logits).all()
