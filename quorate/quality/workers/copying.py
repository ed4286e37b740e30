"""Who copies from whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers._pairs import Crowd, Pairs
from quorate.typing import Array

FALSE_ALARM = 0.01  # chance that a crowd without copies has any pair that is suspected
FEWEST_PAIRS = 15  # as six workers have; with fewer, two experts beside a spammer look like copies
SAMPLE = 100_000  # pairs that are enough to see how far pairs differ anyway
FULL_WEIGHT = 100  # tasks in common beyond which a pair weighs no more in that, lest one pair decides it
MEDIAN_OF_NORMAL = 0.6745  # half of a normal distribution lies within so many standard deviations


@dataclass(frozen=True, kw_only=True)
class Copying:
    """How much more a worker agrees with some other worker than independent workers would, in standard deviations.

    Model: for each pair with 10 tasks or more in common, expected agreement sum_i sum_k p_i(k) sum_s C_j[k, s] *
    C_l[k, s], C the confusion matrices. What of it is beyond chance is stretched by how far each of the two agrees with
    everybody else as expected. z is the signed root of the binomial deviance. Hard tasks make everyone agree in error,
    so pairs differ by more than chance: z is centred on the median pair and divided by the spread that pairs show. The
    score is the worker's largest z; NaN for a worker who has no such pair, and where there are fewer than 15 pairs.

    Use it when: workers may share answers or hold two accounts. Up to 4 is common in a crowd of hundreds. Who copied
    from whom it cannot tell. With three votes per task, copies look like experts, and most stay hidden.

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
        for pairs, z in _judged(votes, posterior):
            np.maximum.at(largest, pairs.first, z)
            np.maximum.at(largest, pairs.second, z)
        return np.where(np.isfinite(largest), largest, np.nan)


class Suspects(NamedTuple):
    """Pairs that are suspected, and their z; the most suspicious first."""

    pairs: Pairs
    z: Array


def suspects(votes: Votes, posterior: Posterior) -> Suspects:
    """Pairs whose z is beyond what the largest of so many independent pairs would have, save once in 100 crowds."""
    parts, scores, tested = [], [], 0
    for pairs, z in _judged(votes, posterior):
        tested += len(z)
        bold = z > _threshold(tested)  # it only rises: what falls short now, falls short at the end
        parts.append(pairs.take(bold))
        scores.append(z[bold])
    found, z = Pairs.join(parts), np.concatenate([np.empty(0), *scores])
    order = np.argsort(-z, kind="stable")
    order = order[z[order] > _threshold(max(tested, 1))]
    return Suspects(found.take(order), z[order])


def _threshold(n_pairs: int) -> float:
    return -NormalDist().inv_cdf(FALSE_ALARM / n_pairs)


def _judged(votes: Votes, posterior: Posterior) -> Iterator[tuple[Pairs, Array]]:
    """Pairs with their z, some at a time; what is usual between pairs is learned from the first of them."""
    waiting: list[Pairs] = []
    usual: tuple[float, float] | None = None
    for block in Crowd(votes, posterior).blocks():
        waiting.append(block)
        if usual is None and sum(len(part.common) for part in waiting) >= SAMPLE:
            usual = _usual(Pairs.join(waiting))
        if usual is not None:
            yield from ((part, _z(part, *usual)) for part in waiting)
            waiting = []
    if sum(len(part.common) for part in waiting) >= FEWEST_PAIRS:
        usual = _usual(Pairs.join(waiting))
        yield from ((part, _z(part, *usual)) for part in waiting)


def _usual(pairs: Pairs) -> tuple[float, float]:
    """(centre, spread) of the excess agreement of pairs, beyond what counting errors explain; by weighted medians."""
    pairs = pairs.take(slice(None, None, max(1, len(pairs.common) // SAMPLE)))
    excess = (pairs.agreed - pairs.expected) / pairs.common
    weight = np.minimum(pairs.common, FULL_WEIGHT)
    centre = _median(excess, weight)
    share = _share(pairs, 0.0)
    noise = share * (1 - share) / pairs.common
    distance = (excess - centre) ** 2
    low, high = 0.0, 1.0
    for _ in range(30):  # halves the range of the variance until the median pair is where a normal one would be
        middle = (low + high) / 2
        if _median(distance / (noise + middle), weight) > MEDIAN_OF_NORMAL**2:
            low = middle
        else:
            high = middle
    return centre, float(np.sqrt(low))


def _z(pairs: Pairs, centre: float, spread: float) -> Array:
    share, seen, n = _share(pairs, centre), pairs.agreed / pairs.common, pairs.common
    deviance = 2 * n * (_entropy_term(seen, share) + _entropy_term(1 - seen, 1 - share))
    root = np.sign(seen - share) * np.sqrt(np.maximum(deviance, 0))
    return root / np.sqrt(1 + n * spread**2 / (share * (1 - share)))


def _share(pairs: Pairs, centre: float) -> Array:
    """Expected share of agreement, half a task away from impossible and from certain."""
    half = 0.5 / pairs.common
    return np.clip(pairs.expected / pairs.common + centre, half, 1 - half)


def _entropy_term(seen: Array, expected: Array) -> Array:
    return seen * np.log(np.maximum(seen, np.finfo(np.float64).tiny) / expected)


def _median(values: Array, weight: Array) -> float:
    order = np.argsort(values)
    passed = np.cumsum(weight[order])
    return float(values[order][np.searchsorted(passed, passed[-1] / 2)])
