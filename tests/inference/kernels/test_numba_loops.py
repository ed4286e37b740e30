from typing import Any

import numpy as np
import pytest


def test_compiles_without_a_place_for_its_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba raises where it can write neither beside the package nor at home; prefetching is a hint only."""
    from quorate.inference.kernels import numba_loops

    def refuse(cache: bool = False, **options: Any) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    njit = numba_loops.njit
    monkeypatch.setattr(numba_loops, "njit", refuse)
    assert numba_loops._compiled(lambda x: x + 1)(1) == 2


def test_prefetching_falls_back_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from quorate.inference.kernels import numba_loops

    monkeypatch.setattr("numba.extending.intrinsic", None)
    nothing = numba_loops._make_prefetch()
    assert nothing(np.zeros(3), 1) is None
