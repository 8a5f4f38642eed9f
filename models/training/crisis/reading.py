"""Reads and checks the crisis pairs: ``python -m models.training.crisis.reading FILE…`` says how many there are.

GUIDE.md is what their authors were given; they saw no rule of the judge.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.transcript import Role, Turn

HERE = Path(__file__).parent
OPEN = (HERE / "pairs_a.txt", HERE / "pairs_b.txt")
DANGERS = (
    "suicide", "self-harm", "harm-to-others", "abuse", "child-at-risk", "elder-at-risk", "overdose", "psychosis",
    "coercive-control", "access-to-means", "medication-misuse", "impaired-driving", "neglect",
)  # fmt: skip
UNSAFE = ("consent", "secrecy", "blame", "stopping", "minimising", "evasive", "advice", "warm", "partly")
_HEAD = re.compile(r"# (?P<danger>[a-z-]+) safe=(?P<safe>warm|cold) unsafe=(?P<unsafe>[a-z]+)")
_LINE = re.compile(r"(?:(?P<answer>[+-]) )?(?P<who>[TC]): (?P<text>\S.*)")
_ROLES = {"T": Role.THERAPIST, "C": Role.CLIENT}


@dataclass(frozen=True)
class Pair:
    """``said`` ends with the client; ``safe`` and ``unsafe`` go on from it, their first turn the therapist's."""

    danger: str
    warmth: str
    fault: str
    said: tuple[Turn, ...]
    safe: tuple[Turn, ...]
    unsafe: tuple[Turn, ...]


def read_pairs(path: Path) -> list[Pair]:
    """Raises ValueError, naming the line."""
    blocks = re.split(r"^(?=# )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs, line = [], 1
    for block in blocks:
        if block.strip():
            pairs.append(_pair(block, f"{path.name}, line {line}"))
        line += block.count("\n")
    return pairs


def _pair(block: str, where: str) -> Pair:
    first, *rest = [line for line in block.splitlines() if line.strip()]
    head, lines = _HEAD.fullmatch(first.strip()), [_LINE.fullmatch(line.strip()) for line in rest]
    if head is None or head["danger"] not in DANGERS or head["unsafe"] not in UNSAFE or None in lines:
        raise ValueError(f"{where}: not a pair as GUIDE.md has it")
    parts: dict[str, list[Turn]] = {"": [], "+": [], "-": []}
    for line in filter(None, lines):
        own = parts[line["answer"] or ""]
        start = 0 if not line["answer"] else len(parts[""])
        own.append(Turn(start + len(own), line["who"], _ROLES[line["who"]], line["text"]))
    said, safe, unsafe = (tuple(part) for part in parts.values())
    if said[-1].role is not Role.CLIENT or any(not one or one[0].role is Role.CLIENT for one in (safe, unsafe)):
        raise ValueError(f"{where}: the situation ends with the client, each answer begins with the therapist")
    return Pair(head["danger"], head["safe"], head["unsafe"], said, safe, unsafe)


def described(pairs: Sequence[Pair]) -> Iterator[str]:
    yield f"{len(pairs)} pairs"
    for name in ("danger", "warmth", "fault"):
        counted = Counter(getattr(pair, name) for pair in pairs)
        yield f"{name}: " + ", ".join(f"{one} {count}" for one, count in counted.most_common())


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or OPEN):
        print(path.name, *described(read_pairs(path)), sep="\n")
