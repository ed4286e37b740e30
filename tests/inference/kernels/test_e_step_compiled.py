"""Single-precision counts are added up without a matrix product, whatever lies beside them in memory.

Kernels of BLAS may read past the end of an array. What they find there does not change the result, but infinity or a
signalling NaN raises a floating point flag, which numpy reports as "invalid value encountered in matmul".
"""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quorate.inference.kernels.arrays import remainders
from quorate.inference.kernels.e_step_compiled import CompiledPasses
from quorate.typing import Array
from tests.crowds import small_crowd

PRODUCTS = (np.matmul, np.vecdot)
PRODUCT_FUNCTIONS = (np.dot, np.inner, np.vdot, np.tensordot, np.einsum)
SIGNALLING_NAN = np.uint32(0x7FA00000).view(np.float32)


class NoProducts(np.ndarray[Any, np.dtype[Any]]):
    """An array of which no product is formed: it would go to BLAS."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        assert ufunc not in PRODUCTS, f"{ufunc.__name__} of counts"
        plain = [one.view(np.ndarray) if isinstance(one, NoProducts) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        assert function not in PRODUCT_FUNCTIONS, f"{function.__name__} of counts"
        return super().__array_function__(function, types, args, options)


def among(padding: np.float32, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the same values in memory that is filled with the padding before and after them."""
    memory = np.full(values.size + 128, padding, dtype=np.float32)
    memory[64:-64] = values.ravel()
    return memory[64:-64].reshape(values.shape)


@pytest.mark.parametrize("padding", [np.float32(np.inf), np.float32(np.nan), SIGNALLING_NAN], ids=str)
@pytest.mark.parametrize("width", [1, 2, 5, 9, 11])
@pytest.mark.parametrize("rows", [1, 7, 62, 40_000])
def test_what_lies_beside_the_counts_does_not_matter(rows: int, width: int, padding: np.float32) -> None:
    parts = np.random.default_rng(0).integers(0, 4, (rows, width)).astype(np.float32)
    totals = np.full(rows, 50)
    left = remainders(totals, among(padding, parts).view(NoProducts))
    assert left.dtype == np.float64
    assert left.tolist() == (totals - parts.astype(np.int64).sum(axis=1)).tolist()


@pytest.mark.parametrize("padding", [np.float32(np.inf), SIGNALLING_NAN], ids=str)
@pytest.mark.parametrize("width", [2, 3, 6, 12])
def test_a_pass_forms_no_product_of_its_counts(
    width: int, padding: np.float32, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes = small_crowd(2)
    table = np.log(np.random.default_rng(0).dirichlet(np.ones(2), (votes.n_workers + 1, width))).transpose(0, 2, 1)
    log_prior = np.full((1, width), -np.log(width))
    expected = CompiledPasses(votes).row_pass(table, log_prior)
    tallied = CompiledPasses._tallied

    def padded(self: CompiledPasses, *args: Any) -> tuple[NDArray[Any], Array, float]:
        counts, classes, evidence = tallied(self, *args)
        assert counts.dtype == np.float32
        return among(padding, counts).view(NoProducts), classes, evidence

    monkeypatch.setattr(CompiledPasses, "_tallied", padded)
    found = CompiledPasses(votes).row_pass(table, log_prior)
    assert np.array_equal(found.answers, expected.answers)
    assert found.answers.sum() == pytest.approx(len(votes), rel=1e-5)


def test_the_guard_of_this_test_bites() -> None:
    counts = np.ones((4, 3), dtype=np.float32).view(NoProducts)
    with pytest.raises(AssertionError, match="matmul of counts"):
        counts @ np.ones(3, dtype=np.float32)
    with pytest.raises(AssertionError, match="dot of counts"):
        np.dot(counts, np.ones(3, dtype=np.float32))
