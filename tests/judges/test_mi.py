from __future__ import annotations

import numpy as np
import pytest

from models.training.behaviours import Utterances, train
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.judges.builtin.responses.behaviours import behaviour_heads, surface
from tests.fake_embedder import FakeEmbedder


def test_the_shipped_heads_fit_the_features() -> None:
    heads = behaviour_heads()
    assert heads.weights.shape == (len(Behaviour), 384 + surface(["Hello?"]).shape[1])
    assert surface([]).shape[0] == 0


@pytest.mark.parametrize(("simple", "questions", "ratio"), [(3, 6, 0.5), (0, 4, 0.0), (2, 0, None)])
def test_reflection_to_question_ratio(simple: int, questions: int, ratio: float | None) -> None:
    counts = MiCounts(((Behaviour.SIMPLE_REFLECTION, simple), (Behaviour.OPEN_QUESTION, questions)), 0.5, ())
    assert counts.reflections_to_questions == ratio


def test_training_learns_what_the_words_tell(tmp_path) -> None:
    texts, sessions, labels = [], [], []
    for session in range(20):
        for text, row in (
            ("What would you like to change?", [1, 0, 0, 0, 0]),
            ("Did you drink on Monday?", [0, 1, 0, 0, 0]),
            ("You drink when you feel alone.", [0, 0, 1, 0, 0]),
            ("On the one hand you enjoy it, and at the same time it scares you.", [0, 0, 0, 1, 0]),
            ("Research shows that the risk of stroke doubles.", [0, 0, 0, 0, 1]),
        ):
            texts.append(text)
            sessions.append(str(session))
            labels.append(row)
    data = Utterances(tuple(texts), tuple(sessions), np.array(labels, dtype=float))
    scores = train(FakeEmbedder(), data, tmp_path / "heads" / "mi.npz")
    assert min(scores.values()) > 0.95
    assert (tmp_path / "heads" / "mi.npz").is_file()
