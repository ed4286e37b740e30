"""One replay in progress: buying votes and expert labels, teaching the classifier, fitting the model, deciding."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK, NOBODY, Decisions
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines, Policy, PoolState
from quorate.decision.batch import Batch, affordable
from quorate.decision.budget import worth_asking
from quorate.decision.selection import choose
from quorate.decision.stated_error import are_probabilities, discounted_errors
from quorate.learning.value_of_labels import LearningValue
from quorate.replay.classifiers import Classifier, predictions_by_name, training_targets
from quorate.replay.tuning import TUNING
from quorate.replay.vote_source import VoteSource
from quorate.typing import Array, Gold

MAX_ROUNDS = 10_000  # a safety limit that no replay has reached

Mask = NDArray[np.bool_]
Tasks = NDArray[np.int64]  # indices of tasks


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Result of a replay, one entry per task. Gold labels that the policy knew from the start cost nothing.

    Attributes:
        label: the label of each task, -1 = none.
        wrong: whether it differs from the true class.
        stated_error: how probably it is wrong according to the model estimate (decision/stated_error).
        votes: number of votes bought from the crowd.
        asked_expert: whether an expert was paid.
        spent: price of the votes, the expert and the classifier.
        error_cost: cost of the label, given the true class.
        rounds: number of rounds before the last decision.
    """

    label: NDArray[np.int64]
    wrong: Mask
    stated_error: Array
    votes: NDArray[np.int64]
    asked_expert: Mask
    spent: Array
    error_cost: Array
    rounds: int

    @property
    def loss(self) -> Array:
        """Total cost of each task: what was spent, and the cost of its error."""
        return self.spent + self.error_cost


class _Evidence(NamedTuple):
    """Numbers of votes and gold labels when something was fitted."""

    bought: int = 0  # all of them
    used: int = 0  # those that were not forgotten


