"""Replay of a policy on tasks that arrive over time: what is learned on early tasks serves later ones."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.audit.drift import Disagreement
from quorate.data.costs import CROWD
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.registry.deprecation import renamed_parameters, warn_renamed
from quorate.replay.classifiers import Classifier
from quorate.replay.session import Outcome, Session
from quorate.replay.tuning import TUNING
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class Arrivals:
    """How tasks arrive, and for how long what was learned from them is used.

    Args:
        rate: number of tasks that arrive in one unit of time, such as a day; they are decided on together.
        horizon: units of time for which learned knowledge stays useful: a label that teaches the classifier serves
            rate * horizon tasks to come.
        window: the model and the classifier learn from this number of latest tasks; 0 = all.
        half_life: number of tasks after which half of the earlier ones have been forgotten, at random; 0 = none are.
        check_share: share of all tasks, at random, that get a vote whatever the policy decides. On these it is checked
            whether the classifier disagrees with people more often than before.
        watch: after such a drift, forget all tasks from before it.
        patience: mean number of checks until a false alarm.
        learning: also buy votes that teach the classifier.
        recorded: tasks arrive in their recorded order, otherwise in random order.
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
        """Return after how many later tasks each task is forgotten: (n_tasks,)."""
        window = np.full(n_tasks, float(self.window or np.inf))
        return np.minimum(window, rng.exponential(self.half_life / np.log(2), n_tasks)) if self.half_life else window


@dataclass(frozen=True, eq=False, kw_only=True)
class StreamOutcome(Outcome):
    """Outcome of a stream.

    position: of each task in the order of arrival, from 0. alarms: positions at which a drift was reported.
    """

    position: NDArray[np.int64]
    alarms: tuple[int, ...]

    @property
    def place(self) -> NDArray[np.int64]:
        """Former name of `position`."""
        warn_renamed("the attribute 'place' of StreamOutcome", "position", since="0.2")
        return self.position

    def by_part(self, parts: int = 4) -> Array:
        """Return the mean loss per task in each quarter, or other part, of the stream: (parts,)."""
        loss = self.loss[np.argsort(self.position)]
        return np.array([part.mean() if len(part) else np.nan for part in np.array_split(loss, parts)])


@renamed_parameters(since="0.2", known="known_gold")
def replay_stream(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Classifier | None = None,
    arrivals: Arrivals | None = None,
    *,
    known_gold: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    growth: float = TUNING.stream_growth,
) -> StreamOutcome:
    """Run a policy on tasks that arrive a few at a time, each decided for good before the next, and return the outcome.

    A task is decided on by its own votes, by the model fitted to earlier tasks, and by the classifier taught on earlier
    tasks. The first tasks, as many as the policy's warm-up wants, are decided on together.

    Args:
        policy: the policy to try.
        votes: the recorded votes; each is shown when it is bought.
        gold: the true class of every task: errors are counted against it, and experts answer with it.
        machine: a classifier; None = there is none.
        arrivals: how tasks arrive, and for how long they are remembered.
        known_gold: gold labels that the policy has from the start, free of charge, -1 = none.
        seed: draws the order of the votes, the warm-up and the batches.
        recorded_order: show the votes of a task in their recorded order.
        growth: the classifier is taught again when there are this many times as many votes as before.

    >>> from quorate import Costs, simulate_votes
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> crowd = simulate_votes(n_tasks=40, votes_per_task=5, seed=0)
    >>> outcome = replay_stream(FixedVotes(costs=Costs.of_error(20, 2), n=3), crowd.votes, crowd.gold)
    >>> outcome.votes.mean(), len(outcome.by_part())
    (np.float64(3.0), 4)
    """
    session = Session(
        policy,
        votes,
        gold,
        machine,
        known_gold=known_gold,
        seed=seed,
        recorded_order=recorded_order,
        growth=growth,
        refit_share=TUNING.refit_share,
    )
    stream = _Stream(session, arrivals or Arrivals())
    end = stream.warm_up()
    while end < votes.n_tasks:
        start, end = end, min(end + stream.arrivals.rate, votes.n_tasks)
        stream.serve(start, end)
    outcome = session.outcome(stream.label, stream.stated_error, rounds=stream.rounds)
    return StreamOutcome(**vars(outcome), position=stream.position, alarms=tuple(stream.alarms))


