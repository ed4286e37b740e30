"""A policy on recorded votes whose tasks arrive in time: the endless pool, where what is learnt serves what comes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.audit.drift import Disagreement
from quorate.data.costs import CROWD
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, Policy, PoolState
from quorate.decision.batch import Batch
from quorate.decision.budget import worth_asking
from quorate.decision.selection import choose
from quorate.replay.pool import Machine, Outcome, believed, named
from quorate.replay.session import Ledger, Lessons
from quorate.typing import Array, Gold

NEW_ENOUGH = 0.05  # share of new votes from which on the model is fitted again
NEVER = np.inf


@dataclass(frozen=True, kw_only=True)
class Arrivals:
    """How tasks arrive, and how long what was learnt from them is of use.

    rate: tasks that arrive in one unit of time, such as a day; they are decided on together. horizon: units of time for
    which what is learnt is of use: a label that teaches the machine serves rate * horizon tasks to come.
    window: so many latest tasks teach the model and the machine; 0 = all. half_life: so many tasks later half of them
    have been forgotten, at random; 0 = none. check_share: this share of all tasks, at random, gets a vote whatever the
    policy says; by these it is watched whether the machine disagrees with people more than it used to.
    watch: whether all from before such a drift is then forgotten. patience: checks until a false alarm, on average.
    learning: whether votes are also bought to teach the machine. recorded: tasks arrive in the order of the votes'
    tasks, else in random order.
    """

    rate: int = 10
    horizon: float = 100.0
    window: int = 0
    half_life: float = 0.0
    check_share: float = 0.1
    watch: bool = True
    patience: float = 500.0
    learning: bool = False
    recorded: bool = False

    def __post_init__(self) -> None:
        require_numbers(self, "rate", at_least=1, note="it is the number of tasks per unit of time")
        require_numbers(self, "horizon", "window", "half_life", at_least=0)
        require_numbers(self, "check_share", at_least=0, at_most=1)

    def lifetimes(self, n_tasks: int, rng: np.random.Generator) -> Array:
        """How many tasks later each is forgotten: (n_tasks,)."""
        window = np.full(n_tasks, float(self.window or NEVER))
        return np.minimum(window, rng.exponential(self.half_life / np.log(2), n_tasks)) if self.half_life else window


@dataclass(frozen=True, eq=False, kw_only=True)
class StreamOutcome(Outcome):
    """What became of a stream. place: of each task, when it arrived, from 0. alarms: places at which drift was told."""

    place: NDArray[np.int64]
    alarms: tuple[int, ...]

    def by_part(self, parts: int = 4) -> Array:
        """Mean loss per task of each quarter, or other part, of the stream."""
        loss = self.loss[np.argsort(self.place)]
        return np.array([part.mean() if len(part) else np.nan for part in np.array_split(loss, parts)])


def replay_stream(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Machine | None = None,
    arrivals: Arrivals | None = None,
    *,
    known: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    growth: float = 1.3,
) -> StreamOutcome:
    """Run a policy on tasks that arrive a few at a time; each is decided on before the next come, for good.

    A task is decided on by its own votes, by the model fitted to what came before, and by the machine that was taught
    what came before. The first tasks, as many as the policy's warm-up wants, wait for each other. The machine is taught
    again when there are `growth` times as many votes as before. The other options are those of `replay`.

    >>> from quorate import Costs, simulate_votes
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> crowd = simulate_votes(n_tasks=40, votes_per_task=5, seed=0)
    >>> done = replay_stream(FixedVotes(costs=Costs.of_error(20, 2), n=3), crowd.votes, crowd.gold)
    >>> done.votes.mean(), len(done.by_part())
    (np.float64(3.0), 4)
    """
    options = arrivals or Arrivals()
    rng = np.random.default_rng(seed)
    shown_in = np.arange(len(votes)) if recorded_order else rng.permutation(len(votes))
    order = np.arange(votes.n_tasks) if options.recorded else rng.permutation(votes.n_tasks)
    run = _Stream(policy, Ledger(votes, gold, policy.prices, shown_in, known), machine, options, order, growth, rng)
    begin = run.begin()
    while begin < votes.n_tasks:
        end = min(begin + options.rate, votes.n_tasks)
        run.serve(begin, end)
        begin = end
    return run.outcome()


class _Stream:
    """A stream under way: what was bought, what is remembered, and what is known from it."""

    def __init__(
        self,
        policy: Policy,
        ledger: Ledger,
        machine: Machine | None,
        options: Arrivals,
        order: NDArray[np.int64],
        growth: float,
        rng: np.random.Generator,
    ) -> None:
        self.policy, self.ledger, self.machine, self.options = policy, ledger, machine, options
        self.order, self.growth, self.rng = order, growth, rng
        self.place = np.argsort(order)
        self.lifetime = options.lifetimes(len(order), rng)
        self.checked: list[int] = []  # places of tasks since the last alarm
        self.alarms: list[int] = []
        self.since = 0  # the place from which on tasks are remembered
        self.label = np.full(len(order), -1)
        self.rounds = 0
        self._forget()

    def _forget(self) -> None:
        """Start as if nothing had been learnt."""
        self.machines: Machines = {} if self.machine is None else named(self.machine, self.machine.start())
        self.model: Fused | None = None
        self.lessons = Lessons(self.policy.costs)
        self.watch = Disagreement(patience=self.options.patience)
        self.checked = []
        self.taught = self.fitted = 0  # pieces of evidence ever bought, when it was taught and when it was fitted
        self.taught_on = self.fitted_on = 0  # those that were remembered then

    def begin(self) -> int:
        """Buy the warm-up of the first tasks and decide on them; how many they are."""
        n_tasks = len(self.order)
        wanted = self.policy.warm_up(max(int(self.options.rate * self.options.horizon), 1), self.machines)
        end = min(max(wanted.tasks, self.options.rate), n_tasks)
        if CROWD in self.policy.prices.kinds:
            self.ledger.world.show(self.order[: min(wanted.tasks, n_tasks)], wanted.votes)
        self.serve(0, end)
        return end

    def serve(self, begin: int, end: int) -> None:
        """Decide on the tasks that arrive at these places, then learn from them."""
        tasks = self.order[begin:end]
        if begin:
            self._check(tasks)
        while True:
            if not begin:  # nothing came before: they are fitted to as their votes come in
                self._learn(end)
            decisions = self._decide(tasks)
            bought = self._next(tasks, decisions)
            self.rounds += 1
            if not len(bought):
                break
            self.ledger.buy(tasks[bought.rows], bought.ask)
        self.label[tasks] = np.where(self.ledger.known[tasks] >= 0, self.ledger.known[tasks], decisions.label)
        if self.options.watch and self.watch.drift.risen:
            self.alarms.append(end)
            self.since = self.checked[self.watch.since()]
            self._forget()
        self._learn(end)

    def _check(self, tasks: NDArray[np.int64]) -> None:
        """One vote on random tasks, to see how often the machine disagrees with people."""
        drawn = tasks[self.rng.random(len(tasks)) < self.options.check_share]
        drawn = drawn[(self.ledger.world.left[drawn] > 0) & (self.ledger.known[drawn] < 0)]
        if not self.machines or CROWD not in self.policy.prices.kinds or not len(drawn):
            return
        self.ledger.world.show(drawn)
        votes = self.ledger.world.votes().subset(tasks=drawn)
        [said] = self.machines.values()
        differs = votes.label != said[drawn].argmax(axis=1)[votes.task]
        for row in np.argsort(votes.task):
            self.checked.append(int(self.place[drawn[votes.task[row]]]))
            self.watch.tell(differs=bool(differs[row]))

    def _learn(self, now: int) -> None:
        """Teach the machine and fit the model where enough is new; on what is remembered."""
        age = now - self.place
        kept = (age > 0) & (age <= self.lifetime) & (self.place >= self.since)
        seen = self.ledger.world.votes()
        bought = len(seen) + int((self.ledger.known >= 0).sum())
        seen = seen.subset(rows=kept[seen.task])
        known = np.where(kept, self.ledger.known, -1)
        evidence = len(seen) + int((known >= 0).sum())
        if self.machine is not None and evidence and bought - self.taught >= (self.growth - 1) * self.taught_on:
            belief = believed(seen, self.machines, known, self.model)
            said = self.machine.learn(seen, belief, known)
            self.lessons.add(belief, said, (seen.votes_per_task > 0) | (known >= 0))
            self.machines = named(self.machine, said)
            self.taught, self.taught_on = bought, evidence
            self.fitted_on = 0  # the model is fitted to what the machine says now
        if self.model is None or bought - self.fitted >= NEW_ENOUGH * self.fitted_on:
            rows = np.flatnonzero(kept)
            part = {name: said[rows] for name, said in self.machines.items()}
            self.model = self.policy.fit(seen.subset(tasks=rows), part, known[rows], self.model)
            self.fitted, self.fitted_on = bought, evidence

    def _decide(self, tasks: NDArray[np.int64]) -> Decisions:
        assert self.model is not None
        state = PoolState(
            votes=self.ledger.world.votes().subset(tasks=tasks),
            machines={name: said[tasks] for name, said in self.machines.items()},
            model=self.model,
            gold=self.ledger.known[tasks],
            open=self.ledger.open()[tasks],
        )
        return self.policy.decide(state)

    def _next(self, tasks: NDArray[np.int64], decisions: Decisions) -> Batch:
        """Whom to ask about these tasks: for their own sake, or for that of the tasks to come."""
        learning, teacher = np.zeros(len(tasks)), 0
        if self.options.learning and self.machine is not None and CROWD in decisions.kinds:
            teacher = decisions.kinds.index(CROWD)
            fresh = (self.ledger.world.shown[tasks] == 0) & (self.ledger.known[tasks] < 0)
            to_come = self.options.rate * self.options.horizon
            labels = self.lessons.labels[-1] if self.lessons.labels else 1
            learning = fresh * self.lessons.saving(labels, left=to_come)
        return choose(
            worth_asking(decisions),
            self.policy.prices,
            budget=len(tasks) * max(self.policy.prices.votes.values()),  # enough for all
            size=len(tasks),
            learning=learning,
            teacher=teacher,
            can_ask=self.ledger.open()[tasks],
        )

    def outcome(self) -> StreamOutcome:
        """What became of it."""
        ledger = self.ledger
        return StreamOutcome(
            label=self.label,
            wrong=self.label != ledger.gold,
            votes=ledger.world.shown.copy(),
            asked_expert=ledger.asked_expert,
            spent=ledger.spent(),
            error_cost=self.policy.costs.of_errors(ledger.gold, self.label),
            rounds=self.rounds,
            place=self.place,
            alarms=tuple(self.alarms),
        )
