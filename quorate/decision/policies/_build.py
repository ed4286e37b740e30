"""Decisions from the wishes of a policy: gold labels are certain, and only those who can still be asked are asked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, Decisions, label_sources
from quorate.decision.base import EXPERT_REASON, Policy, PoolState, WarmUp
from quorate.inference.bayes import clamp_gold
from quorate.typing import Array

CLOSED = "no more votes are available"  # for people to read


def default_warm_up(n_tasks: int) -> WarmUp:
    """Return the usual warm-up: enough to see how often voters agree, and to train a classifier."""
    return WarmUp(min(150, n_tasks // 3), 3)


def crowd_index(policy: Policy) -> int:
    """Return the index of the crowd among the annotator kinds; -1 if it has no price."""
    return policy.prices.kinds.index(CROWD) if CROWD in policy.prices.kinds else NOBODY


def build_decisions(
    policy: Policy,
    state: PoolState,
    *,
    probs: Array,
    whom: NDArray[Any],
    why: NDArray[Any],
    reasons: tuple[str, ...],
    value: Array | None = None,
) -> Decisions:
    """Build decisions from the posterior of a policy and whom it would ask. Labels are the cheapest.

    Args:
        policy: the policy, for its costs and prices.
        state: the pool.
        probs: (n_tasks, n_classes), posterior.
        whom: (n_tasks,), annotator kind to ask, -1 = nobody.
        why: (n_tasks,), index into `reasons`.
        reasons: sentences for people to read.
        value: (n_tasks,), what asking saves beyond its price, if the policy estimates it.
    """
    has_gold = state.gold >= 0
    probs = clamp_gold(probs.copy(), state.gold)
    label, cost = policy.costs.cheapest(probs)
    label = np.where(has_gold, state.gold, label)
    wanted = (whom >= 0) & ~has_gold
    ask = wanted & state.open[np.arange(len(whom)), whom]
    reason = np.where(has_gold, len(reasons) + 1, np.where(wanted & ~ask, len(reasons), why))
    accept = np.where(label == NOBODY, UNCLASSIFIABLE, ACCEPT)
    return Decisions(
        tasks=state.votes.tasks,
        classes=state.votes.classes,
        kinds=policy.prices.kinds,
        action=np.where(ask, ASK, accept).astype(np.int8),
        label=label,
        ask=np.where(ask, whom, NOBODY).astype(np.int8),
        expected_cost=cost,
        value=np.zeros(len(whom)) if value is None else np.where(has_gold, 0.0, value),
        probs=probs,
        source=label_sources(has_gold),
        reason=reason.astype(np.int8),
        reasons=(*reasons, CLOSED, EXPERT_REASON),
        frame_kind=state.votes.frame_kind,
    )


def crowd_decisions(
    policy: Policy, state: PoolState, probs: Array, wants: NDArray[np.bool_], reasons: tuple[str, str]
) -> Decisions:
    """Build the decisions of a rule that asks the crowd or nobody. reasons: to accept, and to ask."""
    crowd = crowd_index(policy)
    why = np.where(wants, 1 if crowd >= 0 else len(reasons), 0)  # without a price, no vote is available
    return build_decisions(policy, state, probs=probs, whom=np.where(wants, crowd, NOBODY), why=why, reasons=reasons)
