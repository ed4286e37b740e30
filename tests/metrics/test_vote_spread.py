"""How far people's shares lie apart: its likelihood against scipy's."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import dirichlet_multinomial

from quorate.metrics.vote_spread import VoteSpread, _Likelihood


def test_likelihood_as_scipy_has_it_with_its_gradient() -> None:
    random = np.random.default_rng(4)
    counts = random.multinomial(random.integers(1, 6, size=15), [0.5, 0.3, 0.2])
    likelihood = _Likelihood(counts)
    point = likelihood.start() + random.normal(size=len(likelihood.start())) / 2
    alpha, log_weight = likelihood.unpack(point)
    totals = counts.sum(axis=1)
    theirs = np.array([dirichlet_multinomial.pmf(counts, row, totals) for row in alpha]).T @ np.exp(log_weight)
    orders = np.array([dirichlet_multinomial.pmf(counts, np.full(3, 1e9), totals)]).T[:, 0] * 3.0**totals
    assert -likelihood(point)[0] == pytest.approx(np.log(theirs / orders).mean(), rel=1e-5)  # less the ways to order
    assert check_grad(lambda x: likelihood(x)[0], lambda x: likelihood(x)[1], point) < 1e-5


def test_more_classes_than_profiles() -> None:
    counts = np.random.default_rng(5).multinomial(4, np.full(30, 1 / 30), size=50)
    spread = VoteSpread.fit(counts)
    assert spread.alpha.shape == (13, 30)
    np.testing.assert_allclose(spread.profile_probs.sum(axis=1), 1)
