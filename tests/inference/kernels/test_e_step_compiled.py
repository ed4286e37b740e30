"""Single-precision counts are added up without a matrix product, whatever lies beside them in memory.

Kernels of BLAS may read past the end of an array. What they find there does not change the result, but infinity or a
signalling NaN raises a floating point flag, which numpy reports as "invalid value encountered in matmul".
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.inference.kernels.e_step_compiled import CompiledPasses
from quorate.typing import Array
from tests.crowds import small_crowd
from tests.inference.kernels.no_products import SIGNALLING_NAN, NoProducts, among


@pytest.mark.parametrize("padding", [np.float32(np.inf), SIGNALLING_NAN], ids=str)
@pytest.mark.parametrize("width", [2, 3, 6, 12])
def test_a_pass_forms_no_product_of_its_counts(
    width: int, padding: np.float32, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes = small_crowd(2)
    table = np.log(np.random.default_rng(0).dirichlet(np.ones(2), (votes.n_workers + 1, width))).transpose(0, 2, 1)
    log_prior = np.full((1, width), -np.log(width))
    expected = CompiledPasses(votes).row_pass(table, log_prior)
    tally = CompiledPasses._tally

    def padded(self: CompiledPasses, *args: Any) -> tuple[NDArray[Any], Array, float]:
        counts, classes, evidence = tally(self, *args)
        assert counts.dtype == np.float32
        return among(padding, counts).view(NoProducts), classes, evidence

    monkeypatch.setattr(CompiledPasses, "_tally", padded)
    result = CompiledPasses(votes).row_pass(table, log_prior)
    assert np.array_equal(result.answers, expected.answers)
    assert result.answers.sum() == pytest.approx(len(votes), rel=1e-5)


def test_the_guard_of_this_test_bites() -> None:
    counts = np.ones((4, 3), dtype=np.float32).view(NoProducts)
    with pytest.raises(AssertionError, match="matmul of counts"):
        counts @ np.ones(3, dtype=np.float32)
    with pytest.raises(AssertionError, match="dot of counts"):
        np.dot(counts, np.ones(3, dtype=np.float32))
