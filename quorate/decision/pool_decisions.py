"""Decisions on a pool: fit a policy, decide on every task, and accept the labels of experts."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, NOBODY, UNCLASSIFIABLE, Decisions, Source
from quorate.data.votes import Votes
from quorate.decision.base import EXPERT_REASON, Machines, Policy, PoolState
from quorate.decision.policy_by_name import PRICES
from quorate.inference.bayes import PriorKnowledge
from quorate.typing import Gold


def decide_with(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> Decisions:
    """Fit a policy to the pool and return its decisions; labels of experts are accepted."""
    return accept_gold(policy.decide(state_of(policy, votes, machines, gold)), gold, policy.costs)


def state_of(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> PoolState:
    """Return the state of the pool, with the policy's model fitted to it."""
    model = policy.fit(votes, machines, gold)
    return PoolState(votes=votes, machines=machines, model=model, gold=gold, open=_open(policy.prices, votes, gold))


def extend_gold(votes: Votes, wide: Votes, gold: ArrayLike | None) -> Gold:
    """Return the gold labels of every task of the extended votes `wide`.

    gold: one entry per task of `wide` or of `votes`.
    """
    if gold is None:
        return np.full(wide.n_tasks, -1)
    if np.shape(gold) == (wide.n_tasks,):
        return PriorKnowledge.of(wide, gold=gold).gold
    return np.append(PriorKnowledge.of(votes, gold=gold).gold, np.full(wide.n_tasks - votes.n_tasks, -1))


def accept_gold(decisions: Decisions, gold: Gold, costs: Costs) -> Decisions:
    """Return the decisions, with the label of the expert accepted for every task that has one."""
    decisions = _mark_unclassifiable(decisions)
    rows = gold >= 0
    if not rows.any():
        return decisions
    label = np.where(rows, gold, decisions.label)
    sure = np.where(rows[:, None], np.eye(costs.n_classes)[gold], decisions.probs)
    return replace(
        decisions,
        action=np.where(rows, ACCEPT, decisions.action).astype(np.int8),
        label=label,
        ask=np.where(rows, NOBODY, decisions.ask).astype(np.int8),
        expected_cost=np.where(rows, np.diagonal(costs.matrix)[gold], decisions.expected_cost),
        value=np.where(rows, 0.0, decisions.value),
        probs=sure,
        source=np.where(rows, Source.EXPERT.value, decisions.source),
        reason=np.where(rows, len(decisions.reasons), decisions.reason).astype(np.int8),
        reasons=(*decisions.reasons, EXPERT_REASON),
    )


def _mark_unclassifiable(decisions: Decisions) -> Decisions:
    """Turn decisions that accept no label into decisions that a task is unclassifiable."""
    no_label = (decisions.action == ACCEPT) & (decisions.label == NOBODY)
    return replace(decisions, action=np.where(no_label, UNCLASSIFIABLE, decisions.action).astype(np.int8))


def _open(prices: Prices, votes: Votes, gold: Gold) -> NDArray[np.bool_]:
    """Return which kinds can still be asked, (n_tasks, n_kinds): nobody about a task with gold, no worker twice."""
    can_ask = np.repeat((gold < 0)[:, None], len(prices.kinds), axis=1)
    names = [str(name) for name in votes.workers.tolist()]
    for column, kind in enumerate(prices.kinds):
        if kind in names and kind not in PRICES:
            can_ask[votes.task[votes.worker == names.index(kind)], column] = False
    return can_ask
