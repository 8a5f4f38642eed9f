from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import gguf
import numpy as np
import pytest

from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import DIMENSIONS, MAX_TOKENS, Embedder, FakeEmbedder, LlamaEmbedder
from noteeval_desktop.engines.encoder_build import sha256_of_file
from noteeval_desktop.engines.pair_reader import pair_ids
from noteeval_desktop.errors import Cancelled, ModelError
from tests.engines import bert_reference
from tests.engines.adapters import ALPHA, LAYERS, RANK, write_adapter

PAIRS = [
    ("She sleeps four hours.", "I get four hours of sleep, maybe."),
    ("He drinks every evening.", "Therapist: And now?\nClient: I stopped in May."),
    ("", "Nothing before it."),
    ("Nothing after it.", ""),
    ("", ""),
    ("안녕하세요 😀", "नमस्ते e\u0301 \ud800 [SEP] [CLS]\0"),
]


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_adapter(tmp_path_factory.mktemp("adapter") / "reader.gguf")


@pytest.fixture(scope="module")
def encoder(adapter: Path) -> Iterator[LlamaEmbedder]:
    with closing(LlamaEmbedder(models.build_encoder(), threads=1, adapter=adapter)) as embedder:
        yield embedder


@pytest.fixture(params=["llama", "fake"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return request.getfixturevalue("encoder") if request.param == "llama" else FakeEmbedder()


def open_encoder(adapter: Path, threads: int = 1) -> LlamaEmbedder:
    return LlamaEmbedder(models.encoder_path(), threads, adapter)


def test_rows_come_in_the_order_of_the_pairs(embedder: Embedder) -> None:
    rows = embedder.read_together([*PAIRS, PAIRS[0]])
    assert rows.shape == (len(PAIRS) + 1, DIMENSIONS)
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    np.testing.assert_array_equal(rows[-1], rows[0])
    for pair, row in zip(PAIRS, rows, strict=False):
        np.testing.assert_array_equal(embedder.read_together([pair])[0], row)
    assert len(np.unique(rows, axis=0)) == len(PAIRS)


def test_no_pairs_give_no_rows(embedder: Embedder) -> None:
    assert embedder.read_together([]).shape == (0, DIMENSIONS)


def test_which_text_comes_first_matters(embedder: Embedder) -> None:
    one, other = embedder.read_together([("He left her.", "She left him."), ("She left him.", "He left her.")])
    assert np.abs(one - other).max() > 1e-3


def test_where_the_first_text_ends_matters(embedder: Embedder) -> None:
    one, other = embedder.read_together([("sleeps badly now", "and eats"), ("sleeps badly", "now and eats")])
    assert np.abs(one - other).max() > 1e-3


def test_long_texts_are_cut(embedder: Embedder) -> None:
    first, second = "sleep " * 96, "work " * 157
    (cut,) = embedder.read_together([(first, second)])
    for longer in ((first + "and more", second), ("sleep " * 5_000, "work " * 157)):
        np.testing.assert_array_equal(embedder.read_together([longer])[0], cut)
    assert np.isfinite(embedder.read_together([("word " * 20_000, "a" * 100_000)])).all()


def test_what_exceeds_the_models_length_does_not_count(encoder: LlamaEmbedder) -> None:
    first, second = "sleep " * 96, "work " * 157
    (cut, longer, shorter) = encoder.read_together(
        [(first, second), (first, second + "home"), (first, second[: -len("work ")])]
    )
    np.testing.assert_array_equal(longer, cut)
    assert (shorter != cut).any()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (3, 4, (3, 4)),
        (0, 0, (0, 0)),
        (96, 157, (96, 157)),
        (97, 158, (96, 157)),
        (254, 254, (96, 157)),
        (0, 254, (0, 253)),
        (10, 254, (10, 243)),
    ],
)
def test_a_pair_is_marked_and_cut(first: int, second: int, expected: tuple[int, int]) -> None:
    ids = pair_ids([101, *[7] * first, 102], [101, *[8] * second, 102], MAX_TOKENS)
    assert ids == [101, *[7] * expected[0], 102, *[8] * expected[1], 102]
    assert len(ids) <= MAX_TOKENS


def test_rows_agree_with_an_independent_forward_pass(encoder: LlamaEmbedder, adapter: Path) -> None:
    weights = with_adapter(reference_weights(models.encoder_path()), adapter)
    plain = reference_weights(models.encoder_path())
    for pair, row in zip(PAIRS[:2], encoder.read_together(PAIRS[:2]), strict=True):
        ids = pair_ids(*(encoder._ids(text) for text in pair), MAX_TOKENS)
        unit = row / np.linalg.norm(row)
        assert unit @ bert_reference.embed(weights, ids) >= 0.9999
        assert unit @ bert_reference.embed(plain, ids) < 0.99


