"""The value of further votes: how far they are expected to lower the cost of errors."""

from collections.abc import Iterator

import numpy as np

from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.decision.lookahead.narrow import narrow_belief
from quorate.decision.lookahead.tree import Tree
from quorate.typing import Array

BLOCK = 512  # tasks at a time: their beliefs fit into the cache


def value_of_one(belief: Belief, costs: Costs, otherwise: Array | float = np.inf) -> Array:
    """Return how far one vote of the crowd is expected to lower the cost of each task, before its price: (n_tasks,).

    It is exact, over all answers, and zero where no single answer could change the decision.

    Args:
        belief: belief about the tasks.
        costs: costs of errors.
        otherwise: an alternative to accepting the cost of errors, before and after, such as the price of an expert.

    >>> belief = Belief.plain(np.array([[0.5, 0.5], [0.99, 0.01]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> value_of_one(belief, Costs.of_error(100, 2)).round(2).tolist()
    [30.0, 0.0]
    """
    now = np.minimum(costs.cheapest(belief.probs)[1], otherwise)
    bound = np.broadcast_to(otherwise, len(now))
    later = np.zeros(len(now))
    moved = belief.answers**belief.vote_discount  # how far an answer moves the belief, not how likely it is
    for rows in _blocks(len(now)):
        part = belief.of(rows)
        joint = np.ascontiguousarray(part.joint.transpose(1, 2, 0))  # (n_levels, n_classes, n_tasks)
        for answer in range(costs.n_classes):
            after = np.einsum("bkn,bk->kn", joint, moved[:, :, answer])
            mass = after.sum(axis=0)
            cost = np.minimum(costs.least(part.truth(after.T).T), bound[rows] * mass)
            if belief.vote_discount != 1:
                cost *= np.einsum("bkn,bk->n", joint, belief.answers[:, :, answer]) / mass
            later[rows] += cost
    return np.maximum(now - later, 0.0)


def value_of_voter(belief: Belief, costs: Costs, answers: Array) -> Array:
    """Return the value of one vote of a voter with this confusion matrix, (true, answer), such as an expert."""
    if np.array_equal(answers, np.eye(costs.n_classes)) and not np.diagonal(costs.matrix).any():
        return costs.cheapest(belief.probs)[1]  # a voter who is always right removes the whole cost
    return value_of_one(Belief.plain(belief.probs, answers), costs)


def value_of_votes(belief: Belief, costs: Costs, max_votes: int = 5) -> Array:
    """Return how far k votes of the crowd lower the expected cost, for k = 1 ... max_votes: (n_tasks, max_votes).

    Answers are counted as for the cheapest label, for the next, or for any other. Prices are not subtracted.

    >>> belief = Belief.plain(np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> value_of_votes(belief, Costs.of_error(100, 2), 3).round(2).tolist()
    [[0.0, 2.8, 4.4]]
    """
    values = np.empty((len(belief.joint), max_votes))
    for rows in _blocks(len(values)):
        tree = Tree(narrow_belief(belief.of(rows), costs), max_votes)
        for votes in range(1, max_votes + 1):
            cost = tree.cost(votes)
            for depth in reversed(range(votes)):
                cost = tree.expected(depth, cost)
            values[rows, votes - 1] = (tree.cost(0) - cost)[0]
    return np.maximum(values, 0.0)


def default_horizon(n_classes: int) -> int:
    """Return how many votes of the crowd to look ahead: the tree grows with the number of classes."""
    return 10 if n_classes == 2 else 5


def value_of_asking(
    belief: Belief, costs: Costs, price: float, horizon: int = 5, otherwise: Array | float = np.inf
) -> Array:
    """Return what asking the crowd saves under optimal stopping, after prices: (n_tasks,), zero = stop now.

    Backward induction over the answers of the next `horizon` voters: at every point one accepts the cheapest label,
    pays `otherwise`, or pays for one more vote. Often a single vote cannot change the decision where two can, so
    looking only one vote ahead stops too early.

    Args:
        belief: belief about the tasks.
        costs: costs of errors.
        price: price of a vote of the crowd.
        horizon: number of votes to look ahead.
        otherwise: an alternative to accepting a label, such as the price of an expert.

    >>> belief = Belief.plain(np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> costs = Costs.of_error(100, 2)
    >>> value_of_asking(belief, costs, 1.0, horizon=1).tolist(), value_of_asking(belief, costs, 1.0).round(2).tolist()
    ([0.0], [4.35])
    """
    value = np.zeros(len(belief.joint))
    instead = np.broadcast_to(otherwise, len(value))
    hopeful = np.flatnonzero(np.minimum(costs.cheapest(belief.probs)[1], instead) > price)  # no other task can gain
    for rows in _blocks(len(hopeful)):
        part, bound = belief.of(hopeful[rows]), instead[hopeful[rows]]
        tree = Tree(narrow_belief(part, costs), horizon)
        best = np.minimum(tree.cost(horizon), bound * tree.mass[horizon])
        for depth in reversed(range(horizon)):
            stop = np.minimum(tree.cost(depth), bound * tree.mass[depth])
            best = np.minimum(stop, price * tree.mass[depth] + tree.expected(depth, best))
        ahead = np.minimum(tree.cost(0)[0], bound) - best[0]
        value[hopeful[rows]] = np.maximum(ahead, value_of_one(part, costs, bound) - price)
    return np.maximum(value, 0.0)


def _blocks(n_rows: int) -> Iterator[slice]:
    for first in range(0, n_rows, BLOCK):
        yield slice(first, min(first + BLOCK, n_rows))
