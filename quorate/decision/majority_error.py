"""The error rate of the majority of a fixed number of votes, under a belief about tasks and voters."""

from math import factorial

import numpy as np

from quorate.data.option_checks import require_number
from quorate.decision.belief import Belief
from quorate.typing import Array


def majority_error(belief: Belief, n_votes: int) -> float:
    """Return the expected share of tasks on which the majority of `n_votes` new votes is wrong.

    Ties are broken at random, and all deceptive tasks count as wrong. Otherwise it is exact if the belief is right on
    levels, classes and the answers of voters.

    >>> even = Belief.plain(np.full((1, 2), 0.5), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> [round(majority_error(even, n), 3) for n in (1, 2, 3, 5)]
    [0.2, 0.2, 0.104, 0.058]
    """
    require_number("n_votes", n_votes, at_least=1, whole=True)
    share = belief.joint.mean(axis=0)  # (n_levels, n_classes)
    right = float((share * majority_right(belief.answers, n_votes)).sum() / share.sum())
    deceptive = 0.0 if belief.deception is None else belief.deception.share
    return 1 - (1 - deceptive) * right


def majority_right(answers: Array, n_votes: int) -> Array:
    """Return the probability that the true class wins `n_votes` votes: (..., true, answer) -> (..., true).

    The true class wins with m of n votes if each other class has fewer than m; if t others have m as well, it wins once
    in t + 1 times. Outcomes are counted by generating functions, class by class, so that many classes cost little.

    >>> majority_right(np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]), 2).round(2).tolist()
    [0.5, 1.0, 0.6]
    """
    own = np.diagonal(answers, axis1=-2, axis2=-1)
    right = np.zeros(own.shape)
    for most in range(1, n_votes + 1):
        ways = _ways_of_others(answers, most, n_votes - most)
        shared = ways / np.arange(1, ways.shape[-1] + 1)
        right += own**most / factorial(most) * shared.sum(axis=-1)
    won: Array = right * factorial(n_votes)
    return won


def _ways_of_others(answers: Array, most: int, left: int) -> Array:
    """Return the probability that all other classes share `left` votes with at most `most` each: (..., true, ties).

    It is divided by the factorials of the counts, and listed by the number of classes that have exactly `most`.
    """
    size, n_ties = answers.shape[-1], left // most + 1
    ways = np.zeros((*answers.shape[:-1], left + 1, n_ties))  # (..., true, votes distributed, ties)
    ways[..., 0, 0] = 1.0
    for answer in range(size):
        chance = np.where(np.arange(size) == answer, 0.0, answers[..., answer])  # the true class has had its votes
        before, ways = ways, ways.copy()
        for count in range(1, min(most, left) + 1):
            factor = (chance**count / factorial(count))[..., None, None]
            if count < most:
                ways[..., count:, :] += factor * before[..., : left + 1 - count, :]
            else:
                ways[..., count:, 1:] += factor * before[..., : left + 1 - count, :-1]
    shared: Array = ways[..., left, :]
    return shared
