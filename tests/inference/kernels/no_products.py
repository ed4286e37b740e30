"""Counts of which no product may be formed, and memory beside them that holds anything."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

PRODUCTS = (np.matmul, np.vecdot)
PRODUCT_FUNCTIONS = (np.dot, np.inner, np.vdot, np.tensordot, np.einsum)
SIGNALLING_NAN = np.uint32(0x7FA00000).view(np.float32)


class NoProducts(np.ndarray[Any, np.dtype[Any]]):
    """An array of which no product is formed: it would go to BLAS."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        assert ufunc not in PRODUCTS, f"{ufunc.__name__} of counts"
        plain = [value.view(np.ndarray) if isinstance(value, NoProducts) else value for value in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        assert function not in PRODUCT_FUNCTIONS, f"{function.__name__} of counts"
        return super().__array_function__(function, types, args, options)


def among(padding: np.float32, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the same values in memory that is filled with the padding before and after them."""
    memory = np.full(values.size + 128, padding, dtype=np.float32)
    memory[64:-64] = values.ravel()
    return memory[64:-64].reshape(values.shape)
