"""Everything the next voters may say of a task."""

from collections.abc import Iterator, Sequence
from functools import cache, reduce

import numpy as np

from quorate.decision._narrow import Narrow
from quorate.results import Array


class Tree:
    """At depth d, how often each of the two or three answers was given: the order in which does not matter.

    Points of depth d are in the order of `shared_out`. Beliefs are not brought back to one: each is multiplied by how
    far the answers on its way move it, and `mass` is what it sums to. Costs are per mass too, so that where answers
    move the belief as far as they are likely (sway 1), what follows a point is the plain sum over its answers.
    mass: by depth, (n_points, n_tasks).
    """

    def __init__(self, narrow: Narrow, horizon: int) -> None:
        self.narrow = narrow
        self.n_answers = narrow.answers.shape[2]
        moved = narrow.answers if narrow.sway == 1 else narrow.answers**narrow.sway
        by_answer = [np.ascontiguousarray(moved[:, :, said]) for said in range(self.n_answers)]
        self.beliefs = [[narrow.belief]]  # by depth and point: (n_levels, true, n_tasks)
        for depth in range(1, horizon + 1):
            before = dict(zip(shared_out(self.n_answers, depth - 1), self.beliefs[-1], strict=True))
            self.beliefs.append([])
            for counts in shared_out(self.n_answers, depth):
                said = next(answer for answer, count in enumerate(counts) if count)
                self.beliefs[-1].append(before[_changed(counts, said, -1)] * by_answer[said])
        self.probs = [[_added(belief) for belief in points] for points in self.beliefs]  # (true, n_tasks)
        self.mass = [np.stack([_added(probs) for probs in points]) for points in self.probs]

    def cost(self, depth: int) -> Array:
        """Expected cost of the cheapest decision at every point: (n_points, n_tasks)."""
        by_label = self.narrow.costs.transpose(1, 0, 2)  # (decided, true, n_tasks or 1)
        return np.stack(
            [
                reduce(
                    np.minimum, (_added([p * cost for p, cost in zip(probs, costs, strict=True)]) for costs in by_label)
                )
                for probs in self.probs[depth]
            ]
        )

    def expected(self, depth: int, cost: Array) -> Array:
        """What a cost at the points of the next depth is expected to be, seen from this one: (n_points, n_tasks)."""
        place = {counts: point for point, counts in enumerate(shared_out(self.n_answers, depth + 1))}
        total = np.zeros_like(self.mass[depth])
        for point, counts in enumerate(shared_out(self.n_answers, depth)):
            chances = None if self.narrow.sway == 1 else self._chances(depth, point)
            for said in range(self.n_answers):
                after = place[_changed(counts, said, 1)]
                if chances is None:
                    total[point] += cost[after]
                else:
                    total[point] += chances[said] * cost[after] / self.mass[depth + 1][after]
        return total

    def _chances(self, depth: int, point: int) -> list[Array]:
        """How likely each answer is at a point, times its mass: (n_answers,) of (n_tasks,)."""
        belief = self.beliefs[depth][point]
        flat, answers = belief.reshape(-1, belief.shape[-1]), self.narrow.answers
        chances = [
            _added([p * chance for p, chance in zip(flat, answers[:, :, said].reshape(len(flat), -1), strict=True)])
            for said in range(self.n_answers - 1)
        ]
        return [*chances, self.mass[depth][point] - _added(chances)]  # some answer is given


def _added(rows: Sequence[Array] | Array) -> Array:
    """Few long rows summed: one by one that is twice as fast as numpy's sum."""
    return reduce(np.add, rows)


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
def _changed(counts: tuple[int, ...], said: int, by: int) -> tuple[int, ...]:
    return tuple(count + by * (answer == said) for answer, count in enumerate(counts))
