"""The function `try_policies`: replay several policies on the same recorded votes and compare their costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quorate import registry
from quorate.api.inputs import GoldLike, ProbsLike, VotesLike, as_gold, as_votes_and_machines, named_items
from quorate.api.learner_items import features_of
from quorate.data.costs import EXPERT, Costs, Prices
from quorate.data.option_checks import require_name_list, require_number
from quorate.decision.alignment import align_machines
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import FOLDER, PRICES, parse_options, policy_of
from quorate.decision.selection import Rest
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.progress import report_round
from quorate.registry.deprecation import renamed_parameters
from quorate.replay.budget import Order
from quorate.replay.policy_comparison import Pool, run_replays
from quorate.replay.results import FIGURES, QUARTERS, Trials
from quorate.replay.setups import Budget, Setups, as_budgets
from quorate.replay.stream import Arrivals


@renamed_parameters(since="0.2", known="n_known_gold")
def try_policies(
    votes: VotesLike,
    gold: GoldLike,
    policies: Sequence[str] | Mapping[str, Policy] | None = None,
    *,
    machine: ProbsLike | None = None,
    x: Any = None,
    encoder: str = "auto",
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    seeds: int = 5,
    most_tasks: int = 1500,
    n_known_gold: int = 0,
    recorded_order: bool = False,
    budget: Budget | Sequence[Budget] | None = None,
    rest: Rest = "cheapest",
    order: Order = "value",
    audits: bool = False,
    stream: Arrivals | None = None,
    processes: int = 1,
) -> Trials:
    """Replay policies on recorded votes, and return what each would have cost in votes and in errors.

    Args:
        votes: the recorded votes.
        gold: the true class of every task, -1 = none; only tasks that have one, and votes, are replayed.
        policies: names, with options if any (`fixed_votes:n=5`), or policies by name; None = all that exist.
        machine: predictions of a classifier, as in `decide`.
        x: features of the tasks, (n_tasks, n_features), or a list of texts, for a classifier that learns as votes come
            in; instead of `machine`. Items, or a frame or file with a column task, are matched by the names of tasks,
            and brought to one scale.
        encoder: of texts and images: "auto" for one that is installed, "none" for words and pixels, or its name or
            folder.
        cost_error: cost of an error, if all errors cost the same.
        costs: costs of errors by class, instead of `cost_error`.
        prices: price of a vote, by annotator kind.
        seeds: number of replays of each policy. A seed draws the tasks, the order of their votes, and the tasks whose
            gold labels are known.
        most_tasks: number of tasks that a seed draws, at most.
        n_known_gold: number of tasks whose gold labels every policy has from the start, free of charge.
        recorded_order: show the votes of a task in their recorded order.
        budget: money for all tasks of a seed, or shares of what each policy spends without a budget, such as
            ["25%", "50%"]; each is tried.
        rest: what happens to tasks that the budget does not cover; see `replay_budget`.
        order: which votes are bought first within a budget; see `replay_budget`.
        audits: try each policy also with expert labels of random tasks, where these are expected to pay; see `replay`.
        stream: tasks arrive over time; see `Arrivals`.
        processes: number of processes that run replays.

    >>> from quorate import simulate_votes
    >>> crowd = simulate_votes(n_tasks=60, votes_per_task=5, seed=0)
    >>> tried = try_policies(crowd.votes, crowd.gold, ["fixed_votes", "fixed_votes:n=5"], seeds=2)
    >>> tried.votes.mean(axis=1).tolist()
    [3.0, 5.0]
    """
    votes, predictions = as_votes_and_machines(votes, machine)
    for name, count in (("seeds", seeds), ("most_tasks", most_tasks), ("processes", processes)):
        require_number(name, count, at_least=1, whole=True)
    wide, machines = align_machines(votes, predictions)
    truth = PriorKnowledge.of(votes, gold=as_gold(gold, votes)).gold
    rows = np.flatnonzero((truth >= 0) & (votes.votes_per_task > 0))
    if not len(rows):
        raise VotesError("no task has both votes and gold: there is nothing to replay")
    if x is not None and machine is not None:
        raise MethodError("give either machine, or x for a classifier that learns")
    pool = Pool(
        votes=votes.subset(tasks=rows),
        gold=truth[rows],
        probs=next((probs[rows] for probs in machines.values()), None),
        x=None if x is None else features_of(named_items(x), wide, encoder)[rows],
        most_tasks=most_tasks,
        n_known_gold=n_known_gold,
        recorded_order=recorded_order,
        setups=Setups(budgets=as_budgets(budget), rest=rest, order=order, audits=audits, arrivals=stream),
    )
    by_name = _policies(policies, votes.n_classes, cost_error=cost_error, costs=costs, prices=prices)
    if audits and any(EXPERT not in policy.prices.kinds for policy in by_name.values()):
        raise MethodError("audits need the price of an expert, such as prices={'crowd': 1, 'expert': 10}")
    names = [pool.setups.names(name) for name in by_name]  # of every setup of each policy
    figures = np.full((len(by_name), seeds, len(names[0]), len(FIGURES) + len(QUARTERS)), np.nan)
    notes: dict[str, str] = {}
    replays = run_replays(pool, list(by_name.values()), seeds, processes)
    for n_done, (index, seed, result, note) in enumerate(replays, start=1):
        figures[index, seed] = result
        if note:
            notes[list(by_name)[index]] = note
        report_round(n_done, len(by_name) * seeds)
    by_setup = np.moveaxis(figures, 2, 1).reshape(-1, seeds, figures.shape[-1])  # (setups of policies, seed, figure)
    return Trials(
        policies=tuple(name for setups in names for name in setups),
        n_tasks=min(most_tasks, len(rows)),
        notes=notes,
        frame_kind=votes.frame_kind,
        quarters=None if stream is None else by_setup[:, :, len(FIGURES) :],
        **{name: by_setup[:, :, index] for index, name in enumerate(FIGURES)},
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
    require_name_list("policies", policies)
    by_name = {}
    for text in policies or registry.names(FOLDER):
        name, _, typed = text.partition(":")
        options = parse_options(name, typed)
        by_name[text] = policy_of(name, n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    return by_name
