"""Fit a policy to a pool, decide on every task, and settle those that experts have labelled."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, NOBODY, UNCLASSIFIABLE, Decisions, Source
from quorate.data.votes import Votes
from quorate.decision.base import Machines, Policy, PoolState
from quorate.decision.policy_by_name import PRICES
from quorate.inference.bayes import PriorKnowledge
from quorate.typing import Gold

EXPERT_REASON = "an expert said so"  # only for people to read: `Decisions.source` is what code looks at


def decide_with(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> Decisions:
    """The decisions of a policy that is fitted to all that is known; what experts have said is settled."""
    return settled(policy.decide(state_of(policy, votes, machines, gold)), gold, policy.costs)


def state_of(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> PoolState:
    """All that is known of the tasks, the policy's model fitted to it."""
    model = policy.fit(votes, machines, gold)
    return PoolState(votes=votes, machines=machines, model=model, gold=gold, open=_open(policy.prices, votes, gold))


def known_of(votes: Votes, wide: Votes, gold: ArrayLike | None) -> Gold:
    """Gold of every task of the wider votes; it may be given for these, or for the votes alone."""
    if gold is None:
        return np.full(wide.n_tasks, -1)
    if np.shape(gold) == (wide.n_tasks,):
        return PriorKnowledge.of(wide, gold=gold).gold
    return np.append(PriorKnowledge.of(votes, gold=gold).gold, np.full(wide.n_tasks - votes.n_tasks, -1))


def settled(decisions: Decisions, gold: Gold, costs: Costs) -> Decisions:
    """The decisions, those of tasks that an expert has labelled replaced by the expert's label."""
    decisions = _given_up(decisions)
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


def _given_up(decisions: Decisions) -> Decisions:
    """To accept no label at all is to call a task unclassifiable."""
    nothing = (decisions.action == ACCEPT) & (decisions.label == NOBODY)
    return replace(decisions, action=np.where(nothing, UNCLASSIFIABLE, decisions.action).astype(np.int8))


def _open(prices: Prices, votes: Votes, gold: Gold) -> NDArray[np.bool_]:
    """Whom each task can still be put to: nobody where an expert has spoken; no worker twice."""
    there = np.repeat((gold < 0)[:, None], len(prices.kinds), axis=1)
    names = [str(name) for name in votes.workers.tolist()]
    for place, kind in enumerate(prices.kinds):
        if kind in names and kind not in PRICES:
            there[votes.task[votes.worker == names.index(kind)], place] = False
    return there
