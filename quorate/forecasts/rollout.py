"""The rest of a pool played through many times: what the policy would ask if its model is right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK
from quorate.data.ids import numbered
from quorate.data.votes import Votes
from quorate.decision.base import Policy, PoolState
from quorate.decision.belief import Belief
from quorate.typing import Array

MOST_VOTES = 1000  # on one task in one run: a policy that asks for ever is stopped here


@dataclass(frozen=True, eq=False, kw_only=True)
class Rehearsed:
    """What was asked for in each run, by kind of voter: (n_runs, n_kinds), in the order of the prices.

    error_cost: (n_runs,), what the labels cost that were given in the end, if the model is right.
    """

    votes: NDArray[np.int64]
    error_cost: Array


def rehearse(
    policy: Policy, state: PoolState, *, runs: int = 10, left: NDArray[np.int64] | None = None, seed: int = 0
) -> Rehearsed:
    """Play the rest of the pool through: the policy decides, simulated voters answer what it asks, and so on.

    For every task and run a level and a class are drawn from what is believed of it, and answers from how the crowd
    answers at that level; an expert tells the class. The model is not fitted again. left: how many more votes of the
    crowd each task can have, (n_tasks,); None = any number.

    >>> from quorate.data.costs import Costs
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> votes = Votes.from_matrix([[0, 1, -1], [-1, -1, -1]])
    >>> policy = FixedVotes(costs=Costs.of_error(10, 2), n=3)
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(2, -1), open=np.ones((2, 1), bool))
    >>> rehearse(policy, state, runs=2).votes.tolist()
    [[4], [4]]
    """
    rng = np.random.default_rng(seed)
    n_tasks, kinds = state.votes.n_tasks, policy.prices.kinds
    first = policy.decide(state)
    asks = (first.action == ASK) & (state.gold < 0)
    belief = state.model.belief(state.votes, state.machines)
    still = np.full(n_tasks, MOST_VOTES) if left is None else np.minimum(left, MOST_VOTES)
    settled_cost = float(first.expected_cost[~asks].sum())
    played = _Copies.of(np.flatnonzero(asks), runs, len(kinds), belief, rng)
    whom = np.tile(first.ask[asks].astype(np.int64), runs)
    votes, error_cost = np.zeros((runs, len(kinds)), dtype=np.int64), np.full(runs, settled_cost)
    while len(played.item):
        np.add.at(votes, (played.run, whom), 1)
        played = played.answered(whom, kinds, belief, rng)
        part = played.state(state, kinds, still)
        decisions = policy.decide(part)
        asks = (decisions.action == ASK) & (part.gold < 0)
        ended = ~asks
        cost = policy.costs.of_errors(played.truth, np.where(part.gold >= 0, part.gold, decisions.label))
        np.add.at(error_cost, played.run[ended], cost[ended])
        played, whom = played.only(asks), decisions.ask[asks].astype(np.int64)
    return Rehearsed(votes=votes, error_cost=error_cost)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Copies:
    """Tasks that are still asked about, each once for every run it is in: (n_copies,).

    item: which task of the pool it is. level, looks, truth: as drawn. said: (n_copies, n_given), what simulated voters
    of the crowd or persons answered, -1 = an expert was asked. closed: (n_copies, n_kinds), who is not asked again.
    """

    item: NDArray[np.int64]
    run: NDArray[np.int64]
    level: NDArray[np.int64]
    looks: NDArray[np.int64]
    truth: NDArray[np.int64]
    said: NDArray[np.int64]
    closed: NDArray[np.bool_]

    @classmethod
    def of(
        cls, items: NDArray[np.int64], runs: int, n_kinds: int, belief: Belief, rng: np.random.Generator
    ) -> "_Copies":
        """The tasks, once for each run, their levels and classes drawn from what is believed."""
        item = np.tile(items, runs)
        n_levels, n_classes = belief.joint.shape[1:]
        flat = belief.joint.reshape(len(belief.joint), n_levels * n_classes)
        level, looks = np.divmod(drawn(flat[item], rng), n_classes)
        truth = looks
        if belief.deception is not None:
            truth = drawn(belief.deception.of(item).truth(np.eye(n_classes)[looks]), rng)
        return cls(
            item=item,
            run=np.repeat(np.arange(runs), len(items)),
            level=level,
            looks=looks,
            truth=truth,
            said=np.empty((len(item), 0), dtype=np.int64),
            closed=np.zeros((len(item), n_kinds), dtype=bool),
        )

    def only(self, rows: NDArray[np.bool_]) -> "_Copies":
        """Some of them."""
        return _Copies(
            item=self.item[rows],
            run=self.run[rows],
            level=self.level[rows],
            looks=self.looks[rows],
            truth=self.truth[rows],
            said=self.said[rows],
            closed=self.closed[rows],
        )

    def answered(
        self, whom: NDArray[np.int64], kinds: tuple[str, ...], belief: Belief, rng: np.random.Generator
    ) -> "_Copies":
        """The same after each has had the vote that was asked for."""
        once = np.arange(len(kinds)) == np.where(np.array(kinds)[whom] == CROWD, -1, whom)[:, None]
        to_expert = np.array(kinds)[whom] == EXPERT
        answer = drawn(belief.answers[self.level, self.looks], rng)
        return _Copies(
            item=self.item,
            run=self.run,
            level=self.level,
            looks=self.looks,
            truth=self.truth,
            said=np.column_stack([self.said, np.where(to_expert, -1, answer)]),
            closed=self.closed | once,
        )

    def state(self, pool: PoolState, kinds: tuple[str, ...], left: NDArray[np.int64]) -> PoolState:
        """What is known of them: as of their tasks, and the simulated votes."""
        given = (self.said >= 0).sum(axis=1)
        by_expert = self.closed[:, kinds.index(EXPERT)] if EXPERT in kinds else False
        gold = np.where(by_expert, self.truth, pool.gold[self.item])
        can = pool.open[self.item] & ~self.closed & (gold < 0)[:, None]
        if CROWD in kinds:
            can[:, kinds.index(CROWD)] &= given < left[self.item]
        return PoolState(
            votes=self._votes(pool.votes),
            machines={name: said[self.item] for name, said in pool.machines.items()},
            model=pool.model,
            gold=gold,
            open=can,
            ambiguity=None if pool.ambiguity is None else pool.ambiguity[self.item],
        )

    def _votes(self, votes: Votes) -> Votes:
        each = votes.votes_per_task[self.item]
        copy = np.repeat(np.arange(len(self.item)), each)
        within = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
        row = votes.by_task.rows[votes.by_task.start[self.item][copy] + within]
        new_copy, number = np.nonzero(self.said >= 0)
        return Votes(
            task=np.concatenate([copy, new_copy]),
            worker=np.concatenate([votes.worker[row], np.full(len(new_copy), -1)]),
            label=np.concatenate([votes.label[row], self.said[new_copy, number]]),
            tasks=numbered(len(self.item)),
            workers=votes.workers,
            classes=votes.classes,
        )


def drawn(probs: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """One column of each row, as likely as it says: (n,)."""
    steps = probs.cumsum(axis=1)
    found: NDArray[np.int64] = (rng.random(len(probs))[:, None] * steps[:, -1:] >= steps).sum(axis=1)
    return found
