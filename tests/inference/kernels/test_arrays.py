import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import log_softmax, logsumexp, softmax

from quorate.inference.kernels import BLOCK, softmax_rows
from quorate.inference.kernels.arrays import remainders
from quorate.typing import Array
from tests.inference.kernels.no_products import SIGNALLING_NAN, NoProducts, among


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


@pytest.mark.parametrize("padding", [np.float32(np.inf), np.float32(np.nan), SIGNALLING_NAN], ids=str)
@pytest.mark.parametrize("width", [1, 2, 5, 9, 11])
@pytest.mark.parametrize("rows", [1, 7, 62, 40_000])
def test_what_lies_beside_the_counts_does_not_matter(rows: int, width: int, padding: np.float32) -> None:
    parts = np.random.default_rng(0).integers(0, 4, (rows, width)).astype(np.float32)
    totals = np.full(rows, 50)
    left = remainders(totals, among(padding, parts).view(NoProducts))
    assert left.dtype == np.float64
    assert left.tolist() == (totals - parts.astype(np.int64).sum(axis=1)).tolist()
