"""The verb `decide`: accept an answer for every task, or ask for one more vote."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.api.aggregate import require_votes
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import ACCEPT, NOBODY, UNCLASSIFIABLE, Decisions, Source
from quorate.data.votes import Votes
from quorate.decision.alignment import Said, matched
from quorate.decision.budget import Rest, within_budget
from quorate.errors import MethodError
from quorate.inference.bayes import Known
from quorate.protocols import Gold, Machines, Policy, PoolState

FOLDER, FUSIONS = "decision.policies", "decision.fusion"
PRICES = {CROWD: 1.0, EXPERT: 10.0}
EXPERT_REASON = "an expert said so"  # only for people to read: `Decisions.source` is what code looks at


def decide(
    votes: Votes,
    *,
    machines: Said | Mapping[str, Said] | None = None,
    gold: ArrayLike | None = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    budget: float | None = None,
    rest: Rest = "cheapest",
    policy: str | Policy = "expected_loss",
    seed: int = 0,
    **options: Any,
) -> Decisions:
    """Accept the cheapest answer for every task, or ask for one more vote where that is worth its price.

    machines: what a classifier says that was not taught the task: (n_tasks, n_classes), or a Posterior, which goes by
    the names of tasks and is decided on also where there are no votes yet; or several by name.
    gold: labels of experts, class index per task of the votes, -1 = none. They are accepted, and teach the rest.
    cost_error: what any error costs; or costs: a whole matrix. prices: what a vote of each kind of voter costs.
    budget: what can be spent on votes now; those that save the most per price are asked for. rest: the other tasks
    that would ask take their "cheapest" label or stay "undecided".
    policy: by its name (and options, such as fusion="product"), or as an object, with costs and prices of its own.
    seed: draws which votes are paid for where a policy does not tell what they save.

    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1], [0, 1, -1]])
    >>> decide(votes, cost_error=5).to_frame()["action"].to_list()
    ['accept', 'accept', 'ask']
    """
    require_votes(votes)
    wide, said = matched(votes, machines)
    chosen = policy_of(policy, wide.n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    chosen.prices.check(chosen.costs)
    decisions = decide_with(chosen, wide, said, known_of(votes, wide, gold))
    if budget is None:
        return decisions
    return within_budget(decisions, chosen.prices, budget=budget, rest=rest, seed=seed)


def decide_with(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> Decisions:
    """The decisions of a policy that is fitted to all that is known; what experts have said is settled."""
    return settled(policy.decide(state_of(policy, votes, machines, gold)), gold, policy.costs)


def state_of(policy: Policy, votes: Votes, machines: Machines, gold: Gold) -> PoolState:
    """All that is known of the tasks, the policy's model fitted to it."""
    model = policy.fit(votes, machines, gold)
    return PoolState(votes=votes, machines=machines, model=model, gold=gold, open=_open(policy.prices, votes, gold))


def policy_of(
    policy: str | Policy,
    n_classes: int,
    *,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    options: Mapping[str, Any] | None = None,
) -> Policy:
    """A policy by its name, for these costs and prices; or the object that it is.

    options: of the policy; a fusion may be given by its name.

    >>> type(policy_of("expected_loss", 2, options={"fusion": "product"}).fusion).__name__
    'Product'
    """
    if not isinstance(policy, str):
        if isinstance(policy, type) or not hasattr(policy, "decide"):
            raise MethodError(f"a policy is a name, or an object such as ExpectedLoss(costs=...), got {policy!r}")
        if options:
            raise MethodError("options go with a policy's name; a policy given as an object has its own")
        _require_classes(policy.costs, n_classes)
        return policy
    matrix = costs if costs is not None else Costs.of_error(cost_error, n_classes)
    _require_classes(matrix, n_classes)
    of_votes = prices if isinstance(prices, Prices) else Prices(votes=dict(prices))
    chosen = dict(options or {})
    if isinstance(chosen.get("fusion"), str):
        chosen["fusion"] = registry.method(FUSIONS, chosen["fusion"])
    made: Policy = registry.method(FOLDER, policy, costs=matrix, prices=of_votes, **chosen)
    return made


def uses_machines(policy: Policy) -> bool:
    """Return whether the decisions of a policy depend on what machines say.

    >>> uses_machines(policy_of("expected_loss", 2)), uses_machines(policy_of("crowd_only", 2))
    (True, False)
    """
    return bool(getattr(policy, "uses_machines", True))


def known_of(votes: Votes, wide: Votes, gold: ArrayLike | None) -> Gold:
    """Gold of every task of the wider votes; it may be given for these, or for the votes alone."""
    if gold is None:
        return np.full(wide.n_tasks, -1)
    if np.shape(gold) == (wide.n_tasks,):
        return Known.about(wide, gold=gold).gold
    return np.append(Known.about(votes, gold=gold).gold, np.full(wide.n_tasks - votes.n_tasks, -1))


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


def _require_classes(costs: Costs, n_classes: int) -> None:
    if costs.n_classes != n_classes:
        raise MethodError(f"the costs are for {costs.n_classes} classes, but there are {n_classes}")
