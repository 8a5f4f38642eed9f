"""``python -m noteeval_desktop.judges.builtin.train --data FILE --out FOLDER``: train the heads that ship.

Takes minutes on two cores and needs the training extra. The same data, encoder and seed give the same files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.judges.builtin import claim_examples, heads, support_heads, train_note, train_support
from noteeval_desktop.judges.builtin.words import load_lexicon
from noteeval_desktop.measures.tn_eval import load_notes


def train(data: Path, out: Path, encoder: Path, seed: int = 0) -> None:
    """Write the heads for notes and for faithfulness to ``out``. Raises InputError, ModelError."""
    embedder = LlamaEmbedder(encoder)
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    notes = load_notes(data)
    fitted = train_note.fit(train_note.make(notes, embedder), range(len(notes)), seed)
    out.mkdir(parents=True, exist_ok=True)
    facts = {
        "encoder": embedder.fingerprint,
        "seed": seed,
        "notes": len(notes),
        "conversations": len({note.conversation for note in notes}),
    }
    heads.save(fitted, out, facts)
    claims = claim_examples.make(notes, claim_examples.composed_sessions(), embedder, lexicon)
    support_heads.save(train_support.fit(claims, claims.conversations, seed), out, facts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="train", description="Train the built-in judge's heads.")
    parser.add_argument("--data", type=Path, required=True, help="the TN-Eval annotations (JSON)")
    parser.add_argument("--out", type=Path, default=paths.resources() / "heads", help="folder for the heads")
    parser.add_argument("--encoder", type=Path, default=models.encoder_path(), help="the sentence encoder (GGUF)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        train(options.data, options.out, options.encoder, options.seed)
    except NoteEvalError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
