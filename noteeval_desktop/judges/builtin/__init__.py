"""The judge that ships: a sentence encoder and small trained heads, instant and offline."""

from __future__ import annotations

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.completeness import heads
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.builtin.omissions.omissions import omission_head
from noteeval_desktop.judges.builtin.plan_links import plan_head
from noteeval_desktop.judges.builtin.responses.behaviours import behaviour_heads
from noteeval_desktop.judges.builtin.responses.features import danger_heads
from noteeval_desktop.judges.builtin.risk.hearing import trained_upon
from noteeval_desktop.judges.builtin.risk.local_reading import LocalReading
from noteeval_desktop.judges.builtin.support.supporter import load_supporter
from noteeval_desktop.judges.builtin.text.words import claim_lexicon


def load(embedder: Embedder, rubric: Rubric) -> BuiltinJudge:
    """The judge with the heads that ship.

    Raises ModelError when they are missing or damaged, or were trained with another encoder.
    """
    folder = paths.resources() / "heads"
    note_heads = heads.load(folder)
    _require_one_encoder(embedder, note_heads)
    # One ledger for all, since claims and omissions ask for the dangers again.
    reading = LocalReading(embedder)
    lexicon = claim_lexicon()
    supporter = load_supporter(embedder, lexicon, folder, reading)
    return BuiltinJudge(embedder, rubric, note_heads, lexicon, supporter, reading)


def _require_one_encoder(embedder: Embedder, note_heads: heads.NoteHeads) -> None:
    """Vectors of another encoder would make of every head a guess, and of the search for dangers none at all."""
    trained = {
        "notes": note_heads.encoder or embedder.fingerprint,
        "dangers": trained_upon(),
        "answers to danger": danger_heads().fingerprint,
        "behaviours": behaviour_heads().fingerprint,
        "omissions": omission_head().fingerprint,
        "treatment plans": plan_head().fingerprint,
    }
    for what, learned_with in trained.items():
        if learned_with != embedder.fingerprint:
            raise ModelError(
                f"The sentence encoder is not the one that the judge learned to read {what} with. "
                "Run `noteeval models build`, or install the program again."
            )