class Session:
    """State of a replay, and the steps that every kind of replay consists of.

    A driver (pool, budget, stream) calls `warm_up` once, then `learn`, `decide` and `buy` in turn, and `outcome` at the
    end. Votes come from a recording, expert labels are the true classes. A task with a gold label is not asked about.

    Args:
        policy: the policy that is replayed.
        votes: the recorded votes.
        truth: the true class of every task.
        classifier: predicts classes; None = there is none.
        known_gold: gold labels that the policy has from the start, -1 = none.
        seed: of the random numbers `rng`, which first draw the order of the votes.
        recorded_order: keep the votes in their recorded order.
        growth: teach the classifier again when the evidence has grown by this factor.
        refit_share: fit the model again when this share of the evidence is new.
        budget: money for votes, experts and the classifier on all tasks.

    >>> from quorate.data.costs import Costs, Prices
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> policy = FixedVotes(costs=Costs.of_error(20, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    >>> session = Session(policy, Votes.from_matrix([[0, 0], [1, -1]]), np.array([0, 1]))
    >>> session.buy(np.array([0, 1]), np.array([0, 1]))
    >>> session.spent().tolist(), session.gold.tolist(), session.can_ask().tolist()
    ([1.0, 10.0], [-1, 1], [[True, True], [False, False]])
    """

    def __init__(
        self,
        policy: Policy,
        votes: Votes,
        truth: Gold,
        classifier: Classifier | None = None,
        *,
        known_gold: Gold | None = None,
        seed: int = 0,
        recorded_order: bool = False,
        growth: float = TUNING.growth,
        refit_share: float = 0.0,
        budget: float = np.inf,
    ) -> None:
        self.policy, self.truth, self.classifier = policy, truth, classifier
        self.growth, self.refit_share, self.budget = growth, refit_share, budget
        self.rng = np.random.default_rng(seed)
        order = np.arange(len(votes)) if recorded_order else self.rng.permutation(len(votes))
        self.source = VoteSource(votes, order)
        self.gold = np.full(votes.n_tasks, -1) if known_gold is None else known_gold.copy()
        self.asked_expert = np.zeros(votes.n_tasks, dtype=bool)
        self.final_lessons = TUNING.final_lessons  # still to be given
        self.forget()

    def forget(self) -> None:
        """Forget everything that was learned; what was bought stays."""
        start = None if self.classifier is None else self.classifier.start()
        self.machines: Machines = {} if self.classifier is None else predictions_by_name(self.classifier, start)
        self.model: Fused | None = None
        self.learning_value = LearningValue(self.policy.costs)
        self._taught = self._fitted = _Evidence()

    # Tasks and money

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.truth)

    @property
    def unlabelled(self) -> Mask:
        """Tasks with neither votes nor a gold label: (n_tasks,)."""
        return (self.source.shown == 0) & (self.gold < 0)

    def can_ask(self) -> Mask:
        """Return which kinds of annotators can still be asked about each task: (n_tasks, n_kinds)."""
        votes_left = self.source.left > 0
        kinds = self.policy.prices.kinds
        masks = [votes_left if kind == CROWD else np.full(self.n_tasks, kind == EXPERT) for kind in kinds]
        return np.stack(masks, axis=1) & (self.gold < 0)[:, None]

    def asking(self, decisions: Decisions) -> Mask:
        """Return which of all tasks ask for a vote: (n_tasks,)."""
        return (decisions.action == ASK) & (self.gold < 0)

    def spent(self) -> Array:
        """Return what each task has cost so far, including the price of the classifier: (n_tasks,)."""
        prices = self.policy.prices
        votes = self.source.shown * prices.votes.get(CROWD, 0.0)
        spent: Array = votes + self.asked_expert * prices.votes.get(EXPERT, 0.0) + prices.machine
        return spent.astype(np.float64)

    @property
    def money_left(self) -> float:
        """What is left of the budget; rounding errors count as nothing."""
        if self.budget == np.inf:
            return self.budget
        left = self.budget - float(self.spent().sum())
        return 0.0 if abs(left) <= 1e-9 * self.budget else left

    # Buying

    def gold_first(self, tasks: Tasks) -> Tasks:
        """Return these tasks in a stable order, those with gold first: votes on them teach most about the workers."""
        return tasks[np.argsort(self.gold[tasks] < 0, kind="stable")]

    def warm_up(self, tasks: Tasks, *, pool_size: int | None = None, budget: float = np.inf) -> int:
        """Buy the votes that the policy needs before its first decision; return the number of tasks it wants.

        Args:
            tasks: the tasks to buy votes on, the first ones first.
            pool_size: number of tasks that the policy is used on; None = all in the recording.
            budget: at most this much is spent.
        """
        wanted = self.policy.warm_up(pool_size or self.n_tasks, self.machines)
        if CROWD in self.policy.prices.kinds:  # a kind without a price cannot be asked
            price = np.full(len(tasks), wanted.votes * self.policy.prices.of(CROWD))
            self.source.show(tasks[affordable(price, budget, wanted.tasks)], wanted.votes)
        return wanted.tasks

    def buy(self, tasks: NDArray[Any], kinds: NDArray[Any]) -> None:
        """Buy a vote or an expert label on each of these tasks. kinds: index of the annotator kind of each."""
        names = np.array(self.policy.prices.kinds)[kinds]
        self.buy_expert_labels(tasks[names == EXPERT])
        self.source.show(tasks[names == CROWD])

    def buy_expert_labels(self, tasks: NDArray[Any]) -> None:
        """Buy an expert label of each of these tasks."""
        self.gold[tasks] = self.truth[tasks]
        self.asked_expert[tasks] = True

    def choose(
        self, decisions: Decisions, *, size: int, tasks: Tasks | None = None, label_value: float = 0.0, seed: int = 0
    ) -> Batch:
        """Return the next votes to buy: those that save most for their price, within the budget.

        Args:
            decisions: on all tasks, or on `tasks`.
            size: at most this number of votes is bought.
            tasks: the tasks that were decided on; None = all. The rows of the batch are positions among them.
            label_value: what a first label of a task saves through the classifier; see `label_value`.
            seed: draws the order among votes that save the same.
        """
        prices, rows = self.policy.prices, slice(None) if tasks is None else tasks
        enough = size * max(prices.votes.values())
        return choose(
            worth_asking(decisions),
            prices,
            budget=enough if self.budget == np.inf else self.money_left,
            size=size,
            learning=self.unlabelled[rows] * label_value,
            teacher=prices.kinds.index(CROWD) if CROWD in prices.kinds else 0,
            can_ask=self.can_ask()[rows],
            seed=seed,
        )

    def label_value(self, n_labels: int, n_tasks: float) -> float:
        """Return what one more label saves on `n_tasks` tasks by teaching the classifier, after `n_labels` labels."""
        if self.classifier is None or CROWD not in self.policy.prices.kinds:
            return 0.0
        return self.learning_value.saving(n_labels, n_tasks)

    # Learning and deciding

    def learn(self, remembered: Mask | None = None) -> None:
        """Teach the classifier and fit the model, each if enough evidence is new.

        remembered: the tasks to learn from, (n_tasks,); None = all.
        """
        votes, gold = self.source.votes(), self.gold
        bought = _count(votes, gold)
        if remembered is not None:
            votes, gold = votes.subset(rows=remembered[votes.task]), np.where(remembered, gold, -1)
        used = _count(votes, gold)
        is_due = used and bought - self._taught.bought >= (self.growth - 1) * self._taught.used
        if self.classifier is not None and is_due:
            self._teach(self.classifier, votes, gold)
            self._taught = _Evidence(bought, used)
            self._fitted = _Evidence(self._fitted.bought)  # the model is fitted to the new predictions
        if self.model is None or bought - self._fitted.bought >= self.refit_share * self._fitted.used:
            self._fit(votes, gold, remembered)
            self._fitted = _Evidence(bought, used)

    def schedule_final_lesson(self) -> bool:
        """Let the next `learn` teach the classifier all votes; return False if no lesson is left before the end."""
        if self.classifier is None or not self.final_lessons:
            return False
        self.final_lessons -= 1
        self._taught = _Evidence()
        return True

    def _teach(self, classifier: Classifier, votes: Votes, gold: Gold) -> None:
        targets = training_targets(votes, self.machines, gold, self.model)
        pred_probs = classifier.learn(votes, targets, gold)
        self.learning_value.add(targets, pred_probs, taught=(votes.votes_per_task > 0) | (gold >= 0))
        self.machines = predictions_by_name(classifier, pred_probs)

    def _fit(self, votes: Votes, gold: Gold, remembered: Mask | None) -> None:
        machines = self.machines
        if remembered is not None:
            rows = np.flatnonzero(remembered)
            votes, gold = votes.subset(tasks=rows), gold[rows]
            machines = {name: pred_probs[rows] for name, pred_probs in machines.items()}
        self.model = self.policy.fit(votes, machines, gold, self.model)

    def decide(self, tasks: Tasks | None = None, *, ignore_budget: bool = False) -> Decisions:
        """Return the policy's decisions on all tasks, or on some.

        ignore_budget: let the policy ask for votes that the money left does not pay for.
        """
        assert self.model is not None, "learn before deciding"
        can_ask = self.can_ask()
        if not ignore_budget:
            can_ask &= np.array([self.policy.prices.of(kind) for kind in self.policy.prices.kinds]) <= self.money_left
        votes, machines, gold = self.source.votes(), self.machines, self.gold
        if tasks is not None:
            votes, gold, can_ask = votes.subset(tasks=tasks), gold[tasks], can_ask[tasks]
            machines = {name: pred_probs[tasks] for name, pred_probs in machines.items()}
        return self.policy.decide(PoolState(votes=votes, machines=machines, model=self.model, gold=gold, open=can_ask))

    # The end

    def stated_errors(self, decisions: Decisions, tasks: Tasks | None = None) -> Array:
        """Return how probably the label of each task that was decided on is wrong, as a model estimate.

        It is 1 without a label, and NaN for all tasks if the policy counts votes and has no probabilities.

        tasks: the tasks that were decided on; None = all.
        """
        n_votes = self.source.shown if tasks is None else self.source.shown[tasks]
        errors = discounted_errors(decisions.probs, decisions.label, n_votes, taught=TAUGHT in self.machines)
        if not are_probabilities(errors[self.gold[slice(None) if tasks is None else tasks] < 0]):
            return np.full(len(errors), np.nan)
        return np.where(decisions.label == NOBODY, 1.0, errors)

    def outcome(
        self, label: NDArray[np.int64], stated_error: Array, *, rounds: int, undecided: Mask | None = None
    ) -> Outcome:
        """Return the outcome of this replay.

        Args:
            label: the label of each task, -1 = none; a gold label takes its place.
            stated_error: how probably it is wrong; zero takes its place where there is a gold label.
            rounds: number of rounds before the last decision.
            undecided: tasks that have no label yet: they are not wrong, and cost nothing.
        """
        label = np.where(self.gold >= 0, self.gold, label)
        open_tasks = np.zeros(self.n_tasks, dtype=bool) if undecided is None else undecided
        return Outcome(
            label=label,
            wrong=(label != self.truth) & ~open_tasks,
            stated_error=np.where((self.gold >= 0) | open_tasks, 0.0, stated_error),
            votes=self.source.shown.copy(),
            asked_expert=self.asked_expert,
            spent=self.spent(),
            error_cost=np.where(open_tasks, 0.0, self.policy.costs.of_errors(self.truth, label)),
            rounds=rounds,
        )


def batch_size(n_asking: int, share: float, n_tasks: int) -> int:
    """Return how many of the tasks that ask get a vote in one round.

    A round is small compared with the pool: votes change which further votes are worth most.

    Args:
        n_asking: number of tasks that ask.
        share: of these, that get a vote.
        n_tasks: number of all tasks; a round buys votes on `TUNING.batch_of_pool` of them at most.

    >>> batch_size(100, 0.2, 1000), batch_size(900, 0.2, 1000), batch_size(30, 0.2, 1000), batch_size(4, 0.2, 1000)
    (20, 50, 10, 4)
    """
    size = min(np.ceil(share * n_asking), np.ceil(TUNING.batch_of_pool * n_tasks))
    return min(n_asking, max(int(size), TUNING.min_batch))


def _count(votes: Votes, gold: Gold) -> int:
    return len(votes) + int((gold >= 0).sum())
