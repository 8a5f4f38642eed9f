"""Fit the head that tells what speaks to whoever grades the note, from our own sentences alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training.injection_examples import TO_THE_READER
from models.training.injection_lookalikes import ABOUT_THE_CLIENT
from models.training.injection_said import DISGUISED, SAID_TO_THE_READER
from models.training.injection_said_lookalikes import SAID_OF_OTHERS
from noteeval_desktop import paths
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin import asides, note_lexicon, reader
from noteeval_desktop.judges.builtin.heads import Linear
from noteeval_desktop.measures.composed import ComposedSession, load_composed

_STRENGTH = 1.0


def reader_head(embedder: Embedder) -> Linear:
    """One head for notes and sessions: what speaks to the reader, against what looks like it and against all that
    could in the composed sessions and their notes. Raises InputError, ModelError."""
    sessions = load_composed(paths.resources() / "composed" / "training.json")
    speaking = (*TO_THE_READER, *DISGUISED, *SAID_TO_THE_READER)
    others = (*ABOUT_THE_CLIENT, *SAID_OF_OTHERS, *_composed(sessions))
    texts = [reader.plain(note_lexicon.expand(text)) for text in (*speaking, *others)]
    answers = np.repeat([1, 0], [len(speaking), len(others)])
    model = LogisticRegression(C=_STRENGTH, max_iter=500)
    with threadpool_limits(1):  # with several, the last digits depend on how many there are
        model.fit(reader.inputs(texts, embedder.embed(texts)), answers)
    return Linear(model.coef_.astype(np.float32), model.intercept_.astype(np.float32))


def _composed(sessions: Sequence[ComposedSession]) -> Iterator[str]:
    """Suspicious sentences that are none, and the ends of sentences that are asked about by themselves."""
    notes = (sentence.text for session in sessions for sentence in session.case.note.sentences)
    turns = (turn.text for session in sessions for turn in session.case.transcript.turns)
    sentences = [*notes, *(text[slice(*span)] for text in turns for span in asides.sentences(text))]
    yield from (text for text in dict.fromkeys(sentences) if reader.suspicious(text))
    yield from dict.fromkeys(remark for text in sentences for remark in asides.remarks(text))
