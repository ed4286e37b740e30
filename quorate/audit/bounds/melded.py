"""Melded bounds: several strata, each with an audit of its own, combined."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from quorate.audit.bounds.exact import chances_above, chances_below
from quorate.typing import Array

Counts = Sequence[tuple[int, int, int]]  # for each stratum: number of wrong, audited and all items


def melded_above(strata: Counts) -> Array:
    """Return the upper bounds of all levels on the number of wrong items of all strata: a distribution, (total + 1,).

    The exact bounds of each stratum are taken as a distribution, and the distributions are convolved. With one stratum
    this is the exact bound itself. With several, no proof is known for every case; in simulations the bounds erred on
    the safe side, as each stratum is counted with one error more than was seen. A stratum without audits may be all
    wrong.

    Paper: Fay, Proschan and Brittain, "Combining one-sample confidence procedures for inference in the two-sample
    case", Biometrics 2015.

    >>> from quorate.audit.bounds.exact import highest
    >>> highest(melded_above([(0, 29, 60)]), 0.1), highest(melded_above([(0, 29, 60), (0, 20, 40)]), 0.1)
    (3, 5)
    """
    return _convolve(chances_above, strata)


def melded_below(strata: Counts) -> Array:
    """Return the lower bounds of all levels, as `melded_above` does. A stratum without audits may be all right."""
    return _convolve(chances_below, strata)


def counts_by_stratum(wrong: NDArray[np.bool_], audited: NDArray[np.bool_], strata: NDArray[np.int64]) -> Counts:
    """Count the wrong, audited and all items of each stratum that has any; the arrays have one entry per item."""
    n = int(strata.max(initial=0)) + 1
    columns = (np.bincount(strata[rows], minlength=n) for rows in (wrong & audited, audited, slice(None)))
    return [(int(w), int(a), int(items)) for w, a, items in zip(*columns, strict=True) if items]


def _convolve(chances: Callable[[int, int, int], Array], strata: Counts) -> Array:
    from scipy.signal import fftconvolve  # slow to import, and only needed here

    total = np.ones(1)
    for counts in strata:
        total = np.maximum(fftconvolve(total, chances(*counts)), 0.0)
    return total / total.sum()
