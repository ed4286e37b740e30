"""The verb `try_policies`: many policies on the same recorded votes, several times, side by side."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.api.aggregate import require_votes
from quorate.api.decide import FOLDER, PRICES, policy_of
from quorate.data.costs import EXPERT, Costs, Prices
from quorate.data.posterior import Array
from quorate.data.votes import Votes
from quorate.decision.alignment import Said, matched
from quorate.decision.budget import Rest
from quorate.errors import MethodError, QuorateError, VotesError
from quorate.inference.bayes import Known
from quorate.inference.em import report_round
from quorate.learning.incremental import Taught
from quorate.parallel import one_blas_thread
from quorate.protocols import Gold, Policy
from quorate.replay.budget import BudgetOutcome, Order
from quorate.replay.pool import Given, Machine, Outcome
from quorate.replay.results import FIGURES, QUARTERS, Trials
from quorate.replay.setups import Budget, Recorded, Ways, several
from quorate.replay.stream import Arrivals, StreamOutcome


def try_policies(
    votes: Votes,
    gold: ArrayLike,
    policies: Sequence[str] | Mapping[str, Policy] | None = None,
    *,
    machine: Said | None = None,
    x: Any = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    seeds: int = 5,
    most_tasks: int = 1500,
    known: int = 0,
    recorded_order: bool = False,
    budget: Budget | Sequence[Budget] | None = None,
    rest: Rest = "cheapest",
    order: Order = "value",
    audits: bool = False,
    stream: Arrivals | None = None,
    processes: int = 1,
) -> Trials:
    """Replay policies on recorded votes, and see what each would have cost in votes and in errors.

    gold: the true class of every task, -1 = none; only tasks that have one and votes are replayed.
    policies: names, maybe with options (`fixed_votes:n=5`); or objects by name; all there are, where none is given.
    machine: what a classifier says of the tasks, as in `decide`; or x, features of the tasks, (n_tasks, n_features),
    from which one learns as votes come in. seeds: how often each is tried; a seed draws `most_tasks` tasks, the order
    of their votes, and `known` tasks whose gold every policy is given for nothing.
    budget: money for all tasks of a seed, or shares of what each policy spends freely, such as ["25%", "50%"]; each is
    tried, and rest and order say what is bought (see `replay_budget`). audits: each is also tried with labels of
    experts on random tasks where these seem to pay (see `replay`). stream: tasks arrive in time (see Arrivals).

    >>> from quorate import simulate_votes
    >>> crowd = simulate_votes(n_tasks=60, votes_per_task=5, seed=0)
    >>> tried = try_policies(crowd.votes, crowd.gold, ["fixed_votes", "fixed_votes:n=5"], seeds=2)
    >>> tried.votes.mean(axis=1).tolist()
    [3.0, 5.0]
    """
    require_votes(votes)
    _require_counts(seeds=seeds, most_tasks=most_tasks, processes=processes)
    wide, said = matched(votes, machine)
    truth = Known.about(votes, gold=gold).gold
    rows = np.flatnonzero((truth >= 0) & (votes.votes_per_task > 0))
    if not len(rows):
        raise VotesError("no task has both votes and gold: there is nothing to replay")
    if x is not None and machine is not None:
        raise MethodError("give either machine, or x for one that learns")
    pool = Pool(
        votes=votes.subset(tasks=rows),
        gold=truth[rows],
        probs=next((probs[rows] for probs in said.values()), None),
        x=None if x is None else _features(x, wide.n_tasks)[rows],
        most_tasks=most_tasks,
        known=known,
        recorded_order=recorded_order,
        ways=Ways(budgets=several(budget), rest=rest, order=order, audits=audits, arrivals=stream),
    )
    made = _made(policies, votes.n_classes, cost_error=cost_error, costs=costs, prices=prices)
    if audits and any(EXPERT not in policy.prices.kinds for policy in made.values()):
        raise MethodError("audits need the price of an expert, such as prices={'crowd': 1, 'expert': 10}")
    names = [pool.ways.names(name) for name in made]  # of every way to try each policy
    found = np.full((len(made), seeds, len(names[0]), len(FIGURES) + len(QUARTERS)), np.nan)
    notes: dict[str, str] = {}
    for done, (place, seed, figures, note) in enumerate(_runs(pool, list(made.values()), seeds, processes), start=1):
        found[place, seed] = figures
        if note:
            notes[list(made)[place]] = note
        report_round(done, len(made) * seeds)
    each = np.moveaxis(found, 2, 1).reshape(-1, seeds, found.shape[-1])  # (every way of every policy, seed, figure)
    return Trials(
        policies=tuple(name for ways in names for name in ways),
        n_tasks=min(most_tasks, len(rows)),
        notes=notes,
        frame_kind=votes.frame_kind,
        quarters=None if stream is None else each[:, :, len(FIGURES) :],
        **{name: each[:, :, place] for place, name in enumerate(FIGURES)},
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """What policies are tried on; every process has one."""

    votes: Votes
    gold: Gold
    probs: Array | None
    x: Array | None
    most_tasks: int
    known: int
    recorded_order: bool
    ways: Ways

    def run(self, policy: Policy, seed: int) -> tuple[Array, str]:
        """What a policy costs per task on the tasks of a seed, each way: (n_ways, FIGURES and QUARTERS); or why not."""
        rng = np.random.default_rng(seed)
        n_tasks = self.votes.n_tasks
        rows = np.sort(rng.choice(n_tasks, min(self.most_tasks, n_tasks), replace=False))
        gold = self.gold[rows]
        known = np.full(len(rows), -1)
        given = rng.choice(len(rows), min(self.known, len(rows)), replace=False)
        known[given] = gold[given]
        try:
            with one_blas_thread():
                recorded = Recorded(
                    self.votes.subset(tasks=rows), gold, self._machine(rows, seed), known, seed, self.recorded_order
                )
                return np.array([_figures(outcome) for outcome in self.ways.run(policy, recorded)]), ""
        except QuorateError as error:
            return np.full(len(FIGURES) + len(QUARTERS), np.nan), str(error)

    def _machine(self, rows: NDArray[np.int64], seed: int) -> Machine | None:
        if self.x is not None:
            return Taught(self.x[rows], seed=seed)
        return None if self.probs is None else Given(self.probs[rows])


def _figures(outcome: Outcome) -> list[float]:
    decided = outcome.decided if isinstance(outcome, BudgetOutcome) else np.ones(len(outcome.loss))
    every = (outcome.loss, outcome.votes, outcome.asked_expert, outcome.wrong, outcome.spent, decided)
    quarters = outcome.by_part(len(QUARTERS)) if isinstance(outcome, StreamOutcome) else np.full(len(QUARTERS), np.nan)
    return [float(figure.mean()) for figure in every] + quarters.tolist()


def _made(
    policies: Sequence[str] | Mapping[str, Policy] | None,
    n_classes: int,
    *,
    cost_error: float,
    costs: Costs | None,
    prices: Mapping[str, float] | Prices,
) -> dict[str, Policy]:
    if isinstance(policies, Mapping):
        return {str(name): policy_of(policy, n_classes) for name, policy in policies.items()}
    if isinstance(policies, str):
        raise MethodError(f"policies is a list of names, such as [{policies!r}]")
    made = {}
    for text in policies or registry.names(FOLDER):
        name, _, typed = text.partition(":")
        options = parsed(name, typed)
        made[text] = policy_of(name, n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    return made


def parsed(name: str, typed: str) -> dict[str, Any]:
    """Options of a policy that were typed behind its name.

    >>> parsed("threshold", "t=0.8:n=5")
    {'t': 0.8, 'n': 5}
    """
    found = registry.method_class(FOLDER, name)
    options: dict[str, Any] = {}
    for text in filter(None, typed.split(":")):
        option, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise MethodError(f"options of a policy are typed as {name}:OPTION=VALUE, got {text!r}")
        options[option] = registry.typed(found, name, option, value)
    return options


def _features(x: Any, n_tasks: int) -> Array:
    features = np.asarray(x, dtype=np.float64)
    if features.ndim != 2 or len(features) != n_tasks:
        raise VotesError(f"x must have a row of features for each of the {n_tasks} tasks, got shape {features.shape}")
    return features


def _require_counts(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise MethodError(f"{name} must be at least 1, got {count}")


def _runs(pool: Pool, policies: list[Policy], seeds: int, processes: int) -> Iterator[tuple[int, int, Array, str]]:
    """(place of the policy, seed, figures, note) of every replay, as they are done."""
    jobs = [(place, seed) for seed in range(seeds) for place in range(len(policies))]
    if processes == 1 or len(jobs) == 1:
        for place, seed in jobs:
            yield place, seed, *pool.run(policies[place], seed)
        return
    spawn = get_context("spawn")  # a forked process would share threads, and wait for them for ever
    with ProcessPoolExecutor(min(processes, len(jobs)), spawn, _set_up, (pool,)) as executor:
        futures = {executor.submit(_run_here, policies[place], seed): (place, seed) for place, seed in jobs}
        try:
            for done in as_completed(futures):
                yield *futures[done], *done.result()
        except BrokenProcessPool:
            raise MethodError("a process was ended, perhaps for want of memory: use fewer processes") from None
        finally:
            executor.shutdown(cancel_futures=True)


_pool: Pool | None = None  # of this process, which was started for it


def _set_up(pool: Pool) -> None:
    global _pool
    _pool = pool


def _run_here(policy: Policy, seed: int) -> tuple[Array, str]:
    assert _pool is not None
    return _pool.run(policy, seed)