class _Stream:
    """Tasks in the order of arrival, which of them are remembered, and the detector of drift."""

    def __init__(self, session: Session, arrivals: Arrivals) -> None:
        self.session, self.arrivals = session, arrivals
        n_tasks = session.n_tasks
        self.order = np.arange(n_tasks) if arrivals.recorded else session.rng.permutation(n_tasks)
        self.position = np.argsort(self.order)
        self.lifetime = arrivals.lifetimes(n_tasks, session.rng)
        self.remembered_from = 0  # position of the first task that is remembered
        self.label = np.full(n_tasks, -1)
        self.stated_error = np.ones(n_tasks)
        self.rounds = 0
        self.alarms: list[int] = []
        self._watch_again()

    def _watch_again(self) -> None:
        self.disagreement = Disagreement(patience=self.arrivals.patience)
        self.checked: list[int] = []  # positions of the tasks checked since the last alarm

    @property
    def to_come(self) -> float:
        """Number of tasks to come that learned knowledge serves."""
        return self.arrivals.rate * self.arrivals.horizon

    def warm_up(self) -> int:
        """Buy the warm-up on the first tasks, decide on them, and return their number."""
        n_wanted = self.session.warm_up(self.order, pool_size=max(int(self.to_come), 1))
        end = min(max(n_wanted, self.arrivals.rate), self.session.n_tasks)
        self.serve(0, end)
        return end

    def serve(self, start: int, end: int) -> None:
        """Decide on the tasks at these positions, then learn from them."""
        session, tasks = self.session, self.order[start:end]
        if start:
            self._check(tasks)
        while True:
            if not start:  # without earlier tasks, the model is fitted to these as their votes come in
                self._learn(end)
            decisions = session.decide(tasks)
            value = (
                session.label_value(session.learning_value.n_labels, self.to_come) if self.arrivals.learning else 0.0
            )
            chosen = session.choose(decisions, tasks=tasks, size=len(tasks), label_value=value)
            self.rounds += 1
            if not len(chosen):
                break
            session.buy(tasks[chosen.rows], chosen.ask)
        self.label[tasks] = decisions.label
        self.stated_error[tasks] = session.stated_errors(decisions, tasks)
        if self.arrivals.watch and self.disagreement.drift.risen:
            self.alarms.append(end)
            self.remembered_from = self.checked[self.disagreement.since()]
            self._watch_again()
            session.forget()
        self._learn(end)

    def _check(self, tasks: NDArray[np.int64]) -> None:
        """Buy one vote on random tasks, and record whether the classifier disagrees with it."""
        session = self.session
        drawn = tasks[session.rng.random(len(tasks)) < self.arrivals.check_share]
        drawn = drawn[(session.source.left[drawn] > 0) & (session.gold[drawn] < 0)]
        if not session.machines or CROWD not in session.policy.prices.kinds or not len(drawn):
            return
        session.source.show(drawn)
        votes = session.source.votes().subset(tasks=drawn)
        [pred_probs] = session.machines.values()
        differs = votes.label != pred_probs[drawn].argmax(axis=1)[votes.task]
        for row in np.argsort(votes.task):
            self.checked.append(int(self.position[drawn[votes.task[row]]]))
            self.disagreement.tell(differs=bool(differs[row]))

    def _learn(self, now: int) -> None:
        """Learn from the tasks that have arrived by this position and are not forgotten."""
        age = now - self.position
        self.session.learn((age > 0) & (age <= self.lifetime) & (self.position >= self.remembered_from))
