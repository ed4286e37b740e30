"""Several strata, each with an audit of its own: what they say together."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from quorate.audit.bounds.exact import chances_above, chances_below
from quorate.typing import Array

Counts = Sequence[tuple[int, int, int]]  # of each stratum: wrong, audited, items


def melded_above(strata: Counts) -> Array:
    """The upper bounds of all levels on how many are wrong in all strata together: (total + 1,).

    Each stratum's exact bounds are taken as a distribution, and the distributions added up. With one stratum this is
    the exact bound itself. With several no proof is known that holds in every case; in simulations the bounds erred on
    the safe side, as each stratum is counted with one error more than was seen. A stratum without audits may be
    all wrong.

    Paper: Fay, Proschan and Brittain, "Combining one-sample confidence procedures for inference in the two-sample
    case", Biometrics 2015.

    >>> from quorate.audit.bounds.exact import highest
    >>> highest(melded_above([(0, 29, 60)]), 0.1), highest(melded_above([(0, 29, 60), (0, 20, 40)]), 0.1)
    (3, 5)
    """
    return _added(chances_above, strata)


def melded_below(strata: Counts) -> Array:
    """The lower bounds of all levels, likewise. A stratum without audits may be all right."""
    return _added(chances_below, strata)


def counts_by_stratum(wrong: NDArray[np.bool_], audited: NDArray[np.bool_], strata: NDArray[np.int64]) -> Counts:
    """Wrong, audited and all items of each stratum that has any; one row per item goes in."""
    n = int(strata.max(initial=0)) + 1
    columns = (np.bincount(strata[rows], minlength=n) for rows in (wrong & audited, audited, slice(None)))
    return [(int(w), int(a), int(items)) for w, a, items in zip(*columns, strict=True) if items]


def _added(chances: Callable[[int, int, int], Array], strata: Counts) -> Array:
    from scipy.signal import fftconvolve  # heavy: imported by those who use it

    together = np.ones(1)
    for one in strata:
        together = np.maximum(fftconvolve(together, chances(*one)), 0.0)
    return together / together.sum()
