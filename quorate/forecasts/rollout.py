"""Simulation of the rest of a pool, many times: what the policy would ask for if its model is right."""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK
from quorate.data.ids import numbered
from quorate.data.votes import Votes
from quorate.decision.base import Policy, PoolState
from quorate.decision.belief import Belief
from quorate.typing import Array

MAX_VOTES = 1000  # a safety limit on the votes on one task in one run


@dataclass(frozen=True, eq=False, kw_only=True)
class Rehearsed:
    """Result of simulated runs.

    votes: number of votes of each annotator kind, in the order of the prices, (n_runs, n_kinds). error_cost: cost of
    the errors in the final labels if the model is right, (n_runs,).
    """

    votes: NDArray[np.int64]
    error_cost: Array


def rehearse(
    policy: Policy, state: PoolState, *, runs: int = 10, left: NDArray[np.int64] | None = None, seed: int = 0
) -> Rehearsed:
    """Simulate the rest of the pool: the policy decides, simulated annotators answer, until it asks for no more votes.

    For every task and run a level of difficulty and a class are drawn from the task's posterior, and votes from the
    crowd's response probabilities at that level; an expert answers with the class. The model is not fitted again.

    Args:
        policy: decides on the tasks.
        state: the pool so far.
        runs: number of simulations.
        left: how many more votes of the crowd each task can have, (n_tasks,); None = any number.
        seed: draws the classes and the answers.

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
    votes_left = np.full(n_tasks, MAX_VOTES) if left is None else np.minimum(left, MAX_VOTES)
    settled_cost = float(first.expected_cost[~asks].sum())
    copies = _Copies.draw(np.flatnonzero(asks), runs, len(kinds), belief, rng)
    kind = np.tile(first.ask[asks].astype(np.int64), runs)
    votes, error_cost = np.zeros((runs, len(kinds)), dtype=np.int64), np.full(runs, settled_cost)
    while len(copies.task):
        np.add.at(votes, (copies.run, kind), 1)
        copies = copies.with_answers(kind, kinds, belief, rng)
        part = copies.state(state, kinds, votes_left)
        decisions = policy.decide(part)
        asks = (decisions.action == ASK) & (part.gold < 0)
        cost = policy.costs.of_errors(copies.truth, np.where(part.gold >= 0, part.gold, decisions.label))
        np.add.at(error_cost, copies.run[~asks], cost[~asks])
        copies, kind = copies.select(asks), decisions.ask[asks].astype(np.int64)
    return Rehearsed(votes=votes, error_cost=error_cost)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Copies:
    """Tasks that still ask for votes, one copy for every run: all arrays have n_copies rows.

    Attributes:
        task: index of the task in the pool.
        run: index of the run.
        level: level of difficulty, as drawn.
        apparent: the class that the task looks like, as drawn.
        truth: its true class, as drawn.
        answers: labels by simulated workers, -1 = an expert was asked, (n_copies, n_answers).
        closed: annotator kinds that are not asked again, (n_copies, n_kinds).
    """

    task: NDArray[np.int64]
    run: NDArray[np.int64]
    level: NDArray[np.int64]
    apparent: NDArray[np.int64]
    truth: NDArray[np.int64]
    answers: NDArray[np.int64]
    closed: NDArray[np.bool_]

    @classmethod
    def draw(
        cls, tasks: NDArray[np.int64], runs: int, n_kinds: int, belief: Belief, rng: np.random.Generator
    ) -> "_Copies":
        """Return a copy of each task for each run, its level and class drawn from the posterior."""
        task = np.tile(tasks, runs)
        n_levels, n_classes = belief.joint.shape[1:]
        flat = belief.joint.reshape(len(belief.joint), n_levels * n_classes)
        level, apparent = np.divmod(draw_columns(flat[task], rng), n_classes)
        truth = apparent
        if belief.deception is not None:
            truth = draw_columns(belief.deception.of(task).truth(np.eye(n_classes)[apparent]), rng)
        return cls(
            task=task,
            run=np.repeat(np.arange(runs), len(tasks)),
            level=level,
            apparent=apparent,
            truth=truth,
            answers=np.empty((len(task), 0), dtype=np.int64),
            closed=np.zeros((len(task), n_kinds), dtype=bool),
        )

    def select(self, rows: NDArray[np.bool_]) -> "_Copies":
        """Return some of the copies."""
        return _Copies(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def with_answers(
        self, kind: NDArray[np.int64], kinds: tuple[str, ...], belief: Belief, rng: np.random.Generator
    ) -> "_Copies":
        """Return the copies after each has got the vote that it asked for. kind: index of the annotator kind."""
        once = np.arange(len(kinds)) == np.where(np.array(kinds)[kind] == CROWD, -1, kind)[:, None]
        to_expert = np.array(kinds)[kind] == EXPERT
        answer = draw_columns(belief.answers[self.level, self.apparent], rng)
        answers = np.column_stack([self.answers, np.where(to_expert, -1, answer)])
        return replace(self, answers=answers, closed=self.closed | once)

    def state(self, pool: PoolState, kinds: tuple[str, ...], left: NDArray[np.int64]) -> PoolState:
        """Return the state of the copies: that of their tasks, and the simulated votes."""
        n_answers = (self.answers >= 0).sum(axis=1)
        by_expert = self.closed[:, kinds.index(EXPERT)] if EXPERT in kinds else False
        gold = np.where(by_expert, self.truth, pool.gold[self.task])
        can_ask = pool.open[self.task] & ~self.closed & (gold < 0)[:, None]
        if CROWD in kinds:
            can_ask[:, kinds.index(CROWD)] &= n_answers < left[self.task]
        return PoolState(
            votes=self._votes(pool.votes),
            machines={name: pred_probs[self.task] for name, pred_probs in pool.machines.items()},
            model=pool.model,
            gold=gold,
            open=can_ask,
            ambiguity=None if pool.ambiguity is None else pool.ambiguity[self.task],
        )

    def _votes(self, votes: Votes) -> Votes:
        counts = votes.votes_per_task[self.task]
        copy = np.repeat(np.arange(len(self.task)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        row = votes.by_task.rows[votes.by_task.start[self.task][copy] + within]
        new_copy, number = np.nonzero(self.answers >= 0)
        return Votes(
            task=np.concatenate([copy, new_copy]),
            worker=np.concatenate([votes.worker[row], np.full(len(new_copy), -1)]),
            label=np.concatenate([votes.label[row], self.answers[new_copy, number]]),
            tasks=numbered(len(self.task)),
            workers=votes.workers,
            classes=votes.classes,
        )


def draw_columns(probs: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a column index for each row, with the probabilities of the row, and return them: (n,)."""
    steps = probs.cumsum(axis=1)
    columns: NDArray[np.int64] = (rng.random(len(probs))[:, None] * steps[:, -1:] >= steps).sum(axis=1)
    return columns
