"""False negatives: how many of a class were accepted as something else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.bounds.melded import counts_by_stratum, melded_above, melded_below
from quorate.audit.error_rate import aligned, in_percent
from quorate.data.option_checks import require_number
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Missed:
    """The share of a class's items that were accepted as another class.

    value: the estimate; NaN where the audit saw none of the class, or a stratum was not audited. bound: the share is at
    most this, in at least 1 - delta of audits. words: the same for people to read.
    """

    value: float
    bound: float
    delta: float
    n_audited: int
    words: str


def bound_missed(
    labels: ArrayLike, expert: ArrayLike, of: int, *, strata: ArrayLike | None = None, delta: float = 0.1
) -> Missed:
    """Upper bound on the share of class `of` that was accepted as something else, looked at once.

    labels, expert, strata: as in `state_error_of`; strata name how the audit was drawn, such as by accepted label, and
    weigh it. The missed are counted among the audited that were accepted as other classes, and held against those
    found among the audited that were accepted as `of`: many missed and few found, each as far as the audit allows
    (melded, see `bounds.melded`).

    >>> labels = np.repeat([0, 1], [900, 100])
    >>> expert = np.full(1000, -1)
    >>> expert[:200], expert[900:950] = 0, 1
    >>> expert[:2] = 1  # two of 200 negatives were positive
    >>> print(bound_missed(labels, expert, of=1).words)
    of class 1, 8.26 % were accepted as something else, at most 18.03 % (90 % sure; 250 audits)
    """
    require_number("delta", delta, above=0, below=1)
    given, said, parts = aligned(labels, expert, strata)
    audited, is_class = said >= 0, said == of
    others = counts_by_stratum(is_class[given != of], audited[given != of], parts[given != of])
    taken = counts_by_stratum(is_class[given == of], audited[given == of], parts[given == of])
    bound = _largest_share(melded_above(others), melded_below(taken), delta)
    missed, found = (sum(n * k / a if a else np.nan for k, a, n in counts) for counts in (others, taken))
    value = float(missed / (missed + found)) if missed + found > 0 else np.nan
    n_audited = int(audited.sum())
    share = "an unknown share was" if np.isnan(value) else f"{in_percent(value)} % were"
    words = (
        f"of class {of}, {share} accepted as something else, at most {in_percent(bound)} % "
        f"({100 * (1 - delta):g} % sure; {n_audited:,} audits)"
    )
    return Missed(value=value, bound=bound, delta=delta, n_audited=n_audited, words=words)


def _largest_share(missed: Array, found: Array, delta: float) -> float:
    """The largest r at which missed >= r (missed + found) has a chance of more than delta; by halving."""
    counts = np.arange(1, len(missed))
    at_most = np.cumsum(found)
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        share = (low + high) / 2
        fewest = np.minimum(np.floor(counts * (1 - share) / share + 1e-9).astype(np.int64), len(found) - 1)
        low, high = (share, high) if missed[1:] @ at_most[fewest] > delta else (low, share)
    return high
