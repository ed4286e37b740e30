"""Random predictions and gold for property tests: with ties, certainty, items without gold, and no gold at all."""

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Case = tuple[NDArray[np.float64], NDArray[np.int64]]


@st.composite
def cases(draw: st.DrawFn, least: int = 0) -> Case:
    """Draw probabilities (n, K) and gold (n,), with at least `least` gold labels; coarse grids make ties common."""
    n_items, n_classes = draw(st.integers(max(least, 1), 40)), draw(st.integers(2, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    probs = random.dirichlet(np.full(n_classes, draw(st.sampled_from([0.05, 0.5, 5.0]))), size=n_items)
    coarse = draw(st.sampled_from([0, 2, 10]))
    if coarse:
        probs = np.rint(probs * coarse) + (probs == probs.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
    gold = random.integers(0, n_classes, size=n_items)
    gold[least:][random.random(n_items - least) < draw(st.sampled_from([0.0, 0.3, 1.0]))] = -1
    return probs, gold
