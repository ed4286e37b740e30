"""Pairs of workers who may copy from each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.tuning import TUNING
from quorate.quality.workers._pairs import Crowd, Pairs
from quorate.typing import Array

SAMPLE = 100_000  # pairs that are enough to estimate the spread of all pairs
MEDIAN_OF_NORMAL = 0.6745  # half of a normal distribution lies within this number of standard deviations


@dataclass(frozen=True, kw_only=True)
class Copying:
    """The largest agreement of a worker with another, beyond that of independent workers, in standard deviations.

    Model: for each pair of workers with 10 or more tasks in common, the expected agreement is sum_i sum_k p_i(k) sum_s
    C_j[k, s] * C_l[k, s], with C the confusion matrices. Its part beyond chance is scaled by the ratio of observed and
    expected agreement of each of the two with all other workers. z is the signed root of the binomial deviance. Hard
    tasks make all workers agree in error, so pairs vary more than by chance: z is centred on the median pair and
    divided by the spread of the pairs. The score is the worker's largest z; NaN for a worker without such a pair, and
    if there are fewer than 15 pairs.

    Use it when: workers may share answers or have two accounts. Values up to 4 are common in a crowd of hundreds. The
    score cannot tell who copied from whom. With three votes per task, copies look like experts, and most are not
    detected.

    Paper: none; after Dong et al., "Integrating conflicting data: the role of source dependence", VLDB 2009.

    >>> from quorate import Votes, aggregate, simulate_votes
    >>> votes = simulate_votes(n_tasks=300, votes_per_task=8, seed=1).votes
    >>> mine = votes.worker == 0
    >>> copy = Votes.from_arrays(votes.task[mine], votes.label[mine] * 0 + 30, votes.label[mine], n_classes=2)
    >>> votes = Votes.from_arrays(votes.task, votes.worker, votes.label, n_classes=2).merge(copy)
    >>> score = Copying().score(votes, aggregate(votes))
    >>> bool(score[30] > 5), score.argsort()[-2:].tolist() in ([0, 30], [30, 0])
    (True, True)
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        largest = np.full(votes.n_workers, -np.inf)
        for pairs, z in _scored_pairs(votes, posterior):
            np.maximum.at(largest, pairs.first, z)
            np.maximum.at(largest, pairs.second, z)
        return np.where(np.isfinite(largest), largest, np.nan)


class Suspects(NamedTuple):
    """Suspected pairs and their z, the most suspicious first."""

    pairs: Pairs
    z: Array


def suspects(votes: Votes, posterior: Posterior) -> Suspects:
    """Return the pairs whose z is above a threshold that one in 100 crowds of independent workers exceeds."""
    parts, scores, tested = [], [], 0
    for pairs, z in _scored_pairs(votes, posterior):
        tested += len(z)
        above = z > _threshold(tested)  # the threshold only rises, so the others can be dropped
        parts.append(pairs.take(above))
        scores.append(z[above])
    pairs, z = Pairs.join(parts), np.concatenate([np.empty(0), *scores])
    order = np.argsort(-z, kind="stable")
    order = order[z[order] > _threshold(max(tested, 1))]
    return Suspects(pairs.take(order), z[order])


def _threshold(n_pairs: int) -> float:
    return -NormalDist().inv_cdf(TUNING.false_alarm / n_pairs)


def _scored_pairs(votes: Votes, posterior: Posterior) -> Iterator[tuple[Pairs, Array]]:
    """Yield pairs and their z in blocks; centre and spread are estimated from the first blocks."""
    waiting: list[Pairs] = []
    centre_and_spread: tuple[float, float] | None = None
    for block in Crowd(votes, posterior).blocks():
        waiting.append(block)
        if centre_and_spread is None and sum(len(part.common) for part in waiting) >= SAMPLE:
            centre_and_spread = _centre_and_spread(Pairs.join(waiting))
        if centre_and_spread is not None:
            yield from ((part, _z(part, *centre_and_spread)) for part in waiting)
            waiting = []
    if sum(len(part.common) for part in waiting) >= TUNING.min_pairs:
        centre_and_spread = _centre_and_spread(Pairs.join(waiting))
        yield from ((part, _z(part, *centre_and_spread)) for part in waiting)


def _centre_and_spread(pairs: Pairs) -> tuple[float, float]:
    """Return centre and spread of the excess agreement of pairs, without sampling noise, by weighted medians."""
    pairs = pairs.take(slice(None, None, max(1, len(pairs.common) // SAMPLE)))
    excess = (pairs.agreed - pairs.expected) / pairs.common
    weight = np.minimum(pairs.common, TUNING.max_pair_weight)
    centre = _median(excess, weight)
    share = _share(pairs, 0.0)
    noise = share * (1 - share) / pairs.common
    distance = (excess - centre) ** 2
    low, high = 0.0, 1.0
    for _ in range(30):  # bisection: the variance at which the median pair is that of a normal distribution
        middle = (low + high) / 2
        if _median(distance / (noise + middle), weight) > MEDIAN_OF_NORMAL**2:
            low = middle
        else:
            high = middle
    return centre, float(np.sqrt(low))


def _z(pairs: Pairs, centre: float, spread: float) -> Array:
    share, observed, n = _share(pairs, centre), pairs.agreed / pairs.common, pairs.common
    deviance = 2 * n * (_entropy_term(observed, share) + _entropy_term(1 - observed, 1 - share))
    root = np.sign(observed - share) * np.sqrt(np.maximum(deviance, 0))
    return root / np.sqrt(1 + n * spread**2 / (share * (1 - share)))


def _share(pairs: Pairs, centre: float) -> Array:
    """Return the expected share of agreement, at least half a task away from 0 and 1."""
    half = 0.5 / pairs.common
    return np.clip(pairs.expected / pairs.common + centre, half, 1 - half)


def _entropy_term(observed: Array, expected: Array) -> Array:
    return observed * np.log(np.maximum(observed, np.finfo(np.float64).tiny) / expected)


def _median(values: Array, weight: Array) -> float:
    order = np.argsort(values)
    cumulative = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(cumulative, cumulative[-1] / 2)])
