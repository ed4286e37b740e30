"""How often the majority of a fixed number of votes is wrong, by what is known of the voters."""

from math import factorial

import numpy as np

from quorate.data.option_checks import require_number
from quorate.decision.belief import Outlook
from quorate.typing import Array


def majority_error(outlook: Outlook, n_votes: int) -> float:
    """The share of the tasks of an outlook whose majority of so many new votes is wrong; of classes that tie, any wins.

    Exact where the outlook is right: levels and classes are as likely as it believes, and voters answer as it says.

    >>> even = Outlook.plain(np.full((1, 2), 0.5), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> [round(majority_error(even, n), 3) for n in (1, 2, 3, 5)]
    [0.2, 0.2, 0.104, 0.058]
    """
    require_number("n_votes", n_votes, at_least=1, whole=True)
    share = outlook.belief.mean(axis=0)  # (n_levels, n_classes)
    right = float((share * majority_right(outlook.answers, n_votes)).sum() / share.sum())
    deceptive = 0.0 if outlook.deception is None else outlook.deception.share
    return 1 - (1 - deceptive) * right


def majority_right(answers: Array, n_votes: int) -> Array:
    """How likely the true class wins so many votes: (..., true, said) -> (..., true).

    Of n votes m go to the true class, and fewer than m to each other one, or m to t of them, which is won once in
    t + 1 times. The ways are counted by generating functions, class after class, so that many classes cost little.

    >>> majority_right(np.array([[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]), 2).round(2).tolist()
    [0.5, 1.0, 0.6]
    """
    size = answers.shape[-1]
    own = np.diagonal(answers, axis1=-2, axis2=-1)
    right = np.zeros(own.shape)
    for most in range(1, n_votes + 1):
        ways = _ways_of_others(answers, most, n_votes - most)
        shared = ways / np.arange(1, ways.shape[-1] + 1)
        right += own**most / factorial(most) * shared.sum(axis=-1)
    won: Array = right * factorial(n_votes)
    assert won.shape[-1] == size
    return won


def _ways_of_others(answers: Array, most: int, left: int) -> Array:
    """Chances, over the factorials of the counts, that all other classes share `left` votes with at most `most` each.

    (..., true, ties): by how many classes have just `most`.
    """
    size, n_ties = answers.shape[-1], left // most + 1
    ways = np.zeros((*answers.shape[:-1], left + 1, n_ties))  # (..., true, votes given out, ties)
    ways[..., 0, 0] = 1.0
    for said in range(size):
        chance = np.where(np.arange(size) == said, 0.0, answers[..., said])  # the true class has had its votes
        before, ways = ways, ways.copy()
        for count in range(1, min(most, left) + 1):
            factor = (chance**count / factorial(count))[..., None, None]
            if count < most:
                ways[..., count:, :] += factor * before[..., : left + 1 - count, :]
            else:
                ways[..., count:, 1:] += factor * before[..., : left + 1 - count, :-1]
    found: Array = ways[..., left, :]
    return found
