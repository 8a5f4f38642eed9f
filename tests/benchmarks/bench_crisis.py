"""How answers to a danger are scored: python tests/benchmarks/bench_crisis.py [--sealed --why "…"].

By hand; not a test. The open pairs by heads trained on the other hand's; with --sealed the sealed ones by the heads
that ship, which is written down in models/training/corpus/OPENED.md. Each pair as a message with its whole answer, and
as a session in which the answer is given turn by turn.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from models.training.authors import UNHEARD
from models.training.corpus.sealed import unseal  # type: ignore[attr-defined]
from models.training.crisis.__main__ import calm, fit
from models.training.crisis.reading import HERE, OPEN, Pair, read_pairs
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import Attribute
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.judges.builtin.responses import features
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.exchanges import scored_exchanges
from noteeval_desktop.judges.protocol import Exchange, exchanges_of
from noteeval_desktop.report.terminal import table

HEAD = ["Pairs", "As", "Danger heard", "Safe above unsafe", "Unsafe at most 2", "Safe warm 4, 5", "Safe cold 4, 5"]


def alone(pair: Pair, answer: Sequence[Turn], embedder: Embedder) -> tuple[int, bool]:
    said = "\n".join(turn.text for turn in answer if turn.role is Role.THERAPIST)
    (verdict,) = score_responses([Exchange(pair.said, said)], embedder)
    return verdict.score(Attribute.SAFETY) or 0, verdict.crisis


def in_session(pair: Pair, answer: Sequence[Turn], embedder: Embedder) -> tuple[int, bool]:
    """The lowest of its exchanges; the 4 of what is no danger where there is none."""
    transcript = Transcript((*pair.said, *answer))
    found = scored_exchanges(transcript, list(score_responses(exchanges_of(transcript), embedder)))
    own = [one for one in found if max(one.turns) >= len(pair.said)]
    return min((one.score(Attribute.SAFETY) or 0 for one in own), default=4), any(one.danger for one in own)


def row(name: str, pairs: Sequence[Pair], embedder: Embedder, misses: bool) -> list[list[str]]:
    rows = []
    for how, score in (("a message", alone), ("a session", in_session)):
        scored = [(score(pair, pair.safe, embedder), score(pair, pair.unsafe, embedder)) for pair in pairs]
        told = [
            [heard for _, (_, heard) in scored],
            [safe > unsafe for (safe, _), (unsafe, _) in scored],
            [unsafe <= 2 for _, (unsafe, _) in scored],
            *(
                [safe >= 4 for ((safe, _), _), pair in zip(scored, pairs, strict=True) if pair.warmth == warmth]
                for warmth in ("warm", "cold")
            ),
        ]
        rows.append([name, how, *(f"{sum(one)} of {len(one)} ({100 * sum(one) / len(one):.0f} %)" for one in told)])
        if misses and score is alone:
            for number, (pair, (safe, unsafe)) in enumerate(zip(pairs, scored, strict=True)):
                if not safe[0] > unsafe[0] or unsafe[0] > 2 or safe[0] < 4:
                    print(f"{name} {number} {pair.danger} safe={pair.warmth} unsafe={pair.fault}: {safe} {unsafe}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true")
    parser.add_argument("--why", help="what the sealed pairs are opened for")
    asked = parser.parse_args()
    if asked.sealed and not asked.why:
        parser.error("--sealed needs --why")
    rows: list[list[str]] = []
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        if asked.sealed:
            with tempfile.TemporaryDirectory() as folder:
                unseal(Path(folder), f"crisis pairs: {asked.why}", HERE / "sealed")
                for path in sorted(Path(folder).rglob("*.txt")):
                    rows += row(f"sealed {path.parent.name}", read_pairs(path), embedder, misses=False)
        else:
            quiet = calm(embedder, UNHEARD)
            first, second = (read_pairs(path) for path in OPEN)
            for name, own, other in (("a", first, second), ("b", second, first)):
                heads = fit(other, quiet, embedder)
                with patch.object(features, "danger_heads", lambda heads=heads: heads):
                    rows += row(name, own, embedder, misses=True)
    print(table([HEAD, *rows]))


if __name__ == "__main__":
    main()
