"""Fit the head that tells what speaks to whoever grades the note, from our own sentences alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from noteeval_desktop import paths
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.learned import Linear
from noteeval_desktop.judges.builtin.prompt_injection import detection, wording
from noteeval_desktop.judges.builtin.text import note_lexicon
from noteeval_desktop.research.composed import ComposedSession, load_composed
from noteeval_desktop.research.labelled import LabelledSession, transcript_of

EXAMPLES = Path(__file__).parent / "examples" / "prompt_injection.json"
"""Sentences, written for this product: those that speak to the reviewer, and what only looks like it."""
_SPEAKING = ("to the reviewer, in a note", "to the reviewer, disguised", "to the reviewer, in a session")
_OTHERS = ("about the client", "said of others")
_STRENGTH = 1.0


def reader_head(embedder: Embedder, labelled: Iterable[LabelledSession]) -> Linear:
    """One head for notes and sessions: what speaks to the reader, against what looks like it, against all that could
    in the composed sessions and their notes, and against what in ``labelled`` sessions would be asked about. Raises
    InputError, ModelError."""
    sessions = load_composed(paths.resources() / "composed" / "training.json")
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    speaking = [text for kind in _SPEAKING for text in examples[kind]]
    others = [*(text for kind in _OTHERS for text in examples[kind]), *_composed(sessions), *_labelled(labelled)]
    texts = [wording.plain(note_lexicon.expand(text)) for text in (*speaking, *others)]
    answers = np.repeat([1, 0], [len(speaking), len(others)])
    model = LogisticRegression(C=_STRENGTH, max_iter=500)
    with threadpool_limits(1):  # with several, the last digits depend on how many there are
        model.fit(wording.inputs(texts, embedder.embed(texts)), answers)
    return Linear(model.coef_.astype(np.float32), model.intercept_.astype(np.float32))


def _composed(sessions: Sequence[ComposedSession]) -> Iterator[str]:
    """Suspicious sentences that are none, and the ends of sentences that are asked about by themselves."""
    notes = (sentence.text for session in sessions for sentence in session.case.note.sentences)
    turns = (turn.text for session in sessions for turn in session.case.transcript.turns)
    sentences = [*notes, *(text[slice(*span)] for text in turns for span in detection.sentences(text))]
    yield from (text for text in dict.fromkeys(sentences) if wording.suspicious(text))
    yield from dict.fromkeys(remark for text in sentences for remark in detection.remarks(text))


def _labelled(sessions: Iterable[LabelledSession]) -> Iterator[str]:
    """The same of what is said in labelled sessions: nobody in them speaks to a reader."""
    turns = (turn.text for session in sessions for turn in transcript_of(session).turns)
    sentences = list(dict.fromkeys(text[slice(*span)] for text in turns for span in detection.sentences(text)))
    yield from filter(wording.addressed, sentences)
    yield from dict.fromkeys(remark for text in sentences for remark in detection.remarks(text))
