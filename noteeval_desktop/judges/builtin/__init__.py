"""The judge that ships: a sentence encoder and small trained heads, instant and offline."""

from __future__ import annotations

from noteeval_desktop import paths
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin import heads
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.builtin.local_reading import LocalReading
from noteeval_desktop.judges.builtin.omission_head import OmissionHead
from noteeval_desktop.judges.builtin.omissions import find_omissions
from noteeval_desktop.judges.builtin.responses import score_responses
from noteeval_desktop.judges.builtin.support.supporter import load_supporter
from noteeval_desktop.judges.builtin.words import load_lexicon


def load(embedder: Embedder, rubric: Rubric, omissions: OmissionHead | None = None) -> BuiltinJudge:
    """The judge with the heads that ship; ``omissions`` replaces one, for cross-validation.

    Raises ModelError when they are missing or damaged.
    """
    folder = paths.resources() / "heads"
    # One ledger for all, since claims and omissions ask for the dangers again.
    reading = LocalReading(embedder)
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    return BuiltinJudge(
        embedder,
        rubric,
        heads.load(folder),
        lexicon,
        supporter=load_supporter(embedder, lexicon, folder, reading),
        omitter=lambda case, _claims, session, cancel: find_omissions(
            case, embedder, session, lexicon, cancel, omissions, reading
        ),
        responder=lambda exchanges, cancel: score_responses(exchanges, embedder, cancel),
        ledger=reading,
    )
