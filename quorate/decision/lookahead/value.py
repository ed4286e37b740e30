"""What one more vote is worth, and the next few: how far they are expected to lower the cost of errors."""

from collections.abc import Iterator

import numpy as np

from quorate.data.costs import Costs
from quorate.decision.belief import Outlook
from quorate.decision.lookahead.narrow import narrowed
from quorate.decision.lookahead.tree import Tree
from quorate.typing import Array

BLOCK = 512  # tasks looked at together: what is kept of them fits into the cache


def value_of_one(outlook: Outlook, costs: Costs, otherwise: Array | float = np.inf) -> Array:
    """How far one vote of the crowd is expected to lower the cost of each task, exactly, over all answers: (n_tasks,).

    Its price is not taken off. It is zero where no single answer could change the decision. otherwise: what one can pay
    in place of the cost of errors, before and after, such as the price of an expert.

    >>> outlook = Outlook.plain(np.array([[0.5, 0.5], [0.99, 0.01]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> value_of_one(outlook, Costs.of_error(100, 2)).round(2).tolist()
    [30.0, 0.0]
    """
    now = np.minimum(costs.cheapest(outlook.probs)[1], otherwise)
    bound = np.broadcast_to(otherwise, len(now))
    later = np.zeros(len(now))
    moved = outlook.answers**outlook.vote_discount  # how an answer moves the belief, which is not how likely it is
    for rows in _blocks(len(now)):
        part = outlook.of(rows)
        belief = np.ascontiguousarray(part.belief.transpose(1, 2, 0))  # (n_levels, n_classes, n_tasks)
        for said in range(costs.n_classes):
            after = np.einsum("bkn,bk->kn", belief, moved[:, :, said])
            mass = after.sum(axis=0)
            cost = np.minimum(costs.least(part.truth(after.T).T), bound[rows] * mass)
            if outlook.vote_discount != 1:
                cost *= np.einsum("bkn,bk->n", belief, outlook.answers[:, :, said]) / mass
            later[rows] += cost
    return np.maximum(now - later, 0.0)


def value_of_voter(outlook: Outlook, costs: Costs, answers: Array) -> Array:
    """The same for one vote of a voter with a confusion matrix of their own, (true, said), such as an expert."""
    if np.array_equal(answers, np.eye(costs.n_classes)) and not np.diagonal(costs.matrix).any():
        return costs.cheapest(outlook.probs)[1]  # who is always right takes away the whole cost
    return value_of_one(Outlook.plain(outlook.probs, answers), costs)


def value_of_votes(outlook: Outlook, costs: Costs, most: int = 5) -> Array:
    """How far exactly k votes of the crowd lower the expected cost, for k = 1 ... most: (n_tasks, most).

    Answers are counted as for the likeliest decision, for the next, or for any other. Prices are not taken off.

    >>> outlook = Outlook.plain(np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> value_of_votes(outlook, Costs.of_error(100, 2), 3).round(2).tolist()
    [[0.0, 2.8, 4.4]]
    """
    values = np.empty((len(outlook.belief), most))
    for rows in _blocks(len(values)):
        tree = Tree(narrowed(outlook.of(rows), costs), most)
        for votes in range(1, most + 1):
            cost = tree.cost(votes)
            for depth in reversed(range(votes)):
                cost = tree.expected(depth, cost)
            values[rows, votes - 1] = (tree.cost(0) - cost)[0]
    return np.maximum(values, 0.0)


def default_horizon(n_classes: int) -> int:
    """Return how many votes of the crowd to look ahead: the tree grows with the number of classes."""
    return 10 if n_classes == 2 else 5


def value_of_asking(
    outlook: Outlook, costs: Costs, price: float, horizon: int = 5, otherwise: Array | float = np.inf
) -> Array:
    """What asking the crowd saves if one stops as soon as that is cheaper, prices taken off: (n_tasks,), zero = stop.

    Backward induction over what the next `horizon` voters may say: at every point one accepts the cheapest label,
    pays `otherwise` (such as the price of an expert), or pays for one more vote. A single vote often cannot change the
    decision where two can: who looks one vote ahead stops too early.

    >>> outlook = Outlook.plain(np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> costs = Costs.of_error(100, 2)
    >>> value_of_asking(outlook, costs, 1.0, horizon=1).tolist(), value_of_asking(outlook, costs, 1.0).round(2).tolist()
    ([0.0], [4.35])
    """
    value = np.zeros(len(outlook.belief))
    instead = np.broadcast_to(otherwise, len(value))
    hopeful = np.flatnonzero(np.minimum(costs.cheapest(outlook.probs)[1], instead) > price)  # else nothing can pay
    for rows in _blocks(len(hopeful)):
        part, bound = outlook.of(hopeful[rows]), instead[hopeful[rows]]
        tree = Tree(narrowed(part, costs), horizon)
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
