"""The function `forecast`: what a pool will cost, from the votes so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from quorate.api.inputs import (
    GoldLike,
    MachinesLike,
    VotesLike,
    as_gold,
    as_votes_and_machines,
    named_items,
    require_options,
)
from quorate.api.learner_items import features_of
from quorate.audit.cross_auditing import cross_audit
from quorate.data.costs import Costs, Prices
from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.decision.alignment import align_machines, with_tasks
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import FOLDER, PRICES, policy_of
from quorate.decision.pool_decisions import decide_with, extend_gold, state_of
from quorate.errors import MethodError
from quorate.forecasts.forecast import Forecast
from quorate.forecasts.forecast import forecast as forecast_state
from quorate.forecasts.projection import Teach
from quorate.forecasts.tuning import MachineKind
from quorate.io.items import Items
from quorate.registry.method_names import PolicyName
from quorate.replay.classifiers import IncrementalClassifier, teach_repeatedly
from quorate.typing import Array, Gold

SECONDS_PER_DAY = 86_400.0


def forecast(
    votes: VotesLike,
    *,
    machines: MachinesLike | None = None,
    x: Any = None,
    encoder: str = "auto",
    gold: GoldLike | None = None,
    audit: GoldLike | None = None,
    n_tasks: int | None = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    policy: PolicyName | Policy = "expected_loss",
    votes_per_day: float | None = None,
    most_votes: int | None = None,
    available: Collection[str] | None = None,
    runs: int = 10,
    seed: int = 0,
    **options: Any,
) -> Forecast:
    """Forecast what the whole pool will have cost if its policy goes on as it has begun, with bands of 80%.

    Args:
        votes: the votes so far; best of a first run that decided a tenth of the pool, drawn at random.
        machines: predictions of one or several classifiers, as in `decide`.
        x: features of the tasks, (n_tasks, n_features), or a list of texts, for a classifier that goes on learning;
            instead of `machines`. Items, or a frame or file with a column task, are matched by the names of tasks,
            brought to one scale, and may have tasks without votes.
        encoder: of texts and images: "auto" for one that is installed, "none" for words and pixels, or its name or
            folder.
        gold: gold labels, -1 = none, as in `decide`.
        audit: expert labels of tasks drawn at random, -1 = none; without them the number of errors is not forecast.
        n_tasks: number of tasks in all, if neither machines nor votes name them.
        cost_error: cost of an error, if all errors cost the same.
        costs: costs of errors by class, instead of `cost_error`.
        prices: price of a vote, by annotator kind.
        policy: name of a policy, or a policy.
        votes_per_day: number of votes that come in; None = as many as did, if the votes have a time.
        most_votes: number of votes that one task can have, at most; None = any number.
        available: the annotator kinds that can be asked, such as ["crowd"] if experts have a price but there are none;
            None = all that have a price.
        runs: number of simulations.
        seed: draws the simulations.
        options: of the policy, if it is given by name.

    >>> from quorate import simulate_votes
    >>> crowd = simulate_votes(n_tasks=100, votes_per_task=5, seed=0)
    >>> result = forecast(crowd.votes, n_tasks=1000, cost_error=20, prices={"crowd": 1})
    >>> result.n_votes < result.votes.low < result.votes.value < result.votes.high
    True
    """
    votes, predictions = as_votes_and_machines(votes, machines)
    wide, pred_probs = align_machines(votes, predictions)
    content = named_items(x)
    if isinstance(content, Items):
        wide = with_tasks(wide, content.tasks)
    if n_tasks is not None:
        wide = _widened(wide, n_tasks, alone=machines is None and x is None)
    if isinstance(policy, str):
        require_options(FOLDER, policy, options, forecast)
    chosen = policy_of(policy, wide.n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    known_gold, audited = (extend_gold(votes, wide, as_gold(labels, wide)) for labels in (gold, audit))
    all_gold = np.where(known_gold >= 0, known_gold, audited)
    kind: MachineKind = "given" if pred_probs else "none"
    teach: Teach | None = None
    if x is not None:
        if pred_probs:
            raise MethodError("give either machines, or x for a classifier that learns")
        kind, teach = "learning", make_teacher(features_of(content, wide, encoder), chosen, all_gold)
        pred_probs = teach(wide)
    _, error = cross_audit(lambda labels: decide_with(chosen, wide, pred_probs, labels), audited, known_gold)
    state = state_of(chosen, wide, pred_probs, all_gold)
    return forecast_state(
        chosen,
        state,
        machine=kind,
        teach=teach,
        audit=error,
        votes_per_day=rate_of(votes) if votes_per_day is None else votes_per_day,
        left=None if most_votes is None else np.maximum(most_votes - wide.votes_per_task, 0),
        available=available,
        runs=runs,
        seed=seed,
    )


def rate_of(votes: Votes) -> float | None:
    """Return the number of votes per day, from the first to the last; None if their times are not known.

    >>> from dataclasses import replace
    >>> votes = Votes.from_matrix([[0, 1, 1]])
    >>> rate_of(replace(votes, time=np.array([0.0, 43_200.0, 86_400.0]))), rate_of(votes)
    (2.0, None)
    """
    if votes.time is None:
        return None
    times = votes.time[np.isfinite(votes.time)]
    length = float(np.ptp(times)) if len(times) else 0.0
    return (len(times) - 1) * SECONDS_PER_DAY / length if length > 0 else None


def make_teacher(x: Array, policy: Policy, gold: Gold) -> Teach:
    """Return a function that teaches a classifier the posterior of tasks with votes, and returns its predictions.

    Args:
        x: features of the tasks, (n_tasks, n_features).
        policy: its model gives the posterior.
        gold: gold labels, -1 = none.
    """
    return lambda votes: teach_repeatedly(IncrementalClassifier(x), policy, votes, gold)


def _widened(votes: Votes, n_tasks: int, *, alone: bool) -> Votes:
    """Return the votes with more tasks, which have neither votes nor names, up to `n_tasks`."""
    if not alone:
        raise MethodError(
            "n_tasks is for votes alone: with machines or x the number of tasks is known, so leave it out"
        )
    if n_tasks < votes.n_tasks:
        raise MethodError(f"n_tasks must be at least the {votes.n_tasks} tasks of the votes, got {n_tasks}")
    more = n_tasks - votes.n_tasks
    return with_tasks(votes, as_names([f"not seen yet: {number}" for number in range(1, more + 1)])) if more else votes
