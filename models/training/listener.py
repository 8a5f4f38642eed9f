"""Trains the listener, which hears danger turn by turn: ``python -m models.training listener`` writes listener.npz.

PyTorch on a CPU is enough, some forty minutes of one core; a seed gives the same weights on one machine.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from models.training.export_reader import export
from models.training.listener_lessons import Lesson, lessons, pair, real_talk
from models.training.reader_training import Reader, load_tokenizer, optimizing, padded
from noteeval_desktop.domain.transcript import Turn
from noteeval_desktop.judges.builtin.risk.hearing import KINDS, OUTPUTS

EPOCHS, RATE, LAST_RATE, FROZEN_LAYERS = 3, 8e-5, 4e-5, 3
_BATCH_TOKENS = 1_600
# What kind and stance count for beside danger itself.
_BESIDE = 0.3


def _loss(logits: torch.Tensor, taught: Sequence[Lesson], rng: random.Random) -> torch.Tensor:
    weights = torch.tensor([one.weight for one in taught])
    danger = torch.tensor([float(bool(one.risks)) for one in taught])
    each = torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], danger, reduction="none")
    loss = (each * weights).sum() / weights.sum()
    told = [(place, *rng.choice(one.risks)) for place, one in enumerate(taught) if one.risks]
    stances = [one for one in told if one[2] >= 0]
    ends = 1 + len(KINDS)
    for rows, outputs, part in ((told, slice(1, ends), 1), (stances, slice(ends, None), 2)):
        if rows:
            own = logits[torch.tensor([row[0] for row in rows]), outputs]
            labels = torch.tensor([row[part] for row in rows])
            loss = loss + _BESIDE * torch.nn.functional.cross_entropy(own, labels)
    return loss


def _batches(ids: Sequence[list[int]], rng: random.Random) -> list[list[int]]:
    """Indices, about ``_BATCH_TOKENS`` a batch, of like length."""
    batches: list[list[int]] = [[]]
    for index in sorted(range(len(ids)), key=lambda one: len(ids[one]) + rng.random() * 8):
        if batches[-1] and len(ids[index]) * (len(batches[-1]) + 1) > _BATCH_TOKENS:
            batches.append([])
        batches[-1].append(index)
    rng.shuffle(batches)
    return batches


def train(
    listener: Reader, tokenizer: Tokenizer, taught: Sequence[Lesson], quiet: Sequence[Turn], *, epochs: int = EPOCHS,
    rate: float = RATE, say: Any = print,
) -> None:  # fmt: skip
    rng = random.Random(0)
    plans = []
    for _ in range(epochs):
        read = [one for one in taught if rng.random() < one.share]
        ids = [one.ids for one in tokenizer.encode_batch([pair(one, quiet, rng) for one in read])]
        plans += [([ids[place] for place in own], [read[place] for place in own]) for own in _batches(ids, rng)]
    steps = len(plans)
    optimizer, schedule = optimizing(listener, rate, 8 * rate, steps)
    listener.train()
    mean = 0.0
    for step, (ids, own) in enumerate(plans):
        loss = _loss(listener(*padded(ids)), own, rng)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(listener.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        mean = float(loss.detach()) if not step else 0.98 * mean + 0.02 * float(loss.detach())
        if step % 100 == 0:
            say(f"{step} of {steps}: {mean:.3f}", flush=True)


def make(data: Path, encoder: Path, fingerprint: str, target: Path, without: Collection[str] = ()) -> None:
    """Write ``target``; ``data``: the folder of public data; ``encoder``: the folder of the sentence encoder as its
    package has it, ``fingerprint`` that of the encoder that ships; ``without``: authors held out.

    What is written first, then how people really speak, beside a part of what was taught before.
    """
    torch.set_num_threads(1)
    torch.manual_seed(0)
    listener, tokenizer = Reader(encoder, OUTPUTS, FROZEN_LAYERS, dropout=0.1), load_tokenizer(encoder)
    taught, quiet = lessons(without)
    train(listener, tokenizer, taught, quiet)
    last = [*(replace(one, share=one.share / 2) for one in taught), *real_talk(data)]
    train(listener, tokenizer, last, quiet, epochs=1, rate=LAST_RATE)
    state = {name: values.float().numpy() for name, values in listener.state_dict().items()}
    unchanged = tuple(f"bert.encoder.layer.{number}." for number in range(FROZEN_LAYERS))
    changed = {name: values for name, values in state.items() if not name.startswith(unchanged)}
    export(changed, encoder / "model.safetensors", target, encoder=np.array(fingerprint))
