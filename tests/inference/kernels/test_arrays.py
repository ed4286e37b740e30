import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import log_softmax, logsumexp, softmax

from quorate.inference.kernels import BLOCK, softmax_rows
from quorate.typing import Array


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-800, 800)))
def test_softmax_equals_scipys(scores: Array) -> None:
    probs = scores.copy()
    log_total = softmax_rows(probs)
    assert np.allclose(probs, softmax(scores, axis=1))
    assert np.allclose(log_total, logsumexp(scores, axis=1))


def test_softmax_goes_on_from_block_to_block() -> None:
    scores = np.random.default_rng(0).normal(0, 5, (2 * BLOCK // 7 + 5, 7))
    probs = scores.copy()
    log_total = softmax_rows(probs)
    assert np.allclose(np.log(probs), log_softmax(scores, axis=1))
    assert np.allclose(log_total, logsumexp(scores, axis=1))
