"""Which words may say who somebody is, by the tagger that ships."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges.tagger import WordTagger, shipped_head
from noteeval_desktop.privacy.lexicon import load_lexicon
from noteeval_desktop.privacy.word_features import WordFeatures
from tests.fake_embedder import FakeEmbedder

FEATURES = WordFeatures(load_lexicon(paths.resources() / "lexicons"))


def test_vectors_of_another_encoder_are_refused() -> None:
    with pytest.raises(ModelError, match="another sentence encoder"):
        WordTagger(shipped_head(), FakeEmbedder(), FEATURES)


def test_a_text_is_judged_alone_as_among_others(encoder: Embedder) -> None:
    texts = ["I met Theresa in town.", "", "Once in Nov.\n6 y/o son, 🙂 O'Neill.", "Slept well."]
    together = WordTagger(shipped_head(), encoder, FEATURES).tagged(texts)
    alone = WordTagger(shipped_head(), encoder, FEATURES)
    assert [alone.tagged([text])[0] for text in texts] == together
    assert [len(tags.words) for tags in together] == [5, 0, 8, 2]


def test_a_name_far_down_in_a_line_is_found(encoder: Embedder) -> None:
    """Beyond what the encoder reads at once."""
    (tags,) = WordTagger(shipped_head(), encoder, FEATURES).tagged(["I slept well and " * 150 + "then Theresa called."])
    chance = dict(zip((word.text for word in tags.words), tags.chances, strict=True))
    assert chance["Theresa"] > 0.9
    assert chance["slept"] < 0.01
