"""Everything the next voters may say of a task."""

from collections.abc import Iterator
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from quorate.decision.lookahead.narrow import Narrow
from quorate.typing import Array


class Tree:
    """At depth d, how often each of the two or three answers was given: the order in which does not matter.

    Points of depth d are in the order of `shared_out`. Beliefs are not brought back to one: each is multiplied by how
    far the answers on its way move it, and `mass` is what it sums to. Costs are per mass too, so that where answers
    move the belief as far as they are likely (vote_discount 1), what follows a point is the plain sum over its answers.
    All points of a depth are worked on at once: a vote is judged alone, and must not wait for loops in Python.
    mass: by depth, (n_points, n_tasks).
    """

    def __init__(self, narrow: Narrow, horizon: int) -> None:
        self.narrow = narrow
        self.n_answers = narrow.answers.shape[2]
        moved = narrow.answers if narrow.vote_discount == 1 else narrow.answers**narrow.vote_discount
        by_answer = np.ascontiguousarray(moved.transpose(2, 0, 1, 3))  # (said, n_levels, true, n_tasks or 1)
        self.beliefs = [narrow.belief[None]]  # by depth: (n_points, n_levels, true, n_tasks)
        for depth in range(1, horizon + 1):
            before, said = _before(self.n_answers, depth)
            self.beliefs.append(self.beliefs[-1][before] * by_answer[said])
        self.probs = [belief.sum(axis=1) for belief in self.beliefs]  # by depth: (n_points, true, n_tasks)
        self.mass = [probs.sum(axis=1) for probs in self.probs]

    def cost(self, depth: int) -> Array:
        """Expected cost of the cheapest decision at every point: (n_points, n_tasks)."""
        first, *others = self.narrow.costs.transpose(1, 0, 2)  # of every decision: (true, n_tasks or 1)
        cost: Array = (self.probs[depth] * first).sum(axis=1)
        for one in others:
            np.minimum(cost, (self.probs[depth] * one).sum(axis=1), out=cost)
        return cost

    def expected(self, depth: int, cost: Array) -> Array:
        """What a cost at the points of the next depth is expected to be, seen from this one: (n_points, n_tasks)."""
        after = _after(self.n_answers, depth)
        if self.narrow.vote_discount != 1:
            per_mass = cost / self.mass[depth + 1]
            return _added([chance * per_mass[said] for chance, said in zip(self._chances(depth), after, strict=True)])
        return _added([cost[said] for said in after])

    def _chances(self, depth: int) -> list[Array]:
        """How likely each answer is at every point, times its mass: (n_answers,) of (n_points, n_tasks)."""
        belief = self.beliefs[depth]
        answers = np.broadcast_to(self.narrow.answers, (*belief.shape[1:3], self.n_answers, belief.shape[3]))
        chances = [np.einsum("pbkn,bkn->pn", belief, answers[:, :, said]) for said in range(self.n_answers - 1)]
        return [*chances, self.mass[depth] - _added(chances)]  # some answer is given


def _added(arrays: list[Array]) -> Array:
    """The sum of a few arrays."""
    return reduce(np.add, arrays)


@cache
def shared_out(n_answers: int, total: int) -> tuple[tuple[int, ...], ...]:
    """All ways to share so many votes out over so many answers.

    >>> shared_out(2, 2)
    ((0, 2), (1, 1), (2, 0))
    """
    return tuple(_shared_out(n_answers, total))


def _shared_out(n_answers: int, total: int) -> Iterator[tuple[int, ...]]:
    if n_answers == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _shared_out(n_answers - 1, total - first):
            yield (first, *rest)


@cache
def _before(n_answers: int, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of every point, one that leads to it, and the answer by which it does."""
    points = shared_out(n_answers, depth)
    said = [next(answer for answer, count in enumerate(counts) if count) for counts in points]
    place = shared_out(n_answers, depth - 1).index
    return np.array([place(_changed(*each, -1)) for each in zip(points, said, strict=True)]), np.array(said)


@cache
def _after(n_answers: int, depth: int) -> NDArray[np.int64]:
    """Where each answer leads to from every point: (n_answers, n_points)."""
    points, place = shared_out(n_answers, depth), shared_out(n_answers, depth + 1).index
    return np.array([[place(_changed(counts, said, 1)) for counts in points] for said in range(n_answers)])


def _changed(counts: tuple[int, ...], said: int, by: int) -> tuple[int, ...]:
    return tuple(count + by * (answer == said) for answer, count in enumerate(counts))
