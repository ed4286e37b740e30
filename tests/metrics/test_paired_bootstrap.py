"""The paired bootstrap: the same draws for all methods, and a test that keeps its level."""

import numpy as np
import pytest
from scipy.stats import binomtest

from quorate.metrics import accuracy, bootstrap, expected_calibration_error
from quorate.metrics.bootstrap_interval import interval_of
from quorate.metrics.paired_bootstrap import MAX_GROUPS, best_p_values, group_tasks, resample_sums
from quorate.metrics.score_sums import score_parts, scores_of
from quorate.typing import Array


def p_values(right: Array, seed: int = 0, repeats: int = 400) -> Array:
    """P-values of methods that are right on some tasks, (n_tasks, n_methods)."""
    sums = resample_sums(right, repeats=repeats, seed=seed)
    return best_p_values(right.mean(axis=0), sums / len(right), len(right))


def test_the_draws_of_bootstrap() -> None:
    """The sums give the very repeats that `bootstrap` gets by computing the metric of every draw."""
    random = np.random.default_rng(0)
    confidence = random.uniform(0.6, 1, size=80)
    probs, gold = np.column_stack([confidence, 1 - confidence]), (random.random(80) > confidence - 0.1).astype(int)
    parts = score_parts(probs, gold)
    repeats = scores_of(resample_sums(parts, repeats=200, seed=5))
    for name, metric in (("accuracy", accuracy), ("ece", expected_calibration_error)):
        slow = bootstrap(metric, probs, gold, repeats=200, seed=5)
        quick = interval_of(slow.value, repeats[name])
        assert [quick.low, quick.high] == pytest.approx([slow.low, slow.high])


def test_columns_share_the_draws() -> None:
    parts = np.random.default_rng(0).random((50, 1))
    sums = resample_sums(np.column_stack([parts, 3 * parts]), repeats=20)
    assert np.allclose(sums[:, 1], 3 * sums[:, 0])


def test_groups_have_the_spread_of_tasks() -> None:
    parts = np.random.default_rng(0).random((3 * MAX_GROUPS, 2)) ** 3
    grouped = group_tasks(parts)
    assert grouped.shape == (MAX_GROUPS, 2)
    assert np.allclose(grouped.sum(axis=0), parts.sum(axis=0))
    spread, spread_of_tasks = (resample_sums(some, repeats=300).std(axis=0) for some in (grouped, parts))
    assert np.allclose(spread, spread_of_tasks, rtol=0.15)
    assert np.array_equal(group_tasks(parts[:10]), parts[:10])


@pytest.mark.parametrize(("wins", "losses"), [(4, 0), (6, 0), (9, 0), (12, 5), (30, 10), (20, 20)])
def test_two_methods_as_by_mcnemar(wins: int, losses: int) -> None:
    """With two methods and 200 tasks, the p-value of the worse one is close to McNemar's exact one-sided one."""
    right = np.repeat([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [200 - wins - losses, wins, losses], axis=0)
    best, worse = p_values(right, repeats=4000)
    assert best == 1
    if wins == losses:
        assert worse == 1
    else:
        exact = binomtest(wins, wins + losses, alternative="greater").pvalue
        assert worse == pytest.approx(exact, abs=0.035)


def equally_good(seed: int, n_methods: int, n_tasks: int = 120) -> Array:
    """Draw whether methods of the same accuracy are right; tasks that are hard for one are hard for all."""
    random = np.random.default_rng(seed)
    skill = 2.2 * random.standard_normal((n_tasks, 1)) + random.standard_normal((n_tasks, n_methods))
    return (skill < 2).astype(np.float64)


@pytest.mark.parametrize("n_methods", [2, 20])
def test_the_best_is_seldom_ruled_out(n_methods: int) -> None:
    """However many methods there are: among equals, each is ruled out in about 5% of the draws."""
    ruled_out = [p_values(equally_good(seed, n_methods), seed)[0] < 0.05 for seed in range(150)]
    assert np.mean(ruled_out) <= 0.1  # of 150 draws with a chance of 5%: above 10% with a chance of 1%


def test_a_lead_is_seen() -> None:
    right = np.random.default_rng(0).random((400, 8)) < [0.9, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75]
    result = p_values(right.astype(np.float64))
    assert result[0] == 1
    assert np.all(result[1:] < 0.05)


def test_few_tasks_prove_nothing() -> None:
    """Ahead by the same amount on each of three tasks: a paired test has a p-value of 1/8 at best."""
    scores = np.array([[1.0, 0.5]] * 3)
    assert p_values(scores).tolist() == [1, 0.125]
    assert p_values(np.array([[1.0, 0.5]] * 20))[1] < 0.05


def test_equal_methods_are_all_the_best() -> None:
    right = np.repeat(np.array([[1.0], [0.0]]), 3, axis=1)
    assert p_values(right).tolist() == [1, 1, 1]