def test_an_adapter_that_changes_nothing_leaves_the_encoders_own_state(tmp_path: Path) -> None:
    with closing(open_encoder(write_adapter(tmp_path / "none.gguf", strength=0.0))) as embedder:
        for pair, row in zip(PAIRS, embedder.read_together(PAIRS), strict=True):
            ids = pair_ids(*(embedder._ids(text) for text in pair), MAX_TOKENS)
            np.testing.assert_array_equal(row, embedder._seats[0]._encode(ids).mean(axis=0))


def test_other_calls_are_untouched_by_the_adapter(encoder: LlamaEmbedder, adapter: Path) -> None:
    texts = [f"A sentence {'and more ' * number}of the note." for number in range(6)]
    encoder.read_together(PAIRS)
    with closing(open_encoder(adapter)) as plain:
        np.testing.assert_array_equal(encoder.embed(texts), plain.embed(texts))
        assert encoder.fingerprint == plain.fingerprint
        for (pieces, vectors), (same, equal) in zip(
            encoder.token_embeddings(texts), plain.token_embeddings(texts), strict=True
        ):
            assert pieces == same
            np.testing.assert_array_equal(vectors, equal)


def test_a_row_depends_on_its_pair_alone_and_not_on_the_threads(adapter: Path, encoder: LlamaEmbedder) -> None:
    pairs = [(f"claim {'and ' * (number % 9)}{number}", f"said {'so ' * (number % 40)}") for number in range(300)]
    with closing(open_encoder(adapter, threads=2)) as two:
        np.testing.assert_array_equal(two.read_together(pairs[::-1])[::-1], encoder.read_together(pairs))


def test_pairs_are_remembered(encoder: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = encoder.read_together(PAIRS)
    monkeypatch.setattr(
        encoder, "_compute", lambda missing, *_: iter([]) if not missing else pytest.fail("computed again")
    )
    np.testing.assert_array_equal(encoder.read_together(PAIRS[::-1]), rows[::-1])


def test_memory_of_pairs_is_bounded(encoder: LlamaEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder._pairs, "_capacity", 3)
    assert encoder.read_together([(f"bounded {number}", "") for number in range(8)]).shape == (8, DIMENSIONS)
    assert len(encoder._pairs._values) == 3


def test_cancelling_stops_the_work(embedder: Embedder) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        embedder.read_together([("never asked about before", "nor this")], cancel)
    assert embedder.read_together([("never asked about before", "nor this")]).shape == (1, DIMENSIONS)


def test_waiting_for_another_thread_can_be_cancelled(encoder: LlamaEmbedder) -> None:
    cancel = threading.Event()
    with encoder._lock:
        threading.Timer(0.05, cancel.set).start()
        with pytest.raises(Cancelled):
            encoder.read_together([("behind", "a lock")], cancel)


@pytest.mark.parametrize("pairs", [[], PAIRS], ids=["none", "some"])
@pytest.mark.parametrize("used", [False, True], ids=["unused", "used"])
def test_a_closed_encoder_says_so(pairs: list[tuple[str, str]], used: bool, adapter: Path) -> None:
    for embedder in (open_encoder(adapter), FakeEmbedder()):
        if used:
            embedder.read_together(PAIRS)
        embedder.close()
        embedder.close()
        with pytest.raises(ModelError, match="closed"):
            embedder.read_together(pairs)


def test_opening_and_closing_leaves_nothing_behind(tmp_path: Path) -> None:
    """The first rounds fill the allocator's own stores. An adapter of 8 MB that stayed would be 160 MB."""
    statm = Path("/proc/self/statm")
    if not statm.is_file():
        pytest.skip("this system has no /proc to read the resident size from")
    large, sizes = write_adapter(tmp_path / "large.gguf", rank=100), []
    for _ in range(25):
        with closing(open_encoder(large, threads=2)) as embedder:
            assert embedder.read_together(PAIRS[:1]).shape == (1, DIMENSIONS)
        sizes.append(int(statm.read_text().split()[1]) * 4096)
    assert sizes[-1] - sizes[4] < 40_000_000


def test_nothing_of_the_adapter_is_loaded_before_it_is_needed(tmp_path: Path) -> None:
    with closing(open_encoder(tmp_path / "absent.gguf")) as embedder:
        assert embedder.embed(["text"]).shape == (1, DIMENSIONS)
        assert embedder.read_together([]).shape == (0, DIMENSIONS)
        assert embedder._pair_seats == []


def test_the_adapter_that_ships_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.paths.resources", lambda: tmp_path)
    (tmp_path / "heads").mkdir()
    write_adapter(tmp_path / "heads" / "claim_reader.gguf")
    with closing(LlamaEmbedder(models.encoder_path(), threads=1)) as embedder:
        assert embedder.read_together(PAIRS).shape == (len(PAIRS), DIMENSIONS)


def of_bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(write_adapter(path).read_bytes()))


