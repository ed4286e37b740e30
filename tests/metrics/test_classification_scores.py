"""Metrics against scikit-learn's and against ones worked out by hand."""

import numpy as np
import pytest
from sklearn import metrics as sklearn

from quorate.metrics import accuracy, balanced_accuracy, expected_calibration_error, log_loss, macro_f1, top_k_accuracy


@pytest.mark.parametrize("seed", range(5))
def test_as_scikit_learn_has_them(seed: int) -> None:
    random = np.random.default_rng(seed)
    probs = random.dirichlet(np.full(4, 5.0), size=60)
    gold = random.integers(-1, 3 if seed == 0 else 4, size=60)  # with seed 0 a class that gold never names
    true, shown = gold[gold >= 0], probs[gold >= 0]
    pred_probs = shown.argmax(axis=1)
    assert accuracy(probs, gold) == pytest.approx(sklearn.accuracy_score(true, pred_probs))
    assert macro_f1(probs, gold) == pytest.approx(sklearn.f1_score(true, pred_probs, average="macro"))
    assert log_loss(probs, gold) == pytest.approx(sklearn.log_loss(true, shown, labels=range(4)))
    recalls = sklearn.recall_score(true, pred_probs, labels=np.unique(true), average="macro")
    assert balanced_accuracy(probs, gold) == pytest.approx(recalls)
    for k in (1, 2, 4):
        theirs = sklearn.top_k_accuracy_score(true, shown, k=k, labels=range(4)) if k < 4 else 1.0
        assert top_k_accuracy(probs, gold, k=k) == pytest.approx(theirs)


def test_without_gold_there_is_no_score() -> None:
    for metric in (accuracy, balanced_accuracy, expected_calibration_error, log_loss, macro_f1, top_k_accuracy):
        assert np.isnan(metric(np.ones((2, 2)) / 2, np.array([-1, -1])))
