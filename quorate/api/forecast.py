"""The function `forecast`: what the rest of a pool will cost, from the votes so far."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quorate.audit.cross_auditing import cross_audit
from quorate.data.checks import require_votes
from quorate.data.costs import Costs, Prices
from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.decision.alignment import Predictions, align_machines, with_tasks
from quorate.decision.base import Fused, Machines, Policy
from quorate.decision.policy_by_name import PRICES, policy_of
from quorate.decision.pool_decisions import decide_with, extend_gold, state_of
from quorate.errors import MethodError
from quorate.forecasts.forecast import Forecast
from quorate.forecasts.forecast import forecast as forecast_state
from quorate.forecasts.projection import Teach
from quorate.forecasts.tuning import MachineKind
from quorate.learning.incremental import IncrementalClassifier
from quorate.replay.classifiers import predictions_by_name, training_targets
from quorate.typing import Array, Gold

LESSONS = 3  # of the machine, each by what is believed after the one before
DAY = 86_400.0  # seconds


def forecast(
    votes: Votes,
    *,
    machines: Predictions | Mapping[str, Predictions] | None = None,
    x: Any = None,
    gold: ArrayLike | None = None,
    audit: ArrayLike | None = None,
    n_tasks: int | None = None,
    cost_error: float = 100.0,
    costs: Costs | None = None,
    prices: Mapping[str, float] | Prices = PRICES,
    policy: str | Policy = "expected_loss",
    votes_per_day: float | None = None,
    most_votes: int | None = None,
    available: Collection[str] | None = None,
    runs: int = 10,
    seed: int = 0,
    **options: Any,
) -> Forecast:
    """What the whole pool will have cost, if its policy goes on as it has begun; with bands of 80 %.

    votes: those so far, best of a first run that was decided to its end on a tenth of the pool, drawn at random.
    machines, gold, costs, prices and policy: as in `decide`. x: features of the tasks, (n_tasks, n_features), in place
    of machines, for a classifier that goes on learning. n_tasks: how many tasks there are in all, where neither
    machines nor votes name them. audit: labels of experts on tasks drawn at random, -1 = none: only they tell how many
    labels will be wrong. votes_per_day: how many come in; not given, as many as did, where the votes have a time.
    most_votes: that one task may have. available: the kinds of voters who can be asked, such as ["crowd"] where experts
    have a price but there is none; None = all that have a price.

    >>> from quorate import simulate_votes
    >>> crowd = simulate_votes(n_tasks=100, votes_per_task=5, seed=0)
    >>> found = forecast(crowd.votes, n_tasks=1000, cost_error=20, prices={"crowd": 1})
    >>> found.n_votes < found.votes.low < found.votes.value < found.votes.high
    True
    """
    require_votes(votes)
    wide, said = align_machines(votes, machines)
    if n_tasks is not None:
        wide = _widened(wide, n_tasks, alone=machines is None and x is None)
    chosen = policy_of(policy, wide.n_classes, cost_error=cost_error, costs=costs, prices=prices, options=options)
    known, judge = (extend_gold(votes, wide, labels) for labels in (gold, audit))
    kind: MachineKind = "given" if said else "none"
    teach: Teach | None = None
    if x is not None:
        if said:
            raise MethodError("give either machines, or x for one that learns")
        kind, teach = "learning", taught_by(_features(x, wide), chosen, np.where(known >= 0, known, judge))
        said = teach(wide)
    _, error = cross_audit(lambda labels: decide_with(chosen, wide, said, labels), judge, known)
    state = state_of(chosen, wide, said, np.where(known >= 0, known, judge))
    if available is not None:
        state = replace(state, open=state.open & np.isin(chosen.prices.kinds, list(available)))
    return forecast_state(
        chosen,
        state,
        machine=kind,
        teach=teach,
        audit=error,
        votes_per_day=rate_of(votes) if votes_per_day is None else votes_per_day,
        left=None if most_votes is None else np.maximum(most_votes - wide.votes_per_task, 0),
        runs=runs,
        seed=seed,
    )


def rate_of(votes: Votes) -> float | None:
    """Votes that came in per day, from first to last; None where their times are not known.

    >>> from dataclasses import replace
    >>> votes = Votes.from_matrix([[0, 1, 1]])
    >>> rate_of(replace(votes, time=np.array([0.0, 43_200.0, 86_400.0]))), rate_of(votes)
    (2.0, None)
    """
    if votes.time is None:
        return None
    times = votes.time[np.isfinite(votes.time)]
    length = float(np.ptp(times)) if len(times) else 0.0
    return (len(times) - 1) * DAY / length if length > 0 else None


def taught_by(x: Array, policy: Policy, gold: Gold) -> Teach:
    """A machine that learns from x, (n_tasks, n_features), what the policy's model believes of the tasks with votes."""

    def teach(votes: Votes) -> Machines:
        machine = IncrementalClassifier(x)
        machines: Machines = {}
        model: Fused | None = None
        for _ in range(LESSONS):
            machines = predictions_by_name(
                machine, machine.learn(votes, training_targets(votes, machines, gold, model), gold)
            )
            model = policy.fit(votes, machines, gold, model)
        return machines

    return teach


def _features(x: Any, votes: Votes) -> Array:
    features: Array = np.asarray(x, dtype=np.float64)
    if features.ndim != 2 or len(features) != votes.n_tasks:
        raise MethodError(f"x must have a row of features per task, {votes.n_tasks}, got shape {features.shape}")
    return features


def _widened(votes: Votes, n_tasks: int, *, alone: bool) -> Votes:
    """The votes, and tasks without a vote or a name up to so many."""
    if not alone:
        raise MethodError("n_tasks is for votes alone: machines, or x, tell how many tasks there are")
    if n_tasks < votes.n_tasks:
        raise MethodError(f"n_tasks must be at least the {votes.n_tasks} tasks of the votes, got {n_tasks}")
    more = n_tasks - votes.n_tasks
    return with_tasks(votes, as_names([f"not seen yet: {number}" for number in range(1, more + 1)])) if more else votes
