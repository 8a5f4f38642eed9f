"""Which windows of a session are read beside a claim."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.training import datasets
from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.support.retrieval import FILE, READ, best_windows, load_retriever, window_scores
from noteeval_desktop.judges.builtin.text.note_lexicon import expand
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, load_lexicon
from tests.factories import make_transcript

HEADS = paths.resources() / "heads"
# An author whom the retriever never saw.
SESSIONS = datasets.CORPUS / "a23"


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(paths.resources() / "lexicons" / "claims.json")


def sentence(text: str) -> Sentence:
    return Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(text)), text)


def by_closeness(sentences, session, encoder, lexicon):
    for one, vector in zip(sentences, encoder.embed([expand(one.text) for one in sentences]), strict=True):
        yield best_windows(window_scores(vector, lexicon.content_stems(expand(one.text)), session)[0])


def found(windows_of, encoder: LlamaEmbedder, lexicon: ClaimLexicon) -> list[bool]:
    """For the claims of two sessions, whether a turn that decides it is in the windows that are shown to a judge."""
    hits = []
    for own, _ in zip(datasets.corpus(SESSIONS), range(4), strict=False):
        session = index_session(own.transcript, encoder, lexicon)
        for claim, windows in zip(own.claims, windows_of(own.note.sentences, session, encoder, lexicon), strict=True):
            if claim.turns:
                shown = {session.passages[index].turn for window in windows[:READ] for index in window.passages}
                hits.append(bool(shown & set(claim.turns)))
    return hits


def test_the_turn_that_decides_a_claim_is_shown_more_often_than_by_closeness_alone(
    encoder: LlamaEmbedder, lexicon: ClaimLexicon
) -> None:
    taught = found(load_retriever(HEADS, encoder.fingerprint), encoder, lexicon)
    close = found(by_closeness, encoder, lexicon)

    assert len(taught) > 50
    assert np.mean(taught) > 0.9
    assert np.mean(taught) >= np.mean(close)


def test_an_empty_session_has_no_windows(encoder: LlamaEmbedder, lexicon: ClaimLexicon) -> None:
    session = index_session(make_transcript(()), encoder, lexicon)

    (windows,) = load_retriever(HEADS, encoder.fingerprint)(
        [sentence("Client sleeps badly.")], session, encoder, lexicon
    )

    assert windows == ()


def test_a_damaged_retriever_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes((HEADS / FILE).read_bytes()[:500])

    with pytest.raises(ModelError, match="Install again"):
        load_retriever(tmp_path, "any")


def test_a_retriever_of_another_encoder_is_refused(tmp_path: Path) -> None:
    shutil.copy(HEADS / FILE, tmp_path)

    with pytest.raises(ModelError, match="another encoder"):
        load_retriever(tmp_path, "another")
