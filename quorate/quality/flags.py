"""What stands out about a worker, in plain words; every threshold has its reason here."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.workers.class_bias import habits, surprise
from quorate.quality.workers.consensus_high import ConsensusHigh
from quorate.quality.workers.copying import Suspects
from quorate.quality.workers.spam_score import SpamScore
from quorate.quality.workers.speed import Speed

FEWEST_VOTES = 10  # who gave fewer is not judged: chance decides too much
RANDOM = 0.05  # spam_score; with two classes, sensitivity and specificity sum to less than 1.22, and a coin's to 1
HASTY = -3.0  # speed; of a thousand workers whose pace is normal, one is as fast as this
TOO_OFTEN = 0.2  # of a worker's votes name a class that the tasks are not: one vote in five is worth a word
SURE = 3.0  # standard errors; of a thousand workers without that bias, one shows it so clearly
NAMED = 2  # of the workers whose answers are the same; others are counted

AGAINST = "against the truth"
AT_RANDOM = "almost at random"
FAST = "hasty"


def flags(votes: Votes, posterior: Posterior, alike: Suspects) -> list[list[str]]:
    """What stands out about each worker, most serious first; nothing for most. alike: suspects(votes, posterior).

    >>> votes = Votes.from_matrix([[0, 0, 0, 1, 1], [1, 1, 1, 0, 1]] * 30)
    >>> from quorate import aggregate
    >>> from quorate.quality.workers.copying import suspects
    >>> posterior = aggregate(votes)
    >>> flags(votes, posterior, suspects(votes, posterior))[3:]
    [['against the truth'], ['almost at random', 'says 1 too often']]
    """
    found: list[list[str]] = [[] for _ in range(votes.n_workers)]
    for text, who in _by_answers(votes, posterior):
        for worker in np.flatnonzero(who & (votes.votes_per_worker >= FEWEST_VOTES)).tolist():
            found[worker].append(text)
    for worker, others in _others(votes, alike).items():
        more = f" and {len(others) - NAMED} others" if len(others) > NAMED else ""
        found[worker].append(f"same as {', '.join(others[:NAMED])}{more}")
    return found


def _by_answers(votes: Votes, posterior: Posterior) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """What can be said, and of whom: a mask of the workers."""
    said, true = habits(votes, posterior)
    with np.errstate(invalid="ignore"):  # a comparison with NaN is False: of whom nothing is known, nothing is said
        # Surely right less often than one who names the same classes as often, but blindly.
        against = ConsensusHigh().score(votes, posterior) < (said * true).sum(axis=1)
        yield AGAINST, against
        yield AT_RANDOM, ~against & (SpamScore().score(votes, posterior) < RANDOM)
        yield FAST, Speed().score(votes, posterior) < HASTY
        too_often = (said - true >= TOO_OFTEN) & (surprise(votes, posterior) >= SURE)
    for k in np.flatnonzero(too_often.any(axis=0)):
        yield f"says {votes.classes[k]} too often", too_often[:, k]


def _others(votes: Votes, alike: Suspects) -> dict[int, list[str]]:
    """Names of the workers whose answers are too much like those of each, the most alike first."""
    found: dict[int, list[str]] = {}
    for first, second in zip(alike.pairs.first.tolist(), alike.pairs.second.tolist(), strict=True):
        found.setdefault(first, []).append(str(votes.workers[second]))
        found.setdefault(second, []).append(str(votes.workers[first]))
    return found
