"""Replay setups: without a budget, with one or several budgets, or as a stream."""

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
from quorate.replay.classifiers import Classifier
from quorate.replay.pool import replay
from quorate.replay.session import Outcome
from quorate.replay.stream import Arrivals, replay_stream
from quorate.typing import Gold

Budget = float | str  # money, or a share of the free spend (without a budget), as "25%"


class Recording(NamedTuple):
    """Arguments that all replays of a recording share; see `replay`."""

    votes: Votes
    gold: Gold
    machine: Classifier | None
    known_gold: Gold
    seed: int
    recorded_order: bool


@dataclass(frozen=True, kw_only=True)
class Setups:
    """All setups in which each policy is replayed.

    Args:
        budgets: money for all tasks together, or shares of what the policy spends without a budget, such as "25%"; with
            shares, the replay without a budget is shown as well.
        rest: see `replay_budget`.
        order: see `replay_budget`.
        audits: replay each policy also with expert labels of random tasks, where these pay; see `replay`.
        arrivals: replay a stream instead.

    >>> Setups(budgets=("25%", "100%")).names("swap"), Setups(budgets=(500,)).names("swap")
    (['swap', 'swap at 25%', 'swap at 100%'], ['swap for 500'])
    >>> Setups(audits=True).names("swap")
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
            raise MethodError("audits are tried without a budget or a stream: leave these out, or audits")
        require_choice("order", self.order, ORDERS)
        for budget in self.budgets:
            amount_of(budget)

    @property
    def with_unlimited(self) -> bool:
        """Whether the policy is also replayed without a budget."""
        return self.arrivals is None and (not self.budgets or any(map(_is_share, self.budgets)))

    def names(self, policy: str) -> list[str]:
        """Return the names of all setups of a policy."""
        plain = [policy] if self.with_unlimited or self.arrivals is not None else []
        plain += [f"{policy} with audits"] * self.audits
        return plain + [
            f"{policy} {'at' if _is_share(budget) else 'for'} {_text_of(budget)}" for budget in self.budgets
        ]

    def run(self, policy: Policy, recording: Recording) -> list[Outcome]:
        """Replay a policy in every setup, and return the outcomes in the order of `names`."""
        shared = recording._asdict()
        if self.arrivals is not None:
            return [replay_stream(policy, **shared, arrivals=self.arrivals)]
        unlimited = [False, True] if self.audits else [False] if self.with_unlimited else []
        outcomes: list[Outcome] = [replay(policy, **shared, audits=audits) for audits in unlimited]
        spent = float(outcomes[0].spent.sum()) if outcomes else np.nan
        return outcomes + [self._with_budget(policy, recording, budget, spent) for budget in self.budgets]

    def _with_budget(self, policy: Policy, recording: Recording, budget: Budget, unlimited: float) -> BudgetOutcome:
        """Replay within a budget. unlimited: what the policy spends without one."""
        amount = amount_of(budget)
        if _is_share(budget):
            classifier = policy.prices.machine * recording.votes.n_tasks  # it has to be paid in any case
            amount = classifier + amount * (unlimited - classifier)
        return replay_budget(policy, **recording._asdict(), budget=amount, rest=self.rest, order=self.order)


def as_budgets(budget: Budget | Sequence[Budget] | None) -> tuple[Budget, ...]:
    """Return one budget, several or none as a tuple."""
    return () if budget is None else (budget,) if isinstance(budget, str | int | float) else tuple(budget)


def amount_of(budget: Budget) -> float:
    """Return an amount of money, or the share that a text such as "25%" stands for.

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


def _text_of(budget: Budget) -> str:
    amount = amount_of(budget)
    return f"{100 * amount:g}%" if _is_share(budget) else f"{amount:g}"
