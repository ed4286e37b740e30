"""Ways to let a policy loose on recorded votes: as it likes, within a budget, or on tasks that arrive in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quorate.data.option_checks import require_choice
from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.decision.selection import Rest
from quorate.errors import MethodError
from quorate.replay.budget import ORDERS, BudgetOutcome, Order, replay_budget
from quorate.replay.pool import Machine, Outcome, replay
from quorate.replay.stream import Arrivals, StreamOutcome, replay_stream
from quorate.typing import Gold

Budget = float | str  # money, or a share of the free spend, as "25%"


class Recorded(NamedTuple):
    """What a policy is let loose on. known: gold that it is given for nothing, -1 = none."""

    votes: Votes
    gold: Gold
    machine: Machine | None
    known: Gold
    seed: int
    recorded_order: bool


@dataclass(frozen=True, kw_only=True)
class Ways:
    """All ways in which each policy is tried.

    budgets: money for all tasks together, or shares of what the policy spends without a budget, such as "25%"; the last
    are shown beside the free run. rest, order: see `replay_budget`. audits: also with labels of experts on random tasks
    where these seem to pay, see `replay`. arrivals: a stream instead.

    >>> Ways(budgets=("25%", "100%")).names("swap"), Ways(budgets=(500,)).names("swap")
    (['swap', 'swap at 25%', 'swap at 100%'], ['swap for 500'])
    >>> Ways(audits=True).names("swap")
    ['swap', 'swap with audits']
    """

    budgets: tuple[Budget, ...] = ()
    rest: Rest = "cheapest"
    order: Order = "value"
    audits: bool = False
    arrivals: Arrivals | None = None

    def __post_init__(self) -> None:
        if self.budgets and self.arrivals is not None:
            raise MethodError("give either a budget or a stream: a stream has no end to save money for")
        if self.audits and (self.budgets or self.arrivals is not None):
            raise MethodError("audits are tried without a budget or a stream")
        require_choice("order", self.order, ORDERS)
        for budget in self.budgets:
            amount_of(budget)

    @property
    def with_free(self) -> bool:
        """Whether the policy is also run as it likes."""
        return self.arrivals is None and (not self.budgets or any(map(_is_share, self.budgets)))

    def names(self, policy: str) -> list[str]:
        """What each way of trying a policy is called."""
        free = [policy] if self.with_free or self.arrivals is not None else []
        free += [f"{policy} with audits"] * self.audits
        return free + [f"{policy} {'at' if _is_share(budget) else 'for'} {_written(budget)}" for budget in self.budgets]

    def run(self, policy: Policy, on: Recorded) -> list[Outcome]:
        """What became of each."""
        if self.arrivals is not None:
            return [self._stream(policy, on, self.arrivals)]
        free = [False, True] if self.audits else [False] if self.with_free else []
        done: list[Outcome] = [
            replay(
                policy,
                on.votes,
                on.gold,
                on.machine,
                known=on.known,
                seed=on.seed,
                recorded_order=on.recorded_order,
                audits=audits,
            )
            for audits in free
        ]
        return done + [self._paid(policy, on, budget, done[0] if done else None) for budget in self.budgets]

    def _paid(self, policy: Policy, on: Recorded, budget: Budget, free: Outcome | None) -> BudgetOutcome:
        amount = amount_of(budget)
        if free is not None and _is_share(budget):
            machine = policy.prices.machine * on.votes.n_tasks  # it has to be paid in any case
            amount = machine + amount * (float(free.spent.sum()) - machine)
        return replay_budget(
            policy,
            on.votes,
            on.gold,
            on.machine,
            budget=amount,
            rest=self.rest,
            order=self.order,
            known=on.known,
            seed=on.seed,
            recorded_order=on.recorded_order,
        )

    def _stream(self, policy: Policy, on: Recorded, arrivals: Arrivals) -> StreamOutcome:
        return replay_stream(
            policy,
            on.votes,
            on.gold,
            on.machine,
            arrivals,
            known=on.known,
            seed=on.seed,
            recorded_order=on.recorded_order,
        )


def several(budget: Budget | Sequence[Budget] | None) -> tuple[Budget, ...]:
    """One budget, several or none, as several."""
    return () if budget is None else (budget,) if isinstance(budget, str | int | float) else tuple(budget)


def amount_of(budget: Budget) -> float:
    """Money, or the share that a text such as "25%" stands for.

    >>> amount_of("25%"), amount_of("500"), amount_of(20)
    (0.25, 500.0, 20.0)
    """
    text = str(budget).strip()
    try:
        amount = float(text.removesuffix("%")) / (100 if _is_share(budget) else 1)
    except ValueError:
        amount = np.nan
    if not 0 <= amount < np.inf:
        raise MethodError(f"a budget is money, such as 500, or a share of the free spend, such as 25%, got {text!r}")
    return amount


def _is_share(budget: Budget) -> bool:
    return str(budget).strip().endswith("%")


def _written(budget: Budget) -> str:
    amount = amount_of(budget)
    return f"{100 * amount:g}%" if _is_share(budget) else f"{amount:g}"
