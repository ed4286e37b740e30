"""Bootstrap intervals: the same each time, and they hold the truth about as often as they say."""

import numpy as np
import pytest
from scipy.stats import norm

from quorate.errors import MethodError
from quorate.metrics import (
    METRICS,
    Interval,
    accuracy,
    adaptive_calibration_error,
    bootstrap,
    brier,
    expected_calibration_error,
    log_loss,
)
from quorate.metrics.bootstrap_interval import Metric
from tests.metrics.cases import Case


def drawn(seed: int, n_items: int, too_sure: float = 0.0) -> Case:
    """Draw predictions of two classes with confidences from .6 to .99, which exceed the accuracy by `too_sure`."""
    random = np.random.default_rng(seed)
    confidence = random.uniform(0.6, 0.99, size=n_items)
    return np.column_stack([confidence, 1 - confidence]), (random.random(n_items) > confidence - too_sure).astype(int)


def test_as_the_normal_interval_where_there_is_one() -> None:
    probs, gold = drawn(0, 2000)
    for metric, item_scores in (
        (accuracy, probs.argmax(axis=1) == gold),
        (brier, 2 * (probs[:, 1] - gold) ** 2),
        (log_loss, -np.log(np.maximum(probs[np.arange(2000), gold], 1e-3))),
    ):
        result = bootstrap(metric, probs, gold, level=0.9)
        error = norm.ppf(0.95) * item_scores.std() / np.sqrt(2000)
        assert result.value == pytest.approx(item_scores.mean())
        assert [result.low, result.high] == pytest.approx(
            [item_scores.mean() - error, item_scores.mean() + error], abs=0.15 * error
        )


def test_the_same_each_time_and_without_items_that_have_no_gold() -> None:
    probs, gold = drawn(1, 60)
    result = bootstrap(accuracy, probs, gold, repeats=50)
    assert result == bootstrap(accuracy, probs, gold, repeats=50)
    assert result != bootstrap(accuracy, probs, gold, repeats=50, seed=1)
    more = np.vstack([probs[:5], probs]), np.concatenate([np.full(5, -1), gold])
    assert result == bootstrap(accuracy, *more, repeats=50)


def test_ends_by_hand() -> None:
    """Repeats that are all .5 above the score: the high end moves by .5, the low by 2 + sqrt 2 times that, or to 0."""
    scores = iter([1.0, *[1.5] * 10])
    result = bootstrap(lambda probs, gold: next(scores), *drawn(0, 9), repeats=10)
    assert result == Interval(value=1.0, low=0.0, high=1.0)
    scores = iter([4.0, *[4.5] * 10])
    result = bootstrap(lambda probs, gold: next(scores), *drawn(0, 9), repeats=10)
    assert result.low == pytest.approx(4.5 - (2 + np.sqrt(2)) * 0.5)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_every_metric_has_an_interval(metric: Metric) -> None:
    result = bootstrap(metric, *drawn(2, 50), repeats=20)
    assert 0 <= result.low <= result.high


COVERED = {
    "accuracy": (accuracy, 0.05, 0.745),
    "brier": (brier, 0.0, float(np.mean([brier(*drawn(seed, 20_000)) for seed in range(900, 905)]))),
    "ece, calibrated": (expected_calibration_error, 0.0, 0.0),
    "ece, slightly too sure": (expected_calibration_error, 0.03, 0.03),
    "ece, too sure": (expected_calibration_error, 0.1, 0.1),
    "equal mass, calibrated": (adaptive_calibration_error, 0.0, 0.0),
    "equal mass, too sure": (adaptive_calibration_error, 0.1, 0.1),
}


@pytest.mark.parametrize("name", COVERED)
def test_the_truth_is_inside_about_as_often_as_said(name: str) -> None:
    metric, too_sure, truth = COVERED[name]
    result = [bootstrap(metric, *drawn(seed, 300, too_sure), repeats=100, level=0.9) for seed in range(60)]
    inside = np.mean([interval.low <= truth <= interval.high for interval in result])
    assert inside >= 0.82  # of 60 draws with a chance of .9: below .82 with a chance of 2%


def test_plain_quantiles_would_miss_it() -> None:
    """Why the ends are moved: the quantiles of the repeats themselves never hold the truth of a calibrated model."""
    for seed in range(10):
        probs, gold = drawn(seed, 300)
        random = np.random.default_rng(seed)
        again = [expected_calibration_error(probs[some], gold[some]) for some in random.integers(300, size=(100, 300))]
        assert np.quantile(again, 0.05) > 0.01


def test_without_gold_there_is_no_interval() -> None:
    result = bootstrap(accuracy, np.full((2, 2), 0.5), np.array([-1, -1]))
    assert np.isnan([result.value, result.low, result.high]).all()


def test_what_cannot_be_is_refused() -> None:
    for repeats, level in ((0, 0.95), (10, 95)):
        with pytest.raises(MethodError, match=r"repeats must be at least 1|level must be between 0 and 1"):
            bootstrap(accuracy, *drawn(0, 5), repeats=repeats, level=level)
