"""The judge that ships: a sentence encoder and small trained heads, instant and offline."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import ClaimVerdict, Omission
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin import heads
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.builtin.responses import score_responses
from noteeval_desktop.judges.builtin.session_index import SessionIndex
from noteeval_desktop.judges.builtin.words import load_lexicon


def load(embedder: Embedder, rubric: Rubric) -> BuiltinJudge:
    """The judge with the heads that ship. Raises ModelError when they are missing or damaged."""
    return BuiltinJudge(
        embedder,
        rubric,
        heads.load(paths.resources() / "heads"),
        load_lexicon(paths.resources() / "lexicons" / "claims.json"),
        _unjudged,
        _nothing_omitted,
        lambda exchanges, cancel: score_responses(exchanges, embedder, cancel),
    )


def _unjudged(case: Case, _session: SessionIndex, _cancel: threading.Event) -> Iterator[ClaimVerdict]:
    for sentence in case.note.sentences:
        yield ClaimVerdict(sentence.id, None, rationale="Support by the session was not judged.")


def _nothing_omitted(
    _case: Case, _claims: Sequence[ClaimVerdict], _session: SessionIndex, _cancel: threading.Event
) -> Iterator[Omission]:
    return iter(())
