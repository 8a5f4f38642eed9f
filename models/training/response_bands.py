"""Write ``resources/response_bands.json``: ``python -m models.training.response_bands MODEL annomi_simple.csv``.

What the built-in judge says of AnnoMI's sessions, as quantiles of the good and the weak ones. No text of AnnoMI is in
them. A test compares the names in it with the measures; the figures change with the rules and the heads, so this is
run again after either.
"""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from pathlib import Path

import numpy as np

from noteeval_desktop import paths
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.builtin.responses.behaviours import count_behaviours
from noteeval_desktop.judges.exchanges import scored_exchanges
from noteeval_desktop.judges.protocol import exchanges_of
from noteeval_desktop.measures.responses import session_values
from noteeval_desktop.research.benchmark_annomi import read_sessions

SOURCE = (
    "AnnoMI (Wu et al., ICASSP 2022; Future Internet 15(3), 2023), 133 transcripts of public demonstrations with MI "
    "quality high or low; data public at uccollab/AnnoMI. Quantiles of figures computed from it, no text."
)


def main() -> None:
    """``model``: the encoder's GGUF; ``annomi``: annomi_simple.csv."""
    parser = argparse.ArgumentParser(description="Quantiles of the responses in AnnoMI's good and weak sessions.")
    parser.add_argument("model", type=Path)
    parser.add_argument("annomi", type=Path)
    arguments = parser.parse_args()
    values: dict[str, dict[str, list[float]]] = {}
    sessions = read_sessions(arguments.annomi)
    with closing(LlamaEmbedder(arguments.model)) as embedder:
        for session in sessions:
            counts = count_behaviours(session.transcript, embedder)
            verdicts = list(score_responses(exchanges_of(session.transcript), embedder))
            found = session_values(scored_exchanges(session.transcript, verdicts, counts), counts)
            for name, value in found.items():
                values.setdefault(name, {"high": [], "low": []})["high" if session.high else "low"].append(value)
    steps = np.linspace(0, 1, 21)
    table = {
        name: {group: [round(float(q), 3) for q in np.quantile(own, steps)] for group, own in groups.items()}
        for name, groups in values.items()
    }
    counted = {name: {group: len(own) for group, own in groups.items()} for name, groups in values.items()}
    written = {"source": SOURCE, "sessions": counted, "quantiles": table}
    target = paths.resources() / "response_bands.json"
    target.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