def with_record(record: str) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        write_adapter(path).with_suffix(".json").write_text(record, encoding="utf-8")

    return make


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "not there"),
        (of_bytes(lambda data: b""), "damaged"),
        (of_bytes(lambda data: b"PK\x03\x04 not an adapter" * 100), "damaged"),
        (of_bytes(lambda data: data[:12]), "damaged"),
        (of_bytes(lambda data: data[: len(data) // 2]), "damaged"),
        (lambda path: write_adapter(path, architecture="llama"), "llama.cpp refuses it .*arch mismatch"),
        (lambda path: write_adapter(path, kind="model"), "llama.cpp refuses it .*general.type"),
        (lambda path: write_adapter(path, width=192), "llama.cpp refuses it .*incorrect shape"),
        (lambda path: write_adapter(path, add_alpha=lambda to: to.add_uint32("adapter.lora.alpha", 4)), "damaged"),
        (lambda path: write_adapter(path, add_alpha=lambda to: None), "damaged"),
        (lambda path: write_adapter(path, weights=np.float64), "damaged"),
        (lambda path: path.write_bytes(models.encoder_path().read_bytes()), "damaged"),
        (with_record(json.dumps({"sha256": "0" * 64})), "damaged"),
        (with_record(json.dumps({"rank": 2})), "damaged"),
        (with_record("{"), "damaged"),
        (with_record("[]"), "damaged"),
    ],
    ids=[
        "missing",
        "empty",
        "not a GGUF",
        "header only",
        "truncated",
        "for another model",
        "not an adapter",
        "of another width",
        "whole number for a fraction",
        "without its scale",
        "weights in double",
        "the encoder itself",
        "not the published file",
        "record without a hash",
        "record cut short",
        "record of another kind",
    ],
)
def test_unusable_adapters_are_refused_and_the_rest_works(
    make: Callable[[Path], object], reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "reader.gguf"
    make(path)
    with closing(open_encoder(path)) as embedder:
        for _ in range(2):
            with pytest.raises(ModelError, match=reason) as caught:
                embedder.read_together(PAIRS)
            assert str(caught.value).startswith("reader.gguf: ")
            assert str(caught.value).endswith("Install the program again.")
            assert "\n" not in str(caught.value)
            assert str(tmp_path) not in str(caught.value)
        assert embedder.embed(["text"]).shape == (1, DIMENSIONS)
    assert capfd.readouterr() == ("", "")


def test_the_recorded_file_is_read_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "reader.gguf"
    with closing(open_encoder(path)) as embedder:
        with pytest.raises(ModelError, match="not there"):
            embedder.read_together(PAIRS)
        write_adapter(path)
        path.with_suffix(".json").write_text(json.dumps({"sha256": sha256_of_file(path)}), encoding="utf-8")
        assert embedder.read_together(PAIRS).shape == (len(PAIRS), DIMENSIONS)


def reference_weights(path: Path) -> dict[str, np.ndarray]:
    """The encoder's weights in double precision, by the names that the reference uses."""
    published = {
        "token_embd": "embeddings.word_embeddings",
        "position_embd": "embeddings.position_embeddings",
        "token_types": "embeddings.token_type_embeddings",
        "token_embd_norm": "embeddings.LayerNorm",
        **{f"blk.{layer}.{name}": f"encoder.layer.{layer}.{PARTS[name]}" for layer in range(LAYERS) for name in PARTS},
    }
    weights = {}
    for tensor in gguf.GGUFReader(path).tensors:
        name, _, kind = tensor.name.rpartition(".")
        weights[f"{published[name]}.{kind}"] = np.asarray(tensor.data, dtype=np.float64)
    return weights


PARTS = {
    "attn_q": "attention.self.query",
    "attn_k": "attention.self.key",
    "attn_v": "attention.self.value",
    "attn_output": "attention.output.dense",
    "attn_output_norm": "attention.output.LayerNorm",
    "ffn_up": "intermediate.dense",
    "ffn_down": "output.dense",
    "layer_output_norm": "output.LayerNorm",
}


def with_adapter(weights: dict[str, np.ndarray], path: Path) -> dict[str, np.ndarray]:
    """W + alpha / rank * B A, from the paper (Hu et al. 2021)."""
    parts = {tensor.name: np.asarray(tensor.data, dtype=np.float64) for tensor in gguf.GGUFReader(path).tensors}
    adapted = dict(weights)
    for name in (name.removesuffix(".lora_a") for name in parts if name.endswith(".lora_a")):
        _, layer, part, _ = name.split(".")
        target = f"encoder.layer.{layer}.{PARTS[part]}.weight"
        adapted[target] = weights[target] + ALPHA / RANK * parts[f"{name}.lora_b"] @ parts[f"{name}.lora_a"]
    return adapted
