"""The mean cost of errors of accepted answers, estimated from a random audit by experts."""

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.error_rate import Stated, select_accepted
from quorate.data.costs import Costs
from quorate.data.option_checks import require_number
from quorate.typing import Array


def state_cost(
    labels: ArrayLike,
    expert: ArrayLike,
    costs: Costs,
    *,
    strata: ArrayLike | None = None,
    level: float = 0.9,
    draws: int = 20_000,
    seed: int = 0,
) -> Stated:
    """Estimate the cost of errors per accepted answer under a cost matrix.

    The shares of the observed costs, and of one more answer with the highest possible cost (for the low end: the
    lowest), are drawn from a Dirichlet distribution, and the costs of answers not audited from these shares; the ends
    of the interval are quantiles of the pool's mean. If all errors cost the same, this is the exact interval of the
    error rate; in general it rests on simulations, as no proof is known.

    Args:
        labels: as in `state_error_of`.
        expert: as in `state_error_of`.
        costs: costs by true and accepted class.
        strata: as in `state_error_of`.
        level: coverage of the interval.
        draws: number of random draws.
        seed: seed of these draws.

    Paper: Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
    variable", Mathematical Methods of Statistics 2005.

    >>> costs = Costs.binary(false_positive=10, false_negative=40)
    >>> labels, expert = np.zeros(1000, dtype=int), np.full(1000, -1)
    >>> expert[:100] = 0
    >>> expert[:3] = 1  # three positives were taken for negatives
    >>> print(state_cost(labels, expert, costs).words)
    cost 1.2 per item (90% interval 0.36 to 2.92), from an audit of 100 of 1,000
    """
    require_number("level", level, above=0, below=1)
    accepted, audit, parts = select_accepted(labels, expert, strata)
    audited = audit >= 0
    n_audited, n_pool = int(audited.sum()), len(accepted)
    if not n_audited:
        words = f"cost unknown: none of {n_pool:,} was audited"
        return Stated(value=np.nan, low=np.nan, high=np.nan, level=level, n_audited=0, n_pool=n_pool, words=words)
    rng = np.random.default_rng(seed)
    value, low, high = 0.0, np.zeros(draws), np.zeros(draws)
    for part in np.unique(parts):
        here = parts == part
        seen = costs.matrix[audit[here & audited], accepted[here & audited]]
        possible = costs.matrix[:, np.unique(accepted[here])]
        value += here.sum() * (seen.mean() if len(seen) else np.nan)
        low += _totals(seen, float(possible.min()), int(here.sum()), draws, rng)
        high += _totals(seen, float(possible.max()), int(here.sum()), draws, rng)
    tail = (1 - level) / 2
    value, least, most = value / n_pool, np.quantile(low, tail) / n_pool, np.quantile(high, 1 - tail) / n_pool
    estimate = "cost unknown, as a stratum has no audit" if np.isnan(value) else f"cost {value:.3g} per item"
    words = (
        f"{estimate} ({100 * level:g}% interval {least:.3g} to {most:.3g}), "
        f"from an audit of {n_audited:,} of {n_pool:,}"
    )
    return Stated(
        value=float(value), low=float(least), high=float(most), level=level, n_audited=n_audited, n_pool=n_pool,
        words=words,
    )  # fmt: skip


def _totals(seen: Array, one_more: float, n_items: int, draws: int, rng: np.random.Generator) -> Array:
    """Draw totals of a stratum: the observed costs, and unobserved ones like these and one more."""
    kinds, counts = np.unique(np.append(seen, one_more), return_counts=True)
    shares = rng.dirichlet(counts, size=draws)
    unseen = rng.multinomial(n_items - len(seen), shares)
    return np.asarray(seen.sum() + unseen @ kinds)
