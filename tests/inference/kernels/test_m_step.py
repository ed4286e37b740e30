import numpy as np
import pytest

from quorate.inference.kernels.m_step import remainders
from tests.inference.kernels.no_products import SIGNALLING_NAN, NoProducts, among


@pytest.mark.parametrize("padding", [np.float32(np.inf), np.float32(np.nan), SIGNALLING_NAN], ids=str)
@pytest.mark.parametrize("width", [1, 2, 5, 9, 11])
@pytest.mark.parametrize("rows", [1, 7, 62, 40_000])
def test_what_lies_beside_the_counts_does_not_matter(rows: int, width: int, padding: np.float32) -> None:
    parts = np.random.default_rng(0).integers(0, 4, (rows, width)).astype(np.float32)
    totals = np.full(rows, 50)
    left = remainders(totals, among(padding, parts).view(NoProducts))
    assert left.dtype == np.float64
    assert left.tolist() == (totals - parts.astype(np.int64).sum(axis=1)).tolist()
