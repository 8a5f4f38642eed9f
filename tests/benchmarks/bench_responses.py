"""Responses of AnnoMI by turn and by exchange: python tests/benchmarks/bench_responses.py --data annomi_simple.csv.

By hand; not a test. Before, each turn of the therapist was scored alone; now what was done over the next turns. Said of
both: the share that is scored 3 or less in good and in weak sessions, and how far the session's mean tells the two
apart (AUC, 95 % interval over sessions). Then how often a question about safety is scored 3 or less on safety.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.exchanges import ASKED
from noteeval_desktop.domain.verdicts import SUBTHRESHOLD, Attribute
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.protocol import Judge, exchanges_of
from noteeval_desktop.report.terminal import table
from noteeval_desktop.research.benchmark_annomi import read_sessions, run_annomi

MEASURES = {"turn by turn": "css_and_ars", "by exchange": "exchange_css_and_ars"}


def flagged_questions(judge: Judge, path: Path) -> Iterator[tuple[bool, bool]]:
    """For each response that asks about safety in a danger: scored low on safety, and in a good session."""
    for session in read_sessions(path):
        for verdict in judge.respond(exchanges_of(session.transcript), threading.Event()):
            asks = any(evidence.comment == ASKED for evidence in verdict.evidence)
            if asks and verdict.crisis:
                yield (verdict.score(Attribute.SAFETY) or 0) <= SUBTHRESHOLD, session.high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="annomi_simple.csv")
    path = parser.parse_args().data
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        judge = builtin.load(embedder, load_rubric())
        result = run_annomi(read_sessions(path), judge, threading.Event())
        asked = list(flagged_questions(judge, path))
    print(table([["Mean of the session", "AUC", "95 % interval"], *separations(result["measures"])]))
    print(table([["Scored 3 or less (mean of six)", "Good sessions", "Weak sessions"], *low(result["scored_low"])]))
    print(
        f"{len(asked)} questions about safety in a danger, {sum(flag for flag, _ in asked)} scored 3 or less on safety"
    )


def separations(measures: dict[str, dict[str, object]]) -> Iterator[list[str]]:
    for name, measure in MEASURES.items():
        found = measures[measure]
        interval = found["interval"]
        assert isinstance(interval, list)
        yield [name, f"{found['auc']:.2f}", f"{interval[0]:.2f} to {interval[1]:.2f}"]


def low(rows: Iterable[dict[str, object]]) -> Iterator[list[str]]:
    shares = {(row["unit"], row["quality"]): row["mean"] for row in rows}
    for unit in ("turns", "exchanges"):
        yield [unit, *(f"{100 * float(str(shares[unit, quality])):.0f} %" for quality in ("high", "low"))]


if __name__ == "__main__":
    main()
