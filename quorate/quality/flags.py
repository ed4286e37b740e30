"""Warnings about workers, in plain words; `tuning` has the thresholds."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.intervals import wilson_ends
from quorate.quality.leave_one_out import worker_agreement
from quorate.quality.tuning import TUNING
from quorate.quality.workers.class_bias import class_shares, excess_z
from quorate.quality.workers.copying import Suspects
from quorate.quality.workers.spam_score import SpamScore
from quorate.quality.workers.speed import Speed

MAX_NAMES = 2  # named of the workers with the same votes; the others are counted

AGAINST = "against the truth"
AT_RANDOM = "almost at random"
FAST = "hasty"


def flags(votes: Votes, posterior: Posterior, alike: Suspects) -> list[list[str]]:
    """Return the warnings about each worker, the most serious first; most workers have none.

    Args:
        votes: all votes.
        posterior: their consensus.
        alike: pairs of workers suspected of copying, from `suspects(votes, posterior)`.

    >>> votes = Votes.from_matrix([[0, 0, 0, 1, 1], [1, 1, 1, 0, 1]] * 30)
    >>> from quorate import aggregate
    >>> from quorate.quality.workers.copying import suspects
    >>> posterior = aggregate(votes)
    >>> flags(votes, posterior, suspects(votes, posterior))[3:]
    [['against the truth'], ['almost at random', 'says 1 too often']]
    """
    texts: list[list[str]] = [[] for _ in range(votes.n_workers)]
    for text, mask in _flags_by_labels(votes, posterior):
        for worker in np.flatnonzero(mask & (votes.votes_per_worker >= TUNING.min_votes)).tolist():
            texts[worker].append(text)
    for worker, others in _similar_workers(votes, alike).items():
        more = f" and {len(others) - MAX_NAMES} others" if len(others) > MAX_NAMES else ""
        texts[worker].append(f"same as {', '.join(others[:MAX_NAMES])}{more}")
    return texts


def _flags_by_labels(votes: Votes, posterior: Posterior) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield a warning and the mask of the workers that it is about."""
    labels, true = class_shares(votes, posterior)
    agreement = worker_agreement(votes, posterior)
    with np.errstate(invalid="ignore"):  # comparisons with NaN are False: no warning
        # Agrees significantly less often than random labels with the same class shares. Wilson's interval is enough,
        # since random labels agree as often with a wrong consensus.
        _, high = wilson_ends(agreement.share, agreement.compared)
        against = high < (labels * true).sum(axis=1)
        yield AGAINST, against
        yield AT_RANDOM, ~against & (SpamScore().score(votes, posterior) < TUNING.max_random_spam_score)
        yield FAST, Speed().score(votes, posterior) < TUNING.max_hasty_speed
        too_often = (labels - true >= TUNING.min_class_excess) & (excess_z(votes, posterior) >= TUNING.min_bias_errors)
    for k in np.flatnonzero(too_often.any(axis=0)):
        yield f"says {votes.classes[k]} too often", too_often[:, k]


def _similar_workers(votes: Votes, alike: Suspects) -> dict[int, list[str]]:
    """Return the names of the workers suspected of copying from, or by, each worker, the most suspicious first."""
    names: dict[int, list[str]] = {}
    for first, second in zip(alike.pairs.first.tolist(), alike.pairs.second.tolist(), strict=True):
        names.setdefault(first, []).append(str(votes.workers[second]))
        names.setdefault(second, []).append(str(votes.workers[first]))
    return names
