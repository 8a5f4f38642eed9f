"""Trains the reader: the sentence encoder fine-tuned to read a short window of talk beside one claim.

Three outputs a pair: the window entails the claim, neither, contradicts it. The word embeddings stay those of the
sentence encoder, so that only the layers have to be shipped. CPU is enough; a seed gives the same weights on one
machine with one number of threads.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from transformers import BertModel

CLASSES = ("entailed", "neutral", "contradicted")
MOST_TOKENS = 160
BATCH_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class Pair:
    """``label`` is an index of CLASSES, or 3 for "not entailed, either way". Pairs of one ``twin`` (not 0) differ in
    one thing, and exactly one of them is entailed."""

    premise: str
    claim: str
    label: int
    twin: int = 0
    weight: float = 1.0


NOT_ENTAILED = 3


class Reader(torch.nn.Module):
    """[CLS] premise [SEP] claim [SEP], all of token type nought; head on the first state beside the mean of all.
    ``frozen``: so many of the lower layers stay the encoder's."""

    def __init__(self, encoder: Path, outputs: int = len(CLASSES), frozen: int = 0, dropout: float = 0) -> None:
        super().__init__()
        self.bert = BertModel.from_pretrained(encoder, add_pooling_layer=False, attn_implementation="sdpa")
        self.bert.embeddings.requires_grad_(False)
        for layer in self.bert.encoder.layer[:frozen]:
            layer.requires_grad_(False)
        self.dropout = torch.nn.Dropout(dropout) if dropout else torch.nn.Identity()
        self.head = torch.nn.Linear(2 * self.bert.config.hidden_size, outputs)
        torch.nn.init.zeros_(self.head.bias)
        torch.nn.init.normal_(self.head.weight, std=0.02)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(batch, outputs) logits of (batch, length) token ids."""
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        kept = mask.unsqueeze(-1).float()
        mean = (states * kept).sum(1) / kept.sum(1)
        return self.head(self.dropout(torch.cat([states[:, 0], mean], dim=1)))


def load_tokenizer(encoder: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS, strategy="only_first")
    return tokenizer


def encoded(tokenizer: Tokenizer, pairs: Sequence[Pair]) -> list[list[int]]:
    return [one.ids for one in tokenizer.encode_batch([(pair.premise, pair.claim) for pair in pairs])]


def _batches(ids: Sequence[list[int]], pairs: Sequence[Pair], rng: random.Random) -> Iterator[list[int]]:
    """Indices, about ``BATCH_TOKENS`` a batch, of like length; twins stay together."""
    groups: dict[Any, list[int]] = {}
    for index, pair in enumerate(pairs):
        groups.setdefault(pair.twin or ("alone", index), []).append(index)
    ordered = sorted(groups.values(), key=lambda group: max(len(ids[i]) for i in group) + rng.random() * 12)
    batches: list[list[int]] = [[]]
    for group in ordered:
        longest = max(len(ids[i]) for i in (*batches[-1], *group))
        if batches[-1] and longest * (len(batches[-1]) + len(group)) > BATCH_TOKENS:
            batches.append([])
        batches[-1].extend(group)
    rng.shuffle(batches)
    yield from batches


def padded(ids: Sequence[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(map(len, ids))
    rows = torch.zeros(len(ids), longest, dtype=torch.long)
    for row, own in zip(rows, ids, strict=True):
        row[: len(own)] = torch.tensor(own)
    return rows, (torch.arange(longest)[None] < torch.tensor([len(own) for own in ids])[:, None]).long()


def support(logits: torch.Tensor) -> torch.Tensor:
    """log P(entailed) − log P(not entailed)."""
    return logits[:, 0] - torch.logsumexp(logits[:, 1:], dim=1)


def _loss(logits: torch.Tensor, pairs: Sequence[Pair]) -> torch.Tensor:
    chances = torch.log_softmax(logits, dim=1)
    either = torch.logsumexp(chances[:, 1:], dim=1, keepdim=True)
    labels = torch.tensor([pair.label for pair in pairs])
    weights = torch.tensor([pair.weight for pair in pairs])
    own = torch.cat([chances, either], dim=1)[torch.arange(len(pairs)), labels]
    loss = -(own * weights).sum() / weights.sum()
    twins: dict[int, list[int]] = {}
    for index, pair in enumerate(pairs):
        if pair.twin:
            twins.setdefault(pair.twin, []).append(index)
    gaps = []
    score = support(logits)
    for group in twins.values():
        true = [i for i in group if pairs[i].label == 0]
        gaps += [score[true[0]] - score[i] for i in group if pairs[i].label != 0 and true]
    if gaps:
        loss = loss + 0.5 * torch.nn.functional.softplus(-torch.stack(gaps)).mean()
    return loss


def optimizing(reader: Reader, rate: float, head_rate: float, steps: int) -> tuple[Any, Any]:
    """AdamW and its schedule: the rate rises over a twentieth of the steps and then falls to nought."""
    layers = [value for name, value in reader.named_parameters() if value.requires_grad and not name.startswith("head")]
    optimizer = torch.optim.AdamW(
        [{"params": layers, "lr": rate}, {"params": reader.head.parameters(), "lr": head_rate}], weight_decay=0.01
    )
    warm = max(1, steps // 20)
    return optimizer, torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))
    )


def train(
    reader: Reader, tokenizer: Tokenizer, pairs: Sequence[Pair], *, epochs: int, rate: float, head_rate: float,
    seed: int, say: Any = print,
) -> None:  # fmt: skip
    """One pass after another."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    ids = encoded(tokenizer, pairs)
    plans = [list(_batches(ids, pairs, rng)) for _ in range(epochs)]
    steps = sum(map(len, plans))
    optimizer, schedule = optimizing(reader, rate, head_rate, steps)
    reader.train()
    step, mean = 0, 0.0
    for plan in plans:
        for batch in plan:
            rows, mask = padded([ids[i] for i in batch])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = reader(rows, mask)
            loss = _loss(logits.float(), [pairs[i] for i in batch])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            mean += (loss.item() - mean) / min(step, 100)
            if step % 25 == 0:
                say(f"step {step} of {steps}, loss {mean:.3f}", flush=True)
    reader.eval()


@torch.no_grad()
def predict(reader: Reader, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
    """(pairs, 3) logits."""
    reader.eval()
    ids = encoded(tokenizer, [Pair(premise, claim, 0) for premise, claim in pairs])
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = torch.zeros(len(ids), len(CLASSES))
    for start in range(0, len(order), 64):
        own = order[start : start + 64]
        rows, mask = padded([ids[i] for i in own])
        out[own] = reader(rows, mask).float()
    return out
