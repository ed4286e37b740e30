"""What one more vote is worth, and the next few: how far they are expected to lower the cost of errors."""

from collections.abc import Iterator

import numpy as np

from quorate.costs import Costs
from quorate.decision._narrow import Narrow, narrowed
from quorate.outlook import Outlook
from quorate.results import Array

BLOCK = 4096  # tasks looked at together: what is kept of them fits into the cache


def value_of_one(outlook: Outlook, costs: Costs, otherwise: Array | float = np.inf) -> Array:
    """How far one vote of the crowd is expected to lower the cost of each task, exactly, over all answers: (n_tasks,).

    Its price is not taken off. It is zero where no single answer could change the decision. otherwise: what one can pay
    in place of the cost of errors, before and after, such as the price of an expert.

    >>> outlook = Outlook.plain(np.array([[0.5, 0.5], [0.99, 0.01]]), np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> value_of_one(outlook, Costs.of_error(100, 2)).round(2).tolist()
    [30.0, 0.0]
    """
    now = np.minimum(costs.cheapest(outlook.probs)[1], otherwise)
    later = np.zeros(len(now))
    moved = outlook.answers**outlook.sway  # how an answer moves the belief, which is not how likely it is
    for said in range(costs.n_classes):
        chance = np.einsum("nbk,bk->n", outlook.belief, outlook.answers[:, :, said])
        after = np.einsum("nbk,bk->nk", outlook.belief, moved[:, :, said])
        after /= after.sum(axis=1, keepdims=True)
        later += chance * np.minimum(costs.cheapest(after)[1], otherwise)
    return np.maximum(now - later, 0.0)


def value_of_voter(outlook: Outlook, costs: Costs, answers: Array) -> Array:
    """The same for one vote of a voter with a confusion matrix of their own, (true, said), such as an expert."""
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
        tree = _Tree(narrowed(outlook.of(rows), costs), most)
        for votes in range(1, most + 1):
            cost = tree.cost(votes)
            for depth in reversed(range(votes)):
                cost = tree.expected(depth, cost)
            values[rows, votes - 1] = tree.cost(0)[0] - cost[0]
    return np.maximum(values, 0.0)


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
        tree = _Tree(narrowed(part, costs), horizon)
        best = np.minimum(tree.cost(horizon), bound)
        for depth in reversed(range(horizon)):
            best = np.minimum(np.minimum(tree.cost(depth), bound), price + tree.expected(depth, best))
        ahead = np.minimum(tree.cost(0)[0], bound) - best[0]
        value[hopeful[rows]] = np.maximum(ahead, value_of_one(part, costs, bound) - price)
    return np.maximum(value, 0.0)


class _Tree:
    """Everything the next voters may say: at depth d, how often each of the two or three answers was given.

    Points of depth d are in the order of `_counts(n_answers, d)`. Hypotheses, a class at a level, come first and tasks
    last, so that sums over hypotheses run along memory.
    """

    def __init__(self, narrow: Narrow, horizon: int) -> None:
        self.costs = narrow.costs  # (true, decided, n_tasks or 1)
        self.answers = narrow.answers  # (n_levels, true, said, n_tasks or 1)
        self.n_answers = narrow.answers.shape[2]
        moved = self.answers if narrow.sway == 1 else self.answers**narrow.sway
        self.beliefs = [[narrow.belief]]  # by depth and point: (n_levels, true, n_tasks), sums to one for every task
        for depth in range(1, horizon + 1):
            before = dict(zip(_counts(self.n_answers, depth - 1), self.beliefs[-1], strict=True))
            self.beliefs.append([])
            for counts in _counts(self.n_answers, depth):
                said = next(answer for answer, count in enumerate(counts) if count)
                belief = before[_changed(counts, said, -1)] * moved[:, :, said]
                self.beliefs[-1].append(belief / belief.sum(axis=(0, 1)))

    def cost(self, depth: int) -> Array:
        """Expected cost of the cheapest decision at every point: (n_points, n_tasks)."""
        return np.stack([self._cheapest(belief.sum(axis=0)) for belief in self.beliefs[depth]])

    def _cheapest(self, probs: Array) -> Array:
        by_decision = [(probs * self.costs[:, decided]).sum(axis=0) for decided in range(self.costs.shape[1])]
        cheapest: Array = np.minimum.reduce(by_decision)
        return cheapest

    def expected(self, depth: int, cost: Array) -> Array:
        """What a cost at the points of the next depth is expected to be, seen from this one: (n_points, n_tasks)."""
        place = {counts: point for point, counts in enumerate(_counts(self.n_answers, depth + 1))}
        total = np.zeros((len(self.beliefs[depth]), cost.shape[1]))
        for point, counts in enumerate(_counts(self.n_answers, depth)):
            for said in range(self.n_answers):
                chance = (self.beliefs[depth][point] * self.answers[:, :, said]).sum(axis=(0, 1))
                total[point] += chance * cost[place[_changed(counts, said, 1)]]
        return total


def _changed(counts: tuple[int, ...], said: int, by: int) -> tuple[int, ...]:
    return tuple(count + by * (answer == said) for answer, count in enumerate(counts))


def _counts(n_answers: int, total: int) -> Iterator[tuple[int, ...]]:
    """All ways to share `total` votes over so many answers."""
    if n_answers == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _counts(n_answers - 1, total - first):
            yield (first, *rest)


def _blocks(n_rows: int) -> Iterator[slice]:
    for first in range(0, n_rows, BLOCK):
        yield slice(first, min(first + BLOCK, n_rows))
