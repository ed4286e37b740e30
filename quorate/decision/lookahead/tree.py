"""The tree of all answers that the next voters may give to a task."""

from collections.abc import Iterator
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from quorate.decision.lookahead.narrow import NarrowBelief
from quorate.typing import Array


class Tree:
    """Beliefs after all possible answers. A point of depth d says how often each answer was given, in any order.

    Points of depth d are in the order of `compositions`. Beliefs are not normalised: each is multiplied by the
    likelihoods of the answers on its way, and `mass` is its sum. Costs are per mass too: with a vote_discount of 1, the
    expected cost at a point is then the plain sum over its answers. All points of a depth are computed at once, because
    a single vote must be judged quickly, without loops in Python.

    Attributes:
        narrow: the belief at the root.
        beliefs: by depth, (n_points, n_levels, true, n_tasks).
        probs: by depth, (n_points, true, n_tasks).
        mass: by depth, (n_points, n_tasks).
    """

    def __init__(self, narrow: NarrowBelief, horizon: int) -> None:
        self.narrow = narrow
        self.n_answers = narrow.answers.shape[2]
        moved = narrow.answers if narrow.vote_discount == 1 else narrow.answers**narrow.vote_discount
        by_answer = np.ascontiguousarray(moved.transpose(2, 0, 1, 3))  # (answer, n_levels, true, n_tasks or 1)
        self.beliefs = [narrow.joint[None]]
        for depth in range(1, horizon + 1):
            parents, answer = _parents(self.n_answers, depth)
            self.beliefs.append(self.beliefs[-1][parents] * by_answer[answer])
        self.probs = [belief.sum(axis=1) for belief in self.beliefs]
        self.mass = [probs.sum(axis=1) for probs in self.probs]

    def cost(self, depth: int) -> Array:
        """Return the expected cost of the cheapest decision at every point: (n_points, n_tasks)."""
        first, *others = self.narrow.costs.transpose(1, 0, 2)  # of every decision: (true, n_tasks or 1)
        cost: Array = (self.probs[depth] * first).sum(axis=1)
        for decision in others:
            np.minimum(cost, (self.probs[depth] * decision).sum(axis=1), out=cost)
        return cost

    def expected(self, depth: int, cost: Array) -> Array:
        """Return the expectation, at every point, of a cost at the points of the next depth: (n_points, n_tasks)."""
        children = _children(self.n_answers, depth)
        if self.narrow.vote_discount != 1:
            per_mass = cost / self.mass[depth + 1]
            return _sum(
                [chance * per_mass[child] for chance, child in zip(self._chances(depth), children, strict=True)]
            )
        return _sum([cost[child] for child in children])

    def _chances(self, depth: int) -> list[Array]:
        """Return the probability of each answer at every point, times its mass: (n_answers,) of (n_points, n_tasks)."""
        belief = self.beliefs[depth]
        answers = np.broadcast_to(self.narrow.answers, (*belief.shape[1:3], self.n_answers, belief.shape[3]))
        chances = [np.einsum("pbkn,bkn->pn", belief, answers[:, :, answer]) for answer in range(self.n_answers - 1)]
        return [*chances, self.mass[depth] - _sum(chances)]  # the probabilities of all answers sum to the mass


def _sum(arrays: list[Array]) -> Array:
    """Add up a few arrays."""
    return reduce(np.add, arrays)


@cache
def compositions(n_answers: int, total: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to distribute `total` votes over `n_answers` answers.

    >>> compositions(2, 2)
    ((0, 2), (1, 1), (2, 0))
    """
    return tuple(_compositions(n_answers, total))


def _compositions(n_answers: int, total: int) -> Iterator[tuple[int, ...]]:
    if n_answers == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(n_answers - 1, total - first):
            yield (first, *rest)


@cache
def _parents(n_answers: int, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for every point, a point of the depth before that leads to it, and the answer that does."""
    points = compositions(n_answers, depth)
    answers = [next(answer for answer, count in enumerate(counts) if count) for counts in points]
    index = compositions(n_answers, depth - 1).index
    parents = [index(_changed(counts, answer, -1)) for counts, answer in zip(points, answers, strict=True)]
    return np.array(parents), np.array(answers)


@cache
def _children(n_answers: int, depth: int) -> NDArray[np.int64]:
    """Return the point of the next depth to which each answer leads from every point: (n_answers, n_points)."""
    points, index = compositions(n_answers, depth), compositions(n_answers, depth + 1).index
    return np.array([[index(_changed(counts, answer, 1)) for counts in points] for answer in range(n_answers)])


def _changed(counts: tuple[int, ...], answer: int, by: int) -> tuple[int, ...]:
    return tuple(count + by * (index == answer) for index, count in enumerate(counts))
