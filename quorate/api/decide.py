"""The function `decide`: accept an answer for every task, or ask for one more vote."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from quorate.data.checks import require_votes
from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.alignment import Predictions, align_machines
from quorate.decision.base import Policy
from quorate.decision.budget import within_budget
from quorate.decision.policy_by_name import PRICES, policy_of
from quorate.decision.pool_decisions import decide_with, extend_gold
from quorate.decision.selection import Rest
from quorate.registry.method_names import PolicyName


def decide(
    votes: Votes,
    *,
    machines: Predictions | Mapping[str, Predictions] | None = None,
    gold: ArrayLike | None = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    budget: float | None = None,
    rest: Rest = "cheapest",
    policy: PolicyName | Policy = "expected_loss",
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
    wide, said = align_machines(votes, machines)
    chosen = policy_of(policy, wide.n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    chosen.prices.check(chosen.costs)
    decisions = decide_with(chosen, wide, said, extend_gold(votes, wide, gold))
    if budget is None:
        return decisions
    return within_budget(decisions, chosen.prices, budget=budget, rest=rest, seed=seed)
