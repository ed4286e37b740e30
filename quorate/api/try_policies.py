"""The function `try_policies`: many policies on the same recorded votes, several times, side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quorate import registry
from quorate.data.checks import require_votes
from quorate.data.costs import EXPERT, Costs, Prices
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.decision.alignment import Predictions, align_machines
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import FOLDER, PRICES, parse_options, policy_of
from quorate.decision.selection import Rest
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.progress import report_round
from quorate.replay.budget import Order
from quorate.replay.policy_comparison import Pool, runs
from quorate.replay.results import FIGURES, QUARTERS, Trials
from quorate.replay.setups import Budget, Ways, several
from quorate.replay.stream import Arrivals
from quorate.typing import Array


def try_policies(
    votes: Votes,
    gold: ArrayLike,
    policies: Sequence[str] | Mapping[str, Policy] | None = None,
    *,
    machine: Predictions | None = None,
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
    for name, count in (("seeds", seeds), ("most_tasks", most_tasks), ("processes", processes)):
        require_number(name, count, at_least=1, whole=True)
    wide, said = align_machines(votes, machine)
    truth = PriorKnowledge.of(votes, gold=gold).gold
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
    made = _policies(policies, votes.n_classes, cost_error=cost_error, costs=costs, prices=prices)
    if audits and any(EXPERT not in policy.prices.kinds for policy in made.values()):
        raise MethodError("audits need the price of an expert, such as prices={'crowd': 1, 'expert': 10}")
    names = [pool.ways.names(name) for name in made]  # of every way to try each policy
    found = np.full((len(made), seeds, len(names[0]), len(FIGURES) + len(QUARTERS)), np.nan)
    notes: dict[str, str] = {}
    for done, (place, seed, figures, note) in enumerate(runs(pool, list(made.values()), seeds, processes), start=1):
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


def _policies(
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
        options = parse_options(name, typed)
        made[text] = policy_of(name, n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    return made


def _features(x: Any, n_tasks: int) -> Array:
    features = np.asarray(x, dtype=np.float64)
    if features.ndim != 2 or len(features) != n_tasks:
        raise VotesError(f"x must have a row of features for each of the {n_tasks} tasks, got shape {features.shape}")
    return features
