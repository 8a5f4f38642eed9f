"""Alpha and kappa as other people's packages compute them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noteeval_desktop.measures.agreement import Level, Thing, agree, cohen_kappa, krippendorff_alpha

# By `krippendorff` 0.9.0, `alpha(made_ratings(seed), level_of_measurement=level)` with nan for None. Its licence (GPL)
# keeps it out of what the tests install.
ALPHAS = {
    0: (0.484375000000, 0.694429942382, 0.625708884688),
    1: (0.344509232264, 0.173975735879, 0.196370822853),
    2: (0.331420677930, 0.488347970756, 0.487191130283),
    3: (0.277310924370, 0.287907822669, 0.286635944700),
    4: (0.304509283820, 0.337797967723, 0.310000000000),
    5: (0.266015200869, 0.410376421160, 0.407194244604),
}


def made_ratings(seed: int) -> list[list[int | None]]:
    """A value from 1 to 5 a thing; two, three or four raters who see it six times in ten, or nothing."""
    source = random.Random(seed)
    truth = [source.randint(1, 5) for _ in range(30)]
    return [
        [None if source.random() < 0.2 else value if source.random() < 0.6 else source.randint(1, 5) for value in truth]
        for _ in range(seed % 3 + 2)
    ]


@pytest.mark.parametrize("seed", ALPHAS)
def test_alpha_is_that_of_krippendorff(seed: int) -> None:
    ratings = made_ratings(seed)
    things = [Thing("", unit) for unit in zip(*ratings, strict=True)]
    ours = [agree(things, level, rounds=0).alpha.value for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL)]
    assert ours == pytest.approx(ALPHAS[seed], abs=5.1e-5)  # four decimals are shown
    assert krippendorff_alpha(ratings) == pytest.approx(ALPHAS[seed][0], abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=40))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    a, b = zip(*pairs, strict=True)
    if len(set(a) | set(b)) == 1:
        return  # undefined: scikit-learn warns
    expected = metrics.cohen_kappa_score(a, b)
    assert cohen_kappa(a, b) == pytest.approx(expected, abs=1e-12)
    ours = agree([Thing("", pair) for pair in pairs], rounds=0).cohen.value
    assert ours == pytest.approx(expected, abs=5.1e-5)
