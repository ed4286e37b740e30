import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate.metrics import accuracy, brier, expected_calibration_error, log_loss
from quorate.metrics.score_sums import score_parts, scores_of


@given(st.integers(0, 1000), st.integers(1, 40), st.integers(2, 5))
def test_equal_to_the_metrics(seed: int, n_tasks: int, n_classes: int) -> None:
    random = np.random.default_rng(seed)
    probs = random.dirichlet(np.full(n_classes, 0.3), size=n_tasks)
    probs[random.random(n_tasks) < 0.2] = 1 / n_classes  # ties
    gold = random.integers(n_classes, size=n_tasks)
    scores = scores_of(score_parts(probs, gold).sum(axis=0))
    metrics = {"accuracy": accuracy, "ece": expected_calibration_error, "log_loss": log_loss, "brier": brier}
    assert list(scores) == list(metrics)
    for name, metric in metrics.items():
        assert np.isclose(scores[name], metric(probs, gold))


def test_many_sums_at_once() -> None:
    parts = score_parts(np.array([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]]), np.array([0, 0, 1]))
    sums = np.array([[parts[[0, 1]].sum(axis=0)], [parts[[2, 2]].sum(axis=0)]])  # (2, 1, n_sums)
    assert np.allclose(scores_of(sums)["accuracy"], [[0.5], [0.0]])
    assert np.allclose(scores_of(sums)["ece"], [[(0.1 + 0.6) / 2], [0.7]])
