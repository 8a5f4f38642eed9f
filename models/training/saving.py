"""Writes what was trained, in the form that the judge reads; the same heads give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noteeval_desktop.judges.builtin.completeness.heads import PARTS, Bands, NoteHeads
from noteeval_desktop.judges.builtin.omissions.omissions import OmissionHead
from noteeval_desktop.judges.builtin.prompt_injection import wording
from noteeval_desktop.judges.builtin.support.decision import Calibrated, Decision
from noteeval_desktop.judges.builtin.text import note_lexicon


def save_note_heads(heads: NoteHeads, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write ``note.npz`` and ``note.json``."""
    arrays: dict[str, NDArray[Any]] = {}
    for part in fields(NoteHeads):
        value = getattr(heads, part.name)
        if type(value).__name__ in PARTS:
            arrays |= {f"{part.name}.{inner.name}": getattr(value, inner.name) for inner in fields(value)}
        elif isinstance(value, np.ndarray):
            arrays[part.name] = value
    np.savez_compressed(folder / "note.npz", **arrays)  # type: ignore[arg-type]
    described = {
        "lexicon": note_lexicon.FINGERPRINT,
        "reader": wording.FINGERPRINT,
        "items": list(heads.items),
        "need_bands": _bands_to_json(heads.need_bands),
        "item_bands": _bands_to_json(heads.item_bands),
        "serves": heads.serves,
        **facts,
    }
    (folder / "note.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


def _bands_to_json(bands: Bands) -> dict[str, Any]:
    return {"threshold": bands.threshold, "unsure": list(bands.unsure), "likely": list(bands.likely)}


def save_decision(decision: Decision, folder: Path, facts: Mapping[str, object]) -> None:
    """Write ``support.npz`` and ``support.json``."""
    arrays: dict[str, NDArray[Any]] = {}
    described: dict[str, Any] = {"names": decision.names}
    for name in ("borne_out", "said_otherwise"):
        head: Calibrated = getattr(decision, name)
        for field, values in vars(head.forest).items():
            narrow = values.dtype == np.float64 or field == "value"
            arrays[f"{name}.{field}"] = values.astype(np.float32) if narrow else values
        described[name] = {"slope": head.slope, "offset": head.offset}
    described |= {name: getattr(decision, name) for name in ("otherwise", "sure", "likely", "encoder")} | {
        "trained": dict(facts)
    }
    np.savez_compressed(folder / "support.npz", allow_pickle=False, **arrays)
    (folder / "support.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


def save_omission_head(head: OmissionHead, path: Path) -> None:
    """What ``omission_head`` reads."""
    np.savez_compressed(
        path,
        weights=head.worth.weights,
        bias=head.worth.bias,
        kinds=head.worth.kinds.astype(np.float16),
        kind_weights=head.kind_weights,
        kind_bias=head.kind_bias,
        threshold=head.threshold,
        fingerprint=head.fingerprint,
        **{f"rank_{name}": values for name, values in vars(head.rank).items()},
    )
