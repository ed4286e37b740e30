import numpy as np

from quorate.data.worker_models import Coin, Confusion, worker_accuracy


def test_confusion_is_read_by_worker_said_and_true() -> None:
    matrices = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.5, 0.5], [0.5, 0.5]]])  # (worker, true, said), the pool last
    model = Confusion(np.log(matrices))
    assert np.allclose(np.exp(model.log_likelihood(0, 1)), [0.1, 0.7])
    assert np.allclose(np.exp(model.log_likelihood([0, -1], [0, 0])), [[0.9, 0.3], [0.5, 0.5]])
    assert np.allclose(model.matrices, matrices[:1])
    assert np.allclose(model.pool, matrices[1])


def test_accuracy_weighs_classes_by_the_prior() -> None:
    matrices = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.5, 0.5], [0.5, 0.5]]])
    model = Confusion(np.log(matrices))
    assert np.allclose(worker_accuracy(model, 1, np.array([0.75, 0.25])), [0.75 * 0.9 + 0.25 * 0.7])


def test_coin_has_the_same_accuracy_for_every_class() -> None:
    assert np.allclose(worker_accuracy(Coin(np.array([0.6, 0.5]), 4), 1, np.full(4, 0.25)), [0.6])


def test_no_workers() -> None:
    assert worker_accuracy(Coin(np.array([0.5]), 2), 0, np.array([0.5, 0.5])).shape == (0,)
