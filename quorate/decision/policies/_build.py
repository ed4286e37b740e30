"""From what a policy wants to what is decided: gold is taken for certain, and nobody is asked who cannot be."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, Decisions, label_sources
from quorate.decision.base import Policy, PoolState, WarmUp
from quorate.inference.bayes import clamp_gold
from quorate.typing import Array

CLOSED, LABELLED = "no more votes can be had", "an expert has labelled it"  # only for people to read


def first_votes(n_tasks: int) -> WarmUp:
    """The usual warm-up: enough to see how often voters agree, and to teach a machine."""
    return WarmUp(min(150, n_tasks // 3), 3)


def crowd_index(policy: Policy) -> int:
    """Place of the crowd among those who can be asked; -1 where it has no price."""
    return policy.prices.kinds.index(CROWD) if CROWD in policy.prices.kinds else NOBODY


def decided(
    policy: Policy,
    state: PoolState,
    *,
    probs: Array,
    whom: NDArray[Any],
    why: NDArray[Any],
    reasons: tuple[str, ...],
    value: Array | None = None,
) -> Decisions:
    """Decisions from what a policy believes and whom it would ask, -1 = nobody. Labels are the cheapest.

    why: index into reasons. value: what asking saves beyond its price, where the policy knows.
    """
    known = state.gold >= 0
    probs = clamp_gold(probs.copy(), state.gold)
    label, cost = policy.costs.cheapest(probs)
    label = np.where(known, state.gold, label)
    wanted = (whom >= 0) & ~known
    ask = wanted & state.open[np.arange(len(whom)), whom]
    reason = np.where(known, len(reasons) + 1, np.where(wanted & ~ask, len(reasons), why))
    accept = np.where(label == NOBODY, UNCLASSIFIABLE, ACCEPT)
    return Decisions(
        tasks=state.votes.tasks,
        classes=state.votes.classes,
        kinds=policy.prices.kinds,
        action=np.where(ask, ASK, accept).astype(np.int8),
        label=label,
        ask=np.where(ask, whom, NOBODY).astype(np.int8),
        expected_cost=cost,
        value=np.zeros(len(whom)) if value is None else np.where(known, 0.0, value),
        probs=probs,
        source=label_sources(known),
        reason=reason.astype(np.int8),
        reasons=(*reasons, CLOSED, LABELLED),
        frame_kind=state.votes.frame_kind,
    )


def asks_crowd(
    policy: Policy, state: PoolState, probs: Array, wants: NDArray[np.bool_], reasons: tuple[str, str]
) -> Decisions:
    """Decisions of a rule that asks the crowd or nobody. reasons: to accept, to ask."""
    crowd = crowd_index(policy)
    why = np.where(wants, 1 if crowd >= 0 else len(reasons), 0)  # without a price, no vote can be had
    return decided(policy, state, probs=probs, whom=np.where(wants, crowd, NOBODY), why=why, reasons=reasons)
