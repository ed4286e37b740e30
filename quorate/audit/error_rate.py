"""The error rate of accepted answers, estimated from a random audit by experts; without an audit it is unknown."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.audit.bounds.exact import check_audit, highest, lowest
from quorate.audit.bounds.melded import Counts, counts_by_stratum, melded_above, melded_below
from quorate.data.option_checks import require_number
from quorate.errors import MethodError


@dataclass(frozen=True, kw_only=True)
class Stated:
    """An estimate of an error rate, or of a mean cost, with its interval.

    Attributes:
        value: the estimate; NaN if nothing was audited, or a stratum was not.
        low: lower end of the interval; NaN if nothing was audited.
        high: upper end of the interval; NaN if nothing was audited.
        level: the interval contains the true value in at least this share of audits.
        n_audited: number of audited answers.
        n_pool: number of accepted answers.
        words: the estimate in words.
    """

    value: float
    low: float
    high: float
    level: float
    n_audited: int
    n_pool: int
    words: str

    @property
    def known(self) -> bool:
        """Whether anything was audited."""
        return self.n_audited > 0


def state_error(n_wrong: ArrayLike, n_audited: ArrayLike, n_pool: ArrayLike, *, level: float = 0.9) -> Stated:
    """Estimate the share of a pool that is wrong from counts of a random audit, each item audited at most once.

    With one stratum, the interval is exact (hypergeometric). With several it is melded, see `bounds.melded`: strata
    make it narrower if the audit looks harder where errors are expected, and wider otherwise.

    Args:
        n_wrong: number of wrong answers in the audit; or a list with one number per stratum, if answers of the
            classifier and of the crowd, or bands of confidence, were audited separately.
        n_audited: number of audited answers, per stratum.
        n_pool: number of answers, per stratum.
        level: coverage of the interval.

    >>> print(state_error(4, 200, 5000).words)
    error 2.00% (90% interval 0.72 to 4.46%), from an audit of 200 of 5,000
    >>> print(state_error([0, 9], [100, 150], [4000, 1000]).words)
    error 1.20% (90% interval 0.68 to 3.72%), from an audit of 250 of 5,000
    >>> print(state_error(0, 0, 5000).words)
    error unknown: none of 5,000 was audited
    """
    columns = [np.atleast_1d(np.asarray(counts)) for counts in (n_wrong, n_audited, n_pool)]
    if len({column.shape for column in columns}) > 1 or columns[0].ndim != 1:
        raise MethodError(f"give one number per stratum of each, got shapes {[column.shape for column in columns]}")
    strata: Counts = [(int(w), int(a), int(n)) for w, a, n in zip(*columns, strict=True)]
    for counts in strata:
        check_audit(*counts)
    require_number("level", level, above=0, below=1)
    return _state([counts for counts in strata if counts[2]], level)


def state_error_of(
    labels: ArrayLike, expert: ArrayLike, *, strata: ArrayLike | None = None, level: float = 0.9
) -> Stated:
    """Estimate the error rate of accepted answers, item by item.

    Args:
        labels: (n,), class indices, -1 = not accepted, which does not count.
        expert: (n,), the expert's labels, -1 = not audited.
        strata: (n,), index of the stratum that the audit was drawn from; None = all were equally likely.
        level: coverage of the interval.

    >>> state_error_of([0, 1, 1, 0, -1], [0, 1, 0, -1, 1]).value
    0.3333333333333333
    """
    accepted, audit, parts = select_accepted(labels, expert, strata)
    return state_error(*_columns(counts_by_stratum(audit != accepted, audit >= 0, parts)), level=level)


def select_accepted(
    labels: ArrayLike, expert: ArrayLike, strata: ArrayLike | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Check the arrays, and return labels, audit and strata of the accepted items."""
    label, audit = np.asarray(labels, dtype=np.int64), np.asarray(expert, dtype=np.int64)
    parts = np.zeros(label.shape, dtype=np.int64) if strata is None else np.asarray(strata, dtype=np.int64)
    if label.ndim != 1 or audit.shape != label.shape or parts.shape != label.shape:
        raise MethodError(
            f"labels, expert and strata must have one entry per item, got {label.shape}, {audit.shape}, {parts.shape}"
        )
    if (parts < 0).any():
        raise MethodError(f"strata are numbered from 0, got {parts.min()}")
    accepted = label >= 0
    return label[accepted], audit[accepted], parts[accepted]


def in_percent(share: float) -> str:
    """Format a share in percent.

    >>> in_percent(0.0045), in_percent(0.02)
    ('0.45', '2.00')
    """
    return f"{100 * share:.2f}"


def _columns(strata: Counts) -> tuple[list[int], list[int], list[int]]:
    return [w for w, _, _ in strata], [a for _, a, _ in strata], [n for _, _, n in strata]


def _state(strata: Counts, level: float) -> Stated:
    n_audited, n_pool = sum(a for _, a, _ in strata), sum(n for _, _, n in strata)
    if not n_audited:
        words = f"error unknown: none of {n_pool:,} was audited"
        return Stated(value=np.nan, low=np.nan, high=np.nan, level=level, n_audited=0, n_pool=n_pool, words=words)
    tail = (1 - level) / 2
    low, high = lowest(melded_below(strata), tail) / n_pool, highest(melded_above(strata), tail) / n_pool
    value = sum(n * w / a if a else np.nan for w, a, n in strata) / n_pool
    estimate = "error unknown, as a stratum has no audit" if np.isnan(value) else f"error {in_percent(value)}%"
    words = (
        f"{estimate} ({100 * level:g}% interval {in_percent(low)} to {in_percent(high)}%), "
        f"from an audit of {n_audited:,} of {n_pool:,}"
    )
    return Stated(value=value, low=low, high=high, level=level, n_audited=n_audited, n_pool=n_pool, words=words)
