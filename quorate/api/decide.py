"""The function `decide`: accept a label for every task, or ask for one more vote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from quorate.api.inputs import GoldLike, MachinesLike, VotesLike, as_gold, as_votes_and_machines, require_options
from quorate.audit.cross_auditing import cross_audit
from quorate.audit.error_rate import Stated
from quorate.audit.value_of_audit import AuditChoice, audit_after
from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.alignment import align_machines
from quorate.decision.base import Machines, Policy, WarmUp
from quorate.decision.budget import within_budget
from quorate.decision.policy_by_name import FOLDER, PRICES, policy_of
from quorate.decision.pool_decisions import decide_with, extend_gold
from quorate.decision.selection import Rest
from quorate.decision.stated_error import ModelEstimate, expected_error_of
from quorate.decision.summary import Summary, summarise
from quorate.registry.method_names import PolicyName
from quorate.typing import Gold


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PoolDecisions(Decisions):
    """Decisions on a pool, with the votes, classifiers and expert labels that they rest on.

    Attributes:
        votes: the votes, with every task that a vote or a classifier knows.
        machines: the probabilities of each classifier, by name, one row per task.
        gold: expert labels, those of the audit among them: class index per task, -1 = none.
        policy: what decided, with its costs and prices.
        error: the error rate of the accepted labels, estimated from the audit; NaN without one.
        model_error: their expected error rate according to the model; where there is an audit, rely on `error`.
    """

    votes: Votes
    machines: Machines
    gold: Gold
    policy: Policy
    error: Stated
    model_error: ModelEstimate

    def summary(self) -> Summary:
        """Return how many tasks are accepted or asked about, what that costs, and how often labels are wrong.

        The error rate is that of the audit; without one it is the model estimate.
        """
        error = self.error.words if self.error.known else self.model_error.words
        return summarise(self, self.policy.prices, error)

    def audit_advice(self) -> AuditChoice | None:
        """Return whether more expert labels on random tasks are expected to pay; None where experts have no price."""
        return audit_after(self, self.policy.costs, self.policy.prices, self.gold)

    def warm_up(self) -> WarmUp | None:
        """Return the votes to collect first where there are too few to trust the decisions, otherwise None."""
        needed = self.policy.warm_up(self.votes.n_tasks, self.machines)
        has_enough = int((self.votes.votes_per_task >= needed.votes).sum()) >= needed.tasks
        return None if has_enough else needed


def decide(
    votes: VotesLike,
    *,
    machines: MachinesLike | None = None,
    gold: GoldLike | None = None,
    audit: GoldLike | None = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    budget: float | None = None,
    rest: Rest = "cheapest",
    policy: PolicyName | Policy = "expected_loss",
    seed: int = 0,
    **options: Any,
) -> PoolDecisions:
    """Accept the cheapest label for every task, or ask for one more vote where that is worth its price.

    Args:
        votes: the votes so far: Votes, a frame, or the path of a file.
        machines: probabilities of a classifier that was not trained on these tasks: (n_tasks, n_classes); or a
            Posterior, a frame or a file, which are matched by the names of tasks and may have tasks without votes; or
            several of these by name.
        gold: expert labels, class index per task of the votes, -1 = none; or a frame or file with task and label. They
            are accepted, and the other tasks are decided with them in mind.
        audit: expert labels on tasks drawn at random, like gold. They also estimate how often accepted labels are
            wrong: each is compared with a decision that was made without it.
        cost_error: the cost of any error.
        costs: a whole matrix of costs instead.
        prices: the price of a vote of each kind of annotator.
        budget: the money to spend on votes now; the votes that save the most for their price are asked for.
        rest: what to do with tasks that the budget does not cover: accept the "cheapest" label, or leave "undecided".
        policy: its name (with options, such as fusion="product"), or an object with costs and prices of its own.
        seed: draws which votes are paid for, where a policy does not estimate what they save.
        **options: options of a policy given by name.

    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1], [0, 1, -1]])
    >>> decide(votes, cost_error=5).to_frame()["action"].to_list()
    ['accept', 'accept', 'ask']
    """
    recorded, predictions = as_votes_and_machines(votes, machines)
    pool, pred_probs = align_machines(recorded, predictions)
    if isinstance(policy, str):
        require_options(FOLDER, policy, options, decide)
    chosen = policy_of(policy, pool.n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    chosen.prices.check(chosen.costs)
    expert, judge = (extend_gold(recorded, pool, as_gold(labels, pool)) for labels in (gold, audit))

    def run(labels: Gold) -> Decisions:
        decisions = decide_with(chosen, pool, pred_probs, labels)
        if budget is None:
            return decisions
        return within_budget(decisions, chosen.prices, budget=budget, rest=rest, seed=seed)

    decisions, error = cross_audit(run, judge, expert)
    labels = np.where(expert >= 0, expert, judge)
    model_error = expected_error_of(decisions, pool, pred_probs)
    decided = {field.name: getattr(decisions, field.name) for field in fields(Decisions)}
    return PoolDecisions(
        **decided,
        votes=pool,
        machines=pred_probs,
        gold=labels,
        policy=chosen,
        error=error,
        model_error=model_error,
    )
