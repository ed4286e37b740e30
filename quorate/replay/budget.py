"""A policy on recorded votes when the money ends: whose vote is bought first, and what becomes of the rest."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.data.decisions import ASK, UNDECIDED, Decisions
from quorate.data.option_checks import require_choice
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, Policy, PoolState
from quorate.decision.batch import Batch, affordable
from quorate.decision.budget import MIN_SAVING, NO_MONEY
from quorate.decision.selection import Rest, choose, first_batch, settle
from quorate.errors import MethodError
from quorate.replay.pool import LAST_LESSONS, MANY, Machine, Outcome, believed, named
from quorate.replay.session import Ledger, Lessons
from quorate.typing import Gold

Order = Literal["value", "random", "in_turn"]
ORDERS = ("value", "random", "in_turn")
AT_ONCE = 10  # votes that are bought together, at least
MOST_WARM_UP = 1 / 3  # of the money: the rest is for what the warm-up has shown


@dataclass(frozen=True, eq=False, kw_only=True)
class BudgetOutcome(Outcome):
    """What became of a replay with a budget.

    decided: whether the policy accepted a label by its own rule, or an expert gave it; else the money had ended. A task
    that stays undecided has no label, no error and no cost of one: look at how many are decided before the loss.
    """

    decided: NDArray[np.bool_]


def replay_budget(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Machine | None = None,
    *,
    budget: float,
    rest: Rest = "cheapest",
    order: Order = "value",
    learning: bool = False,
    known: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    batch: float = 0.2,
    growth: float = 1.5,
) -> BudgetOutcome:
    """Run a policy on recorded votes until it asks for no more, or the money has ended: never beyond it.

    budget: for votes, experts and the machine on all tasks together. rest: tasks that would still ask take their
    cheapest label, or stay undecided. order: votes that save most for their price first ("value"; drawn where the
    policy does not know), any that is asked for ("random"), or ten tasks after ten, until they are decided ("in_turn").
    learning: also buy votes that teach the machine, where its learning curve says that they save more (it has not
    lowered the loss in replays). The other options are those of `replay`.

    >>> from quorate import Costs, simulate_votes
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> crowd = simulate_votes(n_tasks=40, votes_per_task=5, seed=0)
    >>> policy = FixedVotes(costs=Costs.of_error(20, 2), n=3)
    >>> done = replay_budget(policy, crowd.votes, crowd.gold, budget=50, order="in_turn")
    >>> done.spent.sum(), done.decided.sum()
    (np.float64(50.0), np.int64(10))
    """
    require_choice("order", order, ORDERS)
    rng = np.random.default_rng(seed)
    shown_in = np.arange(len(votes)) if recorded_order else rng.permutation(len(votes))
    run = _Run(policy, Ledger(votes, gold, policy.prices, shown_in, known), machine, budget, growth)
    places = rng.permutation(votes.n_tasks)
    run.warm_up(seed)
    lessons_left = LAST_LESSONS
    for rounds in range(MANY):  # noqa: B007
        run.fit()
        decisions = run.decide(affordable_only=True)
        bought = run.next_batch(decisions, order, places, batch, learning, int(rng.integers(2**31)))
        if len(bought):
            run.ledger.buy(bought.rows, bought.ask)
            continue
        if machine is None or not lessons_left:
            break
        lessons_left -= 1
        run.taught = 0  # before it ends, the machine is taught all that was seen
    return run.outcome(rest, rounds)


class _Run:
    """A replay under way: what was bought, and what is known from it."""

    def __init__(self, policy: Policy, ledger: Ledger, machine: Machine | None, budget: float, growth: float) -> None:
        self.policy, self.ledger, self.machine = policy, ledger, machine
        self.budget, self.growth = budget, growth
        self.machines: Machines = {} if machine is None else named(machine, machine.start())
        self.model: Fused | None = None
        self.lessons = Lessons(policy.costs)
        self.taught = 0
        self.seen = ledger.world.votes()
        if not self.left >= 0:
            raise MethodError(f"the budget must pay for the machine, {ledger.spent().sum():g}, got {budget:g}")

    @property
    def left(self) -> float:
        """The money left; a hair below nothing, by sums of fractions, is nothing."""
        left = self.budget - float(self.ledger.spent().sum())
        return 0.0 if abs(left) <= 1e-9 * self.budget else left

    def warm_up(self, seed: int) -> None:
        """What the policy must have seen first, spread over what the machine says; at most a third of the money."""
        kinds, known = self.policy.prices.kinds, self.ledger.known
        wanted = self.policy.warm_up(len(known), self.machines)
        if CROWD not in kinds or not wanted.tasks:
            return
        predicted = next((said.argmax(axis=1) for said in self.machines.values()), None)
        price = self.policy.prices.of(CROWD)
        every = first_batch(
            len(known),
            price,
            budget=np.inf,
            size=len(known),
            votes=wanted.votes,
            ask=kinds.index(CROWD),
            predicted=predicted,
            seed=seed,
        )
        every = every.take(np.argsort(known[every.rows] < 0, kind="stable"))  # votes on tasks with gold teach most
        first = every.take(affordable(every.committed, MOST_WARM_UP * self.left, wanted.tasks))
        self.ledger.world.show(first.rows, wanted.votes)

    def fit(self) -> None:
        """Teach the machine where enough is new, and fit the model."""
        known = self.ledger.known
        self.seen = self.ledger.world.votes()
        evidence = len(self.seen) + int((known >= 0).sum())
        if self.machine is not None and evidence and evidence >= self.growth * self.taught:
            belief = believed(self.seen, self.machines, known, self.model)
            said = self.machine.learn(self.seen, belief, known)
            self.lessons.add(belief, said, (self.seen.votes_per_task > 0) | (known >= 0))
            self.machines = named(self.machine, said)
            self.taught = evidence
        self.model = self.policy.fit(self.seen, self.machines, known, self.model)

    def decide(self, *, affordable_only: bool) -> Decisions:
        """What the policy would do; of those that can be paid, where only they are wanted."""
        assert self.model is not None
        can_ask = self.ledger.open()
        if affordable_only:
            price = np.array([self.policy.prices.of(kind) for kind in self.policy.prices.kinds])
            can_ask &= price <= self.left
        known = self.ledger.known
        state = PoolState(votes=self.seen, machines=self.machines, model=self.model, gold=known, open=can_ask)
        return self.policy.decide(state)

    def next_batch(
        self, decisions: Decisions, order: Order, places: NDArray[np.int64], share: float, learning: bool, seed: int
    ) -> Batch:
        """The next votes: of a share of those that ask, within the money left."""
        asks = (decisions.action == ASK) & (self.ledger.known < 0)
        few = AT_ONCE if order == "in_turn" else max(int(np.ceil(share * asks.sum())), AT_ONCE)
        size = min(int(asks.sum()), few)
        worth = np.maximum(decisions.value, MIN_SAVING)
        if order != "value":
            price = np.array([self.policy.prices.of(kind) for kind in decisions.kinds])[decisions.ask]
            worth = np.where(order == "random", 1.0, 1.0 / (1 + places)) * np.maximum(price, MIN_SAVING)
        decisions = replace(decisions, value=np.where(asks, worth, 0.0))
        teaches, teacher = 0.0 * places, 0
        if learning and CROWD in decisions.kinds and self.machine is not None:
            fresh = (self.seen.votes_per_task == 0) & (self.ledger.known < 0)
            teaches = fresh * self.lessons.saving(int((~fresh).sum()), left=float(fresh.sum()))
            teacher = decisions.kinds.index(CROWD)
        return choose(
            decisions,
            self.policy.prices,
            budget=self.left,
            size=size,
            learning=teaches,
            teacher=teacher,
            can_ask=self.ledger.open(),
            seed=seed,
        )

    def outcome(self, rest: Rest, rounds: int) -> BudgetOutcome:
        """What became of it."""
        ledger = self.ledger
        wanted = self.decide(affordable_only=False)
        asks = (wanted.action == ASK) & (ledger.known < 0)
        final = settle(wanted, self.policy.prices, budget=NO_MONEY, rest=rest)
        undecided = asks & (final.action == UNDECIDED)
        label = np.where(ledger.known >= 0, ledger.known, np.where(undecided, -1, final.label))
        return BudgetOutcome(
            label=label,
            wrong=(label != ledger.gold) & ~undecided,
            votes=ledger.world.shown.copy(),
            asked_expert=ledger.asked_expert,
            spent=ledger.spent(),
            error_cost=np.where(undecided, 0.0, self.policy.costs.of_errors(ledger.gold, label)),
            rounds=rounds,
            decided=~asks,
        )
