"""False negatives: how many items of a class were accepted as another class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.bounds.melded import counts_by_stratum, melded_above, melded_below
from quorate.audit.error_rate import in_percent, select_accepted
from quorate.data.option_checks import require_number
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Missed:
    """The share of a class's items that were accepted as another class.

    Attributes:
        value: the estimate; NaN if the audit saw none of the class, or a stratum was not audited.
        bound: the share is at most this, in at least 1 - delta of audits.
        delta: share of audits in which the bound is too low, at most.
        n_audited: number of audited items.
        words: the estimate in words.
    """

    value: float
    bound: float
    delta: float
    n_audited: int
    words: str


def bound_missed(
    labels: ArrayLike, expert: ArrayLike, of: int, *, strata: ArrayLike | None = None, delta: float = 0.1
) -> Missed:
    """Bound the share of class `of` that was accepted as another class, for an audit that is looked at once.

    The missed items are counted among the audited that were accepted as other classes, and compared with those found
    among the audited that were accepted as `of`: many missed and few found, each as far as the audit allows (see
    `bounds.melded`).

    Args:
        labels: as in `state_error_of`.
        expert: as in `state_error_of`.
        of: index of the class.
        strata: as in `state_error_of`; they say how the audit was drawn, such as by accepted label, and weight it.
        delta: share of audits in which the bound is too low, at most.

    >>> labels = np.repeat([0, 1], [900, 100])
    >>> expert = np.full(1000, -1)
    >>> expert[:200], expert[900:950] = 0, 1
    >>> expert[:2] = 1  # two of 200 negatives were positive
    >>> print(bound_missed(labels, expert, of=1).words)
    8.26% of class 1 were accepted as another class, at most 18.03% (90% sure; 250 audits)
    """
    require_number("delta", delta, above=0, below=1)
    accepted, audit, parts = select_accepted(labels, expert, strata)
    audited, is_class = audit >= 0, audit == of
    as_other, as_class = accepted != of, accepted == of
    in_others = counts_by_stratum(is_class[as_other], audited[as_other], parts[as_other])
    in_class = counts_by_stratum(is_class[as_class], audited[as_class], parts[as_class])
    bound = _largest_share(melded_above(in_others), melded_below(in_class), delta)
    n_missed, n_found = (sum(n * k / a if a else np.nan for k, a, n in counts) for counts in (in_others, in_class))
    value = float(n_missed / (n_missed + n_found)) if n_missed + n_found > 0 else np.nan
    n_audited = int(audited.sum())
    share = f"an unknown share of class {of} was" if np.isnan(value) else f"{in_percent(value)}% of class {of} were"
    words = (
        f"{share} accepted as another class, at most {in_percent(bound)}% "
        f"({100 * (1 - delta):g}% sure; {n_audited:,} audits)"
    )
    return Missed(value=value, bound=bound, delta=delta, n_audited=n_audited, words=words)


def _largest_share(n_missed: Array, n_found: Array, delta: float) -> float:
    """Return the largest r for which missed >= r (missed + found) has a probability above delta, by bisection."""
    counts = np.arange(1, len(n_missed))
    at_most = np.cumsum(n_found)
    low, high = 0.0, 1.0
    while high - low > 1e-7:
        share = (low + high) / 2
        fewest = np.minimum(np.floor(counts * (1 - share) / share + 1e-9).astype(np.int64), len(n_found) - 1)
        low, high = (share, high) if n_missed[1:] @ at_most[fewest] > delta else (low, share)
    return high
