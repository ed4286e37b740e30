import numpy as np

from quorate.inference.class_balance import class_bias


def test_balance_moves_the_mean_prediction_to_what_is_wanted() -> None:
    random = np.random.default_rng(1)
    pred_probs = random.dirichlet([5, 2, 1], 300)
    wanted = np.array([0.2, 0.3, 0.5])
    moved = np.exp(np.log(pred_probs) + class_bias(np.log(pred_probs), wanted))
    np.testing.assert_allclose((moved / moved.sum(axis=1, keepdims=True)).mean(axis=0), wanted, atol=1e-5)
